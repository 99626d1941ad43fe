//! A macro cannot see that a mapping file is new; cargo can.

fn main() {
    println!("cargo::rerun-if-changed=mappings");
}
