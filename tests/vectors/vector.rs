//! Reading the vectors, and what is wrong with one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde_json::{Map, Value};

use crate::layout::{self, Layout};

type Object = Map<String, Value>;

const WORDS: [&str; 8] = ["name", "codec", "why", "basis", "input", "expect", "skip", "later"];
const BASES: [&str; 5] = ["seed", "upstream", "app", "proposal", "malformed"];
const CARRIERS: [&str; 5] = ["json", "text", "base64", "zip", "canonical"];
const INPUT: [&str; 9] = ["json", "text", "base64", "zip", "canonical", "filename", "edit", "from", "to"];
/// What is asked of the entity that was read.
pub(crate) const OF_ENTITY: [&str; 5] =
    ["canonical", "canonical_any", "canonical_subset", "canonical_at", "canonical_absent"];
/// What is asked of the file that was written.
pub(crate) const OF_WIRE: [&str; 10] = [
    "wire",
    "wire_any",
    "wire_subset",
    "wire_at",
    "wire_absent",
    "wire_text",
    "key_order",
    "lost",
    "coerced",
    "export_error",
];
const OF_BOTH: [&str; 4] = ["detect", "error", "message", "warnings"];

/// One vector.
#[derive(Debug)]
pub(crate) struct Vector {
    pub(crate) name: String,
    pub(crate) codec: String,
    pub(crate) why: String,
    pub(crate) skip: Option<String>,
    pub(crate) input: Object,
    pub(crate) expect: Object,
}

/// The bytes of the input, and in which layout they are.
pub(crate) struct Source {
    pub(crate) layout: &'static str,
    pub(crate) bytes: Vec<u8>,
}

impl Vector {
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let Value::Object(vector) = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))? else {
            return Err("not an object".into());
        };
        let word = |key: &str| {
            vector.get(key).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| format!("no text `{key}`"))
        };
        let object = |key: &str| match vector.get(key) {
            Some(Value::Object(object)) => Ok(object.clone()),
            _ => Err(format!("no object `{key}`")),
        };
        known(&vector, &[&WORDS])?;
        let basis = word("basis")?;
        if !BASES.contains(&basis.as_str()) {
            return Err(format!("unknown basis `{basis}`"));
        }
        let skip = vector.get("skip").map(|_| word("skip")).transpose()?;
        let read = Self {
            name: word("name")?,
            codec: word("codec")?,
            why: word("why")?,
            skip,
            input: object("input")?,
            expect: object("expect")?,
        };
        read.check()?;
        Ok(read)
    }

    fn check(&self) -> Result<(), String> {
        known(&self.input, &[&INPUT])?;
        known(&self.expect, &[&OF_ENTITY, &OF_WIRE, &OF_BOTH])?;
        if CARRIERS.iter().filter(|carrier| self.input.contains_key(**carrier)).count() != 1 {
            return Err(format!("an input needs exactly one of {}", CARRIERS.join(", ")));
        }
        if self.input.contains_key("zip") && self.skip.is_none() {
            return Err("archives cannot be written here yet; give the vector a `skip`".into());
        }
        if self.input.contains_key("json") && self.expect.contains_key("wire_text") {
            return Err("`wire_text` needs a `text`: a `json` is written in several layouts".into());
        }
        if !self.file_name().split('/').all(|part| !part.is_empty() && part != "..") {
            return Err("a file name may not leave its folder".into());
        }
        Ok(())
    }

    /// Whether it has no document, but an entity to be written.
    pub(crate) fn is_fresh(&self) -> bool {
        self.input.contains_key("canonical")
    }

    /// The format it is read as.
    pub(crate) fn source(&self) -> &str {
        self.input.get("from").and_then(Value::as_str).unwrap_or(&self.codec)
    }

    /// The format it is written as.
    pub(crate) fn target(&self) -> &str {
        self.input.get("to").and_then(Value::as_str).unwrap_or(&self.codec)
    }

    pub(crate) fn file_name(&self) -> String {
        let given = self.input.get("filename").and_then(Value::as_str);
        given.map_or_else(|| format!("{}.json", self.name), str::to_owned)
    }

    pub(crate) fn edit(&self) -> Option<&[Value]> {
        self.input.get("edit").and_then(Value::as_array).map(Vec::as_slice)
    }

    /// Whether one of these is asked.
    pub(crate) fn asks(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.expect.contains_key(*word))
    }

    pub(crate) fn is_asked(&self, word: &str) -> bool {
        self.expect.get(word) == Some(&Value::Bool(true))
    }

    /// The input in every layout it is tried in.
    pub(crate) fn sources(&self) -> Result<Vec<Source>, String> {
        let one = |bytes: Vec<u8>| vec![Source { layout: "", bytes }];
        let text = |key: &str| self.input.get(key).and_then(Value::as_str);
        if let Some(value) = self.input.get("json") {
            let source = |layout: &Layout| Source { layout: layout.name, bytes: layout.write(value).into_bytes() };
            return Ok(layout::LAYOUTS.iter().map(source).collect());
        }
        if let Some(value) = self.input.get("canonical") {
            return Ok(one(layout::pretty(value).into_bytes()));
        }
        if let Some(text) = text("text") {
            return Ok(one(text.as_bytes().to_owned()));
        }
        let base64 = text("base64").ok_or("the input is of no type known here")?;
        BASE64_STANDARD.decode(base64).map(one).map_err(|error| format!("base64: {error}"))
    }
}

fn known(given: &Object, words: &[&[&str]]) -> Result<(), String> {
    match given.keys().find(|key| !words.iter().any(|words| words.contains(&key.as_str()))) {
        Some(odd) => Err(format!("unknown key `{odd}`")),
        None => Ok(()),
    }
}

/// The vectors of a folder and the folders in it, in the order of their paths.
pub(crate) fn collect(folder: &Path) -> Vec<Result<Vector, String>> {
    let mut paths = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    let mut taken: HashMap<String, PathBuf> = HashMap::new();
    let mut read = |path: &Path| {
        let vector = Vector::read(&std::fs::read_to_string(path).unwrap())?;
        if path.file_stem().is_none_or(|stem| stem != vector.name.as_str()) {
            return Err(format!("the name is `{}`", vector.name));
        }
        match taken.insert(vector.name.clone(), path.to_owned()) {
            Some(other) => Err(format!("the name is taken by {}", other.display())),
            None => Ok(vector),
        }
    };
    paths.iter().map(|path| read(path).map_err(|wrong| format!("{}: {wrong}", path.display()))).collect()
}
