//! A format under test, and what the tests know of it.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use bunzai::{AnyEntity, Declared, Error, Format, Input, Kind, Native, Registry, Report, Warning};
use bunzai_runtime::map::{Inner, Wire};
use serde_json::Value;

use crate::compare::Body;
use crate::edit::{Editor, json};
use crate::own;
use crate::paths::{get, row_lists};
use crate::quotients::{Quotients, made};
use crate::walk::root;

/// The name of the file that every document is said to come from.
pub(crate) const FILE: &str = "Some name.json";

static KINDS: [Kind; 10] = [
    Kind::of::<bunzai::model::LorebookBody>(),
    Kind::of::<bunzai::model::PersonaBody>(),
    Kind::of::<bunzai::model::PresetBody>(),
    Kind::of::<bunzai::model::PromptFormatBody>(),
    Kind::of::<bunzai::model::QuickReplyBody>(),
    Kind::of::<bunzai::model::RegexSetBody>(),
    Kind::of::<own::Album>(),
    Kind::of::<own::Programme>(),
    Kind::of::<own::Search>(),
    Kind::of::<own::Shelf>(),
];

/// The native format of the built-in kinds and those of the tests.
pub(crate) static NATIVE: Native = Native::new(&KINDS);

/// The formats under test: the built-in ones, and those of the tests.
pub(crate) fn formats() -> Vec<&'static Declared> {
    bunzai::FORMATS.iter().map(|format| format()).chain(own::formats()).collect()
}

/// All of them, to be told apart.
pub(crate) static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let mut registry = bunzai::registry();
    for format in own::formats() {
        assert!(registry.add(Box::new(format)).is_none(), "{} stands twice", format.id());
    }
    registry
});

/// What was written.
pub(crate) struct Out {
    pub(crate) text: String,
    pub(crate) name: String,
    pub(crate) report: Report,
}

impl Out {
    /// Whether the report says that the document fails its own gate.
    pub(crate) fn is_disowned(&self) -> bool {
        self.report.warnings.iter().any(|warning| warning.message.contains("not recognised as its own format"))
    }
}

/// A format under test. The hooks break it, to see that a law tells.
pub(crate) struct Subject {
    pub(crate) format: &'static Declared,
    pub(crate) lists: BTreeSet<String>,
    /// What each shape lets differ.
    pub(crate) quotients: Vec<Quotients>,
    pub(crate) break_import: Option<fn(&mut AnyEntity)>,
    pub(crate) break_export: Option<fn(&AnyEntity, &mut Out)>,
    pub(crate) break_score: Option<fn(f64) -> f64>,
}

impl Subject {
    pub(crate) fn new(format: &'static Declared) -> Self {
        let (map, shape) = (format.map(), format.kind_of_body().shape);
        let lists = row_lists(map);
        let quotients = map.shapes.iter().map(|one| Quotients::of(map, root(map, one), shape)).collect();
        Self { format, lists, quotients, break_import: None, break_export: None, break_score: None }
    }

    pub(crate) fn read(&self, text: &str, file: &str) -> Result<(AnyEntity, Vec<Warning>), Error> {
        let mut got = self.format.import(Input::new(text).file_name(file))?;
        if let Some(break_import) = self.break_import {
            break_import(&mut got.entity);
        }
        Ok((got.entity, got.warnings))
    }

    pub(crate) fn write(&self, entity: &AnyEntity) -> Result<Out, String> {
        let out = Format::export(self.format, entity.into()).map_err(|error| error.to_string())?;
        let report = out.report().map_err(|error| format!("no report: {error}"))?;
        let mut out = Out { text: out.text().into_owned(), name: out.name().to_owned(), report };
        if let Some(break_export) = self.break_export {
            break_export(entity, &mut out);
        }
        Ok(out)
    }

    pub(crate) fn score(&self, text: &str) -> f64 {
        let score = self.format.score(text);
        self.break_score.map_or(score, |break_score| break_score(score))
    }

    /// The name of the file that an entity is read from again: that of its twin, unless the entity
    /// takes its name from there and has another one now.
    pub(crate) fn file<'o>(&self, given: &Value, has_twin: bool, out: &'o Out) -> &'o str {
        let rows = self.format.map().root.rows.iter();
        let renamed = rows.filter(|row| !matches!(row.wire, Wire::At(_))).any(|row| {
            let file = if row.wire == Wire::FileStem { FILE.trim_end_matches(".json") } else { FILE };
            row.to.iter().any(|path| get(given, path).and_then(Value::as_str) != Some(file))
        });
        if has_twin && !renamed { FILE } else { &out.name }
    }

    /// What the shape of a document lets differ.
    pub(crate) fn quotients(&self, document: &Value) -> &Quotients {
        &self.quotients[crate::gate::shape(self.format.map(), document).unwrap_or(0)]
    }

    /// Whether some rows are read by more than one map.
    pub(crate) fn is_woven(&self) -> bool {
        let map = self.format.map();
        let parts = map.parts.iter().map(|(_, part)| part).chain([&map.root]);
        let mut rows = parts.flat_map(|part| part.rows.iter());
        rows.any(|row| matches!(&row.inner, Inner::Each(each) if crate::woven::is_woven(each)))
    }

    pub(crate) fn editor(&self, unkind: bool) -> Editor<'_> {
        Editor::new(&self.lists, unkind)
    }

    /// A body, with what the engine made of this document.
    pub(crate) fn body<'v>(&self, value: &'v Value, document: &Value) -> Body<'v> {
        Body { value, made: made(self.format.map(), self.quotients(document), value, document) }
    }
}

pub(crate) fn body(entity: &AnyEntity) -> Value {
    json(entity.body.as_node())
}

pub(crate) fn value(text: &str) -> Value {
    serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap_or_default()
}
