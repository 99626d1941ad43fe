//! What a bulk conversion did: one record an item, told on the way, as a table, and as JSON.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::files::Failure;
use super::output;
use crate::{Report, printable};

/// What became of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    /// It was written.
    Converted,
    /// Something would be lost, and `--strict` asks for nothing to be lost.
    Lossy,
    /// It could not be read, converted or written.
    Failed,
    /// There was nothing to be converted, or its switch is off.
    Skipped,
}

/// What became of an item, and why.
#[derive(Clone)]
pub(super) struct Outcome {
    pub(super) status: Status,
    pub(super) kind: Option<&'static str>,
    /// The format it was read as.
    pub(super) from: Option<String>,
    /// The format it was to become.
    pub(super) to: Option<String>,
    /// The file that was written.
    pub(super) output: Option<PathBuf>,
    /// Why nothing was written.
    pub(super) because: Option<String>,
    pub(super) report: Report,
}

/// An item, and what became of it.
pub(super) struct Record {
    input: PathBuf,
    outcome: Outcome,
    /// Whether it was written and is not whole.
    with_losses: bool,
    /// How many files of linked pieces were written beside it.
    beside: usize,
}

/// How many items came out in which way.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Totals {
    items: usize,
    converted: usize,
    /// Of those that were converted.
    with_losses: usize,
    lossy: usize,
    failed: usize,
    skipped: usize,
    /// Files of linked pieces, beside those that were converted.
    beside: usize,
}

impl Status {
    fn word(self) -> &'static str {
        match self {
            Self::Converted => "converted",
            Self::Lossy => "lossy",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }
}

impl Outcome {
    /// The document was written to a file.
    pub(super) fn written(output: PathBuf, report: Report) -> Self {
        let status = Status::Converted;
        Self { status, kind: None, from: None, to: None, output: Some(output), because: None, report }
    }

    /// Nothing was written, for a reason.
    pub(super) fn nothing(status: Status, because: impl Into<String>) -> Self {
        let because = Some(because.into());
        Self { status, kind: None, from: None, to: None, output: None, because, report: Report::default() }
    }
}

impl Record {
    pub(super) fn new(input: PathBuf, outcome: Outcome) -> Self {
        let with_losses = outcome.status == Status::Converted && !outcome.report.is_lossless();
        let is_written = outcome.status == Status::Converted;
        let files = outcome.report.linked.iter().filter(|piece| piece.file.is_some());
        let beside = if is_written { files.count() } else { 0 };
        Self { input, outcome, with_losses, beside }
    }

    /// Drops what only a report needs; of a large folder that is a lot.
    pub(super) fn shorten(&mut self) {
        self.outcome.report = Report::default();
    }

    /// Whether there is more to say than that it was written.
    pub(super) fn has_news(&self) -> bool {
        let Outcome { status, report, .. } = &self.outcome;
        *status != Status::Converted || self.with_losses || warnings(report).next().is_some()
    }

    /// Says what people want to know at once; the report has the rest.
    pub(super) fn tell(&self) {
        let Outcome { status, because, report, .. } = &self.outcome;
        let name = printable(&self.input.to_string_lossy()).into_owned();
        let because = because.as_deref().unwrap_or_default();
        match status {
            Status::Failed => {
                Failure::new(because).in_file(&self.input).tell(false);
            }
            Status::Skipped => output::note(&format!("skipped {name}: {because}")),
            Status::Lossy => output::note(&format!("not written {name}: {}", losses(report))),
            Status::Converted if self.with_losses => output::note(&format!("{name}: {}", losses(report))),
            Status::Converted => {}
        }
        // Where nothing is written, the reason is what counts.
        let warnings: Vec<String> = if *status == Status::Converted { warnings(report).collect() } else { Vec::new() };
        for warning in warnings.iter().take(3) {
            output::warning(&format!("{name}: {warning}"));
        }
        if warnings.len() > 3 {
            output::warning(&format!("{name}: and {} more", warnings.len() - 3));
        }
    }

