//! What was looked at, and what was not.

use serde_json::Value;

use crate::checks::Check;
use crate::follow::Followed;
use crate::paths::leaves;

#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) cases: usize,
    /// Cases in which there was nothing to look at.
    pub(crate) skipped: usize,
    /// Single values, or rows, that were compared.
    pub(crate) compared: usize,
    /// Those of them that a report names, or that cannot be told apart.
    pub(crate) named: usize,
    /// Rows of lists that have no identities, and that were edited.
    pub(crate) nameless: usize,
    /// Documents that do not validate.
    pub(crate) odd: usize,
}

impl Tally {
    /// Leaves a case out.
    pub(crate) fn skip(&mut self) -> Check {
        self.skipped += 1;
        Ok(())
    }

    pub(crate) fn values(&mut self, body: &Value, named: usize) {
        leaves(body, "", &mut |_, _| self.compared += 1);
        self.named += named;
    }

    pub(crate) fn rows(&mut self, followed: Followed) {
        self.compared += followed.rows + followed.unknown;
        self.named += followed.unknown;
        self.nameless += followed.nameless;
    }
}

/// How much of a hundred may be left out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) skipped: usize,
    pub(crate) named: usize,
}

impl Bounds {
    /// How many cases say something about shares.
    pub(crate) const ENOUGH: usize = 300;

    pub(crate) const NONE: Self = Self { skipped: 0, named: 0 };

    pub(crate) fn check(self, tally: &Tally) -> Check {
        let over = |part: usize, whole: usize, most: usize| part * 100 > whole * most;
        // A few cases say nothing about shares.
        if tally.cases >= Self::ENOUGH
            && (over(tally.skipped, tally.cases, self.skipped) || over(tally.named, tally.compared, self.named))
        {
            return Err(format!("too much was left out: {tally:?}, and at most {self:?} of a hundred may be"));
        }
        Ok(())
    }
}
