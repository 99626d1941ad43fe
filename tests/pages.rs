//! The examples of `docs/mapping.md`: what the page says of them is what happens.
//!
//! A block marked `trace` belongs to the piece before it. It has one case or several, with an empty
//! line between:
//!
//! ```text
//! file   what is read
//! model  what that says: these fields of the note
//! edit   fields of the note that are set; null removes
//! file   what is written over the first file
//! fresh  what is written for the note where there is no file
//! lost   what the report names of the file before, by its path; so `coerced` and `kept`
//! ```

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may stop where it stands")]

use bunzai::{AnyEntity, Canonical, Declared, Entity, Extras, Format, Input, Kind, Nullable, Number};
use bunzai_mapping::{Diagnostic, check_part, check_with};
use serde_json::{Map, Value};

/// A note: the model of the examples.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(kind = "note", name = title, default)]
struct Note {
    /// The title.
    title: String,
    /// The text.
    text: Option<String>,
    /// How urgent it is.
    level: Option<Number>,
    /// Seconds until it is due.
    limit: Option<Nullable<Number>>,
    /// Where it stands.
    state: Option<State>,
    /// Whether it is done.
    done: Option<bool>,
    /// Whether it is shown.
    shown: Option<bool>,
    /// Tags.
    tags: Option<Vec<String>>,
    /// Who wrote it.
    author: Option<Author>,
    /// What is to be done.
    steps: Vec<Step>,
    /// Parts of what is to be done.
    parts: Option<Vec<Part>>,
    /// What else an application knows.
    bag: Option<Extras>,
}

/// Where a note stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
enum State {
    /// To be done.
    Open,
    /// Done.
    Done,
    /// Not done in time.
    Late,
}

/// Who wrote a note.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
struct Author {
    /// The name.
    name: Option<String>,
    /// The address.
    mail: Option<String>,
}

/// One thing to be done.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
struct Step {
    /// What it can be found again by.
    id: String,
    /// The text.
    text: Option<String>,
    /// Whether it is done.
    done: Option<bool>,
    /// Where it stands among the others.
    place: Option<Number>,
    /// Words to look for.
    words: Vec<Word>,
    /// The part it belongs to.
    part: Option<String>,
}

/// A part of what is to be done.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
struct Part {
    /// What steps name it by.
    id: String,
    /// What people call it.
    name: Option<String>,
    /// The part it belongs to itself.
    part: Option<String>,
}

/// A word to look for.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
struct Word {
    /// The word.
    text: String,
    /// Flags of a pattern.
    flags: Option<String>,
    /// Whether it is a pattern.
    pattern: Option<bool>,
}

/// A code block of the page.
struct Block {
    line: usize,
    mark: String,
    text: String,
}

fn blocks() -> Vec<Block> {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/mapping.md");
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (n, line) in std::fs::read_to_string(page).unwrap().lines().enumerate() {
        match line.strip_prefix("```") {
            Some(_) if open => open = false,
            Some(mark) => {
                open = true;
                blocks.push(Block { line: n + 1, mark: mark.to_owned(), text: String::new() });
            }
            None if open => {
                let text = &mut blocks.last_mut().unwrap().text;
                text.push_str(line);
                text.push('\n');
            }
            None => {}
        }
    }
    assert!(!open, "a code block of the page is not closed");
    blocks
}

/// The piece as a whole mapping file of a kind.
fn whole(piece: &str, kind: &str, lost: &[String]) -> String {
    let lost: Vec<String> = lost.iter().map(|path| format!("{path:?}")).collect();
    let has = |word: &str| piece.contains(word);
    let mut file = format!("format = \"sample\"\nkind = {kind:?}\nlabel = \"Sample\"\nlost = [{}]\n", lost.join(", "));
    if !has("[detect]") && !has("[[shapes]]") {
        file += "detect = { all = [{ at = \".\", is = \"any\" }] }\n";
    }
    if !piece.trim_start().starts_with('[') && !has("[fields]") {
        file += "[fields]\n";
    }
    file += piece;
    if kind == "note" && !has("\"title\"") {
        file += if has("[stamp]") { "" } else { "[stamp]\n" };
        file += "title = \"Note\"\n";
    }
    file
}

/// A part that the page has, by its path.
fn part(path: &str) -> Result<String, String> {
    let first = format!("part = {:?}", path.trim_end_matches(".toml"));
    let part = blocks().into_iter().find(|block| block.text.starts_with(&first));
    part.map(|block| block.text).ok_or_else(|| "the page has none".to_owned())
}

/// The format that a piece makes, which loses everything that it does not speak of.
fn format_of(block: &Block) -> Declared {
    let kind = Kind::of::<Note>();
    let mut lost = Vec::new();
    loop {
        let source = whole(&block.text, "note", &lost);
        match check_with("page.toml", &source, &part, &[("note", kind.shape)]) {
            Ok((declaration, _)) => return Declared::loaded(declaration.map, kind),
            Err((_, wrong)) => {
                let before = lost.len();
                for Diagnostic { code, message, .. } in &wrong {
                    assert_eq!(code.id, "B032", "line {}: {message}\n{source}", block.line);
                    lost.extend(message.split('`').skip(3).step_by(2).map(str::to_owned));
                }
                assert_ne!(lost.len(), before, "line {}: {wrong:?}", block.line);
            }
        }
    }
}

