//! The making of a plan: rows become places, and paths targets.

use std::cell::Cell;

use super::{
    Dialect, Frame, JoinPlan, Leaf, OrderPlan, Place, Plan, RestPlan, RowPlan, RowWay, RowsPlan, TiePlan, Way,
    WovenPlan,
};
use crate::detect::Detector;
use crate::engine::gate::Gate;
use crate::engine::pick::{ChoicePlan, PickPlan};
use crate::engine::slot::{Direct, Slot};
use crate::engine::target::{Route, Step as Towards, Target};
use crate::error::Error;
use crate::map::{
    Carrier, Choice, Each, Fill, Ids, Inner, Join, Keyed, Literal, Map, Part, Pick, Piece, Row, Spelled, Step, Tie,
    Wire,
};
use crate::model::{FieldShape, Quotients, Shape, Type};

/// What the making of a plan knows everywhere.
struct Making<'m> {
    map: &'m Map,
    /// How many rows there are.
    count: Cell<usize>,
}

impl Plan {
    /// Works a map out. The checks of a mapping file make sure that this cannot fail.
    pub(crate) fn new(map: &Map, shape: &'static Shape) -> Result<Self, Error> {
        let making = Making { map, count: Cell::new(0) };
        let make = |carrier: &Carrier| {
            let prefix: Vec<Step> = carrier.at.iter().map(|key| Step::Key(key.clone())).collect();
            let part = carrier.map.map_or(Some(&map.root), |part| map.part(part)).ok_or("a map that does not exist")?;
            let mut frame = making.picking_frame(part, Scope { shape, path: "" }, &prefix)?;
            making.add_rows(&mut frame, &carrier.rows, Scope { shape, path: "" }, &[], 0)?;
            frame.find_leaves();
            frame.gate = Gate::spread(&mut frame, &carrier.gate);
            Ok(frame)
        };
        let carriers = map.shapes.iter().map(make).collect::<Result<Vec<_>, String>>();
        let carriers = carriers.map_err(|message| Error::BadMap { format: map.format.to_string(), message })?;
        let parts = [&map.root].into_iter().chain(map.parts.iter().map(|(_, part)| part));
        let uses_file = parts.flat_map(|part| part.rows.iter()).any(|row| {
            matches!(row.wire, Wire::FileStem | Wire::FileName)
                || matches!(row.or, Some(Fill::FileStem | Fill::FileName))
        });
        let told = carriers.iter().map(|frame| {
            let mut quotients = Quotients::default();
            frame.tell(&mut quotients);
            quotients
        });
        let quotients = told.collect();
        let write = map.shapes.iter().map(|shape| shape.write.to_vec()).collect();
        Ok(Self { carriers, uses_file, quotients, write })
    }
}

/// Where the paths of a part start: at a path below a struct.
#[derive(Clone, Copy)]
struct Scope<'s> {
    shape: &'static Shape,
    path: &'s str,
}

impl Scope<'_> {
    fn below(self, path: &str) -> String {
        crate::map::below(self.path, path)
    }

    fn route(self, path: &str) -> Result<Route, String> {
        Route::find(self.shape, &self.below(path))
    }

    /// Lets the paths of a derived value start at the struct.
    fn reach(self, fill: &mut Fill) {
        match fill {
            Fill::Slug { path, .. } | Fill::Words { path, .. } => *path = self.below(path).into(),
            Fill::Concat(pieces) => pieces.to_mut().iter_mut().for_each(|piece| {
                if let Piece::Path(path) = piece {
                    *path = self.below(path).into();
                }
            }),
            Fill::Is(_) | Fill::FileStem | Fill::FileName | Fill::Count { .. } | Fill::Wire { .. } => {}
        }
    }
}

