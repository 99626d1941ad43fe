//! One conversion, of a document that is read to one that is to be written: no files, no printing.

use std::io::{self, Write};

use super::files::Limited;
use crate::{AnyEntity, Error, Exported, Format, Input, NATIVE, Registry, Report, View, Warning};

/// What documents are read as, and what they become.
pub(super) struct Conversion<'r> {
    formats: &'r Registry,
    from: Option<&'r dyn Format>,
    to: Option<&'r dyn Format>,
}

/// A document that was read.
pub(super) struct Item<'r> {
    conversion: &'r Conversion<'r>,
    source: &'r dyn Format,
    entity: AnyEntity,
    warnings: Vec<Warning>,
    /// The document itself, of a native file that may stay one.
    copy: Option<Input>,
}

/// A document that is to be written.
pub(super) struct Converted<'i> {
    item: &'i Item<'i>,
    target: &'i dyn Format,
    exported: Exported<'i>,
}

impl<'r> Conversion<'r> {
    /// Looks the names of the formats up, before anything is read.
    pub(super) fn new(formats: &'r Registry, from: Option<&str>, to: Option<&str>) -> Result<Self, Error> {
        let find = |id: Option<&str>| id.map(|id| formats.format(id)).transpose();
        Ok(Self { formats, from: find(from)?, to: find(to)? })
    }

    /// The format that documents were asked to become.
    pub(super) fn to(&self) -> Option<&str> {
        self.to.map(Format::id)
    }

    /// Reads a document.
    pub(super) fn read(&'r self, input: Input) -> Result<Item<'r>, Error> {
        let source = match self.from {
            Some(format) => format,
            None => self.formats.recognise(&input)?,
        };
        let stays = source.id() == NATIVE && self.to().is_none_or(|to| to == NATIVE);
        let copy = stays.then(|| input.clone());
        let imported = source.import(input)?;
        Ok(Item { conversion: self, source, entity: imported.entity, warnings: imported.warnings, copy })
    }
}

impl Item<'_> {
    /// The format it was read as.
    pub(super) fn source(&self) -> &dyn Format {
        self.source
    }

    /// The kind of what is in it.
    pub(super) fn kind(&self) -> &'static str {
        self.entity.kind()
    }

    /// The format it becomes: the one asked for; else of a native file the first it came from, and
    /// of any other the native one.
    pub(super) fn target(&self) -> Result<&dyn Format, Error> {
        if let Some(format) = self.conversion.to {
            return Ok(format);
        }
        let first = (self.source.id() == NATIVE).then(|| self.entity.original.keys().next()).flatten();
        self.conversion.formats.format(first.map_or(NATIVE, String::as_str))
    }

    /// Whether the switch of the whole set is off, for that format.
    pub(super) fn is_off(&self, target: &dyn Format) -> bool {
        const SWITCH: &str = "enabled";
        let profile = self.entity.profiles.get(target.id()).and_then(|profile| profile.get(SWITCH));
        if let Some(on) = profile.and_then(serde_json::Value::as_bool) {
            return !on;
        }
        let node = self.entity.body.as_node();
        let field = node.shape().find(SWITCH.as_bytes()).and_then(|n| node.field(n));
        field.is_some_and(|field| matches!(field.view(), View::Bool(false)))
    }

    /// Converts it.
    pub(super) fn convert(&self) -> Result<Converted<'_>, Error> {
        let target = self.target()?;
        let exported = target.export((&self.entity).into())?;
        Ok(Converted { item: self, target, exported })
    }
}

impl<'i> Converted<'i> {
    /// What it was read from.
    pub(super) fn item(&self) -> &'i Item<'i> {
        self.item
    }

    /// The format it is written in.
    pub(super) fn target(&self) -> &'i dyn Format {
        self.target
    }

    /// The export by itself.
    pub(super) fn exported(&self) -> &Exported<'i> {
        &self.exported
    }

    /// Chooses the name of its file.
    pub(super) fn file_name(self, name: String) -> Self {
        Self { exported: self.exported.file_name(name), ..self }
    }

    /// What of the source is lost or changed, and what was odd on the way.
    pub(super) fn report(&self) -> Result<Report, Error> {
        let Item { source, entity, warnings, .. } = self.item;
        let mut report = self.exported.report()?;
        report.from = Some(source.id().to_owned());
        report.to = self.target.id().to_owned();
        if let Some(original) = entity.original.get(source.id()) {
            report.sealed = source.declared().map(|format| format.sealed(original.source())).unwrap_or_default();
        }
        report.warnings.splice(0..0, warnings.iter().cloned());
        Ok(report)
    }

    /// Writes the document.
    pub(super) fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        let native = self.target.id() == NATIVE;
        let mut out = Limited::new(out, native);
        match &self.item.copy {
            // A native file to a native file is the file itself.
            Some(input) if native => out.write_all(input.text().unwrap_or_default().as_bytes()),
            _ => self.exported.write_to(&mut out),
        }
    }
}
