//! The canonical kinds as a native file has them: every field, and nothing else.
//!
//! `facts.txt` states the fields a second time, written from the pages that say what they are and
//! not from the types; `*.bunzai.json` is a file of each kind that has every one of them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may stop where it stands")]

mod attachments;
mod file;
mod strict;

use std::collections::BTreeSet;

use bunzai::shape::{Shape, Type};
use file::{KINDS, places, read, sample};

fn name_of(ty: Type) -> String {
    match ty {
        Type::Text([]) => "text".into(),
        Type::Text(known) => format!("text such as {}", known.join(" ")),
        Type::Words(words) => format!("one of {}", words.join(" ")),
        Type::Bool => "boolean".into(),
        Type::Number => "number".into(),
        Type::Integer { .. } => "integer".into(),
        Type::Any => "any".into(),
        Type::Node(shape) => shape.name.into(),
        Type::List(item) => format!("list of {}", name_of(*item)),
        Type::Dict(item) => format!("object of {}", name_of(*item)),
        Type::Union(types) => types.iter().map(|ty| name_of(*ty)).collect::<Vec<_>>().join(" or "),
    }
}

/// The shapes inside a type that are not in the list yet.
fn inside(ty: Type, shapes: &mut Vec<&Shape>) {
    match ty {
        Type::Node(shape) if !shapes.contains(&shape) => shapes.push(shape),
        Type::List(item) | Type::Dict(item) => inside(*item, shapes),
        _ => {}
    }
}

fn shapes(kind: &str) -> Vec<&'static Shape> {
    let mut shapes = vec![file::kind(kind).shape];
    let mut next = 0;
    while let Some(shape) = shapes.get(next).copied() {
        shape.fields.iter().for_each(|field| inside(field.ty, &mut shapes));
        next += 1;
    }
    shapes
}

#[test]
fn the_fields_are_those_of_the_facts() {
    let stated: Vec<&str> = include_str!("facts.txt").trim_end().split("\n\n").collect();
    let mut made = Vec::new();
    for shape in KINDS.iter().flat_map(|kind| shapes(kind)) {
        let lines = shape.fields.iter().map(|field| {
            let (optional, null) =
                (if field.optional { "?" } else { "" }, if field.nullable { " or null" } else { "" });
            format!("\n  {}{optional}: {}{null}", field.name, name_of(field.ty))
        });
        made.push(format!("{}{}", shape.name, lines.collect::<String>()));
    }
    assert_eq!(made.len(), stated.len());
    for (made, stated) in made.iter().zip(stated) {
        assert_eq!(made, stated);
    }
}

#[test]
fn a_file_with_every_field_reads_and_prints_as_it_is() {
    for kind in KINDS {
        let text = file::text(kind);
        let entity = read(text).unwrap_or_else(|problems| panic!("{problems:?}"));
        assert_eq!(entity.kind(), kind);
        assert_eq!(file::print(&entity), text);

        let sample = sample(kind);
        let places = places(kind, &sample);
        for shape in shapes(kind) {
            let of_shape = places.iter().filter(|place| place.shape == shape);
            let keys = of_shape.flat_map(|place| sample.pointer(&place.at).unwrap().as_object().unwrap().keys());
            let keys: BTreeSet<&str> = keys.map(String::as_str).collect();
            let fields: BTreeSet<&str> = shape.fields.iter().map(|field| field.name).collect();
            assert_eq!(keys, fields, "the sample has every field of {}", shape.name);
        }
    }
}

#[test]
fn every_field_says_what_it_means() {
    for shape in KINDS.iter().flat_map(|kind| shapes(kind)) {
        assert!(!shape.doc.is_empty(), "{}", shape.name);
        for field in shape.fields {
            assert!(!field.doc.is_empty(), "{}.{}", shape.name, field.name);
        }
    }
}
