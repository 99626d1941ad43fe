//! Native files, read in every way there is.

use bunzai::model::{LorebookBody, PresetBody, PromptFormatBody, QuickReplyBody};
use bunzai::shape::{Shape, Type, kind_schema};
use bunzai::{AnyEntity, Error, Format, Input, Kind, NATIVE_FORMAT, Problem};
use serde_json::Value;

/// The kinds under test.
pub(crate) const KINDS: [&str; 4] = ["lorebook", "preset", "promptformat", "quickreply"];

pub(crate) fn kind(name: &str) -> &'static Kind {
    NATIVE_FORMAT.kinds().iter().find(|kind| kind.name == name).unwrap()
}

/// The file of a kind that has every field.
pub(crate) fn text(kind: &str) -> &'static str {
    match kind {
        "lorebook" => include_str!("lorebook.bunzai.json"),
        "preset" => include_str!("preset.bunzai.json"),
        "promptformat" => include_str!("promptformat.bunzai.json"),
        "quickreply" => include_str!("quickreply.bunzai.json"),
        other => panic!("no file has every field of {other}"),
    }
}

pub(crate) fn sample(kind: &str) -> Value {
    serde_json::from_str(text(kind)).unwrap()
}

pub(crate) fn read(text: &str) -> Result<AnyEntity, Vec<Problem>> {
    match NATIVE_FORMAT.import(Input::new(text)) {
        Ok(imported) => Ok(imported.entity),
        Err(Error::Invalid(problems)) => Err(problems),
        Err(error) => panic!("{error}"),
    }
}

pub(crate) fn print(entity: &AnyEntity) -> String {
    let out = NATIVE_FORMAT.export(entity.into()).unwrap();
    String::from_utf8(out.bytes().into_owned()).unwrap()
}

/// An object of a file whose fields are known.
pub(crate) struct Place {
    pub(crate) at: String,
    pub(crate) shape: &'static Shape,
}

/// Every such object of a file, the body first.
pub(crate) fn places(kind: &str, file: &Value) -> Vec<Place> {
    let mut places = Vec::new();
    find(Type::Node(self::kind(kind).shape), &file["body"], "/body", &mut places);
    places
}

fn find(ty: Type, value: &Value, at: &str, places: &mut Vec<Place>) {
    match (ty, value) {
        (Type::Node(shape), Value::Object(members)) => {
            places.push(Place { at: at.to_owned(), shape });
            for field in shape.fields {
                if let Some(value) = members.get(field.name) {
                    find(field.ty, value, &format!("{at}/{}", field.name), places);
                }
            }
        }
        (Type::List(item), Value::Array(items)) => {
            for (n, value) in items.iter().enumerate() {
                find(*item, value, &format!("{at}/{n}"), places);
            }
        }
        _ => {}
    }
}

/// The sample of a kind in which one object was changed.
pub(crate) fn with(kind: &str, at: &str, change: impl FnOnce(&mut Value)) -> Value {
    let mut file = sample(kind);
    change(file.pointer_mut(at).unwrap_or_else(|| panic!("no {at}")));
    file
}

/// The readers of a kind: the native file, serde and the schema.
pub(crate) struct Readers {
    kind: &'static str,
    schema: jsonschema::Validator,
}

impl Readers {
    pub(crate) fn of(kind: &'static str) -> Self {
        let schema = kind_schema(self::kind(kind)).to_value();
        Self { kind, schema: jsonschema::validator_for(&schema).unwrap() }
    }

    fn serde(&self, file: &Value) -> bool {
        let body = file["body"].clone();
        match self.kind {
            "lorebook" => serde_json::from_value::<LorebookBody>(body).is_ok(),
            "preset" => serde_json::from_value::<PresetBody>(body).is_ok(),
            "promptformat" => serde_json::from_value::<PromptFormatBody>(body).is_ok(),
            "quickreply" => serde_json::from_value::<QuickReplyBody>(body).is_ok(),
            other => panic!("no body is known for {other}"),
        }
    }

    /// A file that every reader takes, and that prints as it is.
    #[track_caller]
    pub(crate) fn take(&self, file: &Value) {
        let text = format!("{file:#}\n");
        let entity = read(&text).unwrap_or_else(|problems| panic!("{problems:?}"));
        assert_eq!(print(&entity), text);
        assert!(self.serde(file), "serde refuses {text}");
        assert!(self.schema.is_valid(file), "the schema refuses {text}");
    }

    /// A file that every reader refuses, for one thing at one place.
    #[track_caller]
    pub(crate) fn refuse(&self, file: &Value, at: &str, message: &str) {
        assert!(!self.schema.is_valid(file), "the schema takes a wrong {at}");
        self.refuse_but_for_the_schema(file, at, message);
    }

    #[track_caller]
    pub(crate) fn refuse_but_for_the_schema(&self, file: &Value, at: &str, message: &str) {
        let problems = read(&file.to_string()).expect_err(at);
        let told: Vec<(&str, &str)> = problems.iter().map(|p| (p.at.as_str(), p.message.as_str())).collect();
        assert!(
            matches!(told[..], [(place, said)] if place == at && said.contains(message)),
            "{at} {message}: {told:?}"
        );
        assert!(!self.serde(file), "serde takes a wrong {at}");
    }
}
