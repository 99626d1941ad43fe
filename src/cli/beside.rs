//! The linked pieces of native files: other native files, which lie beside them.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::files;
use crate::json::{Cursor, Value, locate_all};
use crate::{AnyEntity, Link, NATIVE, Registry, printable};

/// What files lie beside each other, looked at once for each folder.
#[derive(Default)]
pub(super) struct Neighbours {
    folders: Mutex<HashMap<PathBuf, Arc<Folder>>>,
}

/// The native files of a folder.
struct Folder {
    cards: Vec<Card>,
    /// The files of a kind and an id.
    named: HashMap<Name, Vec<usize>>,
    /// For a file, those that take it for a piece of theirs; where that had to be known.
    wholes: OnceLock<HashMap<usize, Vec<usize>>>,
}

/// A kind and an id.
type Name = (String, String);

/// What a native file is, without all that is in it.
struct Card {
    path: PathBuf,
    kind: String,
    id: String,
    /// The ids it names, and the kinds these may be of.
    links: Vec<(String, Vec<String>)>,
    /// The first format it came from.
    origin: Option<String>,
    /// What it came from, where that had to be known.
    descent: OnceLock<Descent>,
}

/// What the documents are called that a file came from, and those it was taken out of; and the ids of
/// what was taken out of it.
#[derive(Default)]
struct Descent {
    documents: Vec<String>,
    wholes: Vec<String>,
    taken_out: Vec<String>,
}

impl Descent {
    fn of(entity: &AnyEntity) -> Self {
        Self { documents: entity.documents(), wholes: entity.wholes(), taken_out: entity.taken_out() }
    }

    /// Whether it was taken out of another document than a main file came from.
    fn is_part_of_another(&self, main: &Self) -> bool {
        !self.wholes.is_empty() && !self.wholes.iter().any(|of| main.documents.contains(of))
    }
}

impl Neighbours {
    /// The pieces that lie beside a file and that its entity names, with their files; and what there is
    /// to say where one cannot be told from another.
    pub(super) fn pieces(
        &self,
        formats: &Registry,
        file: &Path,
        main: &AnyEntity,
    ) -> (Vec<(PathBuf, AnyEntity)>, Vec<String>) {
        let mut pieces = Vec::new();
        let mut odd = Vec::new();
        let links = formats.links(main);
        if links.is_empty() {
            return (pieces, odd);
        }
        let folder = self.folder(formats, file);
        let descent = Descent::of(main);
        let mut taken = HashSet::new();
        for link in links {
            match folder.pick(formats, file, (&link.id, &link.kinds), || &descent) {
                Picked::None => odd.extend(why_unreadable(formats, file, &link)),
                Picked::Another(n) => odd.push(of_another(&link, &folder.cards[n].path)),
                Picked::Many(count) => odd.push(several(&link, count)),
                Picked::One(n) if !taken.insert(n) => {}
                Picked::One(n) => match read(formats, &folder.cards[n].path) {
                    Ok(piece) => pieces.push((folder.cards[n].path.clone(), piece)),
                    Err(why) => odd.push(why),
                },
            }
        }
        (pieces, odd)
    }

    /// The file beside a piece that takes it along, when every file of the folder is converted: the
    /// first one that names it, and becomes something else than a native file.
    pub(super) fn taken_by(&self, formats: &Registry, file: &Path, to: Option<&str>) -> Option<PathBuf> {
        let folder = self.folder(formats, file);
        let takes = |card: &&Card| {
            let target = to.or(card.origin.as_deref()).and_then(|to| formats.format(to).ok());
            target.is_some_and(|target| target.id() != NATIVE && target.kind() == Some(&card.kind))
        };
        let n = folder.cards.binary_search_by(|card| card.path.as_path().cmp(file)).ok()?;
        let mut wholes = folder.wholes(formats).get(&n)?.iter().map(|whole| &folder.cards[*whole]);
        wholes.find(takes).map(|card| card.path.clone())
    }

