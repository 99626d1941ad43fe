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
        let kind = match self.names_kind {
            true => {
                let (named, (place, excerpt)) = (&declaration.kind, self.shown(declaration.kind_loc));
                quote!(__b::wrong_kind(#named, <#body as __b::Canonical>::KIND, #place, #excerpt))
            }
            false => quote!(::core::option::Option::None),
        };
        let mut rows = self.assertion(&format_ident!("KIND"), declaration.kind_loc, &quote!(Message), &kind);
        let mut names = Vec::new();
        for (n, group) in declaration.claim_groups().enumerate() {
            let sites = group.iter().map(|claimed| {
                let (path, want) = (&claimed.path, claimed.want.emit());
                let (place, excerpt) = self.shown(claimed.loc);
                quote! {
                    __b::Site { claim: __b::Claim { path: #path, want: #want }, place: #place, excerpt: #excerpt }
                }
            });
            let name = format_ident!("ROW_{n}");
            // Of another kind everything would be wrong.
            let refuted = quote! {
                if KIND.is_some() { ::core::option::Option::None } else {
                    __b::Site::first_refuted(&[#(#sites),*], SHAPE)
                }
            };
            let loc = group.first().map_or_else(Loc::default, |claimed| claimed.loc);
            rows.extend(self.assertion(&name, loc, &quote!(Message), &refuted));
            names.push(name);
        }
        let (place, excerpt) = self.shown(declaration.coverage_loc);
        let known = declaration.known.iter().map(Emit::emit);
        let gaps = quote! {
            if KIND.is_some() #(|| #names.is_some())* { ::core::option::Option::None } else {
                __b::Known::gaps_at(&[#(#known),*], SHAPE, #place, #excerpt)
            }
        };
        let coverage = self.assertion(&format_ident!("COVERAGE"), declaration.coverage_loc, &quote!(Listing), &gaps);
        let settled = declaration.settled.iter().enumerate().map(|(n, settled)| {
            let (place, excerpt) = self.shown(settled.loc);
            let known = settled.known.iter().map(Emit::emit);
            let unset = quote! {
                if KIND.is_some() || COVERAGE.is_some() #(|| #names.is_some())* { ::core::option::Option::None } else {
                    __b::Known::unset_at(&[#(#known),*], SHAPE, #place, #excerpt)
                }
            };
            self.assertion(&format_ident!("SETTLED_{n}"), settled.loc, &quote!(Listing), &unset)
        });
        quote! {
            const SHAPE: &__b::Shape = <#body as __b::Canonical>::SHAPE;
            #rows
            #coverage
            #(#settled)*
        }
    }

    /// A message as a constant, which fails the build if there is one.
    fn assertion(&self, name: &Ident, loc: Loc, ty: &TokenStream, message: &TokenStream) -> TokenStream {
        quote_spanned! { self.places.span(loc) =>
            // Of a large kind this takes many steps, and they end.
            #[allow(long_running_const_eval)]
            const #name: ::core::option::Option<__b::#ty> = #message;
            const _: () = if let ::core::option::Option::Some(message) = #name {
                ::core::panic!("{}", message.as_str())
            };
        }
    }

    fn shown(&self, loc: Loc) -> (String, String) {
        (self.places.place(loc), self.places.excerpt(loc))
    }
}
