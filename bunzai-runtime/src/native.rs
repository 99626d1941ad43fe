//! The native file: an entity of any kind as JSON, strict at every level, with the twins in it.

use std::collections::HashSet;
use std::io::{self, Write};
use std::ops::Range;

use indexmap::IndexMap;

use crate::entity::{AnyEntity, Entity, EntityRef, Note, Original, SourceMedia};
use crate::error::{Error, Problem, Warning, WarningKind};
use crate::format::{Exported, Format, Imported};
use crate::input::Input;
use crate::json::{Change, Cursor, Member, Pointer, SyntaxError, SyntaxErrorKind, Value, locate, members, set};
use crate::model::{Body, Container, Extras, Kind, Problems, Type, View, read_field, read_node, unknown, write_view};

/// The id of the native format.
pub const NATIVE: &str = "bunzai";

/// The extension of native files.
pub(crate) const EXTENSION: &str = "bunzai.json";

const VERSION: &str = "1";

/// The keys of the wrapper, in order.
const KEYS: [&str; 7] = ["schemaVersion", "kind", "id", "body", "profiles", "original", "notes"];

/// The native format of some kinds.
#[derive(Debug)]
pub struct Native {
    kinds: &'static [Kind],
}

impl Native {
    /// The native format of these kinds.
    pub const fn new(kinds: &'static [Kind]) -> Self {
        Self { kinds }
    }

    /// The kinds.
    pub fn kinds(&self) -> &'static [Kind] {
        self.kinds
    }

    /// Sets one value of a native file, by its JSON pointer, and keeps every other byte.
    ///
    /// The value is JSON, or text where only text fits. Objects that are missing on the way are
    /// made; `-` as the last step appends to a list.
    ///
    /// # Errors
    /// When the file is no native file, the pointer leads nowhere, or the file would be wrong
    /// afterwards; then the error lists what would be wrong.
    pub fn set(&self, text: &str, pointer: &str, value: &str) -> Result<String, Error> {
        let json = Value::read(&mut Cursor::new(value)).ok().flatten();
        let whole = json.filter(|_| {
            let mut cursor = Cursor::new(value);
            cursor.skip().and_then(|()| cursor.end()).is_ok()
        });
        let mut wrong = None;
        for value in whole.into_iter().chain([Value::text(value)]) {
            let changed = self.change(text, pointer, Change::Set(&value))?;
            match read(&changed, self.kinds) {
                Ok(_) => return Ok(changed),
                Err(problems) => wrong = wrong.or(Some(problems)),
            }
        }
        Err(Error::Invalid(wrong.unwrap_or_default()))
    }

    /// Takes one value of a native file away, by its JSON pointer, and keeps every other byte.
    ///
    /// # Errors
    /// As those of [`Native::set`].
    pub fn remove(&self, text: &str, pointer: &str) -> Result<String, Error> {
        let changed = self.change(text, pointer, Change::Remove)?;
        read(&changed, self.kinds).map_err(Error::Invalid)?;
        Ok(changed)
    }

    fn change(&self, text: &str, pointer: &str, change: Change<'_>) -> Result<String, Error> {
        let (entity, _) = read(text, self.kinds).map_err(Error::Invalid)?;
        let nowhere = || Error::Nowhere { at: pointer.to_owned() };
        let steps = Pointer::steps(pointer).ok_or_else(nowhere)?;
        let body = locate(text, "/body").filter(|_| steps.len() > 1 && steps.first().is_some_and(|key| key == "body"));
        let done = match body {
            Some(at) => set(text, at, &steps[1..], Some(Type::Node(entity.body.as_node().shape())), change),
            None => set(text, 0..text.len(), &steps, None, change),
        };
        done.map_err(|error| Error::syntax(text, error))?.ok_or_else(nowhere)
    }

    /// Whether a text calls itself a native file: it has a version and a kind.
    pub(crate) fn claims(text: &str) -> bool {
        let Ok(object) = members(text, 0) else { return false };
        ["schemaVersion", "kind"].iter().all(|key| object.inside.iter().any(|member| member.key == *key))
    }
}

