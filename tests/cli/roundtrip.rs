//! Untouched and Frame, as the command keeps them.

use serde_json::Value;

use crate::folder::{Folder, change, fixture_names, format_of};

/// The layouts of one persona.
const WREN: [&str; 5] = [
    "wren.persona.json",
    "wren-compact.persona.json",
    "wren-tabs.persona.json",
    "wren-bom.persona.json",
    "wren-crlf.persona.json",
];

#[test]
fn a_sample_that_is_converted_to_its_own_format_is_the_same_bytes() {
    for name in fixture_names() {
        let folder = Folder::with(&[&name]);
        let source = folder.read(&name);
        folder.done(["convert", &name, "direct.json", "--from", &format_of(&name), "--to", &format_of(&name)]);
        assert!(folder.read("direct.json") == source, "{name}, directly");
        folder.done(["convert", &name, "native.bunzai.json", "--to", "bunzai"]);
        folder.done(["convert", "native.bunzai.json", "back.json", "--to", &format_of(&name)]);
        assert!(folder.read("back.json") == source, "{name}, through the native file");
    }
}

#[test]
fn the_layouts_of_one_persona_say_the_same() {
    let folder = Folder::with(&WREN);
    let entity = |name: &str| {
        let ran = folder.done(["convert", name, "-", "--to", "bunzai"]);
        let mut native = ran.json();
        native.as_object_mut().unwrap().shift_remove("original");
        native
    };
    let first = entity(WREN[0]);
    assert_eq!(first["id"], "wren-aldermoor");
    assert_eq!(first["body"]["brief"], "Cartographer of the drowned coast; carries a tide clock.");
    assert_eq!(first["body"]["attribution"]["source"], "marinara");
    for name in &WREN[1..] {
        assert_eq!(entity(name), first, "{name}");
    }
}

#[test]
fn an_edited_name_changes_its_own_bytes_and_no_others() {
    let name = "Zéphyr \"Z\" \u{1f30a}";
    for sample in WREN {
        let folder = Folder::with(&[sample]);
        let source = folder.read(sample);
        folder.done(["convert", sample, "c.bunzai.json", "--to", "bunzai"]);
        let native = folder.read("c.bunzai.json");

        folder.done(["edit", "c.bunzai.json", "/body/name", name]);
        let edited = folder.read("c.bunzai.json");
        let (gone, new) = change(&native, &edited);
        assert_eq!(gone, "Wren Aldermoor", "{sample}");
        assert_eq!(serde_json::from_str::<String>(&format!("\"{new}\"")).unwrap(), name, "{sample}");

        folder.done(["convert", "c.bunzai.json", "out.json"]);
        let out = folder.read("out.json");
        let (gone, new) = change(&source, &out);
        assert_eq!(gone, "Wren Aldermoor", "{sample}");
        assert_eq!(serde_json::from_str::<String>(&format!("\"{new}\"")).unwrap(), name, "{sample}");
    }
}

#[test]
fn an_edit_that_is_taken_back_leaves_the_source() {
    for sample in WREN {
        let folder = Folder::with(&[sample]);
        folder.done(["convert", sample, "c.bunzai.json", "--to", "bunzai"]);
        let native = folder.read("c.bunzai.json");
        folder.done(["edit", "c.bunzai.json", "/body/sections/history", "another past"]);
        let past = serde_json::from_str::<Value>(&native).unwrap()["body"]["sections"]["history"].to_string();
        folder.done(["edit", "c.bunzai.json", "/body/sections/history", &past]);
        folder.done(["convert", "c.bunzai.json", "out.json"]);
        assert!(folder.read("out.json") == folder.read(sample), "{sample}");
    }
}

#[test]
fn stored_text_keeps_its_spelling_when_a_neighbour_is_edited() {
    let folder = Folder::with(&["api-rows.regex.json"]);
    let source = folder.read("api-rows.regex.json");
    folder.done(["convert", "api-rows.regex.json", "c.bunzai.json", "--to", "bunzai"]);
    folder.done(["edit", "c.bunzai.json", "/body/rules/1/enabled", "false"]);
    folder.done(["convert", "c.bunzai.json", "out.json"]);
    let out = folder.read("out.json");
    // `"true"` and `"false"` end alike.
    assert_eq!(change(&source, &out), ("tru", "fals"));
    folder.done(["edit", "c.bunzai.json", "/body/rules/1/trimStrings/1", "»"]);
    folder.done(["convert", "c.bunzai.json", "more.json"]);
    assert_eq!(change(&out, &folder.read("more.json")), ("«", "»"));
}

#[test]
fn a_native_file_that_is_converted_to_a_native_file_is_the_same_bytes() {
    let text = "\u{feff}{ \"kind\":\"persona\",\r\n\t\"schemaVersion\" : \"1\",\"id\":\"odd\",\
                \"original\":{\"elsewhere\":{\"raw\":{\"x\" : 1.0}}},\
                \"body\":{\"content\":\"\\u00e9\",\"name\":\"Odd\"} }\r\n\r\n";
    let folder = Folder::new();
    folder.write("odd.bunzai.json", text);
    folder.done(["convert", "odd.bunzai.json", "same.bunzai.json", "--to", "bunzai"]);
    assert_eq!(folder.read("same.bunzai.json"), text);
    assert_eq!(folder.done(["convert", "odd.bunzai.json", "--to", "bunzai"]).out, text);
    let twinless =
        "{\"kind\":\"persona\",\"schemaVersion\":\"1\",\"id\":\"x\",\"body\":{\"content\":\"\",\"name\":\"X\"}}";
    folder.write("twinless.bunzai.json", twinless);
    folder.done(["convert", "twinless.bunzai.json", "again.bunzai.json"]);
    assert_eq!(folder.read("again.bunzai.json"), twinless, "no `--to`, and no twin");
}

#[test]
fn the_name_of_the_file_is_the_name_of_the_rules_and_comes_back() {
    let folder = Folder::with(&["harbour-filters.regex.json"]);
    folder.done(["convert", "harbour-filters.regex.json", "c.bunzai.json", "--to", "bunzai"]);
    assert_eq!(folder.json("c.bunzai.json")["body"]["name"], "harbour-filters.regex");
    folder.write("out/.keep", "");
    folder.done(["convert", "c.bunzai.json", "out"]);
    let same = folder.read("out/harbour-filters.regex.json") == folder.read("harbour-filters.regex.json");
    assert!(same, "{:?}", folder.names());
}
