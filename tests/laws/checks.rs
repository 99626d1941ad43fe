//! The laws, each as a check of one case that says what is wrong.

use std::collections::{BTreeMap, BTreeSet};

use bunzai::{AnyEntity, Error, Format, Input, WarningKind};
use fastrand::Rng;
use serde_json::Value;

use crate::compare::{How, differences};
use crate::edit::What;
use crate::follow::{self, Followed, Story};
use crate::frame;
use crate::quotients::refuses;
use crate::slots::Edit;
use crate::subject::{FILE, NATIVE, Out, REGISTRY, Subject, body, value};
use crate::tally::Tally;

pub(crate) type Check = Result<(), String>;

/// Reads a document of the generator; nothing where the map refuses odd values by a table.
pub(crate) fn import(subject: &Subject, text: &str) -> Result<Option<AnyEntity>, String> {
    match subject.read(text, FILE) {
        Ok((entity, _)) => Ok(Some(entity)),
        Err(Error::Unreadable { .. }) if refuses(subject.format.map()) => Ok(None),
        // A row of a list may lack what it needs.
        Err(Error::Needed { .. }) => Ok(None),
        Err(error) => Err(format!("a document of the format is not read: {error}")),
    }
}

fn through_native(entity: &AnyEntity) -> Result<AnyEntity, String> {
    let bytes = NATIVE.export(entity.into()).map_err(|error| error.to_string())?.bytes().into_owned();
    NATIVE.import(Input::new(bytes)).map(|got| got.entity).map_err(|error| error.to_string())
}

pub(crate) fn untouched(subject: &Subject, text: &str, tally: &mut Tally) -> Check {
    let Some(entity) = import(subject, text)? else { return tally.skip() };
    let same =
        |out: &Out| if out.text == text { Ok(()) } else { Err(format!("unedited, this is written: {}", out.text)) };
    let out = subject.write(&entity)?;
    same(&out)?;
    if !out.report.is_lossless() {
        return Err(format!("unedited, and yet {:?}", out.report));
    }
    let kept = through_native(&entity)?;
    if body(&kept) != body(&entity) {
        return Err("the body is another after a native file".into());
    }
    same(&subject.write(&kept)?)
}

/// What is written reads back as what was given, but for what the report names; and the report
/// names nothing else. `twin` is what was imported and the document it was imported from.
pub(crate) fn reads_back(
    subject: &Subject,
    entity: &AnyEntity,
    twin: Option<(&Value, &str)>,
    tally: &mut Tally,
) -> Check {
    let out = subject.write(entity)?;
    if out.is_disowned() {
        // The format cannot say this entity at all, and the report says so.
        return tally.skip();
    }
    let given = body(entity);
    let file = subject.file(&given, entity.original.contains_key(subject.format.id()), &out);
    let again = subject.read(&out.text, file);
    let (again, _) = again.map_err(|error| format!("what was written is not read: {error}\n{}", out.text))?;
    let found = body(&again);
    // Only what the engine made of the twin may come back as something else that it makes.
    let made = twin.map(|(imported, text)| subject.body(imported, &value(text)).made).unwrap_or_default();
    let given_body = crate::compare::Body { value: &given, made };
    let written = value(&out.text);
    let found_body = subject.body(&found, &written);
    let lists = [(&out.report.lost, How::Lost), (&out.report.coerced, How::Coerced), (&out.report.kept, How::Kept)];
    let named = lists.iter().flat_map(|(list, how)| list.iter().map(|loss| (loss.at.clone(), *how)));
    let named: BTreeMap<String, How> = named.collect();
    let lost: BTreeSet<String> = out.report.lost.iter().map(|loss| loss.at.clone()).collect();
    let differing = differences(subject.quotients(&written), &given_body, &found_body, &lost);
    let shown = |what: String| Err(format!("{what}\nwritten: {}\nreport: {:#?}", out.text, out.report));
    for difference in &differing {
        match named.get(&difference.at) {
            None => return shown(format!("the report does not name {difference}")),
            Some(how) if *how != difference.how => return shown(format!("{how:?} is said of {difference}")),
            Some(_) => {}
        }
    }
    let differs: BTreeSet<&String> = differing.iter().map(|difference| &difference.at).collect();
    if let Some(at) = named.keys().find(|at| !differs.contains(at)) {
        return shown(format!("{at} is named, and reads back the same"));
    }
    tally.values(&given, differing.len());
    Ok(())
}

