//! The files beside the blocks of a preset, and other links.

use serde_json::{Value, json};

use crate::file::{Readers, read, sample, with};

const BLOCK: &str = "/body/prompts/0";
const FILES: &str = "/body/prompts/0/attachments";
const REF: &str = "/body/prompts/0/attachments/0/ref";

fn file(n: usize) -> Value {
    json!({ "name": format!("{n}.md"), "ref": format!("asset:{n}") })
}

#[test]
fn a_block_has_eight_files_at_most() {
    let readers = Readers::of("preset");
    for n in [0, 1, 8] {
        readers.take(&with("preset", FILES, |files| *files = (0..n).map(file).collect()));
    }
    let nine = with("preset", FILES, |files| *files = (0..9).map(file).collect());
    readers.refuse_but_for_the_schema(&nine, FILES, "a block has 8 files at most, and here are 9");
}

#[test]
fn a_marker_and_the_result_of_a_tool_have_none() {
    let readers = Readers::of("preset");
    for (key, value, message) in [
        ("marker", json!(true), "a marker has no files"),
        ("role", json!("tool"), "a block of the role `tool` has no files"),
    ] {
        let mut wrong = with("preset", BLOCK, |block| block[key] = value);
        readers.refuse_but_for_the_schema(&wrong, FILES, message);
        wrong.pointer_mut(BLOCK).unwrap()["attachments"] = json!([]);
        readers.take(&wrong);
        wrong.pointer_mut(BLOCK).unwrap().as_object_mut().unwrap().shift_remove("attachments");
        readers.take(&wrong);
    }
}

#[test]
fn a_block_that_is_off_or_has_nothing_but_files_keeps_them() {
    let readers = Readers::of("preset");
    readers.take(&with("preset", BLOCK, |block| {
        block["enabled"] = json!(false);
        block["content"] = json!("");
    }));
}

#[test]
fn a_reference_is_none_that_would_have_to_be_fetched_or_read() {
    let readers = Readers::of("preset");
    for good in
        ["asset:9f2c", "9f2c", "assets/9f2c.png", "data:image/png;base64,AA==", "data:,a/../b\\c", "store://media/1"]
    {
        readers.take(&with("preset", REF, |value| *value = json!(good)));
    }
    for (wrong, found) in [
        ("", "nothing"),
        (" \n", "nothing"),
        ("https://example.invalid/a.png", "a URL"),
        ("HTTP://example.invalid", "a URL"),
        (" https://example.invalid", "a URL"),
        ("file:///etc/passwd", "a URL"),
        ("blob:1", "a URL"),
        ("/etc/passwd", "a path"),
        ("//host/share", "a path"),
        ("~/notes.md", "a path"),
        ("./notes.md", "a path"),
        ("../notes.md", "a path"),
        ("assets/../../notes.md", "a path"),
        ("C:\\notes.md", "a path"),
        ("c:/notes.md", "a path"),
        ("\\\\host\\share", "a path"),
    ] {
        let message = format!("expected a reference into the asset store or a data URI, found {found}");
        readers.refuse_but_for_the_schema(&with("preset", REF, |value| *value = json!(wrong)), REF, &message);
    }
}

#[test]
fn a_name_is_any_text() {
    let readers = Readers::of("preset");
    for name in ["", "../chart.png", "https://example.invalid"] {
        readers.take(&with("preset", &format!("{FILES}/0/name"), |value| *value = json!(name)));
    }
}

#[test]
fn a_profile_is_as_strict() {
    let readers = Readers::of("preset");
    let mut file = sample("preset");
    file["profiles"] = json!({ "acme": { "prompts": [file.pointer(BLOCK).unwrap()] } });
    let problem = |file: &Value| {
        let problems = read(&file.to_string()).unwrap_err();
        assert_eq!(problems.len(), 1, "{problems:?}");
        problems[0].at.clone()
    };
    readers.take(&file);
    let at = "/profiles/acme/prompts/0/attachments/0";
    for (key, value) in [("ref", json!("a\\b")), ("path", json!("x")), ("name", json!(null))] {
        let mut wrong = file.clone();
        wrong.pointer_mut(at).unwrap()[key] = value;
        assert_eq!(problem(&wrong), format!("{at}/{key}"));
    }
    for (refs, is_good) in [(json!(["a"]), true), (json!(["a", ""]), false)] {
        file["profiles"] = json!({ "acme": { "behaviorRefs": refs } });
        match is_good {
            true => readers.take(&file),
            false => assert_eq!(problem(&file), "/profiles/acme/behaviorRefs"),
        }
    }
}

#[test]
fn a_link_is_never_empty() {
    let readers = Readers::of("preset");
    for field in ["behaviorRefs", "quickReplyRefs"] {
        let at = format!("/body/{field}");
        readers.take(&with("preset", &at, |refs| *refs = json!([])));
        let wrong = with("preset", &at, |refs| *refs = json!(["a", ""]));
        readers.refuse_but_for_the_schema(&wrong, &at, "an id is never empty");
    }
}

#[test]
fn a_fault_is_told_with_the_line_of_the_field() {
    let text = format!("{:#}", with("preset", REF, |value| *value = json!("/etc/passwd")));
    let problem = &read(&text).unwrap_err()[0];
    let line = text.lines().position(|line| line.contains("/etc/passwd")).unwrap() + 1;
    assert_eq!((problem.line, problem.column), (line, 20));
}

#[test]
fn what_cannot_be_read_at_all_is_told_first_and_alone() {
    let wrong = with("preset", BLOCK, |block| {
        block["marker"] = json!(true);
        block["role"] = json!(7);
    });
    let problems = read(&wrong.to_string()).unwrap_err();
    let places: Vec<&str> = problems.iter().map(|problem| problem.at.as_str()).collect();
    assert_eq!(places, ["/body/prompts/0/role"]);
}
