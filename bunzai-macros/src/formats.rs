//! `codec!` and `formats!`: mapping files, found, read, printed.

use std::path::{Path, PathBuf};

use bunzai_mapping::tree::Loc;
use bunzai_mapping::{Compiled, Declaration};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Token, Type, Visibility};

use crate::codec::{Places, Printed};

/// `pub AcmeNote for Note = "mappings/acme-note.toml"`
struct OneCodec {
    visibility: Visibility,
    name: Ident,
    body: Type,
    file: LitStr,
}

impl Parse for OneCodec {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let visibility = input.parse()?;
        let name = input.parse()?;
        input.parse::<Token![for]>()?;
        let body = input.parse()?;
        input.parse::<Token![=]>()?;
        let file = input.parse()?;
        input.parse::<Option<Token![;]>>()?;
        Ok(Self { visibility, name, body, file })
    }
}

pub(crate) fn codec(input: TokenStream) -> syn::Result<TokenStream> {
    let OneCodec { visibility, name, body, file } = syn::parse2(input)?;
    let mapping = Mapping::read(&file.value(), file.span())?;
    Ok(mapping.print(&visibility, &name, &quote!(#body)))
}

/// Folders and files, separated by commas.
struct Sources(Vec<LitStr>);

impl Parse for Sources {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let list = input.parse_terminated(<LitStr as Parse>::parse, Token![,])?;
        Ok(Self(list.into_iter().collect()))
    }
}

pub(crate) fn formats(input: TokenStream) -> syn::Result<TokenStream> {
    let Sources(places) = syn::parse2(input)?;
    let mut codecs = Vec::new();
    let mut names = Vec::new();
    for place in places {
        for file in mapping_files(&place)? {
            if file != place.value() && bunzai_mapping::is_part(&text_of(&file, place.span())?) {
                continue;
            }
            let mapping = Mapping::read(&file, place.span())?;
            let declaration = &mapping.compiled.declaration;
            let (name, kind) = (camel(&declaration.map.format), camel(&declaration.kind));
            if name.is_empty() {
                codecs.push(mapping.errors());
                continue;
            }
            let name = format_ident!("{name}", span = place.span());
            let kind = format_ident!("{}", if kind.is_empty() { "Unknown" } else { &kind }, span = place.span());
            codecs.push(mapping.print(
                &Visibility::Public(Token![pub](place.span())),
                &name,
                &quote!(::bunzai::kinds::#kind),
            ));
            names.push(name);
        }
    }
    let count = names.len();
    Ok(quote! {
        #(#codecs)*

        /// Every format of the mapping files, in the order of their paths.
        pub static FORMATS: [fn() -> &'static ::bunzai::Declared; #count] =
            [#(<#names as ::bunzai::Codec>::format),*];
    })
}

/// The mapping files of a folder and the folders in it, or the file itself, in the order of their
/// paths.
fn mapping_files(place: &LitStr) -> syn::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut waiting = vec![PathBuf::from(place.value())];
    while let Some(path) = waiting.pop() {
        let whole = root()?.join(&path);
        if whole.is_dir() {
            let entries = std::fs::read_dir(&whole).map_err(|error| unreadable(&path, &error, place.span()))?;
            for entry in entries {
                let entry = entry.map_err(|error| unreadable(&path, &error, place.span()))?;
                waiting.push(path.join(entry.file_name()));
            }
        } else if path.extension().is_some_and(|e| e == "toml") || path == Path::new(&place.value()) {
            found.push(path.to_string_lossy().replace('\\', "/"));
        }
    }
    found.sort();
    Ok(found)
}

fn root() -> syn::Result<PathBuf> {
    match std::env::var_os("CARGO_MANIFEST_DIR") {
        Some(root) => Ok(root.into()),
        None => Err(syn::Error::new(Span::call_site(), "CARGO_MANIFEST_DIR is not set; build with cargo")),
    }
}

/// The text of a file, its path counted from the crate on.
fn text_of(path: &str, span: Span) -> syn::Result<String> {
    std::fs::read_to_string(root()?.join(path)).map_err(|error| unreadable(Path::new(path), &error, span))
}

fn unreadable(path: &Path, error: &std::io::Error, span: Span) -> syn::Error {
    syn::Error::new(span, format!("{}: {error}", path.display()))
}

/// A word with a capital.
pub(crate) fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// `marinara-persona` is `MarinaraPersona`.
fn camel(id: &str) -> String {
    let words = id.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name: String = words.map(capital).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("Format{name}") } else { name }
}

/// A mapping file, read.
struct Mapping {
    path: String,
    compiled: Compiled,
    span: Span,
}

impl Mapping {
    fn read(path: &str, span: Span) -> syn::Result<Self> {
        let root = root()?;
        let open = |part: &str| std::fs::read_to_string(root.join(part)).map_err(|error| error.to_string());
        let compiled = bunzai_mapping::read_with(path, &text_of(path, span)?, &open);
        Ok(Self { path: path.to_owned(), compiled, span })
    }

    /// What is wrong by itself, and what makes the compiler look again when the file or a part changes.
    fn errors(&self) -> TokenStream {
        let errors = self.compiled.wrong.iter().map(|wrong| {
            let files = &self.compiled.files;
            let text = format!("{}: {}", files.place(wrong.loc), files.render(wrong));
            syn::Error::new(self.span, text).into_compile_error()
        });
        let paths = [self.path.as_str()].into_iter().chain(self.compiled.files.parts()).map(|path| format!("/{path}"));
        quote! {
            #(#errors)*
            #(const _: &[::core::primitive::u8] =
                ::core::include_bytes!(::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), #paths));)*
        }
    }

    fn print(&self, visibility: &Visibility, name: &Ident, body: &TokenStream) -> TokenStream {
        let Declaration { map, .. } = &self.compiled.declaration;
        let doc = format!("{}. {}\n\nDeclared in `{}`.", map.label, map.about, self.path);
        let errors = self.errors();
        let codec = Printed {
            declaration: &self.compiled.declaration,
            places: self,
            name,
            body,
            krate: &quote!(::bunzai),
            names_kind: true,
            asserted: self.compiled.wrong.is_empty(),
        };
        let codec = codec.print();
        quote! {
            #errors

            #[doc = #doc]
            #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
            #visibility struct #name;

            #codec
        }
    }
}

impl Places for Mapping {
    fn place(&self, loc: Loc) -> String {
        self.compiled.files.place(loc)
    }

    fn excerpt(&self, loc: Loc) -> String {
        self.compiled.files.excerpt(loc)
    }

    fn span(&self, _: Loc) -> Span {
        self.span
    }
}
