//! Rows that are more than one map reads: each has a map of its own, some open groups, or the list
//! that keeps their order has a second half of each.
//!
//! They are read when the whole object is known, for what a row is may depend on all of them, and
//! the list may stand behind them. [`Reading`] is what a file says of such rows, [`Weave`] what the
//! model does; an import goes from one to the other, and an export lays the one beside the other.

mod export;
mod fresh;
mod import;
mod weave;

use super::layer::Layer;
use super::order::{Sequence, sequence};
use super::plan::{Dialect, Frame, OrderPlan, RowPlan, RowWay, RowsPlan, WovenPlan};
use super::rows::{Reader, Twins, member};
use super::slot::Got;
use super::target::Target;
use super::{Pass, asks, ids};
use crate::json::{Cursor, items};
use crate::map::Ids;
use crate::model::Node;

use self::weave::Weave;

/// What a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Of {
    /// One of the list, read in one of its ways.
    Row(usize),
    /// One that opens a group of a level.
    Head(usize),
}

impl Of {
    fn is_head(self) -> bool {
        matches!(self, Self::Head(_))
    }
}

/// How a row is read.
#[derive(Debug, Clone, Copy)]
struct How<'p> {
    frame: &'p Frame,
    /// Its item in the list that keeps the order.
    item: Option<&'p Frame>,
    /// Where there is no list and the row stands for its item.
    whole: &'p Frame,
    by: Option<usize>,
}

impl<'p> How<'p> {
    /// The frame of the row itself.
    fn own(self, with_items: bool) -> Reader<'p> {
        Reader { frame: if with_items { self.frame } else { self.whole }, by: self.by }
    }
}

/// What a file says of rows.
struct Reading<'t> {
    twins: Twins<'t>,
    /// What each of them is.
    of: Vec<Of>,
    /// The dialect of those that open groups.
    dialect: Option<usize>,
    /// What the list that keeps their order calls each of them.
    named: Vec<Option<String>>,
    /// Their sequence.
    read: Sequence,
    /// The items of that list, where there is one that orders something.
    items: Option<Items<'t>>,
    /// The rows of the file, by their places, that no map reads.
    strangers: Vec<usize>,
}

/// The items of a list that keeps an order. It may stand in another text than the rows.
struct Items<'t> {
    list: Cursor<'t>,
    /// Where they start; of a list in a text of its own nothing, for such items are no more than ids.
    starts: Vec<usize>,
}

impl<'t> Items<'t> {
    fn new(list: Cursor<'t>) -> Pass<Self> {
        let starts = match list.clone().peek()? {
            b'[' => items(list.source(), list.at())?.inside.into_iter().map(|item| item.start).collect(),
            _ => Vec::new(),
        };
        Ok(Self { list, starts })
    }

    fn at(&self, item: usize) -> Option<Cursor<'t>> {
        let start = *self.starts.get(item)?;
        Some(Cursor::starting_at(self.list.source(), start, self.list.depth() + 1))
    }
}

impl Reading<'_> {
    /// For each row the one that opens the group it is in.
    fn groups(&self) -> Vec<Option<usize>> {
        let mut groups = vec![None; self.of.len()];
        let mut open: Vec<usize> = Vec::new();
        for n in &self.read.rows {
            if let Of::Head(level) = self.of[*n] {
                open.truncate(level);
            }
            groups[*n] = open.last().copied();
            if self.of[*n].is_head() {
                open.push(*n);
            }
        }
        groups
    }

    /// The identities of the rows. Those that open groups are named by what is in them, so no two
    /// of them share one.
    fn settle(&self, ids: Ids, wire: Vec<Option<String>>) -> Vec<String> {
        ids::settle_apart(ids, wire, |n| self.of[n].is_head())
    }

    /// For each row its item.
    fn item_of(&self) -> Vec<Option<usize>> {
        let mut items = vec![None; self.named.len()];
        for (row, item) in self.read.rows.iter().zip(&self.read.items) {
            items[*row] = Some(*item);
        }
        items
    }
}

impl RowsPlan {
    /// The frames that write a row beside the list that keeps the order.
    pub(crate) fn writers(&self) -> Vec<&Frame> {
        let Some(woven) = &self.woven else { return vec![&self.frame] };
        woven.all_ways().map(|way| way.frame.as_ref().unwrap_or(&self.frame)).collect()
    }

    /// The frames that read and write the item of a row in that list.
    pub(crate) fn of_items(&self) -> Vec<&Frame> {
        let ways = self.woven.iter().flat_map(|woven| woven.all_ways());
        ways.filter_map(|way| way.item.as_ref()).collect()
    }

    fn how<'p>(&'p self, woven: &'p WovenPlan, dialect: Option<usize>, of: Of) -> How<'p> {
        let way = match (of, dialect.and_then(|dialect| woven.dialects.get(dialect))) {
            (Of::Head(level), Some(dialect)) => dialect.levels.get(level),
            (Of::Row(way), _) => woven.ways.get(way),
            (Of::Head(_), None) => None,
        };
        let way = way.unwrap_or(&woven.ways[0]);
        let frame = way.frame.as_ref().unwrap_or(&self.frame);
        How { frame, item: way.item.as_ref(), whole: way.whole.as_ref().unwrap_or(frame), by: way.by }
    }

