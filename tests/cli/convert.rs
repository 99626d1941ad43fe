//! `bunzai convert`: what is read as what, and where it goes.

use serde_json::json;

use crate::folder::Folder;

const WREN: &str = "wren.persona.json";

#[test]
fn without_a_target_a_file_becomes_a_native_one_and_a_native_one_what_it_was() {
    let folder = Folder::with(&[WREN]);
    folder.done(["convert", WREN, "c.bunzai.json"]);
    let native = folder.json("c.bunzai.json");
    assert_eq!((&native["schemaVersion"], &native["kind"]), (&json!("1"), &json!("persona")));
    assert_eq!(native["original"]["marinara-persona"]["raw"]["creator"], "tidepool");
    assert_eq!(folder.done(["convert", "c.bunzai.json"]).out, folder.read(WREN));
}

#[test]
fn a_dash_or_nothing_is_a_standard_stream() {
    let folder = Folder::with(&[WREN]);
    let source = folder.read(WREN);
    let native = folder.done(["convert", WREN, "--to", "bunzai"]).out;
    assert_eq!(folder.done(["convert", WREN, "-", "--to", "bunzai"]).out, native);
    let piped = folder.run_with(["convert", "-", "-", "--to", "bunzai"], source.as_bytes());
    assert_eq!((piped.code, &piped.out), (0, &native));
    let back = folder.run_with(["convert", "-", "out.json"], native.as_bytes());
    assert_eq!(back.code, 0, "{back:?}");
    assert_eq!(folder.read("out.json"), source);
    assert_eq!(folder.names(), ["out.json", WREN], "`-` is no file");
}

#[test]
fn rules_from_a_stream_have_a_name_too() {
    let folder = Folder::with(&["api-rows.regex.json"]);
    let ran = folder.run_with(["convert", "-", "--to", "bunzai"], folder.read("api-rows.regex.json").as_bytes());
    assert_eq!(ran.json()["body"]["name"], "Imported regex scripts");
}

#[test]
fn a_file_that_exists_is_replaced_only_by_force() {
    let folder = Folder::with(&[WREN]);
    folder.write("out.json", "mine");
    folder.write("sub/wren-aldermoor.bunzai.json", "mine");
    folder.refused(1, ["convert", WREN, "out.json", "--to", "bunzai"]).says(&["out.json", "--force"]);
    folder.refused(1, ["convert", WREN, WREN, "--to", "bunzai"]).says(&["--force"]);
    folder.refused(1, ["convert", WREN, "sub", "--to", "bunzai"]).says(&["wren-aldermoor.bunzai.json", "--force"]);
    folder.done(["convert", WREN, "out.json", "--to", "bunzai", "--force"]);
    assert_eq!(folder.json("out.json")["kind"], "persona");
    folder.done(["convert", WREN, "sub", "--to", "bunzai", "--force"]);
    assert_eq!(folder.json("sub/wren-aldermoor.bunzai.json")["kind"], "persona");
}

#[test]
fn a_file_can_be_replaced_by_what_it_becomes() {
    let folder = Folder::with(&[WREN]);
    let source = folder.read(WREN);
    folder.done(["convert", WREN, WREN, "--to", "bunzai", "--force"]);
    assert_eq!(folder.json(WREN)["kind"], "persona");
    folder.done(["convert", WREN, WREN, "--force"]);
    assert_eq!(folder.read(WREN), source);
}

#[test]
fn what_the_named_format_does_not_claim_is_refused_with_its_reason() {
    let folder = Folder::with(&[WREN, "api-rows.regex.json"]);
    let as_regex = ["convert", WREN, "out.json", "--from", "marinara-regex", "--to", "bunzai"];
    folder.refused(1, as_regex).says(&["no marinara-regex file", "`[*].id` is string"]);
    let as_persona = ["convert", "api-rows.regex.json", "out.json", "--from", "marinara-persona", "--to", "bunzai"];
    folder.refused(1, as_persona).says(&["no marinara-persona file"]);
    folder.refused(1, ["convert", WREN, "out.json", "--from", "bunzai"]).says(&["/schemaVersion", "/body"]);
}

#[test]
fn a_file_of_another_kind_cannot_be_written() {
    let folder = Folder::with(&[WREN]);
    let ran = folder.refused(1, ["convert", WREN, "out.json", "--to", "marinara-regex"]);
    ran.says(&["marinara-regex holds a regex", "a persona"]);
}

#[test]
fn an_unknown_format_is_told_with_the_nearest() {
    let folder = Folder::with(&[WREN]);
    let meant = "did you mean `marinara-persona`?";
    folder.refused(1, ["convert", WREN, "out.json", "--to", "marinara-persno"]).says(&["`marinara-persno`", meant]);
    folder.refused(1, ["convert", WREN, "out.json", "--from", "marinara_persona"]).says(&[meant]);
    let ran = folder.refused(1, ["convert", WREN, "out.json", "--to", "pdf"]);
    assert!(!ran.err.contains("did you mean"), "{ran:?}");
}

#[test]
fn what_comes_from_no_format_here_is_not_guessed_at() {
    let folder = Folder::new();
    folder.write(
        "c.bunzai.json",
        r#"{"schemaVersion":"1","kind":"persona","id":"x","body":{"name":"X","content":""},"original":{"other-app":{"raw":{}}}}"#,
    );
    folder.refused(1, ["convert", "c.bunzai.json", "out.json"]).says(&["`other-app`"]);
    folder.done(["convert", "c.bunzai.json", "out.json", "--to", "marinara-persona"]);
    assert_eq!(folder.json("out.json")["name"], "X");
}

#[test]
fn the_twin_of_one_application_stays_out_of_the_file_of_another() {
    let folder = Folder::with(&[WREN]);
    folder.write("maps/acme.toml", crate::mappings::ACME);
    let ran = folder.done(["convert", WREN, "acme.json", "--to", "acme-persona", "--mappings", "maps"]);
    assert_eq!(
        folder.read("acme.json").lines().map(str::trim_start).filter(|line| line.starts_with('"')).count(),
        3,
        "{}",
        folder.read("acme.json")
    );
    for secret in ["tidepool", "2f6f8f", "k3Vq8", "marinara"] {
        assert!(!folder.read("acme.json").contains(secret), "{secret}");
    }
    ran.says(&["lost /body/brief", "lost /body/sections"]);
}

#[test]
fn profiles_and_notes_stay_behind_with_a_warning() {
    let folder = Folder::new();
    let entity = json!({
        "schemaVersion": "1", "kind": "persona", "id": "x", "body": { "name": "X", "content": "plain" },
        "profiles": { "marinara-persona": { "content": "theirs" }, "other": { "name": "Y" } },
        "notes": [{ "id": "n", "text": "mine", "at": "2026-01-01T00:00:00Z" }]
    });
    folder.write("c.bunzai.json", entity.to_string());
    let ran = folder.done(["convert", "c.bunzai.json", "out.json", "--to", "marinara-persona"]);
    ran.says(&["warning: ", "profiles", "notes"]);
    let out = folder.json("out.json");
    assert_eq!((&out["name"], &out["description"]), (&json!("X"), &json!("theirs")));
    assert!(!folder.read("out.json").contains("mine"));
}
