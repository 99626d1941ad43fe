//! A folder of files, converted into another folder: many at once, and told in their order.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

use super::files::{self, Failure, Pending, is_stream};
use super::item::{Conversion, Converted, Item, write_piece};
use super::names::{Named, Names};
use super::summary::{self, Outcome, Record, Status, Totals};
use super::tree::{self, Found, State};
use super::turns::Turns;
use super::{Done, Ended, output};
use crate::{Error, NATIVE, Warning, WarningKind, printable};

/// A stack as deep as that of the main thread: documents may be nested as deeply in here.
const STACK: usize = 8 << 20;

/// What a folder is converted with.
pub(super) struct Bulk<'c> {
    pub(super) conversion: &'c Conversion<'c>,
    pub(super) input: &'c Path,
    pub(super) output: &'c Path,
    pub(super) report: Option<&'c Path>,
    pub(super) strict: bool,
    pub(super) force: bool,
}

/// Where the folders and the report are, whatever links lead there.
struct Roots {
    input: PathBuf,
    output: PathBuf,
    report: Option<PathBuf>,
}

impl Roots {
    /// Whether a path is in what is read. Either folder may hold the other.
    fn is_read(&self, path: &Path) -> bool {
        let is_written = self.output.starts_with(&self.input) && path.starts_with(&self.output);
        path.starts_with(&self.input) && !is_written
    }
}

/// An item on its way, or what became of it instead.
type Step<T> = Result<T, Box<Outcome>>;

/// What the threads share, in the order of the items.
struct Shared {
    /// Names are given in that order, so that every run gives the same ones.
    names: Turns<Names>,
    records: Turns<Vec<Record>>,
    bar: ProgressBar,
}

