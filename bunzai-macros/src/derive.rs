//! `derive(Codec)`: a wire struct whose attributes are the words of a mapping file.

use bunzai_mapping::tree::{Entry, Loc, Node, Table, Tree};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, Data, DeriveInput, Expr, Field, Fields, GenericArgument, Ident, Lit, Meta, PathArguments, Type};

use crate::attribute::{Spans, arguments, coded};
use crate::codec::{Places, Printed};
use crate::formats::capital;

pub(crate) fn derive(input: TokenStream) -> syn::Result<TokenStream> {
    let input: DeriveInput = syn::parse2(input)?;
    let Data::Struct(data) = &input.data else {
        return Err(syn::Error::new_spanned(&input.ident, "a codec is a struct that describes the wire"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(syn::Error::new_spanned(&input.ident, "a codec needs named fields"));
    };
    let mut spans = Spans::default();
    let mut file = arguments(&input.attrs, &mut spans)?;
    let own = Own::take(&mut file, &input.ident, &spans)?;
    if file.get("about").is_none() {
        let about = doc(&input.attrs);
        let loc = spans.one(input.ident.span());
        file.0.push(text_entry("about", about, loc));
    }
    let mut rows = Vec::new();
    for field in &fields.named {
        rows.push(row(field, own.case, &mut spans)?);
    }
    let loc = spans.one(input.ident.span());
    file.0.push(Entry { key: "fields".into(), key_loc: loc, value: Tree::new(Node::Table(Table(rows)), loc) });

    let compiled = bunzai_mapping::compile(&Tree::new(Node::Table(file), loc));
    let errors = compiled.wrong.iter().map(|wrong| {
        let text = format!("[{}] {}", wrong.code.id, wrong.message);
        syn::Error::new(spans.span(wrong.loc), text).into_compile_error()
    });
    let errors: TokenStream = errors.collect();
    let body = &own.body;
    let codec = Printed {
        declaration: &compiled.declaration,
        places: &spans,
        name: &input.ident,
        body,
        krate: &own.krate,
        names_kind: false,
        asserted: compiled.wrong.is_empty(),
    };
    let (codec, unused) = (codec.print(), read_once(&input.ident, fields.named.iter()));
    Ok(quote! { #errors #codec #unused })
}

/// The struct describes the wire and is never made; this keeps its fields from being called dead.
fn read_once<'a>(name: &Ident, fields: impl Iterator<Item = &'a Field>) -> TokenStream {
    let names = fields.filter_map(|field| field.ident.as_ref());
    quote! {
        const _: fn(&#name) = |wire| {
            #(let _ = &wire.#names;)*
        };
    }
}

/// The words that only the derive has.
struct Own {
    body: TokenStream,
    krate: TokenStream,
    case: Case,
}

#[derive(Clone, Copy)]
enum Case {
    Snake,
    Camel,
    Pascal,
    Kebab,
    ScreamingSnake,
}

impl Own {
    /// Takes `kind` (a type here), `rename_all` and `crate` out of the arguments.
    fn take(file: &mut Table, name: &Ident, spans: &Spans) -> syn::Result<Self> {
        let path = |text: &str, span: Span| {
            let path = syn::parse_str::<syn::Path>(&text.replace('.', "::"));
            path.map(ToTokens::into_token_stream).map_err(|_| coded("B040", span, format!("`{text}` is no path")))
        };
        let krate = match take_text(file, "crate", spans)? {
            Some((krate, span)) => path(&krate, span)?,
            None => quote!(::bunzai),
        };
        let case = match take_text(file, "rename_all", spans)? {
            None => Case::Snake,
            Some((case, span)) => Case::named(&case).ok_or_else(|| {
                let known = "`snake_case`, `camelCase`, `PascalCase`, `kebab-case`, `SCREAMING_SNAKE_CASE`";
                coded("B005", span, format!("`rename_all` takes {known}, and not `{case}`"))
            })?,
        };
        let kind = file.get("kind").and_then(|kind| Some((kind.as_text()?, spans.span(kind.loc))));
        let Some((kind, span)) = kind else {
            return Err(coded("B006", name.span(), "`kind` is missing: `#[codec(kind = PersonaBody)]`"));
        };
        Ok(Self { body: path(kind, span)?, krate, case })
    }
}

impl Case {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "snake_case" => Self::Snake,
            "camelCase" => Self::Camel,
            "PascalCase" => Self::Pascal,
            "kebab-case" => Self::Kebab,
            "SCREAMING_SNAKE_CASE" => Self::ScreamingSnake,
            _ => return None,
        })
    }

    fn of(self, name: &str) -> String {
        let words = name.split('_').filter(|word| !word.is_empty());
        match self {
            Self::Snake => name.to_owned(),
            Self::Kebab => name.replace('_', "-"),
            Self::ScreamingSnake => name.to_uppercase(),
            Self::Pascal => words.map(capital).collect(),
            Self::Camel => words.enumerate().map(|(n, w)| if n == 0 { w.to_owned() } else { capital(w) }).collect(),
        }
    }
}

