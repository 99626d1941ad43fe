//! What a map means for the shape of its kind: made once, run for every document.

use super::At;
use super::gate::Gate;
use super::keys::Keys;
use super::target::{Route, Step as Towards};
use super::value::Slot;
use crate::error::Error;
use crate::json::Value;
use crate::map::{Carrier, Fill, Gone, Inner, Literal, Map, Part, Row, Step, Str, Types, Wire};
use crate::model::{Made, Node, Quotients, Shape, Type, View};

/// A map ready to run.
#[derive(Debug)]
pub(crate) struct Plan {
    /// One frame for each carrier of the map, in its order.
    pub(crate) carriers: Vec<Frame>,
    /// Whether an import looks at the name of the file.
    pub(crate) uses_file: bool,
    /// What the format does not tell apart.
    pub(crate) quotients: Quotients,
}

/// One use of a part: the rows that read one JSON value into one scope of the model.
#[derive(Debug)]
pub(crate) struct Frame {
    /// The tree of places the rows speak of; the first is the value itself.
    pub(crate) places: Vec<Place>,
    /// The rows, in the order of a fresh file.
    pub(crate) rows: Vec<RowPlan>,
    pub(crate) stamps: Vec<(Route, Literal)>,
    /// The gate of a carrier, if all of it can be asked on the way.
    pub(crate) gate: Option<Gate>,
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
}

/// A row, worked out.
#[derive(Debug)]
pub(crate) struct RowPlan {
    /// The words; in a box, because the passes rarely look at them.
    pub(crate) row: Box<Row>,
    /// None for a row about the file.
    pub(crate) place: Option<usize>,
    pub(crate) routes: Vec<Route>,
    pub(crate) slot: Slot,
    pub(crate) way: Way,
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
    /// It is a boolean that stands for a word of a list.
    Word(Literal),
    /// It comes from the name of the file.
    File,
}

/// How the rows of a list are read.
#[derive(Debug)]
pub(crate) struct RowsPlan {
    pub(crate) frame: Frame,
    /// The row of the frame that holds the identity.
    pub(crate) by: Option<usize>,
    /// The conditions of the gate that ask about the rows.
    pub(crate) asked: Vec<usize>,
}

impl Plan {
    /// Works a map out. The checks of a mapping file make sure that this cannot fail.
    pub(crate) fn new(map: &Map, shape: &'static Shape) -> Result<Self, Error> {
        let make = |carrier: &Carrier| {
            let prefix: Vec<Step> = carrier.at.iter().map(|key| Step::Key(key.clone())).collect();
            let mut frame = Frame::new(map, &map.root, shape, &prefix)?;
            frame.add_rows(map, &carrier.rows, shape, &[], false)?;
            frame.gate = Gate::spread(&mut frame, &carrier.gate);
            Ok(frame)
        };
        let carriers = map.shapes.iter().map(make).collect::<Result<Vec<_>, String>>();
        let carriers = carriers.map_err(|message| Error::BadMap { format: map.format.to_string(), message })?;
        let uses_file = map.root.rows.iter().any(|row| {
            matches!(row.wire, Wire::FileStem | Wire::FileName)
                || matches!(row.or, Some(Fill::FileStem | Fill::FileName))
        });
        let mut quotients = Quotients::default();
        carriers.iter().for_each(|frame| frame.tell(&mut quotients));
        Ok(Self { carriers, uses_file, quotients })
    }

    /// The name of the entity, where the format takes it from the name of the file.
    pub(crate) fn file_name(&self, body: &dyn Node) -> Option<String> {
        let rows = self.carriers.first()?.rows.iter();
        let route = rows.filter(|row| matches!(row.way, Way::File)).find_map(|row| row.routes.first())?;
        match route.whole.view(body) {
            View::Text(name) => Some(name.to_owned()),
            _ => None,
        }
    }
}

impl Place {
    /// The step that leads here; none for the value of the frame itself.
    pub(super) fn step(&self) -> At<'_> {
        At::Key(&self.key)
    }
}

impl Frame {
    fn new(map: &Map, part: &Part, shape: &'static Shape, prefix: &[Step]) -> Result<Self, String> {
        let mut frame = Self { places: vec![Place::default()], rows: Vec::new(), stamps: Vec::new(), gate: None };
        frame.add_rows(map, &part.rows, shape, prefix, true)?;
        for (path, literal) in part.stamp.iter() {
            frame.stamps.push((Route::find(shape, path)?, literal.clone()));
        }
        Ok(frame)
    }

    /// Adds rows; those around the fields stand before them in a fresh file.
    fn add_rows(
        &mut self,
        map: &Map,
        rows: &[Row],
        shape: &'static Shape,
        prefix: &[Step],
        last: bool,
    ) -> Result<(), String> {
        let mut added = Vec::with_capacity(rows.len());
        for row in rows {
            let place = match &row.wire {
                Wire::At(steps) => Some(self.place(prefix.iter().chain(steps.iter()))),
                Wire::FileStem | Wire::FileName => None,
            };
            added.push(RowPlan::new(map, row, place, shape)?);
        }
        let at = if last { self.rows.len() } else { 0 };
        self.rows.splice(at..at, added);
        for (n, row) in self.rows.iter().enumerate() {
            if let Some(place) = row.place.and_then(|p| self.places.get_mut(p)) {
                place.row = Some(n);
            }
        }
        Ok(())
    }

