//! A set of words has no fields to check.

#[derive(Debug, Clone, PartialEq, bunzai::Canonical)]
#[canonical(check = nothing)]
enum State {
    Open,
    Done,
}

fn main() {}
