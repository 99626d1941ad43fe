use std::ops::Range;

use indexmap::IndexMap;

use crate::id::canonical_id;
use crate::model::{Body, Canonical, Extras, Node};

/// A piece of content in the shared model, and where it came from.
///
/// `B` is the body: a canonical struct, or `Box<dyn Body>` where the kind is known at run time
/// only.
#[derive(Debug, Clone, PartialEq)]
pub struct Entity<B> {
    /// The slug of the name; stable, and never empty.
    pub id: String,
    /// The content.
    pub body: B,
    /// What differs for one application: a format id, and the keys of the body it replaces.
    pub profiles: IndexMap<String, Extras>,
    /// The escrow: a format id, and the document that was imported in that format.
    pub original: IndexMap<String, Original>,
    /// Remarks of the people who edit the piece. No format carries them.
    pub notes: Vec<Note>,
}

/// An [`Entity`] whose kind is known at run time only.
pub type AnyEntity = Entity<Box<dyn Body>>;

/// A remark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What it can be found again by.
    pub id: String,
    /// The remark.
    pub text: String,
    /// ISO time of the last change.
    pub at: String,
    /// Who wrote it; nothing: the person at the keyboard.
    pub by: Option<String>,
}

/// A document kept in escrow, byte for byte.
#[derive(Debug, Clone, PartialEq)]
pub struct Original {
    pub(crate) source: String,
    /// Where in the source the JSON value stands.
    pub(crate) value: Range<usize>,
    /// Facts about the source that are not in it: `file`, and what other programs put there.
    pub(crate) unmapped: Extras,
    pub(crate) media: Option<SourceMedia>,
    /// Where another program has printed the document anew, the checksum of what was read.
    pub(crate) reprinted: Option<String>,
}

/// The binary file a document arrived in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceMedia {
    /// Its bytes, as Base64.
    pub b64: String,
    /// Its media type.
    pub mime: String,
}

impl<B: Canonical> Entity<B> {
    /// An entity made by hand: the id is made from the name, and there is no twin.
    pub fn new(body: B) -> Self {
        let id = canonical_id(body.name(), B::KIND);
        Self::with_id(id, body)
    }
}

impl<B> Entity<B> {
    pub(crate) fn with_id(id: String, body: B) -> Self {
        Self { id, body, profiles: IndexMap::new(), original: IndexMap::new(), notes: Vec::new() }
    }

    fn view_as<'e>(&'e self, body: &'e dyn Body) -> EntityRef<'e> {
        EntityRef { id: &self.id, body, profiles: &self.profiles, original: &self.original, notes: &self.notes }
    }

    fn map<T>(self, body: impl FnOnce(B) -> T) -> Entity<T> {
        Entity {
            id: self.id,
            body: body(self.body),
            profiles: self.profiles,
            original: self.original,
            notes: self.notes,
        }
    }
}

impl AnyEntity {
    /// The name of the kind.
    pub fn kind(&self) -> &'static str {
        self.body.kind()
    }

    /// The entity with the body of a known kind; itself again when it is of another.
    ///
    /// # Errors
    /// The entity, unchanged, when its body is no `B`.
    #[allow(clippy::result_large_err, reason = "the error is the entity itself, given back")]
    pub fn downcast<B: Canonical>(self) -> Result<Entity<B>, Self> {
        if self.body.as_any().downcast_ref::<B>().is_none() {
            return Err(self);
        }
        let Self { id, body, profiles, original, notes } = self;
        match body.into_any().downcast::<B>() {
            Ok(body) => Ok(Entity { id, body: *body, profiles, original, notes }),
            // Asked above; an empty entity keeps the match total.
            Err(_) => Ok(Entity { id, body: B::blank(), profiles, original, notes }),
        }
    }
}

impl<B: Canonical> From<Entity<B>> for AnyEntity {
    fn from(entity: Entity<B>) -> Self {
        entity.map(|body| Box::new(body) as Box<dyn Body>)
    }
}

/// An entity of any kind, borrowed.
#[derive(Debug, Clone, Copy)]
pub struct EntityRef<'e> {
    pub(crate) id: &'e str,
    pub(crate) body: &'e dyn Body,
    pub(crate) profiles: &'e IndexMap<String, Extras>,
    pub(crate) original: &'e IndexMap<String, Original>,
    pub(crate) notes: &'e [Note],
}

impl EntityRef<'_> {
    pub(crate) fn node(&self) -> &dyn Node {
        self.body.as_node()
    }
}

impl<'e, B: Canonical> From<&'e Entity<B>> for EntityRef<'e> {
    fn from(entity: &'e Entity<B>) -> Self {
        entity.view_as(&entity.body)
    }
}

impl<'e> From<&'e AnyEntity> for EntityRef<'e> {
    fn from(entity: &'e AnyEntity) -> Self {
        entity.view_as(&*entity.body)
    }
}

impl Original {
    /// Keeps a source; `value` is where its JSON value stands.
    pub(crate) fn new(source: String, value: Range<usize>, file: Option<String>) -> Self {
        let mut unmapped = Extras::new();
        if let Some(file) = file {
            unmapped.insert("file".into(), file.into());
        }
        Self { source, value, unmapped, media: None, reprinted: None }
    }

    /// The document: the text of its JSON value.
    pub fn raw(&self) -> &str {
        &self.source[self.value.clone()]
    }

    /// The whole source, with what stands around the document.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The name of the file it came from, where the format looked at it.
    pub fn file_name(&self) -> Option<&str> {
        self.unmapped.get("file")?.as_str()
    }

    /// The binary file it arrived in.
    pub fn media(&self) -> Option<&SourceMedia> {
        self.media.as_ref()
    }

    /// The checksum of the document. Of one that was printed anew that of what was read stays, so that
    /// it is still known.
    pub(crate) fn sum(&self) -> String {
        self.reprinted.clone().unwrap_or_else(|| crate::native::checksum(self.raw()))
    }

    pub(crate) fn lead(&self) -> &str {
        &self.source[..self.value.start]
    }

    pub(crate) fn tail(&self) -> &str {
        &self.source[self.value.end..]
    }
}
