//! Places of a body, without the leading slash: `rules/0/find`. What differs, and where.

use std::collections::BTreeSet;

use serde_json::Value;

/// One place at which two bodies differ.
#[derive(Debug)]
pub(crate) struct Difference {
    pub(crate) at: String,
    pub(crate) given: Option<Value>,
    pub(crate) found: Option<Value>,
}

impl Difference {
    /// Whether it is one that a report owes. Where nothing was given, nothing is lost; null says as
    /// much as nothing, and a group that is on as much as one without a switch.
    pub(crate) fn counts(&self) -> bool {
        match (&self.given, &self.found) {
            (None, _) | (Some(Value::Null), None) => false,
            (Some(Value::Bool(true)), None) => pattern(&self.at) != "groups/*/enabled",
            _ => true,
        }
    }
}

/// Where two bodies differ: single values, and lists as a whole where their lengths do.
pub(crate) fn differences(given: &Value, found: &Value) -> Vec<Difference> {
    let mut list = Vec::new();
    compare(Some(given), Some(found), "", &mut list);
    list
}

fn compare(given: Option<&Value>, found: Option<&Value>, at: &str, list: &mut Vec<Difference>) {
    match (given, found) {
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            for key in a.keys().chain(b.keys()).collect::<BTreeSet<_>>() {
                compare(a.get(key), b.get(key), &join(at, key), list);
            }
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) if is_rows(a) && is_rows(b) && a.len() == b.len() => {
            for (n, k) in partners(a, b).into_iter().enumerate() {
                compare(a.get(n), b.get(k), &join(at, &n.to_string()), list);
            }
        }
        _ if given == found => {}
        _ => list.push(Difference { at: at.to_owned(), given: given.cloned(), found: found.cloned() }),
    }
}

fn is_rows(list: &[Value]) -> bool {
    !list.is_empty() && list.iter().all(Value::is_object)
}

/// For each row the one that it became: by id where all ids are there again, otherwise by place.
fn partners(given: &[Value], found: &[Value]) -> Vec<usize> {
    let place = |row: &Value| row.get("id").and_then(|id| found.iter().position(|other| other.get("id") == Some(id)));
    let by_id: Option<Vec<usize>> = given.iter().map(place).collect();
    by_id.unwrap_or_else(|| (0..given.len()).collect())
}

/// The place that a place of the one body is in the other, where rows may stand in another order.
pub(crate) fn moved(at: &str, given: &Value, found: &Value) -> String {
    let mut parts: Vec<String> = at.split('/').map(str::to_owned).collect();
    if let [list, row, ..] = parts.as_mut_slice()
        && let (Some(a), Some(b)) = (given[&**list].as_array(), found[&**list].as_array())
        && let Some(k) = row.parse().ok().and_then(|n: usize| partners(a, b).get(n).copied())
    {
        *row = k.to_string();
    }
    parts.join("/")
}

fn join(at: &str, key: &str) -> String {
    if at.is_empty() { key.to_owned() } else { format!("{at}/{key}") }
}

/// Whether a place is another one, or in it.
pub(crate) fn below(at: &str, other: &str) -> bool {
    at.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A place with a `*` for the number of a row.
pub(crate) fn pattern(at: &str) -> String {
    let star = |part: &str| if part.parse::<usize>().is_ok() { "*".to_owned() } else { part.to_owned() };
    at.split('/').map(star).collect::<Vec<_>>().join("/")
}

/// The places that one line of a test stands for: `a,b` is either, and `0-2` is 0, 1 and 2.
pub(crate) fn expand(line: &str) -> Vec<String> {
    let mut places = vec![String::new()];
    for part in line.split('/') {
        let choices: Vec<String> = part.split(',').flat_map(range).collect();
        places = places.iter().flat_map(|at| choices.iter().map(|part| join(at, part)).collect::<Vec<_>>()).collect();
    }
    places
}

fn range(part: &str) -> Vec<String> {
    let ends = part.split_once('-').and_then(|(a, b)| Some((a.parse::<usize>().ok()?, b.parse::<usize>().ok()?)));
    ends.map_or_else(|| vec![part.to_owned()], |(a, b)| (a..=b).map(|n| n.to_string()).collect())
}

#[test]
fn a_line_is_many_places() {
    assert_eq!(
        expand("rules/1,3-4/a,b"),
        ["rules/1/a", "rules/1/b", "rules/3/a", "rules/3/b", "rules/4/a", "rules/4/b"]
    );
}

#[test]
fn rows_that_move_are_the_same_rows() {
    let given = serde_json::json!({ "rules": [{ "id": "a", "n": 1 }, { "id": "b", "n": 2 }], "gone": 7 });
    let found = serde_json::json!({ "rules": [{ "id": "b", "n": 2 }, { "id": "a", "n": 3, "new": 0 }] });
    let told: Vec<_> = differences(&given, &found).into_iter().map(|one| (one.counts(), one.at)).collect();
    assert_eq!(told, [(true, "gone".into()), (true, "rules/0/n".into()), (false, "rules/0/new".into())]);
    assert_eq!(moved("rules/0/n", &given, &found), "rules/1/n");
    assert_eq!(pattern("rules/0/n"), "rules/*/n");
    assert!(below("a/b", "a") && below("a", "a") && !below("ab", "a"));
}