    /// As it stands in the report.
    fn json(&self) -> Result<Value, serde_json::Error> {
        let Outcome { status, kind, from, to, output, because, report } = &self.outcome;
        let name = |path: &Path| path.to_string_lossy().into_owned();
        let mut value = json!({
            "in": name(&self.input),
            "out": output.as_deref().map(name),
            "status": status.word(),
            "kind": kind,
            "from": from,
            "to": to,
        });
        if let (Some(because), Some(value)) = (because, value.as_object_mut()) {
            let key = if *status == Status::Failed { "error" } else { "reason" };
            value.insert(key.to_owned(), because.as_str().into());
        }
        if let (Value::Object(report), Some(value)) = (serde_json::to_value(report)?, value.as_object_mut()) {
            value.extend(report.into_iter().filter(|(key, _)| key != "from" && key != "to"));
        }
        Ok(value)
    }
}

/// What was odd, in the document and in the pieces that are linked to it.
fn warnings(report: &Report) -> impl Iterator<Item = String> {
    let of_pieces = report.linked.iter().flat_map(|piece| {
        let warnings = piece.report.warnings.iter();
        warnings.map(|warning| format!("{}: {warning}", piece.id))
    });
    report.warnings.iter().map(ToString::to_string).chain(of_pieces)
}

/// How much is lost, in a few words.
fn losses(report: &Report) -> String {
    let all = || report.linked.iter().map(|piece| &piece.report).chain([report]);
    let counts = [
        ("lost", all().map(|report| report.lost.len()).sum::<usize>()),
        ("changed", all().map(|report| report.coerced.len()).sum()),
        ("kept", all().map(|report| report.kept.len()).sum()),
    ];
    let some = counts.iter().filter(|(_, count)| *count > 0);
    some.map(|(what, count)| format!("{count} {what}")).collect::<Vec<_>>().join(", ")
}

impl Totals {
    pub(super) fn of<'r>(records: impl IntoIterator<Item = &'r Record>) -> Self {
        let mut totals = Self::default();
        records.into_iter().for_each(|record| totals.add(record));
        totals
    }

    fn add(&mut self, record: &Record) {
        self.items += 1;
        self.with_losses += usize::from(record.with_losses);
        self.beside += record.beside;
        match record.outcome.status {
            Status::Converted => self.converted += 1,
            Status::Lossy => self.lossy += 1,
            Status::Failed => self.failed += 1,
            Status::Skipped => self.skipped += 1,
        }
    }

    pub(super) fn lossy(&self) -> usize {
        self.lossy
    }

    pub(super) fn failed(&self) -> usize {
        self.failed
    }

    fn cells(&self, strict: bool) -> [String; 5] {
        let lossy = if strict { self.lossy } else { self.with_losses };
        [self.items, self.converted, lossy, self.failed, self.skipped].map(|n| n.to_string())
    }
}

/// The report of all items.
pub(super) fn report(records: &[Record]) -> Result<Value, serde_json::Error> {
    let items = records.iter().map(Record::json).collect::<Result<Vec<_>, _>>()?;
    let Totals { items: all, converted, with_losses, lossy, failed, skipped, beside } = Totals::of(records);
    let mut totals = json!({
        "items": all,
        "converted": converted,
        "convertedWithLosses": with_losses,
        "lossy": lossy,
        "failed": failed,
        "skipped": skipped,
    });
    if beside > 0 {
        totals["beside"] = beside.into();
    }
    Ok(json!({ "items": items, "totals": totals }))
}

/// A line for each target and kind, and one for all.
pub(super) fn table(records: &[Record], strict: bool) {
    // What is lossy is not written under `--strict`, and else counts as converted.
    let lossy = if strict { "LOSSY" } else { "OF THEM LOSSY" };
    let mut rows = vec![["TO", "KIND", "FILES", "CONVERTED", lossy, "FAILED", "SKIPPED"].map(str::to_owned).to_vec()];
    let mut groups: BTreeMap<(&str, &str), Totals> = BTreeMap::new();
    for record in records {
        let Outcome { to, kind, .. } = &record.outcome;
        groups.entry((to.as_deref().unwrap_or("?"), kind.unwrap_or("?"))).or_default().add(record);
    }
    for ((to, kind), totals) in &groups {
        let mut row = vec![printable(to).into_owned(), (*kind).to_owned()];
        row.extend(totals.cells(strict));
        rows.push(row);
    }
    if groups.len() != 1 {
        let mut row = vec!["all".to_owned(), String::new()];
        row.extend(Totals::of(records).cells(strict));
        rows.push(row);
    }
    for line in output::columns(&rows) {
        output::note(&line);
    }
    let beside = Totals::of(records).beside;
    if beside > 0 {
        output::note(&format!("files of linked pieces beside them: {beside}"));
    }
}
