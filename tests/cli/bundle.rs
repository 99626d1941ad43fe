//! Bundles on the command line: a preset with scripts in it, alone and in a folder of files.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::folder::Folder;

const MOORING: &str = "Mooring.json";
const SET: &str = "mooring-regex.bunzai.json";

fn mooring() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/sillytavern").join(MOORING)).unwrap()
}

/// A folder with the preset in it.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write(MOORING, mooring());
    folder
}

fn ids(document: &Value, at: &str) -> Vec<String> {
    let rows = document.pointer(at).and_then(Value::as_array).unwrap().iter();
    rows.map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn to_its_own_format_it_is_the_file_itself() {
    let folder = folder();
    folder.done(["convert", MOORING, "out.json", "--to", "sillytavern-preset"]);
    assert_eq!(folder.read("out.json"), mooring());
    assert_eq!(folder.names(), [MOORING, "out.json"]);
    assert_eq!(folder.done(["convert", MOORING, "--to", "sillytavern-preset"]).out, mooring());
}

#[test]
fn a_canonical_file_has_its_pieces_beside() {
    let folder = folder();
    let ran = folder.done(["convert", MOORING, "c.bunzai.json"]);
    assert!(ran.err.contains(SET) && ran.err.contains("linked regex"), "{ran:?}");
    assert_eq!(folder.names(), [MOORING, "c.bunzai.json", SET]);
    assert_eq!(folder.json("c.bunzai.json")["body"]["behaviorRefs"], json!(["mooring-regex"]));
    assert_eq!(ids(&folder.json(SET), "/body/rules"), ["tide", "gull", "rope"]);

    // Untouched, it is the same file again; edited, the value alone is another.
    folder.done(["convert", "c.bunzai.json", "back.json"]);
    assert_eq!(folder.read("back.json"), mooring());
    folder.done(["edit", SET, "/body/rules/0/replace", "_"]);
    folder.done(["convert", "c.bunzai.json", "back.json", "--force"]);
    assert_eq!(folder.read("back.json"), mooring().replace("\"\\u0020\"", "\"_\""));
}

#[test]
fn all_files_are_written_or_none() {
    let folder = folder();
    folder.write(SET, "mine");
    folder.refused(1, ["convert", MOORING, "c.bunzai.json"]).says(&[SET, "--force"]);
    assert_eq!(folder.names(), [MOORING, SET]);
    assert_eq!(folder.read(SET), "mine");
    folder.done(["convert", MOORING, "c.bunzai.json", "--force"]);
    assert_eq!(folder.json(SET)["kind"], "regex");
    // A piece never takes the place of the document.
    let ran = folder.done(["convert", MOORING, SET, "--force"]);
    assert!(ran.err.contains("mooring-regex-2.bunzai.json"), "{ran:?}");
    assert_eq!(folder.json(SET)["kind"], "preset");
    folder.done(["convert", SET, "back.json"]);
    assert_eq!(folder.read("back.json"), mooring());
}

#[test]
fn a_piece_that_does_not_lie_beside_is_told() {
    let folder = folder();
    folder.done(["convert", MOORING, "c.bunzai.json"]);
    fs::rename(folder.path(SET), folder.path("elsewhere.json")).unwrap();
    let ran = folder.done(["convert", "c.bunzai.json", "back.json", "--strict"]);
    assert!(ran.err.contains("`mooring-regex` is not at hand"), "{ran:?}");
    assert_eq!(folder.read("back.json"), mooring());
    // Of two that say they are it, the one counts that was taken out of this document.
    fs::rename(folder.path("elsewhere.json"), folder.path("renamed.bunzai.json")).unwrap();
    let mut other = folder.json("renamed.bunzai.json");
    other["original"] = json!({});
    other["body"]["rules"] = json!([]);
    folder.write("a.bunzai.json", other.to_string());
    folder.done(["convert", "c.bunzai.json", "back.json", "--force"]);
    assert_eq!(folder.read("back.json"), mooring());
    fs::copy(folder.path("renamed.bunzai.json"), folder.path("copy.bunzai.json")).unwrap();
    let ran = folder.done(["convert", "c.bunzai.json", "back.json", "--force"]);
    assert!(ran.err.contains("3 files beside say"), "{ran:?}");
    assert_eq!(folder.read("back.json"), mooring());
}

#[test]
fn unlinked_the_rows_go() {
    let folder = folder();
    folder.done(["convert", MOORING, "c.bunzai.json"]);
    folder.done(["edit", "c.bunzai.json", "/body/behaviorRefs", "[]"]);
    // That is what was asked for, and nothing lost.
    folder.done(["convert", "c.bunzai.json", "back.json", "--strict"]);
    let back = folder.json("back.json");
    assert!(ids(&back, "/extensions/regex_scripts").is_empty());
    assert!(ids(&back, "/extensions/SPreset/RegexBinding/regexes").is_empty());
}

#[test]
fn a_target_without_a_place_for_them_says_so() {
    let folder = folder();
    let convert = ["convert", MOORING, "m.json", "--to", "marinara-preset", "--report", "r.json"];
    let ran = folder.done(convert);
    assert!(ran.err.contains("it travels beside"), "{ran:?}");
    assert_eq!(folder.names(), ["Mooring regex.json", MOORING, "m.json", "r.json"]);
    assert_eq!(ids(&folder.json("Mooring regex.json"), ""), ["tide", "gull", "rope"]);
    let report = folder.json("r.json");
    let lost = report["lost"].as_array().unwrap();
    assert!(lost.iter().any(|loss| loss["at"] == "/body/behaviorRefs/0" && loss["value"] == "mooring-regex"));
    let piece = &report["linked"][0];
    assert_eq!(
        json!([piece["id"], piece["kind"], piece["way"], piece["to"], piece["out"]]),
        json!(["mooring-regex", "regex", "beside", "marinara-regex", "Mooring regex.json"])
    );
    // Standard output holds one document.
    let ran = folder.done(["convert", MOORING, "--to", "marinara-preset"]);
    assert!(ran.err.contains("no folder to write it beside"), "{ran:?}");
    folder.refused(3, ["convert", MOORING, "n.json", "--to", "marinara-preset", "--strict"]);
    assert!(!folder.path("n.json").exists());
}

#[test]
fn a_folder_there_and_back_is_the_same_folder() {
    let folder = Folder::new();
    folder.write("in/Mooring.json", mooring());
    folder.write("in/sub/A B.json", mooring());
    folder.write("in/sub/a-b.json", mooring());
    // An item whose name a piece would have.
    folder.write("in/mooring-regex.json", r#"[{"id":"x","scriptName":"X","findRegex":"y"}]"#);
    let ran = folder.done(["convert", "in", "out", "--report", "r.json"]);
    assert!(ran.err.contains("files of linked pieces beside them: 3"), "{ran:?}");
    let report = folder.json("r.json");
    assert_eq!(report["totals"]["items"], 4);
    assert_eq!(report["totals"]["converted"], 4);
    assert_eq!(report["totals"]["beside"], 3);
    let names = |dir: &str| {
        let mut names: Vec<String> = fs::read_dir(folder.path(dir))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".json"))
            .collect();
        names.sort();
        names
    };
    assert_eq!(names("out"), ["Mooring.bunzai.json", "mooring-regex-2.bunzai.json", SET]);
    assert_eq!(names("out/sub").len(), 4);

    folder.done(["convert", "out", "back", "--report", "back.json"]);
    assert_eq!(names("back"), ["Mooring.json", "mooring-regex.json"]);
    assert_eq!(names("back/sub"), ["A B.json", "a-b.json"]);
    for file in ["Mooring.json", "mooring-regex.json", "sub/A B.json", "sub/a-b.json"] {
        assert_eq!(folder.read(&format!("back/{file}")), folder.read(&format!("in/{file}")), "{file}");
    }
    let report = folder.json("back.json");
    assert_eq!((&report["totals"]["items"], &report["totals"]["skipped"]), (&json!(7), &json!(3)));
    let skipped = report["items"].as_array().unwrap().iter().find(|item| item["status"] == "skipped").unwrap();
    assert!(skipped["reason"].as_str().unwrap().contains("goes with it"), "{skipped}");
}

