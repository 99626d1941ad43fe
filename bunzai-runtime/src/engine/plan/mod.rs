//! What a map means for the shape of its kind: made once, run for every document.

mod making;

use std::borrow::Cow;

use super::gate::Gate;
use super::keys::Keys;
use super::pick::{PickPlan, text_of};
use super::slot::{Direct, Slot};
use super::target::{Route, Target};
use super::{At, Source};
use crate::detect::Detector;
use crate::json::Value;
use crate::map::{Fill, Hatch, Ids, Keyed, Literal, Row, Str, Table, Test, Types, Wire};
use crate::model::{Node, Quotients, View};

/// A map ready to run.
#[derive(Debug)]
pub(crate) struct Plan {
    /// One frame for each carrier of the map, in its order.
    pub(crate) carriers: Vec<Frame>,
    /// Whether an import looks at the name of the file.
    pub(crate) uses_file: bool,
    /// What each of them does not tell apart.
    pub(crate) quotients: Vec<Quotients>,
    /// What the model must show for a fresh file to be written in each.
    write: Vec<Vec<Test>>,
}

/// One use of a part: the rows that read one JSON value into one scope of the model.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    /// The tree of places the rows speak of; the first is the value itself.
    pub(crate) places: Vec<Place>,
    /// The rows, in the order of a fresh file.
    pub(crate) rows: Vec<RowPlan>,
    pub(crate) stamps: Vec<(Route, Literal)>,
    pub(crate) joins: Vec<JoinPlan>,
    pub(crate) rest: Option<RestPlan>,
    /// What the model must show for a new value to leave out what reads as `or`.
    pub(crate) lean: Option<Vec<Test>>,
    /// The rows that have something of their own where their slot says nothing: those with constants
    /// first, for the derived values of the others may be made of them.
    pub(crate) fills: Vec<usize>,
    /// The rows that several places speak for, and that are settled when all are known.
    pub(crate) later: Vec<usize>,
    /// How many places are looked at again when all are known.
    pub(crate) watched: usize,
    /// The gate of a carrier, if all of it can be asked on the way.
    pub(crate) gate: Option<Gate>,
    /// The rows out of many that its paths name.
    pub(crate) picks: Vec<PickPlan>,
}

/// A place in the JSON value of a frame.
#[derive(Debug, Default)]
pub(crate) struct Place {
    pub(crate) parent: usize,
    /// The key in the parent; empty for the value itself.
    pub(crate) key: Box<str>,
    pub(crate) children: Keys,
    /// The row that owns the slot.
    pub(crate) row: Option<usize>,
    /// The conditions of the gate that ask about this place.
    pub(crate) tests: Vec<usize>,
    /// The number of the place among those that are looked at again.
    pub(crate) watch: Option<usize>,
    /// The field that the value goes to as it is, where nothing else is to be done.
    pub(crate) leaf: Option<Leaf>,
    /// Whether the keys without a row go to the object for them.
    pub(crate) rest: bool,
    /// The pick whose row stands here, by index.
    pub(crate) pick: Option<usize>,
    /// The place of the row that is picked here.
    pub(crate) picked: Option<usize>,
}

/// The plainest of rows: one value, one field, no words that change it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leaf {
    pub(crate) direct: Direct,
    pub(crate) field: usize,
}

/// A row, worked out.
#[derive(Debug)]
pub(crate) struct RowPlan {
    /// The words; in a box, because the passes rarely look at them.
    pub(crate) row: Box<Row>,
    /// None for a row about the file.
    pub(crate) place: Option<usize>,
    /// The other places, with the slots that they are.
    pub(crate) also: Vec<(usize, Slot)>,
    pub(crate) routes: Vec<Route>,
    pub(crate) slot: Slot,
    pub(crate) way: Way,
    /// What tells the row from all others of the plan.
    pub(super) serial: usize,
    /// Whether a new slot of it holds the number that is the key of its object.
    pub(crate) numbered: bool,
}

