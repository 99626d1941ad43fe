//! Export over a twin: one pass that walks the twin beside the model, compares value by value,
//! and splices what differs.
//!
//! The pass reads the twin exactly as an import would, so that a row is written only where the
//! model is not what the twin reads as. Nothing is built or copied until something differs.

use std::ops::Range;

use super::gate::Truth;
use super::import::fill_value;
use super::plan::{Frame, RowPlan, Way};
use super::rows::Identity;
use super::target::Target;
use super::value::{Items, Layer};
use super::{Pass, Source, Walk};
use crate::error::Error;
use crate::json::{Cursor, Number, Patches};
use crate::limits::Limits;
use crate::model::{List, Node, View};

/// What an export over a twin came to.
#[derive(Debug)]
pub(crate) enum Put {
    /// The twin says what the model says.
    Same,
    /// The twin with what differed spliced in.
    Changed(String),
    /// The twin does not pass the gate of its format.
    Refused,
}

/// Writes a body over its twin.
pub(crate) fn put(
    frame: &Frame,
    text: &str,
    body: &dyn Node,
    source: Source<'_>,
    limits: Limits,
) -> Result<Put, Error> {
    let mut export = Export { walk: Walk::new(source, limits), met: Vec::new(), truth: Truth::new(frame) };
    let mut patches = Patches::default();
    let scope = Scope { frame, node: body, index: 0 };
    let done = export.frame(&scope, &mut Cursor::new(text), &mut patches, Identity::None);
    done.map_err(|stop| stop.into_error(text))?;
    if !export.truth.passes() {
        return Ok(Put::Refused);
    }
    if patches.is_empty() {
        return Ok(Put::Same);
    }
    let mut out = String::new();
    patches.apply(text, &mut out);
    Ok(Put::Changed(out))
}

/// A frame beside the struct of the model it speaks of.
#[derive(Clone, Copy)]
pub(super) struct Scope<'p, 'm> {
    pub(super) frame: &'p Frame,
    pub(super) node: &'m dyn Node,
    /// The place of the row, should the frame read one.
    pub(super) index: usize,
}

pub(super) struct Export<'p> {
    pub(super) walk: Walk<'p>,
    /// What has been met at each place of the frames that are open, the innermost last.
    pub(super) met: Vec<Met>,
    pub(super) truth: Truth<'p>,
}

/// What was met at a place.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Met {
    pub(super) start: usize,
    /// Zero: the place is not there.
    pub(super) end: usize,
    /// Whether the model says something else.
    differs: bool,
}

impl Met {
    pub(super) fn is_there(self) -> bool {
        self.end > 0
    }

    pub(super) fn span(self) -> Range<usize> {
        self.start..self.end
    }
}

/// How a frame compared.
pub(super) struct Compared {
    /// Whether the row that holds the identity says what the model says. If not, nothing was
    /// edited.
    pub(super) same_identity: bool,
    /// Whether every row does.
    pub(super) same: bool,
}

impl<'p> Export<'p> {
    /// Compares the value at the cursor with the model, and edits it where they differ.
    pub(super) fn frame(
        &mut self,
        scope: &Scope<'p, '_>,
        cursor: &mut Cursor<'_>,
        patches: &mut Patches,
        identity: Identity,
    ) -> Pass<Compared> {
        let base = self.met.len();
        self.met.resize(base + scope.frame.places.len(), Met::default());
        let mark = patches.mark();
        self.place(scope, base, 0, cursor, patches)?;
        let mut differing = Vec::new();
        let mut same_identity = true;
        for (n, row) in scope.frame.rows.iter().enumerate() {
            let Some(place) = row.place else { continue };
            let met = self.met[base + place];
            let differs = if met.is_there() { met.differs } else { !self.default_is(row, scope) };
            if !differs {
                continue;
            }
            match identity {
                // A row without an identity was given one that is not written.
                Identity::Known(by) if by == n => {}
                Identity::Asked(by) if by == n => same_identity = !met.is_there() && row.is_unnamed(scope),
                _ => differing.push(n),
            }
        }
        let same = differing.is_empty() && patches.mark() == mark;
        if !differing.is_empty() && same_identity {
            self.edit(scope, base, &differing, cursor.source(), patches)?;
        }
        self.met.truncate(base);
        Ok(Compared { same_identity, same })
    }

    fn place(
        &mut self,
        scope: &Scope<'p, '_>,
        base: usize,
        at: usize,
        cursor: &mut Cursor<'_>,
        patches: &mut Patches,
    ) -> Pass {
        let place = &scope.frame.places[at];
        let first = cursor.peek()?;
        let start = cursor.at();
        if self.met[base + at].is_there() {
            // Of two equal keys the last one counts: what was found out about the first is void.
            self.forget(scope.frame, base, at, patches);
        }
        self.truth.at(place, first, cursor)?;
        let same = match place.row {
            Some(row) => self.row(&scope.frame.rows[row], scope, cursor, patches)?,
            None => {
                if first == b'{' && !place.children.is_empty() {
                    self.members(scope, base, at, cursor, patches)?;
                } else {
                    cursor.skip()?;
                }
                true
            }
        };
        self.met[base + at] = Met { start, end: cursor.at(), differs: !same };
        Ok(())
    }

