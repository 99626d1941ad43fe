//! `derive(Canonical)`: the shape of a type, and access to its fields by index.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{Attribute, Data, DataEnum, DeriveInput, Fields, FieldsNamed, Ident, LitStr, Variant};

use crate::derive::doc;

pub(crate) fn derive(input: TokenStream) -> syn::Result<TokenStream> {
    let input: DeriveInput = syn::parse2(input)?;
    let words = Words::read(&input.attrs)?;
    if !input.generics.params.is_empty() {
        return Err(syn::Error::new_spanned(&input.generics, "a canonical type has no parameters"));
    }
    let name = &input.ident;
    let implementation = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => structure(name, fields, &doc(&input.attrs), &words)?,
            _ => return Err(syn::Error::new_spanned(name, "a canonical struct needs named fields")),
        },
        Data::Enum(data) => match &words.check {
            Some(check) => return Err(syn::Error::new_spanned(check, "`check` is for structs")),
            None => enumeration(name, data)?,
        },
        Data::Union(_) => return Err(syn::Error::new_spanned(name, "a union cannot be canonical")),
    };
    let blank = words.default.then(|| {
        quote! {
            #[automatically_derived]
            impl ::core::default::Default for #name {
                fn default() -> Self {
                    <Self as __b::Typed>::blank()
                }
            }
        }
    });
    let krate = words.krate.unwrap_or_else(|| quote!(::bunzai));
    let schema_name = name.to_string();
    Ok(quote! {
        const _: () = {
            use #krate::__private as __b;

            #implementation
            #blank

            #[automatically_derived]
            impl __b::serde::Serialize for #name {
                fn serialize<S: __b::serde::Serializer>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error> {
                    __b::serialize(__b::Field::view(self), serializer)
                }
            }

            #[automatically_derived]
            impl<'de> __b::serde::Deserialize<'de> for #name {
                fn deserialize<D: __b::serde::Deserializer<'de>>(deserializer: D) -> ::core::result::Result<Self, D::Error> {
                    __b::deserialize(deserializer)
                }
            }

            #[automatically_derived]
            impl __b::schemars::JsonSchema for #name {
                fn schema_name() -> __b::Cow<'static, str> {
                    __b::Cow::Borrowed(#schema_name)
                }

                fn json_schema(generator: &mut __b::schemars::SchemaGenerator) -> __b::schemars::Schema {
                    __b::schema_of(<Self as __b::Typed>::TYPE, generator)
                }
            }
        };
    })
}

/// The words of `#[canonical(...)]`.
#[derive(Default)]
struct Words {
    kind: Option<LitStr>,
    name: Option<Vec<Ident>>,
    rename: Option<LitStr>,
    other: bool,
    check: Option<syn::Path>,
    /// Whether the blank of the type is its `Default`.
    default: bool,
    krate: Option<TokenStream>,
}

impl Words {
    fn read(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut words = Self::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("canonical")) {
            attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("kind") {
                    words.kind = Some(meta.value()?.parse()?);
                } else if meta.path.is_ident("name") {
                    let path = meta.value()?.call(|input| {
                        syn::punctuated::Punctuated::<Ident, syn::Token![.]>::parse_separated_nonempty(input)
                    })?;
                    words.name = Some(path.into_iter().collect());
                } else if meta.path.is_ident("rename") {
                    words.rename = Some(meta.value()?.parse()?);
                } else if meta.path.is_ident("other") {
                    words.other = true;
                } else if meta.path.is_ident("check") {
                    words.check = Some(meta.value()?.parse()?);
                } else if meta.path.is_ident("default") {
                    words.default = true;
                } else if meta.path.is_ident("crate") {
                    words.krate = Some(meta.value()?.parse::<syn::Path>()?.into_token_stream());
                } else {
                    return Err(meta.error("expected `kind`, `name`, `rename`, `other`, `check`, `default` or `crate`"));
                }
                Ok(())
            })?;
        }
        Ok(words)
    }
}

