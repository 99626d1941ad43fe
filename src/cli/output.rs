//! Printing: colours where a terminal wants them, and never a control character of a file.

use std::fmt::Display;
use std::io::Write;

use anstyle::{AnsiColor, Style};
use serde_json::Value;

use crate::printable;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// Text that may hold parts of a file: without what a terminal acts upon, line by line.
fn lines(text: &str) -> String {
    text.split('\n').map(|line| printable(&line.replace('\t', "    ")).into_owned()).collect::<Vec<_>>().join("\n")
}

/// The start of a text, on one line.
pub(super) fn start(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = line.chars().take(most).collect();
    let start = if cut.len() < line.len() { format!("{}…", cut.trim_end()) } else { cut };
    printable(&start).into_owned()
}

/// Prints a line.
pub(super) fn line(text: impl Display) {
    // A reader that has seen enough and closes the pipe is no error.
    let _ = writeln!(anstream::stdout(), "{text}");
}

/// Prints JSON over several lines. What a terminal would act upon is escaped.
pub(super) fn json(value: &Value) {
    line(escaped(&format!("{value:#}")));
}

/// Prints JSON on one line.
pub(super) fn json_line(value: &Value) {
    line(escaped(&value.to_string()));
}

/// Prints an error as JSON on one line.
pub(super) fn json_error(value: &Value) {
    let _ = writeln!(std::io::stderr(), "{}", escaped(&value.to_string()));
}

/// Such characters stand in the strings of JSON only, where an escape means the same.
fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if c == '\n' || *printable(c.encode_utf8(&mut [0; 4])) == *c.encode_utf8(&mut [0; 4]) {
            text.push(c);
        } else {
            text.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    text
}

/// Prints an error.
pub(super) fn error(text: &str) {
    let _ = writeln!(anstream::stderr(), "{ERROR}error{ERROR:#}: {}", lines(text));
}

/// Prints a warning.
pub(super) fn warning(text: &str) {
    let _ = writeln!(anstream::stderr(), "{WARNING}warning{WARNING:#}: {}", lines(text));
}

/// Prints a remark beside the result.
pub(super) fn note(text: &str) {
    let _ = writeln!(anstream::stderr(), "{}", lines(text));
}

/// A text that stands out.
pub(super) fn strong(text: &str) -> String {
    format!("{STRONG}{text}{STRONG:#}")
}

/// A text that stands back.
pub(super) fn faint(text: &str) -> String {
    format!("{FAINT}{text}{FAINT:#}")
}

/// Columns of text, each as wide as its widest cell.
pub(super) fn columns(rows: &[Vec<String>]) -> Vec<String> {
    let width = |text: &str| text.chars().count();
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count)
        .map(|n| rows.iter().filter_map(|row| row.get(n)).map(|cell| width(cell)).max().unwrap_or(0))
        .collect();
    rows.iter()
        .map(|row| {
            let cells = row.iter().zip(&widths).map(|(cell, most)| format!("{cell}{}", " ".repeat(most - width(cell))));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        })
        .collect()
}
