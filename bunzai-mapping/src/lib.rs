//! The mapping language.
mod catalogue;
mod check;
mod diagnostic;
mod front;
mod lower;
mod parts;
pub mod tree;
pub mod words;

pub use catalogue::{CODES, Code};
pub use check::{
    Compiled, check, check_beside, check_loadable, check_shape, check_with, compile, format_of, read, read_with,
};
pub use diagnostic::{Diagnostic, Shown, Sink};
pub use front::read_tree;
pub use lower::{Claimed, Declaration, Settled, Wanted};
pub use parts::{Files, Open, check_part, is_part};
