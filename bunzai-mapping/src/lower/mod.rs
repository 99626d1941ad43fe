//! From words to meaning: a tree becomes a map, and what it claims of the model.

mod claims;
mod gate;
mod join;
mod linked;
mod owners;
mod path;
mod pick;
mod read;
mod row;
mod rows;
mod scopes;
mod shared;
mod table;
mod text;
mod uses;
mod value;

use std::collections::BTreeMap;

use bunzai_runtime::map::{
    Carrier, Join, Known, Leaves, Literal, Map, Part, Row, Seq, Spelling, Str, Table as Relation, Types, Wire,
};

use self::owners::Owners;
use self::shared::Values;

use crate::diagnostic::Sink;
use crate::parts::{Named, Shared};
use crate::tree::{Loc, Table, Tree};
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
    /// What it says of the paths of the kind, as a tree.
    pub known: Vec<Known>,
    /// What each of the maps says that a document may be read with; none where there is but one.
    pub settled: Vec<Settled>,
    /// Where to show what is wrong with the whole: the word `lost`, or the first line.
    pub coverage_loc: Loc,
    /// Where the kind is named.
    pub kind_loc: Loc,
    /// Where the format is named.
    pub format_loc: Loc,
    /// The formats of the pieces that its documents hold, each with the place that names it.
    pub links: Vec<(String, Loc)>,
    /// Where Rust code is named, which only a compiled codec has.
    pub hatches: Vec<Loc>,
}

/// A map that documents of some shapes are read with.
#[derive(Debug)]
pub struct Settled {
    /// What it says of the paths of the kind, as a tree.
    pub known: Vec<Known>,
    /// Where it is named.
    pub loc: Loc,
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
#[derive(Debug, Clone, PartialEq)]
struct Mapped {
    /// The path, from the body on.
    path: String,
    /// Whether every import sets it.
    always: bool,
    owner: Owner,
    /// The wire path of the row that sets it.
    slot: Option<String>,
    loc: Loc,
    /// Which use of a map sets it.
    used: usize,
    /// Of maps of which a row is read with one, the one that sets it.
    choice: Option<Choice>,
}

/// One of several maps of which a row is read with one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Choice {
    /// What tells these maps from others of which there is one.
    among: usize,
    /// Which of them it is, and how many there are.
    number: usize,
    count: usize,
}

/// What sets a canonical path.
#[derive(Debug, Clone, PartialEq)]
enum Owner {
    /// A row: it is alone.
    Row,
    /// A stamp: rows may set single items of what it makes.
    Stamp,
    /// A row that reads a list of rows, which set what is in them.
    Rows,
    /// One flag for a field of every row: the rows are read by others.
    Gathered,
    /// A row that stands for one word of a list: there may be others.
    Word(Literal),
    /// A join, which may set what a row sets, after it.
    Join,
    /// The object for keys without a row; rows may have keys of it.
    Rest,
}

impl Owner {
    /// Whether both may set one path.
    fn shares_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Word(one), Self::Word(other)) => one != other,
            (Self::Join, Self::Row | Self::Rows | Self::Stamp) | (Self::Row | Self::Rows | Self::Stamp, Self::Join) => {
                true
            }
            _ => false,
        }
    }

    /// Whether it leaves what is below its path to others.
    fn leaves_below(&self) -> bool {
        matches!(self, Self::Join | Self::Rest)
    }
}

/// What a claim says; [`bunzai_runtime::map::Want`] with its constants owned.
#[derive(Debug, Clone, PartialEq)]
pub enum Wanted {
    /// The path exists.
    Exists,
    /// A condition can ask about the path.
    Asked,
    /// One value, or a list of plain ones.
    Leaf,
    /// One value, and no list.
    One,
    /// One value, of the type that this path holds, which is no list.
    Alike(String),
    /// A boolean.
    Bool,
    /// A number.
    Number,
    /// Text.
    Text,
    /// Any text.
    AnyText,
    /// A list.
    List,
    /// A struct.
    Node,
    /// An object with free keys.
    Open,
    /// Something that has something inside.
    Inside,
    /// One of these JSON types, or null.
    Is(Types),
    /// This constant can stand there.
    Fits(Literal),
    /// This constant can stand there: in a list as an item.
    Cell(Literal),
    /// Null can stand there.
    Nullable,
    /// It may stay unset, as something leaves it.
    Unset(Leaves),
}

