//! The gate of a carrier, asked on the way: what the walk passes by anyway is tested there, so that
//! reading a document of a given format takes one pass and not two.

use super::plan::{Frame, Place, RowsPlan, Way};
use crate::detect::{Asked, holds, passes_all};
use crate::json::{Cursor, Result};
use crate::map::{Predicate, Step, Test};

/// A gate whose conditions are all tested on the way.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    tests: Vec<Test>,
    predicates: Vec<Asked>,
}

/// What the conditions of a gate have come to so far.
#[derive(Debug)]
pub(super) struct Truth<'p> {
    gate: Option<&'p Gate>,
    values: Vec<bool>,
    /// Conditions about the rows of a list that no further row can change.
    settled: Vec<bool>,
}

impl Gate {
    /// Spreads the conditions of a gate over the places of a frame; nothing when one of them asks
    /// about a place inside the value of a row.
    pub(super) fn spread(frame: &mut Frame, tests: &[Test]) -> Option<Self> {
        let mut gate = Self { tests: tests.to_vec(), predicates: Vec::new() };
        if tests.iter().all(|test| gate.spread_test(frame, test, true)) {
            return Some(gate);
        }
        detach(frame);
        None
    }

    fn spread_test(&mut self, frame: &mut Frame, test: &Test, every: bool) -> bool {
        match test {
            Test::At(Predicate { at, test }) => {
                let number = self.predicates.len();
                self.predicates.push(Asked { test: test.clone(), every });
                attach(frame, at, number)
            }
            Test::All(tests) => tests.iter().all(|test| self.spread_test(frame, test, true)),
            Test::Any(tests) | Test::None(tests) => tests.iter().all(|test| self.spread_test(frame, test, false)),
        }
    }
}

fn attach(frame: &mut Frame, steps: &[Step], number: usize) -> bool {
    let mut at = 0;
    for (n, step) in steps.iter().enumerate() {
        let row = frame.places[at].row;
        match (step, row) {
            (Step::Key(key), None) if frame.places[at].picked.is_none() => at = frame.child(at, key),
            (Step::Every, Some(row)) if frame.rows[row].row.text.is_empty() => {
                let Way::Rows(rows) = &mut frame.rows[row].way else { return false };
                if rows.keyed.is_some() {
                    return false;
                }
                rows.asked.push(number);
                return attach(&mut rows.frame, &steps[n + 1..], number);
            }
            _ => return false,
        }
    }
    frame.places[at].tests.push(number);
    frame.places[at].leaf = None;
    true
}

/// Takes back what was spread.
fn detach(frame: &mut Frame) {
    frame.places.iter_mut().for_each(|place| place.tests.clear());
    for row in &mut frame.rows {
        if let Way::Rows(rows) = &mut row.way {
            rows.asked.clear();
            detach(&mut rows.frame);
        }
    }
    frame.find_leaves();
}

impl<'p> Truth<'p> {
    /// What is known before the first value. Of a frame without a gate, as one row is read alone,
    /// nothing is asked.
    pub(super) fn new(frame: &'p Frame) -> Self {
        let count = frame.gate.as_ref().map_or(0, |gate| gate.predicates.len());
        Self { gate: frame.gate.as_ref(), values: vec![false; count], settled: vec![false; count] }
    }

    /// Asks nothing.
    pub(super) fn silent() -> Self {
        Self { gate: None, values: Vec::new(), settled: Vec::new() }
    }

    /// Tests the value at the cursor, which stays where it is.
    #[inline]
    pub(super) fn at(&mut self, place: &Place, first: u8, cursor: &Cursor<'_>) -> Result<()> {
        if place.tests.is_empty() { Ok(()) } else { self.test(place, first, cursor) }
    }

    #[inline(never)]
    fn test(&mut self, place: &Place, first: u8, cursor: &Cursor<'_>) -> Result<()> {
        let Some(gate) = self.gate else { return Ok(()) };
        for number in &place.tests {
            if !self.settled[*number] {
                self.values[*number] = holds(&gate.predicates[*number].test, first, cursor)?;
            }
        }
        Ok(())
    }

