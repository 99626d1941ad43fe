//! Printing a map as a constant.
//!
//! Everything is named through `__b`, which the surrounding code binds to the runtime.

use std::borrow::Cow;

use bunzai_mapping::Wanted;
use bunzai_runtime::map::{self, Leaves};
use bunzai_runtime::{Number, map::Types};
use proc_macro2::TokenStream;
use quote::quote;

/// Something that can be printed as a constant expression.
pub(crate) trait Emit {
    fn emit(&self) -> TokenStream;
}

macro_rules! structs {
    ($($name:ident { $($field:ident),* })*) => { $(
        impl Emit for map::$name {
            fn emit(&self) -> TokenStream {
                $(let $field = self.$field.emit();)*
                quote!(__b::map::$name { $($field: #$field),* })
            }
        }
    )* };
}

macro_rules! words {
    ($($name:ident { $($variant:ident),* })*) => { $(
        impl Emit for map::$name {
            fn emit(&self) -> TokenStream {
                match self {
                    $(Self::$variant => quote!(__b::map::$name::$variant),)*
                }
            }
        }
    )* };
}

macro_rules! plain {
    ($($ty:ty),*) => { $(
        impl Emit for $ty {
            fn emit(&self) -> TokenStream {
                quote!(#self)
            }
        }
    )* };
}

structs! {
    Map { format, label, about, writes, shapes, root, parts, tables, picks, lost, linked }
    Linked { format, to, at, name }
    Pick { name, at, by, is, new }
    Carrier { at, score, gate, rows, map, write }
    Predicate { at, test }
    Part { rows, joins, stamp, rest, lean, when }
    Rest { to, case }
    Row { wire, to, also, or, need, omit_blank, keep_null, gone, fresh, lean, text, spelled, clamp, inner, is, about }
    Also { at, spelled }
    Spelled { links, table }
    Clamp { min, max }
    Each { part, others, by, ids, keyed, order, heads }
    Order { at, text, of, by, part, unlisted }
    Heads { to, levels, item, fill, up, write }
    Table { name, rows, write, other }
    TableRow { wire, model }
    Known { name, covered, open, below }
    Join { see, wire, to, tie }
    RegexText { flags, escaped, tail }
    Run { of, least, before, after }
}

words! {
    Gone { Remove, Null, Blank, Keep }
    Spelling { Bool, BoolText, BoolInt, Number, NumberText, Not, Trim, Unique, Loose }
    Else { None, Pass, Error, Last }
    Ids { Verbatim, Unique }
    Keyed { Id, Number }
    Case { Snake, Camel, Pascal, Kebab, ScreamingSnake }
}

plain!(bool, usize, i64, f64);

impl Emit for Cow<'static, str> {
    fn emit(&self) -> TokenStream {
        let text = self.as_ref();
        quote!(__b::Cow::Borrowed(#text))
    }
}

impl<T: Emit + Clone> Emit for Cow<'static, [T]> {
    fn emit(&self) -> TokenStream {
        let items = self.iter().map(Emit::emit);
        quote!(__b::Cow::Borrowed(&[#(#items),*]))
    }
}

impl<T: Emit> Emit for Option<T> {
    fn emit(&self) -> TokenStream {
        match self {
            Some(value) => {
                let value = value.emit();
                quote!(::core::option::Option::Some(#value))
            }
            None => quote!(::core::option::Option::None),
        }
    }
}

impl<A: Emit, B: Emit> Emit for (A, B) {
    fn emit(&self) -> TokenStream {
        let (a, b) = (self.0.emit(), self.1.emit());
        quote!((#a, #b))
    }
}

impl Emit for Number {
    fn emit(&self) -> TokenStream {
        if let Some(n) = self.as_i64() {
            quote!(__b::Number::integer(#n))
        } else if let Some(n) = self.as_u64() {
            quote!(__b::Number::natural(#n))
        } else {
            let n = self.as_f64();
            quote!(__b::Number::double(#n))
        }
    }
}

impl Emit for Types {
    fn emit(&self) -> TokenStream {
        let bits = self.bits();
        quote!(__b::map::Types::from_bits(#bits))
    }
}

/// Enums whose variants hold values: `variant(value, ...)`.
macro_rules! variants {
    ($($name:ident { $($variant:ident $(($($value:ident),*))?),* })*) => { $(
        impl Emit for map::$name {
            fn emit(&self) -> TokenStream {
                match self {
                    $(Self::$variant $(($($value),*))? => {
                        $($(let $value = $value.emit();)*)?
                        quote!(__b::map::$name::$variant $(($(#$value),*))?)
                    })*
                }
            }
        }
    )* };
}

variants! {
    Test { At(predicate), All(tests), Any(tests), None(tests) }
    ValueTest { Present, Is(types), In(values), Has(values), Only(keys) }
    Step { Key(key), Every, Pick(name) }
    Choice { Is(literal), Lacks, Wire(steps), First }
    Wrap { Pair(before, after), Run(run) }
    Text { Plain, Json, Lone, Split(sep), Regex(regex), Wrap(wrap) }
    Wire { At(steps), FileStem, FileName, Index }
    Inner { Value, Map(part), Each(each), Word(word), Flags(words), Gather }
    Tie { Table(table), Via(via) }
    Cell { Is(literal), Any, Some, None, Has(literal) }
    Piece { Is(text), Path(path) }
    Literal { Absent, Null, Bool(value), Number(value), Text(value), List(value), Object(value) }
}

impl Emit for map::Fill {
    fn emit(&self) -> TokenStream {
        match self {
            Self::Is(literal) => {
                let literal = literal.emit();
                quote!(__b::map::Fill::Is(#literal))
            }
            Self::Slug { path, sep } => {
                let (path, sep) = (path.emit(), sep.emit());
                quote!(__b::map::Fill::Slug { path: #path, sep: #sep })
            }
            Self::Concat(pieces) => {
                let pieces = pieces.emit();
                quote!(__b::map::Fill::Concat(#pieces))
            }
            Self::Words { path, words } => {
                let (path, words) = (path.emit(), words.emit());
                quote!(__b::map::Fill::Words { path: #path, words: #words })
            }
            Self::FileStem => quote!(__b::map::Fill::FileStem),
            Self::FileName => quote!(__b::map::Fill::FileName),
            Self::Wire { whole, at } => {
                let (whole, at) = (whole.emit(), at.emit());
                quote!(__b::map::Fill::Wire { whole: #whole, at: #at })
            }
            Self::Count { from, word } => {
                let (from, word) = (from.emit(), word.emit());
                quote!(__b::map::Fill::Count { from: #from, word: #word })
            }
        }
    }
}

impl Emit for map::Via {
    fn emit(&self) -> TokenStream {
        let name = self.name.emit();
        // What is no path of Rust was told when the mapping was read.
        let hatch = syn::parse_str::<syn::Path>(&self.name)
            .map_or_else(|_| quote!(::core::option::Option::None), |path| quote!(::core::option::Option::Some(&#path)));
        quote!(__b::map::Via { name: #name, hatch: #hatch })
    }
}

impl Emit for Wanted {
    fn emit(&self) -> TokenStream {
        let constant = |name: TokenStream, literal: &map::Literal| {
            let value = literal.emit();
            match literal {
                // What is inside must be a constant by itself, since the claim is not always asked.
                map::Literal::List(_) | map::Literal::Object(_) => quote!(__b::Want::#name({
                    const VALUE: &__b::map::Literal = &#value;
                    VALUE
                })),
                _ => quote!(__b::Want::#name(&#value)),
            }
        };
        match self {
            Self::Exists => quote!(__b::Want::Exists),
            Self::Asked => quote!(__b::Want::Asked),
            Self::Leaf => quote!(__b::Want::Leaf),
            Self::One => quote!(__b::Want::One),
            Self::Bool => quote!(__b::Want::Bool),
            Self::Number => quote!(__b::Want::Number),
            Self::Text => quote!(__b::Want::Text),
            Self::AnyText => quote!(__b::Want::AnyText),
            Self::Alike(other) => quote!(__b::Want::Alike(#other)),
            Self::List => quote!(__b::Want::List),
            Self::Node => quote!(__b::Want::Node),
            Self::Open => quote!(__b::Want::Open),
            Self::Inside => quote!(__b::Want::Inside),
            Self::Is(types) => {
                let types = types.emit();
                quote!(__b::Want::Is(#types))
            }
            Self::Fits(literal) => constant(quote!(Fits), literal),
            Self::Cell(literal) => constant(quote!(Cell), literal),
            Self::Nullable => quote!(__b::Want::Nullable),
            Self::Unset(leaves) => {
                let leaves = match leaves {
                    Leaves::Row => quote!(Row),
                    Leaves::Join => quote!(Join),
                    Leaves::Maps => quote!(Maps),
                    Leaves::Lost => quote!(Lost),
                };
                quote!(__b::Want::Unset(__b::Leaves::#leaves))
            }
        }
    }
}