#[test]
fn inspect_shows_what_is_linked() {
    let folder = folder();
    let ran = folder.done(["inspect", MOORING]);
    assert!(ran.out.contains("regex mooring-regex \"Mooring regex\""), "{ran:?}");
    let told = folder.done(["inspect", MOORING, "--json"]).json();
    assert_eq!(told["linked"], json!([{ "id": "mooring-regex", "kind": "regex", "name": "Mooring regex" }]));
    folder.done(["convert", MOORING, "c.bunzai.json"]);
    let told = folder.done(["inspect", "c.bunzai.json", "--json"]).json();
    assert_eq!(told["linked"], json!([{ "id": "mooring-regex", "kind": "regex", "name": null }]));
}

#[test]
fn what_is_odd_in_a_piece_is_told() {
    let folder = folder();
    folder.write("in/c.bunzai.json", "");
    folder.done(["convert", MOORING, "in/c.bunzai.json", "--force"]);
    let set = format!("in/{SET}");
    let mut odd = folder.json(&set);
    odd["notes"] = json!([{"id": "n", "text": "Look again.", "at": "2026-01-01T00:00:00Z"}]);
    folder.write(&set, odd.to_string());
    let ran = folder.done(["convert", "in/c.bunzai.json", "back.json"]);
    assert!(ran.err.contains("warning: mooring-regex: "), "{ran:?}");
    let ran = folder.done(["convert", "in", "out"]);
    assert!(ran.err.contains("c.bunzai.json: mooring-regex: "), "{ran:?}");
}

