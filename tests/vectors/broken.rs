//! Every expectation can fail: vectors that are wrong on purpose, and codecs that break a law.

use bunzai::{Body, EntityRef, Exported, Format, Imported, Input, Registry, Result};
use serde_json::{Value, json};

use crate::run::run;
use crate::vector::Vector;
use crate::{FORMATS, compare};

/// A vector of a persona that is read and written, with these expectations.
fn vector(input: Value, expect: Value) -> Vector {
    let vector = json!({
        "name": "t", "codec": "marinara-persona", "why": "", "basis": "proposal", "input": input, "expect": expect
    });
    Vector::read(&vector.to_string()).unwrap()
}

fn persona() -> Value {
    json!({ "id": "p", "name": "Wren", "description": "d", "personality": "", "boxColor": "", "comment": 5 })
}

/// What fails when this is expected of this input.
fn failing(input: Value, expect: Value) -> Vec<String> {
    run(&FORMATS, &vector(input, expect)).into_iter().map(|failure| failure.what).collect()
}

#[test]
fn what_is_right_passes() {
    let expect = json!({
        "detect": { "marinara-persona": 0.95, "*": 0 },
        "canonical": {
            "schemaVersion": "1", "kind": "persona", "id": "wren",
            "body": { "name": "Wren", "content": "d", "attribution": { "source": "marinara" } }
        },
        "canonical_any": [{}, { "schemaVersion": "1", "kind": "persona", "id": "row0", "body": {
            "name": "Wren", "content": "d", "sections": {}, "attribution": { "source": "marinara" } } }],
        "canonical_subset": { "id": "wren" },
        "canonical_at": { "/body/name": "Wren" },
        "canonical_absent": ["/body/brief", "/body/sections"],
        "wire": persona(),
        "wire_any": [persona()],
        "wire_subset": { "boxColor": "" },
        "wire_at": { "/name": "Wren" },
        "wire_absent": ["/backstory"],
        "key_order": { "": ["id", "name", "description", "personality", "boxColor", "comment"] },
        "warnings": true
    });
    assert_eq!(failing(json!({ "json": persona() }), expect), [""; 0]);
    let edit = json!([{ "op": "add", "path": "/body/traits", "value": ["calm"] }]);
    assert_eq!(failing(json!({ "json": persona(), "edit": edit }), json!({ "lost": ["/body/traits"] })), [""; 0]);
}

#[test]
fn what_is_wrong_fails() {
    let table = [
        ("detect", json!({ "marinara-persona": 0.5 })),
        ("detect", json!({ "marinara-regex": 0.95 })),
        ("detect", json!({ "*": 0 })),
        ("error", json!(true)),
        ("canonical", json!({ "id": "wren" })),
        ("canonical_any", json!([{ "id": "wren" }, {}])),
        ("canonical_subset", json!({ "body": { "name": "wren" } })),
        ("canonical_subset", json!({ "profiles": { "a": 1 } })),
        ("canonical_at", json!({ "/body/name": "wren" })),
        ("canonical_at", json!({ "/body/brief": null })),
        ("canonical_absent", json!(["/body/name"])),
        ("wire", json!({ "name": "Wren" })),
        ("wire_any", json!([{ "name": "Wren" }])),
        ("wire_subset", json!({ "name": "wren" })),
        ("wire_at", json!({ "/name": "wren" })),
        ("wire_at", json!({ "/none": null })),
        ("wire_absent", json!(["/name"])),
        ("key_order", json!({ "": ["name", "id", "description", "personality", "boxColor", "comment"] })),
        ("key_order", json!({ "/name": [] })),
        ("lost", json!(["/body/name"])),
        ("coerced", json!(["/body/name"])),
        ("export_error", json!(true)),
    ];
    for (word, wrong) in table {
        let told = failing(json!({ "json": persona() }), json!({ word: wrong.clone() }));
        assert!(!told.is_empty() && told.iter().all(|what| what == word), "{word} {wrong}: {told:?}");
    }
    let text = persona().to_string();
    let mut calm = persona();
    calm["comment"] = json!("");
    let refused = json!({ "text": "{" });
    let edit = json!([{ "op": "remove", "path": "/body/none" }]);
    let with = |word: &str, value: Value| json!({ "json": persona(), word: value });
    let table = [
        ("wire_text", json!({ "text": text }), json!({ "wire_text": format!("{text} ") })),
        ("warnings", json!({ "json": calm }), json!({ "warnings": true })),
        ("message", refused.clone(), json!({ "error": true, "message": ["on holiday"] })),
        ("import", refused.clone(), json!({ "canonical_absent": ["/a"] })),
        ("import", refused.clone(), json!({ "wire_absent": ["/a"] })),
        ("import", json!({ "text": "{}" }), json!({ "warnings": true })),
        ("edit", with("edit", edit), json!({})),
        ("export", with("to", "marinara-regex".into()), json!({})),
        ("codec", with("to", "marinara-persono".into()), json!({})),
        ("codec", with("from", "marinara-persono".into()), json!({})),
    ];
    for (what, input, expect) in table {
        let told = failing(input.clone(), expect.clone());
        assert!(!told.is_empty() && told.iter().all(|told| told == what), "{what} {input} {expect}: {told:?}");
    }
    assert_eq!(failing(refused, json!({})), [""; 0], "what is asked nothing may be refused");
}

