//! Bundles: a piece of content together with the pieces that are linked to it.
//!
//! A mapping file says which slots of a document hold a piece of another format. An import takes
//! such pieces out as entities of their own; an export puts linked pieces back, where the target has
//! a slot for them.

mod embed;
mod homes;
mod merge;
mod names;
mod pieces;
mod told;

use std::collections::{BTreeMap, HashMap, HashSet};

use self::embed::{Embedding, Piece, Written};
use self::homes::Homes;
use self::pieces::Pieces;
use crate::engine::{Source, fill_value};
use crate::entity::{AnyEntity, Entity, Original};
use crate::error::{Result, Warning};
use crate::format::{Declared, Exported, Format, document_in, other};
use crate::id::canonical_id;
use crate::input::Input;
use crate::json::Value;
use crate::map::Linked;
use crate::model::{Extras, Node, View};
use crate::registry::Registry;

/// A piece of content, and the pieces that are linked to it.
///
/// The main entity names them, by their ids; a piece that it does not name is not linked.
#[derive(Debug, Clone)]
pub struct Bundle {
    /// What the document is about: a preset.
    pub main: AnyEntity,
    /// The pieces: the regex scripts of that preset.
    pub linked: Vec<AnyEntity>,
    /// What was odd in the document.
    pub warnings: Vec<Warning>,
}

/// An id by which an entity names a linked piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// JSON pointer into the entity: `/body/behaviorRefs/0`.
    pub at: String,
    /// The id.
    pub id: String,
    /// The kinds that the piece may be of.
    pub kinds: Vec<String>,
}

/// A bundle that was written.
#[derive(Debug)]
pub struct ExportedBundle<'b> {
    /// The main document, with the pieces that it holds.
    pub main: Exported<'b>,
    /// What became of each piece, in the order of the bundle.
    pub linked: Vec<ExportedPiece<'b>>,
    /// The slots that were written, to be read again.
    written: Vec<Written<'b>>,
    /// The lists of ids, as JSON pointers into the entity, and the ids in them.
    fields: Vec<String>,
    links: Vec<Link>,
    /// The ids that no piece of the bundle has, and whether the document keeps what it has of it.
    missing: Vec<(Link, bool)>,
}

/// A piece of a bundle that was written.
#[derive(Debug)]
pub struct ExportedPiece<'b> {
    /// The piece.
    pub entity: &'b AnyEntity,
    /// What became of it.
    pub way: Way<'b>,
}

/// What becomes of a linked piece.
#[derive(Debug)]
pub enum Way<'b> {
    /// It is in the main document.
    Embedded,
    /// The main document cannot hold it: a document of its own, to stand beside.
    Beside(Exported<'b>),
    /// It is not written, for a reason.
    Left(String),
}

/// The key in the escrow of a main document under which the pieces are named that were taken out of
/// it: for each list of ids the one that was added.
const TAKEN: &str = "linked";
/// The key in the escrow of a piece under which the document is named that it was taken from.
const PART_OF: &str = "of";

impl Registry {
    /// Reads a document, and takes the pieces out of it that it holds. The main entity names them.
    ///
    /// # Errors
    /// Those of the import, and a declaration that names a format which is not there, or whose documents
    /// are no lists of rows.
    pub fn import_bundle(&self, format: &dyn Format, input: Input) -> Result<Bundle> {
        let imported = format.import(input)?;
        let mut bundle = Bundle { main: imported.entity, linked: Vec::new(), warnings: imported.warnings };
        let Some(declared) = format.declared() else { return Ok(bundle) };
        for link in declared.map().linked.iter() {
            let pieces = Pieces::new(self, declared, link)?;
            let Some(original) = bundle.main.original.get(declared.id()) else { continue };
            match take(declared, link, pieces, &bundle.main, original) {
                Ok(None) => {}
                Ok(Some((piece, warnings))) => {
                    bundle.warnings.extend(warnings);
                    bundle.add(declared, link, piece);
                }
                Err(error) => {
                    let message = format!("the rows for {} stay in the document: {error}", link.format);
                    bundle.warnings.push(other(message));
                }
            }
        }
        Ok(bundle)
    }

    /// The lists in which entities of a kind name linked pieces: where they stand in the entity, as
    /// JSON pointers, and the kinds of the pieces. The formats of the kind say it together.
    pub fn link_fields(&self, kind: &str) -> Vec<(String, Vec<String>)> {
        let mut fields: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for format in self.formats().into_iter().filter_map(Format::declared) {
            for link in format.map().linked.iter().filter(|_| format.kind() == Some(kind)) {
                let of = self.format(&link.format).ok().and_then(Format::kind);
                let kinds = fields.entry(format!("/body/{}", link.to.replace('.', "/"))).or_default();
                kinds.extend(of.filter(|of| kinds.iter().all(|known| known != of)).map(str::to_owned));
            }
        }
        fields.into_iter().collect()
    }

