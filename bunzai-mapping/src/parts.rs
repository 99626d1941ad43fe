//! Parts: files that several mapping files share.
//!
//! A part is put together with the file that uses it before anything means something: its maps and
//! tables become such of the file, and its values can be named where a constant may stand.

use std::collections::HashSet;

use bunzai_runtime::map::nearest;

use crate::diagnostic::{Diagnostic, Shown, Sink};
use crate::front;
use crate::tree::{Entry, Loc, Node, Table, Tree};
use crate::words::{self, Context, Takes};

/// Gives the text of a part by its path, or says why it cannot.
pub type Open<'o> = dyn Fn(&str) -> Result<String, String> + 'o;

/// A mapping file and the parts that it uses. The places of all of them are counted in one line of
/// bytes, the file first.
#[derive(Debug, Clone, Default)]
pub struct Files(Vec<File>);

#[derive(Debug, Clone)]
struct File {
    path: String,
    source: String,
    /// Where its places start.
    start: usize,
}

impl Files {
    fn add(&mut self, path: &str, source: &str) -> usize {
        let start = self.0.last().map_or(0, |last| last.start + last.source.len() + 1);
        self.0.push(File { path: path.to_owned(), source: source.to_owned(), start });
        start
    }

    /// The paths of the parts.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().skip(1).map(|file| file.path.as_str())
    }

    /// The file of a place, and the place in it.
    pub fn find(&self, loc: Loc) -> (Shown<'_>, Loc) {
        let file = self.0.iter().rev().find(|file| file.start <= loc.start);
        match file {
            None => (Shown { path: "", source: "" }, loc),
            Some(File { path, source, start }) => {
                (Shown { path, source }, Loc { start: loc.start - start, end: loc.end.saturating_sub(*start) })
            }
        }
    }

    /// `mappings/x.toml:12:29`
    pub fn place(&self, loc: Loc) -> String {
        let (shown, loc) = self.find(loc);
        shown.place(loc)
    }

    /// The line of a place, with carets under it.
    pub fn excerpt(&self, loc: Loc) -> String {
        let (shown, loc) = self.find(loc);
        shown.excerpt(loc)
    }

    /// A diagnostic as people read it: place, code, message, the line with carets.
    pub fn render(&self, diagnostic: &Diagnostic) -> String {
        let (shown, loc) = self.find(diagnostic.loc);
        shown.render(&Diagnostic { loc, ..diagnostic.clone() })
    }
}

/// What a file has of the parts that it uses.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// The values by their names, `stock.prompts`.
    pub(crate) values: Vec<(String, Tree)>,
    /// The parts that the file itself names.
    pub(crate) parts: Vec<Named>,
}

/// A part that a file names.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    /// Where it is named.
    pub(crate) loc: Loc,
    pub(crate) used: bool,
}

/// A part, read.
struct Part {
    path: String,
    name: String,
    name_loc: Loc,
    table: Table,
}

/// Whether a file is a part: it has the word `part`, and no `format`.
pub fn is_part(source: &str) -> bool {
    let tree = front::read_tree(source);
    tree.as_table().is_some_and(|table| table.get("part").is_some() && table.get("format").is_none())
}

/// Everything that is wrong with a part by itself; its maps mean something in the files that use it.
pub fn check_part(path: &str, source: &str) -> (Files, Vec<Diagnostic>) {
    let (mut sink, mut files) = (Sink::default(), Files::default());
    let start = files.add(path, source);
    let tree = front::read(source, start, &mut sink);
    if let Some(table) = tree.as_table().filter(|_| sink.is_empty()) {
        check_all_words(table, &words::PART, &mut sink);
        part_name(table, tree.loc, &mut sink);
    }
    (files, sink.into_list())
}

