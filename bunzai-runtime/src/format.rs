//! A format: what reads and writes one application's files.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, OnceLock};

use crate::detect::Detector;
use crate::engine::{Frame, Plan, Put, Source, fresh, import, put};
use crate::entity::{AnyEntity, Entity, EntityRef, Original};
use crate::error::{Error, Result, Warning, WarningKind};
use crate::id::{canonical_id, file_name};
use crate::input::Input;
use crate::limits::Limits;

use crate::map::Map;
use crate::model::{Body, Canonical, Kind, Node};
use crate::native;
use crate::report::Report;

/// Reads and writes the files of one application, for one kind of content.
///
/// A format is a [`Declared`] one or the native one. What a [`Registry`](crate::Registry) asks of it
/// follows from that, so no other type can be one.
pub trait Format: fmt::Debug + Send + Sync + Sealed {
    /// The id: `marinara-persona`.
    fn id(&self) -> &str;

    /// The kind of its entities; nothing for the native format, which holds any.
    fn kind(&self) -> Option<&str>;

    /// What people call it.
    fn label(&self) -> &str;

    /// What it is, in a sentence.
    fn about(&self) -> &str;

    /// The file extensions it is written with, without the dot, the default first.
    fn extensions(&self) -> Vec<&str>;

    /// How surely a document is of this format: from 0 to 1.
    fn score(&self, text: &str) -> f64;

    /// The declaration, if the format has one.
    fn declared(&self) -> Option<&Declared> {
        None
    }

    /// Reads a document.
    ///
    /// # Errors
    /// When it is not JSON, not of this format, or beyond a limit.
    fn import(&self, input: Input) -> Result<Imported<Box<dyn Body>>>;

    /// Writes an entity: over its twin if it came from this format, else anew.
    ///
    /// # Errors
    /// When the entity is of another kind.
    fn export<'e>(&'e self, entity: EntityRef<'e>) -> Result<Exported<'e>>;
}

/// Keeps [`Format`] to the types that this crate knows.
pub trait Sealed {}

impl Sealed for Declared {}

impl<F: Sealed + ?Sized> Sealed for &F {}

/// A typed codec: what `codec!` and `derive(Codec)` implement.
///
/// Its two directions are those of the [`Format`] it stands for.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a codec",
    note = "declare one with `bunzai::codec!` or `#[derive(bunzai::Codec)]`"
)]
pub trait Codec {
    /// The canonical struct it reads into.
    type Body: Canonical;

    /// The format it stands for.
    fn format() -> &'static Declared;

    /// Reads a document of the application.
    ///
    /// # Errors
    /// When it is not JSON, not of this format, or beyond a limit.
    fn to_canonical(input: impl Into<Input>) -> Result<Imported<Self::Body>> {
        let format = Self::format();
        let mut body = <Self::Body as crate::model::Typed>::blank();
        let (original, warnings) = format.read(input.into(), &mut body)?;
        let mut entity = Entity::new(body);
        entity.original.insert(format.id().to_owned(), original);
        Ok(Imported { entity, warnings })
    }

    /// The JSON Schema of the documents it reads.
    ///
    /// # Errors
    /// Those of a map that does not fit its type.
    fn read_schema() -> Result<schemars::Schema> {
        Self::format().read_schema()
    }

    /// The JSON Schema of the documents it writes where there is no original.
    ///
    /// # Errors
    /// Those of a map that does not fit its type.
    fn write_schema() -> Result<schemars::Schema> {
        Self::format().write_schema()
    }

    /// Writes an entity for the application.
    ///
    /// # Errors
    /// Those of a map that does not fit its type.
    fn from_canonical(entity: &Entity<Self::Body>) -> Result<Exported<'_>> {
        Self::format().export(entity.into())
    }
}

/// A document that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported<B> {
    /// What it says, with the document itself in escrow.
    pub entity: Entity<B>,
    /// What was odd in it.
    pub warnings: Vec<Warning>,
}

/// A document that was written.
#[derive(Debug)]
pub struct Exported<'e> {
    content: Content<'e>,
    name: String,
    /// Whether the caller chose the name.
    chosen: bool,
    warnings: Vec<Warning>,
    entity: EntityRef<'e>,
    format: Option<&'e Declared>,
}

