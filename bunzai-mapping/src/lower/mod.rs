//! From words to meaning: a tree becomes a map, and what it claims of the model.

mod gate;
mod path;
mod row;
mod table;
mod value;

use std::borrow::Cow;

use bunzai_runtime::map::{Carrier, Literal, Map, Part, Row, Seq, Step, Str, Table as Relation, Types, Wire, nearest};

use crate::diagnostic::Sink;
use crate::tree::{Entry, Loc, Node, Table, Tree};
use crate::words::{self, Context};

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
    /// Whether other rows may set it too: the words of one list.
    pub shared: bool,
    /// The place.
    pub loc: Loc,
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
    /// A list of structs.
    Rows,
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

/// Everything the readers of the parts of a file share.
struct Lower<'s> {
    sink: &'s mut Sink,
    tables: Vec<Relation>,
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
    let mut lower = Lower { sink, tables: Vec::new(), table_names: Vec::new(), map_names: Vec::new() };
    lower.check_words(file, &words::FILE);
    let names = |word: &str| {
        let table = file.get(word).and_then(Tree::as_table).unwrap_or(&empty);
        table.0.iter().map(|e| Name { text: e.key.clone(), loc: e.key_loc, used: false }).collect::<Vec<_>>()
    };
    (lower.table_names, lower.map_names) = (names("tables"), names("maps"));
    lower.named_tables(file);

    let (root, root_claims) = lower.part(file);
    let mut parts = Vec::new();
    let mut part_claims = Vec::new();
    for entry in file.get("maps").and_then(Tree::as_table).unwrap_or(&empty).0.iter() {
        let Some(table) = lower.table(&entry.value, &entry.key) else { continue };
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
    fn add(&mut self, code: &str, loc: Loc, message: impl Into<String>) {
        self.sink.add(code, loc, message.into());
    }

    /// Refuses words that may not stand in a place.
    fn check_words(&mut self, table: &Table, context: &Context) {
        for Entry { key, key_loc, value } in &table.0 {
            match context.words.iter().find(|word| word.name == key) {
                Some(word) if word.built => {}
                Some(word) => {
                    let message = format!("`{}` ({}) is not built yet", word.name, word.about);
                    self.add("B004", *key_loc, message);
                }
                None => {
                    let known = context.words.iter().map(|word| word.name);
                    let mut message = format!("unknown word `{key}` in {}", context.name);
                    let elsewhere = words::CONTEXTS.iter().find(|c| c.words.iter().any(|w| w.name == key));
                    if let Some(meant) = nearest(key, known) {
                        message += &format!("; did you mean `{meant}`?");
                    } else if *context == words::ROW && value.as_table().is_some() {
                        message += &format!("; a wire path with dots is quoted: \"...{key}\"");
                    } else if let Some(elsewhere) = elsewhere {
                        message += &format!("; it belongs in {}", elsewhere.name);
                    }
                    self.add("B002", *key_loc, message);
                }
            }
        }
    }

    fn wrong(&mut self, tree: &Tree, word: &str, expected: &str) {
        let message = format!("`{word}` takes {expected}, and this is {}", tree.sort());
        self.add("B003", tree.loc, message);
    }

    fn text<'t>(&mut self, tree: &'t Tree, word: &str) -> Option<&'t str> {
        let text = tree.as_text();
        if text.is_none() {
            self.wrong(tree, word, "text");
        }
        text
    }

    fn table<'t>(&mut self, tree: &'t Tree, word: &str) -> Option<&'t Table> {
        let table = tree.as_table();
        if table.is_none() {
            self.wrong(tree, word, "a table");
        }
        table
    }

    fn list<'t>(&mut self, tree: &'t Tree, word: &str) -> &'t [Tree] {
        match &tree.node {
            Node::List(items) => items,
            _ => {
                self.wrong(tree, word, "a list");
                &[]
            }
        }
    }

    fn flag(&mut self, table: &Table, word: &str) -> bool {
        match table.get(word) {
            None => false,
            Some(Tree { node: Node::Bool(b), .. }) => *b,
            Some(tree) => {
                self.wrong(tree, word, "`true` or `false`");
                false
            }
        }
    }

    fn text_or(&mut self, table: &Table, word: &str, default: &'static str) -> Str {
        match table.get(word) {
            None => Cow::Borrowed(default),
            Some(tree) => Cow::Owned(self.text(tree, word).unwrap_or(default).to_owned()),
        }
    }

    fn needed_text(&mut self, table: &Table, word: &str) -> Str {
        let text = self.text_or(table, word, "");
        if text.is_empty() && table.get(word).is_none_or(|tree| tree.as_text().is_some()) {
            let loc = table.get(word).map_or(Loc::default(), |tree| tree.loc);
            self.add("B006", loc, format!("`{word}` is missing"));
        }
        text
    }

    /// One of a few words.
    fn choice<T: Copy>(&mut self, table: &Table, word: &str, choices: &[(&str, T)]) -> Option<T> {
        let tree = table.get(word)?;
        let text = self.text(tree, word)?;
        let found = choices.iter().find(|(name, _)| *name == text);
        if found.is_none() {
            let names: Vec<_> = choices.iter().map(|(name, _)| format!("`{name}`")).collect();
            self.add("B005", tree.loc, format!("`{word}` takes {}, and not `{text}`", names.join(", ")));
        }
        found.map(|(_, choice)| *choice)
    }

    fn writes(&mut self, file: &Table) -> Seq<Str> {
        let Some(tree) = file.get("writes") else { return Cow::Owned(vec!["json".into()]) };
        let items = self.list(tree, "writes");
        let texts: Vec<Str> =
            items.iter().filter_map(|t| self.text(t, "writes")).map(|t| t.to_owned().into()).collect();
        if matches!(&tree.node, Node::List(items) if items.is_empty()) {
            self.add("B006", tree.loc, "`writes` names no file extension");
        }
        texts.into()
    }

    fn lost(&mut self, file: &Table) -> Vec<(String, Loc)> {
        let Some(tree) = file.get("lost") else { return Vec::new() };
        let items = self.list(tree, "lost");
        let texts = items.iter().filter_map(|item| Some((self.text(item, "lost")?, item.loc)));
        let texts: Vec<(String, Loc)> = texts.map(|(text, loc)| (text.to_owned(), loc)).collect();
        for (path, loc) in &texts {
            if let Some(message) = path::canonical_fault(path.strip_suffix(".*").unwrap_or(path)) {
                self.add("B007", *loc, message);
            }
        }
        texts
    }

    /// The rows and stamps of a map, root or named.
    fn part(&mut self, table: &Table) -> (Part, PartClaims) {
        let mut claims = PartClaims::default();
        let mut rows: Vec<Row> = Vec::new();
        let mut owners: Vec<(String, Loc)> = Vec::new();
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
                rows.push(row);
            }
        }
        let mut stamp = Vec::new();
        if let Some(entries) = table.get("stamp").and_then(|tree| self.table(tree, "stamp")) {
            for entry in &entries.0 {
                if let Some(message) = path::canonical_fault(&entry.key) {
                    self.add("B007", entry.key_loc, message);
                    continue;
                }
                let Some(literal) = self.literal(&entry.value) else { continue };
                let (path, loc) = (entry.key.clone(), entry.value.loc);
                claims.claims.push(Claimed { path: path.clone(), want: Wanted::Exists, loc: entry.key_loc });
                claims.claims.push(Claimed { path: path.clone(), want: Wanted::Fits(literal.clone()), loc });
                claims.mapped.push(Mapped { path: path.clone(), always: true, shared: false, loc: entry.key_loc });
                stamp.push((Str::from(path), literal));
            }
        }
        (Part { rows: rows.into(), joins: Seq::default(), stamp: stamp.into() }, claims)
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

    /// The key that tells rows apart has a row in their map.
    fn check_identities(&mut self, map: &Map, file: &Table) {
        let empty = Table::default();
        let maps = file.get("maps").and_then(Tree::as_table).unwrap_or(&empty);
        let tables = [file].into_iter().chain(maps.0.iter().filter_map(|entry| entry.value.as_table()));
        let rows = tables.filter_map(|table| table.get("fields")?.as_table()).flat_map(|fields| fields.0.iter());
        let rows = rows.filter_map(|entry| entry.value.as_table());
        let named: Vec<(&Tree, &Tree)> = rows.filter_map(|row| Some((row.get("each")?, row.get("by")?))).collect();
        for (each, by) in named {
            let (Some(each), Some(key)) = (each.as_text(), by.as_text()) else { continue };
            let Some((_, part)) = map.parts.iter().find(|(name, _)| name == each) else { continue };
            let is_key = |row: &Row| match &row.wire {
                Wire::At(steps) => matches!(&steps[..], [Step::Key(only)] if only == key) && !row.to.is_empty(),
                Wire::FileStem | Wire::FileName => false,
            };
            if !part.rows.iter().any(is_key) {
                self.add("B019", by.loc, format!("the map `{each}` maps no slot `{key}`"));
            }
        }
    }

    /// Puts the claims of every part below the scopes in which it is used.
    fn expand(&mut self, root: &PartClaims, parts: &[PartClaims]) -> (Vec<Claimed>, Vec<Mapped>) {
        let (mut claims, mut mapped): (Vec<Claimed>, Vec<Mapped>) = (Vec::new(), Vec::new());
        let mut waiting = vec![(String::new(), root, 0)];
        while let Some((scope, part, depth)) = waiting.pop() {
            let below = |path: &str| match (scope.is_empty(), path.is_empty()) {
                (true, _) => path.to_owned(),
                (false, true) => scope.clone(),
                (false, false) => format!("{scope}.{path}"),
            };
            claims.extend(part.claims.iter().map(|claim| Claimed { path: below(&claim.path), ..claim.clone() }));
            for set in &part.mapped {
                let path = below(&set.path);
                let other = mapped.iter().find(|other: &&Mapped| other.path == path);
                if other.is_some_and(|other| !(other.shared && set.shared)) {
                    self.add("B014", set.loc, format!("`{path}` is set elsewhere too"));
                }
                mapped.push(Mapped { path, ..set.clone() });
            }
            for (index, path) in &part.opens {
                // A map that opens itself would go on for ever; no kind is nested so deep.
                if let Some(inner) = parts.get(*index).filter(|_| depth < 16) {
                    waiting.push((below(path), inner, depth + 1));
                }
            }
        }
        (claims, mapped)
    }
}