#[test]
fn a_place_that_is_none_is_told() {
    let folder = folder();
    folder.done(["convert", MOORING, "c.bunzai.json"]);
    folder.done(["edit", SET, "/body/rules/2/sortOrder", "7"]);
    let ran = folder.refused(3, ["convert", "c.bunzai.json", "back.json", "--strict"]);
    ran.says(&["changed of mooring-regex: /body/rules/2/sortOrder: it reads back as 2"]);
}

#[test]
fn of_many_copies_of_a_bundle_none_takes_the_set_of_another() {
    let folder = Folder::new();
    for n in 0..12 {
        folder.write(&format!("in/{n}/Mooring.json"), mooring().replace("0.90", &format!("0.{n:02}5")));
        folder.done(["convert", &format!("in/{n}/Mooring.json"), &format!("in/{n}/c.bunzai.json")]);
        folder.write(&format!("all/c{n}.bunzai.json"), folder.read(&format!("in/{n}/c.bunzai.json")));
        folder.write(&format!("all/set{n}.bunzai.json"), folder.read(&format!("in/{n}/{SET}")));
        folder.done(["edit", &format!("all/set{n}.bunzai.json"), "/body/rules/0/replace", &format!("edited {n}")]);
    }
    let ran = folder.done(["convert", "all", "out"]);
    assert_eq!(fs::read_dir(folder.path("out")).unwrap().count(), 12, "{ran:?}");
    let mut met: Vec<String> = Vec::new();
    for file in fs::read_dir(folder.path("out")).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        let n = (0..12).find(|n| text.contains(&format!("0.{n:02}5"))).unwrap();
        assert!(text.contains(&format!("\"edited {n}\"")), "{n}");
        met.push(text);
    }
    met.sort();
    met.dedup();
    assert_eq!(met.len(), 12);
}