#[derive(Debug)]
enum Content<'e> {
    Document(Cow<'e, str>),
    /// The entity itself; printed when asked for.
    Native,
}

impl<'e> Exported<'e> {
    pub(crate) fn native(entity: EntityRef<'e>) -> Self {
        let name = file_name(&[entity.id, entity.body.kind()], native::EXTENSION);
        Self { content: Content::Native, name, chosen: false, warnings: Vec::new(), entity, format: None }
    }

    /// Puts another document in the place of the one that was written.
    pub(crate) fn set_text(&mut self, text: String) {
        self.content = Content::Document(Cow::Owned(text));
    }

    /// What was written, as the format was given it.
    pub(crate) fn body(&self) -> &dyn Node {
        self.entity.node()
    }

    /// The document. Of an unedited one it is the source itself, not a copy.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.content {
            Content::Document(text) => Cow::Borrowed(text),
            Content::Native => {
                let mut bytes = Vec::new();
                // Writing to memory does not fail, and JSON is UTF-8.
                let _ = native::write(self.entity, &mut bytes);
                Cow::Owned(String::from_utf8(bytes).unwrap_or_default())
            }
        }
    }

    /// The bytes of the document; [`Exported::text`] in UTF-8.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match self.text() {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        }
    }

    /// Writes the document without holding all of it in memory.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.content {
            Content::Document(text) => out.write_all(text.as_bytes()),
            Content::Native => native::write(self.entity, out),
        }
    }

    /// Whether the document is the unedited source.
    pub fn is_source(&self) -> bool {
        matches!(self.content, Content::Document(Cow::Borrowed(_)))
    }

    /// The name of the file: the one that was chosen, else a suggestion.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Chooses the name of the file. Where the format takes the name of the entity from there, the
    /// report tells whether it reads back.
    #[must_use]
    pub fn file_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self.chosen = true;
        self
    }

    /// Whether the name of the entity reads back from a file of this name. It always does where the
    /// document itself says it.
    pub fn reads_back_from(&self, file_name: &str) -> bool {
        let Some(format) = self.format else { return true };
        let Ok(Prepared { plan, .. }) = format.prepared() else { return true };
        let lens = format.lens(self.entity, &mut Vec::new());
        let given = plan.file_name(lens.as_ref().map_or(self.entity.body, |body| &**body).as_node());
        given.is_none() || given == plan.named_after(file_name)
    }

    /// What was odd.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// What the document does not carry, found out by reading it again.
    ///
    /// # Errors
    /// When the document cannot be read again, which would be a fault of the map.
    pub fn report(&self) -> Result<Report> {
        let mut report = match (&self.content, self.format) {
            (Content::Document(text), Some(format)) => {
                // Unless it is given another, a file that comes back has the name it came with.
                let own = self.entity.original.get(format.id()).and_then(Original::file_name);
                let own = own.filter(|own| !self.chosen && self.reads_back_from(own));
                Report::of(format, self.entity, text, own.unwrap_or(&self.name))?
            }
            _ => Report { to: native::NATIVE.to_owned(), ..Report::default() },
        };
        report.warnings.splice(0..0, self.warnings.iter().cloned());
        Ok(report)
    }
}

/// A format that was declared: a map, and the kind it maps to.
pub struct Declared {
    map: MapRef,
    kind: Kind,
    prepared: OnceLock<Result<Prepared>>,
}

enum MapRef {
    Compiled(&'static Map),
    Loaded(Arc<Map>),
}

/// What is worked out of a map when it is first used.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) plan: Plan,
    detector: Detector,
}

impl Declared {
    /// A format whose map was compiled in.
    pub const fn compiled(map: &'static Map, kind: Kind) -> Self {
        Self { map: MapRef::Compiled(map), kind, prepared: OnceLock::new() }
    }

    /// A format whose map was loaded at run time.
    pub fn loaded(map: Map, kind: Kind) -> Self {
        Self { map: MapRef::Loaded(Arc::new(map)), kind, prepared: OnceLock::new() }
    }