/// Reads a file and the parts it uses, and puts them together.
pub(crate) fn gather(path: &str, source: &str, open: &Open<'_>, sink: &mut Sink) -> (Tree, Shared, Files) {
    let mut gathering = Gathering { open, sink, files: Files::default(), parts: Vec::new(), opened: Vec::new() };
    let start = gathering.files.add(path, source);
    let mut tree = front::read(source, start, gathering.sink);
    let mut shared = Shared::default();
    if let Node::Table(file) = &mut tree.node {
        let uses = take_use(file, gathering.sink);
        gathering.opened.push(path.to_owned());
        for (text, loc) in &uses {
            let part = gathering.part(path, text, *loc);
            shared.parts.extend(part.map(|name| Named { name, loc: *loc, used: false }));
        }
        gathering.put_together(file, &mut shared);
    }
    let Gathering { files, .. } = gathering;
    (tree, shared, files)
}

struct Gathering<'g, 's> {
    open: &'g Open<'g>,
    sink: &'s mut Sink,
    files: Files,
    parts: Vec<Part>,
    /// The files that are being read, each used by the one before it.
    opened: Vec<String>,
}

impl Gathering<'_, '_> {
    /// Reads a part, and the parts that it uses; the answer is its name.
    fn part(&mut self, user: &str, text: &str, loc: Loc) -> Option<String> {
        let path = match beside(user, text) {
            Ok(path) => path,
            Err(message) => {
                self.sink.add("B007", loc, message);
                return None;
            }
        };
        if self.opened.contains(&path) {
            self.sink.add("B025", loc, format!("`{path}` uses itself, directly or by way of others"));
            return None;
        }
        if let Some(known) = self.parts.iter().find(|part| part.path == path) {
            return Some(known.name.clone());
        }
        let source = match (self.open)(&path) {
            Ok(source) => source,
            Err(message) => {
                self.sink.add("B025", loc, format!("the part `{path}` cannot be read: {message}"));
                return None;
            }
        };
        let start = self.files.add(&path, &source);
        let tree = front::read(&source, start, self.sink);
        let mut table = tree.as_table()?.clone();
        if table.get("part").is_none() {
            self.sink.add("B025", loc, format!("`{path}` is no part: it has no word `part`"));
            return None;
        }
        check_words(&table, &words::PART, self.sink);
        let (name, name_loc) = part_name(&table, tree.loc, self.sink)?;
        if self.parts.iter().any(|other| other.name == name) {
            self.sink.add("B026", name_loc, format!("there are two parts called `{name}`"));
        }
        let uses = take_use(&mut table, self.sink);
        self.opened.push(path.clone());
        for (text, loc) in &uses {
            self.part(&path, text, *loc);
        }
        self.opened.pop();
        self.parts.push(Part { path, name: name.clone(), name_loc, table });
        Some(name)
    }

    /// Gives the file the maps and tables that it mentions, and names the values.
    fn put_together(&mut self, file: &mut Table, shared: &mut Shared) {
        for part in &self.parts {
            for entry in entries(&part.table, "values") {
                shared.values.push((format!("{}.{}", part.name, entry.key), entry.value.clone()));
            }
        }
        // What only another map of a part mentions is wanted as well.
        let mut mentioned = Texts::default();
        mentioned.of_table(file);
        let mut next = 0;
        while let Some(name) = mentioned.list.get(next).cloned() {
            next += 1;
            for part in &self.parts {
                for word in ["maps", "tables"] {
                    let Some(entry) = entries(&part.table, word).iter().find(|entry| entry.key == name) else {
                        continue;
                    };
                    let Some(own) = table_of(file, word, part.name_loc) else { continue };
                    match own.entry(&name) {
                        None => {
                            own.0.push(entry.clone());
                            mentioned.of(&entry.value);
                            shared.parts.iter_mut().filter(|p| p.name == part.name).for_each(|p| p.used = true);
                        }
                        Some(known) if known.key_loc == entry.key_loc => {}
                        Some(known) => {
                            let what = word.trim_end_matches('s');
                            let message = format!("the {what} `{name}` stands in {} too", part.path);
                            self.sink.add("B026", known.key_loc, message);
                        }
                    }
                }
            }
        }
        for part in &self.parts {
            // A part that others have what they need of is used.
            let is_mentioned = mentioned.list.iter().any(|text| {
                text.strip_prefix('@')
                    .and_then(|text| text.strip_prefix(part.name.as_str()))
                    .is_some_and(|rest| rest.starts_with('.'))
            });
            shared.parts.iter_mut().filter(|p| p.name == part.name).for_each(|p| p.used |= is_mentioned);
        }
    }
}