#[test]
fn a_vector_that_is_none_is_refused() {
    let good = json!({
        "name": "t", "codec": "c", "why": "", "basis": "seed", "input": { "text": "" }, "expect": {}
    });
    assert!(Vector::read(&good.to_string()).is_ok());
    let table = [
        ("/basis", json!("guess")),
        ("/input", json!({})),
        ("/input", json!({ "text": "", "json": 1 })),
        ("/input", json!({ "zip": [] })),
        ("/input", json!({ "text": "", "filename": "../x" })),
        ("/input", json!({ "text": "", "filename": "/x" })),
        ("/input", json!({ "text": "", "edits": [] })),
        ("/expect", json!({ "wires": {} })),
        ("/expect", json!(null)),
        ("/name", json!(1)),
    ];
    for (at, wrong) in table {
        let mut vector = good.clone();
        *vector.pointer_mut(at).unwrap() = wrong.clone();
        assert!(Vector::read(&vector.to_string()).is_err(), "{at} {wrong}");
    }
    let mut more = good;
    more["expects"] = json!({});
    assert!(Vector::read(&more.to_string()).is_err(), "a key that is none");
}

/// A codec that keeps no twin.
#[derive(Debug)]
struct Forgetful;

impl Forgetful {
    fn inner() -> &'static dyn Format {
        FORMATS.format("marinara-persona").unwrap()
    }
}

impl bunzai::__private::Sealed for Forgetful {}

impl Format for Forgetful {
    fn id(&self) -> &str {
        "marinara-persona"
    }

    fn kind(&self) -> Option<&str> {
        Self::inner().kind()
    }

    fn label(&self) -> &str {
        "Forgetful"
    }

    fn about(&self) -> &str {
        ""
    }

    fn extensions(&self) -> Vec<&str> {
        Vec::new()
    }

    fn score(&self, text: &str) -> f64 {
        Self::inner().score(text)
    }

    fn import(&self, input: Input) -> Result<Imported<Box<dyn Body>>> {
        let mut imported = Self::inner().import(input)?;
        imported.entity.original.clear();
        Ok(imported)
    }

    fn export<'e>(&'e self, entity: EntityRef<'e>) -> Result<Exported<'e>> {
        Self::inner().export(entity)
    }
}

#[test]
fn a_codec_without_a_twin_is_not_untouched() {
    let mut formats = Registry::new();
    formats.add(Box::new(Forgetful));
    let failures = run(&formats, &vector(json!({ "json": persona() }), json!({})));
    // Directly and through the native file, in each layout.
    let ways: Vec<String> = failures.iter().map(ToString::to_string).collect();
    assert!(failures.iter().all(|failure| failure.what == "untouched"), "{ways:?}");
    assert_eq!(failures.len(), 2 * crate::layout::LAYOUTS.len(), "{ways:?}");
}

#[test]
fn a_codec_whose_files_its_gate_refuses_is_not_recognised() {
    let mapping = r#"
        format = "sealed-persona"
        kind = "persona"
        label = "A persona with a seal that no fresh file has"
        lost = ["brief", "sections", "sectionOrder", "traits", "identity", "presentation", "knowledgeRefs", "rating",
                "chatInjection", "attribution", "media"]
        [detect]
        all = [{ at = "name", is = "string" }, { at = "content", is = "string" }, { at = "seal", is = "string" }]
        [fields]
        name = { to = "name", need = true }
        content = { to = "content", need = true }
        seal = { is = "string" }
    "#;
    let mut formats = bunzai::registry();
    formats.add(Box::new(bunzai::load("sealed.toml", mapping).unwrap()));
    let entity = json!({
        "schemaVersion": "1", "kind": "persona", "id": "w", "body": { "name": "W", "content": "" }
    });
    let mut fresh = vector(json!({ "canonical": entity }), json!({}));
    fresh.codec = "sealed-persona".into();
    let told: Vec<String> = run(&formats, &fresh).into_iter().map(|failure| failure.what).collect();
    assert_eq!(told, ["recognised"]);
}

#[test]
fn an_expectation_of_an_object_is_not_met_by_less() {
    let mut failures = Vec::new();
    let expect = json!({ "wire": { "a": 1, "b": 2 } });
    compare::check("wire", expect.as_object().unwrap(), &json!({ "a": 1 }), &mut failures);
    assert_eq!(failures.len(), 1);
}