/// What a part claims of its scope, before it is known where the scope lies.
#[derive(Debug, Default)]
struct PartClaims {
    claims: Vec<Claimed>,
    mapped: Vec<Mapped>,
    opens: Vec<Opens>,
    /// Where its paths name picks.
    picking: Vec<Loc>,
}

/// A named map that is opened: by index, with the canonical path of its scope.
#[derive(Debug)]
struct Opens {
    part: usize,
    path: String,
    /// The wire key that tells its rows apart.
    by: Option<String>,
    /// Whether a row is read with it or with another one.
    choice: Option<Choice>,
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
    fn set(&mut self, path: &str, always: bool, owner: Owner, slot: Option<&str>, loc: Loc) {
        let (path, slot) = (path.to_owned(), slot.map(str::to_owned));
        self.mapped.push(Mapped { path, always, owner, slot, loc, used: 0, choice: None });
    }
}

/// Everything the readers of the parts of a file share.
struct Lower<'s> {
    sink: &'s mut Sink,
    /// The tables read so far, and for each the places of its constants.
    tables: Vec<Relation>,
    cells: Vec<Vec<table::CellAt>>,
    /// The named tables, as they stand in the file, and the ones read: by name and columns.
    named_tables: Table,
    read_tables: Vec<((usize, usize, usize, table::Of), usize)>,
    /// The named tables and maps: name, place, and whether something refers to it.
    table_names: Vec<Name>,
    map_names: Vec<Name>,
    pick_names: Vec<Name>,
    /// Where the paths of the map that is read name picks.
    picking: Vec<Loc>,
    /// The wire keys that tell the rows of the map that is read apart.
    keys: Vec<String>,
    /// Where Rust code is named.
    hatches: Vec<Loc>,
    /// The maps that read a regex.
    regexes: Vec<usize>,
    /// How the rows of the map that is read are spelled that do not say it themselves.
    usual: Seq<Seq<Spelling>>,
    /// The parts that the file names, and the values of them and of those that they use.
    parts: Vec<Named>,
    values: Values,
    /// The values that are being worked out, by index.
    open_values: Vec<usize>,
}

struct Name {
    text: String,
    loc: Loc,
    used: bool,
}