    /// The ids by which an entity names linked pieces.
    pub fn links(&self, entity: &AnyEntity) -> Vec<Link> {
        let mut links = Vec::new();
        for (at, kinds) in self.link_fields(entity.kind()) {
            let field = at.trim_start_matches("/body/").replace('/', ".");
            for (n, id) in ids_in(entity.body.as_node(), &field).into_iter().enumerate() {
                links.push(Link { at: format!("{at}/{n}"), id, kinds: kinds.clone() });
            }
        }
        links
    }

    /// Writes a bundle: the main entity as the format writes it, and in its slots the pieces that it
    /// names. What the format has no slot for becomes a document of its own, in the format of the
    /// same application where there is one, else in the native one.
    ///
    /// # Errors
    /// Those of the exports.
    pub fn export_bundle<'b>(&'b self, bundle: &'b Bundle, format: &'b dyn Format) -> Result<ExportedBundle<'b>> {
        let main = format.export((&bundle.main).into())?;
        let fields = self.link_fields(bundle.main.kind()).into_iter().map(|(at, _)| at).collect();
        let links = self.links(&bundle.main);
        let is_native = format.declared().is_none();
        let missing = missing(&links, &bundle.linked).map(|link| (link.clone(), is_native)).collect();
        let mut exported = ExportedBundle { main, linked: Vec::new(), written: Vec::new(), fields, links, missing };
        let mut embedded: HashSet<usize> = HashSet::new();
        if let Some(declared) = format.declared() {
            for link in declared.map().linked.iter() {
                let pieces = Pieces::new(self, declared, link)?;
                let named = ids_in(bundle.main.body.as_node(), &link.to).into_iter().collect::<HashSet<_>>();
                let kind = pieces.format.kind();
                let of_link = (bundle.linked.iter().enumerate())
                    .filter(|(n, entity)| {
                        let is_named = Some(entity.kind()) == kind && named.contains(&entity.id);
                        is_named && !entity.is_off(declared.id()) && !embedded.contains(n)
                    })
                    .map(|(n, entity)| Piece { n, entity })
                    .collect();
                let own = taken_under(&bundle.main, declared, link).map(|id| Own { id, main: &bundle.main });
                embedded.extend(exported.embed(declared, link, pieces, own, of_link)?);
            }
        }
        let links = Links::new(&exported.links);
        let ways = bundle.linked.iter().enumerate().map(|(n, piece)| match embedded.contains(&n) {
            true => Ok(Way::Embedded),
            false => self.way_outside(format, piece, links.of(piece).is_some()),
        });
        let ways = ways.collect::<Result<Vec<_>>>()?;
        let pieces = bundle.linked.iter().zip(ways);
        exported.linked = pieces.map(|(entity, way)| ExportedPiece { entity, way }).collect();
        Ok(exported)
    }

    /// What becomes of a piece that is not in the document.
    fn way_outside<'b>(&'b self, main: &dyn Format, piece: &'b AnyEntity, is_linked: bool) -> Result<Way<'b>> {
        if !is_linked {
            return Ok(Way::Left("the main entity does not name it".to_owned()));
        }
        if main.declared().is_some() && piece.is_off(main.id()) {
            return Ok(Way::Left("it is switched off (`enabled` is false)".to_owned()));
        }
        Ok(match self.format_beside(main, piece.kind()) {
            Some(beside) => Way::Beside(beside.export(piece.into())?),
            None => Way::Left("there is no format for it".to_owned()),
        })
    }

    /// The format of a piece beside a document: the only one of its kind of the same application,
    /// which is what their ids begin with; else the native one.
    fn format_beside(&self, main: &dyn Format, kind: &str) -> Option<&dyn Format> {
        let formats = self.formats();
        let native = formats.iter().copied().find(|format| format.kind().is_none());
        let family = |format: &dyn Format| format.id().split('-').next().unwrap_or_default().to_owned();
        let mut of_family = formats
            .iter()
            .copied()
            .filter(|format| format.kind() == Some(kind) && main.kind().is_some() && family(*format) == family(main));
        match (of_family.next(), of_family.next()) {
            (Some(only), None) => Some(only),
            _ => native,
        }
    }
}

/// The piece that was taken out of the slots of a main document.
#[derive(Clone, Copy)]
struct Own<'m> {
    id: &'m str,
    main: &'m AnyEntity,
}

