//! What can be had in two ways is the same in both: a mapping file compiled and loaded, attributes
//! and a mapping file, serde and the reader of native files.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use bunzai::model::{LorebookBody, PersonaBody, PresetBody, PromptFormatBody, QuickReplyBody, RegexSetBody};
use bunzai::{AnyEntity, Codec, Declared, Format, Input};
use fastrand::Rng;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::checks::Check;
use crate::doc::Doc;
use crate::edit::{Editor, What, json};
use crate::generate::from_value;
use crate::hostile::mutilate;
use crate::paths::row_lists;
use crate::subject::{FILE, NATIVE, Subject};
use crate::tally::Bounds;
use crate::{Case, checks, each_format, own, run};

/// Says where two things that should be equal are not.
fn alike<T: PartialEq + Debug>(what: &str, a: &T, b: &T) -> Check {
    if a == b { Ok(()) } else { Err(format!("{what} differs: {a:?} and {b:?}")) }
}

/// What two formats write of one entity.
fn write_alike(one: &Declared, other: &Declared, a: &AnyEntity, b: &AnyEntity) -> Check {
    alike("the body", &json(a.body.as_node()), &json(b.body.as_node()))?;
    let (a, b) = (Format::export(one, a.into()).unwrap(), Format::export(other, b.into()).unwrap());
    alike("the document", &(a.text(), a.name()), &(b.text(), b.name()))?;
    alike("the report", &a.report().unwrap(), &b.report().unwrap())
}

/// Two formats that should not differ read a document alike, and write alike what is made of it.
fn agree(one: &Declared, other: &Declared, text: &str, rng: &Rng) -> Check {
    let read = |format: &Declared| format.import(Input::new(text).file_name(FILE));
    let (mut a, mut b) = match (read(one), read(other)) {
        (Ok(a), Ok(b)) => {
            alike("the warnings", &a.warnings, &b.warnings)?;
            (a.entity, b.entity)
        }
        (a, b) => return alike("the import", &a.map(|_| ()), &b.map(|_| ())),
    };
    write_alike(one, other, &a, &b)?;
    let lists = row_lists(one.map());
    let editor = Editor::new(&lists, true);
    for entity in [&mut a, &mut b] {
        let mut rng = rng.clone();
        for _ in 0..3 {
            editor.edit(entity.body.as_node_mut(), What::Both, &mut rng);
        }
    }
    write_alike(one, other, &a, &b)?;
    a.original.clear();
    b.original.clear();
    write_alike(one, other, &a, &b)
}

fn mapping_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { mapping_files(&path) } else { vec![path] }).collect()
}

/// The mapping files of all formats, loaded at run time.
fn loaded() -> Vec<Declared> {
    let files = mapping_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("mappings"));
    let text = |file: &PathBuf| std::fs::read_to_string(file).unwrap();
    let open = |part: &str| Ok(text(&PathBuf::from(part)));
    let read = |file: &PathBuf| bunzai::load_with(&file.to_string_lossy(), &text(file), &open).unwrap();
    let files = files.iter().filter(|file| !bunzai_mapping::is_part(&text(file)));
    let mut loaded: Vec<Declared> = files.map(read).collect();
    assert_eq!(loaded.len(), bunzai::FORMATS.len());
    for (format, (_, source)) in own::formats().into_iter().zip(own::FILES) {
        let kind = *format.kind_of_body();
        let open = |path: &str| {
            let part = own::PARTS.iter().find(|(known, _)| *known == path);
            part.map(|(_, source)| (*source).to_owned()).ok_or_else(|| "there is none".to_owned())
        };
        let kinds = [(kind.name, kind.shape)];
        let read = bunzai_mapping::check_with("formats/own.toml", source, &open, &kinds);
        let (declaration, _) = read.unwrap_or_else(|(files, wrong)| panic!("{}", files.render(&wrong[0])));
        loaded.push(Declared::loaded(declaration.map, kind));
    }
    loaded
}

#[test]
fn a_mapping_file_is_the_same_compiled_and_loaded() {
    let loaded = loaded();
    each_format("compiled as loaded", Bounds::NONE, &|case, rng, _| {
        let format = case.subject.format;
        let other = loaded.iter().find(|other| other.id() == format.id()).unwrap();
        // Rust code is not there when a file is loaded.
        if format.id() == "laws-album" {
            assert!(other.read_schema().is_err());
            return Ok(());
        }
        assert_eq!(format.map(), other.map());
        agree(format, other, &case.text(&[0, 30], rng), rng)
    });
    for format in crate::subject::formats().into_iter().filter(|format| format.id() != "laws-album") {
        let other = loaded.iter().find(|other| other.id() == format.id()).unwrap();
        assert_eq!(format.read_schema().unwrap(), other.read_schema().unwrap());
        assert_eq!(format.write_schema().unwrap(), other.write_schema().unwrap());
    }
}

