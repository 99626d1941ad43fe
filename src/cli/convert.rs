use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use indexmap::IndexMap;

use super::bulk::Bulk;
use super::files::{self, Failure, Pending, is_stream};
use super::item::{Conversion, Converted, write_piece};
use super::names::Names;
use super::{Done, Ended, output};
use crate::{Loss, NATIVE, Registry, Report, printable};

/// How many remarks of one sort are told.
const MOST: usize = 20;

#[derive(Debug, Args)]
pub(super) struct Convert {
    /// The file to read, or a folder of files; `-` is standard input.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write, or a folder; `-` or nothing is standard output.
    #[arg(value_name = "OUT")]
    output: Option<PathBuf>,
    /// Reads the file as this format, and no other.
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
    /// Writes this format. Without it: of a native file the first format it came from, else `bunzai`.
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// Writes a report of what was lost or changed, as JSON; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Writes nothing when something would be lost or changed (status 3).
    #[arg(long)]
    strict: bool,
    /// Replaces files that exist.
    #[arg(long)]
    force: bool,
}

impl Convert {
    pub(super) fn run(self, formats: &Registry) -> Done {
        let convert = || -> Result<Done, Failure> {
            // Names are looked up first: a slip there should not cost the reading of a large file.
            let conversion = Conversion::new(formats, self.from.as_deref(), self.to.as_deref())?;
            if let Some(report) = self.report.as_deref().filter(|report| !is_stream(report)) {
                files::check_place(report, self.force).map_err(|failure| failure.in_file(report))?;
            }
            if self.input.is_dir() { self.folder(&conversion) } else { self.file(&conversion) }
        };
        convert().unwrap_or_else(|failure| Err(failure.tell(false)))
    }

    fn folder(&self, conversion: &Conversion<'_>) -> Result<Done, Failure> {
        let Some(output) = self.output.as_deref().filter(|path| !is_stream(path)) else {
            let failure = Failure::new("a folder is converted into a folder; name it after this one");
            return Err(failure.in_file(&self.input));
        };
        let Self { strict, force, .. } = *self;
        Bulk { conversion, input: &self.input, output, report: self.report.as_deref(), strict, force }.run()
    }

    fn file(&self, conversion: &Conversion<'_>) -> Result<Done, Failure> {
        let in_input = |error: crate::Error| Failure::from(error).in_file(&self.input);
        if self.report.as_deref().is_some_and(is_stream) && self.output.as_deref().is_none_or(is_stream) {
            return Err(Failure::new("the document and the report cannot both go to standard output"));
        }
        let file = Some(self.input.as_path()).filter(|path| !is_stream(path));
        let alone = self.output.as_deref().is_none_or(is_stream);
        let item = conversion.read(files::read(&self.input)?, file, alone).map_err(in_input)?;
        let mut converted = item.convert().map_err(in_input)?;
        let path = self.path(converted.exported().name());
        for place in path.as_deref().into_iter().chain(self.report.as_deref()) {
            if item.beside().iter().any(|piece| files::is_same(piece, place)) {
                let message = "a linked piece was read from there; nothing else is written over it";
                return Err(Failure::new(message).in_file(place));
            }
        }
        converted = match &path {
            Some(path) => self.beside(path, converted.named_by(path)),
            None => converted.alone(),
        };
        let report = converted.report()?;

        let refused = self.strict && !report.is_lossless();
        let content = |out: &mut dyn Write| converted.write_to(out);
        // All files are written before one of them is put in its place.
        let document = match &path {
            Some(path) if !refused => Some(Pending::write(path, self.force, content)?),
            _ => None,
        };
        let mut pieces = Vec::new();
        for (piece, document, file) in converted.pieces().filter(|_| !refused) {
            let pending = Pending::write(file, self.force, |out: &mut dyn Write| write_piece(document, out))?;
            pieces.push((pending, format!("wrote {} (linked {})", file.display(), piece.kind())));
        }
        let written_report = match &self.report {
            Some(place) => {
                let beside = converted.pieces().map(|(_, _, file)| file);
                let written: Vec<&Path> = path.as_deref().into_iter().chain(beside).collect();
                self.write_report(place, &written, &report)?
            }
            None => None,
        };
        if let Some(document) = document {
            document.keep()?;
            // Where a name was chosen for it, it is told.
            if let Some(path) = path.as_deref().filter(|path| self.output.as_deref() != Some(path)) {
                output::note(&format!("wrote {}", path.display()));
            }
            for (piece, told) in pieces {
                piece.keep()?;
                output::note(&told);
            }
        } else if !refused {
            files::write_stdout(content)?;
        }
        written_report.map_or(Ok(()), Pending::keep)?;
        tell(&report);
        if refused {
            output::error("something would be lost, so nothing is written (--strict)");
            return Ok(Err(Ended::Lossy));
        }
        Ok(Ok(()))
    }

