//! The engine: one interpreter for every declared format.
//!
//! [`Plan`] works out once what a [`Map`](crate::map::Map) means for the shape of its kind: a tree
//! of wire places for every group of rows, and for every row where in the model it goes. Then
//!
//! - [`import`] walks the document with the plan and fills the model,
//! - [`export`] walks the twin beside the model and splices what differs,
//! - [`fresh`] writes a document that has no twin,
//! - [`pick`] finds the rows that are one out of many,
//! - [`slot`] is what all three know of a single slot: how it is read and how it is spelled,
//! - [`layer`] is the text that a slot's value may stand in,
//! - [`woven`] is what rows are that more than one map reads.

mod asks;
mod domain;
mod edit;
mod export;
mod fill;
mod fresh;
mod gate;
mod ids;
mod import;
mod items;
mod join;
mod keys;
mod layer;
mod order;
mod pick;
mod plan;
mod quotients;
mod rest;
mod rows;
mod scope;
mod sealed;
mod slot;
mod spelling;
mod table;
mod target;
mod types;
mod woven;

pub(crate) use domain::Domain;
pub(crate) use export::{Put, put};
pub(crate) use fill::fill_value;
pub(crate) use fresh::fresh;
pub(crate) use import::{import, import_and_tell};
pub(crate) use keys::Keys;
pub(crate) use plan::{Frame, OrderPlan, Plan, RowPlan, RowWay, RowsPlan, TiePlan, Way};
pub(crate) use sealed::sealed;
pub(crate) use slot::Slot;
pub(crate) use target::Route;

use crate::error::{Error, Warning, WarningKind};
use crate::json::{Pointer, SyntaxError};
use crate::limits::Limits;

/// What is known of a document besides its text.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Source<'a> {
    /// The name of the file, folders included.
    pub(crate) file: Option<&'a str>,
}

impl Source<'_> {
    /// The name of the file without folders.
    pub(crate) fn name(&self) -> Option<&str> {
        self.file.map(|file| file.rsplit(['/', '\\']).next().unwrap_or(file))
    }

    /// The name of the file without folders and last extension.
    pub(crate) fn stem(&self) -> Option<&str> {
        self.name().map(|name| match name.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => name,
        })
    }
}

/// Why a pass over a document stopped.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The text is not JSON here.
    Syntax(SyntaxError),
    /// Something else is wrong with the document as a whole.
    Error(Box<Error>),
}

impl From<SyntaxError> for Stop {
    fn from(error: SyntaxError) -> Self {
        Self::Syntax(error)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Error(Box::new(error))
    }
}

impl Stop {
    /// The error of a pass over this text.
    pub(crate) fn into_error(self, source: &str) -> Error {
        match self {
            Self::Syntax(error) => Error::syntax(source, error),
            Self::Error(error) => *error,
        }
    }
}

type Pass<T = ()> = Result<T, Stop>;

/// What import and export share while they walk a document: where they are, what they may not
/// exceed, what they have found odd.
#[derive(Debug)]
struct Walk<'p> {
    source: Source<'p>,
    limits: Limits,
    rows: usize,
    /// Levels of text in text around the current place.
    texts: usize,
    /// Picked rows around the current place.
    picks: usize,
    path: Vec<At<'p>>,
    warnings: Vec<Warning>,
    /// Why the document cannot be read, unless the key stands once more: where, and how many
    /// warnings there were before.
    faults: Vec<(String, usize, Error)>,
    /// How many more warnings there were.
    untold: usize,
}

/// One step of the path to the current place. Pointers are made of it only when one is shown.
#[derive(Debug, Clone)]
enum At<'p> {
    Key(&'p str),
    Index(usize),
    /// A key of the document that no map knows.
    Name(String),
}

impl<'p> Walk<'p> {
    /// How many warnings are kept one by one; nobody reads more, and a file can hold millions.
    const MOST_WARNINGS: usize = 1_000;

    /// The warnings, and how many more there were.
    fn into_warnings(self) -> Vec<Warning> {
        let mut warnings = self.warnings;
        if self.untold > 0 {
            let message = format!("and {} more that are odd", self.untold);
            warnings.push(Warning { at: String::new(), kind: WarningKind::Type, message });
        }
        warnings
    }

    fn new(source: Source<'p>, limits: Limits) -> Self {
        Self {
            source,
            limits,
            rows: 0,
            texts: 0,
            picks: 0,
            path: Vec::new(),
            warnings: Vec::new(),
            faults: Vec::new(),
            untold: 0,
        }
    }

    fn pointer(&self) -> Pointer {
        let mut pointer = Pointer::root();
        for step in &self.path {
            match step {
                // The value of a frame itself is no step further down.
                At::Key("") => {}
                At::Key(key) => pointer.push(key),
                At::Index(n) => pointer.push_index(*n),
                At::Name(key) => pointer.push(key),
            }
        }
        pointer
    }

    #[cold]
    fn warn(&mut self, kind: WarningKind, message: impl Into<String>) {
        let kind = match kind {
            WarningKind::Type if self.texts > 0 => WarningKind::Text,
            WarningKind::Type if self.picks > 0 => WarningKind::Row,
            kind => kind,
        };
        if self.warnings.len() >= Self::MOST_WARNINGS {
            self.untold += 1;
            return;
        }
        self.warnings.push(Warning { at: self.pointer().to_string(), kind, message: message.into() });
    }

    /// Takes back what was said of the values at and below the current place.
    /// What was said before `mark` is about other places.
    #[cold]
    fn forget_warnings(&mut self, mark: usize) {
        let at = self.pointer().to_string();
        let is_below =
            |other: &str| other.strip_prefix(&at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let later = self.warnings.split_off(mark.min(self.warnings.len()));
        self.warnings.extend(later.into_iter().filter(|warning| !is_below(&warning.at)));
        self.faults.retain(|(other, before, _)| *before < mark || !is_below(other));
    }

    /// Keeps why the document cannot be read.
    #[cold]
    fn fault(&mut self, error: impl FnOnce(String) -> Error) {
        let at = self.pointer().to_string();
        self.faults.push((at.clone(), self.warnings.len(), error(at)));
    }

    /// Does something one step further down.
    fn step<T>(&mut self, at: At<'p>, act: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(at);
        let done = act(self);
        self.path.pop();
        done
    }

    /// Counts one more row.
    fn row(&mut self) -> Pass {
        self.rows += 1;
        if self.rows > self.limits.rows {
            return Err(Error::TooManyRows { limit: self.limits.rows }.into());
        }
        Ok(())
    }

    /// There may be only so many texts inside texts.
    fn check_texts(&self) -> Pass {
        if self.texts > self.limits.texts {
            return Err(Error::TooManyTexts { limit: self.limits.texts }.into());
        }
        Ok(())
    }
}