    /// The native files of the folder that a file is in.
    fn folder(&self, formats: &Registry, file: &Path) -> Arc<Folder> {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // Whoever comes second waits, and finds the folder looked at.
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = folders.get(folder) {
            return Arc::clone(known);
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
        let known = Arc::new(Folder::new(paths.into_iter().filter_map(|path| card(formats, path)).collect()));
        folders.insert(folder.to_owned(), Arc::clone(&known));
        known
    }
}

/// What came of the search for one piece.
enum Picked {
    None,
    One(usize),
    Many(usize),
    /// A file that bears the id of a piece which was taken out of the main file, and is part of another
    /// one.
    Another(usize),
}

impl Folder {
    /// `cards` are in the order of their paths.
    fn new(cards: Vec<Card>) -> Self {
        let mut named: HashMap<Name, Vec<usize>> = HashMap::new();
        for (n, card) in cards.iter().enumerate() {
            named.entry((card.kind.clone(), card.id.clone())).or_default().push(n);
        }
        Self { cards, named, wholes: OnceLock::new() }
    }

    fn wholes(&self, formats: &Registry) -> &HashMap<usize, Vec<usize>> {
        self.wholes.get_or_init(|| {
            let mut wholes: HashMap<usize, Vec<usize>> = HashMap::new();
            for (n, card) in self.cards.iter().enumerate() {
                for (id, kinds) in &card.links {
                    let picked = self.pick(formats, &card.path, (id, kinds), || card.descent(formats));
                    if let Picked::One(piece) = picked {
                        wholes.entry(piece).or_default().push(n);
                    }
                }
            }
            wholes
        })
    }

    /// The file that is the piece of an id. Of several that say so it is the one that was taken out of
    /// the document that the main file came from.
    fn pick<'d>(
        &self,
        formats: &Registry,
        main: &Path,
        (id, kinds): (&str, &[String]),
        descent: impl FnOnce() -> &'d Descent,
    ) -> Picked {
        let of_kind = kinds.iter().filter_map(|kind| self.named.get(&(kind.clone(), id.to_owned())));
        let found: Vec<usize> = of_kind.flatten().copied().filter(|n| self.cards[*n].path != main).collect();
        let main = match found[..] {
            [] => return Picked::None,
            _ => descent(),
        };
        if let [only] = found[..] {
            // Whoever names the piece of another file on purpose may have it.
            let was_taken = main.taken_out.iter().any(|taken| taken == id);
            let is_another = was_taken && self.cards[only].descent(formats).is_part_of_another(main);
            return if is_another { Picked::Another(only) } else { Picked::One(only) };
        }
        let documents: HashSet<&String> = main.documents.iter().collect();
        let is_part = |n: &&usize| self.cards[**n].descent(formats).wholes.iter().any(|of| documents.contains(of));
        match found.iter().filter(is_part).collect::<Vec<_>>()[..] {
            [only] => Picked::One(*only),
            _ => Picked::Many(found.len()),
        }
    }
}

impl Card {
    /// Few files have to be told apart by what they came from, so it is looked up when it is asked for.
    fn descent(&self, formats: &Registry) -> &Descent {
        self.descent.get_or_init(|| read(formats, &self.path).map(|entity| Descent::of(&entity)).unwrap_or_default())
    }
}

fn several(link: &Link, count: usize) -> String {
    let id = printable(&link.id);
    format!("{count} files beside say that they are the linked piece `{id}`, so none of them is taken")
}

/// Why a file beside that is called as a piece cannot be read, if there is one.
fn why_unreadable(formats: &Registry, main: &Path, link: &Link) -> Option<String> {
    let path = main.with_file_name(format!("{}.bunzai.json", link.id));
    let is_beside = path.parent() == main.parent() && path.is_file();
    is_beside.then(|| read(formats, &path).err()).flatten()
}

fn of_another(link: &Link, path: &Path) -> String {
    let path = path.to_string_lossy();
    let (id, path) = (printable(&link.id), printable(&path));
    format!("{path} is called as the linked piece `{id}` is, and was taken out of another file, so it is left alone")
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
    Some(Card { path, kind, id, links, origin, descent: OnceLock::new() })
}