    /// Passes over a value of a frame, asking only what the gate asks.
    pub(super) fn pass_over(&mut self, frame: &Frame, at: usize, cursor: &mut Cursor<'_>) -> Result<()> {
        let place = &frame.places[at];
        let first = cursor.peek()?;
        self.at(place, first, cursor)?;
        match place.row.map(|row| &frame.rows[row].way) {
            Some(Way::Rows(rows)) => self.pass_over_rows(rows, cursor),
            None if first == b'{' && !place.children.is_empty() => {
                let mut hint = 0;
                if !cursor.object()? {
                    return Ok(());
                }
                loop {
                    let key = cursor.key()?;
                    match place.children.find(&key.text(), &mut hint) {
                        Some(child) => self.pass_over(frame, child, cursor)?,
                        None => cursor.skip()?,
                    }
                    if !cursor.more(b'}')? {
                        return Ok(());
                    }
                }
            }
            _ => cursor.skip(),
        }
    }

    /// Passes over a list of rows, or an object in its place, asking only what the gate asks.
    pub(super) fn pass_over_rows(&mut self, rows: &RowsPlan, cursor: &mut Cursor<'_>) -> Result<()> {
        let (any, close) = match cursor.peek()? {
            _ if rows.asked.is_empty() => return cursor.skip(),
            b'[' => (cursor.list()?, b']'),
            b'{' => (cursor.object()?, b'}'),
            _ => return cursor.skip(),
        };
        let mut sums = self.start_rows(rows);
        if any {
            loop {
                if close == b'}' {
                    cursor.key()?;
                }
                self.start_row(rows);
                self.pass_over(&rows.frame, 0, cursor)?;
                self.end_row(rows, &mut sums);
                if !cursor.more(close)? {
                    break;
                }
            }
        }
        self.end_rows(rows, &sums, any);
        Ok(())
    }

    /// What was found out at a place is void: another key of the same name follows.
    pub(super) fn forget(&mut self, frame: &Frame, at: usize) {
        let place = &frame.places[at];
        self.void(&place.tests);
        if let Some(Way::Rows(rows)) = place.row.map(|row| &frame.rows[row].way) {
            self.void(&rows.asked);
        }
    }

    #[inline]
    fn void(&mut self, numbers: &[usize]) {
        if self.gate.is_some() {
            numbers.iter().for_each(|number| self.values[*number] = false);
        }
    }

    /// Starts a list of rows: for each condition about them what holds of no row.
    pub(super) fn start_rows(&mut self, rows: &RowsPlan) -> Vec<bool> {
        let Some(gate) = self.gate else { return Vec::new() };
        rows.asked.iter().for_each(|number| self.settled[*number] = false);
        rows.asked.iter().map(|number| gate.predicates[*number].every).collect()
    }

    /// Starts a row.
    #[inline]
    pub(super) fn start_row(&mut self, rows: &RowsPlan) {
        self.void(&rows.asked);
    }

    /// Ends a row.
    #[inline]
    pub(super) fn end_row(&mut self, rows: &RowsPlan, sums: &mut [bool]) {
        let Some(gate) = self.gate else { return };
        for (number, sum) in rows.asked.iter().zip(sums) {
            let every = gate.predicates[*number].every;
            if !self.settled[*number] && self.values[*number] != every {
                (*sum, self.settled[*number]) = (!every, true);
            }
        }
    }

    /// Ends a list of rows.
    pub(super) fn end_rows(&mut self, rows: &RowsPlan, sums: &[bool], any: bool) {
        for (number, sum) in rows.asked.iter().zip(sums) {
            self.values[*number] = any && *sum;
            // Another list of the same name may follow.
            self.settled[*number] = false;
        }
    }

    /// Whether the document passes.
    pub(super) fn passes(&self) -> bool {
        self.gate.is_none_or(|gate| passes_all(&gate.tests, &self.values))
    }
}