impl Making<'_> {
    /// The frame of a document, the paths of which may name picks.
    fn picking_frame(&self, part: &Part, scope: Scope<'_>, prefix: &[Step]) -> Result<Frame, String> {
        let mut frame = Frame { places: vec![Place::default()], ..Frame::default() };
        let picks: Vec<&Pick> = self.map.picks.iter().filter(|pick| part.names(pick)).collect();
        frame.picks.extend(picks.iter().map(|pick| {
            let (name, by) = (pick.name.as_ref().into(), pick.by.as_deref().map(Into::into));
            PickPlan { name, at: 0, by, is: Vec::new(), new: pick.new.clone() }
        }));
        let mut frame = self.frame_with(frame, part, scope, prefix)?;
        // The places of the rows come first: they are in the order of a fresh file.
        for (n, pick) in picks.into_iter().enumerate() {
            let is = pick.is.iter().map(|choice| {
                Ok(match choice {
                    Choice::Is(literal) => ChoicePlan::Is(literal.clone()),
                    Choice::Lacks => ChoicePlan::Lacks,
                    Choice::Wire(at) => ChoicePlan::Wire(frame.place(prefix.iter().chain(at.iter()))?),
                    Choice::First => ChoicePlan::First,
                })
            });
            frame.picks[n].is = is.collect::<Result<Vec<_>, String>>()?;
            frame.picks[n].at = frame.place(prefix.iter().chain(pick.at.iter()))?;
            frame.picked_child(frame.picks[n].at, &pick.name)?;
        }
        Ok(frame)
    }

    fn frame(&self, part: &Part, scope: Scope<'_>, prefix: &[Step]) -> Result<Frame, String> {
        self.frame_with(Frame { places: vec![Place::default()], ..Frame::default() }, part, scope, prefix)
    }

    fn frame_with(&self, frame: Frame, part: &Part, scope: Scope<'_>, prefix: &[Step]) -> Result<Frame, String> {
        let mut frame = Frame { lean: part.lean.as_ref().map(|tests| tests.to_vec()), ..frame };
        for (path, literal) in part.stamp.iter() {
            frame.stamps.push((scope.route(path)?, literal.clone()));
        }
        self.add_rows(&mut frame, &part.rows, scope, prefix, usize::MAX)?;
        for join in part.joins.iter() {
            let join = self.join(&mut frame, join, scope, prefix)?;
            frame.joins.push(join);
        }
        if let Some(rest) = &part.rest {
            let target = scope.route(&rest.to)?.whole;
            let below = |steps: &[Towards]| match steps.strip_prefix(target.steps.as_slice())? {
                [Towards::Key(key), ..] => Some(key.clone()),
                _ => None,
            };
            let routes = frame.rows.iter().flat_map(|row| &row.routes);
            let claimed = routes.filter_map(|route| below(&route.whole.steps)).collect();
            let place = frame.place(prefix.iter())?;
            frame.places[place].rest = true;
            frame.rest = Some(RestPlan { target, case: rest.case, place, claimed });
        }
        frame.find_leaves();
        Ok(frame)
    }

    /// Adds rows at a place in the order of a fresh file.
    fn add_rows(
        &self,
        frame: &mut Frame,
        rows: &[Row],
        scope: Scope<'_>,
        prefix: &[Step],
        at: usize,
    ) -> Result<(), String> {
        let mut added = Vec::with_capacity(rows.len());
        for row in rows {
            let place = match &row.wire {
                Wire::At(steps) => Some(frame.place(prefix.iter().chain(steps.iter()))?),
                Wire::FileStem | Wire::FileName | Wire::Index => None,
            };
            added.push(self.row(frame, row, place, scope, prefix)?);
        }
        let at = at.min(frame.rows.len());
        frame.rows.splice(at..at, added);
        frame.later.clear();
        for (n, row) in frame.rows.iter().enumerate() {
            if let Some(place) = row.place.and_then(|p| frame.places.get_mut(p)) {
                place.row = Some(n);
            }
            if row.is_later() {
                frame.later.push(n);
            }
        }
        let fills = |derived| frame.rows.iter().enumerate().filter(move |(_, row)| row.fills() == Some(derived));
        frame.fills = fills(false).chain(fills(true)).map(|(n, _)| n).collect();
        let watch: Vec<usize> = frame.later.iter().flat_map(|n| frame.rows[*n].looks_at()).collect();
        watch.into_iter().for_each(|place| frame.watch(place));
        Ok(())
    }

    fn row(
        &self,
        frame: &mut Frame,
        row: &Row,
        place: Option<usize>,
        scope: Scope<'_>,
        prefix: &[Step],
    ) -> Result<RowPlan, String> {
        let routes = row.to.iter().map(|path| scope.route(path)).collect::<Result<Vec<_>, _>>()?;
        let (leaf, is_list) = match (&row.inner, routes.first()) {
            (Inner::Word(_) | Inner::Gather, _) => (Type::Bool, false),
            (Inner::Flags(_), _) => (Type::Text(&[]), true),
            (Inner::Map(_), _) => (Type::Dict(&Type::Any), false),
            // A list of rows of which each holds one value of a plain list.
            (_, Some(Route { item: Some(item), .. })) => (item.ty, true),
            (_, Some(Route { whole: Target { ty: Type::List(item), .. }, .. })) => (**item, true),
            (_, Some(route)) => (route.whole.ty, false),
            (_, None) => (Type::Any, false),
        };
        let new_slot = |spelled: &Spelled| Slot::new(row, spelled, &self.map.tables, leaf, is_list);
        let mut slot = new_slot(&row.spelled);
        let also = row.also.iter().map(|also| {
            let place = frame.place(prefix.iter().chain(also.at.iter()))?;
            Ok((place, new_slot(&also.spelled)))
        });
        let also = also.collect::<Result<Vec<_>, String>>()?;
        let way = match (&row.inner, &row.wire) {
            (_, Wire::FileStem | Wire::FileName) => Way::File,
            (_, Wire::Index) => Way::Index,
            (Inner::Each(each), _) => Way::Rows(Box::new(self.rows(frame, each, leaf, scope, prefix)?)),
            (Inner::Map(part), _) => {
                let path = scope.below(row.to.first().map_or("", |path| path.as_ref()));
                let part = self.map.part(*part).ok_or("a map that does not exist")?;
                let inner = self.frame(part, Scope { path: &path, ..scope }, &[])?;
                slot.either = inner.places[0].children.get("literal").is_none();
                Way::Map(Box::new(inner))
            }
            (Inner::Word(word), _) => Way::Word(word.clone()),
            (Inner::Flags(words), _) => {
                let flags = words.iter().map(|(word, path)| Ok((word.clone(), scope.route(path)?.whole)));
                Way::Flags(flags.collect::<Result<_, String>>()?)
            }
            (Inner::Gather, _) => Way::Gather,
            (Inner::Value, _) if routes.is_empty() => Way::Sealed,
            (Inner::Value, _) if slot.is_list() => Way::Items,
            (Inner::Value, _) => Way::Value,
        };
        let mut row = Box::new(row.clone());
        for fill in [&mut row.or, &mut row.fresh].into_iter().flatten() {
            scope.reach(fill);
        }
        // A slot that says nothing leaves what a stamp has put into its item.
        if let (None, false, Way::Value, Some(route)) = (&row.or, row.need, &way, routes.first())
            && route.whole.is_in_item()
        {
            let stamped = frame.stamps.iter().rev().find_map(|(stamp, literal)| {
                stamped(&stamp.whole.ty, literal, route.whole.steps.strip_prefix(stamp.whole.steps.as_slice())?)
            });
            row.or = stamped.cloned().map(Fill::Is);
        }
        let serial = self.count.replace(self.count.get() + 1);
        Ok(RowPlan { row, place, also, routes, slot, way, serial, numbered: false })
    }

    fn rows(
        &self,
        frame: &mut Frame,
        each: &Each,
        item: Type,
        scope: Scope<'_>,
        prefix: &[Step],
    ) -> Result<RowsPlan, String> {
        let (shape, plain) = match item {
            Type::Node(shape) => (shape, false),
            item => (lone_shape(item), true),
        };
        let (mut inner, by) = self.row_frame(each, each.part, shape)?;
        let order = each.order.as_ref().map(|order| -> Result<_, String> {
            let row = Row { text: order.text.clone(), ..Row::default() };
            let mut slot = Slot::new(&row, &Spelled::default(), &[], Type::Text(&[]), true);
            slot.read_item_decimals();
            let place = frame.place(prefix.iter().chain(order.at.iter()))?;
            frame.watch(place);
            let by = order.by.as_deref().map(Box::from);
            Ok(OrderPlan { place, slot, of: inner.child(0, &order.of), by })
        });
        let order = order.transpose()?;
        let woven = self.woven(each, shape, scope)?;
        Ok(RowsPlan { frame: inner, by, ids: each.ids, keyed: each.keyed, order, plain, asked: Vec::new(), woven })
    }

    /// The frame of a row, and which of its rows holds the identity.
    fn row_frame(&self, each: &Each, part: usize, shape: &'static Shape) -> Result<(Frame, Option<usize>), String> {
        let part = self.part(part)?;
        let mut frame = self.frame(part, Scope { shape, path: "" }, &[])?;
        let by = each.by.as_ref().and_then(|key| frame.places[0].children.get(key));
        let by = by.and_then(|place| frame.places[place].row);
        if let (Ids::Unique, Some(by)) = (each.ids, by) {
            frame.rows[by].slot.read_decimals();
            frame.rows[by].numbered = each.keyed == Some(Keyed::Number);
            frame.find_leaves();
        }
        Ok((frame, by))
    }

    fn part(&self, part: usize) -> Result<&Part, String> {
        Ok(self.map.part(part).ok_or("a map that does not exist")?)
    }

    fn woven(&self, each: &Each, shape: &'static Shape, scope: Scope<'_>) -> Result<Option<Box<WovenPlan>>, String> {
        let item = each.order.as_ref().and_then(|order| order.part);
        if item.is_none() && each.heads.is_empty() && each.others.is_empty() {
            return Ok(None);
        }
        let mut ways = vec![self.row_way(each, each.part, item, shape)?];
        // The rows have this frame themselves.
        ways[0].frame = None;
        for part in each.others.iter() {
            ways.push(self.row_way(each, *part, item, shape)?);
        }
        let mut dialects = Vec::with_capacity(each.heads.len());
        for heads in each.heads.iter() {
            let to = scope.route(&heads.to)?.whole;
            let Type::List(Type::Node(group)) = to.ty else { return Err(format!("`{}` has no rows", heads.to)) };
            let levels = heads.levels.iter().map(|part| self.row_way(each, *part, heads.item, group));
            let levels = levels.collect::<Result<_, _>>()?;
            let fill = Route::find(shape, &heads.fill)?.whole;
            let up = heads.up.as_ref().map(|up| Ok::<_, String>(Route::find(group, up)?.whole)).transpose()?;
            dialects.push(Dialect { to, levels, fill, up, write: heads.write.to_vec() });
        }
        let unlisted = each.order.as_ref().and_then(|order| order.unlisted.as_ref()).and_then(Literal::value);
        let mut text = String::new();
        crate::json::print(
            &unlisted.unwrap_or(crate::json::Value::Object(Vec::new())),
            &crate::json::Layout::compact(),
            &mut text,
        );
        Ok(Some(Box::new(WovenPlan { ways, dialects, unlisted: text })))
    }

    fn row_way(&self, each: &Each, part: usize, item: Option<usize>, shape: &'static Shape) -> Result<RowWay, String> {
        let when = Detector::of(&self.part(part)?.when);
        let (frame, by) = self.row_frame(each, part, shape)?;
        let scope = Scope { shape, path: "" };
        let (item, whole) = match item {
            None => (None, None),
            Some(item) => {
                let item = self.part(item)?;
                let (mut whole, _) = self.row_frame(each, part, shape)?;
                self.add_rows(&mut whole, &item.rows, scope, &[], usize::MAX)?;
                whole.find_leaves();
                (Some(self.frame(item, scope, &[])?), Some(whole))
            }
        };
        Ok(RowWay { when, frame: Some(frame), item, whole, by })
    }

    fn join(&self, frame: &mut Frame, join: &Join, scope: Scope<'_>, prefix: &[Step]) -> Result<JoinPlan, String> {
        let slots = join.slots().map(|at| frame.place(prefix.iter().chain(at.iter())));
        let slots = slots.collect::<Result<Vec<usize>, String>>()?;
        slots.iter().for_each(|place| frame.watch(*place));
        let targets =
            join.to.iter().map(|path| Ok(scope.route(path)?.whole)).collect::<Result<Vec<Target>, String>>()?;
        let owners = targets.iter().map(|target| {
            let sets = |row: &RowPlan| row.routes.iter().any(|route| route.whole.steps.starts_with(&target.steps));
            (0..frame.rows.len()).filter(|n| sets(&frame.rows[*n])).collect()
        });
        let owners = owners.collect();
        let tie = match &join.tie {
            Tie::Table(table) => {
                TiePlan::Table(self.map.tables.get(*table).cloned().ok_or("a table that does not exist")?)
            }
            Tie::Via(via) => {
                TiePlan::Via(via.hatch.ok_or_else(|| format!("`{}` is Rust code, and is not here", via.name))?)
            }
        };
        Ok(JoinPlan { slots, seen: join.see.len(), targets, tie, owners })
    }
}