    fn members(
        &mut self,
        scope: &Scope<'p, '_>,
        base: usize,
        at: usize,
        cursor: &mut Cursor<'_>,
        patches: &mut Patches,
    ) -> Pass {
        let children = &scope.frame.places[at].children;
        let mut hint = 0;
        if !cursor.object()? {
            return Ok(());
        }
        loop {
            let key = cursor.key()?.text();
            match children.find(&key, &mut hint) {
                None => cursor.skip()?,
                Some(child) => self.place(scope, base, child, cursor, patches)?,
            }
            if !cursor.more(b'}')? {
                return Ok(());
            }
        }
    }

    #[cold]
    fn forget(&mut self, frame: &Frame, base: usize, at: usize, patches: &mut Patches) {
        patches.discard_inside(self.met[base + at].span());
        self.met[base + at] = Met::default();
        self.truth.forget(&frame.places[at]);
        for (_, child) in frame.places[at].children.iter() {
            self.forget(frame, base, child, patches);
        }
    }

    /// Whether the slot at the cursor says what the model says. Rows of a list are edited here.
    fn row(
        &mut self,
        row: &'p RowPlan,
        scope: &Scope<'p, '_>,
        cursor: &mut Cursor<'_>,
        patches: &mut Patches,
    ) -> Pass<bool> {
        if !row.slot.has_texts() {
            return self.plain_row(row, scope, cursor, patches);
        }
        let start = cursor.at();
        match row.slot.layer(cursor)? {
            Layer::Plain => self.plain_row(row, scope, cursor, patches),
            Layer::Unreadable => {
                cursor.skip()?;
                Ok(self.default_is(row, scope))
            }
            Layer::Json(inner) => {
                self.walk.texts += 1;
                self.walk.check_texts()?;
                let mut inside = Patches::default();
                let same = self.plain_row(row, scope, &mut Cursor::new(&inner), &mut inside)?;
                self.walk.texts -= 1;
                if !inside.is_empty() {
                    inside.carry_into(&cursor.source()[start + 1..cursor.at() - 1], start + 1, patches);
                }
                Ok(same)
            }
        }
    }

    fn plain_row(
        &mut self,
        row: &'p RowPlan,
        scope: &Scope<'p, '_>,
        cursor: &mut Cursor<'_>,
        patches: &mut Patches,
    ) -> Pass<bool> {
        match &row.way {
            Way::Sealed | Way::File => Ok(cursor.skip().map(|()| true)?),
            Way::Value => self.same_value(row, scope, cursor),
            Way::Items => self.same_items(row, scope, cursor),
            Way::Word(_) => {
                let has = row.has_word(scope.node);
                Ok(row.slot.same(cursor, View::Bool(has), |_| !has)?)
            }
            Way::Rows(rows) => match (cursor.peek()?, row.list(scope.node)) {
                (b'[', Some(list)) => self.rows(rows, list, cursor, patches).map(|()| true),
                (b'[', None) => {
                    let mut look = cursor.clone();
                    let any = look.list()?;
                    self.truth.pass_over_rows(rows, cursor)?;
                    Ok(!any && row.row.omit_blank)
                }
                (_, list) => {
                    cursor.skip()?;
                    Ok(list.is_none_or(List::is_empty))
                }
            },
        }
    }

    fn same_value(&self, row: &RowPlan, scope: &Scope<'p, '_>, cursor: &mut Cursor<'_>) -> Pass<bool> {
        let start = cursor.at();
        let mut same = true;
        for (n, route) in row.routes.iter().enumerate() {
            if n > 0 {
                cursor.go_back(start);
            }
            let view = route.whole.view(scope.node);
            let default = |view: View<'_>| is_default(row, &route.whole, view, scope, self.walk.source);
            same &= row.slot.same(cursor, view, default)?;
        }
        Ok(same)
    }

    fn same_items(&self, row: &RowPlan, scope: &Scope<'p, '_>, cursor: &mut Cursor<'_>) -> Pass<bool> {
        if cursor.peek()? != b'[' {
            cursor.skip()?;
            return Ok(self.default_is(row, scope));
        }
        let items = row.routes.first().and_then(|route| Items::of(route, scope.node));
        let same = row.slot.same_items(cursor, items.as_ref())?;
        Ok(same.unwrap_or_else(|| self.default_is(row, scope)))
    }

    /// Whether the model holds what a slot reads as that says nothing.
    fn default_is(&self, row: &RowPlan, scope: &Scope<'p, '_>) -> bool {
        match &row.way {
            Way::Sealed | Way::File => true,
            Way::Word(_) => !row.has_word(scope.node),
            Way::Rows(_) => row.list(scope.node).is_none_or(List::is_empty),
            Way::Value | Way::Items => row
                .routes
                .iter()
                .all(|route| is_default(row, &route.whole, route.whole.view(scope.node), scope, self.walk.source)),
        }
    }
}

/// Whether a view is what a row reads from a slot that says nothing.
fn is_default(row: &RowPlan, target: &Target, view: View<'_>, scope: &Scope<'_, '_>, source: Source<'_>) -> bool {
    match row.row.or.as_ref().and_then(|fill| fill_value(fill, scope.node, scope.index, source)) {
        Some(value) => view.is(&value),
        None => is_none(row, target, view),
    }
}

/// Whether a view is what a blank struct has at a target.
fn is_none(row: &RowPlan, target: &Target, view: View<'_>) -> bool {
    match view {
        View::Absent => true,
        View::Null => !target.optional || !row.row.keep_null,
        _ if target.optional || target.nullable => false,
        View::Bool(b) => !b,
        View::Number(n) => n == Number::ZERO,
        View::Text(text) => text.is_empty(),
        View::List(list) => list.is_empty(),
        View::Dict(dict) => dict.is_empty(),
        View::Node(_) => false,
    }
}