/// The rules of `mappings/marinara/regex.toml` in attributes.
#[derive(bunzai::Codec)]
#[codec(format = "marinara-regex", kind = RegexSetBody, label = "Marinara regex scripts")]
#[codec(lost = [
    description, enabled, rules[].note, rules[].useFlags, rules[].substituteFind, rules[].runOnEdit,
    rules[].firstMatchOnly, rules[].condition, rules[].overlay, "rules[].extras.*",
])]
#[codec(detect(
    score = 0.95,
    all("[*].id": string, "[*].findRegex": string),
    any(
        "[*].targetCharacterIds", "[*].order", (at = "[*].placement", has = ai_output),
        (at = "[*].placement", has = user_input),
    ),
    none("[*].scriptName"),
))]
#[codec(maps(rule(
    fields(
        id(to = id, need),
        name(to = label, or = ""),
        enabled(to = enabled, as = "bool|bool:text", or = false),
        findRegex(to = find, need),
        replaceString(to = replace, or = ""),
        trimStrings(to = trimStrings, text = "plain|json", blank = omit, gone = blank, fresh = []),
        placement(to = phases, text = "plain|json", as = unique, table = placement, or = []),
        flags(to = flags, or = ""),
        promptOnly(to = targets, has = prompt, as = "bool|bool:text"),
        targetCharacterIds(to = characterIds, text = "plain|json", blank = omit, gone = blank, fresh = []),
        order(to = sortOrder, or = 0),
        minDepth(to = minDepth, null = keep, or = @null, fresh = @null),
        maxDepth(to = maxDepth, null = keep, or = @null, fresh = @null),
        createdAt(to = extras.marinaraCreatedAt, or = "", fresh = ""),
        updatedAt(to = extras.marinaraUpdatedAt, or = "", fresh = ""),
    ),
    sealed(
        applyMode(is = string),
        targetPromptPresetIds(is = list | string),
        characterId(is = string | null),
    ),
)))]
#[codec(tables(placement(rows = [[user_input, input], [ai_output, output]])))]
struct Rules {
    #[codec(to = name, rename = "@file.stem", blank = omit, or = "Imported regex scripts")]
    name: Option<String>,
    #[codec(to = rules, rename = ".", each = rule, by = id)]
    rules: Vec<()>,
}

#[test]
fn attributes_say_what_a_mapping_file_says() {
    each_format("attributes as a file", Bounds::NONE, &|case, rng, _| {
        if case.subject.format.id() != "marinara-regex" {
            return Ok(());
        }
        agree(case.subject.format, Rules::format(), &case.text(&[0, 30], rng), rng)
    });
}

/// A body by serde, and by the reader of native files with that body in it.
fn both<B: DeserializeOwned + serde::Serialize>(kind: &str, body: &Value) -> Check {
    let file = serde_json::json!({ "schemaVersion": "1", "kind": kind, "id": "x", "body": body }).to_string();
    let native = NATIVE.import(Input::new(file));
    let serde = serde_json::from_value::<B>(body.clone());
    match (native, serde) {
        (Ok(native), Ok(serde)) => {
            alike("the body", &serde_json::to_value(&serde).unwrap(), &json(native.entity.body.as_node()))
        }
        (Err(_), Err(_)) => Ok(()),
        (native, serde) => Err(format!("native: {:?}, serde: {:?}\n{body:#}", native.err(), serde.err())),
    }
}

#[test]
fn serde_reads_what_the_native_reader_reads() {
    each_format("serde as native", Bounds { skipped: 30, named: 0 }, &|case, rng, tally| {
        let Some(mut entity) = checks::import(&case.subject, &case.text(&[0], rng))? else { return tally.skip() };
        case.subject.editor(false).fill_node(entity.body.as_node_mut(), rng);
        let mut body = json(entity.body.as_node());
        if rng.bool() {
            let mut doc: Doc = from_value(&body);
            mutilate(&mut doc, rng);
            body = serde_json::from_str(&doc.compact()).unwrap();
        }
        match entity.kind() {
            "album" => both::<own::Album>("album", &body),
            "lorebook" => both::<LorebookBody>("lorebook", &body),
            "persona" => both::<PersonaBody>("persona", &body),
            "preset" => both::<PresetBody>("preset", &body),
            "promptformat" => both::<PromptFormatBody>("promptformat", &body),
            "quickreply" => both::<QuickReplyBody>("quickreply", &body),
            "regex" => both::<RegexSetBody>("regex", &body),
            "programme" => both::<own::Programme>("programme", &body),
            "search" => both::<own::Search>("search", &body),
            "shelf" => both::<own::Shelf>("shelf", &body),
            other => Err(format!("no body is known for {other}")),
        }
    });
}

#[test]
fn pairs_that_differ_are_told() {
    let case = Case::new(Subject::new(bunzai::MarinaraPersona::format()));
    let source = include_str!("../../mappings/marinara/persona.toml");
    for (was, is) in [
        ("as = \"trim\",", ""),
        ("to = \"brief\", as = \"trim\",    blank = \"omit\"", "to = \"brief\", as = \"trim\""),
        ("\"attribution.source\" = \"marinara\"", "\"attribution.source\" = \"other\""),
        ("gone = \"keep\"", "gone = \"remove\""),
    ] {
        let changed = source.replacen(was, is, 1);
        assert_ne!(changed, source, "{was} is not there");
        let other = bunzai::load("a file", &changed).unwrap();
        let told = run(&case, &|case, rng, _| agree(case.subject.format, &other, &case.text(&[0, 30], rng), rng));
        assert!(told.is_err(), "nobody tells {was:?} from {is:?}");
    }
    let body = serde_json::json!({ "name": "n", "content": "" });
    assert_eq!(both::<PersonaBody>("persona", &body), Ok(()));
    assert!(both::<PersonaBody>("regex", &body).is_err() && both::<RegexSetBody>("persona", &body).is_err());
}
