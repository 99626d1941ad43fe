//! The laws, for every format, over documents and edits made at random.
//!
//! Every case has a seed, which a failure prints; `BUNZAI_SEED` runs one case again and
//! `BUNZAI_CASES` sets how many are run.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "these are tests")]

mod checks;
mod compare;
mod doc;
mod edit;
mod follow;
mod frame;
mod gate;
mod generate;
mod hostile;
mod own;
mod pairs;
mod slots;
mod subject;
mod tally;
mod tree;
mod walk;
mod words;

use std::cell::OnceCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bunzai::Format;
use checks::{Check, Schemas};
use doc::{Doc, Style};
use fastrand::Rng;
use generate::Generator;
use subject::Subject;
use tally::{Bounds, Tally};

/// A format under test, and what makes documents of it.
pub(crate) struct Case {
    pub(crate) subject: Subject,
    pub(crate) generator: Generator<'static>,
    schemas: OnceCell<Schemas>,
}

impl Case {
    pub(crate) fn new(subject: Subject) -> Self {
        Self { generator: Generator::new(subject.format), subject, schemas: OnceCell::new() }
    }

    fn schemas(&self) -> &Schemas {
        self.schemas.get_or_init(|| Schemas::of(&self.subject))
    }

    /// A document of the format as text; of a hundred values one of so many is spoilt.
    pub(crate) fn text(&self, hostility: &[u8], rng: &mut Rng) -> String {
        let mut doc = self.document(hostility, rng);
        follow::mark_rows(self.subject.format.map(), &mut doc);
        let style = Style::random(rng);
        doc.print(style, rng)
    }

    fn document(&self, hostility: &[u8], rng: &mut Rng) -> Doc {
        let hostility = hostility[rng.usize(..hostility.len())];
        self.generator.document(rng, hostility)
    }
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|n| n.parse().ok())
}

/// Runs a check over many cases of a format; the seed of one that fails is in the error.
pub(crate) fn run(case: &Case, check: &dyn Fn(&Case, &mut Rng, &mut Tally) -> Check) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let seeds = match setting("BUNZAI_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..setting("BUNZAI_CASES").unwrap_or(300),
    };
    for seed in seeds {
        tally.cases += 1;
        let told = catch_unwind(AssertUnwindSafe(|| check(case, &mut Rng::with_seed(seed), &mut tally)));
        let wrong = match told {
            Ok(Ok(())) => continue,
            Ok(Err(wrong)) => wrong,
            Err(_) => "it panics".to_owned(),
        };
        return Err(format!("fails for {} with BUNZAI_SEED={seed}: {wrong}", case.subject.format.id()));
    }
    Ok(tally)
}

/// Runs a law over every format. All that fail are told.
fn each_format(law: &str, bounds: Bounds, check: &dyn Fn(&Case, &mut Rng, &mut Tally) -> Check) {
    let mut wrong = Vec::new();
    for format in subject::formats() {
        let case = Case::new(Subject::new(format));
        match run(&case, check) {
            Ok(tally) => {
                println!("{law}: {}: {tally:?}", format.id());
                wrong.extend(bounds.check(&tally).err().map(|wrong| format!("{}: {wrong}", format.id())));
            }
            Err(told) => wrong.push(told),
        }
    }
    assert!(wrong.is_empty(), "{law}:\n{}", wrong.join("\n\n"));
}

#[test]
fn untouched() {
    each_format("Untouched", Bounds { skipped: 30, named: 0 }, &|case, rng, tally| {
        checks::untouched(&case.subject, &case.text(&[0, 5, 30], rng), tally)
    });
}

#[test]
fn edit_sticks() {
    each_format("EditSticks", Bounds { skipped: 30, named: 30 }, &|case, rng, tally| {
        let text = case.text(&[0, 5, 15], rng);
        checks::edit_sticks(&case.subject, &text, rng, tally).map_err(|wrong| format!("{wrong}\ntwin: {text}"))
    });
}

#[test]
fn fresh_reads() {
    each_format("FreshReads", Bounds { skipped: 30, named: 60 }, &|case, rng, tally| {
        let text = case.text(&[0, 5], rng);
        checks::fresh_reads(&case.subject, &text, rng, tally)
    });
}

#[test]
fn frame_holds() {
    each_format("Frame", Bounds { skipped: 30, named: 0 }, &|case, rng, tally| {
        let text = case.text(&[0, 5, 15], rng);
        checks::frame(&case.subject, &text, rng, tally).map_err(|wrong| format!("{wrong}\ntwin: {text}"))
    });
}

#[test]
fn rows_keep_what_is_theirs() {
    each_format("Follow", Bounds { skipped: 30, named: 60 }, &|case, rng, tally| {
        let text = case.text(&[0, 5], rng);
        checks::follow(&case.subject, &text, rng, tally).map_err(|wrong| format!("{wrong}\ntwin: {text}"))
    });
}

#[test]
fn recognised() {
    each_format("Recognised", Bounds { skipped: 30, named: 0 }, &|case, rng, tally| {
        checks::recognised(&case.subject, &case.text(&[0], rng), rng, tally)
    });
}

#[test]
fn contained() {
    each_format("Contained", Bounds { skipped: 30, named: 0 }, &|case, rng, tally| {
        checks::contained(&case.subject, &case.text(&[0, 5], rng), rng, tally)
    });
}

#[test]
fn gate_is_import() {
    each_format("gate = import", Bounds::NONE, &|case, rng, _| {
        let mut doc = case.document(&[0, 5, 30], rng);
        for _ in 0..rng.usize(..3) {
            hostile::mutilate(&mut doc, rng);
        }
        let text = doc.compact();
        checks::gate_is_import(&case.subject, &text).map_err(|wrong| format!("{wrong}\n{text}"))
    });
}

#[test]
fn schema_fits() {
    each_format("SchemaFits", Bounds { skipped: 30, named: 0 }, &|case, rng, tally| {
        let schemas = case.schemas();
        let text = case.document(&[0, 3, 20], rng).compact();
        checks::schema_fits(&case.subject, schemas, &text, tally).map_err(|wrong| format!("{wrong}\n{text}"))?;
        checks::fresh_fits(&case.subject, schemas, &case.text(&[0], rng), rng, tally)
    });
}
