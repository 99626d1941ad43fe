//! One conversion, of a document that is read to one that is to be written: no printing, and no files
//! but the linked pieces that lie beside a native one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::beside::Neighbours;
use super::files::Limited;
use crate::{AnyEntity, Bundle, Error, Exported, ExportedBundle, Format, Input, NATIVE, Registry, Report, Way};
use crate::{Warning, WarningKind};

/// What documents are read as, and what they become.
pub(super) struct Conversion<'r> {
    formats: &'r Registry,
    from: Option<&'r dyn Format>,
    to: Option<&'r dyn Format>,
    neighbours: Neighbours,
}

/// A document that was read, with the pieces that are linked to it.
pub(super) struct Item<'r> {
    conversion: &'r Conversion<'r>,
    source: &'r dyn Format,
    bundle: Bundle,
    /// The files beside that pieces were read from.
    beside: Vec<PathBuf>,
    /// The document itself, of a native file that may stay one.
    copy: Option<Input>,
}

/// A document that is to be written, and the pieces that are to stand beside it.
pub(super) struct Converted<'i> {
    item: &'i Item<'i>,
    target: &'i dyn Format,
    exported: ExportedBundle<'i>,
    /// The files of the pieces that stand beside, in their order.
    files: Vec<PathBuf>,
}

impl<'r> Conversion<'r> {
    /// Looks the names of the formats up, before anything is read.
    pub(super) fn new(formats: &'r Registry, from: Option<&str>, to: Option<&str>) -> Result<Self, Error> {
        let find = |id: Option<&str>| id.map(|id| formats.format(id)).transpose();
        Ok(Self { formats, from: find(from)?, to: find(to)?, neighbours: Neighbours::default() })
    }

    /// The format that documents were asked to become.
    pub(super) fn to(&self) -> Option<&str> {
        self.to.map(Format::id)
    }

    /// Reads a document. `file` is where it stands, if it is a file; `alone` says that what is written
    /// can have nothing beside it.
    pub(super) fn read(&'r self, input: Input, file: Option<&Path>, alone: bool) -> Result<Item<'r>, Error> {
        let source = match self.from {
            Some(format) => format,
            None => self.formats.recognise(&input)?,
        };
        let becomes_native = self.to().is_none_or(|to| to == NATIVE);
        let stays = source.id() == NATIVE && becomes_native;
        let copy = stays.then(|| input.clone());
        let bundle = if alone && becomes_native {
            // A native file that has nothing beside it holds all of it in its original.
            let imported = source.import(input)?;
            Bundle { main: imported.entity, linked: Vec::new(), warnings: imported.warnings }
        } else {
            self.formats.import_bundle(source, input)?
        };
        let mut item = Item { conversion: self, source, bundle, beside: Vec::new(), copy };
        let foreign = item.target().is_ok_and(|target| target.id() != NATIVE);
        if let Some(file) = file.filter(|_| source.id() == NATIVE && foreign) {
            let (pieces, odd) = self.neighbours.pieces(self.formats, file, &item.bundle.main);
            for (path, piece) in pieces {
                item.beside.push(path);
                item.bundle.linked.push(piece);
            }
            item.bundle.warnings.extend(odd.into_iter().map(odd_of_all));
        }
        Ok(item)
    }
}

fn odd_of_all(message: String) -> Warning {
    Warning { at: String::new(), kind: WarningKind::Other, message }
}

impl Item<'_> {
    /// The format it was read as.
    pub(super) fn source(&self) -> &dyn Format {
        self.source
    }

    /// The files that pieces were read from.
    pub(super) fn beside(&self) -> &[PathBuf] {
        &self.beside
    }