impl Frame {
    /// The place at the end of a path, made if it is new.
    fn place<'a>(&mut self, steps: impl Iterator<Item = &'a Step>) -> Result<usize, String> {
        let mut at = 0;
        for step in steps {
            at = match step {
                Step::Key(key) => self.child(at, key),
                Step::Pick(name) => self.picked_child(at, name)?,
                Step::Every => at,
            };
        }
        Ok(at)
    }

    /// The place of the row that is picked at a place, made if it is new.
    fn picked_child(&mut self, at: usize, name: &str) -> Result<usize, String> {
        let pick = self.picks.iter().position(|pick| *pick.name == *name);
        let pick = pick.ok_or_else(|| format!("no pick `{name}` here"))?;
        if let Some(child) = self.places[at].picked {
            return Ok(child);
        }
        let child = self.places.len();
        self.places.push(Place { parent: at, pick: Some(pick), ..Place::default() });
        self.places[at].picked = Some(child);
        Ok(child)
    }

    /// The child of a place, made if it is new.
    pub(in crate::engine) fn child(&mut self, at: usize, key: &str) -> usize {
        if let Some(child) = self.places[at].children.get(key) {
            return child;
        }
        let child = self.places.len();
        self.places.push(Place { parent: at, key: key.into(), ..Place::default() });
        self.places[at].children.add(key, child);
        child
    }

    /// Keeps where a place stands, to look at it again.
    fn watch(&mut self, place: usize) {
        if self.places[place].watch.is_none() {
            self.places[place].watch = Some(self.watched);
            self.watched += 1;
        }
    }

    /// Finds the places whose values go to a field as they are.
    pub(in crate::engine) fn find_leaves(&mut self) {
        for place in &mut self.places {
            let row = place.row.and_then(|n| self.rows.get(n));
            let plain = row.filter(|row| matches!(row.way, Way::Value) && row.also.is_empty() && place.watch.is_none());
            place.leaf = plain.and_then(|row| match row.routes.as_slice() {
                [Route { whole, item: None }] => match (row.slot.direct(), whole.steps.as_slice()) {
                    (Direct::None, _) => None,
                    (direct, [Towards::Field(field)]) => Some(Leaf { direct, field: *field }),
                    _ => None,
                },
                _ => None,
            });
        }
    }
}

