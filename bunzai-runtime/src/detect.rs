//! Detection: one scan of a document answers the conditions of many formats.

use std::fmt;

use indexmap::IndexMap;

use crate::blank::nothing_at;
use crate::json::{Cursor, Number, Result, Value};
use crate::map::{Carrier, Literal, Predicate, Step, Test, Types, ValueTest, shown};

/// The gates of some carriers, ready to be asked together.
#[derive(Debug, Default)]
pub(crate) struct Detector {
    nodes: Vec<Node>,
    predicates: Vec<Asked>,
    /// For each predicate the gate it is of, and whether nothing passes that gate without it.
    needed: Vec<(usize, bool)>,
    /// For each carrier the tests of its gate, with the predicates numbered in order.
    gates: Vec<Vec<Test>>,
}

/// A place that some predicate asks about.
#[derive(Debug, Default)]
struct Node {
    keys: crate::engine::Keys,
    every: Option<usize>,
    /// The predicates that end here.
    here: Vec<usize>,
    /// The predicates that end here or below.
    below: Vec<usize>,
}

#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) test: ValueTest,
    /// Whether `[*]` means every row (and at least one) or some row.
    pub(crate) every: bool,
}

/// How a document answered one gate: an outcome for each of its tests.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer(Vec<Outcome>);

/// How a document answered one test.
#[derive(Debug, Clone, PartialEq)]
struct Outcome {
    passed: bool,
    /// How many predicates were satisfied.
    satisfied: usize,
    /// Of a test made of others, whether each of them passed.
    inner: Vec<bool>,
}

impl Answer {
    /// Whether the document passes the gate.
    pub(crate) fn passes(&self) -> bool {
        self.0.iter().all(|outcome| outcome.passed)
    }

    /// How many predicates were satisfied.
    pub(crate) fn satisfied(&self) -> usize {
        self.0.iter().map(|outcome| outcome.satisfied).sum()
    }

    /// How many conditions about what must be there were satisfied.
    pub(crate) fn shown(&self, gate: &[Test]) -> usize {
        let asked = self.0.iter().zip(gate).filter(|(_, test)| !matches!(test, Test::None(_)));
        asked.map(|(outcome, _)| outcome.satisfied).sum()
    }

    /// What the document shows of a gate, or the first thing that it does not.
    pub(crate) fn because(&self, gate: &[Test]) -> Vec<String> {
        let mut tests = self.0.iter().zip(gate);
        if let Some((_, test)) = tests.clone().find(|(outcome, _)| !outcome.passed) {
            return vec![test.to_string()];
        }
        let mut shown = Vec::new();
        for (outcome, test) in &mut tests {
            match test {
                // Of alternatives only what the document has says something of it.
                Test::Any(tests) => {
                    let met = tests.iter().zip(&outcome.inner).filter(|(_, passed)| **passed);
                    shown.extend(met.map(|(test, _)| test.to_string()));
                }
                Test::At(_) | Test::All(_) | Test::None(_) => shown.push(test.to_string()),
            }
        }
        shown
    }
}

