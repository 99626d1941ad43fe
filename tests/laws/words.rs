//! Every word of the language stands in a format of the tests: a new one has a case, or this fails.

use std::collections::BTreeSet;

use bunzai_mapping::read_tree;
use bunzai_mapping::tree::{Node, Table, Tree};
use bunzai_mapping::words::{ALSO, CONTEXTS, Context, DERIVED, FILE, PART, Takes, WRAP};

use crate::own;

/// The words that are used, each with the place it stands in; and the choices made.
#[derive(Default)]
struct Used(BTreeSet<String>);

fn called(context: &Context, word: &str) -> String {
    format!("`{word}` in {}", context.name)
}

/// A choice means the same wherever its word stands.
fn chosen(word: &str, choice: &str) -> String {
    format!("`{word}` as {choice}")
}

impl Used {
    fn table(&mut self, context: &'static Context, tree: &Tree) {
        let Some(table) = tree.as_table() else { return };
        for entry in &table.0 {
            let Some(word) = context.words.iter().find(|word| word.name == entry.key) else { continue };
            self.0.insert(called(context, word.name));
            match (word.takes, &entry.value.node) {
                (Takes::One(inner), _) => self.table(inner, &entry.value),
                (Takes::ChoicesOr(_, inner), Node::Table(_)) => self.table(inner, &entry.value),
                (Takes::Many(inner), Node::List(items)) => items.iter().for_each(|item| self.table(inner, item)),
                (Takes::Named(inner), Node::Table(named)) => self.named(inner, named),
                (Takes::Choice(_) | Takes::ChoicesOr(..), Node::Text(choice)) => {
                    self.0.insert(chosen(word.name, choice));
                }
                (Takes::List, Node::List(items)) if word.name == "also" => {
                    items.iter().for_each(|item| self.table(&ALSO, item));
                }
                (Takes::Constants, Node::Table(named)) => self.named(&DERIVED, named),
                (Takes::Value, _) if word.name == "wrap" => self.table(&WRAP, &entry.value),
                (Takes::Value, _) => self.table(&DERIVED, &entry.value),
                _ => {}
            }
        }
    }

    fn named(&mut self, context: &'static Context, named: &Table) {
        named.0.iter().for_each(|entry| self.table(context, &entry.value));
    }
}

/// The words that are in none of these mapping files.
fn missing<'s>(sources: impl Iterator<Item = &'s str>) -> Vec<String> {
    let mut used = Used::default();
    sources.for_each(|source| used.table(&FILE, &read_tree(source)));
    own::PARTS.iter().for_each(|(_, source)| used.table(&PART, &read_tree(source)));
    let all = CONTEXTS.iter().flat_map(|context| context.words.iter().map(|word| (*context, word)));
    let words = all.flat_map(|(context, word)| {
        let choices: &[&str] = if let Takes::Choice(choices) = word.takes { choices } else { &[] };
        choices.iter().map(|choice| chosen(word.name, choice)).chain([called(context, word.name)]).collect::<Vec<_>>()
    });
    words.filter(|word| !used.0.contains(word)).collect()
}

#[test]
fn every_word_has_a_format_that_uses_it() {
    // Files of several entities have laws of their own.
    let linked = include_str!("../../mappings/sillytavern/preset.toml");
    let sources = own::FILES.iter().map(|(_, source)| *source).chain([linked]);
    assert_eq!(missing(sources), Vec::<String>::new());
    let few = missing(own::FILES.iter().map(|(_, source)| *source).filter(|source| !source.contains("laws-album")));
    assert!(few.contains(&"`gather` in a row".to_owned()) && few.contains(&"`case` as kebab-case".to_owned()));
}

#[test]
fn every_spelling_has_a_format_that_uses_it() {
    let whole: String = own::FILES.iter().map(|(_, source)| *source).collect();
    for spelling in
        ["bool", "bool:text", "bool:int", "number", "number:text", "not", "trim", "unique", "loose", "json", "plain"]
    {
        let stands = whole.split(['"', '|']).any(|part| part == spelling);
        assert!(stands, "no format of the tests uses {spelling}");
    }
    for other in ["\"split:", "\"@index\"", "{ has = ", "\"@file.stem\"", "\"@file.name\"", "[*]"] {
        let all =
            own::FILES.iter().map(|(_, source)| *source).chain([include_str!("../../mappings/sillytavern/regex.toml")]);
        assert!(all.into_iter().any(|source| source.contains(other)), "no format of the tests uses {other}");
    }
}