/// Takes a word that only the derive has, with its text.
fn take_text(table: &mut Table, word: &str, spans: &Spans) -> syn::Result<Option<(String, Span)>> {
    let Some(at) = table.0.iter().position(|entry| entry.key == word) else { return Ok(None) };
    let value = table.0.remove(at).value;
    let span = spans.span(value.loc);
    match value.as_text() {
        Some(text) => Ok(Some((text.to_owned(), span))),
        None => Err(coded("B003", span, format!("`{word}` takes text, and this is {}", value.sort()))),
    }
}

/// A field as a row: its key, its words, and what its type and doc comment say.
fn row(field: &Field, case: Case, spans: &mut Spans) -> syn::Result<Entry> {
    let Some(ident) = &field.ident else { return Err(syn::Error::new_spanned(field, "a codec needs named fields")) };
    let mut words = arguments(&field.attrs, spans)?;
    let key_loc = spans.one(ident.span());
    let mut key = case.of(&syn::ext::IdentExt::unraw(ident).to_string());
    if let Some((name, _)) = take_text(&mut words, "rename", spans)? {
        key = name;
    }
    // `sealed` says in an attribute what in a mapping file the missing `to` says.
    if let Some(at) = words.0.iter().position(|entry| entry.key == "sealed") {
        let sealed = words.0.remove(at);
        if words.get("to").is_some() {
            return Err(coded("B008", spans.span(sealed.key_loc), "`sealed` cannot stand beside `to`"));
        }
    }
    // The name of a file has no JSON type.
    let is = types(&field.ty).filter(|_| words.get("is").is_none() && !key.starts_with('@'));
    words.0.extend(is.map(|is| text_entry("is", is.to_owned(), key_loc)));
    let about = doc(&field.attrs);
    if !about.is_empty() && words.get("about").is_none() {
        words.0.push(text_entry("about", about, key_loc));
    }
    Ok(Entry { key, key_loc, value: Tree::new(Node::Table(words), key_loc) })
}

fn text_entry(key: &str, text: String, loc: Loc) -> Entry {
    Entry { key: key.into(), key_loc: loc, value: Tree::new(Node::Text(text), loc) }
}

/// The JSON types of a Rust type, as a mapping file writes them; nothing for one that says
/// nothing.
fn types(ty: &Type) -> Option<&'static str> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    Some(match last.ident.to_string().as_str() {
        "String" | "str" | "char" => "string",
        "bool" => "boolean",
        "f32" | "f64" | "Number" => "number",
        "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64" | "isize" | "usize" => "integer",
        "Vec" => "list",
        "HashMap" | "BTreeMap" | "IndexMap" | "Map" => "object",
        "Option" | "Box" => match &last.arguments {
            PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
                GenericArgument::Type(inner) => return types(inner),
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    })
}

/// The doc comment of an item, its lines joined.
pub(crate) fn doc(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(lit) => match &lit.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    let text = lines.map(|line| line.trim().to_owned()).collect::<Vec<_>>().join("\n");
    text.trim().to_owned()
}

impl Places for Spans {
    fn place(&self, _: Loc) -> String {
        // The compiler shows the attribute itself.
        "attribute".to_owned()
    }

    fn excerpt(&self, _: Loc) -> String {
        String::new()
    }

    fn span(&self, loc: Loc) -> Span {
        Spans::span(self, loc)
    }
}
