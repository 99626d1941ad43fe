//! A struct of nothing.

#[derive(Debug, Clone, PartialEq, bunzai::Canonical)]
struct Nothing;

fn main() {}
