//! From words to meaning: a tree becomes a map, and what it claims of the model.

mod claims;
mod gate;
mod join;
mod path;
mod read;
mod row;
mod rows;
mod table;
mod value;

use bunzai_runtime::map::{Carrier, Join, Literal, Map, Part, Row, Seq, Str, Table as Relation, Types};

use crate::diagnostic::Sink;
use crate::tree::{Entry, Loc, Table, Tree};
use crate::words;

/// A declaration, read: the map, and what must be true of the canonical type.
#[derive(Debug)]
pub struct Declaration {
    /// The map.
    pub map: Map,
    /// The kind it names.
    pub kind: String,
    /// What it claims of single paths.
    pub claims: Vec<Claimed>,
    /// The paths it sets, and whether every import does.
    pub mapped: Vec<Mapped>,
    /// The paths it declares lost.
    pub lost: Vec<(String, Loc)>,
    /// Where to show what is wrong with the whole: the word `lost`, or the first line.
    pub coverage_loc: Loc,
    /// Where the kind is named.
    pub kind_loc: Loc,
}

/// A claim, with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Claimed {
    /// The canonical path, from the body on.
    pub path: String,
    /// What is claimed.
    pub want: Wanted,
    /// The place.
    pub loc: Loc,
}

/// A canonical path that is set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapped {
    /// The path, from the body on.
    pub path: String,
    /// Whether every import sets it.
    pub always: bool,
    /// What sets it.
    pub owner: Owner,
    /// The place.
    pub loc: Loc,
}

/// What sets a canonical path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// A row, a stamp or the object for keys without a row: it is alone.
    Row,
    /// A row that stands for one word of a list: there may be others.
    Word,
    /// A join, which may set what a row sets, after it.
    Join,
}

impl Owner {
    /// Whether both may set one path.
    fn shares_with(self, other: Self) -> bool {
        matches!((self, other), (Self::Word, Self::Word) | (Self::Join, Self::Row) | (Self::Row, Self::Join))
    }
}

/// What a claim says; [`bunzai_runtime::map::Want`] with its constants owned.
#[derive(Debug, Clone, PartialEq)]
pub enum Wanted {
    /// The path exists.
    Exists,
    /// One value, or a list of plain ones.
    Leaf,
    /// A boolean.
    Bool,
    /// A number.
    Number,
    /// Text.
    Text,
    /// A list of plain values.
    List,
    /// A struct.
    Node,
    /// An object with free keys.
    Open,
    /// One of these JSON types, or null.
    Is(Types),
    /// This constant can stand there.
    Fits(Literal),
    /// This constant can stand there, or in the list there.
    Cell(Literal),
    /// Null can stand there.
    Nullable,
}

/// What a part claims of its scope, before it is known where the scope lies.
#[derive(Debug, Default)]
struct PartClaims {
    claims: Vec<Claimed>,
    mapped: Vec<Mapped>,
    /// The named maps it opens, and the canonical path of their scope.
    opens: Vec<(usize, String)>,
}

impl PartClaims {
    /// Claims something of a path, besides that it exists.
    fn row(&mut self, path: &str, loc: Loc, wants: &[(Wanted, Loc)]) {
        let exists = (Wanted::Exists, loc);
        for (want, loc) in [&exists].into_iter().chain(wants) {
            self.claims.push(Claimed { path: path.to_owned(), want: want.clone(), loc: *loc });
        }
    }

    /// Says that a path is set.
    fn set(&mut self, path: &str, always: bool, owner: Owner, loc: Loc) {
        self.mapped.push(Mapped { path: path.to_owned(), always, owner, loc });
    }
}

/// Everything the readers of the parts of a file share.
struct Lower<'s> {
    sink: &'s mut Sink,
    /// The tables read so far.
    tables: Vec<Relation>,
    /// The named tables, as they stand in the file, and the ones read: by name and columns.
    named_tables: Table,
    read_tables: Vec<((usize, usize, usize), usize)>,
    /// The named tables and maps: name, place, and whether something refers to it.
    table_names: Vec<Name>,
    map_names: Vec<Name>,
}

