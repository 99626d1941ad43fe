//! `bunzai schema`

use serde_json::{Value, json};

use crate::folder::{Folder, fixture_names};

fn pointer<'v>(schema: &'v Value, at: &str) -> &'v Value {
    schema.pointer(at).unwrap_or_else(|| panic!("no {at} in {schema:#}"))
}

#[test]
fn the_schema_of_a_kind_is_strict() {
    let schema = Folder::new().done(["schema", "persona"]).json();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    let validator = jsonschema::validator_for(&schema).unwrap();
    let good = json!({ "schemaVersion": "1", "kind": "persona", "id": "x", "body": { "name": "X", "content": "" } });
    assert!(validator.is_valid(&good), "{schema:#}");
    for (at, wrong) in [
        ("/body/name", json!(1)),
        ("/body/name", json!(null)),
        ("/body", json!({ "name": "X" })),
        ("/body", json!({ "name": "X", "content": "", "nope": 1 })),
        ("/kind", json!("regex")),
        ("/schemaVersion", json!("2")),
        ("/id", json!("")),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(at).unwrap() = wrong.clone();
        assert!(!validator.is_valid(&bad), "{at} {wrong}");
    }
}

#[test]
fn the_schema_of_a_kind_fits_what_convert_writes() {
    for name in fixture_names() {
        let folder = Folder::with(&[&name]);
        let native = folder.done(["convert", &name, "--to", "bunzai"]).json();
        let schema = folder.done(["schema", native["kind"].as_str().unwrap()]).json();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let errors: Vec<String> = validator.iter_errors(&native).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
    }
}

#[test]
fn the_schema_of_a_format_says_where_each_field_goes() {
    let folder = Folder::with(&["api-rows.regex.json", "harbour-filters.regex.json"]);
    let schema = folder.done(["schema", "marinara-regex"]).json();
    assert_eq!(schema["x-bunzai-format"], "marinara-regex");
    let text = schema.to_string();
    assert!(text.contains("\"x-bunzai-to\":\"rules[].find\""), "{schema:#}");
    assert!(text.contains("contentMediaType"), "{schema:#}");
    let validator = jsonschema::validator_for(&schema).unwrap();
    for name in ["api-rows.regex.json", "harbour-filters.regex.json"] {
        assert!(validator.is_valid(&folder.json(name)), "{name}");
    }
    assert!(!validator.is_valid(&json!([{ "id": "a", "findRegex": 5, "order": 1 }])));
    let persona = folder.done(["schema", "marinara-persona"]).json();
    let validator = jsonschema::validator_for(&persona).unwrap();
    assert!(!validator.is_valid(&json!([])));
    pointer(&persona, "/x-bunzai-kind");
}

#[test]
fn all_of_them_are_written_into_a_folder() {
    let folder = Folder::new();
    folder.done(["schema", "--all", "made/here"]);
    let names = folder.names();
    for name in ["persona.json", "regex.json", "marinara-persona.read.json", "marinara-regex.read.json"] {
        let path = format!("made/here/{name}");
        assert!(names.contains(&path), "{name} in {names:?}");
        assert_eq!(folder.json(&path)["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
        assert!(folder.read(&path).ends_with("}\n"), "{name}");
    }
    let again = folder.files();
    folder.done(["schema", "--all", "made/here"]);
    assert!(folder.files() == again, "the same schemas a second time");
}

#[test]
fn a_name_that_is_none_is_told_with_the_nearest() {
    let folder = Folder::new();
    folder.refused(1, ["schema", "marinara-persono"]).says(&["did you mean `marinara-persona`?"]);
    folder.refused(1, ["schema", "bunzai"]).says(&["kind"]);
    folder.refused(1, ["schema", "person"]).says(&["no format and no kind `person`; did you mean `persona`?"]);
    folder.refused(1, ["schema", "rolecall"]).says(&["no format `rolecall`", "`bunzai formats` lists both"]);
}
