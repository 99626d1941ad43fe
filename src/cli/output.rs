//! Printing: colours where a terminal wants them, and never a control character of a file.

use std::fmt::Display;
use std::io::Write;

use anstyle::{AnsiColor, Style};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// Text of a file, safe to be shown: control characters are written as escapes.
pub(super) fn shown(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let safe = !c.is_control()
                && !matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            let escaped = (!safe).then(|| c.escape_unicode());
            safe.then_some(c).into_iter().chain(escaped.into_iter().flatten())
        })
        .collect()
}

/// Like [`shown`] for text of several lines that this program made, with text of a file in it.
pub(super) fn shown_lines(text: &str) -> String {
    text.split('\n').map(|line| shown(&line.replace('\t', "    "))).collect::<Vec<_>>().join("\n")
}

/// The start of a text, on one line.
pub(super) fn start(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = line.chars().take(most).collect();
    shown(&if cut.len() < line.len() { format!("{}…", cut.trim_end()) } else { cut })
}

/// Prints a line.
pub(super) fn line(text: impl Display) {
    // A reader that has seen enough and closes the pipe is no error.
    let _ = writeln!(anstream::stdout(), "{text}");
}

/// Prints an error.
pub(super) fn error(text: &str) {
    let _ = writeln!(anstream::stderr(), "{ERROR}error{ERROR:#}: {}", shown_lines(text));
}

/// Prints a warning.
pub(super) fn warning(text: &str) {
    let _ = writeln!(anstream::stderr(), "{WARNING}warning{WARNING:#}: {}", shown_lines(text));
}

/// Prints a remark beside the result.
pub(super) fn note(text: &str) {
    let _ = writeln!(anstream::stderr(), "{}", shown_lines(text));
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

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn control_characters_and_direction_overrides_are_escaped() {
        assert_eq!(shown("a\u{1b}[31mé\u{202e}"), "a\\u{1b}[31mé\\u{202e}");
    }
}
