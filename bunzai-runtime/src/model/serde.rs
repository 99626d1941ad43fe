//! Serde for canonical types, written once over [`View`]; the derive only forwards to it.

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::{FieldShape, Problems, Typed, View, read_field};
use crate::error::Problem;
use crate::json::Cursor;

/// Serializes a canonical struct.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<S: Serializer>(view: View<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    match view {
        View::Absent | View::Null => serializer.serialize_unit(),
        View::Bool(b) => serializer.serialize_bool(b),
        View::Number(n) => serde_json::Number::from(n).serialize(serializer),
        View::Text(text) => serializer.serialize_str(text),
        View::List(list) => {
            let mut seq = serializer.serialize_seq(Some(list.len()))?;
            for item in (0..list.len()).filter_map(|n| list.item(n)) {
                seq.serialize_element(&Viewed(item.view()))?;
            }
            seq.end()
        }
        View::Dict(dict) => {
            let mut map = serializer.serialize_map(Some(dict.len()))?;
            let mut result = Ok(());
            dict.each(&mut |key, field| {
                if result.is_ok() {
                    result = map.serialize_entry(key, &Viewed(field.view()));
                }
            });
            result?;
            map.end()
        }
        View::Node(node) => {
            let present = |n: usize| node.field(n).map(|f| f.view()).filter(|v| !v.is_absent());
            let fields = node.shape().fields;
            let count = (0..fields.len()).filter(|n| present(*n).is_some()).count();
            let mut map = serializer.serialize_map(Some(count))?;
            for (n, field) in fields.iter().enumerate() {
                if let Some(view) = present(n) {
                    map.serialize_entry(field.name, &Viewed(view))?;
                }
            }
            map.end()
        }
    }
}

struct Viewed<'a>(View<'a>);

impl Serialize for Viewed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(self.0, serializer)
    }
}

/// Deserializes a canonical type as strictly as a native file is read: no unknown key, no missing
/// one, no value of another type.
///
/// # Errors
/// The problems found, and those of the deserializer.
pub fn deserialize<'de, T: Typed, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    // By way of text, so that there is one strict reader and not two that might disagree.
    let text = serde_json::Value::deserialize(deserializer)?.to_string();
    from_json(&text).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(|p| format!("{}: {}", p.at, p.message)).collect();
        D::Error::custom(lines.join("; "))
    })
}

/// Reads a canonical type from JSON text, strictly.
fn from_json<T: Typed>(text: &str) -> Result<T, Vec<Problem>> {
    let mut value = T::blank();
    let mut problems = Problems::new(text);
    let shape = FieldShape { name: "", ty: T::TYPE, optional: false, nullable: T::NULLABLE, doc: "", producers: "" };
    let mut cursor = Cursor::starting_at(text, 0, 0);
    let end = read_field(&mut value, &shape, &mut cursor, &mut problems).and_then(|()| cursor.end());
    if let Err(error) = end {
        problems.add(error.at, error.kind.to_string());
    }
    if problems.is_empty() { Ok(value) } else { Err(problems.into_list()) }
}
