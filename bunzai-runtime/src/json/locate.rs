//! Finding a place of a document by its pointer, and setting it without reprinting the rest.

use std::collections::HashMap;
use std::ops::Range;

use super::outline::{items, members};
use super::{Layout, NewMember, Patches, Place, Pointer, Result, Value, print};
use crate::model::{Shape, Type};

/// Where the value at a JSON pointer stands; nothing when there is none.
pub fn locate(text: &str, pointer: &str) -> Option<Range<usize>> {
    locate_all(text, &[pointer]).pop().flatten()
}

/// Where the values at several JSON pointers stand. What holds many of them is walked once.
pub fn locate_all(text: &str, pointers: &[&str]) -> Vec<Option<Range<usize>>> {
    let mut found = vec![None; pointers.len()];
    let steps: Vec<_> = pointers.iter().map(|pointer| Pointer::steps(pointer)).collect();
    let all = (0..pointers.len()).filter(|n| steps[*n].is_some()).collect();
    // Values that some of the pointers lead to, how many steps down they are, and which pointers.
    let mut open: Vec<(Range<usize>, usize, Vec<usize>)> = vec![(whole(text), 0, all)];
    while let Some((at, depth, leading)) = open.pop() {
        let mut below: HashMap<&str, Vec<usize>> = HashMap::new();
        for n in leading {
            match steps[n].as_ref().and_then(|steps| steps.get(depth)) {
                Some(step) => below.entry(step).or_default().push(n),
                None => found[n] = Some(at.clone()),
            }
        }
        if below.is_empty() {
            continue;
        }
        match text.as_bytes().get(at.start) {
            Some(b'{') => {
                // Of two equal keys the last one counts.
                for member in members(text, at.start).map(|object| object.inside).unwrap_or_default().into_iter().rev()
                {
                    open.extend(below.remove(&*member.key).map(|leading| (member.value, depth + 1, leading)));
                }
            }
            Some(b'[') => {
                let list = items(text, at.start).map(|list| list.inside).unwrap_or_default();
                for (step, leading) in below {
                    let item = Pointer::index(step).and_then(|n| list.get(n));
                    open.extend(item.map(|item| (item.clone(), depth + 1, leading)));
                }
            }
            _ => {}
        }
    }
    found
}

fn whole(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start().len();
    start..text.trim_end().len()
}

/// What [`set`] does at its place.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Change<'v> {
    /// Sets a value, making the objects on the way; `-` as the last step appends to a list.
    Set(&'v Value<'v>),
    /// Takes the member or item away.
    Remove,
}

/// Changes one value below the value at a span of a document, and keeps every other byte; nothing
/// when the steps lead nowhere. `ty` is the type of that value, by which a new member finds its
/// place.
pub(crate) fn set(
    text: &str,
    at: Range<usize>,
    steps: &[String],
    ty: Option<Type>,
    change: Change<'_>,
) -> Result<Option<String>> {
    let mut patches = Patches::default();
    let start = at.end - text[at.clone()].trim_start().len();
    let end = start + text[start..at.end].trim_end().len();
    if !set_below(text, start..end, steps, ty, change, &mut patches)? {
        return Ok(None);
    }
    let mut out = String::new();
    patches.apply(text, &mut out);
    Ok(Some(out))
}

