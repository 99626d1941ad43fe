//! The front end for attributes: tokens to a tree.
//!
//! An attribute is an inline table. Bare words and dotted paths are text, a word alone is `true`,
//! `word(...)` is a table; in a list of conditions `id: string` is short for
//! `{ at = id, is = string }`.

use bunzai_mapping::tree::{Entry, Loc, Node, Table, Tree};
use std::fmt::Display;

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Ident, Lit, LitStr, Token, bracketed, parenthesized, token};

/// The spans of the tokens met so far; a place is a pair of indexes into them.
#[derive(Debug, Default)]
pub(crate) struct Spans(Vec<Span>);

impl Spans {
    pub(crate) fn loc(&mut self, start: Span, end: Span) -> Loc {
        self.0.extend([start, end]);
        Loc { start: self.0.len() - 2, end: self.0.len() - 1 }
    }

    pub(crate) fn one(&mut self, span: Span) -> Loc {
        self.loc(span, span)
    }

    pub(crate) fn span(&self, loc: Loc) -> Span {
        let at = |n: usize| self.0.get(n).copied().unwrap_or_else(Span::call_site);
        // Where the compiler can join the two, the whole is shown.
        at(loc.start).join(at(loc.end)).unwrap_or_else(|| at(loc.start))
    }
}

/// Words whose arguments are a list of conditions.
const CONDITIONS: [&str; 3] = ["all", "any", "none"];

