//! Declared codecs.
extern crate self as bunzai;

pub use bunzai_macros::{Canonical, Codec, codec, formats};
pub use bunzai_model as model;
pub use bunzai_model::kinds;
pub use bunzai_runtime::*;
#[doc(hidden)]
pub use bunzai_runtime::__private;

formats!("mappings");
