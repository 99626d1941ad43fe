//! Text of a file is never printed raw: it could move the cursor, change the title of the window,
//! or pass for a message of the program.

use crate::folder::{Folder, Ran};

/// What a terminal acts upon: escapes, their one-byte forms, and text that runs the other way.
const EVIL: &str = "\u{1b}]0;owned\u{7}\u{9b}31m\u{7f}\u{202e}";
const EVIL_JSON: &str = "\\u001b]0;owned\\u0007\u{9b}31m\u{7f}\u{202e}";
const FORGED: &str = "error: forged";

/// Colours are forced: with them nothing is taken out on the way.
fn folder() -> Folder {
    Folder::new().set("CLICOLOR_FORCE", "1")
}

#[track_caller]
fn is_harmless(ran: &Ran) {
    for text in [&ran.out, &ran.err] {
        let odd = |c: char| matches!(c, '\u{7}' | '\u{7f}'..='\u{9f}' | '\u{202e}' | '\r') || c == '\u{8}';
        assert!(!text.contains(odd), "a control character: {text:?}");
        assert!(!text.contains("\u{1b}]"), "an escape: {text:?}");
        assert!(!text.lines().any(|line| line.trim_start().starts_with(FORGED)), "a line that is not ours: {text:?}");
    }
}

fn persona(name: &str, more: &str) -> String {
    format!("{{\"id\":\"p\",\"name\":\"{name}\",\"description\":\"\",\"personality\":\"\",\"boxColor\":\"\"{more}}}")
}

#[test]
fn names_and_texts_of_a_document() {
    let folder = folder();
    let evil = format!("{EVIL_JSON}\\n{FORGED}\\r");
    folder.write("p.json", persona(&evil, &format!(",\"comment\":\"{evil}\",\"description\":\"{evil}\"")));
    is_harmless(&folder.done(["inspect", "p.json"]));
    assert!(folder.done(["inspect", "p.json"]).out.contains("owned"), "it is shown, as escapes");
    folder.done(["convert", "p.json", "c.bunzai.json", "--to", "bunzai"]);
    is_harmless(&folder.done(["inspect", "c.bunzai.json"]));
    is_harmless(&folder.done(["validate", "p.json", "c.bunzai.json"]));
}

#[test]
fn names_in_output_for_machines() {
    let folder = folder();
    // JSON may hold a direction override as it is; control characters it may not, once they reach
    // a terminal.
    let evil = EVIL_JSON.replace('\u{202e}', "");
    folder.write("p.json", persona(&evil, ""));
    let ran = folder.done(["inspect", "--json", "p.json"]);
    is_harmless(&ran);
    assert_eq!(ran.json()["name"], EVIL.replace('\u{202e}', ""));
}

#[test]
fn keys_that_no_one_knows() {
    let folder = folder();
    let key = format!("{EVIL_JSON}\\n{FORGED}\\n");
    folder.write(
        "n.bunzai.json",
        format!(
            "{{\"schemaVersion\":\"1\",\"kind\":\"persona\",\"id\":\"x\",\"{key}\":1,\"body\":{{\"name\":\"X\",\
             \"content\":\"\",\"{key}\":1}}}}"
        ),
    );
    for arguments in [
        &["inspect", "n.bunzai.json"][..],
        &["validate", "n.bunzai.json"],
        &["convert", "n.bunzai.json", "out.json"],
        &["edit", "n.bunzai.json", "/body/name", "x"],
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, 1);
        is_harmless(&ran);
    }
}

#[test]
fn keys_and_values_in_warnings_and_losses() {
    let folder = folder();
    let key = format!("{EVIL_JSON}\\n{FORGED}\\n");
    folder.write("p.json", persona("N", &format!(",\"{key}\":1,\"{key}\":2,\"comment\":[\"{key}\"]")));
    is_harmless(&folder.done(["convert", "p.json", "c.bunzai.json", "--to", "bunzai"]));
    is_harmless(&folder.done(["inspect", "p.json"]));
    let rule = format!(
        "{{\"id\":\"a\",\"label\":\"\",\"find\":\"\",\"flags\":\"\",\"replace\":\"\",\"phases\":[\"{key}\"],\
         \"enabled\":true,\"sortOrder\":0,\"extras\":{{\"{key}\":\"{key}\"}}}}"
    );
    folder.write(
        "r.bunzai.json",
        format!("{{\"schemaVersion\":\"1\",\"kind\":\"regex\",\"id\":\"{key}\",\"body\":{{\"name\":\"{key}\",\"rules\":[{rule}]}}}}"),
    );
    let ran = folder.done(["convert", "r.bunzai.json", "out.json", "--to", "marinara-regex"]);
    is_harmless(&ran);
    ran.says(&["lost /body/rules/0/extras/"]);
    is_harmless(&folder.done(["inspect", "r.bunzai.json"]));
    is_harmless(&folder.run(["convert", "r.bunzai.json", "p2.json", "--to", "marinara-persona"]));
}

