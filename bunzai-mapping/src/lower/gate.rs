//! Shapes and their gates.

use std::borrow::Cow;

use bunzai_runtime::map::{Carrier, Literal, Predicate, Row, Seq, Step, Str, Test, Types, ValueTest, Wire};

use super::owners::Owners;
use super::{Lower, PartClaims, path};
use crate::tree::{Loc, Node, Table, Tree};
use crate::words;

impl Lower<'_> {
    /// A shape: its own gate and that of the file together.
    pub(super) fn shape(&mut self, shape: &Table, file: &Table, loc: Loc, claims: &mut PartClaims) -> Option<Carrier> {
        let shared = file.get("detect").and_then(|tree| self.table(tree, "detect"));
        let own = shape.get("detect").and_then(|tree| self.table(tree, "detect"));
        let at = self.keys(shape);
        let mut gate = Vec::new();
        let mut score = None;
        for table in [shared, own].into_iter().flatten() {
            self.check_words(table, &words::DETECT);
            score = self.score(table).or(score);
            gate.extend(self.conditions(table));
            if let Some(tree) = table.get("only") {
                let test = ValueTest::Only(self.names(tree, "only"));
                gate.push(Test::At(Predicate { at: Seq::default(), test }));
            }
        }
        let place = own.and_then(|_| shape.entry("detect")).or_else(|| file.entry("detect"));
        let place = place.map_or(loc, |entry| entry.key_loc);
        if gate.iter().all(|test| matches!(test, Test::None(_))) {
            self.add("B016", place, "a shape without a condition that something must meet claims every file");
        }
        self.check_possible(&gate, place);
        let named = shape.get("map").and_then(Tree::as_text);
        let own_map = named.and_then(|name| file.get("maps")?.as_table()?.get(name)?.as_table());
        let fields = own_map.unwrap_or(file);
        self.check_needs(fields, &at, &gate, place);
        let mut rows: Vec<Row> = Vec::new();
        let mut owners = Owners::default();
        let steps: Vec<Step> = at.iter().map(|key| Step::Key(key.clone())).collect();
        for word in ["fields", "sealed", "fresh"] {
            let fields = fields.get(word).and_then(Tree::as_table).into_iter().flat_map(|table| table.0.iter());
            self.own_fields(&mut owners, &steps, fields.map(|entry| entry.key.as_str()));
        }
        for word in ["fresh", "sealed"] {
            let Some(table) = shape.get(word).and_then(|tree| self.table(tree, word)) else { continue };
            for entry in &table.0 {
                self.own(&mut owners, &entry.key, entry.key_loc);
                self.refuse_picks(&path::steps(&entry.key).unwrap_or_default(), entry.key_loc);
                let row = if word == "fresh" { self.fresh_constant(entry) } else { self.sealed(entry) };
                rows.extend(row);
            }
        }
        let map = shape.get("map").and_then(|tree| self.map_named(tree, "map"));
        let write = shape.get("write").and_then(|tree| self.model_conditions(tree, "write", claims));
        let write = write.unwrap_or_default();
        Some(Carrier { at, score: score.unwrap_or(0.9), gate: gate.into(), rows: rows.into(), map, write })
    }

    fn keys(&mut self, shape: &Table) -> Seq<Str> {
        let steps = shape.get("at").and_then(|tree| self.steps(tree, "at")).unwrap_or_default();
        let keys = steps.iter().filter_map(|step| match step {
            Step::Key(key) => Some(key.clone()),
            Step::Every | Step::Pick(_) => None,
        });
        if let Some(tree) = shape.get("at") {
            self.refuse_picks(&steps, tree.loc);
        }
        keys.collect()
    }

    fn score(&mut self, table: &Table) -> Option<f64> {
        let tree = table.get("score")?;
        let score = super::value::number(tree).map(|number| number.as_f64());
        match score {
            None => self.wrong(tree, "score", "a number"),
            Some(score) if score <= 0.0 || score > 1.0 => {
                self.add("B005", tree.loc, "a score is above 0 and at most 1");
            }
            Some(score) => return Some(score),
        }
        None
    }

    /// What the model must show, from the struct of the map on. All of its paths exist.
    pub(super) fn model_conditions(&mut self, tree: &Tree, word: &str, claims: &mut PartClaims) -> Option<Seq<Test>> {
        let table = self.table(tree, word)?;
        self.check_words(table, &words::MODEL);
        claim_conditions(table, claims);
        Some(self.conditions(table).into())
    }

    /// What a row must show to be read with a map.
    pub(super) fn when(&mut self, tree: &Tree) -> Seq<Test> {
        let Some(table) = self.table(tree, "when") else { return Seq::default() };
        self.check_words(table, &words::MODEL);
        self.conditions(table).into()
    }

    /// What `all`, `any` and `none` ask together.
    pub(super) fn conditions(&mut self, table: &Table) -> Vec<Test> {
        let mut asked = self.tests(table, "all");
        let any = self.tests(table, "any");
        if !any.is_empty() {
            asked.push(Test::Any(any.into()));
        }
        let none = self.tests(table, "none");
        if !none.is_empty() {
            asked.push(Test::None(none.into()));
        }
        asked
    }

    fn tests(&mut self, table: &Table, word: &str) -> Vec<Test> {
        let Some(tree) = table.get(word) else { return Vec::new() };
        let items = self.list(tree, word).to_vec();
        items.iter().filter_map(|item| self.condition(item)).collect()
    }

    /// A condition about one place, or a group of such.
    fn condition(&mut self, tree: &Tree) -> Option<Test> {
        let table = self.table(tree, "a condition")?;
        self.check_words(table, &words::PREDICATE);
        let is_group = ["all", "any", "none"].iter().any(|word| table.get(word).is_some());
        if !is_group {
            return self.predicate(tree, table).map(Test::At);
        }
        if let Some(entry) = table.0.iter().find(|entry| !["all", "any", "none"].contains(&entry.key.as_str())) {
            self.add("B008", entry.key_loc, format!("`{}` cannot stand beside a group of conditions", entry.key));
        }
        let mut asked = self.conditions(table);
        match (asked.len(), table.get("all")) {
            (1, None) => asked.pop(),
            _ => Some(Test::All(asked.into())),
        }
    }

    /// A list of texts.
    fn names(&mut self, tree: &Tree, word: &str) -> Seq<Str> {
        let items = self.list(tree, word).to_vec();
        items.iter().filter_map(|item| Some(Str::from(self.text(item, word)?.to_owned()))).collect()
    }

    fn predicate(&mut self, tree: &Tree, table: &Table) -> Option<Predicate> {
        let Some(at) = table.get("at") else {
            self.add("B006", tree.loc, "`at` is missing: a condition is about a place");
            return None;
        };
        let steps = match path::steps(self.text(at, "at")?) {
            Ok(steps) => {
                self.refuse_picks(&steps, at.loc);
                steps
            }
            Err(message) => {
                self.add("B007", at.loc, message);
                return None;
            }
        };
        let mut tests = Vec::new();
        if table.get("is").is_some() {
            tests.push(ValueTest::Is(self.types(table, "is")));
        }
        if let Some(tree) = table.get("eq") {
            tests.push(ValueTest::In(vec![self.literal(tree)?].into()));
        }
        if let Some(tree) = table.get("in") {
            tests.push(ValueTest::In(self.literals(tree, "in").into()));
        }
        if let Some(tree) = table.get("has") {
            tests.push(ValueTest::Has(self.literals(tree, "has").into()));
        }
        if let Some(tree) = table.get("only") {
            tests.push(ValueTest::Only(self.names(tree, "only")));
        }
        if tests.len() > 1 {
            self.add("B008", tree.loc, "a condition asks one thing: `is`, `eq`, `in`, `has` or `only`");
        }
        let test = tests.into_iter().next().unwrap_or(ValueTest::Present);
        Some(Predicate { at: Cow::Owned(steps), test })
    }

    /// A list of constants, or one that stands for a list of one.
    fn literals(&mut self, tree: &Tree, word: &str) -> Vec<Literal> {
        match &tree.node {
            Node::List(_) => {
                let items = self.list(tree, word).to_vec();
                items.iter().filter_map(|item| self.literal(item)).collect()
            }
            _ => self.literal(tree).into_iter().collect(),
        }
    }

    /// Two conditions that must both be met are about one place and exclude each other.
    fn check_possible(&mut self, gate: &[Test], place: Loc) {
        for (n, test) in gate.iter().enumerate() {
            let Test::At(one) = test else { continue };
            let excluded = gate[..n].iter().any(|other| match other {
                Test::At(other) => one.at == other.at && !meet(&one.test, &other.test),
                Test::All(_) | Test::Any(_) | Test::None(_) => false,
            });
            let forbidden = gate.iter().any(|other| match other {
                Test::None(tests) => tests.contains(test),
                Test::At(_) | Test::All(_) | Test::Any(_) => false,
            });
            if excluded || forbidden {
                self.add("B016", place, format!("no document can meet this gate: {one} and the opposite"));
            }
        }
    }

    /// Every slot of the root map that must be there is demanded by the gate.
    fn check_needs(&mut self, file: &Table, at: &Seq<Str>, gate: &[Test], place: Loc) {
        let Some(fields) = file.get("fields").and_then(Tree::as_table) else { return };
        for entry in &fields.0 {
            let needed = entry.value.as_table().and_then(|row| row.get("need"));
            if !matches!(needed, Some(Tree { node: Node::Bool(true), .. })) {
                continue;
            }
            let Ok(Wire::At(steps)) = path::wire(&entry.key) else { continue };
            let whole: Vec<Step> = at.iter().map(|key| Step::Key(key.clone())).chain(steps.iter().cloned()).collect();
            if !gate.iter().any(|test| demands(test, &whole)) {
                let name = path::shown(&whole);
                let name = if whole.iter().any(|step| matches!(step, Step::Pick(_))) {
                    let every = whole.iter().map(|step| if let Step::Pick(_) = step { &Step::Every } else { step });
                    path::shown(&every.cloned().collect::<Vec<_>>()).replace("[]", "[*]")
                } else {
                    name
                };
                let asks = |test: &Test| matches!(test, Test::At(predicate) if predicate.at[..] == whole[..]);
                let message = match gate.iter().any(asks) {
                    true => format!("`{name}` must be there, and the gate asks for it but not for its type"),
                    false => format!("`{name}` must be there, and the gate does not ask for it"),
                };
                let written = format!("write `{{ at = \"{name}\", is = \"string\" }}` or what type it is in `all`");
                self.add("B017", place, format!("{message}; {written}"));
            }
        }
    }
}

