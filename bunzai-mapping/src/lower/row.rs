//! Rows: a wire path on the left, words on the right.

use bunzai_runtime::map::{
    Also, Clamp, Fill, Gone, Inner, Literal, Row, Seq, Spelling, Step, Str, Text, Types, Wire, nearest,
};

use super::table::Side;
use super::text::{SPLITS, separator};
use super::{Lower, PartClaims, path};
use crate::tree::{Entry, Loc, Node, Table, Tree};
use crate::words;

/// The words that say what a slot is, and for each the words that mean nothing beside it.
const INNER: [(&str, &[&str]); 6] = [
    ("each", &["as", "table", "or", "null", "clamp", "also", "wrap"]),
    ("map", &["as", "table", "or", "null", "blank", "gone", "need", "clamp", "also", "lone", "wrap"]),
    ("has", &["table", "or", "null", "blank", "fresh", "clamp", "also", "lone", "wrap"]),
    ("flags", &["to", "as", "table", "or", "null", "blank", "gone", "need", "fresh", "clamp", "also"]),
    ("gather", &["text", "table", "null", "blank", "clamp", "also", "lone", "wrap"]),
    ("via", &["text", "as", "table", "or", "null", "blank", "gone", "need", "clamp", "also", "lone", "wrap"]),
];

/// The words that belong to `each`.
const OF_EACH: [&str; 5] = ["by", "ids", "keyed", "order", "heads"];