    /// Writes the report: to standard output, or to a file that is still to be put in its place.
    fn write_report(&self, place: &Path, written: &[&Path], report: &Report) -> Result<Option<Pending>, Failure> {
        if files::is_same(place, &self.input) || written.iter().any(|file| files::is_same(place, file)) {
            return Err(Failure::new("the report cannot be written over the file it is about").in_file(place));
        }
        files::write_json(place, self.force, &serde_json::to_value(report)?)
    }

    /// Gives the linked pieces files beside that of the document, none of which is another's.
    fn beside<'i>(&self, path: &Path, converted: Converted<'i>) -> Converted<'i> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let taken = [path, &self.input].map(files::whole);
        let names = taken.iter().filter(|taken| taken.parent() == files::whole(path).parent());
        let mut names = Names::new(names.filter_map(|taken| taken.file_name()).map(Path::new));
        converted.files(|suggested| folder.join(names.beside(Path::new(""), suggested).path))
    }

    /// Where the document goes; nothing for standard output.
    fn path(&self, name: &str) -> Option<PathBuf> {
        let path = self.output.as_deref().filter(|path| !is_stream(path))?;
        Some(if path.is_dir() { path.join(Path::new(name)) } else { path.to_owned() })
    }
}

/// Says beside the result what was lost.
fn tell(report: &Report) {
    tell_sealed(report);
    tell_of(report, "");
    for piece in &report.linked {
        tell_of(&piece.report, &piece.id);
    }
}

/// Says what only the application of the source knows, where another one's file was made.
fn tell_sealed(report: &Report) {
    const FEW: usize = 4;
    let is_foreign = |from: &&String| **from != report.to && [from.as_str(), &report.to].iter().all(|id| *id != NATIVE);
    let Some(from) = report.from.as_ref().filter(is_foreign) else { return };
    let place = |(at, count): &(String, usize)| match count {
        1 => printable(at).into_owned(),
        count => format!("{} ({count})", printable(at)),
    };
    let few: Vec<String> = report.sealed.iter().take(FEW).map(place).collect();
    let more = match report.sealed.len().saturating_sub(FEW) {
        0 => String::new(),
        more => format!(", and {more} more; --report lists them all"),
    };
    if !few.is_empty() {
        output::note(&format!("sealed, for only {from} knows them: {}{more}", few.join(", ")));
    }
}

/// Losses, line by line; those that several rows share, for one reason, are one.
fn lines_of(losses: &[Loss]) -> Vec<String> {
    const FEW: usize = 3;
    let pattern = |loss: &Loss| {
        let is_index = |key: &str| !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit());
        loss.at.split('/').map(|key| if is_index(key) { "*" } else { key }).collect::<Vec<_>>().join("/")
    };
    let mut alike: IndexMap<(String, &str), Vec<&Loss>> = IndexMap::new();
    for loss in losses {
        alike.entry((pattern(loss), loss.reason.as_str())).or_default().push(loss);
    }
    let lines = alike.into_iter().flat_map(|((at, reason), losses)| match losses.len() {
        count if count > FEW => vec![format!("{} ({count}): {}", printable(&at), printable(reason))],
        _ => losses.iter().map(ToString::to_string).collect(),
    });
    lines.collect()
}

/// Says what was lost of the document, or of the piece of an id.
fn tell_of(report: &Report, piece: &str) {
    let is_main = piece.is_empty();
    let (before, of) = if is_main { Default::default() } else { (format!("{piece}: "), format!(" of {piece}")) };
    let more = |count: usize| format!("and {} more; --report lists them all", count - MOST);
    for warning in report.warnings.iter().take(MOST) {
        output::warning(&format!("{before}{warning}"));
    }
    if report.warnings.len() > MOST {
        output::warning(&format!("{before}{}", more(report.warnings.len())));
    }
    for (what, losses) in [("lost", &report.lost), ("changed", &report.coerced), ("kept", &report.kept)] {
        let end = if is_main { "" } else { ":" };
        let lines = lines_of(losses);
        for line in lines.iter().take(MOST) {
            output::note(&format!("{what}{of}{end} {line}"));
        }
        if lines.len() > MOST {
            output::note(&format!("{what}{of}: {}", more(lines.len())));
        }
    }
}
