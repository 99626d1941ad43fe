//! The macros of Bunzai. Use them through the `bunzai` crate.
//!
//! They are thin: parse, hand over to the mapping language, and print what it made as constants.
//! Whatever a generated type does is done by the engine in the runtime.

mod attribute;
mod canonical;
mod codec;
mod derive;
mod emit;
mod formats;

use proc_macro::TokenStream;

/// Makes a struct or an enum part of a canonical model.
///
/// A struct gets a shape, access to its fields by index, serde and `JsonSchema`; with
/// `#[canonical(kind = "note", name = title)]` it becomes the body of a kind. An enum of unit
/// variants is a closed set of words (an `#[canonical(other)]` variant of one `String` opens it),
/// an enum of variants with one value each is a union told apart by JSON type.
///
/// Keys are the field names in camel case; `#[canonical(rename = "...")]` on a field or variant
/// says otherwise. The doc comments become the descriptions in the schema; a line that begins
/// `Producers:` names who writes the field.
#[proc_macro_derive(Canonical, attributes(canonical))]
pub fn derive_canonical(input: TokenStream) -> TokenStream {
    canonical::derive(input.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Makes a struct that describes a wire format a codec.
///
/// The container attribute has the words of the top of a mapping file, each field those of a row.
#[proc_macro_derive(Codec, attributes(codec))]
pub fn derive_codec(input: TokenStream) -> TokenStream {
    derive::derive(input.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Makes a codec of a mapping file: `codec! { pub AcmeNote for Note = "mappings/acme-note.toml" }`.
///
/// The path is relative to the crate that calls the macro.
#[proc_macro]
pub fn codec(input: TokenStream) -> TokenStream {
    formats::codec(input.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Makes a codec of every mapping file of some folders: `formats!("mappings");`
///
/// Each is a unit struct named after its format (`marinara-persona` is `MarinaraPersona`);
/// `FORMATS` lists them all. The crate's build script must print
/// `cargo::rerun-if-changed=mappings`, because a macro cannot see that a file is new.
#[proc_macro]
pub fn formats(input: TokenStream) -> TokenStream {
    formats::formats(input.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}
