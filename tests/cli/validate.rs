//! `bunzai validate`

use serde_json::json;

use crate::folder::{Folder, fixture_names};

#[test]
fn every_sample_is_valid() {
    for name in fixture_names() {
        let folder = Folder::with(&[&name]);
        let told = folder.done(["validate", &name, "--json"]).json();
        assert_eq!((&told["file"], &told["valid"], &told["problems"]), (&json!(name), &json!(true), &json!([])));
        folder.done(["convert", &name, "c.bunzai.json", "--to", "bunzai"]);
        let ran = folder.done(["validate", "c.bunzai.json"]);
        assert_eq!(ran.out, "c.bunzai.json: valid bunzai\n");
    }
}

#[test]
fn every_problem_of_a_native_file_is_told_with_its_place() {
    let folder = Folder::new();
    folder.write(
        "bad.bunzai.json",
        "{\n  \"schemaVersion\": \"1\",\n  \"kind\": \"persona\",\n  \"id\": \"\",\n  \"body\": {\n    \"name\": 1,\n    \
         \"é\": 2, \"brief\": null\n  }\n}",
    );
    let ran = folder.refused_on_stdout(&["validate", "bad.bunzai.json"]);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(
        lines,
        [
            "bad.bunzai.json:4:9: /id: an id is never empty",
            "bad.bunzai.json:5:11: /body/content: the key `content` is missing",
            "bad.bunzai.json:6:13: /body/name: expected a string, found a number",
            "bad.bunzai.json:7:5: /body/é: unknown key `é`",
            "bad.bunzai.json:7:22: /body/brief: expected a string, found null",
        ]
    );
    let told = folder.refused_on_stdout(&["validate", "--json", "bad.bunzai.json"]).json();
    assert_eq!((&told["format"], &told["valid"]), (&json!("bunzai"), &json!(false)));
    let expected = json!({
        "at": "/body/name", "line": 6, "column": 13, "message": "expected a string, found a number"
    });
    assert_eq!(told["problems"][2], expected);
    assert_eq!(told["problems"].as_array().map(Vec::len), Some(5));
}

#[test]
fn a_native_file_says_nothing_twice() {
    let folder = Folder::new();
    let start = "\"schemaVersion\":\"1\",\"kind\":\"persona\",\"id\":\"x\",\"body\":{\"name\":\"X\",\"content\":\"\"}";
    for (at, members) in [
        ("/id", ",\"id\":\"y\""),
        ("/original/a", ",\"original\":{\"a\":{\"raw\":1},\"a\":{\"raw\":2}}"),
        ("/original/a/raw", ",\"original\":{\"a\":{\"raw\":1,\"raw\":2}}"),
        ("/profiles/a", ",\"profiles\":{\"a\":{\"name\":\"Y\"},\"a\":{}}"),
        ("/profiles/a/name", ",\"profiles\":{\"a\":{\"name\":\"Y\",\"name\":\"Z\"}}"),
    ] {
        folder.write("x.bunzai.json", format!("{{{start}{members}}}"));
        let ran = folder.run(["validate", "x.bunzai.json"]);
        assert!(ran.code == 1 && ran.out.contains(&format!(": {at}: ")), "{at} stands there twice: {ran:?}");
    }
}

#[test]
fn every_wrong_type_of_a_document_is_told_with_its_place() {
    let folder = Folder::new();
    folder.write(
        "rules.json",
        "[\r\n  {\"id\": \"a\", \"findRegex\": \"x\", \"order\": \"3\"},\r\n  {\"id\": \"b\", \"findRegex\": \"y\", \
         \"order\": 1,\r\n   \"enabled\": \"yes\"}\r\n]",
    );
    let told = folder.refused_on_stdout(&["validate", "--json", "rules.json"]).json();
    let places: Vec<_> =
        told["problems"].as_array().unwrap().iter().map(|p| (&p["at"], &p["line"], &p["column"])).collect();
    assert_eq!(
        places,
        [(&json!("/0/order"), &json!(2), &json!(42)), (&json!("/1/enabled"), &json!(4), &json!(15))],
        "{told:#}"
    );
}

#[test]
fn a_format_of_two_shapes_tells_its_problems_one_by_one_as_well() {
    let folder = Folder::new();
    let fields = "\"name\": \"N\", \"description\": \"\", \"personality\": \"\",\n\"comment\": 5,\n\"tags\": {}";
    folder.write("bare.json", format!("{{\"id\": \"p\", \"boxColor\": \"\", {fields}}}"));
    folder.write("envelope.json", format!("{{\"type\": \"marinara_persona\", \"data\": {{{fields}}}}}"));
    for (name, places) in
        [("bare.json", [("/comment", 2), ("/tags", 3)]), ("envelope.json", [("/data/comment", 2), ("/data/tags", 3)])]
    {
        let told = folder.refused_on_stdout(&["validate", "--json", name]).json();
        let problems = told["problems"].as_array().unwrap();
        for (at, line) in places {
            let found = problems.iter().any(|problem| problem["at"] == at && problem["line"] == line);
            assert!(found, "{name}: {at} in line {line} is not in {problems:?}");
        }
        assert_eq!(problems.len(), 2, "{name}: {problems:?}");
    }
}

