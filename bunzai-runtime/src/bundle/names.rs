//! Identities that no row has yet.

use std::collections::{HashMap, HashSet};

/// What identities are borne.
#[derive(Debug, Default)]
pub(super) struct Free {
    borne: HashSet<String>,
    /// Where the next look for a suffix starts: many equal ones must not be counted again and again.
    next: HashMap<String, usize>,
}

impl Free {
    pub(super) fn new(borne: impl IntoIterator<Item = String>) -> Self {
        Self { borne: borne.into_iter().collect(), next: HashMap::new() }
    }

    /// The first of `id-2`, `id-3`... that none bears. It is borne from now on.
    pub(super) fn like(&mut self, id: &str) -> String {
        let next = self.next.entry(id.to_owned()).or_insert(2);
        loop {
            let name = format!("{id}-{next}");
            *next += 1;
            if self.borne.insert(name.clone()) {
                return name;
            }
        }
    }
}