struct Name {
    text: String,
    loc: Loc,
    used: bool,
}

/// Reads a declaration. It is complete even where something is wrong; the sink says what.
pub(crate) fn lower(tree: &Tree, sink: &mut Sink) -> Declaration {
    let empty = Table::default();
    let file = tree.as_table().unwrap_or(&empty);
    let under = |word: &str| file.get(word).and_then(Tree::as_table).unwrap_or(&empty);
    let names = |word: &str| {
        under(word).0.iter().map(|e| Name { text: e.key.clone(), loc: e.key_loc, used: false }).collect::<Vec<_>>()
    };
    let mut lower = Lower {
        sink,
        tables: Vec::new(),
        named_tables: under("tables").clone(),
        read_tables: Vec::new(),
        table_names: names("tables"),
        map_names: names("maps"),
    };
    lower.check_words(file, &words::FILE);
    for word in ["tables", "maps"] {
        file.get(word).and_then(|tree| lower.table(tree, word));
    }

    let (root, root_claims) = lower.part(file);
    let mut parts = Vec::new();
    let mut part_claims = Vec::new();
    for entry in &under("maps").0 {
        // What is no table is told, and leaves a map with nothing in it: others count by place.
        let table = lower.table(&entry.value, &entry.key).unwrap_or(&empty);
        lower.check_words(table, &words::MAP);
        let (part, claims) = lower.part(table);
        parts.push((Str::from(entry.key.clone()), part));
        part_claims.push(claims);
    }
    let shapes = lower.shapes(file);
    let lost = lower.lost(file);
    let first_line = Loc { start: 0, end: 0 };
    let map = Map {
        format: lower.needed_text(file, "format"),
        label: lower.needed_text(file, "label"),
        about: lower.text_or(file, "about", ""),
        writes: lower.writes(file),
        shapes: Seq::from(shapes),
        root,
        parts: Seq::from(parts),
        tables: Seq::from(std::mem::take(&mut lower.tables)),
        lost: lost.iter().map(|(path, _)| Str::from(path.clone())).collect(),
    };
    let kind = lower.needed_text(file, "kind").into_owned();
    lower.check_names();
    lower.check_identities(&map, file);
    let (mut claims, mapped) = lower.expand(&root_claims, &part_claims);
    claims.extend(lost.iter().map(|(path, loc)| {
        let path = path.strip_suffix(".*").unwrap_or(path).to_owned();
        Claimed { path, want: Wanted::Exists, loc: *loc }
    }));
    let coverage_loc = file.entry("lost").or_else(|| file.entry("kind")).map_or(first_line, |entry| entry.key_loc);
    let kind_loc = file.get("kind").map_or(first_line, |kind| kind.loc);
    Declaration { map, kind, claims, mapped, lost, coverage_loc, kind_loc }
}