/// Reads a declaration. It is complete even where something is wrong; the sink says what.
pub(crate) fn lower(tree: &Tree, shared: Shared, sink: &mut Sink) -> Declaration {
    let empty = Table::default();
    let file = tree.as_table().unwrap_or(&empty);
    let under = |word: &str| file.get(word).and_then(Tree::as_table).unwrap_or(&empty);
    let names = |word: &str| {
        under(word).0.iter().map(|e| Name { text: e.key.clone(), loc: e.key_loc, used: false }).collect::<Vec<_>>()
    };
    let mut lower = Lower {
        sink,
        tables: Vec::new(),
        cells: Vec::new(),
        named_tables: under("tables").clone(),
        read_tables: Vec::new(),
        table_names: names("tables"),
        map_names: names("maps"),
        pick_names: pick::names(file),
        picking: Vec::new(),
        keys: Vec::new(),
        hatches: Vec::new(),
        regexes: Vec::new(),
        usual: Seq::default(),
        parts: shared.parts,
        values: Values::new(shared.values),
        open_values: Vec::new(),
    };
    lower.check_words(file, &words::FILE);
    if let Some(entry) = file.entry("use") {
        lower.add("B008", entry.key_loc, "parts are used by mapping files; attributes have none");
    }
    for word in ["tables", "maps"] {
        file.get(word).and_then(|tree| lower.table(tree, word));
    }
    let whole = lower.with_likes(file, under("maps"));
    let file = &whole;

    let picks = lower.picks(file);
    let (root, mut root_claims) = lower.part(file);
    let linked = lower.linked(file, &root, &mut root_claims);
    let mut parts = Vec::new();
    let mut part_claims = Vec::new();
    let mut wholes = Vec::new();
    for entry in &under("maps").0 {
        // What is no table is told, and leaves a map with nothing in it: others count by place.
        let table = lower.table(&entry.value, &entry.key).unwrap_or(&empty);
        lower.check_words(table, &words::MAP);
        let whole = lower.with_likes(table, under("maps"));
        lower.keys = Lower::keys_of_rows(file, &entry.key);
        let (part, claims) = lower.part(&whole);
        parts.push((Str::from(entry.key.clone()), part));
        part_claims.push(claims);
        wholes.push(whole);
    }
    let shapes = lower.shapes(file, &mut root_claims);
    let lost = lower.lost(file);
    let first_line = Loc { start: 0, end: 0 };
    let map = Map {
        format: lower.format_id(file),
        label: lower.needed_text(file, "label"),
        about: lower.text_or(file, "about", ""),
        writes: lower.writes(file),
        shapes: Seq::from(shapes),
        root,
        parts: Seq::from(parts),
        tables: Seq::from(std::mem::take(&mut lower.tables)),
        picks: Seq::from(picks),
        lost: lost.iter().map(|(path, _)| Str::from(path.clone())).collect(),
        linked: linked.into(),
    };
    let kind = lower.needed_text(file, "kind").into_owned();
    let all: Vec<&PartClaims> = [&root_claims].into_iter().chain(&part_claims).collect();
    let named =
        map.parts.iter().zip(&under("maps").0).filter_map(|((_, part), entry)| Some((part, entry.value.as_table()?)));
    let roots: Vec<(&Part, &Table)> = [(&map.root, file)].into_iter().chain(named).collect();
    lower.check_picks(&map.picks, &all, &roots);
    lower.check_names();
    lower.check_uses(&map, file, &wholes);
    let identities = lower.check_identities(&map, file);
    lower.check_derived(&map.root, file.get("fields").and_then(Tree::as_table).unwrap_or(&empty), None);
    for ((_, part), entry) in map.parts.iter().zip(&under("maps").0) {
        let fields = entry.value.as_table().and_then(|table| table.get("fields")).and_then(Tree::as_table);
        let identity = identities.iter().find(|(name, _)| *name == entry.key).map(|(_, by)| by.as_str());
        lower.check_derived(part, fields.unwrap_or(&empty), identity);
    }
    let coverage_loc = file.entry("lost").or_else(|| file.entry("kind")).map_or(first_line, |entry| entry.key_loc);
    // The maps of other shapes start at the body as well.
    let roots = [(&root_claims, coverage_loc)].into_iter().chain(others(file, &map, &part_claims));
    let (mut claims, mut mapped, mut settled) = (Vec::new(), Vec::new(), Vec::new());
    for (root, loc) in roots {
        let (more, sets) = lower.expand(root, &part_claims);
        lower.check_paths(&sets, &lost);
        claims.extend(more);
        claims.extend(scopes::unset(&sets, &lost));
        // What is lost of rows that this map does not make says nothing of it.
        let makes =
            |path: &str| path.rfind("[]").is_none_or(|at| sets.iter().any(|set| set.path.starts_with(&path[..at + 2])));
        let lost: Vec<_> = lost.iter().filter(|(path, _)| makes(path)).cloned().collect();
        settled.push(Settled { known: scopes::known(&sets, &lost), loc });
        mapped.extend(sets);
    }
    let known = scopes::known(&mapped, &lost);
    // Of one map alone the coverage says it.
    if settled.len() == 1 {
        settled.clear();
    }
    let loc = |word: &str| file.get(word).map_or(first_line, |tree| tree.loc);
    let (kind_loc, format_loc) = (loc("kind"), loc("format"));
    let (links, hatches) = (linked::formats(file), lower.hatches);
    Declaration { map, kind, claims, known, settled, coverage_loc, kind_loc, format_loc, links, hatches }
}

/// What the maps claim that shapes have in place of the root map, each with the place that names it.
fn others<'c>(file: &Table, map: &Map, claims: &'c [PartClaims]) -> Vec<(&'c PartClaims, Loc)> {
    let shapes = file.get("shapes").and_then(|tree| tree.as_list()).unwrap_or_default();
    let named = shapes.iter().filter_map(|shape| {
        let tree = shape.as_table()?.get("map")?;
        Some((map.parts.iter().position(|(name, _)| tree.as_text() == Some(name))?, tree.loc))
    });
    let first: BTreeMap<usize, Loc> = named.rev().collect();
    first.into_iter().filter_map(|(part, loc)| Some((claims.get(part)?, loc))).collect()
}