impl Bulk<'_> {
    pub(super) fn run(&self) -> Result<Done, Failure> {
        let roots = self.roots()?;
        let tree = tree::walk(&roots.input, &roots.output);
        // Where other items have their folders, and the report its place, no item is written.
        let folders = tree.items.iter().flat_map(|found| found.path.ancestors().skip(1));
        let report = roots.report.as_deref().and_then(|report| report.strip_prefix(&roots.output).ok());
        let names = Names::new(folders.chain(report)).reserve(tree.items.iter().map(|found| found.path.as_path()));
        let records = Vec::with_capacity(tree.items.len());
        let bar = progress(tree.items.len());
        let shared = Shared { names: Turns::new(names), records: Turns::new(records), bar };
        let next = AtomicUsize::new(0);
        // Each thread has one file in memory. Items are begun in their order, so whoever waits for
        // its turn waits for a thread that is at work.
        rayon::ThreadPoolBuilder::new().stack_size(STACK).build()?.broadcast(|_| {
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                let Some(found) = tree.items.get(n) else { break };
                self.item(&roots, n, found, &shared);
            }
        });
        shared.bar.finish_and_clear();
        if roots.output.starts_with(&roots.input) {
            output::note(&format!("what is in {} was not read", self.output.display()));
        }
        if tree.hidden > 0 {
            output::note(&format!("hidden files and folders that were not looked at: {}", tree.hidden));
        }
        self.end(&shared.records.into_inner())
    }

    /// Makes the folder that is written, and refuses what would not end well.
    fn roots(&self) -> Result<Roots, Failure> {
        let real = |path: &Path| path.canonicalize().map_err(|error| Failure::from(error).in_file(path));
        let input = real(self.input)?;
        std::fs::create_dir_all(self.output).map_err(|error| Failure::from(error).in_file(self.output))?;
        let output = real(self.output)?;
        if input == output {
            return Err(Failure::new("the folder that is read cannot be the one that is written").in_file(self.output));
        }
        let report = self.report.filter(|report| !is_stream(report)).map(files::whole);
        let roots = Roots { input, output, report };
        if let (Some(given), Some(report)) = (self.report, &roots.report) {
            if roots.is_read(report) {
                return Err(
                    Failure::new("a report in the folder that is read would be one of its files").in_file(given)
                );
            }
            if report.is_dir() || !report.parent().is_some_and(Path::is_dir) {
                return Err(Failure::new("no report can be written there").in_file(given));
            }
        }
        Ok(roots)
    }

    /// Converts an item, and tells what became of it.
    fn item(&self, roots: &Roots, n: usize, found: &Found, shared: &Shared) {
        // Not even a fault of this program in one file stops the others.
        let outcome = catch_unwind(AssertUnwindSafe(|| self.outcome(roots, n, found, &shared.names)));
        let outcome = outcome.unwrap_or_else(|_| {
            shared.names.pass(n);
            Outcome::nothing(Status::Failed, "a fault of bunzai; please report it")
        });
        let mut record = Record::new(self.input.join(&found.path), outcome);
        shared.records.take(n, |records| {
            if record.has_news() {
                shared.bar.suspend(|| record.tell());
            }
            if self.report.is_none() {
                record.shorten();
            }
            records.push(record);
            shared.bar.inc(1);
        });
    }

    fn outcome(&self, roots: &Roots, n: usize, found: &Found, names: &Turns<Names>) -> Outcome {
        let read = self.read(found);
        let file = self.input.join(&found.path);
        let converted = read.as_ref().map_err(Clone::clone).and_then(|item| convert(item, &file));
        let name = |names: &mut Names, converted| {
            let (named, converted): (Named, Converted<'_>) = names.name(&found.path, converted);
            let folder = found.path.parent().unwrap_or(Path::new(""));
            (named, converted.files(|suggested| names.beside(folder, suggested).path))
        };
        let named = names.take(n, |names| converted.map(|converted| name(names, converted)));
        named.map_or_else(|outcome| *outcome, |(named, converted)| self.finish(roots, &named, &converted))
    }

    fn read(&self, found: &Found) -> Step<Item<'_>> {
        let to = self.conversion.to().map(str::to_owned);
        let nothing = |status, because: &str| Box::new(Outcome { to: to.clone(), ..Outcome::nothing(status, because) });
        match &found.state {
            State::File => {}
            State::Passed(why) => return Err(nothing(Status::Skipped, why)),
            State::Unreadable(why) => return Err(nothing(Status::Failed, why)),
        }
        let failed = |failure: Failure| nothing(Status::Failed, failure.message());
        let file = self.input.join(&found.path);
        let input = files::read(&file).map_err(failed)?;
        self.conversion.read(input, Some(&file), false).map_err(|error| failed(error.into()))
    }

    /// Writes an item, if nothing speaks against it.
    fn finish(&self, roots: &Roots, Named { path, numbered }: &Named, converted: &Converted<'_>) -> Outcome {
        let of_item = |outcome| about(converted.item(), outcome);
        let mut report = match converted.report() {
            Ok(report) => report,
            Err(error) => return of_item(failed(error)),
        };
        if self.strict && !report.is_lossless() {
            let because = "something would be lost (--strict)";
            return of_item(Outcome { report, ..Outcome::nothing(Status::Lossy, because) });
        }
        let output = self.output.join(path);
        if let Err((file, failure)) = self.write_all(roots, path, converted) {
            let because = format!("{}: {}", printable(&self.output.join(file).to_string_lossy()), failure.message());
            return of_item(Outcome { report, ..Outcome::nothing(Status::Failed, because) });
        }
        for piece in &mut report.linked {
            piece.file = piece.file.take().map(|file| self.output.join(file).to_string_lossy().into_owned());
        }
        if *numbered {
            let message = "another file has its name already, so it got a number".to_owned();
            report.warnings.push(Warning { at: String::new(), kind: WarningKind::Other, message });
        }
        of_item(Outcome::written(output, report))
    }

    /// Writes the document of an item and those beside it, before one of them is put in its place.
    fn write_all<'p>(
        &self,
        roots: &Roots,
        path: &'p Path,
        converted: &'p Converted<'_>,
    ) -> Result<(), (&'p Path, Failure)> {
        let main = self.write(roots, path, |out: &mut dyn Write| converted.write_to(out));
        let mut pending = vec![(path, main.map_err(|failure| (path, failure))?)];
        for (_, document, file) in converted.pieces() {
            let piece = self.write(roots, file, |out: &mut dyn Write| write_piece(document, out));
            pending.push((file, piece.map_err(|failure| (file, failure))?));
        }
        pending.into_iter().try_for_each(|(file, pending)| pending.keep().map_err(|failure| (file, failure)))
    }

    fn write(
        &self,
        roots: &Roots,
        path: &Path,
        content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    ) -> Result<Pending, Failure> {
        let place = roots.output.join(path);
        let folder = place.parent().unwrap_or(&roots.output);
        std::fs::create_dir_all(folder)?;
        let folder = folder.canonicalize()?;
        if !folder.starts_with(&roots.output) || place.is_symlink() {
            return Err(Failure::new("a link stands there, and it is not followed"));
        }
        if roots.is_read(&folder) {
            return Err(Failure::new("it would stand in the folder that is read"));
        }
        Pending::write(&place, self.force, content)
    }

    /// Says how it went, to people and to machines.
    fn end(&self, records: &[Record]) -> Result<Done, Failure> {
        let report = match self.report {
            Some(place) => files::write_json(place, self.force, &summary::report(records)?)?,
            None => None,
        };
        report.map_or(Ok(()), Pending::keep)?;
        summary::table(records, self.strict);
        let totals = Totals::of(records);
        if totals.lossy() > 0 {
            output::error(&format!("{} would lose something and are not written (--strict)", totals.lossy()));
            return Ok(Err(Ended::Lossy));
        }
        Ok(if totals.failed() > 0 { Err(Ended::Failed) } else { Ok(()) })
    }
}

fn convert<'i>(item: &'i Item<'_>, file: &Path) -> Step<Converted<'i>> {
    let of_item = |outcome| Box::new(about(item, outcome));
    let target = item.target().map_err(|error| of_item(failed(error)))?;
    if let Some(whole) = item.taken_by(file) {
        let name = whole.file_name().unwrap_or_default().to_string_lossy();
        let because = format!("it is linked to {}, and goes with it", printable(&name));
        return Err(of_item(Outcome::nothing(Status::Skipped, because)));
    }
    // A native file of what is off is a copy of it, and no export.
    if target.id() != NATIVE && item.is_off(target) {
        return Err(of_item(Outcome::nothing(Status::Skipped, "it is switched off (`enabled` is false)")));
    }
    item.convert().map_err(|error| of_item(failed(error)))
}

fn failed(error: Error) -> Outcome {
    Outcome::nothing(Status::Failed, error.to_string())
}

/// An outcome with what is known of the item.
fn about(item: &Item<'_>, outcome: Outcome) -> Outcome {
    let to = item.target().ok().map(|target| target.id().to_owned());
    Outcome { kind: Some(item.kind()), from: Some(item.source().id().to_owned()), to, ..outcome }
}

/// A bar on standard error; nothing where that is no terminal.
fn progress(items: usize) -> ProgressBar {
    let bar = ProgressBar::new(items as u64);
    match ProgressStyle::with_template("{bar:40} {pos} of {len} files, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
