//! `bunzai edit`

use crate::folder::{Folder, change};

/// A native file with a persona.
fn persona() -> Folder {
    let folder = Folder::with(&["wren.persona.json"]);
    folder.done(["convert", "wren.persona.json", "c.bunzai.json", "--to", "bunzai"]);
    folder
}

/// What an edit does to the file.
#[track_caller]
fn edited(folder: &Folder, arguments: &[&str]) -> (String, String) {
    let before = folder.read("c.bunzai.json");
    let ran = folder.done(["edit", "c.bunzai.json"].iter().chain(arguments));
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", ""));
    let after = folder.read("c.bunzai.json");
    let (gone, new) = change(&before, &after);
    (gone.to_owned(), new.to_owned())
}

#[test]
fn a_value_is_json_or_text_where_only_text_fits() {
    let folder = persona();
    let name = |value: &str| {
        folder.done(["edit", "c.bunzai.json", "/body/name", value]);
        folder.json("c.bunzai.json")["body"]["name"].clone()
    };
    for (value, read) in [
        ("Zed", "Zed"),
        ("\"Zed\"", "Zed"),
        ("\"two\\nlines\"", "two\nlines"),
        ("true", "true"),
        ("12", "12"),
        ("-5", "-5"),
        ("--strict", "--strict"),
        ("null", "null"),
        ("[1]", "[1]"),
        ("\"unclosed", "\"unclosed"),
        ("", ""),
        ("say \"hi\" \\o/", "say \"hi\" \\o/"),
    ] {
        assert_eq!(name(value), read, "{value}");
    }
    assert_eq!(edited(&folder, &["/body/traits", "[\"calm\", \"dry\"]"]).0, "");
    assert_eq!(folder.json("c.bunzai.json")["body"]["traits"], serde_json::json!(["calm", "dry"]));
}

#[test]
fn a_stream_cannot_be_edited() {
    persona().refused(1, ["edit", "-", "/body/name", "Zed"]).says(&["a stream has no place"]);
}

#[test]
fn only_the_value_is_touched() {
    let folder = persona();
    assert_eq!(edited(&folder, &["/body/name", "Zed"]), ("Wren Aldermoor".into(), "Zed".into()));
    assert_eq!(edited(&folder, &["/id", "zed"]), ("wren-aldermoor".into(), "zed".into()));
    let (gone, new) = edited(&folder, &["/body/sections/quirks", "hums"]);
    assert_eq!((gone.as_str(), new.contains("quirks\": \"hums\"")), ("", true), "{new:?}");
    let (gone, new) = edited(&folder, &["/body/sections/quirks", "--remove"]);
    assert_eq!((gone.contains("quirks\": \"hums\""), new.as_str()), (true, ""), "{gone:?}");
}

#[test]
fn items_can_be_replaced_appended_and_removed() {
    let folder = persona();
    let traits = || folder.json("c.bunzai.json")["body"]["traits"].clone();
    folder.done(["edit", "c.bunzai.json", "/body/traits", "[\"calm\"]"]);
    folder.done(["edit", "c.bunzai.json", "/body/traits/-", "dry"]);
    folder.done(["edit", "c.bunzai.json", "/body/traits/0", "loud"]);
    assert_eq!(traits(), serde_json::json!(["loud", "dry"]));
    folder.done(["edit", "c.bunzai.json", "/body/traits/0", "--remove"]);
    assert_eq!(traits(), serde_json::json!(["dry"]));
    folder.refused(1, ["edit", "c.bunzai.json", "/body/traits/7", "x"]).says(&["/body/traits/7"]);
}

#[test]
fn a_parent_that_is_missing_is_made() {
    let folder = Folder::new();
    let text = "{\n\t\"schemaVersion\": \"1\",\n\t\"kind\": \"persona\",\n\t\"id\": \"x\",\n\t\"body\": \
                {\n\t\t\"name\": \"X\",\n\t\t\"content\": \"\"\n\t}\n}\n";
    folder.write("c.bunzai.json", text);
    let (gone, new) = edited(&folder, &["/body/identity/pronouns", "she/her"]);
    assert_eq!(gone, "");
    // In the layout of its neighbours.
    assert!(new.contains("\n\t\t\"identity\": {\n\t\t\t\"pronouns\": \"she/her\"\n\t\t}"), "{new:?}");
}

#[test]
fn a_byte_order_mark_and_the_text_around_stay() {
    let folder = Folder::new();
    let file = |name: &str| {
        format!(
            "\u{feff} {{\"schemaVersion\":\"1\",\"kind\":\"persona\",\"id\":\"x\",\"body\":{{\"content\":\"\\u00e9\",\
             \"name\":\"{name}\"}}}}\r\n\n"
        )
    };
    folder.write("c.bunzai.json", file("X"));
    folder.done(["edit", "c.bunzai.json", "/body/name", "Y"]);
    assert_eq!(folder.read("c.bunzai.json"), file("Y"));
}

#[test]
fn what_would_make_the_file_wrong_is_refused() {
    let folder = persona();
    for (pointer, value, says) in [
        ("/body/nope", "1", "unknown key `nope`"),
        ("/body/traits", "5", "/body/traits"),
        ("/body/rating", "x-rated", "/body/rating"),
        ("/body", "{}", "/body/name"),
        ("/schemaVersion", "2", "/schemaVersion"),
        ("/kind", "lorebuch", "/kind"),
        ("", "{}", "/schemaVersion"),
        ("body/name", "x", "`body/name`"),
        ("/body/name/x", "x", "/body/name"),
        ("/body/traits/-", "x", ""),
    ] {
        folder.refused(1, ["edit", "c.bunzai.json", pointer, value]).says(&["c.bunzai.json", says]);
    }
    folder.refused(1, ["edit", "c.bunzai.json", "/body/name", "--remove"]).says(&["/body/name"]);
    folder.refused(1, ["edit", "c.bunzai.json", "/body/rating", "--remove"]).says(&["/body/rating"]);
    folder.refused(1, ["edit", "nowhere.json", "/body/name", "x"]).says(&["nowhere.json"]);
    folder.refused(1, ["edit", "wren.persona.json", "/body/name", "x"]).says(&["no valid canonical file"]);
}

#[test]
fn an_edit_of_the_twin_is_noticed_on_export() {
    let folder = persona();
    folder.done(["edit", "c.bunzai.json", "/original/marinara-persona/raw/creator", "someone else"]);
    let ran = folder.done(["convert", "c.bunzai.json", "out.json"]);
    ran.says(&["warning: ", "printed"]);
    assert_eq!(folder.json("out.json")["creator"], "someone else");
}
