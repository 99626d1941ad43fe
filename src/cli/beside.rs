//! The linked pieces of native files: other native files, which lie beside them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::files;
use crate::json::{Cursor, Value, locate_all};
use crate::{AnyEntity, Link, NATIVE, Registry, printable};

/// What files lie beside each other, looked at once for each folder.
#[derive(Default)]
pub(super) struct Beside {
    folders: Mutex<HashMap<PathBuf, Arc<Vec<Card>>>>,
}

/// What a native file is, without all that is in it.
struct Card {
    path: PathBuf,
    kind: String,
    id: String,
    /// The ids it names, and the kinds these may be of.
    links: Vec<(String, Vec<String>)>,
    /// The first format it came from.
    origin: Option<String>,
}

impl Beside {
    /// The pieces that lie beside a file and that its entity names; and what there is to say where
    /// one cannot be told from another.
    pub(super) fn pieces(&self, formats: &Registry, file: &Path, main: &AnyEntity) -> (Vec<AnyEntity>, Vec<String>) {
        let mut pieces: Vec<AnyEntity> = Vec::new();
        let mut odd = Vec::new();
        let links = formats.links(main);
        if links.is_empty() {
            return (pieces, odd);
        }
        let cards = self.cards(formats, file);
        for link in links {
            let found = candidates(&cards, file, &link.id, &link.kinds);
            match pick(formats, found, main) {
                Picked::One(_, piece) if pieces.iter().any(|known| known.id == piece.id) => {}
                Picked::One(_, piece) => pieces.push(*piece),
                Picked::None => {}
                Picked::Many(count) => odd.push(several(&link, count)),
                Picked::Broken(why) => odd.push(why),
            }
        }
        (pieces, odd)
    }

    /// The file beside a piece that takes it along, when every file of the folder is converted: the
    /// first one that names it, and becomes something else than a native file.
    pub(super) fn taken_by(
        &self,
        formats: &Registry,
        file: &Path,
        piece: &AnyEntity,
        to: Option<&str>,
    ) -> Option<PathBuf> {
        let cards = self.cards(formats, file);
        let takes = |card: &&Card| {
            let names =
                |(id, kinds): &(String, Vec<String>)| *id == piece.id && kinds.iter().any(|k| k == piece.kind());
            let target = to.or(card.origin.as_deref()).and_then(|to| formats.format(to).ok());
            card.path != file
                && card.links.iter().any(names)
                && target.is_some_and(|target| target.id() != NATIVE && target.kind() == Some(&card.kind))
        };
        let is_it = |card: &&Card| {
            let found = candidates(&cards, &card.path, &piece.id, &[piece.kind().to_owned()]);
            if let [only] = found[..] {
                return only.path == file;
            }
            let main = read(formats, &card.path).ok();
            let picked = main.map(|main| pick(formats, found, &main));
            matches!(picked, Some(Picked::One(path, _)) if path == file)
        };
        cards.iter().filter(takes).find(is_it).map(|card| card.path.clone())
    }

    /// The native files of the folder that a file is in.
    fn cards(&self, formats: &Registry, file: &Path) -> Arc<Vec<Card>> {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // Whoever comes second waits, and finds the folder looked at.
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cards) = folders.get(folder) {
            return Arc::clone(cards);
        }
        let mut paths: Vec<PathBuf> = Vec::new();
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().to_lowercase();
            if name.ends_with(".bunzai.json") && !name.starts_with('.') {
                // Spelled as the file itself is, so that both are told to be one.
                paths.push(file.with_file_name(entry.file_name()));
            }
        }
        paths.sort();
        let cards = Arc::new(paths.into_iter().filter_map(|path| card(formats, path)).collect::<Vec<_>>());
        folders.insert(folder.to_owned(), Arc::clone(&cards));
        cards
    }
}

/// What came of the search for one piece.
enum Picked {
    None,
    One(PathBuf, Box<AnyEntity>),
    Many(usize),
    Broken(String),
}

/// The files that may be the piece of an id.
fn candidates<'c>(cards: &'c [Card], main: &Path, id: &str, kinds: &[String]) -> Vec<&'c Card> {
    cards.iter().filter(|card| card.path != main && card.id == id && kinds.contains(&card.kind)).collect()
}

/// Of several files that say they are a piece, the one that was taken out of the same document.
fn pick(formats: &Registry, found: Vec<&Card>, main: &AnyEntity) -> Picked {
    let count = found.len();
    let mut read_all = Vec::new();
    for card in found {
        match read(formats, &card.path) {
            Ok(piece) => read_all.push((card.path.clone(), piece)),
            Err(why) => return Picked::Broken(why),
        }
    }
    if count > 1 {
        read_all.retain(|(_, piece)| piece.is_part_of(main));
    }
    match (read_all.pop(), read_all.is_empty()) {
        (Some((path, piece)), true) => Picked::One(path, Box::new(piece)),
        (None, _) if count == 0 => Picked::None,
        _ => Picked::Many(count),
    }
}

fn several(link: &Link, count: usize) -> String {
    let id = printable(&link.id);
    format!("{count} files beside say that they are the linked piece `{id}`, so none of them is taken")
}

fn read(formats: &Registry, path: &Path) -> Result<AnyEntity, String> {
    let input = files::read(path).map_err(|failure| failure.message().to_owned());
    let entity = input.and_then(|input| {
        let native = formats.format(NATIVE).map_err(|error| error.to_string())?;
        native.import(input).map(|imported| imported.entity).map_err(|error| error.to_string())
    });
    entity.map_err(|why| format!("the linked piece {} cannot be read: {why}", printable(&path.to_string_lossy())))
}

/// What a file says of itself; nothing when it is no native file.
fn card(formats: &Registry, path: PathBuf) -> Option<Card> {
    if !path.metadata().is_ok_and(|known| known.is_file()) {
        return None;
    }
    let input = files::read(&path).ok()?;
    let text = input.text().ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let spans = locate_all(text, &["/schemaVersion", "/kind", "/id", "/original"]);
    let [Some(_), Some(kind), Some(id), original] = &spans[..] else { return None };
    let value = |at: &std::ops::Range<usize>| Value::read(&mut Cursor::new(&text[at.clone()])).ok().flatten();
    let kind = value(kind)?.as_text()?.to_owned();
    let id = value(id)?.as_text()?.to_owned();
    let fields = formats.link_fields(&kind);
    let pointers: Vec<&str> = fields.iter().map(|(at, _)| at.as_str()).collect();
    let mut links = Vec::new();
    for (at, (_, kinds)) in locate_all(text, &pointers).iter().zip(&fields) {
        let Some(Value::List(ids)) = at.as_ref().and_then(value) else { continue };
        links.extend(ids.iter().filter_map(|id| Some((id.as_text()?.to_owned(), kinds.clone()))));
    }
    let origin = original.as_ref().and_then(|at| {
        let mut cursor = Cursor::new(&text[at.clone()]);
        let some = cursor.object().ok()?;
        some.then(|| cursor.key().ok()).flatten().map(|key| key.text().into_owned())
    });
    Some(Card { path, kind, id, links, origin })
}
