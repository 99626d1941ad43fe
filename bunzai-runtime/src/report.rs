//! The report of an export: computed by reading again what was written.

use std::cell::LazyCell;
use std::fmt;

use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};

use crate::engine::{Source, import_and_tell, sealed};
use crate::entity::{EntityRef, Original};
use crate::error::{Error, Result, Warning};
use crate::format::{Declared, Format, document_in, other};
use crate::limits::Limits;
use crate::model::{Difference, DifferenceKind, Made, differences};
use crate::printable::printable;

/// What a conversion did not carry, and what was odd.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// The format that was read: of an export by itself the one that is written, if the entity has
    /// an original of it.
    pub from: Option<String>,
    /// The format that was written.
    pub to: String,
    /// Nothing, or only a default, reads back.
    pub lost: Vec<Loss>,
    /// Another value reads back.
    pub coerced: Vec<Loss>,
    /// The model has nothing, and the value of the twin stayed.
    pub kept: Vec<Loss>,
    /// What rides in escrow: places of the document that no row maps, and how often each is met.
    pub sealed: Vec<(String, usize)>,
    /// What became of the linked pieces; of a bundle.
    pub linked: Vec<PieceReport>,
    /// What was odd.
    pub warnings: Vec<Warning>,
}

/// What became of a piece that is linked to the one that was written.
#[derive(Debug, Clone, PartialEq)]
pub struct PieceReport {
    /// Its id.
    pub id: String,
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// `embedded`: in the main document. `beside`: in a document of its own. `left`: not written.
    pub way: &'static str,
    /// The file of its own, where that is known.
    pub file: Option<String>,
    /// What of it was not carried.
    pub report: Report,
}

/// One value that does not read back as it was.
#[derive(Debug, Clone, PartialEq)]
pub struct Loss {
    /// JSON pointer into the entity: `/body/traits`.
    pub at: String,
    /// Why.
    pub reason: String,
    /// The value of the entity.
    pub value: Option<serde_json::Value>,
}

impl Report {
    /// Whether something would be lost or changed, of a linked piece too.
    pub fn is_lossless(&self) -> bool {
        let own = self.lost.is_empty() && self.coerced.is_empty() && self.kept.is_empty();
        own && self.linked.iter().all(|piece| piece.report.is_lossless())
    }

    /// `file` is the name of the file that the document is read back from.
    pub(crate) fn of(format: &Declared, entity: EntityRef<'_>, document: &str, file: &str) -> Result<Self> {
        let prepared = format.prepared()?;
        let text = &document[document_in(document)];
        let own = entity.original.get(format.id());
        let mut report = Self {
            from: own.map(|_| format.id().to_owned()),
            to: format.id().to_owned(),
            sealed: own.map(|original| sealed_of(format, original.raw())).unwrap_or_default(),
            ..Self::default()
        };
        let carrier = format.carrier(text).or_else(|error| match error {
            Error::Refused { .. } => {
                report.warnings.push(other(format!("what is written is not recognised as its own format: {error}")));
                Ok(0)
            }
            error => Err(error),
        })?;
        let quotients = prepared.plan.quotients.get(carrier).ok_or(Error::NotRecognised { nearest: None })?;
        let lens = format.lens(entity, &mut Vec::new());
        let given = lens.as_ref().map_or(entity.body, |body| &**body).as_node();
        let known = Source { file: Some(file) };
        let mut body = format.kind_of_body().blank();
        let frame = prepared.plan.carriers.get(carrier).ok_or(Error::NotRecognised { nearest: None })?;
        // A document that fails its own gate has been warned of; what it says still counts.
        let (_, made_again) = import_and_tell(format.id(), frame, text, body.as_node_mut(), known, Limits::NONE)?;
        let made = LazyCell::new(|| own.and_then(|original| made_in(format, original)).unwrap_or_default());
        let is_in = |made: &Made, makers: &[usize], value: &str| {
            makers.iter().any(|maker| made.contains(&(*maker, value.to_owned())))
        };
        let is_made = |makers: &[usize], given: &str, found: &str| {
            is_in(&made_again, makers, found) && is_in(&made, makers, given)
        };
        for difference in differences(given, body.as_node(), quotients, &is_made) {
            report.add(difference);
        }
        Ok(report)
    }