impl Detector {
    pub(crate) fn new<'a>(carriers: impl IntoIterator<Item = &'a Carrier>) -> Self {
        let mut detector = Self { nodes: vec![Node::default()], ..Self::default() };
        carriers.into_iter().for_each(|carrier| detector.add_gate(&carrier.gate));
        detector
    }

    /// For the conditions on one value.
    pub(crate) fn of(tests: &[Test]) -> Self {
        let mut detector = Self { nodes: vec![Node::default()], ..Self::default() };
        detector.add_gate(tests);
        detector
    }

    /// Whether the value at a cursor passes every gate.
    pub(crate) fn passes(&self, cursor: &mut Cursor<'_>) -> Result<bool> {
        let mut truth = Truth::new(self, true);
        self.scan(0, cursor, &mut truth)?;
        Ok(truth.answers().all(|answer| answer.passes()))
    }

    /// The tests of all gates.
    pub(crate) fn tests(&self) -> impl Iterator<Item = &Test> {
        self.gates.iter().flatten()
    }

    fn add_gate(&mut self, tests: &[Test]) {
        tests.iter().for_each(|test| self.add(test, true, true));
        self.gates.push(tests.to_vec());
    }

    fn add(&mut self, test: &Test, every: bool, needed: bool) {
        match test {
            Test::At(predicate) => self.add_predicate(predicate, every, needed),
            Test::All(tests) => tests.iter().for_each(|test| self.add(test, true, needed)),
            Test::Any(tests) | Test::None(tests) => tests.iter().for_each(|test| self.add(test, false, false)),
        }
    }

    fn add_predicate(&mut self, predicate: &Predicate, every: bool, needed: bool) {
        let number = self.predicates.len();
        self.predicates.push(Asked { test: predicate.test.clone(), every });
        self.needed.push((self.gates.len(), needed));
        let mut at = 0;
        self.nodes[at].below.push(number);
        // No condition names a pick.
        for step in predicate.at.iter().filter(|step| !matches!(step, Step::Pick(_))) {
            let known = match step {
                Step::Key(key) => self.nodes[at].keys.get(key),
                Step::Every | Step::Pick(_) => self.nodes[at].every,
            };
            let next = known.unwrap_or(self.nodes.len());
            if known.is_none() {
                self.nodes.push(Node::default());
                match step {
                    Step::Key(key) => self.nodes[at].keys.add(key, next),
                    Step::Every | Step::Pick(_) => self.nodes[at].every = Some(next),
                }
            }
            at = next;
            self.nodes[at].below.push(number);
        }
        self.nodes[at].here.push(number);
    }

    /// Asks a document; one answer for each carrier.
    pub(crate) fn ask(&self, text: &str) -> Result<Vec<Answer>> {
        self.ask_about(text, false)
    }

    /// Asks a document which gates it passes, and of the others no more than shows that it does not.
    pub(crate) fn passing(&self, text: &str) -> Result<Vec<bool>> {
        Ok(self.ask_about(text, true)?.iter().map(Answer::passes).collect())
    }

    fn ask_about(&self, text: &str, passing_only: bool) -> Result<Vec<Answer>> {
        let mut truth = Truth::new(self, passing_only);
        let mut cursor = Cursor::new(text);
        self.scan(0, &mut cursor, &mut truth)?;
        cursor.end()?;
        Ok(truth.answers().collect())
    }

    fn scan(&self, at: usize, cursor: &mut Cursor<'_>, truth: &mut Truth<'_>) -> Result<()> {
        let node = &self.nodes[at];
        let first = cursor.peek()?;
        for number in &node.here {
            truth.values[*number] = holds(&self.predicates[*number].test, first, cursor)?;
        }
        match (first, node.every) {
            (b'{', every) if !node.keys.is_empty() => {
                if let Some(every) = every {
                    self.scan_rows(node, every, &mut cursor.clone(), truth)?;
                }
                let mut hint = 0;
                if cursor.object()? {
                    loop {
                        let key = cursor.key()?.text();
                        match node.keys.find(&key, &mut hint) {
                            Some(child) => {
                                // Of two equal keys the last one counts.
                                self.nodes[child].below.iter().for_each(|n| truth.values[*n] = false);
                                self.scan(child, cursor, truth)?;
                            }
                            None => cursor.skip()?,
                        }
                        if !cursor.more(b'}')? {
                            break;
                        }
                    }
                }
                Ok(())
            }
            (b'[' | b'{', Some(every)) => self.scan_rows(node, every, cursor, truth),
            _ => cursor.skip(),
        }
    }

    /// Scans the items of a list, or the values of the members of an object.
    fn scan_rows(&self, node: &Node, at: usize, cursor: &mut Cursor<'_>, truth: &mut Truth<'_>) -> Result<()> {
        let asked: Vec<usize> =
            self.nodes[at].below.iter().copied().filter(|n| !truth.is_moot(*n, &node.here)).collect();
        let mut sums: Vec<bool> = asked.iter().map(|n| self.predicates[*n].every).collect();
        let mut any = false;
        // What is settled needs no further look.
        let is_settled = |sums: &[bool]| asked.iter().zip(sums).all(|(n, sum)| self.predicates[*n].every != *sum);
        let mut scan = |cursor: &mut Cursor<'_>| {
            any = true;
            if is_settled(&sums) {
                return cursor.skip();
            }
            asked.iter().for_each(|n| truth.values[*n] = false);
            self.scan(at, cursor, truth)?;
            for (n, sum) in asked.iter().zip(&mut sums) {
                let holds = truth.values[*n];
                *sum = if self.predicates[*n].every { *sum && holds } else { *sum || holds };
            }
            Ok(())
        };
        if cursor.peek()? == b'{' {
            for start in last_of_each_key(cursor)? {
                scan(&mut Cursor::starting_at(cursor.source(), start, cursor.depth() + 1))?;
            }
        } else if cursor.list()? {
            loop {
                scan(cursor)?;
                if !cursor.more(b']')? {
                    break;
                }
            }
        }
        for (n, sum) in asked.iter().zip(sums) {
            truth.values[*n] = any && sum;
        }
        Ok(())
    }
}