impl crate::format::Sealed for Native {}

impl Format for Native {
    fn id(&self) -> &str {
        NATIVE
    }

    fn kind(&self) -> Option<&str> {
        None
    }

    fn label(&self) -> &str {
        "Bunzai"
    }

    fn about(&self) -> &str {
        "The canonical file: the shared model of every kind, with the documents it came from in escrow."
    }

    fn extensions(&self) -> Vec<&str> {
        vec![EXTENSION]
    }

    /// 1 when the strict reader takes it, else 0.
    fn score(&self, text: &str) -> f64 {
        let is_one = Self::claims(text) && read(text, self.kinds).is_ok();
        f64::from(u8::from(is_one))
    }

    fn import(&self, input: Input) -> Result<Imported<Box<dyn Body>>, Error> {
        let text = input.document()?;
        // What is not JSON at all is told as such, whatever it was to be read as.
        let whole = |mut cursor: Cursor<'_>| cursor.skip().and_then(|()| cursor.end());
        whole(Cursor::new(text))
            .or_else(|error| match error.kind {
                SyntaxErrorKind::Depth if Self::claims(text) => whole(Cursor::starting_at(text, 0, 0)),
                _ => Err(error),
            })
            .map_err(|error| Error::syntax(text, error))?;
        let (entity, replaced) = read(text, self.kinds).map_err(Error::Invalid)?;
        let mut warnings = Vec::new();
        if replaced {
            warnings.push(Warning {
                at: String::new(),
                kind: WarningKind::Surrogate,
                message: "half of a surrogate pair reads as U+FFFD".into(),
            });
        }
        Ok(Imported { entity, warnings })
    }

    fn export<'e>(&'e self, entity: EntityRef<'e>) -> Result<Exported<'e>, Error> {
        Ok(Exported::native(entity))
    }
}

/// Prints an entity: two spaces a level, the twins as they are, and a final line break.
pub(crate) fn write(entity: EntityRef<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut wrapper = Container::open(b'{', 0, out)?;
    let text = |key: &str, value: &str, wrapper: &mut Container, out: &mut dyn Write| {
        wrapper.key(key, out)?;
        write_view(View::Text(value), 1, out)
    };
    text(KEYS[0], VERSION, &mut wrapper, out)?;
    text(KEYS[1], entity.body.kind(), &mut wrapper, out)?;
    text(KEYS[2], entity.id, &mut wrapper, out)?;
    wrapper.key(KEYS[3], out)?;
    write_view(View::Node(entity.node()), 1, out)?;
    if !entity.profiles.is_empty() {
        wrapper.key(KEYS[4], out)?;
        let mut profiles = Container::open(b'{', 1, out)?;
        for (format, profile) in entity.profiles {
            profiles.key(format, out)?;
            write_view(View::Dict(profile), 2, out)?;
        }
        profiles.close(b'}', out)?;
    }
    if !entity.original.is_empty() {
        wrapper.key(KEYS[5], out)?;
        let mut originals = Container::open(b'{', 1, out)?;
        for (format, original) in entity.original {
            originals.key(format, out)?;
            write_original(original, out)?;
        }
        originals.close(b'}', out)?;
    }
    if !entity.notes.is_empty() {
        wrapper.key(KEYS[6], out)?;
        let mut notes = Container::open(b'[', 1, out)?;
        for note in entity.notes {
            notes.next(out)?;
            let mut members = Container::open(b'{', 2, out)?;
            let by = note.by.as_deref();
            let fields = [("id", Some(&*note.id)), ("text", Some(&*note.text)), ("at", Some(&*note.at)), ("by", by)];
            for (key, value) in fields.into_iter().filter_map(|(key, value)| Some((key, value?))) {
                members.key(key, out)?;
                write_view(View::Text(value), 3, out)?;
            }
            members.close(b'}', out)?;
        }
        notes.close(b']', out)?;
    }
    wrapper.close(b'}', out)?;
    out.write_all(b"\n")
}

