//! A union cannot be canonical.

#[derive(bunzai::Canonical)]
union Bits {
    a: u32,
    b: f32,
}

fn main() {}
