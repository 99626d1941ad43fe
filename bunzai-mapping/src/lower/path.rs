//! Paths: of the wire, and of the model.

use std::borrow::Cow;

pub(super) use bunzai_runtime::map::shown;
use bunzai_runtime::map::{Step, Wire};

/// Reads a wire path.
pub(super) fn wire(text: &str) -> Result<Wire, String> {
    match text {
        "@file.stem" => return Ok(Wire::FileStem),
        "@file.name" => return Ok(Wire::FileName),
        "@index" => return Ok(Wire::Index),
        _ if text.starts_with('@') => {
            return Err(format!("`{text}` is no place; there are `@file.stem`, `@file.name` and `@index`"));
        }
        _ => {}
    }
    let steps = steps(text)?;
    if steps.contains(&Step::Every) {
        return Err(format!("`{text}` is many places; give the list a row with `each`, and the items a map"));
    }
    Ok(Wire::At(Cow::Owned(steps)))
}

/// Reads the steps of a wire path; `.` has none.
pub(super) fn steps(text: &str) -> Result<Vec<Step>, String> {
    if text == "." {
        return Ok(Vec::new());
    }
    let mut steps = Vec::new();
    let mut key = String::new();
    let mut chars = text.chars().peekable();
    let mut after_list = false;
    loop {
        match chars.next() {
            Some('\\') if chars.peek() == Some(&'.') => {
                chars.next();
                key.push('.');
            }
            Some('[') => {
                let rest: String = chars.clone().collect();
                let Some((range, _)) = rest.split_once(']') else {
                    return Err(format!("a bracket in `{text}` is not closed"));
                };
                chars.by_ref().take(range.chars().count() + 1).for_each(drop);
                let is_name = range.starts_with(|c: char| c.is_ascii_alphabetic())
                    && range.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
                if !(range.is_empty() || range == "*" || is_name) {
                    let message = "is no range; `[]` is every item, and `[name]` the row that a pick names";
                    return Err(format!("`[{range}]` in `{text}` {message}"));
                }
                if !key.is_empty() {
                    steps.push(Step::Key(Cow::Owned(std::mem::take(&mut key))));
                }
                steps.push(if is_name { Step::Pick(Cow::Owned(range.to_owned())) } else { Step::Every });
                after_list = true;
            }
            next @ (Some('.') | None) => {
                if key.is_empty() && !after_list {
                    return Err(format!("the path `{text}` has an empty step"));
                }
                if !key.is_empty() {
                    steps.push(Step::Key(Cow::Owned(std::mem::take(&mut key))));
                }
                if next.is_none() {
                    return Ok(steps);
                }
                after_list = false;
                if chars.peek().is_none() {
                    return Err(format!("the path `{text}` ends in a dot"));
                }
            }
            Some(c) if after_list => {
                return Err(format!("`{c}` stands behind `[]` in `{text}`; a dot belongs between"));
            }
            Some(c) => key.push(c),
        }
    }
}

/// What is wrong with the spelling of a canonical path, if something is.
pub(super) fn canonical_fault(path: &str) -> Option<String> {
    // The plain value that stands where rows have a struct.
    if path == "." {
        return None;
    }
    if path.starts_with('[') || path.contains(".[") {
        return Some(format!("a bracket in `{path}` stands behind no key"));
    }
    let mut pieces = path.split('[');
    let mut whole = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (one, rest) = piece.split_once(']').unwrap_or(("?", piece));
        let is_item = match one.split_once('=') {
            None => one.is_empty() || one.parse::<u16>().is_ok_and(|n| n.to_string() == one),
            Some((key, text)) => !key.is_empty() && !text.is_empty() && !one.contains('.'),
        };
        let is_list_of_lists = piece.ends_with(']') && path.contains("][");
        if !is_item || is_list_of_lists || !(rest.is_empty() || rest.starts_with('.')) {
            let kinds = "`[]` is every item, `[0]` the first, `[id=main]` the one whose `id` is `main`";
            return Some(format!("`{path}` has a bracket that names no item: {kinds}"));
        }
        whole.push_str(rest);
    }
    if whole.contains(']') {
        return Some(format!("a bracket in `{path}` is not open"));
    }
    whole.split('.').any(str::is_empty).then(|| format!("the path `{path}` has an empty step"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_paths_have_lists_and_single_items() {
        for good in [".", "a", "a.b", "a[]", "a[].b", "a[0]", "a[12].b", "a[id=main].b[].c"] {
            assert_eq!(canonical_fault(good), None, "{good}");
        }
        for bad in [
            "",
            "a.",
            "a..b",
            "[]",
            "a.[]",
            "a[",
            "a]",
            "a[x]",
            "a[01]",
            "a[-1]",
            "a[=x]",
            "a[id=]",
            "a[id=x.y]",
            "a[0]b",
            "a[0][1]",
        ] {
            assert!(canonical_fault(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn wire_paths_have_keys_lists_and_escaped_dots() {
        let key = |k: &'static str| Step::Key(k.into());
        assert_eq!(steps("."), Ok(vec![]));
        assert_eq!(steps("a.b"), Ok(vec![key("a"), key("b")]));
        assert_eq!(steps("[*].a"), Ok(vec![Step::Every, key("a")]));
        assert_eq!(steps("a[].b"), Ok(vec![key("a"), Step::Every, key("b")]));
        assert_eq!(steps("a[who].b"), Ok(vec![key("a"), Step::Pick("who".into()), key("b")]));
        assert_eq!(steps(r"a\.b.c"), Ok(vec![key("a.b"), key("c")]));
        for bad in ["", "a.", ".a", "a..b", "a[1]", "a[]b", "a[", "a[*"] {
            assert!(steps(bad).is_err(), "{bad}");
        }
    }
}