/// Reads the arguments of every `#[codec(...)]` of an item, together.
pub(crate) fn arguments(attributes: &[Attribute], spans: &mut Spans) -> syn::Result<Table> {
    let mut all = Table::default();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("codec")) {
        let list = attribute.meta.require_list();
        let read = list.and_then(|list| list.parse_args_with(|input: ParseStream<'_>| table(input, spans)));
        for entry in read.map_err(|error| coded("B040", error.span(), error))?.0 {
            add(&mut all, entry, spans).map_err(|error| coded("B040", error.span(), error))?;
        }
    }
    Ok(all)
}

/// An error with a code of the catalogue.
pub(crate) fn coded(code: &str, span: Span, message: impl Display) -> syn::Error {
    syn::Error::new(span, format!("[{code}] {message}"))
}

fn table(input: ParseStream<'_>, spans: &mut Spans) -> syn::Result<Table> {
    let mut table = Table::default();
    while !input.is_empty() {
        let entry = entry(input, spans)?;
        add(&mut table, entry, spans)?;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(table)
}

/// Adds an entry, whose key a table has once: TOML refuses a second one by itself.
fn add(table: &mut Table, entry: Entry, spans: &Spans) -> syn::Result<()> {
    if table.get(&entry.key).is_some() {
        return Err(syn::Error::new(spans.span(entry.key_loc), format!("`{}` stands here twice", entry.key)));
    }
    table.0.push(entry);
    Ok(())
}

fn entry(input: ParseStream<'_>, spans: &mut Spans) -> syn::Result<Entry> {
    let (key, key_loc) = path(input, spans)?;
    let value = if input.peek(token::Paren) {
        let inner;
        let paren = parenthesized!(inner in input);
        let loc = spans.loc(paren.span.open(), paren.span.close());
        if CONDITIONS.contains(&key.as_str()) {
            Tree::new(Node::List(conditions(&inner, spans)?), loc)
        } else {
            Tree::new(Node::Table(table(&inner, spans)?), loc)
        }
    } else if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        value(input, spans)?
    } else {
        Tree::new(Node::Bool(true), key_loc)
    };
    Ok(Entry { key, key_loc, value })
}

/// `id: string`, `nameColor`, `type = "acme"`, `(at = x, has = y)`
fn conditions(input: ParseStream<'_>, spans: &mut Spans) -> syn::Result<Vec<Tree>> {
    let mut list = Vec::new();
    while !input.is_empty() {
        if input.peek(token::Paren) {
            let inner;
            let paren = parenthesized!(inner in input);
            let loc = spans.loc(paren.span.open(), paren.span.close());
            list.push(Tree::new(Node::Table(table(&inner, spans)?), loc));
        } else {
            let (at, loc) = path(input, spans)?;
            let mut entries = vec![Entry { key: "at".into(), key_loc: loc, value: Tree::new(Node::Text(at), loc) }];
            let word = if input.parse::<Option<Token![:]>>()?.is_some() {
                Some("is")
            } else if input.parse::<Option<Token![=]>>()?.is_some() {
                Some("eq")
            } else {
                None
            };
            if let Some(word) = word {
                let value = value(input, spans)?;
                entries.push(Entry { key: word.into(), key_loc: value.loc, value });
            }
            list.push(Tree::new(Node::Table(Table(entries)), loc));
        }
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(list)
}

fn value(input: ParseStream<'_>, spans: &mut Spans) -> syn::Result<Tree> {
    if input.peek(token::Bracket) {
        let inner;
        let bracket = bracketed!(inner in input);
        let loc = spans.loc(bracket.span.open(), bracket.span.close());
        let mut items = Vec::new();
        while !inner.is_empty() {
            items.push(value(&inner, spans)?);
            if !inner.is_empty() {
                inner.parse::<Token![,]>()?;
            }
        }
        return Ok(Tree::new(Node::List(items), loc));
    }
    if input.peek(token::Paren) {
        let inner;
        let paren = parenthesized!(inner in input);
        let loc = spans.loc(paren.span.open(), paren.span.close());
        return Ok(Tree::new(Node::Table(table(&inner, spans)?), loc));
    }
    if input.peek(token::Brace) {
        let inner;
        let brace = syn::braced!(inner in input);
        let loc = spans.loc(brace.span.open(), brace.span.close());
        return Ok(Tree::new(Node::Table(table(&inner, spans)?), loc));
    }
    if input.peek(Token![-]) || (input.peek(Lit) && !input.peek(LitStr)) {
        let minus = input.parse::<Option<Token![-]>>()?;
        let lit: Lit = input.parse()?;
        let loc = spans.loc(minus.map_or(lit.span(), |minus| minus.span), lit.span());
        let node = match &lit {
            Lit::Bool(b) if minus.is_none() => Node::Bool(b.value),
            Lit::Int(n) => {
                let n: i128 = n.base10_parse()?;
                Node::Integer(if minus.is_some() { -n } else { n })
            }
            Lit::Float(n) => {
                let n: f64 = n.base10_parse()?;
                Node::Float(if minus.is_some() { -n } else { n })
            }
            _ => return Err(syn::Error::new(lit.span(), "expected text, a number, or `true` or `false`")),
        };
        return Ok(Tree::new(node, loc));
    }
    let (text, loc) = path(input, spans)?;
    Ok(Tree::new(Node::Text(text), loc))
}

/// A path as it stands in a mapping file, but bare: `rules[].extras.createdAt`, or a string.
fn path(input: ParseStream<'_>, spans: &mut Spans) -> syn::Result<(String, Loc)> {
    if input.peek(LitStr) {
        let text: LitStr = input.parse()?;
        let loc = spans.one(text.span());
        return Ok((text.value(), loc));
    }
    if input.peek(Token![@]) {
        let at: Token![@] = input.parse()?;
        let (rest, loc) = path(input, spans)?;
        return Ok((format!("@{rest}"), spans.loc(at.span, spans.span(loc))));
    }
    let first = input.call(Ident::parse_any)?;
    let (mut text, mut end) = (unraw(&first), first.span());
    loop {
        if input.peek(Token![.]) {
            input.parse::<Token![.]>()?;
            let next = input.call(Ident::parse_any)?;
            end = next.span();
            text = format!("{text}.{}", unraw(&next));
        } else if input.peek(token::Bracket) && input.fork().call(empty_brackets).is_ok() {
            let brackets = input.call(empty_brackets)?;
            end = brackets.span.close();
            text.push_str("[]");
        } else if input.peek(Token![|]) {
            input.parse::<Token![|]>()?;
            let next = input.call(Ident::parse_any)?;
            end = next.span();
            text = format!("{text}|{}", unraw(&next));
        } else {
            let loc = spans.loc(first.span(), end);
            return Ok((text, loc));
        }
    }
}

fn unraw(ident: &Ident) -> String {
    ident.unraw().to_string()
}

fn empty_brackets(input: ParseStream<'_>) -> syn::Result<token::Bracket> {
    let inner;
    let brackets = bracketed!(inner in input);
    if inner.is_empty() { Ok(brackets) } else { Err(inner.error("expected `[]`")) }
}
