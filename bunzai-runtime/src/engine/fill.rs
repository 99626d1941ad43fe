//! Values that are made: constants, slugs, names of files, places of rows.

use super::Source;
use super::target::Route;
use crate::json::{Number, Value};
use crate::map::{Fill, Piece};
use crate::model::{Node, View};

/// What a fill gives in a scope; `index` is the place of the row it stands in.
pub(crate) fn fill_value<'v>(
    fill: &'v Fill,
    scope: &'v dyn Node,
    index: usize,
    source: Source<'v>,
) -> Option<Value<'v>> {
    let text_at = |path: &str| match Route::find(scope.shape(), path).ok()?.whole.view(scope) {
        View::Text(text) => Some(text),
        _ => None,
    };
    Some(match fill {
        Fill::Is(literal) => return literal.value(),
        Fill::Slug { path, sep } => {
            let slug = crate::id::slug(text_at(path)?, sep);
            Value::text(slug)
        }
        Fill::Concat(pieces) => {
            let mut text = String::new();
            for piece in pieces.iter() {
                text.push_str(match piece {
                    Piece::Is(text) => text,
                    Piece::Path(path) => text_at(path)?,
                });
            }
            Value::text(text)
        }
        Fill::Words { path, words } => {
            let text = text_at(path)?;
            Value::text(&**words.iter().find(|(word, _)| *word == *text).map(|(_, stands)| stands)?)
        }
        Fill::FileStem => Value::text(source.file.map(|_| source.stem().unwrap_or_default().to_owned())?),
        Fill::FileName => Value::text(source.file.map(|_| source.name().unwrap_or_default().to_owned())?),
        Fill::Count { from, word } => {
            let n = i64::try_from(index).ok()?.checked_add(*from)?;
            if word.is_empty() { Value::Number(n.into()) } else { Value::text(format!("{word} {n}")) }
        }
        // A value of the file that is written; there is none that is read.
        Fill::Wire { .. } => return None,
    })
}

/// The place of a row as a value of the model.
pub(super) fn place_of(index: usize) -> Value<'static> {
    Value::Number(Number::from(u64::try_from(index).unwrap_or(u64::MAX)))
}
