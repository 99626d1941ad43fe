//! Native files, and what they say of an export.

use bunzai::{Codec, Error, Format as _, Input, MarinaraPersona, NATIVE_FORMAT};

use crate::sample;

#[test]
fn a_profile_of_the_format_is_laid_over_the_body() {
    let source = sample("wren.persona.json");
    let mut entity = MarinaraPersona::to_canonical(source.as_str()).unwrap().entity;
    let profile = serde_json::json!({ "name": "Wren of the marsh" });
    entity.profiles.insert("marinara-persona".into(), profile.as_object().unwrap().clone());
    entity.profiles.insert("other".into(), bunzai::Extras::new());
    let exported = MarinaraPersona::from_canonical(&entity).unwrap();
    let text = String::from_utf8(exported.bytes().into_owned()).unwrap();
    assert_eq!(text, source.replace("Wren Aldermoor", "Wren of the marsh"));
    assert_eq!(exported.warnings().len(), 1, "{:?}", exported.warnings());
}

#[test]
fn a_twin_that_was_printed_anew_is_told_until_it_is_read_anew() {
    let source = sample("wren.persona.json");
    let formats = bunzai::formats();
    let marinara = formats.format("marinara-persona").unwrap();
    let imported = marinara.import(Input::new(source)).unwrap();
    let native =
        String::from_utf8(NATIVE_FORMAT.export((&imported.entity).into()).unwrap().bytes().into_owned()).unwrap();
    let reprinted = native.replace("\"creator\": \"tidepool\"", "\"creator\":\"tidepool\"");
    assert_ne!(native, reprinted);
    let warned = |native: &str| {
        let read = NATIVE_FORMAT.import(Input::new(native)).unwrap();
        let warnings = marinara.export((&read.entity).into()).unwrap().warnings().len();
        let saved = NATIVE_FORMAT.export((&read.entity).into()).unwrap().bytes().into_owned();
        (warnings, String::from_utf8(saved).unwrap())
    };
    assert_eq!(warned(&native).0, 0);
    let (warnings, saved) = warned(&reprinted);
    assert_eq!(warnings, 1);
    assert_eq!(warned(&saved).0, 1, "after the entity was saved once more nothing is told");
}

/// A native file in a layout of its own.
const NATIVE: &str = "{ \"schemaVersion\":\"1\",\n\t\"kind\": \"persona\", \"id\":\"x\",\n\t\"body\": {\n\t\t\"name\" : \"\\u0058\",\n\t\t\
                      \"content\" : \"\",\n\t\t\"traits\" : [ \"a\",\"b\" ]\n\t} }";

#[test]
fn a_native_file_is_edited_in_place() {
    let set = |pointer: &str, value: &str| NATIVE_FORMAT.set(NATIVE, pointer, value).unwrap();
    assert_eq!(set("/body/name", "Y"), NATIVE.replace("\\u0058", "Y"));
    assert_eq!(set("/body/traits/1", "c"), NATIVE.replace("\"b\"", "\"c\""));
    assert_eq!(set("/body/traits/-", "c"), NATIVE.replace("\"b\"", "\"b\",\"c\""));
    assert_eq!(set("/id", "7"), NATIVE.replace("\"x\"", "\"7\""));
    assert_eq!(set("/body/brief", "b").replace("\"brief\" : \"b\",\n\t\t", "").len(), NATIVE.len());
    assert_eq!(NATIVE_FORMAT.remove(NATIVE, "/body/traits/0").unwrap(), NATIVE.replace("\"a\",", ""));
    assert_eq!(
        NATIVE_FORMAT.remove(NATIVE, "/body/traits").unwrap(),
        NATIVE.replace(",\n\t\t\"traits\" : [ \"a\",\"b\" ]", "")
    );
    // What is there already is not written again.
    assert_eq!(set("/body/name", "X"), NATIVE.replace("\\u0058", "X"));
}

#[test]
fn a_native_file_is_not_edited_into_a_wrong_one() {
    let refused = |pointer: &str, value: &str| NATIVE_FORMAT.set(NATIVE, pointer, value).unwrap_err();
    assert!(matches!(refused("/body/rating", "adult"), Error::Invalid(_)));
    assert!(matches!(refused("/body/traits/5", "c"), Error::Nowhere { .. }));
    assert!(matches!(refused("name", "c"), Error::Nowhere { .. }));
    assert!(matches!(NATIVE_FORMAT.remove(NATIVE, "/body/content"), Err(Error::Invalid(_))));
    assert!(matches!(NATIVE_FORMAT.remove(NATIVE, "/body/brief"), Err(Error::Nowhere { .. })));
    assert!(matches!(NATIVE_FORMAT.set("[]", "/body/name", "c"), Err(Error::Invalid(_))));
}
