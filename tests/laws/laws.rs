//! The laws, each over every format: the documents it is tried on, and what may be left out.

use fastrand::Rng;

use crate::checks::{self, Check};
use crate::tally::{Bounds, Tally};
use crate::{Case, each_format, hostile};

/// A law over one case.
pub(crate) type Law = fn(&Case, &mut Rng, &mut Tally) -> Check;

/// Tells the document of a case that fails.
fn about(text: &str, check: Check) -> Check {
    check.map_err(|wrong| format!("{wrong}\ndocument: {text}"))
}

pub(crate) fn untouched(case: &Case, rng: &mut Rng, tally: &mut Tally) -> Check {
    let text = case.text(&[0, 5, 30], rng);
    about(&text, checks::untouched(&case.subject, &text, tally))
}

pub(crate) fn edit_sticks(case: &Case, rng: &mut Rng, tally: &mut Tally) -> Check {
    let text = case.text(&[0, 5, 15], rng);
    about(&text, checks::edit_sticks(&case.subject, &text, rng, tally))
}

pub(crate) fn fresh_reads(case: &Case, rng: &mut Rng, tally: &mut Tally) -> Check {
    let text = case.text(&[0, 5], rng);
    about(&text, checks::fresh_reads(&case.subject, &text, rng, tally))
}

pub(crate) fn frame(case: &Case, rng: &mut Rng, tally: &mut Tally) -> Check {
    let text = case.text(&[0, 5, 15], rng);
    about(&text, checks::frame(&case.subject, &text, rng, tally))
}

pub(crate) fn follow(case: &Case, rng: &mut Rng, tally: &mut Tally) -> Check {
    let text = case.text(&[0, 5], rng);
    about(&text, checks::follow(&case.subject, &text, rng, tally))
}

pub(crate) fn recognised(case: &Case, rng: &mut Rng, tally: &mut Tally) -> Check {
    let text = case.text(&[0], rng);
    about(&text, checks::recognised(&case.subject, &text, rng, tally))
}

pub(crate) fn contained(case: &Case, rng: &mut Rng, tally: &mut Tally) -> Check {
    let text = case.text(&[0, 5], rng);
    about(&text, checks::contained(&case.subject, &text, rng, tally))
}

pub(crate) fn gate_is_import(case: &Case, rng: &mut Rng, _: &mut Tally) -> Check {
    let mut doc = case.document(&[0, 5, 30], rng);
    for _ in 0..rng.usize(..3) {
        hostile::mutilate(&mut doc, rng);
    }
    let text = doc.compact();
    about(&text, checks::gate_is_import(&case.subject, &text))
}

pub(crate) fn schema_fits(case: &Case, rng: &mut Rng, tally: &mut Tally) -> Check {
    let text = case.document(&[0, 3, 20], rng).compact();
    about(&text, checks::schema_fits(&case.subject, case.schemas(), &text, tally))
}

pub(crate) fn fresh_fits(case: &Case, rng: &mut Rng, tally: &mut Tally) -> Check {
    let text = case.text(&[0], rng);
    about(&text, checks::fresh_fits(&case.subject, case.schemas(), &text, rng, tally))
}

mod over_every_format {
    use super::{Bounds, each_format};

    /// How many cases a table may refuse, or a gate: those of rows need one row at least.
    const SOME: usize = 30;

    #[test]
    fn untouched() {
        each_format("Untouched", Bounds { skipped: SOME, named: 0 }, &super::untouched);
    }

    #[test]
    fn edit_sticks() {
        each_format("EditSticks", Bounds { skipped: SOME, named: 27 }, &super::edit_sticks);
    }

    #[test]
    fn fresh_reads() {
        each_format("FreshReads", Bounds { skipped: SOME, named: 42 }, &super::fresh_reads);
    }

    #[test]
    fn frame() {
        each_format("Frame", Bounds { skipped: SOME, named: 0 }, &super::frame);
    }

    #[test]
    fn follow() {
        each_format("Follow", Bounds { skipped: SOME, named: 24 }, &super::follow);
    }

    #[test]
    fn recognised() {
        each_format("Recognised", Bounds { skipped: SOME, named: 0 }, &super::recognised);
    }

    #[test]
    fn contained() {
        each_format("Contained", Bounds { skipped: SOME, named: 0 }, &super::contained);
    }

    #[test]
    fn gate_is_import() {
        each_format("gate = import", Bounds::NONE, &super::gate_is_import);
    }

    #[test]
    fn schema_fits() {
        each_format("SchemaFits", Bounds::NONE, &super::schema_fits);
    }

    #[test]
    fn fresh_fits() {
        each_format("fresh SchemaFits", Bounds { skipped: SOME, named: 0 }, &super::fresh_fits);
    }
}
