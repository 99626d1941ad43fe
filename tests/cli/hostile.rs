//! Input that is broken, or made to break something: a clear refusal, or a conversion that loses
//! nothing; never a panic, and never half a file.

use std::io::{Seek as _, SeekFrom, Write as _};

use crate::folder::Folder;

const LIMIT: u64 = 64 << 20;

/// A persona with more members.
fn persona(members: &str) -> String {
    format!("{{\"id\":\"p\",\"name\":\"N\",\"description\":\"\",\"personality\":\"\",\"boxColor\":\"\"{members}}}")
}

/// Nothing of a file that cannot be read is written, whichever command reads it.
#[track_caller]
fn refused_everywhere(content: impl AsRef<[u8]>, says: &str) {
    let folder = Folder::new();
    folder.write("x.json", content);
    for arguments in [
        &["inspect", "x.json"][..],
        &["convert", "x.json", "out.json", "--to", "bunzai"],
        &["convert", "x.json", "out.json", "--from", "marinara-persona", "--to", "marinara-persona"],
        &["convert", "x.json", "out.json", "--from", "marinara-regex", "--to", "bunzai"],
        &["convert", "x.json", "out.json", "--from", "bunzai", "--to", "bunzai", "--report", "r.json"],
        &["validate", "x.json", "--format", "marinara-regex"],
        &["edit", "x.json", "/body/name", "x"],
    ] {
        let ran = folder.refused(1, arguments);
        ran.says(&["x.json"]);
        assert!(arguments[0] == "edit" || ran.err.contains(says), "{arguments:?}: no {says:?} in {:?}", ran.err);
    }
    let ran = folder.refused(1, ["inspect", "--json", "x.json"]);
    assert_eq!(ran.json()["candidates"], serde_json::json!([]));
}

#[test]
fn what_is_not_json_is_refused_with_the_place() {
    refused_everywhere("", "not JSON: line 1, column 1");
    refused_everywhere(" \n\t", "not JSON");
    refused_everywhere("hello", "not JSON: line 1, column 1: unexpected character");
    refused_everywhere("{\"a\": 1,\n}", "line 2, column 1");
    refused_everywhere("[1, 2] x", "text after the end");
    refused_everywhere("{'a': 1}", "not JSON");
    refused_everywhere("[NaN]", "not JSON");
    refused_everywhere("[01]", "not JSON");
    refused_everywhere("\u{feff}\u{feff}{}", "not JSON");
    refused_everywhere("[\"a\u{1}b\"]", "control character");
    refused_everywhere("[\"\\x\"]", "unknown escape");
    refused_everywhere(persona(",\n\"é\":\"\\uZZZZ\""), "line 2, column 6");
}

#[test]
fn a_file_that_was_cut_is_refused_wherever_the_cut_is() {
    let whole = Folder::with(&["wren.persona.json"]).read("wren.persona.json");
    let folder = Folder::new();
    let cuts: Vec<usize> = (0..whole.len() - 1).step_by(61).chain([whole.len() - 1]).collect();
    for at in cuts {
        folder.write("cut.json", &whole.as_bytes()[..at]);
        let convert = ["convert", "cut.json", "out.json", "--from", "marinara-persona", "--to", "bunzai"];
        let ran = folder.refused(1, convert);
        assert!(ran.err.contains("not JSON") || ran.err.contains("not UTF-8"), "cut at {at}: {}", ran.err);
    }
}

#[test]
fn what_is_not_utf_8_is_refused_with_the_place() {
    refused_everywhere(b"\n{\"id\":\"p\",\"name\":\"\xff\"}", "not UTF-8: byte 19, in line 2");
    refused_everywhere(b"\xff\xfe{\0}\0", "not UTF-8");
    refused_everywhere(b"[\"\xed\xa0\x80\"]", "not UTF-8");
    refused_everywhere(b"[\"\xc0\xaf\"]", "not UTF-8");
}

#[test]
fn what_no_format_claims_is_refused() {
    for text in ["{}", "[]", "null", "5", "\"text\"", "[{\"id\":\"a\",\"find\":\"b\"}]"] {
        let folder = Folder::new();
        folder.write("x.json", text);
        folder.refused(1, ["convert", "x.json", "out.json", "--to", "bunzai"]).says(&["no format claims this file"]);
    }
}

