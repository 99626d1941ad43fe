//! Conversions from one application to another: what a person who moves a file finds there.
//!
//! Each kind has a rich file of either application. It is written for the other one and read back
//! from there. What the new file says is checked word by word, what is not carried is listed path by
//! path, and of every conversion the report must name what differs, no more and no less.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may stop where it stands")]

mod bundle;
mod lorebook;
mod paths;
mod preset;
mod regex;

use bunzai::{AnyEntity, Format as _, Input, Loss, NATIVE_FORMAT, Report, formats};
use serde_json::Value;

use crate::paths::{Difference, below, differences, expand, moved, pattern};

/// A file of one application.
struct File {
    format: &'static str,
    name: &'static str,
    text: &'static str,
}

/// A conversion, and what the file it made reads as.
struct Trip {
    given: Value,
    text: String,
    report: Report,
    read: AnyEntity,
    found: Value,
}

impl File {
    #[track_caller]
    fn read(&self) -> AnyEntity {
        read(self.format, self.name, self.text)
    }

    /// Converts the file, and back from what was written, without help from the original.
    #[track_caller]
    fn there_and_back(&self, to: &str) -> (Trip, Trip) {
        let there = convert(&self.read(), to);
        assert!(there.read.original.contains_key(to) && there.read.original.len() == 1);
        let back = convert(&there.read, self.format);
        (there, back)
    }
}

#[track_caller]
fn read(format: &str, name: &str, text: &str) -> AnyEntity {
    let format = formats().format(format).unwrap();
    let imported = format.import(Input::new(text).file_name(name)).unwrap();
    assert_eq!(imported.warnings, []);
    imported.entity
}

/// The body, as a native file has it.
fn body(entity: &AnyEntity) -> Value {
    let file = NATIVE_FORMAT.export(entity.into()).unwrap();
    let mut file: Value = serde_json::from_str(&file.text()).unwrap();
    file["body"].take()
}

/// Writes an entity for an application, and reads the file.
#[track_caller]
fn convert(entity: &AnyEntity, to: &str) -> Trip {
    let exported = formats().format(to).unwrap().export(entity.into()).unwrap();
    let (text, report) = (exported.text().into_owned(), exported.report().unwrap());
    assert_eq!(report.warnings, []);
    let read = read(to, exported.name(), &text);
    let trip = Trip { given: body(entity), found: body(&read), text, report, read };
    trip.report_is_exact();
    trip
}

impl Trip {
    /// What was written, as JSON.
    fn file(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    /// Where the report says that something does not read back.
    fn told(&self) -> Vec<&str> {
        let Report { lost, coerced, kept, .. } = &self.report;
        lost.iter().chain(coerced).chain(kept).map(at).collect()
    }

    fn differences(&self) -> Vec<Difference> {
        differences(&self.given, &self.found)
    }

    /// What differs is told, unless nothing was given there; and what is told differs.
    #[track_caller]
    fn report_is_exact(&self) {
        let (told, differ) = (self.told(), self.differences());
        let silent: Vec<_> = differ.iter().filter(|one| one.counts() && !is_in(&told, &one.at)).collect();
        assert!(silent.is_empty(), "nobody tells of {silent:#?}");
        let differ: Vec<&str> = differ.iter().map(|one| one.at.as_str()).collect();
        let idle: Vec<_> = told.iter().filter(|at| !is_in(&differ, at)).collect();
        assert!(idle.is_empty(), "these read back as they were: {idle:#?}");
    }

    /// What is told to be lost; see [`expand`] for how it is written.
    #[track_caller]
    fn loses(&self, paths: &[&str]) {
        same("lost", self.report.lost.iter().map(at), paths);
    }

    /// What is told to read back as another value.
    #[track_caller]
    fn changes(&self, paths: &[&str]) {
        same("changed", self.report.coerced.iter().map(at), paths);
        assert_eq!(self.report.kept, [], "there is no original whose text could stay");
    }

    /// What reads back though nothing was given and nothing is told: the words of a format that
    /// says of every row what the other one leaves open. Rows are `*`.
    #[track_caller]
    fn adds(&self, patterns: &[&str]) {
        let told = self.told();
        let added = self.differences().into_iter().filter(|one| one.given.is_none() && !is_in(&told, &one.at));
        let mut added: Vec<String> = added.map(|one| pattern(&one.at)).collect();
        added.sort();
        added.dedup();
        assert_eq!(added, patterns);
    }
}

/// What differs after both conversions; each is told by one of them.
#[track_caller]
fn differ_in_the_end((there, back): &(Trip, Trip), paths: &[&str]) {
    let differ = differences(&there.given, &back.found);
    let (first, then) = (there.told(), back.told());
    for one in differ.iter().filter(|one| one.counts()) {
        let midway = moved(&one.at, &there.given, &there.found);
        assert!(is_in(&first, &one.at) || is_in(&then, &midway), "neither report tells of {one:?}");
    }
    same("different in the end", differ.iter().filter(|one| one.counts()).map(|one| one.at.as_str()), paths);
}

fn at(loss: &Loss) -> &str {
    loss.at.strip_prefix("/body/").unwrap()
}

/// Whether one of the places is this one, holds it, or is in it.
fn is_in(places: &[&str], at: &str) -> bool {
    places.iter().any(|place| below(place, at) || below(at, place))
}

#[track_caller]
fn same<'a>(what: &str, found: impl Iterator<Item = &'a str>, expected: &[&str]) {
    let mut found: Vec<String> = found.map(str::to_owned).collect();
    let mut expected: Vec<String> = expected.iter().flat_map(|path| expand(path)).collect();
    found.sort();
    expected.sort();
    let missing: Vec<_> = expected.iter().filter(|path| !found.contains(path)).collect();
    let surplus: Vec<_> = found.iter().filter(|path| !expected.contains(path)).collect();
    assert!(missing.is_empty() && surplus.is_empty(), "{what}: not {missing:#?}, but {surplus:#?}");
    assert_eq!(found, expected);
}

/// A native file between them: it keeps the original whole while files of another application are made.
#[track_caller]
fn native_between(file: &File, to: &str, secrets: &[&str]) {
    let native = NATIVE_FORMAT.export((&file.read()).into()).unwrap().text().into_owned();
    let open = || NATIVE_FORMAT.import(Input::new(native.clone())).unwrap().entity;
    let other = convert(&open(), to);
    for secret in secrets {
        assert!(file.text.contains(secret), "{secret} is not in the file itself");
        assert!(!other.text.contains(secret), "{secret} came along");
    }
    let own = formats().format(file.format).unwrap();
    assert_eq!(own.export((&open()).into()).unwrap().text(), file.text);
}