    /// The kind of what is in it.
    pub(super) fn kind(&self) -> &'static str {
        self.bundle.main.kind()
    }

    /// The format it becomes: the one asked for; else of a native file the first it came from, and
    /// of any other the native one.
    pub(super) fn target(&self) -> Result<&dyn Format, Error> {
        if let Some(format) = self.conversion.to {
            return Ok(format);
        }
        let first = (self.source.id() == NATIVE).then(|| self.bundle.main.original.keys().next()).flatten();
        self.conversion.formats.format(first.map_or(NATIVE, String::as_str))
    }

    /// Whether the switch of the whole set is off, for that format.
    pub(super) fn is_off(&self, target: &dyn Format) -> bool {
        self.bundle.main.is_off(target.id())
    }

    /// The file beside it that takes it along, where all files of a folder are converted.
    pub(super) fn taken_by(&self, file: &Path) -> Option<PathBuf> {
        let Conversion { formats, neighbours, .. } = self.conversion;
        let is_native = self.source.id() == NATIVE;
        is_native.then(|| neighbours.taken_by(formats, file, self.conversion.to())).flatten()
    }

    /// Converts it.
    pub(super) fn convert(&self) -> Result<Converted<'_>, Error> {
        let target = self.target()?;
        let exported = self.conversion.formats.export_bundle(&self.bundle, target)?;
        Ok(Converted { item: self, target, exported, files: Vec::new() })
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

    /// The export of the document by itself.
    pub(super) fn exported(&self) -> &Exported<'i> {
        &self.exported.main
    }

    /// Chooses the name of its file.
    pub(super) fn file_name(mut self, name: String) -> Self {
        self.exported.main = self.exported.main.file_name(name);
        self
    }

    /// Takes the name of the file that was chosen for it, where its own was edited and is another.
    pub(super) fn named_by(self, path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let original = self.item.bundle.main.original.get(self.target.id());
        let own = original.and_then(crate::Original::file_name);
        let is_edited = own.is_some_and(|own| !self.exported().reads_back_from(own));
        if is_edited && !self.exported().reads_back_from(&name) { self.file_name(name) } else { self }
    }

    /// Chooses the files of the pieces that stand beside it, by the names that they suggest.
    pub(super) fn files(self, mut choose: impl FnMut(&str) -> PathBuf) -> Self {
        let Self { mut exported, mut files, .. } = self;
        let choose = |piece: crate::ExportedPiece<'i>| match piece.way {
            Way::Beside(document) => {
                let file = choose(document.name());
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                // A suggested name is no choice, and is told in the report as it is.
                let document = if name == document.name() { document } else { document.file_name(name) };
                files.push(file);
                crate::ExportedPiece { way: Way::Beside(document), ..piece }
            }
            _ => piece,
        };
        exported.linked = exported.linked.into_iter().map(choose).collect();
        Self { exported, files, ..self }
    }

    /// Leaves out the pieces that would stand beside it.
    pub(super) fn alone(mut self) -> Self {
        for piece in &mut self.exported.linked {
            if matches!(piece.way, Way::Beside(_)) {
                piece.way = Way::Left("there is no folder to write it beside the document".to_owned());
            }
        }
        self
    }

    /// The pieces that stand beside it, and their files.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (&AnyEntity, &Exported<'i>, &Path)> {
        let beside = self.exported.linked.iter().filter_map(|piece| match &piece.way {
            Way::Beside(document) => Some((piece.entity, document)),
            _ => None,
        });
        beside.zip(&self.files).map(|((piece, document), file)| (piece, document, file.as_path()))
    }

    /// What of the source is lost or changed, and what was odd on the way.
    pub(super) fn report(&self) -> Result<Report, Error> {
        let Item { source, bundle, .. } = self.item;
        let mut report = self.exported.report()?;
        report.from = Some(source.id().to_owned());
        report.to = self.target.id().to_owned();
        if let Some(original) = bundle.main.original.get(source.id()) {
            report.sealed = source.declared().map(|format| format.sealed(original.source())).unwrap_or_default();
        }
        report.warnings.splice(0..0, bundle.warnings.iter().cloned());
        let mut files = self.files.iter();
        for piece in report.linked.iter_mut().filter(|piece| piece.way == "beside") {
            piece.file = files.next().map(|file| file.to_string_lossy().into_owned());
        }
        Ok(report)
    }

    /// Writes the document.
    pub(super) fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        let native = self.target.id() == NATIVE;
        match &self.item.copy {
            // A native file to a native file is the file itself.
            Some(input) if native => Limited::new(out, native).write_all(input.text().unwrap_or_default().as_bytes()),
            _ => write_to(&self.exported.main, native, out),
        }
    }
}

/// Writes the document of a piece.
pub(super) fn write_piece(piece: &Exported<'_>, out: &mut dyn Write) -> io::Result<()> {
    write_to(piece, piece.name().ends_with(".bunzai.json"), out)
}

fn write_to(document: &Exported<'_>, native: bool, out: &mut dyn Write) -> io::Result<()> {
    document.write_to(&mut Limited::new(out, native))
}