fn set_below(
    text: &str,
    at: Range<usize>,
    steps: &[String],
    ty: Option<Type>,
    change: Change<'_>,
    patches: &mut Patches,
) -> Result<bool> {
    let layout = patches.layout(text, at.start);
    let Some((step, rest)) = steps.split_first() else {
        let Change::Set(value) = change else { return Ok(false) };
        patches.replace(at, |out| print(value, &layout, out));
        return Ok(true);
    };
    match text.as_bytes().get(at.start) {
        Some(b'{') => {
            let object = members(text, at.start)?;
            let (shape, inner) = match ty {
                Some(Type::Node(shape)) => (Some(shape), shape.find(step.as_bytes()).map(|n| shape.fields[n].ty)),
                Some(Type::Dict(item)) => (None, Some(*item)),
                _ => (None, None),
            };
            match (object.inside.iter().rposition(|member| member.key == *step), change) {
                (Some(n), Change::Remove) if rest.is_empty() => {
                    patches.edit_members(text, &object, |member| member == n, &[], &layout)
                }
                (Some(n), _) => return set_below(text, object.inside[n].value.clone(), rest, inner, change, patches),
                (None, Change::Remove) => return Ok(false),
                (None, Change::Set(value)) => {
                    let made = rest.iter().rev().try_fold(value.clone(), |value, step| {
                        (step != "-").then(|| Value::Object(vec![(step.as_str().into(), value)]))
                    });
                    let Some(made) = made else { return Ok(false) };
                    let after = shape.and_then(|shape| {
                        nearest_before(shape, step, |key| object.inside.iter().rposition(|member| member.key == key))
                    });
                    let write = |layout: &Layout, out: &mut String| print(&made, layout, out);
                    let new = NewMember { key: step, after, write: &write };
                    patches.edit_members(text, &object, |_| false, &[new], &layout);
                }
            }
            Ok(true)
        }
        Some(b'[') => {
            let list = items(text, at.start)?;
            let inner = match ty {
                Some(Type::List(item)) => Some(*item),
                _ => None,
            };
            let place = Pointer::index(step).filter(|n| *n < list.inside.len());
            match (place, change) {
                (Some(n), Change::Remove) if rest.is_empty() => {
                    let kept: Vec<Place<'_>> = (0..list.inside.len()).filter(|k| *k != n).map(Place::Old).collect();
                    patches.edit_list(text, &list, &kept, 0, &layout);
                    Ok(true)
                }
                (Some(n), _) => set_below(text, list.inside[n].clone(), rest, inner, change, patches),
                (None, Change::Set(value)) if step == "-" && rest.is_empty() => {
                    let write = |layout: &Layout, out: &mut String| print(value, layout, out);
                    let mut sequence: Vec<Place<'_>> = (0..list.inside.len()).map(Place::Old).collect();
                    sequence.push(Place::New(&write));
                    patches.edit_list(text, &list, &sequence, 0, &layout);
                    Ok(true)
                }
                (None, _) => Ok(false),
            }
        }
        _ => Ok(false),
    }
}

/// The member after which a field stands: the nearest earlier one of its shape that is there.
fn nearest_before(shape: &Shape, key: &str, find: impl Fn(&str) -> Option<usize>) -> Option<usize> {
    let earlier = shape.fields.iter().take_while(|field| field.name != key);
    earlier.filter_map(|field| find(field.name)).last()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(text: &str, pointer: &str, change: Change<'_>) -> Option<String> {
        set(text, 0..text.len(), &Pointer::steps(pointer).unwrap(), None, change).unwrap()
    }

    #[test]
    fn one_value_changes_and_every_other_byte_stays() {
        let text = "{\n\t\"a\": [1,  2],\n\t\"b\" : {\"c\": null}\n}\n";
        let value = Value::text("x");
        let set = |pointer| changed(text, pointer, Change::Set(&value));
        assert_eq!(set("/a/1"), Some(text.replace("  2", "  \"x\"")));
        assert_eq!(set("/a/-"), Some(text.replace("  2", "  2,  \"x\"")));
        assert_eq!(set("/b/c"), Some(text.replace("null", "\"x\"")));
        assert_eq!(set("/b/d/e"), Some(text.replace("null", "null,\"d\": {\"e\": \"x\"}")));
        assert_eq!(set("/a/7"), None);
        assert_eq!(set("/a/1/x"), None);
        assert_eq!(changed(text, "/a/0", Change::Remove), Some(text.replace("1,  2", "2")));
        assert_eq!(changed(text, "/b", Change::Remove), Some("{\n\t\"a\": [1,  2]\n}\n".into()));
        assert_eq!(changed(text, "/z", Change::Remove), None);
    }

    #[test]
    fn places_are_found_by_pointer() {
        let text = r#" {"a": [1, {"b/c": 2}]}"#;
        let at = |pointer| locate(text, pointer).map(|span| &text[span]);
        assert_eq!(at("/a/1/b~1c"), Some("2"));
        assert_eq!(at(""), Some(text.trim()));
        assert_eq!(at("/a/2"), None);
        for no_index in ["/a/01", "/a/+1", "/a/-0", "/a/"] {
            assert_eq!(at(no_index), None, "{no_index}");
        }
        let all = locate_all(text, &["/a/0", "no pointer", "/a/1", "/a/1/b~1c", "/a/0", "/a/1/c"]);
        let all: Vec<_> = all.into_iter().map(|span| span.map(|span| &text[span])).collect();
        assert_eq!(all, [Some("1"), None, Some(r#"{"b/c": 2}"#), Some("2"), Some("1"), None]);
    }
}
