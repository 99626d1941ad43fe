//! A canonical struct has names.

#[derive(Debug, Clone, PartialEq, bunzai::Canonical)]
struct Note(String);

fn main() {}