    /// The declaration.
    pub fn map(&self) -> &Map {
        match &self.map {
            MapRef::Compiled(map) => map,
            MapRef::Loaded(map) => map,
        }
    }

    /// The kind of its entities.
    pub fn kind_of_body(&self) -> &Kind {
        &self.kind
    }

    /// The JSON Schema of the documents the format reads: open objects, every spelling, and
    /// `x-bunzai-to` at every field that has a place in the model.
    ///
    /// # Errors
    /// Those of a map that does not fit its type.
    pub fn read_schema(&self) -> Result<schemars::Schema> {
        crate::schema::read_schema(self)
    }

    /// The JSON Schema of the documents the format writes where there is no original.
    ///
    /// # Errors
    /// Those of a map that does not fit its type.
    pub fn write_schema(&self) -> Result<schemars::Schema> {
        crate::schema::write_schema(self)
    }

    /// Like [`Declared::read_schema`], for the one shape that a document comes in.
    ///
    /// # Errors
    /// When the document is not of this format.
    pub fn read_schema_of(&self, document: &str) -> Result<schemars::Schema> {
        crate::schema::shape_schema(self, self.carrier(&document[document_in(document)])?)
    }

    /// What of a document rides in escrow: patterns of its places, and how often each is met.
    pub fn sealed(&self, document: &str) -> Vec<(String, usize)> {
        crate::report::sealed_of(self, &document[document_in(document)])
    }

    pub(crate) fn prepared(&self) -> Result<&Prepared> {
        let made = self.prepared.get_or_init(|| {
            let map = self.map();
            Ok(Prepared { plan: Plan::new(map, self.kind.shape)?, detector: Detector::new(map.shapes.iter()) })
        });
        made.as_ref().map_err(Clone::clone)
    }

    /// How much of what its gates ask for a document shows, at the most.
    pub(crate) fn conditions_met(&self, text: &str) -> usize {
        let answers = self.prepared().ok().and_then(|prepared| prepared.detector.ask(text).ok());
        let shapes = self.map().shapes.iter();
        answers.iter().flatten().zip(shapes).map(|(answer, shape)| answer.shown(&shape.gate)).max().unwrap_or(0)
    }

    /// The carrier a document comes in: the best score, then the first.
    pub(crate) fn carrier(&self, text: &str) -> Result<usize> {
        let shapes = &self.map().shapes;
        let detector = &self.prepared()?.detector;
        let passing = detector.passing(text).map_err(|error| Error::syntax(text, error))?;
        let passing = passing.into_iter().zip(shapes.iter()).enumerate().filter(|(_, (passes, _))| *passes);
        let best = passing.fold(None, |best: Option<(usize, f64)>, (n, (_, shape))| match best {
            Some((_, score)) if score >= shape.score => best,
            _ => Some((n, shape.score)),
        });
        if let Some((n, _)) = best {
            return Ok(n);
        }
        // The gate that came nearest says what is missing.
        let answers = detector.ask(text).map_err(|error| Error::syntax(text, error))?;
        let nearest = answers.iter().zip(shapes.iter()).rev().max_by_key(|(answer, _)| answer.satisfied());
        let because = nearest.and_then(|(answer, shape)| answer.because(&shape.gate).into_iter().next());
        Err(Error::Refused { format: self.id().to_owned(), because: because.unwrap_or_default() })
    }

    /// The carrier to try, where its frame asks the gate itself; otherwise the one that was found.
    fn carrier_to_try(&self, text: &str) -> Result<usize> {
        match self.prepared()?.plan.carriers.as_slice() {
            [only] if only.gate.is_some() => Ok(0),
            _ => self.carrier(text),
        }
    }

    pub(crate) fn frame(&self, carrier: usize) -> Result<&Frame> {
        let frame = self.prepared()?.plan.carriers.get(carrier);
        frame.ok_or_else(|| Error::BadMap { format: self.id().to_owned(), message: "it has no shape".into() })
    }