impl Own<'_> {
    fn is(self, piece: &AnyEntity) -> bool {
        piece.id == self.id && !piece.is_part_of_another(self.main)
    }

    /// Whether a piece bears the id, and is one of another document.
    fn is_but_named(self, piece: &AnyEntity) -> bool {
        piece.id == self.id && piece.is_part_of_another(self.main)
    }
}

impl<'b> ExportedBundle<'b> {
    /// Writes pieces into the slots of a declaration; the answer is which of them are there now. `own`
    /// is the piece that was taken out of them.
    fn embed(
        &mut self,
        declared: &'b Declared,
        link: &'b Linked,
        format: Pieces<'b>,
        own: Option<Own<'b>>,
        pieces: Vec<Piece<'b>>,
    ) -> Result<Vec<usize>> {
        let text = self.main.text().into_owned();
        let span = document_in(&text);
        let document = &text[span.clone()];
        let Some(homes) = Homes::new(declared, link, format, document) else { return Ok(Vec::new()) };
        let held = homes.held(document)?;
        let mut embedding = Embedding::new(homes, document);
        // Rows of a piece that is named and not at hand stay, and so do those that were never taken out.
        // So do they where a piece of another document bears the id of theirs.
        let waits = self.missing.iter_mut().find(|(link, _)| own.is_some_and(|own| own.id == link.id));
        let is_waited_for = waits.map(|(_, stays)| *stays = true).is_some();
        let is_taken_for = pieces.iter().any(|piece| own.is_some_and(|own| own.is_but_named(piece.entity)));
        let stays = own.is_none() || is_waited_for || is_taken_for;
        let is_own = |piece: &Piece<'_>| held.is_some() && own.is_some_and(|own| own.is(piece.entity));
        let (own, foreign): (Vec<_>, Vec<_>) = pieces.into_iter().partition(is_own);
        match &held {
            Some(held) if stays => embedding.keep(held),
            Some(held) => embedding.put(held, own.first().copied())?,
            None => {}
        }
        embedding.add(&foreign)?;
        let (document, written) = embedding.done();
        if document != text[span.clone()] {
            self.main.set_text([&text[..span.start], &document, &text[span.end..]].concat());
        }
        let embedded = written.pieces.clone();
        self.written.push(written);
        Ok(embedded)
    }
}

impl Bundle {
    /// Adds a piece that was taken out of the document, under an id of its own, and notes it there.
    fn add(&mut self, declared: &Declared, link: &Linked, mut piece: AnyEntity) {
        let is_taken = |id: &str| self.linked.iter().any(|piece| piece.id == id);
        if is_taken(&piece.id) {
            let numbered = (2..).map(|n| format!("{}-{n}", piece.id)).find(|id| !is_taken(id));
            piece.id = numbered.unwrap_or_default();
        }
        name_in(self.main.body.as_node_mut(), &link.to, &piece.id);
        if let Some(original) = self.main.original.get_mut(declared.id()) {
            let taken = original.unmapped.entry(TAKEN).or_insert_with(|| Extras::new().into());
            if let Some(taken) = taken.as_object_mut() {
                taken.insert(link.to.to_string(), piece.id.as_str().into());
            }
        }
        self.linked.push(piece);
    }
}

/// The links of an entity, by their ids.
#[derive(Debug)]
struct Links<'l> {
    by_id: HashMap<&'l str, Vec<&'l Link>>,
}

impl<'l> Links<'l> {
    fn new(links: &'l [Link]) -> Self {
        let mut by_id: HashMap<&str, Vec<&Link>> = HashMap::new();
        // Of equal ones the first counts.
        for link in links {
            let of_id = by_id.entry(&link.id).or_default();
            if of_id.iter().all(|known| known.kinds != link.kinds) {
                of_id.push(link);
            }
        }
        Self { by_id }
    }

    /// The link that names a piece.
    fn of(&self, piece: &AnyEntity) -> Option<&'l Link> {
        let mut links = self.by_id.get(piece.id.as_str())?.iter().copied();
        links.find(|link| link.kinds.iter().any(|kind| kind == piece.kind()))
    }
}

/// The links whose pieces are not there.
fn missing<'l>(links: &'l [Link], pieces: &[AnyEntity]) -> impl Iterator<Item = &'l Link> {
    let there: HashSet<(&str, &str)> = pieces.iter().map(|piece| (piece.id.as_str(), piece.kind())).collect();
    links.iter().filter(move |link| !link.kinds.iter().any(|kind| there.contains(&(link.id.as_str(), kind.as_str()))))
}

