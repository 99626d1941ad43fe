//! What an edit does to a value that stands in a form of its own.

use bunzai::model::{PersonaBody, Swatch};
use bunzai::{AnyEntity, Entity, Format, Input};

/// A persona of which two lists may be bare.
fn persona() -> bunzai::Declared {
    let source = r#"
        format = "acme"
        kind   = "persona"
        label  = "Acme persona"
        lost   = ["sections", "sectionOrder", "identity", "presentation.*", "presentation.colors[].name", "knowledgeRefs", "rating", "brief",
                  "chatInjection", "attribution", "media"]
        detect = { all = [{ at = "name", is = "string" }, { at = "text", is = "string" }] }

        [fields]
        name   = { to = "name", need = true }
        text   = { to = "content", need = true }
        tags   = { to = "traits", lone = true, also = ["tag"], blank = "omit" }
        colour = { to = "presentation.colors", each = "colour", by = "hex", lone = true }

        [maps.colour.fields]
        hex   = { to = "hex" }
        label = { to = "label" }
    "#;
    bunzai::load("acme.toml", source).unwrap()
}

#[track_caller]
fn written(source: &str, edit: impl FnOnce(&mut PersonaBody)) -> String {
    let format = persona();
    let mut entity: Entity<PersonaBody> = format.import(Input::new(source)).unwrap().entity.downcast().unwrap();
    edit(&mut entity.body);
    let any: AnyEntity = entity.into();
    format.export((&any).into()).unwrap().text().into_owned()
}

const LINES: &str = r##"{
    "name": "Wren",
    "text": "I draw maps.",
    "tags": "shy",
    "colour": {"hex":"#123", "x": 1.0}
}"##;

#[test]
fn a_list_that_a_bare_item_becomes_is_laid_out_like_the_text_around_it() {
    let two = written(LINES, |body| body.traits.as_mut().unwrap().push("calm".into()));
    assert_eq!(two, LINES.replace("\"shy\"", "[\n        \"shy\",\n        \"calm\"\n    ]"));
    let none = written(LINES, |body| body.traits.as_mut().unwrap().clear());
    assert_eq!(none, LINES.replace("\"shy\"", "[]"));
    let line = r#"{"name": "Wren", "text": "I draw maps.", "tags": "shy"}"#;
    let three = written(line, |body| body.traits = Some(["calm", "shy", "kind"].map(str::to_owned).to_vec()));
    assert_eq!(three, line.replace("\"shy\"", "[\"calm\", \"shy\", \"kind\"]"));
    let tight = r#"{"name":"Wren","text":"I draw maps.","tags":"shy"}"#;
    let three = written(tight, |body| body.traits = Some(["calm", "shy", "kind"].map(str::to_owned).to_vec()));
    assert_eq!(three, tight.replace("\"shy\"", "[\"calm\",\"shy\",\"kind\"]"));
}

#[test]
fn a_bare_row_keeps_its_bytes_among_new_ones() {
    let two = written(LINES, |body| {
        let colors = body.presentation.as_mut().unwrap().colors.as_mut().unwrap();
        colors.push(Swatch { hex: "#456".into(), ..Swatch::default() });
    });
    let list = "[\n        {\"hex\":\"#123\", \"x\": 1.0},\n        {\n            \"hex\": \"#456\"\n        }\n    ]";
    assert_eq!(two, LINES.replace("{\"hex\":\"#123\", \"x\": 1.0}", list));
}

#[test]
fn a_bare_row_stays_bare_when_it_is_edited_and_when_it_is_another() {
    let edited = written(LINES, |body| {
        let colors = body.presentation.as_mut().unwrap().colors.as_mut().unwrap();
        colors[0].label = Some("sea".into());
    });
    assert_eq!(edited, LINES.replace("\"x\": 1.0", "\"label\":\"sea\", \"x\": 1.0"));
    let other = written(LINES, |body| {
        let colors = body.presentation.as_mut().unwrap().colors.as_mut().unwrap();
        colors[0].hex = "#456".into();
    });
    let new = "{\n        \"hex\": \"#456\"\n    }";
    assert_eq!(other, LINES.replace("{\"hex\":\"#123\", \"x\": 1.0}", new));
}

#[test]
fn a_blank_list_leaves_the_word_to_the_other_places() {
    let line = r#"{"name": "Wren", "text": "I draw maps.", "tags": [], "tag": "shy"}"#;
    assert_eq!(written(line, |_| {}), line);
    let other = written(line, |body| body.traits = Some(vec!["calm".into()]));
    assert_eq!(other, line.replace("shy", "calm"));
}