    /// Reads a document into a blank body.
    pub(crate) fn read(&self, input: Input, body: &mut dyn Node) -> Result<(Original, Vec<Warning>)> {
        let (source, file, limits) = input.into_parts()?;
        let value = document_in(&source);
        let document = &source[value.clone()];
        let mut read = || {
            let carrier = self.carrier_to_try(document)?;
            let known = Source { file: file.as_deref() };
            match import(self.id(), self.frame(carrier)?, document, body, known, limits) {
                Ok(Some(warnings)) => Ok(warnings),
                // The gate says best what is wrong with a document that is not of the format.
                Ok(None) => Err(self.refusal(document).unwrap_or(Error::NotRecognised { nearest: None })),
                Err(error) => Err(self.refusal(document).unwrap_or(error)),
            }
        };
        let warnings = read().map_err(|error| error.below(&source[..value.start]))?;
        let uses_file = self.prepared()?.plan.uses_file;
        Ok((Original::new(source, value, file.filter(|_| uses_file)), warnings))
    }

    /// Reads a document in one of the shapes, whatever gate that has.
    pub(crate) fn read_at(&self, carrier: usize, document: &str) -> Result<(Box<dyn Body>, Vec<Warning>)> {
        let mut body = self.kind.blank();
        let frame = self.frame(carrier)?;
        let limits = Limits::default();
        let read = import(self.id(), frame, document, body.as_node_mut(), Source::default(), limits)?;
        Ok((body, read.ok_or(Error::NotRecognised { nearest: None })?))
    }

    /// Writes a body over a document in one of the shapes; nothing when that changes nothing.
    pub(crate) fn put_at(&self, carrier: usize, document: &str, body: &dyn Node) -> Result<Option<String>> {
        match put(self.frame(carrier)?, document, body, Source::default())?.0 {
            Put::Changed(text) => Ok(Some(text)),
            Put::Same | Put::Refused => Ok(None),
        }
    }

    /// Why a document is not of this format; nothing when it is, or is no JSON.
    #[cold]
    pub(crate) fn refusal(&self, document: &str) -> Option<Error> {
        self.carrier(document).err().filter(|error| matches!(error, Error::Refused { .. }))
    }

    /// Writes a body over the twin that its entity has for this format; nothing when there is none
    /// that can be used.
    fn over_twin<'e>(
        &self,
        entity: EntityRef<'e>,
        body: &dyn Node,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<Cow<'e, str>>> {
        let Some(original) = entity.original.get(self.id()) else { return Ok(None) };
        let known = Source { file: original.file_name() };
        let done = self
            .carrier_to_try(original.raw())
            .and_then(|carrier| put(self.frame(carrier)?, original.raw(), body, known));
        if let Ok((_, odd)) = &done {
            warnings.extend(odd.iter().cloned());
        }
        let text = match done.map(|(put, _)| put) {
            Ok(Put::Same) => Cow::Borrowed(original.source()),
            Ok(Put::Changed(text)) => Cow::Owned([original.lead(), &text, original.tail()].concat()),
            // A fault inside an original that can be read is one of the engine, and nobody's loss.
            Err(error @ Error::NotJson { .. }) if self.carrier(original.raw()).is_ok() => return Err(error),
            Ok(Put::Refused) | Err(Error::Refused { .. } | Error::NotJson { .. }) => {
                let because = self.refusal(original.raw()).map_or_else(String::new, |error| format!(": {error}"));
                warnings.push(other(format!("the kept original is not used{because}")));
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        if original.reprinted.is_some() {
            warnings.push(other(
                "another program has printed the kept original anew; what is not edited is as that program left it",
            ));
        }
        Ok(Some(text))
    }
}

pub(crate) fn other(message: impl Into<String>) -> Warning {
    Warning { at: String::new(), kind: WarningKind::Other, message: message.into() }
}

impl Format for Declared {
    fn id(&self) -> &str {
        &self.map().format
    }

    fn kind(&self) -> Option<&str> {
        Some(self.kind.name)
    }

    fn label(&self) -> &str {
        &self.map().label
    }

    fn about(&self) -> &str {
        &self.map().about
    }

    fn extensions(&self) -> Vec<&str> {
        self.map().writes.iter().map(AsRef::as_ref).collect()
    }

    fn score(&self, text: &str) -> f64 {
        let carrier = self.carrier(text);
        carrier.ok().and_then(|n| self.map().shapes.get(n)).map_or(0.0, |shape| shape.score)
    }

