//! Bundles: a piece of content together with the pieces that are linked to it.
//!
//! A mapping file says which slots of a document hold a piece of another format. An import takes
//! such pieces out as entities of their own; an export puts linked pieces back, where the target has
//! a slot for them.

mod homes;

use std::collections::BTreeMap;

use self::homes::{Homes, piece_format};
use crate::engine::{Source, fill_value};
use crate::entity::{AnyEntity, Entity, Original};
use crate::error::{Error, Result, Warning};
use crate::format::{Declared, Exported, Format, document_in, other};
use crate::id::canonical_id;
use crate::input::Input;
use crate::json::Value;
use crate::map::Linked;
use crate::model::{Extras, Node, View, differences};
use crate::registry::Registry;
use crate::report::{Loss, PieceReport, Report};

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

/// The slots of one declaration that were written.
#[derive(Debug)]
struct Written<'b> {
    homes: Homes<'b>,
    /// For every row that is to be read back: which row of which piece it is.
    rows: Vec<Option<(usize, usize)>>,
    /// The pieces in them.
    pieces: Vec<usize>,
    /// The rows that got another identity: which row of which piece, and the identity.
    renamed: Vec<((usize, usize), String)>,
}

/// The key in the escrow of a main document under which the pieces are named that were taken out of
/// it: for each format the id.
const TAKEN: &str = "linked";
/// The key in the escrow of a piece under which the document is named that it was taken from.
const PART_OF: &str = "of";

impl Registry {
    /// Reads a document, and takes the pieces out of it that it holds. The main entity names them.
    ///
    /// # Errors
    /// Those of the import, and a declaration that names a format which is not there.
    pub fn import_bundle(&self, format: &dyn Format, input: Input) -> Result<Bundle> {
        let imported = format.import(input)?;
        let mut bundle = Bundle { main: imported.entity, linked: Vec::new(), warnings: imported.warnings };
        let Some(declared) = format.declared() else { return Ok(bundle) };
        for link in declared.map().linked.iter() {
            piece_format(self, declared, link)?;
            let Some(original) = bundle.main.original.get(declared.id()) else { continue };
            let taken = self.take(declared, link, &bundle.main, original);
            let Some((mut piece, warnings)) = taken.unwrap_or_else(|error| {
                let message = format!("the rows for {} stay in the document: {error}", link.format);
                bundle.warnings.push(other(message));
                None
            }) else {
                continue;
            };
            let is_taken = |id: &str| bundle.linked.iter().any(|piece| piece.id == id);
            if is_taken(&piece.id) {
                let numbered = (2..).map(|n| format!("{}-{n}", piece.id)).find(|id| !is_taken(id));
                piece.id = numbered.unwrap_or_default();
            }
            bundle.warnings.extend(warnings);
            name_in(bundle.main.body.as_node_mut(), &link.to, &piece.id);
            if let Some(original) = bundle.main.original.get_mut(declared.id()) {
                let taken = original.unmapped.entry(TAKEN).or_insert_with(|| Extras::new().into());
                if let Some(taken) = taken.as_object_mut() {
                    taken.insert(link.format.to_string(), piece.id.as_str().into());
                }
            }
            bundle.linked.push(piece);
        }
        Ok(bundle)
    }