fn write_original(original: &Original, out: &mut dyn Write) -> io::Result<()> {
    let mut entry = Container::open(b'{', 2, out)?;
    entry.key("raw", out)?;
    out.write_all(original.raw().as_bytes())?;
    let mut unmapped = original.unmapped.clone();
    for (key, text) in [("lead", original.lead()), ("tail", original.tail())] {
        if !text.is_empty() {
            unmapped.insert(key.into(), text.into());
        }
    }
    unmapped.insert("sum".into(), original.sum().into());
    entry.key("unmapped", out)?;
    write_view(View::Dict(&unmapped), 3, out)?;
    if let Some(media) = &original.media {
        entry.key("sourceMedia", out)?;
        let mut members = Container::open(b'{', 3, out)?;
        for (key, value) in [("b64", &media.b64), ("mime", &media.mime)] {
            members.key(key, out)?;
            write_view(View::Text(value), 4, out)?;
        }
        members.close(b'}', out)?;
    }
    entry.close(b'}', out)
}

pub(crate) fn checksum(text: &str) -> String {
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
}

/// Reads a native file, strictly; true beside it when a lone surrogate was read as U+FFFD.
pub(crate) fn read(text: &str, kinds: &[Kind]) -> Result<(AnyEntity, bool), Vec<Problem>> {
    let mut problems = Problems::new(text);
    let mut reader = Reader { text, problems: &mut problems };
    let entity = match reader.entity(kinds) {
        Ok(entity) => entity,
        Err(error) => {
            problems.path = crate::json::Pointer::root();
            problems.add(error.at, error.kind.to_string());
            None
        }
    };
    let replaced = problems.replaced;
    match entity {
        Some(entity) if problems.is_empty() => Ok((entity, replaced)),
        _ => Err(problems.into_list()),
    }
}

struct Reader<'t, 'p> {
    text: &'t str,
    problems: &'p mut Problems<'t>,
}

