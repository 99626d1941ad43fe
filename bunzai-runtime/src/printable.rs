use std::borrow::Cow;

/// Text of a document for a message: one line, without what a terminal acts upon.
///
/// Control characters and marks that change the direction of writing become escapes, so that a key
/// or a name can neither move the cursor nor pass for a message of the program.
///
/// ```
/// assert_eq!(bunzai_runtime::printable("a\n\u{1b}[31mé\u{202e}"), "a\\n\\u{1b}[31mé\\u{202e}");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_harmless) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::new();
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            c if is_harmless(c) => shown.push(c),
            c => shown.extend(c.escape_unicode()),
        }
    }
    Cow::Owned(shown)
}

fn is_harmless(c: char) -> bool {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !c.is_control() && !turns && !matches!(c, '\u{2028}' | '\u{2029}')
}