/// What a constant has at a place below it.
fn stamped<'l>(ty: &Type, literal: &'l Literal, steps: &[Towards]) -> Option<&'l Literal> {
    let Some((step, rest)) = steps.split_first() else { return Some(literal) };
    match (ty, literal, step) {
        (Type::Node(shape), _, Towards::Field(n)) => {
            stamped(&shape.fields.get(*n)?.ty, member(literal, shape, *n)?, rest)
        }
        (Type::List(item), Literal::List(items), Towards::Item(n)) => stamped(item, items.get(*n)?, rest),
        (Type::List(item @ Type::Node(shape)), Literal::List(items), Towards::Where(field, text)) => {
            let is_it =
                |one: &&Literal| matches!(member(one, shape, *field), Some(Literal::Text(own)) if *own == **text);
            stamped(item, items.iter().find(is_it)?, rest)
        }
        _ => None,
    }
}

/// The constant for a field of a struct.
fn member<'l>(literal: &'l Literal, shape: &Shape, field: usize) -> Option<&'l Literal> {
    let Literal::Object(members) = literal else { return None };
    let name = shape.fields.get(field)?.name;
    members.iter().find(|(key, _)| key == name).map(|(_, value)| value)
}

/// The shape of a plain value that stands where rows have a struct: one field without a name.
fn lone_shape(item: Type) -> &'static Shape {
    const fn shape(fields: &'static [FieldShape]) -> Shape {
        Shape { name: "", doc: "", fields }
    }
    const fn field(ty: Type) -> FieldShape {
        FieldShape { name: "", ty, optional: false, nullable: false, doc: "", producers: "" }
    }
    static TEXT: Shape = shape(&[field(Type::Text(&[]))]);
    static BOOL: Shape = shape(&[field(Type::Bool)]);
    static NUMBER: Shape = shape(&[field(Type::Number)]);
    static ANY: Shape = shape(&[field(Type::Any)]);
    match item {
        Type::Text(_) => &TEXT,
        Type::Bool => &BOOL,
        Type::Number => &NUMBER,
        _ => &ANY,
    }
}