    fn declared(&self) -> Option<&Declared> {
        Some(self)
    }

    fn import(&self, input: Input) -> Result<Imported<Box<dyn Body>>> {
        let mut body = self.kind.blank();
        let (original, warnings) = self.read(input, body.as_node_mut())?;
        let id = canonical_id(body.entity_name(), self.kind.name);
        let mut entity: AnyEntity = Entity::with_id(id, body);
        entity.original.insert(self.id().to_owned(), original);
        Ok(Imported { entity, warnings })
    }

    fn export<'e>(&'e self, entity: EntityRef<'e>) -> Result<Exported<'e>> {
        if entity.body.kind() != self.kind.name {
            return Err(Error::WrongKind {
                format: self.id().to_owned(),
                expected: self.kind.name.to_owned(),
                found: entity.body.kind().to_owned(),
            });
        }
        let mut warnings = Vec::new();
        let lens = self.lens(entity, &mut warnings);
        let node = lens.as_ref().map_or(entity.body, |body| &**body).as_node();
        let content = match self.over_twin(entity, node, &mut warnings)? {
            Some(text) => text,
            None => {
                let carrier = self.prepared()?.plan.fresh_carrier(node);
                Cow::Owned(fresh(self.frame(carrier)?, node, Source::default()))
            }
        };
        let name = self.file_name(node, entity);
        let content = Content::Document(content);
        Ok(Exported { content, name, chosen: false, warnings, entity, format: Some(self) })
    }
}

impl Declared {
    /// The body with the profile of this format laid over it; nothing when there is none.
    pub(crate) fn lens(&self, entity: EntityRef<'_>, warnings: &mut Vec<Warning>) -> Option<Box<dyn Body>> {
        let left = entity.profiles.keys().filter(|format| *format != self.id()).count();
        if left > 0 || !entity.notes.is_empty() {
            warnings.push(other("profiles of other formats and notes stay behind; only a native file holds them"));
        }
        let profile = entity.profiles.get(self.id())?;
        let mut body = entity.body.boxed_clone();
        for (key, value) in profile {
            let index = self.kind.shape.find(key.as_bytes());
            let field = index.and_then(|n| body.as_node_mut().field_mut(n));
            if !field.is_some_and(|field| field.set(value.into())) {
                warnings.push(other(format!("the profile's `{key}` does not fit and is left out")));
            }
        }
        Some(body)
    }

    /// The name of the file: where the format takes the name of the entity from it, that name.
    fn file_name(&self, node: &dyn Node, entity: EntityRef<'_>) -> String {
        let named = self.prepared().ok().and_then(|p| p.plan.file_name(node));
        let extension = self.map().writes.first().map_or("json", |e| e.as_ref());
        file_name(&[named.as_deref().unwrap_or_default(), entity.id, self.kind.name], extension)
    }
}

/// Where the JSON value of a source stands: without a byte order mark and white space around it.
pub(crate) fn document_in(source: &str) -> std::ops::Range<usize> {
    const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];
    let start = source.len() - source.strip_prefix('\u{feff}').unwrap_or(source).trim_start_matches(SPACE).len();
    start..source.trim_end_matches(SPACE).len().max(start)
}

impl<F: Format + ?Sized> Format for &F {
    fn id(&self) -> &str {
        (**self).id()
    }

    fn kind(&self) -> Option<&str> {
        (**self).kind()
    }

    fn label(&self) -> &str {
        (**self).label()
    }

    fn about(&self) -> &str {
        (**self).about()
    }

    fn extensions(&self) -> Vec<&str> {
        (**self).extensions()
    }

    fn score(&self, text: &str) -> f64 {
        (**self).score(text)
    }

    fn declared(&self) -> Option<&Declared> {
        (**self).declared()
    }

    fn import(&self, input: Input) -> Result<Imported<Box<dyn Body>>> {
        (**self).import(input)
    }

    fn export<'e>(&'e self, entity: EntityRef<'e>) -> Result<Exported<'e>> {
        (**self).export(entity)
    }
}

impl fmt::Debug for Declared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Declared").field("format", &self.map().format).field("kind", &self.kind).finish_non_exhaustive()
    }
}