/// The path of a part, from the path of the file that uses it and what stands there.
fn beside(user: &str, text: &str) -> Result<String, String> {
    let names: Vec<&str> = text.split('/').collect();
    let up = usize::from(names.first() == Some(&".."));
    let is_name = |name: &&str| !name.is_empty() && !name.starts_with('.') && !name.contains(['\\', ':']);
    if !names[up..].iter().all(is_name) || !text.ends_with(".toml") {
        let rule = "a path from the folder of the file on, such as `../parts/stock.toml`, with `..` once and in front";
        return Err(format!("`{text}` is no path of a part; it is {rule}"));
    }
    let user = user.replace('\\', "/");
    let folder = user.rsplit_once('/').map_or("", |(folder, _)| folder);
    let folder = match (up, folder.rsplit_once('/')) {
        (0, _) => folder.to_owned(),
        (_, Some((outer, last))) if last != ".." && last != "." => outer.to_owned(),
        (_, None) if !folder.is_empty() && folder != ".." && folder != "." => String::new(),
        (_, _) if folder.is_empty() => "..".to_owned(),
        _ => format!("{folder}/.."),
    };
    let below = names[up..].join("/");
    let is_root = user.starts_with('/') && folder.is_empty();
    Ok(if folder.is_empty() && !is_root { below } else { format!("{folder}/{below}") })
}

/// What `use` names, which then is no longer there.
fn take_use(table: &mut Table, sink: &mut Sink) -> Vec<(String, Loc)> {
    let Some(at) = table.0.iter().position(|entry| entry.key == "use") else { return Vec::new() };
    let tree = table.0.remove(at).value;
    let items = match &tree.node {
        Node::List(items) => items.clone(),
        _ => vec![tree.clone()],
    };
    let mut paths = Vec::new();
    for item in &items {
        match item.as_text() {
            Some(text) if matches!(tree.node, Node::List(_)) => paths.push((text.to_owned(), item.loc)),
            _ => sink.add("B003", item.loc, format!("`use` takes a list of paths, and this is {}", item.sort())),
        }
    }
    paths
}

/// The name of a part.
fn part_name(table: &Table, whole: Loc, sink: &mut Sink) -> Option<(String, Loc)> {
    let Some(tree) = table.get("part") else {
        sink.add("B006", whole, "`part` is missing: it is the name of the part".to_owned());
        return None;
    };
    match tree.as_text() {
        Some(name) if !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric()) => {
            Some((name.to_owned(), tree.loc))
        }
        Some(name) => {
            sink.add("B005", tree.loc, format!("`{name}` is no name of a part: letters and digits, such as `stock`"));
            None
        }
        None => {
            sink.add("B003", tree.loc, format!("`part` takes text, and this is {}", tree.sort()));
            None
        }
    }
}

fn entries<'t>(table: &'t Table, word: &str) -> &'t [Entry] {
    table.get(word).and_then(Tree::as_table).map_or(&[], |table| table.0.as_slice())
}

/// The table of a word of the file, made if it is not there; what is no table is told elsewhere.
fn table_of<'t>(file: &'t mut Table, word: &str, loc: Loc) -> Option<&'t mut Table> {
    let at = file.0.iter().position(|entry| entry.key == word).unwrap_or_else(|| {
        let value = Tree::new(Node::Table(Table::default()), loc);
        file.0.push(Entry { key: word.to_owned(), key_loc: loc, value });
        file.0.len() - 1
    });
    match &mut file.0[at].value.node {
        Node::Table(table) => Some(table),
        _ => None,
    }
}