/// Where the values of an object start; of two equal keys the last one counts.
fn last_of_each_key<'t>(cursor: &mut Cursor<'t>) -> Result<impl Iterator<Item = usize> + use<'t>> {
    let mut starts: IndexMap<_, _> = IndexMap::new();
    let mut more = cursor.object()?;
    while more {
        let key = cursor.key()?.text();
        cursor.peek()?;
        starts.insert(key, cursor.at());
        cursor.skip()?;
        more = cursor.more(b'}')?;
    }
    Ok(starts.into_values())
}

/// What a document has answered so far.
struct Truth<'d> {
    detector: &'d Detector,
    /// For each predicate whether it holds.
    values: Vec<bool>,
    /// Whether it is enough to know which gates are passed.
    passing_only: bool,
}

impl<'d> Truth<'d> {
    fn new(detector: &'d Detector, passing_only: bool) -> Self {
        Self { detector, values: vec![false; detector.predicates.len()], passing_only }
    }

    /// Whether nothing depends on a predicate about the rows of a value any more: its gate needs
    /// something else of that value, which does not hold. `here` is what was asked of the value.
    fn is_moot(&self, number: usize, here: &[usize]) -> bool {
        let needed = &self.detector.needed;
        let fails = |other: &usize| needed[*other] == (needed[number].0, true) && !self.values[*other];
        self.passing_only && here.iter().any(fails)
    }

    fn answers(&self) -> impl Iterator<Item = Answer> {
        let mut next = 0;
        self.detector.gates.iter().map(move |gate| answer(gate, &self.values, &mut next))
    }
}

/// Whether the value at a cursor, which stays where it is, passes a test. `first` is its first
/// byte.
#[inline]
pub(crate) fn holds(test: &ValueTest, first: u8, cursor: &Cursor<'_>) -> Result<bool> {
    match test {
        ValueTest::Present => Ok(true),
        ValueTest::Is(types) if types.meets(type_of(first)) => Ok(true),
        ValueTest::Is(types) if !types.meets(Types::BLANK.or(Types::INTEGER)) => Ok(false),
        test => holds_inside(test, first, cursor.clone()),
    }
}

fn type_of(first: u8) -> Types {
    match first {
        b'"' => Types::STRING,
        b'{' => Types::OBJECT,
        b'[' => Types::LIST,
        b't' | b'f' => Types::BOOLEAN,
        b'n' => Types::NULL,
        _ => Types::NUMBER,
    }
}

#[inline(never)]
fn holds_inside(test: &ValueTest, first: u8, mut cursor: Cursor<'_>) -> Result<bool> {
    let is_number = matches!(first, b'-' | b'0'..=b'9');
    Ok(match test {
        ValueTest::Present => true,
        ValueTest::Is(types) => {
            types.meets(Types::BLANK) && nothing_at(&mut cursor.clone())?
                || types.meets(Types::INTEGER) && is_number && cursor.number()?.is_some_and(Number::is_integer)
        }
        ValueTest::In(values) => {
            let simple = !matches!(first, b'{' | b'[');
            let asks_more = values.iter().any(|v| matches!(v, Literal::List(_) | Literal::Object(_)));
            (simple || asks_more) && Value::read(&mut cursor)?.is_some_and(|value| values.iter().any(|v| v.is(&value)))
        }
        ValueTest::Has(values) => {
            let mut found = false;
            if first == b'[' && cursor.list()? {
                loop {
                    found |= Value::read(&mut cursor)?.is_some_and(|value| values.iter().any(|v| v.is(&value)));
                    if !cursor.more(b']')? {
                        break;
                    }
                }
            }
            found
        }
        ValueTest::Only(keys) => {
            let mut only = first == b'{';
            let mut more = only && cursor.object()?;
            while more {
                let key = cursor.key()?.text();
                only &= keys.contains(&key);
                cursor.skip()?;
                more = cursor.more(b'}')?;
            }
            only
        }
    })
}