#[test]
fn a_file_that_calls_itself_native_is_told_what_is_wrong_with_it() {
    let folder = Folder::new();
    folder.write("x.json", r#"{"schemaVersion":"1","kind":"persona","id":"x","body":{"name":"X","nick":1}}"#);
    for arguments in [&["convert", "x.json", "out.json"][..], &["inspect", "x.json"]] {
        folder.refused(1, arguments).says(&["/body/content", "/body/nick", "unknown key `nick`"]);
    }
}

#[test]
fn nesting_is_allowed_to_128_levels() {
    let nested = |levels: usize| persona(&format!(",\"x\":{}{}", "[".repeat(levels - 1), "]".repeat(levels - 1)));
    let folder = Folder::new();
    folder.write("deep.json", nested(128));
    folder.done(["convert", "deep.json", "out.json", "--to", "marinara-persona"]);
    assert_eq!(folder.read("out.json"), nested(128));
    refused_everywhere(nested(129), "more than 128 levels of nesting");
}

#[test]
fn what_convert_writes_convert_reads() {
    // The twin has the limits of a source, counted from its own root.
    let folder = Folder::new();
    let deep = persona(&format!(",\"x\":{}{}", "[".repeat(127), "]".repeat(127)));
    folder.write("deep.json", &deep);
    folder.done(["convert", "deep.json", "c.bunzai.json", "--to", "bunzai"]);
    folder.done(["convert", "c.bunzai.json", "back.json"]);
    assert_eq!(folder.read("back.json"), deep);
    folder.done(["validate", "c.bunzai.json"]);
    folder.done(["edit", "c.bunzai.json", "/body/name", "Zed"]);
    folder.done(["convert", "c.bunzai.json", "edited.json"]);
    assert_eq!(folder.read("edited.json"), deep.replace("\"N\"", "\"Zed\""));
}

#[test]
fn a_hundred_thousand_brackets_are_refused_at_once() {
    let many = 100_000;
    refused_everywhere("[".repeat(many), "more than 128 levels of nesting");
    refused_everywhere("{\"a\":".repeat(many), "more than 128 levels of nesting");
    refused_everywhere(format!("{}{}", "[".repeat(many), "]".repeat(many)), "more than 128 levels of nesting");
    refused_everywhere(
        persona(&format!(",\"x\":{}{}", "[".repeat(many), "]".repeat(many))),
        "more than 128 levels of nesting",
    );
}

#[test]
fn brackets_in_stored_text_are_a_value_of_the_wrong_type() {
    let folder = Folder::new();
    for levels in [129, 100_000] {
        let text = format!(
            "[{{\"id\":\"a\",\"findRegex\":\"x\",\"order\":1,\"trimStrings\":\"{}{}\"}}]",
            "[".repeat(levels),
            "]".repeat(levels)
        );
        folder.write("rules.json", &text);
        let ran = folder.done(["convert", "rules.json", "out.json", "--to", "marinara-regex", "--force"]);
        assert_eq!(folder.read("out.json"), text);
        ran.says(&["warning: /0/trimStrings"]);
    }
}

/// A file of a size that is a persona: one long text, written without a copy in memory.
fn persona_of(folder: &Folder, size: u64) {
    let text = persona(",\"x\":\"");
    let head = text.strip_suffix('}').unwrap();
    let mut file = std::fs::File::create(folder.path("big.json")).unwrap();
    file.write_all(head.as_bytes()).unwrap();
    let block = [b'a'; 1 << 16];
    let mut left = size - head.len() as u64 - 2;
    while left > 0 {
        let part = usize::try_from(left).unwrap_or(usize::MAX).min(block.len());
        file.write_all(&block[..part]).unwrap();
        left -= part as u64;
    }
    file.write_all(b"\"}").unwrap();
    assert_eq!(file.seek(SeekFrom::End(0)).unwrap(), size);
}

#[test]
fn a_file_may_have_64_mebibytes_and_not_one_byte_more() {
    let folder = Folder::new();
    persona_of(&folder, LIMIT);
    folder.done(["inspect", "big.json"]);
    folder.done(["convert", "big.json", "out.json", "--to", "marinara-persona"]);
    assert!(std::fs::read(folder.path("out.json")).unwrap() == std::fs::read(folder.path("big.json")).unwrap());
    std::fs::remove_file(folder.path("out.json")).unwrap();
    persona_of(&folder, LIMIT + 1);
    for arguments in [
        &["inspect", "big.json"][..],
        &["validate", "big.json"],
        &["convert", "big.json", "out.json", "--to", "bunzai"],
        &["edit", "big.json", "/body/name", "x"],
    ] {
        folder.refused(1, arguments).says(&["big.json", "67108864"]);
    }
    let stream = std::fs::read(folder.path("big.json")).unwrap();
    let ran = folder.run_with(["convert", "-", "--to", "bunzai"], &stream);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{}", ran.err);
    ran.says(&["67108864"]);
}

#[test]
fn the_size_of_a_file_that_is_too_large_is_not_made_up() {
    let folder = Folder::new();
    let size = LIMIT + 1_000_000;
    std::fs::File::create(folder.path("big.json")).unwrap().set_len(size).unwrap();
    let ran = folder.refused(1, ["inspect", "big.json"]);
    let one_more = (LIMIT + 1).to_string();
    assert!(!ran.err.contains(&one_more) || ran.err.contains("more than"), "it has {size} bytes: {}", ran.err);
}

#[test]
fn a_source_whose_native_file_is_larger_than_a_file_may_be_is_refused_or_comes_back() {
    let folder = Folder::new();
    // The text is in the body and in the twin.
    let text = "a".repeat(33 << 20);
    let source = persona("").replace("\"description\":\"\"", &format!("\"description\":\"{text}\""));
    folder.write("p.json", &source);
    let ran = folder.run(["convert", "p.json", "c.bunzai.json", "--to", "bunzai"]);
    if ran.code == 0 {
        folder.done(["convert", "c.bunzai.json", "back.json"]);
        assert!(folder.read("back.json") == source);
    } else {
        assert_eq!((ran.code, folder.names()), (1, vec!["p.json".to_owned()]), "{}", ran.err);
    }
}

#[test]
fn of_two_equal_keys_the_last_one_counts_and_is_the_one_that_changes() {
    let folder = Folder::new();
    let text = "{\"id\":\"p\",\"name\":\"first\",\"description\":\"\",\"personality\":\"\",\"boxColor\":\"\",\
                \"name\":\"second\"}";
    folder.write("p.json", text);
    let ran = folder.done(["convert", "p.json", "c.bunzai.json", "--to", "bunzai"]);
    ran.says(&["warning: /name: the key stands here twice"]);
    assert_eq!(folder.json("c.bunzai.json")["body"]["name"], "second");
    folder.done(["convert", "c.bunzai.json", "same.json"]);
    assert_eq!(folder.read("same.json"), text);
    folder.done(["edit", "c.bunzai.json", "/body/name", "third"]);
    folder.done(["convert", "c.bunzai.json", "out.json"]);
    assert_eq!(folder.read("out.json"), text.replace("second", "third"));
}

#[test]
fn what_the_first_of_two_equal_keys_said_is_forgotten() {
    let folder = Folder::new();
    folder.write("p.json", persona(",\"comment\":\"first\",\"avatarPath\":\"/a\",\"comment\":null,\"avatarPath\":5"));
    let ran = folder.done(["convert", "p.json", "--to", "bunzai"]);
    let body = &ran.json()["body"];
    assert_eq!((body.get("brief"), body["presentation"].get("imageUrl")), (None, None), "{body}");
    let rule = "{\"id\":\"a\",\"findRegex\":\"x\",\"order\":1,\"promptOnly\":true,\"placement\":[\"ai_output\"],\
                \"promptOnly\":false,\"placement\":[\"user_input\"]}";
    folder.write("r.json", format!("[{rule}]"));
    let ran = folder.done(["convert", "r.json", "--to", "bunzai"]);
    let rule = &ran.json()["body"]["rules"][0];
    // On the slot of a word an empty list is none.
    assert!(rule.get("targets").is_none_or(|targets| *targets == serde_json::json!([])), "{rule}");
    assert_eq!(rule["phases"], serde_json::json!(["input"]), "{rule}");
}

#[test]
fn half_a_surrogate_pair_stays_in_the_twin() {
    let folder = Folder::new();
    let text = persona(",\"comment\":\"a\\ud800b\",\"scenario\":\"\\uDC00\"");
    folder.write("p.json", &text);
    let ran = folder.done(["convert", "p.json", "c.bunzai.json", "--to", "bunzai"]);
    ran.says(&["warning: /comment: half of a surrogate pair reads as U+FFFD"]);
    let native = folder.read("c.bunzai.json");
    assert!(native.contains("\"brief\": \"a\u{fffd}b\""), "{native}");
    folder.done(["convert", "c.bunzai.json", "same.json"]);
    assert_eq!(folder.read("same.json"), text);
    folder.done(["edit", "c.bunzai.json", "/body/brief", "whole"]);
    folder.done(["convert", "c.bunzai.json", "out.json"]);
    assert_eq!(folder.read("out.json"), text.replace("a\\ud800b", "whole"));
}

#[test]
fn values_of_the_wrong_type_read_as_nothing_and_stay() {
    let folder = Folder::new();
    let text =
        persona(",\"comment\":{\"a\":[1]},\"avatarPath\":7,\"backstory\":true,\"appearance\":[\"x\"],\"x\":1e999");
    folder.write("p.json", &text);
    let ran = folder.done(["convert", "p.json", "c.bunzai.json", "--to", "bunzai"]);
    for at in ["/comment", "/avatarPath", "/backstory", "/appearance"] {
        ran.says(&[&format!("warning: {at}: expected string")]);
    }
    let native = folder.read("c.bunzai.json");
    let body = &native[..native.find("\"original\"").unwrap()];
    for key in ["brief", "presentation", "sections"] {
        assert!(!body.contains(&format!("\"{key}\"")), "{key} in {body}");
    }
    folder.done(["edit", "c.bunzai.json", "/body/brief", "now"]);
    folder.done(["convert", "c.bunzai.json", "out.json"]);
    assert_eq!(folder.read("out.json"), text.replace("{\"a\":[1]}", "\"now\""));
}

#[test]
fn a_needed_slot_of_the_wrong_type_is_a_refusal() {
    let folder = Folder::new();
    for (was, is) in [("\"name\":\"N\"", "\"name\":5"), ("\"description\":\"\"", "\"description\":null")] {
        folder.write("p.json", persona("").replace(was, is));
        let convert = ["convert", "p.json", "out.json", "--from", "marinara-persona", "--to", "bunzai"];
        let key = was.split('"').nth(1).unwrap();
        folder.refused(1, convert).says(&[&format!("`{key}` is string")]);
    }
}