/// What a row does with its slot.
#[derive(Debug)]
pub(crate) enum Way {
    /// It rides in the twin.
    Sealed,
    /// It is one value.
    Value,
    /// It is a list of plain values.
    Items,
    /// It is a list of rows.
    Rows(Box<RowsPlan>),
    /// It is an object that a named map reads, into the same scope.
    Map(Box<Frame>),
    /// It is a boolean that stands for a word of a list.
    Word(Literal),
    /// It is a list of words that stand for booleans.
    Flags(Vec<(Str, Target)>),
    /// It is one flag for a field of every row of lists.
    Gather,
    /// It comes from the name of the file.
    File,
    /// It is the place of the row.
    Index,
}

/// How rows are read.
#[derive(Debug)]
pub(crate) struct RowsPlan {
    pub(crate) frame: Frame,
    /// The row of the frame that holds the identity.
    pub(crate) by: Option<usize>,
    pub(crate) ids: Ids,
    pub(crate) keyed: Option<Keyed>,
    pub(crate) order: Option<OrderPlan>,
    /// Whether the rows of the model are plain values and not structs.
    pub(crate) plain: bool,
    /// The conditions of the gate that ask about the rows.
    pub(crate) asked: Vec<usize>,
    /// What else there is to these rows, where that is more than one map that reads them.
    pub(crate) woven: Option<Box<WovenPlan>>,
}

/// The list that keeps the order of rows.
#[derive(Debug)]
pub(crate) struct OrderPlan {
    /// Where it stands, in the frame that the rows belong to.
    pub(crate) place: usize,
    /// Its items, and the text they may stand in.
    pub(crate) slot: Slot,
    /// The place in the frame of a row that the list holds.
    pub(crate) of: usize,
    /// The key in an item that holds it; without one the items are the identities.
    pub(crate) by: Option<Box<str>>,
}

/// Rows that several maps read: of which each row has one of its own, of which some open groups,
/// or that have a second half in the list that keeps their order.
#[derive(Debug)]
pub(crate) struct WovenPlan {
    /// The ways to read a row of the list; the first one has its own frame in the plan of the rows.
    pub(crate) ways: Vec<RowWay>,
    /// The rows that open groups, by dialect.
    pub(crate) dialects: Vec<Dialect>,
    /// The item of a row that the list does not name, as JSON.
    pub(crate) unlisted: String,
}

/// One way to read a row.
#[derive(Debug)]
pub(crate) struct RowWay {
    /// What a row must show to be read so.
    pub(crate) when: Detector,
    /// How it is read; nothing: as the plan of the rows says.
    pub(crate) frame: Option<Frame>,
    /// How its item in the list that keeps the order is read.
    pub(crate) item: Option<Frame>,
    /// How it is read where there is no list and it stands for its own item.
    pub(crate) whole: Option<Frame>,
    /// The row of the frame that holds the identity.
    pub(crate) by: Option<usize>,
}

/// Rows that open groups, by level.
#[derive(Debug)]
pub(crate) struct Dialect {
    /// The list of the groups, from the struct on that has the list of the rows.
    pub(crate) to: Target,
    pub(crate) levels: Vec<RowWay>,
    /// The field of a row that names its group.
    pub(crate) fill: Target,
    /// The field of a group that names the one around it.
    pub(crate) up: Option<Target>,
    /// What the model must show for a new file to have this dialect.
    pub(crate) write: Vec<Test>,
}

/// Slots and paths tied together, worked out.
#[derive(Debug)]
pub(crate) struct JoinPlan {
    pub(crate) slots: Vec<usize>,
    /// How many of them, the first ones, are read and never written.
    pub(crate) seen: usize,
    pub(crate) targets: Vec<Target>,
    pub(crate) tie: TiePlan,
    /// For each target the rows that set it, or a part of it, as well.
    pub(crate) owners: Vec<Vec<usize>>,
}

