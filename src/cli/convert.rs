use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::files::{self, Failure, Pending, is_stream};
use super::{Done, Ended, output};
use crate::{Format, NATIVE, Registry, Report};

#[derive(Debug, Args)]
pub(super) struct Convert {
    /// The file to read; `-` is standard input.
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
        match self.convert(formats) {
            Ok(done) => done,
            Err(failure) => Err(failure.tell(false)),
        }
    }

    fn convert(&self, formats: &Registry) -> Result<Done, Failure> {
        let in_input = |failure: Failure| failure.in_file(&self.input);
        if self.report.as_deref().is_some_and(is_stream) && self.output.as_deref().is_none_or(is_stream) {
            return Err(Failure::new("the document and the report cannot both go to standard output"));
        }
        // Names are looked up first: a slip there should not cost the reading of a large file.
        let from = self.from.as_deref().map(|id| formats.format(id)).transpose()?;
        let to = self.to.as_deref().map(|id| formats.format(id)).transpose()?;
        let input = files::read(&self.input)?;
        let source = match from {
            Some(format) => format,
            None => formats.recognise(&input).map_err(|error| in_input(error.into()))?,
        };
        let copy = (source.id() == NATIVE).then(|| input.clone());
        let imported = source.import(input).map_err(|error| in_input(error.into()))?;
        let target = match to {
            Some(format) => format,
            None => default_target(formats, source, &imported.entity)?,
        };
        let exported = target.export((&imported.entity).into()).map_err(|error| in_input(error.into()))?;
        let mut report = exported.report()?;
        report.from = Some(source.id().to_owned());
        report.to = target.id().to_owned();
        if let Some(original) = imported.entity.original.get(source.id()) {
            report.sealed = source.declared().map(|format| format.sealed(original.source())).unwrap_or_default();
        }
        report.warnings.splice(0..0, imported.warnings.iter().cloned());

        let path = self.path(exported.name());
        let refused = self.strict && !report.is_lossless();
        // A native file to a native file is the file itself.
        let bytes = copy.filter(|_| target.id() == NATIVE);
        let content = |out: &mut dyn Write| {
            let mut out = files::Limited::new(out, target.id() == NATIVE);
            match &bytes {
                Some(input) => out.write_all(input.text().unwrap_or_default().as_bytes()),
                None => exported.write_to(&mut out),
            }
        };
        // Both files are written before one of them is put in its place.
        let document = match &path {
            Some(path) if !refused => Some(Pending::write(path, self.force, content)?),
            _ => None,
        };
        let written_report = match &self.report {
            Some(place) => self.write_report(place, path.as_deref(), &report)?,
            None => None,
        };
        if let Some(document) = document {
            document.keep()?;
            // Where a name was chosen for it, it is told.
            if let Some(path) = path.as_deref().filter(|path| self.output.as_deref() != Some(path)) {
                output::note(&format!("wrote {}", path.display()));
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
    fn write_report(&self, place: &Path, document: Option<&Path>, report: &Report) -> Result<Option<Pending>, Failure> {
        if files::is_same(place, &self.input) || document.is_some_and(|document| files::is_same(place, document)) {
            return Err(Failure::new("the report cannot be written over the file it is about").in_file(place));
        }
        let mut text = serde_json::to_string_pretty(report)?;
        text.push('\n');
        let content = |out: &mut dyn Write| out.write_all(text.as_bytes());
        if is_stream(place) {
            return files::write_stdout(content).map(|()| None);
        }
        Pending::write(place, true, content).map(Some)
    }

    /// Where the document goes; nothing for standard output.
    fn path(&self, name: &str) -> Option<PathBuf> {
        let path = self.output.as_deref().filter(|path| !is_stream(path))?;
        Some(if path.is_dir() { path.join(Path::new(name)) } else { path.to_owned() })
    }
}

fn default_target<'r>(
    formats: &'r Registry,
    source: &dyn Format,
    entity: &crate::AnyEntity,
) -> Result<&'r dyn Format, Failure> {
    let first = (source.id() == NATIVE).then(|| entity.original.keys().next()).flatten();
    Ok(formats.format(first.map_or(NATIVE, String::as_str))?)
}

/// Says beside the result what was lost.
fn tell(report: &Report) {
    for warning in report.warnings.iter().take(20) {
        output::warning(&warning.to_string());
    }
    if report.warnings.len() > 20 {
        output::warning(&format!("and {} more; --report lists them all", report.warnings.len() - 20));
    }
    for (what, losses) in [("lost", &report.lost), ("changed", &report.coerced), ("kept", &report.kept)] {
        for loss in losses.iter().take(20) {
            output::note(&format!("{what} {loss}"));
        }
        if losses.len() > 20 {
            output::note(&format!("{what}: and {} more; --report lists them all", losses.len() - 20));
        }
    }
}
