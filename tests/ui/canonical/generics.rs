//! A canonical type has no parameters.

#[derive(Debug, Clone, PartialEq, bunzai::Canonical)]
struct Note<T> {
    title: T,
}

#[derive(Debug, Clone, PartialEq, bunzai::Canonical)]
struct Borrowed<'a> {
    title: &'a str,
}

fn main() {}