#[derive(Debug)]
pub(crate) enum TiePlan {
    Table(Table),
    Via(&'static Hatch),
}

/// The object for the keys without a row.
#[derive(Debug)]
pub(crate) struct RestPlan {
    pub(crate) target: Target,
    pub(crate) case: Option<crate::map::Case>,
    /// The place whose keys they are.
    pub(crate) place: usize,
    /// The keys of the object that rows set.
    pub(crate) claimed: Vec<Box<str>>,
}

impl Plan {
    /// The carrier in which a fresh file of a body is written.
    pub(crate) fn fresh_carrier(&self, body: &dyn Node) -> usize {
        self.write.iter().position(|tests| super::asks::passes(tests, body)).unwrap_or(0)
    }

    /// The carriers that a fresh file may have.
    pub(crate) fn fresh_carriers(&self) -> &[Frame] {
        let last = self.write.iter().position(Vec::is_empty).map_or(self.carriers.len(), |n| n + 1);
        &self.carriers[..last.min(self.carriers.len())]
    }

    /// The row that takes the name of the entity from that of the file.
    fn file_row(&self) -> Option<&RowPlan> {
        self.carriers.first()?.rows.iter().find(|row| matches!(row.way, Way::File))
    }

    /// The name of the entity, where the format takes it from the name of the file.
    pub(crate) fn file_name(&self, body: &dyn Node) -> Option<String> {
        match self.file_row()?.routes.first()?.whole.view(body) {
            View::Text(name) => Some(name.to_owned()),
            _ => None,
        }
    }

    /// The name of an entity that is read from a file of this name.
    pub(crate) fn named_after(&self, file: &str) -> Option<String> {
        let source = Source { file: Some(file) };
        let name = match self.file_row()?.row.wire {
            Wire::FileStem => source.stem(),
            Wire::FileName => source.name(),
            Wire::At(_) | Wire::Index => None,
        };
        name.map(str::to_owned)
    }
}

impl Place {
    /// The step that leads here; none for the value of the frame itself.
    pub(super) fn step(&self) -> At<'_> {
        At::Key(&self.key)
    }

    /// The places right inside.
    pub(crate) fn inside(&self) -> impl Iterator<Item = usize> {
        self.children.iter().map(|(_, child)| child).chain(self.picked)
    }
}

impl Frame {
    /// Whether the row at a place is the member of an object, and not the item of a list.
    pub(crate) fn picked_in_object(&self, place: usize) -> bool {
        self.places[place].pick.is_none_or(|pick| self.picks[pick].by.is_none())
    }

