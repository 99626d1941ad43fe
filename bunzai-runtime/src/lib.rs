//! The engine that runs declared formats.
mod blank;
mod bundle;
mod detect;
mod engine;
mod entity;
mod error;
mod format;
mod id;
mod input;
pub mod json;
mod limits;
pub mod map;
pub mod model;
mod native;
mod printable;
mod registry;
mod report;
mod schema;

pub use bundle::{Bundle, ExportedBundle, ExportedPiece, Link, Way};
pub use entity::{AnyEntity, Entity, EntityRef, Note, Original, SourceMedia};
pub use error::{Error, Problem, Result, Warning, WarningKind};
pub use format::{Codec, Declared, Exported, Format, Imported};
pub use id::canonical_id;
pub use input::{Data, Input};
pub use json::Number;
pub use limits::Limits;
pub use model::{Body, Canonical, Extras, Fault, Kind, Nullable, View};
pub use native::{NATIVE, Native};
pub use printable::printable;
pub use registry::{Candidate, Registry};
pub use report::{Loss, PieceReport, Report};
pub use schemars;

/// What generated code calls. Not part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use std::borrow::Cow;

    pub use schemars;
    pub use serde;

    pub use crate::format::{Codec, Declared, Sealed};
    pub use crate::json::{Number, Value};
    pub use crate::map::{self, Claim, Known, Leaves, Listing, Message, Site, Want, wrong_kind};
    pub use crate::model::*;
}