fn structure(name: &Ident, fields: &FieldsNamed, about: &str, words: &Words) -> syn::Result<TokenStream> {
    let mut shapes = Vec::new();
    let (mut idents, mut types, mut indexes) = (Vec::new(), Vec::new(), Vec::new());
    for (n, field) in fields.named.iter().enumerate() {
        let Some(ident) = &field.ident else { continue };
        let own = Words::read(&field.attrs)?;
        let key = own.rename.map_or_else(|| camel(&ident.unraw().to_string()), |rename| rename.value());
        let (meaning, producers) = producers(&doc(&field.attrs));
        let ty = &field.ty;
        shapes.push(quote! {
            __b::FieldShape {
                name: #key,
                ty: <#ty as __b::Typed>::TYPE,
                optional: <#ty as __b::Typed>::OPTIONAL,
                nullable: <#ty as __b::Typed>::NULLABLE,
                doc: #meaning,
                producers: #producers,
            }
        });
        idents.push(ident);
        types.push(ty);
        indexes.push(n);
    }
    let (shape_name, kind) = (name.to_string(), words.kind.as_ref());
    let canonical = match (kind, &words.name) {
        (None, None) => TokenStream::new(),
        (Some(kind), Some(path)) => quote! {
            #[automatically_derived]
            impl __b::Canonical for #name {
                const KIND: &'static str = #kind;
                const SHAPE: &'static __b::Shape = &SHAPE;

                fn name(&self) -> &str {
                    &self.#(#path).*
                }
            }
        },
        (Some(kind), None) => {
            return Err(syn::Error::new(kind.span(), "a kind needs `name = FIELD`, the text its id is made from"));
        }
        (None, Some(path)) => {
            return Err(syn::Error::new_spanned(path.first(), "`name` needs `kind`"));
        }
    };
    let faults = words.check.as_ref().map(|check| {
        quote! {
            fn faults(&self) -> ::std::vec::Vec<__b::Fault> {
                ::core::iter::IntoIterator::into_iter(#check(self)).collect()
            }
        }
    });
    Ok(quote! {
        static SHAPE: __b::Shape = __b::Shape { name: #shape_name, doc: #about, fields: &[#(#shapes),*] };

        #[automatically_derived]
        impl __b::Field for #name {
            fn view(&self) -> __b::View<'_> {
                __b::View::Node(self)
            }

            fn set(&mut self, value: __b::Value<'_>) -> bool {
                let mut whole = <Self as __b::Typed>::blank();
                let set = __b::set_node(&mut whole, value);
                if set {
                    *self = whole;
                }
                set
            }

            fn clear(&mut self) {
                *self = <Self as __b::Typed>::blank();
            }

            fn open(&mut self) -> __b::Open<'_> {
                __b::Open::Node(self)
            }
        }

        #[automatically_derived]
        impl __b::Typed for #name {
            const TYPE: __b::Type = __b::Type::Node(&SHAPE);

            fn blank() -> Self {
                Self { #(#idents: <#types as __b::Typed>::blank()),* }
            }
        }

        #[automatically_derived]
        impl __b::Node for #name {
            fn shape(&self) -> &'static __b::Shape {
                &SHAPE
            }

            fn field(&self, index: usize) -> ::core::option::Option<&dyn __b::Field> {
                match index {
                    #(#indexes => ::core::option::Option::Some(&self.#idents),)*
                    _ => ::core::option::Option::None,
                }
            }

            fn field_mut(&mut self, index: usize) -> ::core::option::Option<&mut dyn __b::Field> {
                match index {
                    #(#indexes => ::core::option::Option::Some(&mut self.#idents),)*
                    _ => ::core::option::Option::None,
                }
            }

            #faults
        }

        #canonical
    })
}

fn enumeration(name: &Ident, data: &DataEnum) -> syn::Result<TokenStream> {
    let mut words = Vec::new();
    let mut other = None;
    let mut union = Vec::new();
    for variant in &data.variants {
        let own = Words::read(&variant.attrs)?;
        match (&variant.fields, own.other) {
            (Fields::Unit, false) => {
                let word = own.rename.map_or_else(|| snake(&variant.ident.to_string()), |rename| rename.value());
                words.push((&variant.ident, word));
            }
            (Fields::Unnamed(fields), true) if fields.unnamed.len() == 1 => other = Some(&variant.ident),
            (Fields::Unnamed(fields), false) if fields.unnamed.len() == 1 => union.push(variant),
            _ => {
                let message = "a variant is a word, holds one value, or is `#[canonical(other)]` with a `String`";
                return Err(syn::Error::new_spanned(variant, message));
            }
        }
    }
    if union.is_empty() { closed(name, &words, other) } else { told_apart(name, &union, words.first().map(|w| w.0)) }
}