/// Claims the paths of conditions on the model.
fn claim_conditions(table: &Table, claims: &mut PartClaims) {
    for word in ["all", "any", "none"] {
        let items = table.get(word).and_then(Tree::as_list).unwrap_or_default();
        for condition in items.iter().filter_map(Tree::as_table) {
            claim_conditions(condition, claims);
            if let Some(at) = condition.get("at")
                && let Some(Ok(steps)) = at.as_text().map(path::steps)
            {
                claims.row(&path::shown(&steps).replace("[*]", "[]"), at.loc, &[]);
            }
        }
    }
}

/// Whether a test makes sure that a place is there, and not null.
fn demands(test: &Test, place: &[Step]) -> bool {
    let is_at = |at: &[Step]| {
        // Which row is picked no gate can say; it demands one of that type.
        let same = |(a, b): (&Step, &Step)| a == b || *a == Step::Every && matches!(b, Step::Pick(_));
        at.len() == place.len() && at.iter().zip(place).all(same)
    };
    let picks = place.iter().any(|step| matches!(step, Step::Pick(_)));
    match test {
        Test::At(Predicate { at, test: ValueTest::Is(types) }) => is_at(at) && !types.meets(Types::NULL),
        Test::At(Predicate { at, test: ValueTest::In(_) }) => is_at(at),
        Test::All(tests) => tests.iter().any(|test| demands(test, place)),
        Test::Any(tests) if picks => !tests.is_empty() && tests.iter().all(|test| demands(test, place)),
        Test::At(_) | Test::Any(_) | Test::None(_) => false,
    }
}

/// Whether one value can pass both tests.
fn meet(a: &ValueTest, b: &ValueTest) -> bool {
    let types = |literal: &Literal| match literal {
        Literal::Number(_) => Types::NUMBER.or(Types::INTEGER),
        literal => literal.types(),
    };
    let known = |test: &ValueTest| match test {
        ValueTest::Present => Types::ANY.or(Types::BLANK),
        ValueTest::Is(types) if types.meets(Types::NUMBER) => types.or(Types::INTEGER),
        ValueTest::Is(types) if types.meets(Types::INTEGER) => types.or(Types::NUMBER),
        ValueTest::Is(types) if types.meets(Types::BLANK) => Types::ANY.or(Types::BLANK),
        ValueTest::Is(types) => *types,
        ValueTest::In(values) => values.iter().map(types).fold(Types::NONE, Types::or),
        ValueTest::Has(_) => Types::LIST,
        ValueTest::Only(_) => Types::OBJECT,
    };
    match (a, b) {
        (ValueTest::In(a), ValueTest::In(b)) => a.iter().any(|value| b.contains(value)),
        (a, b) => known(a).meets(known(b)),
    }
}
