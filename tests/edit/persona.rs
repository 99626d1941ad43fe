//! Personas.

use bunzai::model::{PersonaBody, PersonaPresentation};
use bunzai::{Codec, MarinaraPersona};

use crate::{carried, edited, sample, slot};

#[track_caller]
fn persona(source: &str, edit: impl FnOnce(&mut PersonaBody)) -> String {
    carried::<MarinaraPersona>(source, edit)
}

#[test]
fn each_slot_of_a_persona_is_rewritten_alone_in_every_layout() {
    type Edit = (&'static str, fn(&mut PersonaBody, String));
    let edits: &[Edit] = &[
        ("/name", |body, text| body.name = text),
        ("/description", |body, text| body.content = text),
        ("/comment", |body, text| body.brief = Some(text)),
        ("/personality", |body, text| body.sections.as_mut().unwrap().personality = Some(text)),
        ("/appearance", |body, text| body.sections.as_mut().unwrap().appearance = Some(text)),
        ("/backstory", |body, text| body.sections.as_mut().unwrap().history = Some(text)),
        ("/avatarPath", |body, text| body.presentation.as_mut().unwrap().image_url = Some(text)),
    ];
    let samples = [
        ("wren.persona.json", ""),
        ("wren-compact.persona.json", ""),
        ("wren-tabs.persona.json", ""),
        ("wren-bom.persona.json", ""),
        ("wren-crlf.persona.json", ""),
        ("ilse.persona-export.json", "/data"),
    ];
    for (name, root) in samples {
        let source = sample(name);
        for (pointer, edit) in edits {
            // The envelope has no picture and an empty appearance, which is no slot of a value.
            if !root.is_empty() && ["/avatarPath", "/appearance"].contains(pointer) {
                continue;
            }
            let new = "new \"text\"\twith \u{1f30a} and \\".to_owned();
            let text = persona(&source, |body| edit(body, new.clone()));
            let at = format!("{root}{pointer}");
            let (was, is) = (slot(&source, &at), slot(&text, &at));
            assert_eq!(source[..was.start], text[..is.start], "{name} {at}: before it");
            assert_eq!(source[was.end..], text[is.end..], "{name} {at}: behind it");
            assert_eq!(serde_json::from_str::<String>(&text[is]).unwrap(), new, "{name} {at}");
        }
    }
}

#[test]
fn a_value_that_goes_takes_its_comma_with_it() {
    let source = sample("wren-tabs.persona.json");
    let text = persona(&source, |body| body.brief = None);
    let line = source.split_inclusive('\n').find(|line| line.contains("\"comment\"")).unwrap();
    // The white space between the places stays: what goes is the comma and the space before it.
    assert_eq!(text.len(), source.len() - line.len(), "{text}");
    assert!(!text.contains("tide clock"));
    let first = "{\n  \"comment\": \"a\",\n  \"id\": \"p\", \"name\": \"\", \"description\": \"\", \"personality\": \"\", \"boxColor\": 1\n}";
    let text = persona(first, |body| body.brief = None);
    assert_eq!(text, first.replace("\"comment\": \"a\",\n  ", ""));
}

#[test]
fn a_new_value_stands_behind_its_neighbour_in_the_neighbours_layout() {
    let lines = "{\r\n\t\"id\" : \"p\",\r\n\t\"name\" : \"N\",\r\n\t\"description\" : \"\",\r\n\t\"personality\" : \"\",\r\n\t\
                 \"boxColor\" : \"\"\r\n}";
    let text = persona(lines, |body| body.brief = Some("b".into()));
    assert_eq!(text, lines.replace("\"personality\" : \"\",", "\"personality\" : \"\",\r\n\t\"comment\" : \"b\","));
    let compact = r#"{"boxColor":"","personality":"","description":"","name":"N","id":"p"}"#;
    let text = persona(compact, |body| {
        body.presentation =
            Some(PersonaPresentation { signature_color: None, colors: None, image_url: Some("/x".into()) });
    });
    assert_eq!(text, compact.replace("\"personality\":\"\",", "\"personality\":\"\",\"avatarPath\":\"/x\","));
}

#[test]
fn what_is_not_there_stays_and_what_is_said_to_be_nothing_clears() {
    let source = sample("wren.persona.json");
    let past = |body: &mut PersonaBody, text: Option<&str>| {
        body.sections.as_mut().unwrap().history = text.map(str::to_owned);
    };
    let (kept, _) = edited::<MarinaraPersona>(&source, |body| past(body, None));
    assert!(kept.text == source, "{}", kept.text);
    assert_eq!(kept.named, ["/body/sections/history"]);
    // A blank reads as nothing, which is no loss.
    let (cleared, _) = edited::<MarinaraPersona>(&source, |body| past(body, Some("")));
    let (was, is) = (slot(&source, "/backstory"), slot(&cleared.text, "/backstory"));
    assert_eq!(cleared.text, [&source[..was.start], "\"\"", &source[was.end..]].concat());
    assert_eq!((&cleared.text[is], cleared.named.len()), ("\"\"", 0));
}

#[test]
fn an_entity_that_was_not_edited_is_the_source_itself() {
    for name in ["wren-tabs.persona.json", "ilse.persona-export.json"] {
        let source = sample(name);
        let entity = MarinaraPersona::to_canonical(source.as_str()).unwrap().entity;
        let exported = MarinaraPersona::from_canonical(&entity).unwrap();
        assert!(exported.is_source() && exported.bytes() == source.as_bytes(), "{name}");
        assert!(exported.report().unwrap().is_lossless(), "{name}");
    }
}
