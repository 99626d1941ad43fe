//! Rows: a wire path on the left, words on the right.

use bunzai_runtime::map::{
    Each, Fill, Gone, Inner, Literal, Piece, Row, Seq, Spelling, Step, Str, Text, Types, Wire, nearest,
};

use super::{Claimed, Lower, Mapped, PartClaims, Wanted, path};
use crate::tree::{Entry, Loc, Node, Table, Tree};
use crate::words;

/// The spellings and their names.
const SPELLINGS: [(&str, Spelling); 8] = [
    ("bool", Spelling::Bool),
    ("bool:text", Spelling::BoolText),
    ("bool:int", Spelling::BoolInt),
    ("number", Spelling::Number),
    ("number:text", Spelling::NumberText),
    ("not", Spelling::Not),
    ("trim", Spelling::Trim),
    ("unique", Spelling::Unique),
];

impl Lower<'_> {
    /// A row of `[fields]`.
    pub(super) fn row(&mut self, entry: &Entry, claims: &mut PartClaims) -> Option<Row> {
        let wire = self.wire(entry)?;
        let table = self.table(&entry.value, &entry.key)?;
        self.check_words(table, &words::ROW);
        let row = Row {
            wire,
            to: self.targets(table),
            or: table.get("or").and_then(|tree| self.fill(tree)),
            need: self.flag(table, "need"),
            omit_blank: self.choice(table, "blank", &[("omit", ())]).is_some(),
            keep_null: self.choice(table, "null", &[("keep", ())]).is_some(),
            gone: self.gone(table),
            fresh: table.get("fresh").and_then(|tree| self.fill(tree)),
            text: self.texts(table),
            spelling: self.spellings(table),
            table: self.table_of(table),
            inner: self.each(table).map_or(Inner::Value, Inner::Each),
            has: self.word_of_list(table),
            is: self.types(table, "is"),
            about: self.about(table),
        };
        self.check_row(entry, table, &row);
        self.claim(table, &row, claims);
        Some(row)
    }

    /// A row of `[sealed]`, or of the `sealed` of a shape.
    pub(super) fn sealed(&mut self, entry: &Entry) -> Option<Row> {
        let wire = self.wire(entry)?;
        let table = self.table(&entry.value, &entry.key)?;
        self.check_words(table, &words::SEALED);
        let fresh = table.get("fresh").and_then(|tree| self.fill(tree));
        Some(Row { wire, fresh, is: self.types(table, "is"), about: self.about(table), ..Row::default() })
    }

    /// A row of `[fresh]`, or of the `fresh` of a shape: a constant and nothing else.
    pub(super) fn fresh_constant(&mut self, entry: &Entry) -> Option<Row> {
        let wire = self.wire(entry)?;
        let fresh = self.fill(&entry.value)?;
        Some(Row { wire, fresh: Some(fresh), ..Row::default() })
    }

    fn wire(&mut self, entry: &Entry) -> Option<Wire> {
        match path::wire(&entry.key) {
            Ok(wire) => Some(wire),
            Err(message) => {
                self.add("B007", entry.key_loc, message);
                None
            }
        }
    }

    fn about(&mut self, table: &Table) -> Str {
        let (about, doc) = (self.text_or(table, "about", ""), self.text_or(table, "doc", ""));
        if doc.is_empty() { about } else { format!("{about}\n\n{doc}").trim().to_owned().into() }
    }

    fn targets(&mut self, table: &Table) -> Seq<Str> {
        let Some(tree) = table.get("to") else { return Seq::default() };
        let items = match &tree.node {
            Node::Text(_) => vec![tree.clone()],
            Node::List(items) => items.clone(),
            _ => {
                self.wrong(tree, "to", "a path, or a list of paths");
                return Seq::default();
            }
        };
        let mut paths = Vec::new();
        for item in items {
            let Some(text) = self.text(&item, "to") else { continue };
            match path::canonical_fault(text) {
                Some(message) => self.add("B007", item.loc, message),
                None => paths.push(Str::from(text.to_owned())),
            }
        }
        paths.into()
    }

    fn gone(&mut self, table: &Table) -> Gone {
        let choices = [("remove", Gone::Remove), ("null", Gone::Null), ("blank", Gone::Blank), ("keep", Gone::Keep)];
        self.choice(table, "gone", &choices).unwrap_or(Gone::Remove)
    }

    fn texts(&mut self, table: &Table) -> Seq<Text> {
        let Some(tree) = table.get("text") else { return Seq::default() };
        let choices = [("json", Text::Json), ("plain", Text::Plain)];
        self.alternatives(tree, "text", &choices).into()
    }

    fn spellings(&mut self, table: &Table) -> Seq<Seq<Spelling>> {
        let Some(tree) = table.get("as") else { return Seq::default() };
        let links = match tree.as_text() {
            Some(_) => vec![tree.clone()],
            None => self.list(tree, "as").to_vec(),
        };
        links.iter().map(|link| Seq::from(self.alternatives(link, "as", &SPELLINGS))).collect()
    }

    /// `a|b`
    fn alternatives<T: Copy>(&mut self, tree: &Tree, word: &str, choices: &[(&str, T)]) -> Vec<T> {
        let Some(text) = self.text(tree, word) else { return Vec::new() };
        let mut found = Vec::new();
        for name in text.split('|').map(str::trim) {
            match choices.iter().find(|(known, _)| *known == name) {
                Some((_, choice)) => found.push(*choice),
                None => {
                    let names: Vec<_> = choices.iter().map(|(name, _)| format!("`{name}`")).collect();
                    let mut message = format!("`{word}` knows {}, and not `{name}`", names.join(", "));
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

    fn each(&mut self, table: &Table) -> Option<Each> {
        let tree = table.get("each")?;
        let name = self.text(tree, "each")?;
        let by = table.get("by").and_then(|tree| self.text(tree, "by")).map(|by| Str::from(by.to_owned()));
        match self.map_names.iter_mut().enumerate().find(|(_, known)| known.text == name) {
            Some((part, known)) => {
                known.used = true;
                Some(Each { part, by })
            }
            None => {
                let mut message = format!("there is no map `{name}`");
                if let Some(meant) = nearest(name, self.map_names.iter().map(|known| known.text.as_str())) {
                    message += &format!("; did you mean `{meant}`?");
                }
                self.add("B010", tree.loc, message);
                None
            }
        }
    }

    fn word_of_list(&mut self, table: &Table) -> Option<Literal> {
        self.literal(table.get("has")?)
    }

    /// The words of a row must agree with each other.
    fn check_row(&mut self, entry: &Entry, table: &Table, row: &Row) {
        let loc = |word: &str| table.entry(word).map_or(entry.key_loc, |entry| entry.key_loc);
        let excludes = [
            ("each", &["as", "table", "has", "or", "null"][..]),
            ("has", &["table", "or", "null", "blank", "fresh"][..]),
        ];
        for (word, others) in excludes {
            for other in others.iter().filter(|other| table.get(word).is_some() && table.get(other).is_some()) {
                self.add("B008", loc(other), format!("`{other}` cannot stand beside `{word}`"));
            }
        }
        if table.get("by").is_some() && table.get("each").is_none() {
            self.add("B008", loc("by"), "`by` needs `each`: it tells rows apart");
        }
        let targets = ["or", "need", "blank", "null", "gone", "as", "table", "text", "each", "has"];
        if table.get("to").is_none() {
            for word in targets.iter().filter(|word| table.get(word).is_some()) {
                self.add("B008", loc(word), format!("`{word}` needs `to`: a row without it is sealed"));
            }
        }
        if table.get("each").is_some() && row.to.len() > 1 {
            self.add("B008", loc("to"), "rows go to one list");
        }
        if !matches!(row.wire, Wire::At(_)) {
            let only = ["to", "or", "blank", "about", "doc"];
            for other in table.0.iter().filter(|other| !only.contains(&other.key.as_str())) {
                self.add("B008", other.key_loc, format!("`{}` means nothing for the name of a file", other.key));
            }
        }
        if matches!(&row.wire, Wire::At(steps) if steps.contains(&Step::Every)) {
            self.add("B004", entry.key_loc, "a wire path through a list (`[]`) is not built yet");
        }
        if row.need && row.gone == Gone::Null {
            self.add("B018", loc("gone"), "a slot that must be there cannot become null");
        }
    }

    /// What the words of a row claim of its targets.
    fn claim(&mut self, table: &Table, row: &Row, claims: &mut PartClaims) {
        let to = table.get("to").map_or(Loc::default(), |tree| tree.loc);
        let loc = |word: &str| table.get(word).map_or(to, |tree| tree.loc);
        let spells = |one: Spelling| row.spelling.iter().any(|link| link.contains(&one));
        let is_file = !matches!(row.wire, Wire::At(_));
        for path in row.to.iter() {
            let mut add = |want: Wanted, loc: Loc| claims.claims.push(Claimed { path: path.to_string(), want, loc });
            add(Wanted::Exists, to);
            match (&row.inner, &row.has) {
                (Inner::Each(_), _) => add(Wanted::Rows, loc("each")),
                (_, Some(word)) => add(Wanted::Cell(word.clone()), loc("has")),
                _ => add(Wanted::Leaf, to),
            }
            if row.table.is_none() && row.has.is_none() {
                let bool = [Spelling::Bool, Spelling::BoolText, Spelling::BoolInt, Spelling::Not];
                if bool.into_iter().any(spells) {
                    add(Wanted::Bool, loc("as"));
                }
                if spells(Spelling::Number) || spells(Spelling::NumberText) {
                    add(Wanted::Number, loc("as"));
                }
                if spells(Spelling::Trim) || is_file {
                    add(Wanted::Text, loc("as"));
                }
                if row.spelling.is_empty() && row.text.is_empty() && !row.is.is_empty() {
                    add(Wanted::Is(row.is), loc("is"));
                }
            }
            if spells(Spelling::Unique) {
                add(Wanted::List, loc("as"));
            }
            match &row.or {
                None => {}
                Some(Fill::Is(literal)) => add(Wanted::Fits(literal.clone()), loc("or")),
                Some(Fill::Count { word, .. }) if word.is_empty() => add(Wanted::Number, loc("or")),
                Some(_) => add(Wanted::Text, loc("or")),
            }
            if row.keep_null {
                add(Wanted::Nullable, loc("null"));
            }
            for cell in row.table.and_then(|n| self.tables.get(n)).into_iter().flat_map(super::table::model_cells) {
                add(Wanted::Cell(cell.clone()), loc("table"));
            }
            // Of a row in a list every import of that row sets it; one below it needs no more.
            let always = row.or.is_some() || row.need || row.has.is_some();
            claims.mapped.push(Mapped { path: path.to_string(), always, shared: row.has.is_some(), loc: to });
        }
        for (word, fill) in [("or", &row.or), ("fresh", &row.fresh)] {
            for path in fill.iter().flat_map(fill_paths) {
                let mut add = |want| claims.claims.push(Claimed { path: path.to_string(), want, loc: loc(word) });
                add(Wanted::Exists);
                add(Wanted::Text);
            }
        }
        if let (Inner::Each(each), Some(path)) = (&row.inner, row.to.first()) {
            claims.opens.push((each.part, format!("{path}[]")));
        }
    }
}

/// The canonical paths a derived value is made of.
fn fill_paths(fill: &Fill) -> Vec<&Str> {
    match fill {
        Fill::Slug { path, .. } => vec![path],
        Fill::Concat(pieces) => {
            let paths = pieces.iter().filter_map(|piece| match piece {
                Piece::Path(path) => Some(path),
                Piece::Is(_) => None,
            });
            paths.collect()
        }
        Fill::Is(_) | Fill::FileStem | Fill::FileName | Fill::Count { .. } => Vec::new(),
    }
}
