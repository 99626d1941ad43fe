#![doc = include_str!("../README.md")]
// The macros name this crate by its name, also in here.
extern crate self as bunzai;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
mod explain;
mod load;
mod mapping_schema;
pub mod preset;

use std::sync::LazyLock;

pub use bunzai_macros::{Canonical, Codec, codec, formats};
pub use bunzai_model as model;
pub use bunzai_model::kinds;
pub use bunzai_runtime::*;
pub use explain::{Line, Section, explain};
pub use load::{MappingError, load, load_with};
pub use mapping_schema::mapping_schema;

/// The pages of `docs/`, whose examples are tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../docs/mapping.md")]
    struct Mapping;
    #[doc = include_str!("../docs/embedding.md")]
    struct Embedding;
    #[doc = include_str!("../docs/preset.md")]
    struct Preset;
    #[doc = include_str!("../docs/bundles.md")]
    struct Bundles;
}

/// What is wrong with a mapping file, one by one.
pub mod diagnostic {
    pub use bunzai_mapping::tree::Loc;
    pub use bunzai_mapping::{CODES, Code, Diagnostic, Files, Shown};
}

/// The shapes of canonical types: what a kind's fields are, and what they mean.
pub mod shape {
    pub use bunzai_runtime::model::{FieldShape, Shape, Type, kind_schema};
}

#[doc(hidden)]
pub use bunzai_runtime::__private;

/// The built-in formats, one codec each, made of the files under `mappings/`.
pub mod builtin {
    bunzai::formats!("mappings");
}

pub use builtin::*;

static BUILT_IN: LazyLock<Registry> = LazyLock::new(registry);

/// The native format: the canonical file of every kind.
pub static NATIVE_FORMAT: Native = Native::new(&model::KINDS);

/// The built-in formats and the native one.
///
/// ```
/// use bunzai::Input;
///
/// let input = Input::new(r#"{"id": "p", "name": "Wren", "description": "", "personality": "", "boxColor": ""}"#);
/// let found = bunzai::formats().detect(&input)?;
/// assert_eq!(found[0].format.id(), "marinara-persona");
/// # Ok::<(), bunzai::Error>(())
/// ```
pub fn formats() -> &'static Registry {
    &BUILT_IN
}

/// The same as a registry of one's own, to which formats can be added.
pub fn registry() -> Registry {
    let mut registry = Registry::new();
    drop(registry.add(Box::new(&NATIVE_FORMAT)));
    for format in builtin::FORMATS {
        drop(registry.add(Box::new(format())));
    }
    registry
}

/// Every generated schema, by the name of its file: one of each kind, two of each format (what it
/// reads, and what a fresh file of it looks like), and that of mapping files.
///
/// # Errors
/// Those of a map that does not fit its type.
pub fn schemas(formats: &Registry) -> Result<Vec<(String, String)>> {
    let print = |schema: &schemars::Schema| format!("{:#}\n", schema.as_value());
    let mut files = vec![("mapping.json".to_owned(), print(&mapping_schema()))];
    for kind in &model::KINDS {
        files.push((format!("{}.json", kind.name), print(&shape::kind_schema(kind))));
    }
    for format in formats.formats().into_iter().filter_map(Format::declared) {
        files.push((format!("{}.read.json", format.id()), print(&format.read_schema()?)));
        files.push((format!("{}.write.json", format.id()), print(&format.write_schema()?)));
    }
    Ok(files)
}
