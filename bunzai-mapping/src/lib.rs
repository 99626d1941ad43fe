//! The mapping language.
mod catalogue;
mod check;
mod diagnostic;
mod front;
mod lower;
pub mod tree;
pub mod words;

pub use catalogue::{CODES, Code};
pub use check::{Compiled, check, check_loadable, check_shape, compile, read};
pub use diagnostic::{Diagnostic, Shown, Sink};
pub use front::read_tree;
pub use lower::{Claimed, Declaration, Settled, Wanted};
