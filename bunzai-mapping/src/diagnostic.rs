//! What is wrong with a declaration, told so that it can be mended.

use std::fmt::Write as _;

use crate::catalogue::Code;
use crate::tree::Loc;

/// One thing that is wrong with a declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which of the catalogue.
    pub code: &'static Code,
    /// What is wrong, in a sentence without a capital and a full stop; a long list stands below it, line by line.
    pub message: String,
    /// Where.
    pub loc: Loc,
}

/// Collects everything that is wrong, so that all of a file is told at once.
#[derive(Debug, Default)]
pub struct Sink {
    list: Vec<Diagnostic>,
}

impl Sink {
    const LONGEST: usize = 1_000;

    /// Adds a diagnostic.
    pub(crate) fn add(&mut self, code: &str, loc: Loc, message: String) {
        // A message may quote what the file says, which may be of any length.
        let mut message = bunzai_runtime::printable(&message).into_owned();
        if let Some((end, _)) = message.char_indices().nth(Self::LONGEST) {
            message.truncate(end);
            message.push('…');
        }
        self.list.push(Diagnostic { code: Code::of(code), message, loc });
    }

    /// Adds one that lists fields of the model, all of them: half a list would be mended in halves.
    pub(crate) fn add_list(&mut self, code: &str, loc: Loc, message: &str) {
        self.list.push(Diagnostic { code: Code::of(code), message: message.to_owned(), loc });
    }

    /// Whether nothing is wrong so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Everything that is wrong, in the order of the source, each once: a map may be read for several rows.
    pub(crate) fn into_list(mut self) -> Vec<Diagnostic> {
        self.list.sort_by(|a, b| (a.loc, a.code.id, &a.message).cmp(&(b.loc, b.code.id, &b.message)));
        self.list.dedup();
        self.list
    }
}

/// The text of a mapping file, for showing places of it.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'s> {
    /// The path it is known by.
    pub path: &'s str,
    /// Its text.
    pub source: &'s str,
}

impl Shown<'_> {
    /// How many characters of a line are shown, and how many of them before the place.
    const WIDTH: usize = 240;
    const BEFORE: usize = 160;

    /// Line and column of a byte, both from 1, the column in characters.
    pub fn line_column(&self, at: usize) -> (usize, usize) {
        bunzai_runtime::json::line_column(self.source, at)
    }

    /// `mappings/x.toml:12:29`
    pub fn place(&self, loc: Loc) -> String {
        let (line, column) = self.line_column(loc.start);
        format!("{}:{line}:{column}", self.path)
    }

    /// The line of a place, with carets under it.
    pub fn excerpt(&self, loc: Loc) -> String {
        let (line, column) = self.line_column(loc.start);
        let text = self.source.lines().nth(line - 1).unwrap_or("");
        // Of a very long line the part around the place is shown.
        let first = (column - 1).saturating_sub(Self::BEFORE);
        let text: String = text.chars().skip(first).take(Self::WIDTH).collect();
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        // Tabs are kept in front of the carets, so that they stand under what they mark.
        let before = text.chars().take(column - 1 - first).map(|c| if c == '\t' { '\t' } else { ' ' });
        let before: String = before.collect();
        let start = loc.start.min(self.source.len());
        let marked = self.source.get(start..loc.end.clamp(start, self.source.len())).unwrap_or("");
        let marked = marked.lines().next().unwrap_or("").chars().count();
        let carets = "^".repeat(marked.clamp(1, Self::WIDTH - (column - 1 - first).min(Self::WIDTH - 1)));
        format!("{margin} |\n{number} | {text}\n{margin} | {before}{carets}")
    }

    /// A diagnostic as people read it: place, code, message, the line with carets.
    pub fn render(&self, diagnostic: &Diagnostic) -> String {
        let mut text = String::new();
        let Diagnostic { code, message, loc } = diagnostic;
        // Writing to a string does not fail.
        let _ = write!(text, "error[{}]: {message}\n  --> {}\n{}", code.id, self.place(*loc), self.excerpt(*loc));
        text
    }
}
