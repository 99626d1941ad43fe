//! The canonical types: the shared model of every kind, one file or folder a kind.
//!
//! The doc comments here are the single source of what the fields mean: the JSON Schemas and the
//! field tables of the book are made of them.

// The derives name the runtime through the facade; here it goes by the facade's name.
extern crate bunzai_runtime as bunzai;

mod lorebook;
mod persona;
mod preset;
mod prompt_format;
mod quick_reply;
mod regex;

pub use lorebook::*;
pub use persona::*;
pub use preset::*;
pub use prompt_format::*;
pub use quick_reply::*;
pub use regex::*;

use bunzai_runtime::Kind;

/// The bodies by the names of their kinds, as `formats!` looks them up.
pub mod kinds {
    pub use crate::LorebookBody as Lorebook;
    pub use crate::PersonaBody as Persona;
    pub use crate::PresetBody as Preset;
    pub use crate::PromptFormatBody as Promptformat;
    pub use crate::QuickReplyBody as Quickreply;
    pub use crate::RegexSetBody as Regex;
}

/// Every kind there is.
pub static KINDS: [Kind; 6] = [
    Kind::of::<LorebookBody>(),
    Kind::of::<PersonaBody>(),
    Kind::of::<PresetBody>(),
    Kind::of::<PromptFormatBody>(),
    Kind::of::<QuickReplyBody>(),
    Kind::of::<RegexSetBody>(),
];