pub(crate) fn edit_sticks(subject: &Subject, text: &str, rng: &mut Rng, tally: &mut Tally) -> Check {
    let Some(mut entity) = import(subject, text)? else { return tally.skip() };
    let imported = body(&entity);
    let editor = subject.editor(rng.bool());
    for _ in 0..rng.usize(1..5) {
        editor.edit(entity.body.as_node_mut(), What::Both, rng);
    }
    reads_back(subject, &entity, Some((&imported, text)), tally)
}

pub(crate) fn fresh_reads(subject: &Subject, text: &str, rng: &mut Rng, tally: &mut Tally) -> Check {
    let Some(entity) = fresh(subject, text, rng)? else { return tally.skip() };
    reads_back(subject, &entity, None, tally)
}

/// An entity without a twin.
fn fresh(subject: &Subject, text: &str, rng: &mut Rng) -> Result<Option<AnyEntity>, String> {
    let Some(mut entity) = import(subject, text)? else { return Ok(None) };
    subject.editor(rng.u8(..4) == 0).fill_node(entity.body.as_node_mut(), rng);
    entity.original.clear();
    Ok(Some(entity))
}

/// Edits values first and then rows, so that it is known of each which slots may change.
pub(crate) fn frame(subject: &Subject, text: &str, rng: &mut Rng, tally: &mut Tally) -> Check {
    let Some(mut entity) = import(subject, text)? else { return tally.skip() };
    let editor = subject.editor(rng.u8(..4) == 0);
    let imported = body(&entity);
    let some = |entity: &mut AnyEntity, what, most: usize, rng: &mut Rng| {
        let edits = (0..rng.usize(0..=most)).filter_map(|_| editor.edit(entity.body.as_node_mut(), what, rng));
        edits.collect::<BTreeSet<String>>()
    };
    some(&mut entity, What::Values, 3, rng);
    let edited = body(&entity);
    let moved = some(&mut entity, What::Rows, 2, rng);
    let last = body(&entity);
    let out = subject.write(&entity)?;
    let Some(map) = crate::picks::resolved(subject.format.map(), &value(text)) else { return tally.skip() };
    let given = editor.given.borrow();
    let edit = Edit { map: &map, imported: &imported, edited: &edited, last: &last, moved: &moved, given: &given };
    frame::check(&edit, text, &out.text).map_err(|wrong| format!("{wrong}\nmoved: {moved:?}\nwritten: {}", out.text))
}

pub(crate) fn follow(subject: &Subject, text: &str, rng: &mut Rng, tally: &mut Tally) -> Check {
    let Some(mut entity) = import(subject, text)? else { return tally.skip() };
    let imported = body(&entity);
    let editor = subject.editor(rng.u8(..3) == 0);
    for _ in 0..rng.usize(1..4) {
        editor.edit(entity.body.as_node_mut(), if rng.bool() { What::Rows } else { What::Both }, rng);
    }
    let edited = body(&entity);
    let out = subject.write(&entity)?;
    if out.is_disowned() {
        return tally.skip();
    }
    let (again, _) = subject.read(&out.text, FILE).map_err(|error| error.to_string())?;
    let (again, twin, written) = (body(&again), value(text), value(&out.text));
    let story = Story { imported: &imported, edited: &edited, again: &again, twin: &twin, out: &written };
    let mut followed = Followed::default();
    follow::check(subject.format.map(), story, &mut followed)
        .map_err(|wrong| format!("{wrong}\nwritten: {}", out.text))?;
    tally.rows(followed);
    Ok(())
}

pub(crate) fn recognised(subject: &Subject, text: &str, rng: &mut Rng, tally: &mut Tally) -> Check {
    let Some(entity) = fresh(subject, text, rng)? else { return tally.skip() };
    let out = subject.write(&entity)?;
    let found = REGISTRY.detect(&Input::new(out.text.clone())).map_err(|error| error.to_string())?;
    match found.first() {
        Some(best) if best.format.id() == subject.format.id() => Ok(()),
        _ if out.is_disowned() => tally.skip(),
        _ => Err(format!("not recognised, and nothing said: {found:?}\n{}", out.text)),
    }
}