/// Whether the tests of a gate pass, the predicates being numbered in the order of the gate.
pub(crate) fn passes_all(gate: &[Test], truth: &[bool]) -> bool {
    answer(gate, truth, &mut 0).passes()
}

fn answer(gate: &[Test], truth: &[bool], next: &mut usize) -> Answer {
    Answer(gate.iter().map(|test| outcome(test, truth, next)).collect())
}

/// How a test came out. The predicates are numbered in the order in which they are met here.
fn outcome(test: &Test, truth: &[bool], next: &mut usize) -> Outcome {
    match test {
        Test::At(_) => {
            let passed = truth.get(*next).copied().unwrap_or(false);
            *next += 1;
            Outcome { passed, satisfied: usize::from(passed), inner: Vec::new() }
        }
        Test::All(tests) | Test::Any(tests) => {
            let outcomes: Vec<_> = tests.iter().map(|test| outcome(test, truth, next)).collect();
            let inner: Vec<bool> = outcomes.iter().map(|outcome| outcome.passed).collect();
            let satisfied = outcomes.iter().map(|outcome| outcome.satisfied).sum();
            let all = matches!(test, Test::All(_));
            let passed = if all { !inner.contains(&false) } else { inner.contains(&true) };
            Outcome { passed, satisfied, inner }
        }
        Test::None(tests) => {
            let inner: Vec<bool> = tests.iter().map(|test| outcome(test, truth, next).passed).collect();
            let passed = !inner.contains(&true);
            Outcome { passed, satisfied: if passed { inner.len() } else { 0 }, inner }
        }
    }
}

impl fmt::Display for Test {
    /// What must be so, as the end of a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, tests: &[Test]| {
            for (n, test) in tests.iter().enumerate() {
                if n > 0 {
                    f.write_str("; ")?;
                }
                match test {
                    Self::At(_) => write!(f, "{test}")?,
                    Self::All(_) | Self::Any(_) | Self::None(_) => write!(f, "({test})")?,
                }
            }
            Ok(())
        };
        match self {
            Self::At(predicate) => write!(f, "{predicate}"),
            Self::All(tests) => {
                f.write_str("all of: ")?;
                list(f, tests)
            }
            Self::Any(tests) => {
                f.write_str("one of: ")?;
                list(f, tests)
            }
            Self::None(tests) => {
                f.write_str("none of: ")?;
                list(f, tests)
            }
        }
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = shown(&self.at);
        let words = |f: &mut fmt::Formatter<'_>, values: &[Literal]| {
            for (n, value) in values.iter().filter_map(Literal::value).enumerate() {
                if n > 0 {
                    f.write_str(" or ")?;
                }
                let mut text = String::new();
                crate::json::print(&value, &crate::json::Layout::compact(), &mut text);
                f.write_str(&text)?;
            }
            Ok(())
        };
        match &self.test {
            ValueTest::Present => write!(f, "`{path}` is there"),
            ValueTest::Is(types) => write!(f, "`{path}` is {}", types.to_string().replace('|', " or ")),
            ValueTest::In(values) => {
                write!(f, "`{path}` is ")?;
                words(f, values)
            }
            ValueTest::Has(values) => {
                write!(f, "`{path}` has ")?;
                words(f, values)
            }
            ValueTest::Only(keys) => {
                let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
                write!(f, "`{path}` has no other keys than {}", keys.join(", "))
            }
        }
    }
}