#[test]
fn a_row_that_more_than_one_map_reads_is_told_of_by_its_own() {
    let odd = r#""injection_depth": "deep", "forbid_overrides": 7"#;
    let rows = format!(
        r#"{{"identifier": "a", "name": "A", {odd}}},
{{"identifier": "g", "name": "===G===", {odd}}}"#
    );
    let folder = Folder::new();
    folder.write("p.json", format!("{{\"prompts\": [{rows}]}}"));
    let told = folder.refused_on_stdout(&["validate", "--json", "p.json"]).json();
    let at: Vec<&str> = told["problems"].as_array().unwrap().iter().filter_map(|p| p["at"].as_str()).collect();
    // A row that opens a group has no depth that anybody reads.
    assert_eq!(at, ["/prompts/0/injection_depth", "/prompts/0/forbid_overrides"]);

    folder.write("t.json", r#"{"prompts": [], "temperature": "hot"}"#);
    let ran = folder.refused_on_stdout(&["validate", "t.json"]);
    assert!(ran.out.contains("/temperature: value is not of type \"number\""), "{ran:?}");
}

#[test]
fn a_document_that_imports_without_a_warning_is_valid() {
    // What JSON allows and a value of this or that parser does not.
    let deep = format!("{}{}", "[".repeat(127), "]".repeat(127));
    for (what, member) in [
        ("a number beyond a double", "\"x\": 1e999".to_owned()),
        ("a long integer", "\"x\": 123456789012345678901234567890".to_owned()),
        ("128 levels", format!("\"x\": {deep}")),
        ("a lone surrogate where nothing is mapped", "\"x\": \"\\ud800\"".to_owned()),
    ] {
        let folder = Folder::new();
        let text = format!(
            "{{\"id\":\"p\",\"name\":\"\",\"description\":\"\",\"personality\":\"\",\"boxColor\":\"\",{member}}}"
        );
        folder.write("p.json", text);
        let ran = folder.done(["convert", "p.json", "--to", "marinara-persona"]);
        assert_eq!(ran.err, "", "{what}");
        let ran = folder.run(["validate", "p.json"]);
        assert_eq!((ran.code, ran.out.as_str()), (0, "p.json: valid marinara-persona\n"), "{what}: {ran:?}");
    }
}

#[test]
fn a_file_can_be_validated_as_a_format() {
    let folder = Folder::with(&["wren.persona.json"]);
    folder.done(["validate", "wren.persona.json", "--format", "marinara-persona"]);
    let ran = folder.refused_on_stdout(&["validate", "wren.persona.json", "--format", "bunzai"]);
    assert!(ran.out.contains("/schemaVersion") && ran.out.contains("unknown key `creator`"), "{}", ran.out);
    folder
        .refused(1, ["validate", "wren.persona.json", "--format", "marinara-regex"])
        .says(&["no marinara-regex file"]);
    folder.refused(1, ["validate", "wren.persona.json", "--format", "marinara"]).says(&["no format `marinara`"]);
}

#[test]
fn standard_input_and_several_files() {
    let folder = Folder::with(&["wren.persona.json"]);
    folder.write("torn.json", "{");
    let ran = folder.run_with(["validate", "-", "--json"], folder.read("wren.persona.json").as_bytes());
    assert_eq!((ran.code, &ran.json()["valid"]), (0, &json!(true)));
    let ran = folder.refused(1, ["validate", "torn.json", "wren.persona.json", "nowhere.json", "--json"]);
    assert_eq!(ran.json()["file"], "wren.persona.json");
    let errors = ran.json_errors();
    assert_eq!((&errors[0]["file"], &errors[1]["file"]), (&json!("torn.json"), &json!("nowhere.json")));
}

#[test]
fn places_are_counted_in_the_file_as_it_is() {
    let folder = Folder::new();
    let text = "\u{feff}\n[{\"id\":\"é\",\"findRegex\":\"\",\n\t\"order\":\"\"}]";
    folder.write("r.json", text);
    let told = folder.refused_on_stdout(&["validate", "--json", "r.json"]).json();
    let problem = &told["problems"][0];
    assert_eq!((&problem["at"], &problem["line"], &problem["column"]), (&json!("/0/order"), &json!(3), &json!(10)));
}

impl Folder {
    /// Runs a command that finds faults: status 1, the faults on standard output, nothing written.
    #[track_caller]
    fn refused_on_stdout(&self, arguments: &[&str]) -> crate::folder::Ran {
        let before = self.files();
        let ran = self.run(arguments);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(!ran.out.is_empty(), "{ran:?}");
        assert!(self.files() == before, "something was written: {ran:?}");
        ran
    }
}