#[test]
fn blocks_and_choices_of_a_preset() {
    let folder = folder();
    let evil = format!("{EVIL_JSON}\\n{FORGED}\\n");
    let file = include_str!("../../fixtures/native/night-ferry.bunzai.json");
    // A text of every sort that is printed.
    let texts =
        ["Night ferry", "voice", "Voice", "Short sentences.", "beside", "skills", "dark", "Lamp?", "fog", "Fog"];
    let file = texts.iter().fold(file.to_owned(), |file, text| {
        file.replace(&format!("\"{text}\""), &format!("\"{evil}{}\"", text.replace(' ', "")))
    });
    // The block has another id now, so a warning tells the one that the choice names.
    let file = file.replacen(&format!("{evil}fog"), "other", 1);
    folder.write("p.bunzai.json", file);
    let ran = folder.done(["preview", "p.bunzai.json", "--answer", &format!("town={EVIL}\n{FORGED}")]);
    is_harmless(&ran);
    ran.says(&["there is no block"]);
    let wrong =
        [format!("{EVIL}\n{FORGED}=x"), format!("weather={EVIL}\n{FORGED}")].map(|text| format!("--answer={text}"));
    let switch = format!("--switch={EVIL}\n{FORGED}=on");
    is_harmless(&folder.refused(1, ["preview", "p.bunzai.json", &switch, &wrong[0], &wrong[1]]));
}

#[test]
fn values_that_fail_the_schema() {
    let folder = folder();
    let evil = format!("{EVIL_JSON}\\n{FORGED}\\n");
    folder
        .write("r.json", format!("[{{\"id\":\"a\",\"findRegex\":\"x\",\"order\":\"{evil}\",\"enabled\":\"{evil}\"}}]"));
    let ran = folder.run(["validate", "r.json"]);
    assert_eq!(ran.code, 1);
    is_harmless(&ran);
}

#[test]
fn formats_that_come_from_a_mapping_file() {
    let folder = folder();
    let evil = EVIL_JSON.replace('\u{9b}', "\\u009b").replace('\u{7f}', "\\u007f");
    let mapping = crate::mappings::ACME.replace("Acme persona", &format!("Acme {evil}\\n{FORGED}"));
    folder.write("maps/acme.toml", mapping.replace("writes = [\"acme.json\"]", &format!("about = \"{evil}\"")));
    folder.write("a.json", "{\"acme\":1,\"title\":\"T\"}");
    let maps = ["--mappings", "maps"];
    is_harmless(&folder.done(["formats"].iter().chain(&maps)));
    is_harmless(&folder.done(["inspect", "a.json"].iter().chain(&maps)));
}

#[test]
fn mapping_files_that_are_wrong() {
    let folder = folder();
    let evil = EVIL_JSON.replace('\u{9b}', "\\u009b").replace('\u{7f}', "\\u007f");
    folder.write("maps/x.toml", format!("\"{evil}\\n{FORGED}\" = 1\n# {}\n", '\u{202e}'));
    let ran = folder.run(["formats", "--mappings", "maps"]);
    assert_eq!(ran.code, 1);
    is_harmless(&ran);
    ran.says(&["B002"]);
}

#[cfg(unix)]
#[test]
fn names_of_files() {
    let folder = folder();
    let name = format!("{EVIL}\n{FORGED}\n.json");
    folder.write(&name, "{");
    for arguments in [&["inspect", &name][..], &["validate", &name], &["convert", &name], &["edit", &name, "/id", "x"]]
    {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, 1);
        is_harmless(&ran);
    }
    folder.write(&name, persona("N", ""));
    is_harmless(&folder.done(["inspect", &name]));
    is_harmless(&folder.done(["validate", &name]));
}
