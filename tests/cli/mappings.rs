//! Formats from mapping files: `--mappings` and `BUNZAI_MAPPINGS`.

use serde_json::json;

use crate::folder::Folder;

/// A small format of three keys.
pub(crate) const ACME: &str = r#"format = "acme-persona"
kind   = "persona"
label  = "Acme persona"
writes = ["acme.json"]
lost   = ["brief", "sections", "sectionOrder", "traits", "identity", "presentation", "knowledgeRefs", "rating",
          "chatInjection", "attribution", "media"]

[detect]
all = [{ at = "acme", eq = 1 }, { at = "title", is = "string" }]

[fields]
acme  = { is = "integer", fresh = 1 }
title = { to = "name", need = true }
text  = { to = "content", or = "" }
"#;

fn acme() -> Folder {
    let folder = Folder::new();
    folder.write("maps/deeper/acme.toml", ACME);
    folder.write("maps/notes.txt", "no mapping");
    folder.write("a.json", "{ \"acme\": 1, \"title\": \"Road\", \"more\": [1.0] }\n");
    folder
}

#[test]
fn a_folder_of_mapping_files_adds_formats() {
    let folder = acme();
    folder.refused(1, ["inspect", "a.json"]);
    let told = folder.done(["inspect", "--json", "a.json", "--mappings", "maps"]).json();
    assert_eq!((&told["format"], &told["name"], &told["score"]), (&json!("acme-persona"), &json!("Road"), &json!(0.9)));
    let list = folder.done(["--mappings", "maps", "formats", "--json"]).json();
    let added = list["formats"].as_array().unwrap().iter().find(|format| format["id"] == "acme-persona").unwrap();
    assert_eq!((&added["label"], &added["extensions"]), (&json!("Acme persona"), &json!(["acme.json"])));
    assert!(folder.done(["schema", "acme-persona", "--mappings", "maps"]).out.contains("\"x-bunzai-to\": \"content\""));
}

#[test]
fn a_loaded_format_runs_like_a_compiled_one() {
    let folder = acme();
    let maps = ["--mappings", "maps"];
    folder.done(["convert", "a.json", "c.bunzai.json", "--to", "bunzai"].iter().chain(&maps));
    folder.done(["convert", "c.bunzai.json", "back.json"].iter().chain(&maps));
    assert_eq!(folder.read("back.json"), folder.read("a.json"));
    folder.done(["edit", "c.bunzai.json", "/body/content", "long"]);
    folder.write("out/.keep", "");
    folder.done(["convert", "c.bunzai.json", "out"].iter().chain(&maps));
    let expected = "{ \"acme\": 1, \"title\": \"Road\", \"text\": \"long\", \"more\": [1.0] }\n";
    assert_eq!(folder.read("out/road.acme.json"), expected);
}

#[test]
fn the_folder_can_be_named_by_a_variable() {
    let folder = acme().set("BUNZAI_MAPPINGS", "maps");
    assert_eq!(folder.done(["inspect", "--json", "a.json"]).json()["format"], "acme-persona");
    let folder = folder.set("BUNZAI_MAPPINGS", "nowhere");
    folder.refused(1, ["inspect", "a.json"]).says(&["nowhere"]);
    let told = folder.done(["inspect", "--json", "a.json", "--mappings", "maps"]).json();
    assert_eq!(told["format"], "acme-persona", "the option counts, not the variable");
}

#[test]
fn of_several_formats_the_surest_counts_then_the_one_that_asks_most_then_the_first_by_name() {
    let folder = Folder::new();
    let format = |name: &str, score: &str, more: &str| {
        let gate = format!("[detect]\nscore = {score}\nall = [{more}");
        folder.write(
            &format!("maps/{name}.toml"),
            ACME.replace("acme-persona", name).replace("[detect]\nall = [", &gate),
        );
    };
    folder.write("a.json", "{\"acme\": 1, \"title\": \"T\"}");
    format("b-plain", "0.8", "");
    format("a-plain", "0.8", "");
    format("z-asks", "0.8", "{ at = \"acme\" }, ");
    format("c-unsure", "0.3", "");
    let order = || {
        let told = folder.done(["inspect", "--json", "a.json", "--mappings", "maps"]).json();
        let candidates =
            told["candidates"].as_array().unwrap().iter().map(|c| c["format"].as_str().unwrap().to_owned());
        (told["format"].as_str().unwrap().to_owned(), candidates.collect::<Vec<_>>())
    };
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(order(), ("z-asks".into(), names(&["z-asks", "a-plain", "b-plain", "c-unsure"])));
    format("d-sure", "0.81", "");
    assert_eq!(order(), ("d-sure".into(), names(&["d-sure", "z-asks", "a-plain", "b-plain", "c-unsure"])));
}