impl Lower<'_> {
    /// A row of `[fields]`.
    pub(super) fn row(&mut self, entry: &Entry, claims: &mut PartClaims) -> Option<Row> {
        let wire = self.wire(entry)?;
        let table = self.table(&entry.value, &entry.key)?;
        self.check_words(table, &words::ROW);
        for (word, what) in [("to", "path"), ("each", "map")] {
            self.refuse_empty(table, word, what);
        }
        let row = Row {
            wire,
            to: self.paths(table, "to"),
            also: self.also(table),
            or: table.get("or").and_then(|tree| self.fill(tree)),
            need: self.flag(table, "need"),
            omit_blank: self.choice(table, "blank", &[("omit", ())]).is_some(),
            keep_null: self.choice(table, "null", &[("keep", ())]).is_some(),
            gone: self.gone(table),
            fresh: table.get("fresh").and_then(|tree| self.fill(tree)),
            lean: self.flag(table, "lean"),
            text: self.texts(table),
            spelled: self.spelled(table, SPLITS),
            clamp: self.clamp(table),
            inner: self.inner(table, claims),
            is: self.types(table, "is"),
            about: self.about(table),
        };
        if let (Inner::Map(part), true) = (&row.inner, row.text.iter().any(|text| matches!(text, Text::Regex(_)))) {
            self.regexes.push(*part);
        }
        self.check_row(entry, table, &row);
        self.check_values(table, &row);
        self.claim_row(&entry.key, table, &row, claims);
        Some(row)
    }

    /// A row of `[sealed]`, or of the `sealed` of a shape.
    pub(super) fn sealed(&mut self, entry: &Entry) -> Option<Row> {
        let wire = self.sealed_wire(entry)?;
        let table = self.table(&entry.value, &entry.key)?;
        self.check_words(table, &words::SEALED);
        let fresh = table.get("fresh").and_then(|tree| self.fill(tree));
        let row = Row { wire, fresh, is: self.types(table, "is"), about: self.about(table), ..Row::default() };
        self.check_values(table, &row);
        Some(row)
    }

    /// A row of `[fresh]`, or of the `fresh` of a shape: a constant and nothing else.
    pub(super) fn fresh_constant(&mut self, entry: &Entry) -> Option<Row> {
        let wire = self.sealed_wire(entry)?;
        let fresh = self.fill(&entry.value)?;
        Some(Row { wire, fresh: Some(fresh), ..Row::default() })
    }

    fn wire(&mut self, entry: &Entry) -> Option<Wire> {
        match path::wire(&entry.key) {
            Ok(wire) => {
                if let Wire::At(steps) = &wire {
                    self.know_picks(steps, entry.key_loc)?;
                }
                Some(wire)
            }
            Err(message) => {
                self.add("B007", entry.key_loc, message);
                None
            }
        }
    }

    /// The slot of a row that has no target, which the name of a file cannot be.
    fn sealed_wire(&mut self, entry: &Entry) -> Option<Wire> {
        let wire = self.wire(entry)?;
        if !matches!(wire, Wire::At(_)) {
            self.add("B008", entry.key_loc, "the name of a file is no slot of it; it can only go somewhere");
            return None;
        }
        Some(wire)
    }

    fn about(&mut self, table: &Table) -> Str {
        let (about, doc) = (self.text_or(table, "about", ""), self.text_or(table, "doc", ""));
        if doc.is_empty() { about } else { format!("{about}\n\n{doc}").trim().to_owned().into() }
    }

    /// A canonical path, or a list of them.
    pub(super) fn paths(&mut self, table: &Table, word: &str) -> Seq<Str> {
        let Some(tree) = table.get(word) else { return Seq::default() };
        let items = match &tree.node {
            Node::Text(_) => vec![tree.clone()],
            Node::List(items) => items.clone(),
            _ => {
                self.wrong(tree, word, "a path, or a list of paths");
                return Seq::default();
            }
        };
        items.iter().filter_map(|item| self.canonical(item, word)).collect()
    }

    /// A canonical path.
    pub(super) fn canonical(&mut self, tree: &Tree, word: &str) -> Option<Str> {
        let text = self.text(tree, word)?;
        match path::canonical_fault(text) {
            Some(message) => {
                self.add("B007", tree.loc, message);
                None
            }
            None => Some(Str::from(text.to_owned())),
        }
    }

    /// A wire path without a list in it.
    pub(super) fn steps(&mut self, tree: &Tree, word: &str) -> Option<Seq<Step>> {
        match path::steps(self.text(tree, word)?) {
            Ok(steps) if steps.contains(&Step::Every) => {
                self.add("B007", tree.loc, format!("`{word}` is one place, and `[]` is many"));
                None
            }
            Ok(steps) => {
                self.refuse_words(tree, word)?;
                self.know_picks(&steps, tree.loc)?;
                Some(steps.into())
            }
            Err(message) => {
                self.add("B007", tree.loc, message);
                None
            }
        }
    }

    /// Words such as `@index` stand on the left of a row alone; nothing, and told, if one stands elsewhere.
    fn refuse_words(&mut self, tree: &Tree, word: &str) -> Option<()> {
        let Some(text) = tree.as_text().filter(|text| text.starts_with('@')) else { return Some(()) };
        let instead = match text {
            "@file.stem" => "; write `or = { file = \"stem\" }`",
            "@file.name" => "; write `or = { file = \"name\" }`",
            "@index" => "; write `or = { count = 0 }`",
            _ => "",
        };
        let instead = if word == "also" { instead } else { "" };
        self.add("B007", tree.loc, format!("`{text}` is no slot of the file, and `{word}` takes slots{instead}"));
        None
    }

    fn also(&mut self, table: &Table) -> Seq<Also> {
        let Some(tree) = table.get("also") else { return Seq::default() };
        let items = self.list(tree, "also").to_vec();
        let mut places = Vec::new();
        for item in &items {
            let also = match &item.node {
                Node::Table(inner) => {
                    self.check_words(inner, &words::ALSO);
                    let Some(at) = inner.get("at") else {
                        self.add("B006", item.loc, "`at` is missing: it is the other place");
                        continue;
                    };
                    if let Some(tree) = inner.get("as").filter(|tree| separator(tree).is_some()) {
                        self.add("B008", tree.loc, "`split:` is said once, in `as` of the row, for all of its places");
                    }
                    self.steps(at, "also").map(|at| Also { at, spelled: self.spelled(inner, "") })
                }
                _ => self.steps(item, "also").map(|at| Also { at, spelled: self.spelled(table, SPLITS) }),
            };
            places.extend(also);
        }
        places.into()
    }

    fn gone(&mut self, table: &Table) -> Gone {
        self.choice(table, "gone", &Gone::WORDS).unwrap_or(Gone::Remove)
    }

    fn clamp(&mut self, table: &Table) -> Option<Clamp> {
        let tree = table.get("clamp")?;
        let numbers: Vec<_> = match &tree.node {
            Node::List(items) => items.iter().map(super::value::number).collect(),
            _ => Vec::new(),
        };
        match numbers.as_slice() {
            [Some(min), Some(max)] if min <= max => Some(Clamp { min: *min, max: *max }),
            _ => {
                self.wrong(tree, "clamp", "the least and the greatest number, as a list of two");
                None
            }
        }
    }

    /// `a|b`
    pub(super) fn alternatives<T: Clone>(&mut self, tree: &Tree, word: &str, choices: &[(&str, T)]) -> Vec<T> {
        self.alternatives_beside(tree, word, choices, "")
    }

    /// The same, of a word that takes something else too, which a message is to list.
    pub(super) fn alternatives_beside<T: Clone>(
        &mut self,
        tree: &Tree,
        word: &str,
        choices: &[(&str, T)],
        more: &str,
    ) -> Vec<T> {
        let Some(text) = self.text(tree, word) else { return Vec::new() };
        let mut found = Vec::new();
        for name in text.split('|').map(str::trim) {
            match choices.iter().find(|(known, _)| *known == name) {
                Some((_, choice)) => found.push(choice.clone()),
                None => {
                    let names: Vec<_> = choices.iter().map(|(name, _)| format!("`{name}`")).collect();
                    let mut message = format!("`{word}` knows {}{more}, and not `{name}`", names.join(", "));
                    if let Some(meant) = nearest(name, choices.iter().map(|(name, _)| *name)) {
                        message += &format!("; did you mean `{meant}`?");
                    }
                    self.add("B005", tree.loc, message);
                }
            }
        }
        found
    }

    /// A set of JSON types: `string|null`.
    pub(super) fn types(&mut self, table: &Table, word: &str) -> Types {
        let Some(tree) = table.get(word) else { return Types::NONE };
        self.alternatives(tree, word, &Types::WORDS).into_iter().fold(Types::NONE, Types::or)
    }

    /// What the slot is, if it is more than a value.
    fn inner(&mut self, table: &Table, claims: &mut PartClaims) -> Inner {
        if table.get("each").is_some() {
            return self.each(table, claims).map_or(Inner::Value, Inner::Each);
        }
        if let Some(tree) = table.get("map") {
            return self.map_named(tree, "map").map_or(Inner::Value, Inner::Map);
        }
        if let Some(tree) = table.get("has") {
            return self.literal(tree).map_or(Inner::Value, Inner::Word);
        }
        if let Some(tree) = table.get("flags") {
            let Some(words) = self.table(tree, "flags") else { return Inner::Value };
            let pairs = words
                .0
                .iter()
                .filter_map(|entry| Some((Str::from(entry.key.clone()), self.canonical(&entry.value, "flags")?)));
            return Inner::Flags(pairs.collect());
        }
        match self.choice(table, "gather", &[("all", ())]) {
            Some(()) => Inner::Gather,
            None => Inner::Value,
        }
    }

    /// The words of a row must agree with each other.
    fn check_row(&mut self, entry: &Entry, table: &Table, row: &Row) {
        let has = |word: &str| table.get(word).is_some();
        let loc = |word: &str| table.entry(word).map_or(entry.key_loc, |entry| entry.key_loc);
        for (n, (word, others)) in INNER.iter().enumerate().filter(|(_, (word, _))| has(word)) {
            let exclusive = INNER[..n].iter().map(|(other, _)| other).filter(|other| has(other));
            let is_split =
                |other: &str| (*word, other) == ("each", "as") && table.get("as").and_then(separator).is_some();
            // A plain item that is blank can be no row.
            let is_item = |other: &str| other == "blank" && matches!(&row.wire, Wire::At(steps) if steps.is_empty());
            let excluded = others.iter().filter(|other| has(other) && !is_split(other) && !is_item(other));
            for other in excluded.chain(exclusive) {
                self.add("B008", loc(other), format!("`{other}` cannot stand beside `{word}`"));
            }
        }
        for word in OF_EACH.iter().filter(|word| has(word) && !has("each")) {
            self.add("B008", loc(word), format!("`{word}` needs `each`: it is about rows"));
        }
        for word in ["ids", "order", "heads"].iter().filter(|word| has(word) && has("each") && !has("by")) {
            self.add("B008", loc(word), format!("`{word}` needs `by`: it is about what tells rows apart"));
        }
        if has("wrap") && (has("text") || has("lone") || has("as")) {
            self.add("B008", loc("wrap"), "`wrap` is about the whole text of the slot, and stands alone");
        }
        if row.text.iter().any(|text| matches!(text, Text::Regex(_))) && !has("map") {
            self.add("B008", loc("text"), "a regex is an object of `source`, `flags` and `literal`, and needs `map`");
        }
        if has("wrap") && row.to.iter().any(|path| path.contains("[]")) {
            self.add("B008", loc("wrap"), "`wrap` is about one text, and this path has one of every row");
        }
        if has("also") && has("text") {
            self.add("B008", loc("also"), "`also` cannot stand beside `text`");
        }
        if !has("to") {
            let alone = ["map", "flags"].iter().any(|word| has(word));
            let words = [
                "or", "need", "blank", "null", "gone", "as", "table", "each", "has", "gather", "clamp", "also", "via",
                "lone", "wrap",
            ];
            let is_item = |word: &str| word == "blank" && matches!(&row.wire, Wire::At(steps) if steps.is_empty());
            let others = ["text"].iter().filter(|_| !alone);
            for word in words.iter().chain(others).filter(|word| has(word) && !(alone && is_item(word))) {
                self.add("B008", loc(word), format!("`{word}` needs `to`: a row without it is sealed"));
            }
        }
        if row.to.len() > 1 && (has("each") || has("map") || has("has")) {
            self.add("B008", loc("to"), "one place is enough here");
        }
        let only: Option<(&[&str], &str)> = match row.wire {
            Wire::At(_) => None,
            Wire::FileStem | Wire::FileName => Some((&["to", "or", "blank", "about", "doc"], "the name of a file")),
            Wire::Index => Some((&["to", "about", "doc"], "the place of a row")),
        };
        if let Some((words, what)) = only {
            for other in table.0.iter().filter(|other| !words.contains(&other.key.as_str())) {
                self.add("B008", other.key_loc, format!("`{}` means nothing for {what}", other.key));
            }
        }
        if row.lean && row.or.is_none() {
            self.add("B008", loc("lean"), "`lean` needs `or`: it leaves out what reads as that");
        }
        if row.need && row.or.is_some() {
            self.add(
                "B008",
                loc("or"),
                "`or` cannot stand beside `need`: a slot that must be there needs no other value",
            );
        }
        if row.is.meets(Types::BLANK) && row.is != Types::ANY {
            self.add("B005", loc("is"), "`blank` is no type of a slot; it is for conditions");
        }
        if row.spelled.links.iter().any(|link| link.len() > 1 && link.contains(&Spelling::Unique)) {
            self.add("B005", loc("as"), "`unique` is about a list and its items, and no alternative to a spelling");
        }
        let to_items = row.to.iter().any(|path| path.contains("[]")) && !matches!(row.inner, Inner::Gather);
        let is_empty = matches!(&row.or, Some(Fill::Is(Literal::List(items))) if items.is_empty());
        if to_items && row.or.is_some() && !is_empty {
            self.add("B008", loc("or"), "the items of a list have no value of their own; `or` is `[]` here");
        }
        if row.need && row.gone == Gone::Null {
            self.add("B018", loc("gone"), "a slot that must be there cannot become null");
        }
        if matches!(row.or, Some(Fill::Wire { .. })) {
            self.add(
                "B008",
                loc("or"),
                "`wire` is a value of the file that is written, and `or` is about one that is read",
            );
        }
    }

    /// The values in a row are such as the slot takes.
    fn check_values(&mut self, table: &Table, row: &Row) {
        let loc = |word: &str| table.get(word).map_or(Loc::default(), |tree| tree.loc);
        let says = |types: Types, literal: &Literal| {
            let own = literal.types();
            types.is_empty()
                || types.meets(own)
                || own == Types::NULL
                || types.meets(Types::INTEGER) && own == Types::NUMBER
        };
        if let Some(Fill::Is(literal)) = &row.fresh
            && row.text.is_empty()
        {
            if !says(row.is, literal) {
                self.add("B005", loc("fresh"), format!("the slot is {}, and this is not", row.is));
            } else if matches!(row.inner, Inner::Value) && !row.reads(&self.tables, literal) {
                self.add("B005", loc("fresh"), "the row reads no such value; `fresh` is what the file holds");
            }
        }
        let Some(index) = row.spelled.table.filter(|_| row.spelled.links.is_empty() && !row.is.meets(Types::LIST))
        else {
            return;
        };
        let wire: Vec<_> = self.cells.get(index).into_iter().flatten().filter(|cell| cell.side == Side::Wire).collect();
        let odd = wire.iter().find(|cell| !says(row.is, &cell.literal)).map(|cell| cell.loc);
        if let Some(loc) = odd {
            self.add("B005", loc, format!("the slot is {}, and this is not", row.is));
        }
    }
}
