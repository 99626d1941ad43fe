//! The values of parts that a file names.

use std::collections::HashMap;

use crate::tree::{Node, Tree};

/// How many bytes all the values that a file names may come to: as much as the file itself may have.
pub(super) const MOST: usize = 1 << 20;

/// Through how many others a value may be made of others.
pub(super) const DEEPEST: usize = 100;

/// The values of the parts of a file.
#[derive(Debug, Default)]
pub(super) struct Values {
    trees: Vec<(String, Tree)>,
    places: HashMap<String, usize>,
    sizes: HashMap<usize, Size>,
    spent: usize,
}

/// How large a value is.
#[derive(Debug, Clone, Copy)]
enum Size {
    /// It is being worked out.
    Open,
    Bytes(usize),
}

impl Values {
    pub(super) fn new(trees: Vec<(String, Tree)>) -> Self {
        let mut places = HashMap::new();
        for (n, (name, _)) in trees.iter().enumerate() {
            // Of two the first counts, as where names are told twice.
            places.entry(name.clone()).or_insert(n);
        }
        Self { trees, places, ..Self::default() }
    }

    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.trees.iter().map(|(name, _)| name.as_str())
    }

    pub(super) fn tree(&self, n: usize) -> &Tree {
        &self.trees[n].1
    }

    /// Takes room for a value, with all that it is made of. This comes before anything is put together:
    /// a few values that name each other twice become more than memory holds.
    pub(super) fn take(&mut self, n: usize) {
        self.spent = self.spent.saturating_add(self.size(n, 0));
    }

    /// Whether more was named than there is room for.
    pub(super) fn is_full(&self) -> bool {
        self.spent > MOST
    }

    fn size(&mut self, n: usize, depth: usize) -> usize {
        match self.sizes.get(&n) {
            Some(Size::Bytes(bytes)) => return *bytes,
            // What is made of itself is told where it is put together.
            Some(Size::Open) => return 0,
            None if depth > DEEPEST => return usize::MAX,
            None => {}
        }
        self.sizes.insert(n, Size::Open);
        let (mut bytes, mut named) = (0, Vec::new());
        measure(&self.trees[n].1, &self.places, &mut bytes, &mut named);
        let bytes = named.iter().fold(bytes, |bytes, other| bytes.saturating_add(self.size(*other, depth + 1)));
        self.sizes.insert(n, Size::Bytes(bytes));
        bytes
    }
}

/// The size of what a value says itself, and which others it names.
fn measure(tree: &Tree, places: &HashMap<String, usize>, bytes: &mut usize, named: &mut Vec<usize>) {
    // What stands between values takes place too.
    *bytes += 1;
    match &tree.node {
        Node::Text(text) => {
            *bytes += text.len();
            named.extend(text.strip_prefix('@').and_then(|name| places.get(name)));
        }
        Node::List(items) => items.iter().for_each(|item| measure(item, places, bytes, named)),
        Node::Table(table) => {
            for entry in &table.0 {
                *bytes += entry.key.len();
                measure(&entry.value, places, bytes, named);
            }
        }
        Node::Bool(_) | Node::Integer(_) | Node::Float(_) => {}
    }
}