/// Takes the piece out that the slots of a declaration hold; nothing when they are empty.
fn take(
    declared: &Declared,
    link: &Linked,
    pieces: Pieces<'_>,
    main: &AnyEntity,
    original: &Original,
) -> Result<Option<(AnyEntity, Vec<Warning>)>> {
    let Some(homes) = Homes::new(declared, link, pieces, original.raw()) else { return Ok(None) };
    let Some(held) = homes.held(original.raw())? else { return Ok(None) };
    let mut body = held.body;
    homes.pieces.set_name(body.as_node_mut(), &name_of(link, main.body.as_node()));
    let id = canonical_id(body.entity_name(), body.kind());
    let mut piece: AnyEntity = Entity::with_id(id, body);
    let format = homes.pieces.format;
    // Rows that do not show what they are would not be known again without their document.
    if format.carrier(&held.text).is_ok() {
        let span = 0..held.text.len();
        let mut part = Original::new(held.text, span, None);
        part.unmapped.insert(PART_OF.to_owned(), called(original).into());
        piece.original.insert(format.id().to_owned(), part);
    }
    Ok(Some((piece, held.warnings)))
}

/// The id under which the piece was taken out that the slots of a declaration held.
fn taken_under<'m>(main: &'m AnyEntity, declared: &Declared, link: &Linked) -> Option<&'m str> {
    main.original.get(declared.id())?.unmapped.get(TAKEN)?.get(&*link.to)?.as_str()
}

impl AnyEntity {
    /// Whether its own switch (`enabled`) is off, for a format.
    pub fn is_off(&self, format: &str) -> bool {
        const SWITCH: &str = "enabled";
        let profile = self.profiles.get(format).and_then(|profile| profile.get(SWITCH));
        if let Some(on) = profile.and_then(serde_json::Value::as_bool) {
            return !on;
        }
        let node = self.body.as_node();
        let field = node.shape().find(SWITCH.as_bytes()).and_then(|n| node.field(n));
        field.is_some_and(|field| matches!(field.view(), View::Bool(false)))
    }

    /// Whether the piece was taken out of the document that another entity came from.
    pub fn is_part_of(&self, whole: &Self) -> bool {
        let documents = whole.documents();
        self.wholes().iter().any(|of| documents.contains(of))
    }

    /// Whether the piece was taken out of other documents than that which another entity came from.
    pub fn is_part_of_another(&self, whole: &Self) -> bool {
        !self.wholes().is_empty() && !self.is_part_of(whole)
    }

    /// The ids of the pieces that were taken out of the documents it came from.
    pub fn taken_out(&self) -> Vec<String> {
        let taken = self.original.values().filter_map(|original| original.unmapped.get(TAKEN)?.as_object());
        taken.flat_map(|taken| taken.values()).filter_map(|id| id.as_str().map(str::to_owned)).collect()
    }

    /// What the documents are called that it came from.
    pub fn documents(&self) -> Vec<String> {
        self.original.values().map(called).collect()
    }

    /// What the documents are called that it was taken out of, as a piece of what they hold.
    pub fn wholes(&self) -> Vec<String> {
        let of = self.original.values().filter_map(|part| part.unmapped.get(PART_OF)?.as_str());
        of.map(str::to_owned).collect()
    }
}

/// What a document is told from others by, also from an equal one in another file.
fn called(original: &Original) -> String {
    let file = original.file_name().map(|file| format!(" {file}"));
    original.sum() + &file.unwrap_or_default()
}

/// What a piece is called that a document holds.
fn name_of(link: &Linked, main: &dyn Node) -> String {
    match fill_value(&link.name, main, 0, Source::default()) {
        Some(Value::Text(name)) => name.into_owned(),
        _ => String::new(),
    }
}

/// The ids in a list of the model.
fn ids_in(body: &dyn Node, field: &str) -> Vec<String> {
    let Ok(route) = crate::engine::Route::find(body.shape(), field) else { return Vec::new() };
    let View::List(list) = route.whole.view(body) else { return Vec::new() };
    let ids = (0..list.len()).filter_map(|n| match list.item(n)?.view() {
        View::Text(id) => Some(id.to_owned()),
        _ => None,
    });
    ids.collect()
}

/// Adds an id to a list of the model.
fn name_in(body: &mut dyn Node, field: &str, id: &str) {
    let mut ids = ids_in(body, field);
    if ids.iter().any(|known| known == id) {
        return;
    }
    ids.push(id.to_owned());
    if let Ok(route) = crate::engine::Route::find(body.shape(), field) {
        route.whole.set(body, Value::List(ids.into_iter().map(Value::text).collect()));
    }
}
