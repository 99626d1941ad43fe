//! The canonical types: the shared model of every kind, one file a kind.
//!
//! The doc comments here are the single source of what the fields mean: the JSON Schemas and the
//! field tables of the book are made of them.

// The derives name the runtime through the facade; here it goes by the facade's name.
extern crate bunzai_runtime as bunzai;

mod persona;
mod regex;

pub use persona::*;
pub use regex::*;

use bunzai_runtime::Kind;

/// The bodies by the names of their kinds, as `formats!` looks them up.
pub mod kinds {
    pub use crate::PersonaBody as Persona;
    pub use crate::RegexSetBody as Regex;
}

/// Every kind there is.
pub static KINDS: [Kind; 2] = [Kind::of::<PersonaBody>(), Kind::of::<RegexSetBody>()];
