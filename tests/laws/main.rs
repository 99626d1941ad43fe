//! The laws, for every format, over documents and edits made at random.
//!
//! Every case has a seed, which a failure prints; `BUNZAI_SEED` runs one case again and
//! `BUNZAI_CASES` sets how many are run. `BUNZAI_FORMAT` runs the laws over one format alone.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "these are tests")]

mod broken;
mod checks;
mod compare;
mod doc;
mod edit;
mod follow;
mod frame;
mod gate;
mod generate;
mod hostile;
mod laws;
mod own;
mod pairs;
mod paths;
mod picks;
mod quotients;
mod slots;
mod subject;
mod tally;
mod tree;
mod walk;
mod words;
mod woven;

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
    pub(crate) schemas: OnceCell<Schemas>,
}

impl Case {
    pub(crate) fn new(subject: Subject) -> Self {
        Self { generator: Generator::new(subject.format), subject, schemas: OnceCell::new() }
    }

    pub(crate) fn schemas(&self) -> &Schemas {
        self.schemas.get_or_init(|| Schemas::of(&self.subject))
    }

    /// A document of the format as text; of a hundred values one of so many is spoilt.
    pub(crate) fn text(&self, hostility: &[u8], rng: &mut Rng) -> String {
        let mut doc = self.document(hostility, rng);
        follow::mark_rows(self.subject.format.map(), &mut doc);
        let style = Style::random(rng);
        doc.print(style, rng)
    }

    pub(crate) fn document(&self, hostility: &[u8], rng: &mut Rng) -> Doc {
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
        None => 0..setting("BUNZAI_CASES").unwrap_or(400),
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
    let only = std::env::var("BUNZAI_FORMAT").ok();
    for format in subject::formats().into_iter().filter(|format| only.as_ref().is_none_or(|id| id == format.id())) {
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