    /// What a file says of the rows at a cursor; `list` is the list that keeps their order.
    fn reading<'t>(&self, woven: &WovenPlan, start: &Cursor<'t>, list: Option<Cursor<'t>>) -> Pass<Reading<'t>> {
        let mut twins = Twins::new(start, self)?;
        let count = twins.rows.len();
        let mut dialect = None;
        for (n, one) in woven.dialects.iter().enumerate() {
            let mut heads = (0..count).map(|row| one.levels[0].claims(&twins.cursor(row)));
            if heads
                .find_map(|claims| claims.map_or_else(|stop| Some(Err(stop)), |is| is.then_some(Ok(()))))
                .transpose()?
                .is_some()
            {
                dialect = Some(n);
                break;
            }
        }
        let levels = dialect.map_or(&[][..], |n| &woven.dialects[n].levels);
        let (mut of, mut kept, mut strangers) = (Vec::new(), Vec::new(), Vec::new());
        for row in 0..count {
            let cursor = twins.cursor(row);
            let level = first(levels, |level| level.claims(&cursor))?;
            let way = first(&woven.ways, |way| Ok(way.when.passes(&mut cursor.clone())?))?;
            match level.map(Of::Head).or(way.map(Of::Row)) {
                Some(one) => {
                    of.push((one, way.unwrap_or(0)));
                    kept.push(twins.rows[row]);
                }
                None => strangers.push(twins.rows[row]),
            }
        }
        twins.rows = kept;
        let (named, ids, items) = match (&self.order, list) {
            (Some(order), Some(list)) => self.listing(order, &twins, list)?,
            _ => (vec![None; twins.rows.len()], Vec::new(), None),
        };
        let read = sequence(&named, &ids);
        // A level opens inside the one around it, and elsewhere is a row like any other.
        let mut open = 0;
        for row in &read.rows {
            match of[*row] {
                (Of::Head(level), _) if level <= open => open = level + 1,
                (Of::Head(_), way) => of[*row].0 = Of::Row(way),
                (Of::Row(_), _) => {}
            }
        }
        let of = of.into_iter().map(|(of, _)| of).collect();
        Ok(Reading { twins, of, dialect, named, read, items, strangers })
    }

    /// What a list calls the rows, what it names, and its items, should it order anything: one that
    /// names nothing orders nothing, unless there is nothing to order.
    #[allow(clippy::type_complexity, reason = "three columns that are made together")]
    fn listing<'t>(
        &self,
        order: &OrderPlan,
        twins: &Twins<'_>,
        list: Cursor<'t>,
    ) -> Pass<(Vec<Option<String>>, Vec<Option<String>>, Option<Items<'t>>)> {
        let named = twins.named(self, order)?;
        let Some(ids) = order.ids(list.clone())? else { return Ok((named, Vec::new(), None)) };
        if ids.iter().all(Option::is_none) && !twins.rows.is_empty() {
            return Ok((named, Vec::new(), None));
        }
        Ok((named, ids, Some(Items::new(list)?)))
    }
}

/// The index of the first that is so.
fn first<T>(list: &[T], mut is: impl FnMut(&T) -> Pass<bool>) -> Pass<Option<usize>> {
    for (n, one) in list.iter().enumerate() {
        if is(one)? {
            return Ok(Some(n));
        }
    }
    Ok(None)
}

impl Dialect {
    /// The field that names the group around a row, or around a group.
    fn names_group(&self, of: Of) -> Option<&Target> {
        if of.is_head() { self.up.as_ref() } else { Some(&self.fill) }
    }
}

impl WovenPlan {
    fn all_ways(&self) -> impl Iterator<Item = &RowWay> {
        self.ways.iter().chain(self.dialects.iter().flat_map(|dialect| &dialect.levels))
    }

    /// The dialect in which groups are written where a file has none.
    fn dialect_for(&self, scope: &dyn Node) -> Option<usize> {
        let holds = |dialect: &Dialect| asks::passes(&dialect.write, scope);
        self.dialects.iter().position(holds).or(self.dialects.len().checked_sub(1))
    }
}

impl RowWay {
    /// Whether a row opens a group: what its map needs is there, and it shows what is asked for.
    fn claims(&self, row: &Cursor<'_>) -> Pass<bool> {
        let Some(frame) = &self.frame else { return Ok(false) };
        // Names come early in a row and tell most rows apart; the conditions look at all of it.
        for needed in frame.rows.iter().filter(|row| row.row.need) {
            if !says(frame, needed, row)? {
                return Ok(false);
            }
        }
        Ok(self.when.passes(&mut row.clone())?)
    }
}

/// Whether a slot of the object at a cursor says something.
fn says(frame: &Frame, row: &RowPlan, object: &Cursor<'_>) -> Pass<bool> {
    let Some(place) = row.place else { return Ok(false) };
    let mut at = object.clone();
    for key in frame.keys_to(place) {
        match member(at, key)? {
            Some(inner) => at = inner,
            None => return Ok(false),
        }
    }
    let got = match row.slot.layer(&mut at)? {
        Layer::Plain => row.slot.read(&mut at)?,
        Layer::Inside(inner) => return Ok(matches!(row.slot.read(&mut Cursor::new(&inner.text))?, Got::Value(_))),
        Layer::Unreadable => return Ok(false),
    };
    Ok(matches!(got, Got::Value(_)))
}