/// Texts in the order in which they are met, each once.
#[derive(Default)]
struct Texts {
    list: Vec<String>,
    known: HashSet<String>,
}

impl Texts {
    fn of_table(&mut self, table: &Table) {
        table.0.iter().for_each(|entry| self.of(&entry.value));
    }

    fn of(&mut self, tree: &Tree) {
        match &tree.node {
            Node::Text(text) if self.known.insert(text.clone()) => self.list.push(text.clone()),
            Node::List(items) => items.iter().for_each(|item| self.of(item)),
            Node::Table(table) => self.of_table(table),
            _ => {}
        }
    }
}

/// Refuses words that may not stand in a place, or in the places in it.
fn check_all_words(table: &Table, context: &Context, sink: &mut Sink) {
    check_words(table, context, sink);
    for entry in &table.0 {
        let takes = context.words.iter().find(|word| word.name == entry.key).map(|word| word.takes);
        let (inner, tables): (_, Vec<&Table>) = match (takes, &entry.value.node) {
            (Some(Takes::One(inner)), Node::Table(table)) => (inner, vec![table]),
            (Some(Takes::Many(inner)), Node::List(items)) => (inner, items.iter().filter_map(Tree::as_table).collect()),
            (Some(Takes::Named(inner)), Node::Table(named)) => {
                (inner, named.0.iter().filter_map(|entry| entry.value.as_table()).collect())
            }
            _ => continue,
        };
        tables.into_iter().for_each(|table| check_all_words(table, inner, sink));
    }
}

/// Refuses words that may not stand in a place.
pub(crate) fn check_words(table: &Table, context: &Context, sink: &mut Sink) {
    let known = || context.words.iter().map(|word| word.name);
    for Entry { key, key_loc, value } in table.0.iter().filter(|entry| known().all(|name| name != entry.key)) {
        let mut message = format!("unknown word `{key}` in {}", context.name);
        let elsewhere = words::CONTEXTS.iter().find(|c| c.words.iter().any(|w| w.name == key));
        if let Some(meant) = nearest(key, known()) {
            message += &format!("; did you mean `{meant}`?");
        } else if *context == words::ROW && value.as_table().is_some() {
            message += &format!("; a wire path with dots is quoted, like \"outer.{key}\"");
        } else if let Some(elsewhere) = elsewhere {
            message += &format!("; it belongs in {}", elsewhere.name);
        }
        sink.add("B002", *key_loc, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_beside_the_file_that_uses_them() {
        let beside = |user, text| beside(user, text).ok();
        let found = |path: &str| Some(path.to_owned());
        assert_eq!(beside("mappings/a/x.toml", "../parts/p.toml"), found("mappings/parts/p.toml"));
        assert_eq!(beside("mappings/a/x.toml", "p.toml"), found("mappings/a/p.toml"));
        assert_eq!(beside("a/x.toml", "../p.toml"), found("p.toml"));
        assert_eq!(beside("x.toml", "in/p.toml"), found("in/p.toml"));
        assert_eq!(beside("x.toml", "../p.toml"), found("../p.toml"));
        assert_eq!(beside("../x.toml", "../p.toml"), found("../../p.toml"));
        assert_eq!(beside("/x.toml", "p.toml"), found("/p.toml"));
        assert_eq!(beside(r"a\b\x.toml", "../p.toml"), found("a/p.toml"));
        for bad in ["", "p", "/p.toml", "../../p.toml", "a/../p.toml", r"a\p.toml", "c:/p.toml", "./p.toml", ".p.toml"]
        {
            assert_eq!(beside("a/x.toml", bad), None, "{bad}");
        }
    }
}
