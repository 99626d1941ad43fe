//! A declaration before it means anything: words and values, each with its place.
//!
//! Both front ends end here. What reads a mapping file gives byte ranges as places, what reads
//! attributes numbers its spans.

/// A place in the source of a declaration; what the two numbers mean is the front end's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Loc {
    /// Where it starts.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The value.
    pub node: Node,
    /// Its place.
    pub loc: Loc,
}

/// A value of a declaration.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// Text.
    Text(String),
    /// `true` or `false`
    Bool(bool),
    /// A whole number.
    Integer(i128),
    /// Another number.
    Float(f64),
    /// A list.
    List(Vec<Tree>),
    /// A table.
    Table(Table),
}

/// The entries of a table, in the order of the source.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table(pub Vec<Entry>);

/// One entry of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// The place of the key.
    pub key_loc: Loc,
    /// The value.
    pub value: Tree,
}

impl Table {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Tree> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The entry of a key.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.0.iter().find(|entry| entry.key == key)
    }
}

impl Tree {
    /// A value at a place.
    pub fn new(node: Node, loc: Loc) -> Self {
        Self { node, loc }
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match &self.node {
            Node::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The table, if it is one.
    pub fn as_table(&self) -> Option<&Table> {
        match &self.node {
            Node::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The items, if it is a list.
    pub fn as_list(&self) -> Option<&[Tree]> {
        match &self.node {
            Node::List(items) => Some(items),
            _ => None,
        }
    }

    /// What sort of value it is, for messages.
    pub fn sort(&self) -> &'static str {
        match self.node {
            Node::Text(_) => "text",
            Node::Bool(_) => "a boolean",
            Node::Integer(_) | Node::Float(_) => "a number",
            Node::List(_) => "a list",
            Node::Table(_) => "a table",
        }
    }
}