pub(crate) fn contained(subject: &Subject, text: &str, rng: &mut Rng, tally: &mut Tally) -> Check {
    const SECRET: &str = "of another application";
    let Some(entity) = import(subject, text)? else { return tally.skip() };
    let native = NATIVE.export((&entity).into()).map_err(|error| error.to_string())?.text().into_owned();
    let before = "\"original\": {";
    let at = native.find(before).ok_or("there is no original")? + before.len();
    let with =
        format!("{}\"other-format\": {{\"raw\": {{\"secret\": \"{SECRET}\"}}}},{}", &native[..at], &native[at..]);
    let mut entity = NATIVE.import(Input::new(with)).map_err(|error| error.to_string())?.entity;
    let editor = subject.editor(false);
    editor.edit(entity.body.as_node_mut(), What::Both, rng);
    let over = subject.write(&entity)?.text;
    entity.original.shift_remove(subject.format.id());
    let fresh = subject.write(&entity)?.text;
    match over.contains(SECRET) || fresh.contains(SECRET) {
        true => Err("what another application keeps is in the file".into()),
        false => Ok(()),
    }
}

/// A document imports exactly when its gate lets it in, which it is asked apart from the engine.
pub(crate) fn gate_is_import(subject: &Subject, text: &str) -> Check {
    let score = subject.score(text);
    let expected = crate::gate::shape(subject.format.map(), &value(text));
    if (score > 0.0) != expected.is_some() {
        return Err(format!("the score is {score}, and the shape is {expected:?}"));
    }
    match (subject.read(text, FILE), score > 0.0) {
        (Ok(_), true) | (Err(Error::Refused { .. }), false) => Ok(()),
        (Err(Error::Unreadable { .. }), true) if refuses(subject.format.map()) => Ok(()),
        // A row of a list may lack what it needs; the document itself does not.
        (Err(Error::Needed { at, .. }), true) if at.matches('/').count() > 1 => Ok(()),
        (got, _) => Err(format!("the score is {score}, and the import {:?}", got.map(|_| ()))),
    }
}

/// The schemas of a format, by an independent validator.
pub(crate) struct Schemas {
    pub(crate) read: jsonschema::Validator,
    pub(crate) write: jsonschema::Validator,
}

impl Schemas {
    pub(crate) fn of(subject: &Subject) -> Self {
        let validator = |schema: bunzai::Result<bunzai::schemars::Schema>| {
            jsonschema::validator_for(&schema.expect("a format has schemas").to_value()).expect("a schema is valid")
        };
        Self { read: validator(subject.format.read_schema()), write: validator(subject.format.write_schema()) }
    }
}

fn errors(validator: &jsonschema::Validator, value: &Value) -> Vec<String> {
    validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

pub(crate) fn schema_fits(subject: &Subject, schemas: &Schemas, text: &str, tally: &mut Tally) -> Check {
    let mut told = 0;
    let odd: Vec<String> = match subject.read(text, FILE) {
        Ok((_, warnings)) => {
            told = warnings.len();
            let odd = warnings.iter().filter(|warning| warning.kind == WarningKind::Type);
            odd.map(|warning| format!("{warning:?}")).collect()
        }
        // It is about what a table refuses, or a row that lacks what it needs.
        Err(error) => vec![error.to_string()],
    };
    // A validator sees the last of two equal keys, as the import does.
    let errors = errors(&schemas.read, &value(text));
    tally.odd += usize::from(!odd.is_empty());
    // A schema knows the maps of a row, and not which of them reads it.
    if subject.is_woven() && (!odd.is_empty() || told > 0) {
        return Ok(());
    }
    match odd.is_empty() == errors.is_empty() {
        true => Ok(()),
        false => Err(format!("import: {odd:?}\nschema: {errors:?}")),
    }
}

pub(crate) fn fresh_fits(subject: &Subject, schemas: &Schemas, text: &str, rng: &mut Rng, tally: &mut Tally) -> Check {
    let Some(entity) = fresh(subject, text, rng)? else { return tally.skip() };
    let out = subject.write(&entity)?;
    match errors(&schemas.write, &value(&out.text)) {
        errors if errors.is_empty() => Ok(()),
        errors => Err(format!("{errors:?}\n{}", out.text)),
    }
}