    /// Adds what does not read back from a document of the format `to`.
    pub(crate) fn add(&mut self, difference: Difference) {
        let reason = match (difference.kind, difference.mapped, &difference.found) {
            (DifferenceKind::Lost, false, _) => format!("{} has no place for it", self.to),
            (DifferenceKind::Lost, true, None) => "it cannot be written there".to_owned(),
            (DifferenceKind::Lost, true, Some(found)) => format!("it reads back as the default, {found}"),
            (DifferenceKind::Coerced, _, Some(found)) => format!("it reads back as {found}"),
            (DifferenceKind::Coerced, _, None) => "it reads back as another value".to_owned(),
            (DifferenceKind::Kept, _, _) => "the text of the original stays; set \"\" to clear it".to_owned(),
        };
        let loss = Loss { at: difference.at.to_string(), reason, value: difference.given };
        match difference.kind {
            DifferenceKind::Lost => self.lost.push(loss),
            DifferenceKind::Coerced => self.coerced.push(loss),
            DifferenceKind::Kept => self.kept.push(loss),
        }
    }
}

/// The identities and titles that the import of a twin made.
fn made_in(format: &Declared, original: &Original) -> Option<Made> {
    let carrier = format.carrier(original.raw()).ok()?;
    let frame = format.frame(carrier).ok()?;
    let mut body = format.kind_of_body().blank();
    let known = Source { file: original.file_name() };
    let told = import_and_tell(format.id(), frame, original.raw(), body.as_node_mut(), known, Limits::NONE);
    told.ok().map(|(_, made)| made)
}

/// What of a document rides in escrow: patterns of its places, and how often each is met.
pub(crate) fn sealed_of(format: &Declared, document: &str) -> Vec<(String, usize)> {
    let Ok(carrier) = format.carrier(document) else { return Vec::new() };
    let Ok(prepared) = format.prepared() else { return Vec::new() };
    prepared.plan.carriers.get(carrier).map(|frame| sealed(frame, document)).unwrap_or_default()
}

impl fmt::Display for Loss {
    /// `/body/traits: marinara-persona has no place for it`, on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", printable(&self.at), printable(&self.reason))
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("from", &self.from)?;
        map.serialize_entry("to", &self.to)?;
        map.serialize_entry("lost", &self.lost)?;
        map.serialize_entry("coerced", &self.coerced)?;
        map.serialize_entry("kept", &self.kept)?;
        map.serialize_entry("sealed", &Counts(&self.sealed))?;
        if !self.linked.is_empty() {
            map.serialize_entry("linked", &self.linked)?;
        }
        map.serialize_entry("warnings", &self.warnings)?;
        map.end()
    }
}

impl Serialize for PieceReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { id, kind, name, way, file, report } = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", id)?;
        map.serialize_entry("kind", kind)?;
        map.serialize_entry("name", name)?;
        map.serialize_entry("way", way)?;
        map.serialize_entry("out", file)?;
        map.serialize_entry("to", &Some(&report.to).filter(|to| !to.is_empty()))?;
        map.serialize_entry("lost", &report.lost)?;
        map.serialize_entry("coerced", &report.coerced)?;
        map.serialize_entry("kept", &report.kept)?;
        map.serialize_entry("warnings", &report.warnings)?;
        map.end()
    }
}

struct Counts<'a>(&'a [(String, usize)]);

impl Serialize for Counts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.0.len()))?;
        for (at, count) in self.0 {
            seq.serialize_element(&serde_json::json!({ "at": at, "count": count }))?;
        }
        seq.end()
    }
}

impl Serialize for Loss {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("at", &self.at)?;
        map.serialize_entry("reason", &self.reason)?;
        if let Some(value) = &self.value {
            map.serialize_entry("value", value)?;
        }
        map.end()
    }
}

impl Serialize for Warning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("at", &self.at)?;
        map.serialize_entry("message", &self.message)?;
        map.end()
    }
}