impl Lower<'_> {
    /// Everything of a map, root or named.
    fn part(&mut self, table: &Table) -> (Part, PartClaims) {
        let mut claims = PartClaims::default();
        let mut rows: Vec<Row> = Vec::new();
        let mut owners: Vec<(String, Loc)> = Vec::new();
        let mut joins: Vec<(Join, Loc)> = Vec::new();
        for word in ["fields", "sealed", "fresh"] {
            let Some(tree) = table.get(word) else { continue };
            let Some(entries) = self.table(tree, word) else { continue };
            for entry in &entries.0 {
                let row = match word {
                    "fields" => self.row(entry, &mut claims),
                    "sealed" => self.sealed(entry),
                    _ => self.fresh_constant(entry),
                };
                let Some(row) = row else { continue };
                self.check_owner(entry, &mut owners);
                let via = entry.value.as_table().and_then(|words| self.join_of_row(&entry.key, words));
                // The slot itself rides in the twin; the join reads and writes it.
                rows.push(if via.is_some() { Row { to: Seq::default(), ..row } } else { row });
                joins.extend(via);
            }
        }
        joins.extend(self.joins(table, &mut claims));
        let mut stamp = Vec::new();
        if let Some(entries) = table.get("stamp").and_then(|tree| self.table(tree, "stamp")) {
            for entry in &entries.0 {
                if let Some(message) = path::canonical_fault(&entry.key) {
                    self.add("B007", entry.key_loc, message);
                    continue;
                }
                let Some(literal) = self.literal(&entry.value) else { continue };
                claims.row(&entry.key, entry.key_loc, &[(Wanted::Fits(literal.clone()), entry.value.loc)]);
                claims.set(&entry.key, true, Owner::Row, entry.key_loc);
                stamp.push((Str::from(entry.key.clone()), literal));
            }
        }
        let rest = self.rest(table, &mut claims);
        let mut part = Part { rows: rows.into(), joins: Seq::default(), stamp: stamp.into(), rest };
        self.check_writers(&part, &joins);
        part.joins = joins.into_iter().map(|(join, _)| join).collect();
        (part, claims)
    }

    /// A slot has one owner, and nothing inside an owned slot has another.
    fn check_owner(&mut self, entry: &Entry, owners: &mut Vec<(String, Loc)>) {
        let inside = |outer: &str, inner: &str| {
            inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let other = owners.iter().find(|(path, _)| {
            path == &entry.key
                || (entry.key != "." && path != "." && (inside(path, &entry.key) || inside(&entry.key, path)))
        });
        if let Some((other, _)) = other {
            let message = if *other == entry.key {
                format!("the slot `{other}` has a row already")
            } else {
                format!("`{}` and `{other}` overlap; one value has one row", entry.key)
            };
            self.add("B013", entry.key_loc, message);
        }
        owners.push((entry.key.clone(), entry.key_loc));
    }

    fn shapes(&mut self, file: &Table) -> Vec<Carrier> {
        let mut shapes = Vec::new();
        match file.get("shapes") {
            None => shapes.extend(self.shape(&Table::default(), file, Loc { start: 0, end: 0 })),
            Some(tree) => {
                for item in self.list(tree, "shapes").to_vec() {
                    let Some(table) = self.table(&item, "shapes") else { continue };
                    self.check_words(table, &words::SHAPE);
                    shapes.extend(self.shape(table, file, item.loc));
                }
            }
        }
        shapes
    }

    /// Tables and maps that nothing refers to.
    fn check_names(&mut self) {
        for (what, names) in [("table", &self.table_names), ("map", &self.map_names)] {
            for name in names.iter().filter(|name| !name.used) {
                self.sink.add("B012", name.loc, format!("the {what} `{}` is used by nothing", name.text));
            }
        }
    }

    /// Puts the claims of every part below the scopes in which it is used.
    fn expand(&mut self, root: &PartClaims, parts: &[PartClaims]) -> (Vec<Claimed>, Vec<Mapped>) {
        let (mut claims, mut mapped): (Vec<Claimed>, Vec<Mapped>) = (Vec::new(), Vec::new());
        let mut waiting = vec![(String::new(), root, Vec::new())];
        while let Some((scope, part, opened)) = waiting.pop() {
            let below = |path: &str| match (scope.is_empty(), path.is_empty() || path == ".") {
                (true, _) => path.to_owned(),
                (false, true) => scope.clone(),
                (false, false) => format!("{scope}.{path}"),
            };
            claims.extend(part.claims.iter().map(|claim| Claimed { path: below(&claim.path), ..claim.clone() }));
            for set in &part.mapped {
                let path = below(&set.path);
                let other = mapped.iter().find(|other: &&Mapped| other.path == path);
                if other.is_some_and(|other| !other.owner.shares_with(set.owner)) {
                    self.add("B014", set.loc, format!("`{path}` is set elsewhere too"));
                }
                mapped.push(Mapped { path, ..set.clone() });
            }
            for (index, path) in &part.opens {
                let Some(inner) = parts.get(*index) else { continue };
                if opened.contains(index) {
                    if let Some((loc, name)) = self.map_names.get(*index).map(|name| (name.loc, name.text.clone())) {
                        self.add("B009", loc, format!("the map `{name}` opens itself, and would go on for ever"));
                    }
                    continue;
                }
                let opened = opened.iter().copied().chain([*index]).collect();
                waiting.push((below(path), inner, opened));
            }
        }
        (claims, mapped)
    }
}