impl<'t> Reader<'t, '_> {
    fn entity(&mut self, kinds: &[Kind]) -> Result<Option<AnyEntity>, SyntaxError> {
        if Cursor::starting_at(self.text, 0, 0).peek()? != b'{' {
            self.problems.add(0, "expected an object");
            return Ok(None);
        }
        let object = self.members(0..0, Some(&KEYS), &KEYS[..4])?;
        let span = |key: &str| object.iter().find(|member| member.key == key).map(|member| member.value.clone());
        let version = self.text_at("schemaVersion", span("schemaVersion"))?;
        if let (Some(version), Some(at)) = (version, span("schemaVersion"))
            && version != VERSION
        {
            let message = format!("expected \"{VERSION}\", found {version:?}; no other version is known");
            self.problems.add_at("schemaVersion", at.start, message);
        }
        let id = self.text_at("id", span("id"))?;
        if let (Some(""), Some(at)) = (id.as_deref(), span("id")) {
            self.problems.add_at("id", at.start, "an id is never empty");
        }
        let name = self.text_at("kind", span("kind"))?;
        let kind = name.as_deref().and_then(|name| kinds.iter().find(|kind| kind.name == name));
        if let (Some(name), None, Some(at)) = (&name, kind, span("kind")) {
            let known: Vec<_> = kinds.iter().map(|kind| kind.name).collect();
            self.problems.add_at("kind", at.start, format!("no kind {name:?}; there are {}", known.join(", ")));
        }
        let profiles = self.profiles(span("profiles"), kind)?;
        let original = self.originals(span("original"))?;
        let notes = self.notes(span("notes"))?;
        let (Some(kind), Some(at)) = (kind, span("body")) else { return Ok(None) };
        let mut body = kind.blank();
        self.object_at("body", at, |reader, at| {
            read_node(body.as_node_mut(), &mut Cursor::starting_at(reader.text, at.start, 1), reader.problems)
        })?;
        let mut entity = Entity::with_id(id.unwrap_or_default(), body);
        (entity.profiles, entity.original, entity.notes) = (profiles, original, notes);
        Ok(Some(entity))
    }

    /// The members of the object at a span, which has no key twice, no other keys than the known
    /// ones, and all that are needed.
    fn members(
        &mut self,
        at: Range<usize>,
        known: Option<&[&str]>,
        needed: &[&str],
    ) -> Result<Vec<Member<'t>>, SyntaxError> {
        let object = members(self.text, at.start)?;
        let mut seen = HashSet::with_capacity(object.inside.len());
        for member in &object.inside {
            if let Some(known) = known.filter(|known| !known.contains(&member.key.as_ref())) {
                self.problems.add_at(&member.key, member.start, unknown(&member.key, known.iter().copied()));
            } else if !seen.insert(member.key.as_ref()) {
                self.problems.add_at(&member.key, member.start, format!("the key `{}` stands here twice", member.key));
            }
        }
        for key in needed.iter().filter(|key| !object.inside.iter().any(|member| member.key == **key)) {
            self.problems.add_at(key, object.span.start, format!("the key `{key}` is missing"));
        }
        Ok(object.inside)
    }

    fn text_at(&mut self, key: &str, at: Option<Range<usize>>) -> Result<Option<String>, SyntaxError> {
        let Some(at) = at else { return Ok(None) };
        let mut cursor = Cursor::starting_at(self.text, at.start, 1);
        if cursor.peek()? != b'"' {
            self.problems.add_at(key, at.start, "expected a string");
            return Ok(None);
        }
        Ok(Some(cursor.text()?.into_owned()))
    }

    /// Goes into the value of a key, which must be an object.
    fn object_at<T: Default>(
        &mut self,
        key: &str,
        at: Range<usize>,
        read: impl FnOnce(&mut Self, Range<usize>) -> Result<T, SyntaxError>,
    ) -> Result<T, SyntaxError> {
        let length = self.problems.path.len();
        self.problems.path.push(key);
        let value = if self.text.as_bytes().get(at.start) == Some(&b'{') {
            read(self, at)?
        } else {
            self.problems.add(at.start, "expected an object");
            T::default()
        };
        self.problems.path.cut(length);
        Ok(value)
    }

    fn profiles(
        &mut self,
        at: Option<Range<usize>>,
        kind: Option<&Kind>,
    ) -> Result<IndexMap<String, Extras>, SyntaxError> {
        let Some(at) = at else { return Ok(IndexMap::new()) };
        self.object_at("profiles", at, |reader, at| {
            let mut profiles = IndexMap::new();
            for member in reader.members(at, None, &[])? {
                let profile = reader.object_at(&member.key, member.value, |reader, at| reader.profile(at, kind))?;
                profiles.insert(member.key.into_owned(), profile);
            }
            Ok(profiles)
        })
    }

    /// A profile: some keys of the body, each with a complete value.
    fn profile(&mut self, at: Range<usize>, kind: Option<&Kind>) -> Result<Extras, SyntaxError> {
        let mut profile = Extras::new();
        for member in self.members(at, None, &[])? {
            let Some(kind) = kind else { continue };
            let mut body = kind.blank();
            let index = kind.shape.find(member.key.as_bytes());
            match index.and_then(|n| Some((n, body.as_node_mut().field_mut(n)?))) {
                None => {
                    let known = kind.shape.fields.iter().map(|field| field.name);
                    self.problems.add_at(&member.key, member.start, unknown(&member.key, known));
                }
                Some((n, field)) => {
                    let length = self.problems.path.len();
                    self.problems.path.push(&member.key);
                    let known = self.problems.len();
                    let mut cursor = Cursor::starting_at(self.text, member.value.start, 3);
                    read_field(field, &kind.shape.fields[n], &mut cursor, self.problems)?;
                    if let Some(value) = field.view().value() {
                        profile.insert(member.key.to_string(), value.into());
                    }
                    // What the rest of the body would make of it is another matter.
                    if self.problems.len() == known {
                        for fault in body.as_node().faults().into_iter().filter(|fault| fault.field == member.key) {
                            self.problems.add(member.value.start, fault.message);
                        }
                    }
                    self.problems.path.cut(length);
                }
            }
        }
        Ok(profile)
    }

    fn originals(&mut self, at: Option<Range<usize>>) -> Result<IndexMap<String, Original>, SyntaxError> {
        let Some(at) = at else { return Ok(IndexMap::new()) };
        self.object_at("original", at, |reader, at| {
            let mut originals = IndexMap::new();
            for member in reader.members(at, None, &[])? {
                let original = reader.object_at(&member.key, member.value, Self::original)?;
                originals.extend(original.map(|original| (member.key.into_owned(), original)));
            }
            Ok(originals)
        })
    }

    fn original(&mut self, at: Range<usize>) -> Result<Option<Original>, SyntaxError> {
        let entry = self.members(at, Some(&["raw", "unmapped", "sourceMedia"]), &["raw"])?;
        let span = |key: &str| entry.iter().find(|member| member.key == key).map(|member| member.value.clone());
        let Some(raw) = span("raw").map(|at| &self.text[at]) else { return Ok(None) };
        let mut unmapped = match span("unmapped") {
            Some(at) => self.object_at("unmapped", at, |reader, at| {
                let value = Value::read(&mut Cursor::starting_at(reader.text, at.start, 3))?;
                match value.map(serde_json::Value::from) {
                    Some(serde_json::Value::Object(members)) => Ok(members),
                    _ => {
                        reader.problems.add(at.start, "a number here is too large");
                        Ok(Extras::new())
                    }
                }
            })?,
            None => Extras::new(),
        };
        for key in ["lead", "tail"] {
            let is_space = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{feff}');
            let text = unmapped.get(key).and_then(serde_json::Value::as_str);
            if !text.is_none_or(|text| text.chars().all(is_space)) {
                let at = span("unmapped").unwrap_or_default().start;
                self.problems.add_at("unmapped", at, format!("`{key}` stands around a document, and is white space"));
            }
        }
        let mut take = |key: &str| match unmapped.get(key) {
            Some(serde_json::Value::String(_)) => match unmapped.shift_remove(key) {
                Some(serde_json::Value::String(text)) => text,
                _ => String::new(),
            },
            _ => String::new(),
        };
        let (lead, tail, sum) = (take("lead"), take("tail"), take("sum"));
        let media = match span("sourceMedia") {
            Some(at) => self.object_at("sourceMedia", at, |reader, at| {
                let entry = reader.members(at, Some(&["b64", "mime"]), &["b64", "mime"])?;
                let mut text = |key: &str| {
                    let at = entry.iter().find(|member| member.key == key).map(|member| member.value.clone());
                    reader.text_at(key, at)
                };
                Ok(text("b64")?.zip(text("mime")?).map(|(b64, mime)| SourceMedia { b64, mime }))
            })?,
            None => None,
        };
        let reprinted = Some(sum).filter(|sum| !sum.is_empty() && *sum != checksum(raw));
        let value = lead.len()..lead.len() + raw.len();
        Ok(Some(Original { source: [&lead, raw, &tail].concat(), value, unmapped, media, reprinted }))
    }

    fn notes(&mut self, at: Option<Range<usize>>) -> Result<Vec<Note>, SyntaxError> {
        let Some(at) = at else { return Ok(Vec::new()) };
        let length = self.problems.path.len();
        self.problems.path.push("notes");
        let mut notes = Vec::new();
        if self.text.as_bytes().get(at.start) == Some(&b'[') {
            for (n, item) in crate::json::items(self.text, at.start)?.inside.into_iter().enumerate() {
                notes.extend(self.object_at(&n.to_string(), item, Self::note)?);
            }
        } else {
            self.problems.add(at.start, "expected a list");
        }
        self.problems.path.cut(length);
        Ok(notes)
    }

    fn note(&mut self, at: Range<usize>) -> Result<Option<Note>, SyntaxError> {
        let entry = self.members(at, Some(&["id", "text", "at", "by"]), &["id", "text", "at"])?;
        let mut text = |key: &str| {
            let at = entry.iter().find(|member| member.key == key).map(|member| member.value.clone());
            self.text_at(key, at)
        };
        let (id, content, at, by) = (text("id")?, text("text")?, text("at")?, text("by")?);
        Ok(id.zip(content).zip(at).map(|((id, text), at)| Note { id, text, at, by }))
    }
}