fn json(text: &str, line: usize) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("line {line}: {error}: {text}"))
}

fn members(note: &Note) -> Map<String, Value> {
    serde_json::to_value(note).unwrap().as_object().unwrap().clone()
}

/// Runs one case of a trace.
fn run(format: &Declared, case: &str, line: usize) {
    let (mut read, mut note): (Option<Entity<Note>>, Option<Entity<Note>>) = (None, None);
    let mut told: Vec<String> = Vec::new();
    for text in case.lines() {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let rest = rest.trim();
        if !["lost", "coerced", "kept"].contains(&word) {
            assert_eq!(told, [""; 0], "line {line}: the report names more than the page does before {text}");
        }
        match (word, &note) {
            ("file", None) => {
                let input = Input::new(rest).file_name("tea.json");
                let imported = format.import(input).unwrap_or_else(|error| panic!("line {line}: {error}")).entity;
                let entity = imported.downcast::<Note>().unwrap();
                (read, note) = (Some(entity.clone()), Some(entity));
            }
            ("model", Some(note)) => {
                let members = members(&note.body);
                for (key, expected) in json(rest, line).as_object().unwrap() {
                    assert_eq!(members.get(key), Some(expected), "line {line}: {key} in {members:?}");
                }
            }
            ("edit", before) => {
                let blank = Entity::new(Note::default());
                let before = read.as_ref().or(before.as_ref()).unwrap_or(&blank);
                let mut members = members(&before.body);
                for (key, value) in json(rest, line).as_object().unwrap() {
                    match value {
                        Value::Null => drop(members.remove(key)),
                        value => drop(members.insert(key.clone(), value.clone())),
                    }
                }
                let body = serde_json::from_value(Value::Object(members)).unwrap();
                note = Some(Entity { body, ..before.clone() });
            }
            ("file" | "fresh", Some(note)) => {
                let mut note = note.clone();
                if word == "fresh" {
                    note.original.clear();
                }
                let any: AnyEntity = note.into();
                let exported = format.export((&any).into()).unwrap();
                let mut written = exported.text().into_owned();
                if word == "fresh" {
                    written = json(&written, line).to_string();
                    assert_eq!(written, json(rest, line).to_string(), "line {line}: {text}");
                }
                assert!(word == "fresh" || written == rest, "line {line}: {text}\nis     {written}");
                let report = exported.report().unwrap();
                let names = |word: &str, losses: &[bunzai::Loss]| -> Vec<String> {
                    losses.iter().map(|loss| format!("{word} {}", loss.at)).collect()
                };
                let sorts = [("lost", &report.lost), ("coerced", &report.coerced), ("kept", &report.kept)];
                told = sorts.into_iter().flat_map(|(word, losses)| names(word, losses)).collect();
            }
            ("lost" | "coerced" | "kept", _) => {
                let said = format!("{word} {rest}");
                let at = told.iter().position(|other| *other == said);
                told.remove(at.unwrap_or_else(|| panic!("line {line}: {said} is not told, but {told:?}")));
            }
            _ => panic!("line {line}: this means nothing here: {text}"),
        }
    }
    assert_eq!(told, [""; 0], "line {line}: the report names more than the page does");
}

#[test]
fn what_the_page_says_of_its_examples_happens() {
    let blocks = blocks();
    let (mut traces, mut wrong) = (0, 0);
    for pair in blocks.windows(2).filter(|pair| pair[1].mark == "trace") {
        assert_eq!(pair[0].mark, "toml", "line {}: a trace belongs to a piece of a mapping file", pair[1].line);
        // Each of them is told, and not the first one only.
        let done = std::panic::catch_unwind(|| {
            let format = format_of(&pair[0]);
            pair[1].text.split("\n\n").for_each(|case| run(&format, case, pair[1].line));
        });
        wrong += usize::from(done.is_err());
        traces += 1;
    }
    assert!(traces > 0 && wrong == 0, "{wrong} of {traces} examples");
}

#[test]
fn the_other_examples_are_pieces_of_mapping_files() {
    // Of a piece it is not asked what it refers to, and what refers to it.
    const ELSEWHERE: [&str; 5] = ["B010", "B011", "B012", "B016", "B017"];
    let blocks = blocks();
    let is_traced = |n: usize| blocks.get(n + 1).is_some_and(|next| next.mark == "trace");
    for (n, block) in blocks.iter().enumerate().filter(|(n, block)| block.mark == "toml" && !is_traced(*n)) {
        if block.text.starts_with("part =") {
            let (files, wrong) = check_part("page.toml", &block.text);
            assert!(wrong.is_empty(), "line {}: {}", block.line, files.render(&wrong[0]));
            continue;
        }
        if block.text.lines().any(|line| line.starts_with("kind ")) {
            let loaded = bunzai::load("page.toml", &block.text);
            assert!(loaded.is_ok(), "line {}: {}", blocks[n].line, loaded.unwrap_err());
            continue;
        }
        let mut wrong = bunzai_mapping::read(&whole(&block.text, "persona", &[])).wrong;
        wrong.retain(|wrong| !ELSEWHERE.contains(&wrong.code.id));
        assert!(wrong.is_empty(), "line {}: {wrong:?}", block.line);
    }
}