#[test]
fn a_format_that_is_no_list_of_rows_is_not_linked() {
    let folder = Folder::new();
    folder.write(
        "maps/acme.toml",
        r#"
format = "acme"
kind   = "persona"
label  = "Acme persona"
lost   = ["brief", "sections", "sectionOrder", "traits", "identity", "presentation", "rating", "chatInjection",
          "attribution", "media"]

[detect]
all = [{ at = "acme", is = "string" }]

[[linked]]
format = "marinara-persona"
to     = "knowledgeRefs"
at     = ["bag.notes"]
name   = { concat = ["@name", " notes"] }

[fields]
acme = { to = "name", need = true }
text = { to = "content", or = "" }

[sealed]
bag = { is = "object" }
"#,
    );
    folder.write("p.json", r#"{"acme": "A", "text": "t", "bag": {"notes": [{"id": "a"}]}}"#);
    let ran = folder.refused(1, ["--mappings", "maps", "convert", "p.json", "p.bunzai.json"]);
    ran.says(&["`linked` names the format `marinara-persona`, whose documents are no lists of rows"]);
}

#[test]
fn a_piece_of_another_file_takes_nobodys_place() {
    let folder = Folder::new();
    let preset = |id: &str| {
        let script = json!({ "id": id, "scriptName": id, "findRegex": format!("/{id}/g") });
        json!({ "prompts": [], "extensions": { "regex_scripts": [script] } }).to_string()
    };
    folder.write("A/Default.json", preset("mine"));
    folder.write("B/Default.json", preset("theirs"));
    folder.done(["convert", "A/Default.json", "a.bunzai.json"]);
    // The set of A is lost, and that of B is called the same.
    fs::remove_file(folder.path("default-regex.bunzai.json")).unwrap();
    folder.done(["convert", "B/Default.json", "b.bunzai.json"]);
    let ran = folder.done(["convert", "a.bunzai.json", "back.json"]);
    assert!(ran.err.contains("was taken out of another file"), "{ran:?}");
    assert_eq!(folder.read("back.json"), preset("mine"));
    // Whoever names it on purpose has it, behind what is there.
    folder.write("C/Own.json", preset("mine"));
    folder.done(["convert", "C/Own.json", "c.bunzai.json"]);
    folder.done(["edit", "c.bunzai.json", "/body/behaviorRefs", r#"["own-regex", "default-regex"]"#]);
    folder.done(["convert", "c.bunzai.json", "both.json"]);
    assert_eq!(ids(&folder.json("both.json"), "/extensions/regex_scripts"), ["mine", "theirs"]);
}

#[test]
fn a_set_without_rows_cannot_be_found_again() {
    let folder = folder();
    folder.done(["convert", MOORING, "c.bunzai.json"]);
    folder.done(["edit", SET, "/body/rules", "[]"]);
    folder.refused(3, ["convert", "c.bunzai.json", "back.json", "--strict"]).says(&["lost /body/behaviorRefs/0"]);
}

#[test]
fn a_piece_that_cannot_be_read_is_told_with_its_place() {
    let folder = folder();
    folder.done(["convert", MOORING, "c.bunzai.json"]);
    folder.write(SET, folder.read(SET).replace("\"rules\": [", "\"rules\": [,"));
    let ran = folder.done(["convert", "c.bunzai.json", "back.json"]);
    assert!(ran.err.contains(SET) && ran.err.contains("line"), "{ran:?}");
    assert_eq!(folder.read("back.json"), mooring());
}

#[test]
fn nothing_is_written_over_a_piece_that_was_read() {
    let folder = folder();
    folder.done(["convert", MOORING, "c.bunzai.json"]);
    let set = folder.read(SET);
    let says = "a linked piece was read from there";
    folder.refused(1, ["convert", "c.bunzai.json", "out.json", "--report", SET, "--force"]).says(&[SET, says]);
    folder.refused(1, ["convert", "c.bunzai.json", SET, "--to", "sillytavern-preset", "--force"]).says(&[SET, says]);
    assert_eq!((folder.read(SET), folder.names().len()), (set, 3));
}
