//! What both front ends end in: a codec printed as constants, and its claims as assertions.

use bunzai_mapping::Declaration;
use bunzai_mapping::tree::Loc;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Ident;

use crate::emit::Emit;

/// How the places of a declaration are shown.
pub(crate) trait Places {
    /// `mappings/x.toml:12:29`, or what stands for a place in the code itself.
    fn place(&self, loc: Loc) -> String;

    /// The line there, with carets; empty where the compiler shows it.
    fn excerpt(&self, loc: Loc) -> String;

    /// The span an error is told at.
    fn span(&self, loc: Loc) -> Span;
}

/// A codec to be printed.
pub(crate) struct Printed<'a> {
    pub(crate) declaration: &'a Declaration,
    pub(crate) places: &'a dyn Places,
    /// The type that is the codec.
    pub(crate) name: &'a Ident,
    /// The type of the body.
    pub(crate) body: &'a TokenStream,
    /// The path of the crate that re-exports the runtime.
    pub(crate) krate: &'a TokenStream,
    /// Whether the declaration names the kind by its name, and not by the type of the body.
    pub(crate) names_kind: bool,
    /// Whether the claims are asserted; not where errors are told already.
    pub(crate) asserted: bool,
}

impl Printed<'_> {
    /// The implementation, in a block of its own.
    pub(crate) fn print(&self) -> TokenStream {
        let Self { declaration, name, body, krate, .. } = self;
        let map = declaration.map.emit();
        let schema_name = name.to_string();
        let assertions = if self.asserted { self.assertions() } else { TokenStream::new() };
        quote! {
            const _: () = {
                use #krate::__private as __b;

                static MAP: __b::map::Map = #map;
                static FORMAT: __b::Declared = __b::Declared::compiled(&MAP, __b::Kind::of::<#body>());

                #[automatically_derived]
                impl __b::Codec for #name {
                    type Body = #body;

                    fn format() -> &'static __b::Declared {
                        &FORMAT
                    }
                }

                #[automatically_derived]
                impl __b::schemars::JsonSchema for #name {
                    fn schema_name() -> __b::Cow<'static, str> {
                        __b::Cow::Borrowed(#schema_name)
                    }

                    fn json_schema(_: &mut __b::schemars::SchemaGenerator) -> __b::schemars::Schema {
                        FORMAT.read_schema().unwrap_or_default()
                    }
                }

                #assertions
            };
        }
    }

    fn assertions(&self) -> TokenStream {
        let Self { declaration, body, .. } = self;
        let mut rows = TokenStream::new();
        let mut names = Vec::new();
        for (n, group) in declaration.claim_groups().enumerate() {
            let span = group.first().map_or_else(Span::call_site, |claimed| self.places.span(claimed.loc));
            let sites = group.iter().map(|claimed| {
                let (path, want) = (&claimed.path, claimed.want.emit());
                let (place, excerpt) = self.shown(claimed.loc);
                quote! {
                    __b::Site { claim: __b::Claim { path: #path, want: #want }, place: #place, excerpt: #excerpt }
                }
            });
            let name = format_ident!("ROW_{n}");
            rows.extend(quote!(const #name: &[__b::Site<'static>] = &[#(#sites),*];));
            rows.extend(assertion(span, &quote!(__b::Site::first_refuted(#name, SHAPE))));
            names.push(name);
        }
        let mapped = declaration.mapped.iter().map(|set| {
            let (path, always) = (&set.path, set.always);
            quote!((#path, #always))
        });
        let lost = declaration.lost.iter().map(|(path, _)| path);
        let (place, excerpt) = self.shown(declaration.coverage_loc);
        let coverage = assertion(
            self.places.span(declaration.coverage_loc),
            &quote! {
                (__b::Coverage { mapped: &[#(#mapped),*], lost: &[#(#lost),*] })
                    .gaps_at(&[#(#names),*], SHAPE, #place, #excerpt)
            },
        );
        let kind = self.names_kind.then(|| {
            let (named, (place, excerpt)) = (&declaration.kind, self.shown(declaration.kind_loc));
            let body = quote!(<#body as __b::Canonical>::KIND);
            assertion(self.places.span(declaration.kind_loc), &quote!(__b::wrong_kind(#named, #body, #place, #excerpt)))
        });
        quote! {
            const SHAPE: &__b::Shape = <#body as __b::Canonical>::SHAPE;
            #kind
            #rows
            #coverage
        }
    }

    fn shown(&self, loc: Loc) -> (String, String) {
        (self.places.place(loc), self.places.excerpt(loc))
    }
}

/// Fails the build with a message, if there is one.
fn assertion(span: Span, message: &TokenStream) -> TokenStream {
    quote_spanned! { span =>
        const _: () = if let ::core::option::Option::Some(message) = #message {
            ::core::panic!("{}", message.as_str())
        };
    }
}
