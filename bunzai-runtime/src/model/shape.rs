use crate::map::Types;

/// The shape of a canonical struct: what `derive(Canonical)` read off its declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The name of the Rust type.
    pub name: &'static str,
    /// Its doc comment.
    pub doc: &'static str,
    /// Its fields, in order.
    pub fields: &'static [FieldShape],
}

/// One field of a [`Shape`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldShape {
    /// The key in the JSON of the model.
    pub name: &'static str,
    /// What it holds.
    pub ty: Type,
    /// Whether the key may be absent.
    pub optional: bool,
    /// Whether the value may be `null`.
    pub nullable: bool,
    /// What it means: the doc comment without its line of producers.
    pub doc: &'static str,
    /// Who writes it: the line of the doc comment that begins `Producers:`.
    pub producers: &'static str,
}

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// Any text; of an open enum, the words that have a meaning.
    Text(&'static [&'static str]),
    /// One of these words.
    Words(&'static [&'static str]),
    /// `true` or `false`.
    Bool,
    /// A finite number.
    Number,
    /// A whole number between these two.
    Integer {
        /// The least.
        min: i64,
        /// The greatest.
        max: u64,
    },
    /// Any JSON value.
    Any,
    /// A struct.
    Node(&'static Shape),
    /// A list of items of one type.
    List(&'static Type),
    /// An object with free keys and values of one type.
    Dict(&'static Type),
    /// One of these types, told apart by the JSON type of the value.
    Union(&'static [Type]),
}

impl Type {
    /// The JSON types its values have.
    pub const fn json(self) -> Types {
        match self {
            Self::Text(_) | Self::Words(_) => Types::STRING,
            Self::Bool => Types::BOOLEAN,
            Self::Number | Self::Integer { .. } => Types::NUMBER,
            Self::Any => Types::ANY,
            Self::Node(_) | Self::Dict(_) => Types::OBJECT,
            Self::List(_) => Types::LIST,
            Self::Union(types) => {
                let mut all = Types::NONE;
                let mut n = 0;
                while n < types.len() {
                    all = all.or(types[n].json());
                    n += 1;
                }
                all
            }
        }
    }
}

impl Shape {
    /// The index of a field.
    pub const fn find(&self, name: &[u8]) -> Option<usize> {
        let mut n = 0;
        while n < self.fields.len() {
            if bytes_equal(self.fields[n].name.as_bytes(), name) {
                return Some(n);
            }
            n += 1;
        }
        None
    }
}

/// Equality of byte strings where `==` is not available: in constants.
pub(crate) const fn bytes_equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut n = 0;
    while n < a.len() {
        if a[n] != b[n] {
            return false;
        }
        n += 1;
    }
    true
}