    /// The row at a place of which nothing is said.
    pub(super) fn blank_row(&self, place: usize) -> Value<'static> {
        match self.places[place].row.map(|row| &self.rows[row]) {
            Some(RowPlan { way: Way::Value, slot, .. }) => slot.blank_in_text().into_owned(),
            _ => Value::Object(Vec::new()),
        }
    }

    /// What the row at a place may be; what is something else is no row.
    pub(super) fn row_types(&self, place: usize) -> Types {
        let row = self.places[place].row.map(|row| &self.rows[row]);
        match row {
            // A row of a list has a key, and what has places inside is an object.
            _ if !self.picked_in_object(place) => Types::OBJECT,
            Some(RowPlan { way: Way::Value, slot, .. }) => slot.accepts(),
            Some(RowPlan { way: Way::Map(_), .. }) => Types::OBJECT,
            None if !self.places[place].children.is_empty() => Types::OBJECT,
            _ => Types::ANY,
        }
    }

    /// Whether the slot of a row goes when the model has nothing for it.
    pub(super) fn is_removable(&self, row: &RowPlan) -> bool {
        let is_row = |place: usize| place == 0 || self.places[place].pick.is_some();
        !row.row.need && !row.place.is_some_and(is_row)
    }

    /// The place of the picked row that a place is, or lies in.
    pub(super) fn pick_around(&self, mut place: usize) -> Option<usize> {
        while self.places[place].pick.is_none() {
            if place == 0 {
                return None;
            }
            place = self.places[place].parent;
        }
        Some(place)
    }

    /// Whether the model has what stands at a place, though no row maps it: as the slot of a join,
    /// another place of a row, or the list that keeps an order.
    pub(super) fn is_tied(&self, place: usize) -> bool {
        let by_row = |row: &RowPlan| {
            row.order().is_some_and(|order| order.place == place) || row.also.iter().any(|(also, _)| *also == place)
        };
        self.names_picked_row(place)
            || self.joins.iter().any(|join| join.slots.contains(&place))
            || self.rows.iter().any(by_row)
    }

    /// Whether the slot at a place names the row of a pick.
    pub(super) fn names_picked_row(&self, place: usize) -> bool {
        self.picks.iter().any(|pick| pick.wire() == Some(place))
    }

    /// The keys from the value of a new document to a place; in a list of which one row is picked the
    /// row stands under the key that is empty, until it is put into a list.
    pub(super) fn path_of<'f>(&'f self, mut place: usize, new_keys: &[Option<Value<'static>>]) -> Vec<Cow<'f, str>> {
        let mut keys = Vec::new();
        while place != 0 {
            let Place { parent, key, pick, .. } = &self.places[place];
            keys.push(
                match pick.filter(|pick| self.picks[*pick].by.is_none()).and_then(|pick| new_keys[pick].as_ref()) {
                    Some(new) => Cow::Owned(text_of(new)),
                    None => Cow::Borrowed(&**key),
                },
            );
            place = *parent;
        }
        keys.reverse();
        keys
    }

    /// The keys from the value of the frame to a place.
    pub(crate) fn keys_to(&self, mut place: usize) -> Vec<&str> {
        let mut keys = Vec::new();
        while place != 0 {
            keys.push(self.places[place].key.as_ref());
            place = self.places[place].parent;
        }
        keys.reverse();
        keys
    }
}

impl RowPlan {
    /// Whether the row is settled when the whole object is known.
    pub(super) fn is_later(&self) -> bool {
        let is_woven = matches!(&self.way, Way::Rows(rows) if rows.woven.is_some());
        !self.also.is_empty() || matches!(self.way, Way::Gather) || self.order().is_some() || is_woven
    }

    /// Whether the row has something of its own where its slot says nothing, and if so whether that
    /// is made of what other rows say.
    fn fills(&self) -> Option<bool> {
        let own = self.row.need || matches!(self.way, Way::File | Way::Index | Way::Map(_) | Way::Flags(_));
        match &self.row.or {
            Some(Fill::Slug { .. } | Fill::Concat(_) | Fill::Words { .. }) => Some(true),
            Some(_) => Some(false),
            None => own.then_some(false),
        }
    }

    /// The places that a row which is settled later looks at.
    fn looks_at(&self) -> Vec<usize> {
        let also = self.also.iter().map(|(place, _)| *place);
        self.place.into_iter().chain(also).collect()
    }

    /// The list that keeps the order of the rows.
    pub(crate) fn order(&self) -> Option<&OrderPlan> {
        match &self.way {
            Way::Rows(rows) => rows.order.as_ref(),
            _ => None,
        }
    }

    /// The constants that count as nothing at the targets of this row.
    pub(crate) fn defaults(&self) -> Vec<Value<'static>> {
        let or = self.row.or.as_ref().and_then(Fill::literal).and_then(Literal::value).map(Value::into_owned);
        let fresh = self.row.fresh.as_ref().and_then(Fill::literal).and_then(Literal::value);
        let fresh = fresh.and_then(|value| match value {
            Value::Null => Some(Value::Null),
            value => self.slot.decode_constant(value.into_owned()),
        });
        or.into_iter().chain(fresh).chain(self.slot.silent()).collect()
    }

    /// The types a sealed slot is known to have; none: nothing is known.
    pub(crate) fn sealed_types(&self) -> Types {
        self.row.is
    }
}