    /// The place at the end of a path, made if it is new.
    fn place<'a>(&mut self, steps: impl Iterator<Item = &'a Step>) -> usize {
        let mut at = 0;
        for step in steps {
            let key: &Str = match step {
                Step::Key(key) => key,
                Step::Every => continue,
            };
            at = self.child(at, key);
        }
        at
    }

    /// The child of a place, made if it is new.
    pub(super) fn child(&mut self, at: usize, key: &str) -> usize {
        if let Some(child) = self.places[at].children.get(key) {
            return child;
        }
        let child = self.places.len();
        self.places.push(Place { parent: at, key: key.into(), ..Place::default() });
        self.places[at].children.add(key, child);
        child
    }

    /// Says what the rows of this frame do not tell apart.
    fn tell(&self, scope: &mut Quotients) {
        for (route, literal) in &self.stamps {
            let at = route.whole.quotients(scope);
            at.defaults.extend(literal.value().map(Value::into_owned));
            at.mapped = true;
        }
        for row in &self.rows {
            for route in &row.routes {
                let at = route.whole.quotients(scope);
                at.mapped = true;
                match &row.way {
                    Way::Rows(rows) => {
                        at.by =
                            rows.by.and_then(|by| match rows.frame.rows[by].routes.first()?.whole.steps.first()? {
                                Towards::Field(n) => Some(*n),
                                Towards::Key(_) => None,
                            });
                        rows.frame.tell(at.items.get_or_insert_default());
                        if let Some(route) = rows.by.and_then(|by| rows.frame.rows[by].routes.first()) {
                            let identity = route.whole.quotients(at.items.get_or_insert_default());
                            identity.made = Some(Made::Identity);
                        }
                        at.blank |= row.row.omit_blank;
                        continue;
                    }
                    Way::File => at.file = true,
                    _ => {}
                }
                at.blank |= row.row.omit_blank;
                at.null |= !row.row.keep_null;
                at.keep |= row.row.gone == Gone::Keep;
                at.defaults.extend(row.defaults());
                if let Some(Fill::Count { word, .. }) = &row.row.or {
                    at.made = Some(Made::Count(word.to_string()));
                }
                if let Way::Items | Way::Word(_) = row.way {
                    let items = at.items.get_or_insert_default();
                    items.mapped = true;
                    if let Some(item) = &route.item {
                        item.quotients(items).mapped = true;
                    }
                }
            }
        }
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
    fn new(map: &Map, row: &Row, place: Option<usize>, shape: &'static Shape) -> Result<Self, String> {
        let routes = row.to.iter().map(|path| Route::find(shape, path)).collect::<Result<Vec<_>, _>>()?;
        let ty = match routes.first() {
            // A list of rows of which each holds one value of a plain list.
            Some(Route { item: Some(item), .. }) => list_of(item.ty),
            Some(route) => route.whole.ty,
            None => Type::Any,
        };
        let slot = Slot::new(row, &map.tables, if row.has.is_some() { Type::Bool } else { ty });
        let way = match (&row.inner, &row.has, &row.wire) {
            (_, _, Wire::FileStem | Wire::FileName) => Way::File,
            (Inner::Each(each), _, _) => {
                let Type::List(Type::Node(inner)) = ty else { return Err("rows that go to no list of rows".into()) };
                let part = map.part(each.part).ok_or("a map that does not exist")?;
                let frame = Frame::new(map, part, inner, &[])?;
                let by = each.by.as_ref().and_then(|key| frame.places[0].children.get(key));
                let by = by.and_then(|place| frame.places[place].row);
                Way::Rows(Box::new(RowsPlan { frame, by, asked: Vec::new() }))
            }
            (Inner::Value, Some(word), _) => Way::Word(word.clone()),
            (Inner::Value, None, _) if routes.is_empty() => Way::Sealed,
            (Inner::Value, None, _) if slot.is_list() => Way::Items,
            (Inner::Value, None, _) => Way::Value,
        };
        Ok(Self { row: Box::new(row.clone()), place, routes, slot, way })
    }

    /// The constants that count as nothing at the targets of this row.
    pub(crate) fn defaults(&self) -> Vec<Value<'static>> {
        let or = self.row.or.as_ref().and_then(Fill::literal).and_then(Literal::value).map(Value::into_owned);
        let fresh = self.row.fresh.as_ref().and_then(Fill::literal).and_then(Literal::value);
        let fresh = fresh.and_then(|value| match value {
            Value::Null => Some(Value::Null),
            value => self.slot.decode_constant(value.into_owned()),
        });
        or.into_iter().chain(fresh).collect()
    }

    /// The types a sealed slot is known to have; none: nothing is known.
    pub(crate) fn sealed_types(&self) -> Types {
        self.row.is
    }
}

/// The list type of an item type, where the item types of the model are known ahead.
fn list_of(item: Type) -> Type {
    match item {
        Type::Text(_) => Type::List(&Type::Text(&[])),
        Type::Bool => Type::List(&Type::Bool),
        Type::Number => Type::List(&Type::Number),
        _ => Type::List(&Type::Any),
    }
}