    /// Takes the piece out that the slots of a declaration hold; nothing when they are empty.
    fn take(
        &self,
        declared: &Declared,
        link: &Linked,
        main: &AnyEntity,
        original: &Original,
    ) -> Result<Option<(AnyEntity, Vec<Warning>)>> {
        let Some(homes) = Homes::new(self, declared, link, original.raw())? else { return Ok(None) };
        let Some(held) = homes.held(original.raw())? else { return Ok(None) };
        let mut body = held.body;
        homes.set_name(body.as_node_mut(), &name_of(link, main.body.as_node()));
        let id = canonical_id(body.entity_name(), body.kind());
        let mut piece: AnyEntity = Entity::with_id(id, body);
        // Rows that do not show what they are would not be known again without their document.
        if homes.format.carrier(&held.text).is_ok() {
            let span = 0..held.text.len();
            let mut part = Original::new(held.text, span, None);
            part.unmapped.insert(PART_OF.to_owned(), called(original).into());
            piece.original.insert(homes.format.id().to_owned(), part);
        }
        Ok(Some((piece, held.warnings)))
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
        let links = self.links(&bundle.main);
        let names =
            |link: &Link, piece: &AnyEntity| link.id == piece.id && link.kinds.iter().any(|k| k == piece.kind());
        let is_linked = |piece: &AnyEntity| links.iter().any(|link| names(link, piece));
        let missing = links.iter().filter(|link| !bundle.linked.iter().any(|piece| names(link, piece)));
        let missing = missing.map(|link| (link.clone(), format.declared().is_none())).collect();
        let mut exported =
            ExportedBundle { main, linked: Vec::new(), written: Vec::new(), links: links.clone(), missing };
        let mut embedded = vec![false; bundle.linked.len()];
        if let Some(declared) = format.declared() {
            for link in declared.map().linked.iter() {
                let kind = piece_format(self, declared, link)?.kind();
                let pieces: Vec<(usize, &AnyEntity)> = bundle.linked.iter().enumerate().collect();
                let (mut pieces, _): (Vec<_>, Vec<_>) = pieces.into_iter().partition(|(n, piece)| {
                    Some(piece.kind()) == kind && is_linked(piece) && !piece.is_off(declared.id()) && !embedded[*n]
                });
                pieces.retain(|(_, piece)| ids_in(bundle.main.body.as_node(), &link.to).contains(&piece.id));
                for n in exported.embed(self, declared, link, bundle, &pieces)? {
                    embedded[n] = true;
                }
            }
        }
        for (n, piece) in bundle.linked.iter().enumerate() {
            let way = if embedded[n] {
                Way::Embedded
            } else if !is_linked(piece) {
                Way::Left("the main entity does not name it".to_owned())
            } else if format.declared().is_some() && piece.is_off(format.id()) {
                Way::Left("it is switched off (`enabled` is false)".to_owned())
            } else {
                match self.format_beside(format, piece.kind()) {
                    Some(beside) => Way::Beside(beside.export(piece.into())?),
                    None => Way::Left("there is no format for it".to_owned()),
                }
            };
            exported.linked.push(ExportedPiece { entity: piece, way });
        }
        Ok(exported)
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

impl<'b> ExportedBundle<'b> {
    /// Writes pieces into the slots of a declaration; the answer is which of them are there now.
    fn embed(
        &mut self,
        registry: &'b Registry,
        declared: &'b Declared,
        link: &'b Linked,
        bundle: &'b Bundle,
        pieces: &[(usize, &'b AnyEntity)],
    ) -> Result<Vec<usize>> {
        let text = self.main.text().into_owned();
        let span = document_in(&text);
        let mut document = text[span.clone()].to_owned();
        let Some(homes) = Homes::new(registry, declared, link, &document)? else { return Ok(Vec::new()) };
        let held = homes.held(&document)?;
        let taken = bundle.main.original.get(declared.id()).and_then(|original| original.unmapped.get(TAKEN));
        let taken = taken.and_then(|taken| taken.get(&*link.format)).and_then(serde_json::Value::as_str);
        let own = pieces.iter().find(|(_, piece)| Some(piece.id.as_str()) == taken);
        // Rows of a piece that is named and not at hand stay, and so do those that were never taken out.
        let waits = self.missing.iter_mut().find(|(link, _)| Some(link.id.as_str()) == taken);
        let stays = taken.is_none() || waits.map(|(_, stays)| *stays = true).is_some();
        let mut rows: Vec<Option<(usize, usize)>> = Vec::new();
        let mut others = Vec::new();
        if let Some(held) = held {
            if stays {
                let own = held.in_first();
                rows.resize(own, None);
                others.resize(held.len() - own, None);
            } else {
                let lens = own.and_then(|(_, piece)| homes.format.lens((*piece).into(), &mut Vec::new()));
                let body = own.map(|(_, piece)| lens.as_deref().unwrap_or(&*piece.body).as_node());
                let merged = homes.merge(&document, &held, body)?;
                let n = own.map_or(0, |(n, _)| *n);
                rows.extend(merged.first.into_iter().map(|row| Some((n, row))));
                others.extend(merged.others.into_iter().map(|row| Some((n, row))));
                if let Some(text) = merged.text {
                    document = text;
                }
            }
        }
        let own = own.map(|(n, _)| *n);
        let mut embedded: Vec<usize> = own.into_iter().collect();
        let mut renamed = Vec::new();
        let mut added = Vec::new();
        let mut ids = homes.taken(&document);
        for (n, piece) in pieces.iter().filter(|(n, _)| Some(*n) != own) {
            let export = homes.format.export((*piece).into())?;
            let lens = homes.format.lens((*piece).into(), &mut Vec::new());
            let body = lens.as_deref().unwrap_or(&*piece.body).as_node();
            let text = export.text();
            for (mut row, which) in homes.rows_in(&text[document_in(&text)], body) {
                if let Some(id) = homes.id_of(&row) {
                    let known = ids.entry(id.clone()).or_default();
                    // The same row under the same identity is there already.
                    if known.iter().any(|known| says_the_same(known, &row)) {
                        continue;
                    }
                    known.push(row.clone());
                    if known.len() > 1 {
                        let new = (2..).map(|n| format!("{id}-{n}")).find(|id| !ids.contains_key(id));
                        let new = new.unwrap_or_default();
                        row = homes.renamed(&row, &new);
                        ids.insert(new.clone(), vec![row.clone()]);
                        renamed.extend(which.map(|which| ((*n, which), new)));
                    }
                }
                rows.push(which.map(|which| (*n, which)));
                added.push(row);
            }
            embedded.push(*n);
        }
        if !added.is_empty() {
            match homes.append(&document, &added)? {
                Some(text) => document = text,
                None => {
                    // There is no place: what was in the slots is all that is there.
                    rows.truncate(rows.len() - added.len());
                    embedded.retain(|n| Some(*n) == own);
                    renamed.clear();
                }
            }
        }
        if document != text[span.clone()] {
            self.main.set_text([&text[..span.start], &document, &text[span.end..]].concat());
        }
        rows.extend(others);
        let pieces = embedded.clone();
        self.written.push(Written { homes, rows, pieces, renamed });
        Ok(embedded)
    }

    /// What the documents do not carry, found out by reading them again.
    ///
    /// # Errors
    /// Those of the reports of the documents.
    pub fn report(&self) -> Result<Report> {
        let mut report = self.main.report()?;
        // That the field itself is not written is told piece by piece.
        for link in &self.links {
            let field = link.at.rsplit_once('/').map_or("", |(field, _)| field);
            report.lost.retain(|loss| loss.at != field && !loss.at.starts_with(&format!("{field}/")));
        }
        let is_foreign = |format: &&str| *format != crate::native::NATIVE;
        let to = Some(report.to.as_str()).filter(is_foreign).map(str::to_owned);
        let mut lost: Vec<(String, Loss)> = Vec::new();
        for (link, stays) in &self.missing {
            if *stays {
                let message =
                    format!("the linked piece `{}` is not at hand; what the document has of it stays", link.id);
                if to.is_some() {
                    report.warnings.push(other(message));
                }
                continue;
            }
            let reason = format!("the linked piece `{}` is not at hand", link.id);
            lost.push((link.at.clone(), Loss { at: link.at.clone(), reason, value: Some(link.id.as_str().into()) }));
        }
        for (n, piece) in self.linked.iter().enumerate() {
            let told = self.piece(n, piece)?;
            let link = self
                .links
                .iter()
                .find(|link| link.id == piece.entity.id && link.kinds.iter().any(|kind| kind == piece.entity.kind()));
            if let (Some(link), Some(to)) = (link, &to) {
                let reason = match &piece.way {
                    Way::Embedded => None,
                    Way::Beside(_) => Some(format!(
                        "{to} has no place for the {}; it travels beside, as a file of its own",
                        piece.entity.kind()
                    )),
                    Way::Left(reason) => Some(format!("the {} is not written: {reason}", piece.entity.kind())),
                };
                let value = Some(link.id.as_str().into());
                lost.extend(reason.map(|reason| (link.at.clone(), Loss { at: link.at.clone(), reason, value })));
            }
            report.linked.push(told);
        }
        lost.sort_by(|(a, _), (b, _)| a.cmp(b));
        report.lost.extend(lost.into_iter().map(|(_, loss)| loss));
        Ok(report)
    }

    fn piece(&self, n: usize, piece: &ExportedPiece<'_>) -> Result<PieceReport> {
        let ExportedPiece { entity, way } = piece;
        let (report, way) = match way {
            Way::Beside(exported) => (exported.report()?, "beside"),
            Way::Left(_) => (Report::default(), "left"),
            Way::Embedded => {
                let written = self.written.iter().find(|written| written.pieces.contains(&n));
                let report = written.map(|written| self.embedded(n, entity, written)).transpose()?;
                (report.unwrap_or_default(), "embedded")
            }
        };
        Ok(PieceReport {
            id: entity.id.clone(),
            kind: entity.kind().to_owned(),
            name: entity.body.entity_name().to_owned(),
            way,
            file: None,
            report,
        })
    }

    /// What of a piece reads back from the slots it was written to.
    fn embedded(&self, n: usize, piece: &AnyEntity, written: &Written<'_>) -> Result<Report> {
        let homes = &written.homes;
        let mut report = Report { to: homes.format.id().to_owned(), ..Report::default() };
        let lens = homes.format.lens(piece.into(), &mut report.warnings);
        let given = lens.as_deref().unwrap_or(&*piece.body).as_node();
        let text = self.main.text();
        let held = homes.held(&text[document_in(&text)])?;
        let expected: Vec<Option<usize>> =
            written.rows.iter().map(|row| row.filter(|(piece, _)| *piece == n).map(|(_, row)| row)).collect();
        let renamed: Vec<usize> =
            written.renamed.iter().filter(|((piece, _), _)| *piece == n).map(|((_, row), _)| *row).collect();
        let found = match &held {
            Some(held) => homes.read_back(held, given, &expected, &renamed),
            None if expected.is_empty() => Some(homes.format.kind_of_body().blank()),
            None => None,
        };
        let Some(mut found) = found else {
            report.warnings.push(other("other rows read back than were written"));
            return Ok(report);
        };
        homes.set_name(found.as_node_mut(), &name_of(homes.link, self.main.body()));
        let plan = &homes.view.prepared()?.plan;
        let quotients = plan.quotients.first().ok_or(Error::NotRecognised { nearest: None })?;
        for difference in differences(given, found.as_node(), quotients, &|_, _, _| false) {
            report.add(difference);
        }
        for ((_, row), id) in written.renamed.iter().filter(|((piece, _), _)| *piece == n) {
            let reason = format!("the document has another row with this id; it reads back as {id:?}");
            let (at, value) = homes.identity(given, *row);
            report.coerced.push(Loss { at, reason, value });
        }
        Ok(report)
    }
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
        let wholes: Vec<String> = whole.original.values().map(called).collect();
        let of = self.original.values().filter_map(|part| part.unmapped.get(PART_OF)?.as_str());
        of.into_iter().any(|of| wholes.iter().any(|whole| whole == of))
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

/// Whether two JSON texts are one value.
fn says_the_same(one: &str, other: &str) -> bool {
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    one == other || read(one).is_some_and(|one| Some(one) == read(other))
}