impl Lower<'_> {
    /// Everything of a map, root or named.
    fn part(&mut self, table: &Table) -> (Part, PartClaims) {
        let mut claims = PartClaims::default();
        self.picking.clear();
        let mut rows: Vec<Row> = Vec::new();
        let mut owners = Owners::default();
        let mut joins: Vec<(Join, Loc)> = Vec::new();
        self.usual = match table.get("as") {
            None => Seq::default(),
            Some(tree) => vec![Seq::from(self.alternatives(tree, "as", &Spelling::WORDS))].into(),
        };
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
                self.own(&mut owners, &entry.key, entry.key_loc);
                let also =
                    entry.value.as_table().and_then(|words| words.get("also")).map_or(entry.key_loc, |tree| tree.loc);
                row.also.iter().for_each(|other| self.own(&mut owners, &path::shown(&other.at), also));
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
                if entry.key.contains("[]") {
                    // It comes before the rows, so that it would find none.
                    let message = "is of every row, and a stamp sets one place; read the list with `each`, and stamp";
                    self.add("B007", entry.key_loc, format!("`{}` {message} its rows in their map", entry.key));
                    continue;
                }
                let Some(literal) = self.literal(&entry.value) else { continue };
                claims.row(&entry.key, entry.key_loc, &[(Wanted::Fits(literal.clone()), entry.value.loc)]);
                claims.set(&entry.key, true, Owner::Stamp, None, entry.key_loc);
                stamp.push((Str::from(entry.key.clone()), literal));
            }
        }
        let rest = self.rest(table, &mut claims);
        let lean = table.get("lean").and_then(|tree| self.model_conditions(tree, "lean", &mut claims));
        let when = table.get("when").map(|tree| self.when(tree)).unwrap_or_default();
        let mut part = Part { rows: rows.into(), joins: Seq::default(), stamp: stamp.into(), rest, lean, when };
        for (join, loc) in &joins {
            join.slots().for_each(|at| self.tie(&mut owners, at, *loc));
        }
        for (order, loc) in self.orders(table, &part) {
            self.tie(&mut owners, &order.at, loc);
            let is_slot = |row: &&Row| row.wire == Wire::At(order.at.clone());
            if part.rows.iter().find(is_slot).is_some_and(|row| !row.to.is_empty()) {
                let name = path::shown(&order.at);
                self.add("B013", loc, format!("`{name}` is written by its row, and keeps an order as well"));
            }
        }
        self.check_writers(&part, &joins);
        part.joins = joins.into_iter().map(|(join, _)| join).collect();
        claims.picking = std::mem::take(&mut self.picking);
        (part, claims)
    }

    /// The shapes, with what they claim of the body.
    fn shapes(&mut self, file: &Table, claims: &mut PartClaims) -> Vec<Carrier> {
        let mut shapes = Vec::new();
        match file.get("shapes") {
            None => shapes.extend(self.shape(&Table::default(), file, Loc { start: 0, end: 0 }, claims)),
            Some(tree) => {
                for item in self.list(tree, "shapes").to_vec() {
                    let Some(table) = self.table(&item, "shapes") else { continue };
                    self.check_words(table, &words::SHAPE);
                    shapes.extend(self.shape(table, file, item.loc, claims));
                }
            }
        }
        shapes
    }

    /// Tables and maps that nothing refers to.
    fn check_names(&mut self) {
        for (what, names) in [("table", &self.table_names), ("map", &self.map_names), ("pick", &self.pick_names)] {
            for name in names.iter().filter(|name| !name.used) {
                self.sink.add("B012", name.loc, format!("the {what} `{}` is used by nothing", name.text));
            }
        }
        for part in self.parts.iter().filter(|part| !part.used) {
            self.sink.add("B012", part.loc, format!("nothing of the part `{}` is used here", part.name));
        }
    }
}
