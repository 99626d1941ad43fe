//! The rows of the model and those that open its groups, in one sequence.

use std::collections::HashMap;

use super::super::plan::{Dialect, RowsPlan, WovenPlan};
use super::super::scope::node_at;
use super::{How, Of};
use crate::model::{Field, List, Node, View};

/// A row of the model, or a group of it.
#[derive(Clone, Copy)]
pub(super) struct Strand<'m> {
    pub(super) of: Of,
    pub(super) field: &'m dyn Field,
    pub(super) node: &'m dyn Node,
}

/// The rows of the model, and then its groups.
pub(super) struct Weave<'p, 'm> {
    pub(super) strands: Vec<Strand<'m>>,
    /// How many of them are rows.
    rows: usize,
    /// The dialect of the groups.
    pub(super) dialect: Option<usize>,
    /// For each row its group, and for each group the one around it.
    inside: Vec<Option<usize>>,
    plan: &'p RowsPlan,
    woven: &'p WovenPlan,
}

impl<'p, 'm> Weave<'p, 'm> {
    pub(super) fn new(
        plan: &'p RowsPlan,
        woven: &'p WovenPlan,
        list: &'m dyn List,
        scope: &'m dyn Node,
        dialect: Option<usize>,
    ) -> Self {
        let strands = |list: &'m dyn List, of: Of| {
            (0..list.len()).filter_map(move |n| Some(Strand { of, field: list.item(n)?, node: node_at(list, n)? }))
        };
        let mut weave =
            Self { strands: strands(list, Of::Row(0)).collect(), rows: 0, dialect, inside: Vec::new(), plan, woven };
        weave.rows = weave.strands.len();
        let Some(heads) = dialect.and_then(|dialect| woven.dialects.get(dialect)) else {
            weave.inside = vec![None; weave.rows];
            return weave;
        };
        if let View::List(groups) = heads.to.view(scope) {
            weave.strands.extend(strands(groups, Of::Head(0)));
        }
        weave.find_groups(heads);
        weave
    }

    /// Finds what lies in which group, and so the level of each.
    fn find_groups(&mut self, heads: &Dialect) {
        let mut named: HashMap<String, usize> = HashMap::new();
        for n in self.rows..self.strands.len() {
            if let Some(id) = self.how(n).own(true).identity(self.strands[n].node) {
                named.entry(id).or_insert(n);
            }
        }
        let group = |target: &super::super::target::Target, node: &dyn Node| match target.view(node) {
            View::Text(id) => named.get(id).copied(),
            _ => None,
        };
        self.inside = self
            .strands
            .iter()
            .enumerate()
            .map(|(n, strand)| match &heads.up {
                _ if n < self.rows => group(&heads.fill, strand.node),
                Some(up) => group(up, strand.node).filter(|outer| *outer != n),
                None => None,
            })
            .collect();
        for n in self.rows..self.strands.len() {
            // The lowest level holds all that lies deeper.
            let level = self.around(n).take(heads.levels.len().saturating_sub(1)).count();
            self.strands[n].of = Of::Head(level);
        }
    }

    /// The groups around one, from the inside.
    fn around(&self, n: usize) -> impl Iterator<Item = usize> + '_ {
        // Groups may lie in each other.
        std::iter::successors(self.inside[n], |n| self.inside[*n]).take(self.strands.len() - self.rows)
    }

    pub(super) fn how(&self, n: usize) -> How<'p> {
        self.plan.how(self.woven, self.dialect, self.strands[n].of)
    }

    /// What tells one from the others.
    pub(super) fn identity(&self, n: usize) -> Option<(bool, String)> {
        let id = self.how(n).own(true).identity(self.strands[n].node)?;
        Some((n >= self.rows, id))
    }

    /// The sequence in which they are written: each group before the first row in it.
    ///
    /// Where a group stands in which nothing is, `read` tells, which has what a file has of them in
    /// its order: behind what it stands there. A new one comes last.
    pub(super) fn sequence(&self, read: &[usize]) -> Vec<usize> {
        let mut is_placed = vec![false; self.strands.len()];
        let mut sequence = Vec::with_capacity(self.strands.len());
        (0..self.rows).for_each(|n| self.place(n, &mut is_placed, &mut sequence));
        // Groups in which nothing is, by what they stand behind.
        let mut followers: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
        let mut before = None;
        for n in read {
            if !std::mem::replace(&mut is_placed[*n], true) {
                followers.entry(before).or_default().push(*n);
            }
            before = Some(*n);
        }
        let mut whole = Vec::with_capacity(self.strands.len());
        for n in std::iter::once(None).chain(sequence.into_iter().map(Some)) {
            let mut waiting = vec![n];
            while let Some(n) = waiting.pop() {
                whole.extend(n);
                waiting.extend(followers.remove(&n).unwrap_or_default().into_iter().rev().map(Some));
            }
        }
        (self.rows..self.strands.len()).for_each(|n| self.place(n, &mut is_placed, &mut whole));
        whole
    }

    /// Places one behind the groups around it that have no place yet.
    fn place(&self, n: usize, is_placed: &mut [bool], sequence: &mut Vec<usize>) {
        let open: Vec<usize> = self.around(n).take_while(|group| !is_placed[*group]).collect();
        for n in open.into_iter().rev().chain([n]) {
            if !std::mem::replace(&mut is_placed[n], true) {
                sequence.push(n);
            }
        }
    }
}