/// A set of words, closed or open.
fn closed(name: &Ident, words: &[(&Ident, String)], other: Option<&Ident>) -> syn::Result<TokenStream> {
    let Some((first, _)) = words.first() else {
        return Err(syn::Error::new_spanned(name, "a set of words needs a word"));
    };
    let (idents, texts): (Vec<_>, Vec<_>) = words.iter().map(|(ident, word)| (*ident, word)).unzip();
    let (ty, view_other, set_other) = match other {
        None => (quote!(Words), TokenStream::new(), quote!(return false)),
        Some(other) => (quote!(Text), quote!(Self::#other(word) => word,), quote!(Self::#other(word.into_owned()))),
    };
    Ok(quote! {
        #[automatically_derived]
        impl #name {
            /// The word in the JSON of the model.
            pub fn as_str(&self) -> &str {
                match self {
                    #(Self::#idents => #texts,)*
                    #view_other
                }
            }
        }

        #[automatically_derived]
        impl __b::Field for #name {
            fn view(&self) -> __b::View<'_> {
                __b::View::Text(self.as_str())
            }

            fn set(&mut self, value: __b::Value<'_>) -> bool {
                let __b::Value::Text(word) = value else { return false };
                *self = match &*word {
                    #(#texts => Self::#idents,)*
                    _ => #set_other,
                };
                true
            }

            fn clear(&mut self) {
                *self = Self::#first;
            }

            fn open(&mut self) -> __b::Open<'_> {
                __b::Open::Leaf
            }
        }

        #[automatically_derived]
        impl __b::Typed for #name {
            const TYPE: __b::Type = __b::Type::#ty(&[#(#texts),*]);

            fn blank() -> Self {
                Self::#first
            }
        }
    })
}

/// A union of types told apart by the JSON type of the value.
fn told_apart(name: &Ident, variants: &[&Variant], word: Option<&Ident>) -> syn::Result<TokenStream> {
    if let Some(word) = word {
        return Err(syn::Error::new_spanned(word, "words and values cannot stand in one enum"));
    }
    let idents: Vec<_> = variants.iter().map(|variant| &variant.ident).collect();
    let types: Vec<_> =
        variants.iter().filter_map(|variant| variant.fields.iter().next()).map(|field| &field.ty).collect();
    let (first, first_type) = (idents.first(), types.first());
    let values: Vec<_> = (0..idents.len()).map(|n| format_ident!("value{n}")).collect();
    Ok(quote! {
        #[automatically_derived]
        impl __b::Field for #name {
            fn view(&self) -> __b::View<'_> {
                match self {
                    #(Self::#idents(value) => __b::Field::view(value),)*
                }
            }

            fn set(&mut self, value: __b::Value<'_>) -> bool {
                #(
                    let mut #values = <#types as __b::Typed>::blank();
                    if __b::Field::set(&mut #values, value.clone()) {
                        *self = Self::#idents(#values);
                        return true;
                    }
                )*
                false
            }

            fn clear(&mut self) {
                *self = <Self as __b::Typed>::blank();
            }

            fn open(&mut self) -> __b::Open<'_> {
                match self {
                    #(Self::#idents(value) => __b::Field::open(value),)*
                }
            }
        }

        #[automatically_derived]
        impl __b::Typed for #name {
            const TYPE: __b::Type = __b::Type::Union(&[#(<#types as __b::Typed>::TYPE),*]);

            fn blank() -> Self {
                Self::#first(<#first_type as __b::Typed>::blank())
            }
        }
    })
}

/// Splits the producers off a doc comment: what stands behind `Producers:`, to the end of the paragraph.
fn producers(doc: &str) -> (String, String) {
    let (mut meaning, mut named): (Vec<&str>, Vec<String>) = (Vec::new(), Vec::new());
    let mut is_named = false;
    for line in doc.lines() {
        match line.strip_prefix("Producers:") {
            Some(first) => {
                is_named = true;
                named.push(first.trim().to_owned());
            }
            None if line.trim().is_empty() => {
                is_named = false;
                meaning.push(line);
            }
            None => match named.last_mut().filter(|_| is_named) {
                Some(last) => *last = format!("{last} {}", line.trim()),
                None => meaning.push(line),
            },
        }
    }
    let named: Vec<&str> = named.iter().map(|names| names.trim_end_matches('.')).collect();
    (meaning.join("\n").trim().to_owned(), named.join(", "))
}

fn camel(name: &str) -> String {
    let mut out = String::new();
    let mut capital = false;
    for c in name.chars() {
        if c == '_' {
            capital = true;
        } else if std::mem::replace(&mut capital, false) {
            out.extend(c.to_uppercase());
        } else {
            out.push(c);
        }
    }
    out
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for (n, c) in name.chars().enumerate() {
        if c.is_uppercase() && n > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::producers;

    #[test]
    fn producers_may_be_named_on_several_lines() {
        let of = |doc: &str| producers(doc);
        let split = |meaning: &str, names: &str| (meaning.to_owned(), names.to_owned());
        assert_eq!(of("The order.\nProducers: A (`a`), B\n(`b`), C."), split("The order.", "A (`a`), B (`b`), C"));
        assert_eq!(of("The order.\nProducers: A.\n\nMore."), split("The order.\n\nMore.", "A"));
        assert_eq!(of("The order."), split("The order.", ""));
    }
}