#[test]
fn what_no_format_claims_with_more_than_half_is_not_recognised() {
    let folder = Folder::new();
    folder.write("maps/acme.toml", ACME.replace("[detect]", "[detect]\nscore = 0.5"));
    folder.write("a.json", "{\"acme\": 1, \"title\": \"T\"}");
    let ran = folder.refused(1, ["inspect", "--json", "a.json", "--mappings", "maps"]);
    let told = ran.json();
    assert_eq!((&told["format"], &told["candidates"][0]["score"]), (&serde_json::Value::Null, &json!(0.5)));
    folder.refused(1, ["convert", "a.json", "out.json", "--mappings", "maps"]).says(&["no format claims"]);
    folder.refused(1, ["validate", "a.json", "--mappings", "maps"]).says(&["no format claims"]);
    // Read as what it is said to be, it is no matter how sure the format is.
    folder.done(["convert", "a.json", "--from", "acme-persona", "--to", "bunzai", "--mappings", "maps"]);
}

#[test]
fn a_mapping_file_that_is_wrong_stops_the_command_with_every_reason() {
    let folder = acme();
    folder.write("maps/bad.toml", "format = \"bad\"\nkind = \"persona\"\nlable = \"Bad\"\n");
    folder.write("maps/worse.toml", "format = \n");
    let ran = folder.refused(1, ["convert", "a.json", "out.json", "--mappings", "maps"]);
    ran.says(&["maps/bad.toml:3:1", "error[B002]", "did you mean `label`?", "maps/worse.toml:1:", "error[B001]"]);
}

#[test]
fn a_format_is_declared_once_and_may_take_the_place_of_a_built_in_one() {
    let folder = acme();
    folder.write("maps/again.toml", ACME);
    let ran = folder.refused(1, ["formats", "--mappings", "maps"]);
    ran.says(&["error[B037]", "deeper/acme.toml:1:10", "`acme-persona` is declared in maps/again.toml too"]);
    let folder = Folder::new();
    folder.write("maps/mine.toml", ACME.replace("acme-persona", "marinara-persona"));
    let ran = folder.done(["formats", "--mappings", "maps"]);
    assert!(ran.err.contains("takes the place of the built-in format `marinara-persona`"), "{}", ran.err);
    assert!(ran.out.contains("Acme persona"), "{}", ran.out);
}

#[test]
fn a_linked_format_that_is_not_there_is_told_where_it_is_named() {
    let folder = acme();
    let link =
        "[[linked]]\nformat = \"acme-book\"\nto = \"knowledgeRefs\"\nat = [\"books\"]\nname = \"Book\"\n\n[detect]";
    folder.write("maps/deeper/acme.toml", ACME.replace("\"knowledgeRefs\", ", "").replace("[detect]", link));
    let ran = folder.refused(1, ["inspect", "a.json", "--mappings", "maps"]);
    ran.says(&["error[B036]", "acme.toml:9:10", "there is no format `acme-book`"]);
}

#[test]
fn folders_can_be_checked_and_what_else_is_in_the_variable_is_no_matter() {
    let folder = acme().set("BUNZAI_MAPPINGS", "nowhere");
    let ran = folder.done(["check", "maps"]);
    assert!(ran.out.contains("acme.toml: acme-persona is in order"), "{}", ran.out);
    folder.write("maps/bad.toml", "format = 1");
    folder.refused(1, ["check", "maps"]).says(&["bad.toml:1:"]);
    folder.refused(1, ["check", "maps/notes.txt"]);
    folder.write("empty/notes.txt", "");
    folder.refused(1, ["check", "empty"]).says(&["no mapping files"]);
    let folder = acme().set("BUNZAI_MAPPINGS", "");
    folder.done(["formats"]);
}

#[test]
fn a_mapping_file_of_endless_size_is_not_read() {
    let folder = Folder::new();
    folder.write("huge.toml", "#".repeat((1 << 20) + 1));
    folder.refused(1, ["check", "huge.toml"]).says(&["at the most"]);
    let line = format!("format = \"{}\"\n", "é".repeat(50_000));
    folder.write("wide.toml", line);
    let ran = folder.refused(1, ["check", "wide.toml"]);
    assert!(ran.err.len() < 5_000, "{} bytes are printed", ran.err.len());
}

#[test]
fn a_folder_that_is_none_is_an_error() {
    let folder = acme();
    folder.refused(1, ["formats", "--mappings", "nowhere"]).says(&["nowhere"]);
    folder.refused(1, ["formats", "--mappings", "a.json"]).says(&["a.json"]);
}
