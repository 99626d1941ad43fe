//! Rows: which row of the twin belongs to which row of the model.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::Hash;
use std::ops::Range;

use indexmap::IndexMap;

use super::export::{Export, Scope};
use super::fill::fill_value;
use super::fresh::fresh_row;
use super::ids;
use super::import::decode_row;
use super::items::{key_of, with_fixed};
use super::layer::Layer;
use super::order::{arrange, edit_items, items_for, sequence};
use super::plan::{Frame, OrderPlan, RowPlan, RowsPlan, Way};
use super::scope::{PlainItem, node_at};
use super::slot::Got;
use super::{At, Pass};
use crate::error::WarningKind;
use crate::json::{Cursor, Layout, Outline, Patches, Place, Value, is_blank, items, members, print, write_text};
use crate::map::{Gone, Ids, Keyed};
use crate::model::{Field, List, Made as MadeNames, Node, Open, View};

/// What is asked of the row that holds the identity.
#[derive(Clone, Copy)]
pub(super) enum Identity<'p> {
    /// There is none, or it is like any other row.
    None,
    /// The row at this index tells rows apart: if it differs, nothing is edited.
    Asked(usize, &'p RowsPlan),
    /// The row at this index has been matched.
    Known(usize),
}

impl RowPlan {
    /// The list of the model that the row goes to.
    pub(super) fn list<'m>(&self, scope: &'m dyn Node) -> Option<&'m dyn List> {
        match self.routes.first()?.whole.view(scope) {
            View::List(list) => Some(list),
            _ => None,
        }
    }

    /// Whether the list of the model holds the word that the slot stands for.
    pub(super) fn has_word(&self, scope: &dyn Node) -> bool {
        let Way::Word(word) = &self.way else { return false };
        let Some(list) = self.list(scope) else { return false };
        let is_word = |n: usize| list.item(n)?.view().value().map(|value| word.is(&value));
        (0..list.len()).any(|n| is_word(n) == Some(true))
    }
}

impl RowsPlan {
    /// Whether a row is one value, and no object with slots in it.
    pub(super) fn are_values(&self) -> bool {
        self.frame.places[0].row.is_some()
    }

    /// Whether a value that starts with this byte may be a row.
    pub(super) fn may_be_row(&self, first: u8) -> bool {
        first == b'{' || self.are_values()
    }

    /// Whether the value at a cursor, which stays where it is, is a row.
    pub(super) fn is_row(&self, cursor: &Cursor<'_>) -> Pass<bool> {
        let mut here = cursor.clone();
        let first = here.peek()?;
        // A plain value that is blank says nothing where blanks do.
        let blanks = self.frame.places[0].row.is_some_and(|row| self.frame.rows[row].row.omit_blank);
        Ok(self.may_be_row(first) && !(blanks && first == b'"' && is_blank(&here.text()?)))
    }

    /// The byte that what holds the rows starts with.
    pub(super) fn opens_with(&self) -> u8 {
        if self.keyed.is_some() { b'{' } else { b'[' }
    }

    /// What a row without an identity is called, if no other row bears the name.
    pub(super) fn made_for(&self, index: usize) -> String {
        ids::made_for(self.ids, index)
    }

    /// Settles the identities of the rows that were read: those that have none, each with the key
    /// it has where rows are members of an object, and those that must be unique and are not.
    /// The answer is an identity that had to be unique and repeats.
    pub(super) fn name(
        &self,
        list: &mut dyn List,
        unnamed: &[(usize, Option<String>)],
        made: &mut MadeNames,
    ) -> Option<String> {
        let by = self.by.map(|by| &self.frame.rows[by])?;
        let route = by.routes.first()?;
        if unnamed.is_empty() && (self.ids == Ids::Verbatim || self.are_unique(list)) {
            return None;
        }
        let mut wire: Vec<Option<String>> =
            (0..list.len()).map(|n| node_at(list, n).and_then(|node| self.identity(node))).collect();
        for (n, key) in unnamed {
            wire[*n] = key.clone();
        }
        let mut seen = HashSet::new();
        let mut borne = wire.iter().flatten().filter(|id| self.ids == Ids::Unique && !id.is_empty());
        let repeated = borne.find(|id| !seen.insert(id.as_str())).cloned();
        for (n, id) in ids::settle(self.ids, wire.clone()).into_iter().enumerate() {
            if wire[n].as_ref() != Some(&id) {
                made.insert((by.serial, id.clone()));
            }
            if let Some(Open::Node(node)) = list.item_mut(n).map(Field::open) {
                route.whole.set(node, Value::text(id));
            }
        }
        repeated
    }

    /// Whether no identity is empty and none repeats.
    fn are_unique(&self, list: &dyn List) -> bool {
        let Some(route) = self.by.and_then(|by| self.frame.rows[by].routes.first()) else { return true };
        let mut seen = HashSet::with_capacity(list.len());
        (0..list.len()).filter_map(|n| node_at(list, n)).all(|node| match route.whole.view(node) {
            View::Text(id) => !id.is_empty() && seen.insert(id),
            _ => false,
        })
    }

    /// The identity of a row of the model, if it has one; where rows have none they are all alike.
    pub(super) fn identity(&self, node: &dyn Node) -> Option<String> {
        Reader { frame: &self.frame, by: self.by }.identity(node)
    }
}

/// A value as a text that only equal values have.
pub(super) fn shown(view: View<'_>) -> String {
    view.value().map_or_else(String::new, |value| key_of(&value))
}

/// Calls with a row of the model as a struct.
fn with_row<T>(rows: &RowsPlan, list: &dyn List, n: usize, call: impl FnOnce(&dyn Node) -> T) -> Option<T> {
    if rows.plain { list.item(n).map(|item| call(&PlainItem(item))) } else { node_at(list, n).map(call) }
}

/// The rows of a twin: where they stand among the items of the list, or the members of the object.
pub(super) struct Twins<'t> {
    text: &'t str,
    /// The items, or the members with their keys.
    outline: Outline<Range<usize>>,
    /// Where the value of each of them starts, and its key.
    values: Vec<(usize, Option<String>)>,
    /// Which of them are rows.
    pub(super) rows: Vec<usize>,
    /// Which of them can be none, whatever they say.
    pub(super) others: Vec<usize>,
    depth: u32,
}

impl<'t> Twins<'t> {
    pub(super) fn new(start: &Cursor<'t>, plan: &RowsPlan) -> Pass<Self> {
        let text = start.source();
        let (outline, values) = if plan.keyed.is_some() {
            let object = members(text, start.at())?;
            let spans = object.inside.iter().map(|member| member.start..member.value.end).collect();
            let values = object.inside.iter().map(|m| (m.value.start, Some(m.key.clone().into_owned()))).collect();
            (Outline { span: object.span, inside: spans }, values)
        } else {
            let list = items(text, start.at())?;
            let values = list.inside.iter().map(|item| (item.start, None)).collect();
            (list, values)
        };
        let values: Vec<(usize, Option<String>)> = values;
        let depth = start.depth() + 1;
        let (mut rows, mut others) = (Vec::with_capacity(values.len()), Vec::new());
        for (n, (at, _)) in values.iter().enumerate() {
            let cursor = Cursor::starting_at(text, *at, depth);
            if plan.is_row(&cursor)? {
                rows.push(n);
            } else if !plan.may_be_row(cursor.clone().peek()?) {
                others.push(n);
            }
        }
        Ok(Self { text, outline, values, rows, others, depth })
    }

    /// Whether there is no row among them.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(super) fn cursor(&self, row: usize) -> Cursor<'t> {
        Cursor::starting_at(self.text, self.values[self.rows[row]].0, self.depth)
    }

    pub(super) fn key(&self, row: usize) -> Option<&str> {
        self.key_at(self.rows[row])
    }

    /// The key of what stands at a place.
    pub(super) fn key_at(&self, place: usize) -> Option<&str> {
        self.values[place].1.as_deref()
    }

    /// For each row what the list that keeps their order calls it.
    pub(super) fn named(&self, plan: &RowsPlan, order: &OrderPlan) -> Pass<Vec<Option<String>>> {
        let key = &plan.frame.places[order.of].key;
        (0..self.rows.len())
            .map(|row| {
                let Some(mut cursor) = member(self.cursor(row), key)? else { return Ok(None) };
                Ok(match order.slot.read_item(&mut cursor)? {
                    Got::Value(Value::Text(text)) => Some(text.into_owned()),
                    _ => None,
                })
            })
            .collect()
    }
}

/// A cursor at the value of a key in the object at a cursor; of two equal keys the last one.
pub(super) fn member<'t>(mut cursor: Cursor<'t>, key: &str) -> crate::json::Result<Option<Cursor<'t>>> {
    let mut found = None;
    if cursor.peek()? == b'{' && cursor.object()? {
        loop {
            if cursor.key()?.text() == key {
                found = Some(cursor.clone());
            }
            cursor.skip()?;
            if !cursor.more(b'}')? {
                break;
            }
        }
    }
    Ok(found)
}

/// The list that keeps the order of rows: where it stands, if it is there, and what is done to it.
pub(super) struct Listing<'t, 'e> {
    pub(super) ids: Option<Cursor<'t>>,
    pub(super) patches: &'e mut Patches,
}

impl<'p> Export<'p> {
    /// Compares rows with those of the model, and edits them where they differ.
    ///
    /// As long as the rows come in the order of the model this is one pass; otherwise they are
    /// matched through one look-up table.
    pub(super) fn rows(
        &mut self,
        rows: &'p RowsPlan,
        list: &dyn List,
        cursor: &mut Cursor<'_>,
        patches: &mut Patches,
    ) -> Pass {
        let sorted = rows.sorted(list);
        let list = sorted.as_ref().map_or(list, |sorted| sorted as &dyn List);
        let (start, mark) = (cursor.clone(), patches.mark());
        let identity = rows.by.map_or(Identity::None, |by| Identity::Asked(by, rows));
        let (mut n, mut place, mut aligned, mut same) = (0, 0, true, true);
        let mut sums = self.truth.start_rows(rows);
        let close = if rows.keyed.is_some() { b'}' } else { b']' };
        let any = if rows.keyed.is_some() { cursor.object()? } else { cursor.list()? };
        if any {
            loop {
                let key = if rows.keyed.is_some() { Some(cursor.key()?.text()) } else { None };
                self.truth.start_row(rows);
                if !rows.is_row(cursor)? {
                    self.truth.pass_over(&rows.frame, 0, cursor)?;
                } else {
                    self.walk.row()?;
                    if aligned && n < list.len() {
                        self.walk.path.push(At::Index(place));
                        let compared = with_row(rows, list, n, |node| {
                            let scope = Scope { frame: &rows.frame, node, index: n, key: key.as_deref() };
                            self.frame(&scope, cursor, patches, identity)
                        });
                        self.walk.path.pop();
                        match compared.transpose()? {
                            Some(compared) => {
                                aligned = compared.same_identity;
                                same &= compared.same;
                            }
                            None => {
                                aligned = false;
                                cursor.skip()?;
                            }
                        }
                    } else {
                        aligned = false;
                        self.truth.pass_over(&rows.frame, 0, cursor)?;
                    }
                    n += 1;
                }
                self.truth.end_row(rows, &mut sums);
                place += 1;
                if !cursor.more(close)? {
                    break;
                }
            }
        }
        // Rows in the order of the model are not the rows of the model where several share an
        // identity and one differs: they may have changed places.
        if !aligned || n != list.len() || (!same && some_share(rows, list)) {
            patches.discard(mark);
            let twins = Twins::new(&start, rows)?;
            let made = self.put_rows(rows, list, &twins, patches)?;
            let sequence: Vec<usize> = (0..made.len()).collect();
            twins.edit(rows, &made, &sequence, mark, patches);
        }
        self.truth.end_rows(rows, &sums, any);
        Ok(())
    }

    /// The same for rows whose order a list elsewhere keeps.
    pub(super) fn ordered_rows(
        &mut self,
        row: &'p RowPlan,
        rows: &'p RowsPlan,
        scope: &Scope<'p, '_>,
        cursor: &mut Cursor<'_>,
        listing: Listing<'_, '_>,
        patches: &mut Patches,
    ) -> Pass<bool> {
        let (true, Some(order)) = (cursor.peek()? == rows.opens_with(), &rows.order) else {
            return Ok(self.default_is(row, scope));
        };
        let twins = Twins::new(cursor, rows)?;
        let list = row.list(scope.node);
        let stays = twins.is_empty() && row.row.omit_blank || row.row.gone == Gone::Keep;
        if list.is_none() && stays {
            return Ok(true);
        }
        let Listing { ids, patches: outer } = listing;
        let listed = ids.clone().map(|ids| order.ids(ids)).transpose()?.flatten();
        let (Some(mut ids), Some(listed)) = (ids, listed) else {
            // A list that is missing or cannot be read orders nothing.
            return list.map_or(Ok(false), |list| self.rows(rows, list, cursor, patches).map(|()| true));
        };
        let mark = patches.mark();
        let named = twins.named(rows, order)?;
        let read = sequence(&named, &listed);
        let made = list.map_or_else(|| Ok(Vec::new()), |list| self.put_rows(rows, list, &twins, patches))?;
        let stay: HashSet<usize> = made.iter().filter_map(|made| made.twin).collect();
        let before = read.rows.iter().copied().filter(|row| stay.contains(row));
        if list.is_some() && stay.len() == twins.rows.len() && made.iter().map(|made| made.twin).eq(before.map(Some)) {
            return Ok(true);
        }
        let called = made.iter().map(|made| match (made.twin, &made.value) {
            (Some(twin), _) => named[twin].clone(),
            (None, Some(value)) => order.id_in(rows, value),
            (None, None) => None,
        });
        let called: Vec<_> = called.collect();
        let arranged = arrange(&made, &called, &read, &[]);
        let items = items_for(&arranged, &made, &read, |n| Value::text(called[n].clone().unwrap_or_default()));
        self.in_text(&order.slot, &mut ids, outer, |_, cursor, patches| {
            edit_items(cursor, &read, &items, patches.mark(), patches)
        })?;
        if list.is_some() {
            twins.edit(rows, &made, &arranged.array, mark, patches);
        }
        Ok(list.is_some())
    }

    /// Puts every row of the model over the row of the twin that it is, or makes a new one.
    fn put_rows(
        &mut self,
        rows: &'p RowsPlan,
        list: &dyn List,
        twins: &Twins<'_>,
        patches: &mut Patches,
    ) -> Pass<Vec<Made>> {
        let matched = self.matches(rows, list, twins)?;
        let identity = rows.by.map_or(Identity::None, Identity::Known);
        let mut keys = NewKeys::new(rows, list, twins);
        let mut made = Vec::with_capacity(matched.len());
        for (n, twin) in matched.into_iter().enumerate() {
            made.push(match twin {
                Some(row) => {
                    let put = with_row(rows, list, n, |node| {
                        let scope = Scope { frame: &rows.frame, node, index: row, key: twins.key(row) };
                        self.frame(&scope, &mut twins.cursor(row), patches, identity)
                    });
                    put.transpose()?;
                    Made { twin: Some(row), value: None, key: None }
                }
                None => {
                    let key = keys.of(rows, list, n);
                    // What a plain row has no word for is not written, and the report tells.
                    let Some(value) = fresh_row(rows, list, n, key.as_deref(), &self.fresh()) else { continue };
                    Made { twin: None, value: Some(value), key }
                }
            });
        }
        Ok(made)
    }

    /// For each row of the model the row of the twin that it is.
    fn matches(&mut self, rows: &'p RowsPlan, list: &dyn List, twins: &Twins<'_>) -> Pass<Vec<Option<usize>>> {
        let way = Reader { frame: &rows.frame, by: rows.by };
        let mut wire = Vec::with_capacity(twins.rows.len());
        for row in 0..twins.rows.len() {
            wire.push(self.wire_identity(way, Some(list), twins, row)?);
        }
        let wire: Vec<_> = ids::settle(rows.ids, wire).into_iter().map(Some).collect();
        let identity = |n: usize| {
            if rows.plain { Some(String::new()) } else { node_at(list, n).and_then(|node| rows.identity(node)) }
        };
        let model: Vec<Option<String>> = (0..list.len()).map(identity).collect();
        let twin_says = |row: usize, id: &String| {
            let mut item = list.blank();
            self.decode(way, rows.plain, twins.cursor(row), row, id, &mut *item)?;
            Ok(shown(item.view()))
        };
        let model_says = |n: usize| list.item(n).map(|item| shown(item.view())).unwrap_or_default();
        let (pairs, guessed) = pair_all(&model, &wire, twin_says, model_says)?;
        for id in guessed.into_iter().filter(|_| rows.by.is_some()) {
            self.guessed(&id);
        }
        Ok(pairs)
    }

    /// Warns that only their order tells edited rows apart.
    pub(super) fn guessed(&mut self, id: &str) {
        let message = format!("several rows are called {id:?} and were edited; they are told apart by their order");
        self.walk.warn(WarningKind::Other, message);
    }

    /// Reads a row of the twin into a blank item, with the identity that it was given.
    pub(super) fn decode(
        &self,
        way: Reader<'p>,
        plain: bool,
        mut cursor: Cursor<'_>,
        index: usize,
        id: &str,
        item: &mut dyn Field,
    ) -> Pass {
        let mut read = |node: &mut dyn Node| decode_row(way.frame, &mut cursor, node, index, self.walk.source);
        if plain {
            read(&mut PlainItem(item))?;
        } else if let Open::Node(node) = item.open() {
            read(node)?;
            if let Some(route) = way.by.and_then(|by| way.frame.rows[by].routes.first()) {
                route.whole.set(node, Value::text(id));
            }
        }
        Ok(())
    }

    /// The identity of a row of the twin, if it has one; `list` is the list of the model that it
    /// would go to.
    pub(super) fn wire_identity(
        &self,
        way: Reader<'p>,
        list: Option<&dyn List>,
        twins: &Twins<'_>,
        row: usize,
    ) -> Pass<Option<String>> {
        let Some(by) = way.by.map(|by| &way.frame.rows[by]) else { return Ok(Some(String::new())) };
        let key = by.place.map(|place| way.frame.places[place].key.as_ref()).unwrap_or_default();
        let mut identity = None;
        if let Some(mut cursor) = member(twins.cursor(row), key)? {
            identity = match by.slot.layer(&mut cursor)? {
                Layer::Plain => identity_of(by.slot.read(&mut cursor)?),
                Layer::Inside(inner) => identity_of(by.slot.read(&mut Cursor::new(&inner.text))?),
                Layer::Unreadable => None,
            };
        }
        let or = || {
            let blank = list?.blank();
            let View::Node(node) = blank.view() else { return None };
            let fill = by.row.or.as_ref()?;
            fill_value(fill, node, row, self.walk.source).and_then(|value| identity_of(Got::Value(value)))
        };
        Ok(identity.or_else(or).or_else(|| twins.key(row).map(str::to_owned)))
    }
}

/// How rows are read, and which row of the frame holds the identity.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'p> {
    pub(super) frame: &'p Frame,
    pub(super) by: Option<usize>,
}

impl Reader<'_> {
    /// The identity of a row of the model, if it has one; where rows have none they are all alike.
    pub(super) fn identity(self, node: &dyn Node) -> Option<String> {
        let route = self.by.and_then(|by| self.frame.rows[by].routes.first());
        match route.map(|route| route.whole.view(node)) {
            None => Some(String::new()),
            Some(View::Absent | View::Null) => None,
            Some(View::Text(text)) => Some(text.to_owned()),
            Some(view) => Some(shown(view)),
        }
    }
}

/// For each row of the model the row of the twin that it is, by their identities, and the
/// identities of which only the order of the rows told which is which.
///
/// Of rows that share an identity what they say is asked for.
pub(super) fn pair_all<K: Hash + Eq + Clone>(
    model: &[Option<K>],
    twins: &[Option<K>],
    mut twin_says: impl FnMut(usize, &K) -> Pass<String>,
    model_says: impl Fn(usize) -> String,
) -> Pass<(Vec<Option<usize>>, Vec<K>)> {
    // In the order of the model, so that warnings come in that order too.
    let mut shares: IndexMap<&K, Sharing> = IndexMap::new();
    for (n, id) in model.iter().enumerate() {
        if let Some(id) = id {
            shares.entry(id).or_default().model.push(n);
        }
    }
    for (row, id) in twins.iter().enumerate() {
        if let Some(sharing) = id.as_ref().and_then(|id| shares.get_mut(id)) {
            sharing.twins.push(row);
        }
    }
    let (mut matched, mut unsure) = (vec![None; model.len()], Vec::new());
    for (id, Sharing { model, twins: shared }) in shares {
        if let ([n], [row]) = (&*model, &*shared) {
            matched[*n] = Some(*row);
            continue;
        }
        let twin = shared.iter().map(|row| twin_says(*row, id)).collect::<Pass<Vec<_>>>()?;
        let said: Vec<_> = model.iter().map(|n| model_says(*n)).collect();
        let (pairs, guessed) = pair(&said, &twin);
        for (n, row) in model.into_iter().zip(pairs) {
            matched[n] = row.map(|row| shared[row]);
        }
        unsure.extend(guessed.then(|| id.clone()));
    }
    Ok((matched, unsure))
}

/// The rows of the model and of the twin that share an identity; all do where there is none.
#[derive(Debug, Default)]
struct Sharing {
    model: Vec<usize>,
    twins: Vec<usize>,
}

/// For each row of the model the row of the twin that it is, by what the rows say, and whether
/// there was a choice that only their order made.
///
/// Rows that say the same at the same place are each other, then rows that say the same anywhere,
/// and the others in order. An edit of one of several equal rows so leaves the others where they
/// are.
fn pair(model: &[String], twin: &[String]) -> (Vec<Option<usize>>, bool) {
    let mut pairs: Vec<Option<usize>> =
        (0..model.len()).map(|n| (twin.get(n) == Some(&model[n])).then_some(n)).collect();
    let mut free: Vec<bool> = (0..twin.len()).map(|row| pairs.get(row).is_none_or(Option::is_none)).collect();
    let mut says: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for row in (0..twin.len()).filter(|row| free[*row]) {
        says.entry(&twin[row]).or_default().push_back(row);
    }
    for n in 0..model.len() {
        if pairs[n].is_none()
            && let Some(row) = says.get_mut(&*model[n]).and_then(VecDeque::pop_front)
        {
            (pairs[n], free[row]) = (Some(row), false);
        }
    }
    let waiting: Vec<usize> = (0..model.len()).filter(|n| pairs[*n].is_none()).collect();
    let left: Vec<usize> = (0..twin.len()).filter(|row| free[*row]).collect();
    let guessed = waiting.len() > 1 && left.len() > 1;
    for (n, row) in waiting.into_iter().zip(left) {
        pairs[n] = Some(row);
    }
    (pairs, guessed)
}

fn identity_of(got: Got<'_>) -> Option<String> {
    match got {
        Got::Value(Value::Text(text)) => Some(text.into_owned()),
        Got::Value(value) => Some(key_of(&value)),
        Got::Blank | Got::Null | Got::Unknown | Got::Wrong | Got::Refused => None,
    }
}

/// A row as it is to stand in the file.
#[derive(Debug)]
pub(super) struct Made {
    /// The row of the twin that it is.
    pub(super) twin: Option<usize>,
    /// Its value, if it is new.
    pub(super) value: Option<Value<'static>>,
    /// Its key, if it is new and a member of an object.
    pub(super) key: Option<String>,
}

/// Keys for new rows that are members of an object.
pub(super) struct NewKeys {
    keyed: Option<Keyed>,
    taken: HashSet<String>,
    /// The identities of the rows, which are no keys of others where these are numbers.
    ids: HashSet<String>,
    next: usize,
    /// For each identity that repeats the next number behind it.
    suffixes: HashMap<String, usize>,
}

impl NewKeys {
    pub(super) fn new(rows: &RowsPlan, list: &dyn List, twins: &Twins<'_>) -> Self {
        let taken = twins.values.iter().filter_map(|(_, key)| key.clone()).collect();
        Self { taken, ..Self::none(rows, list) }
    }

    /// For an object that has no key yet.
    pub(super) fn none(rows: &RowsPlan, list: &dyn List) -> Self {
        let ids = match rows.keyed {
            Some(Keyed::Number) => {
                (0..list.len()).filter_map(|n| rows.identity(node_at(list, n)?)).filter(|id| is_number(id)).collect()
            }
            _ => HashSet::new(),
        };
        Self { keyed: rows.keyed, taken: HashSet::new(), ids, next: 0, suffixes: HashMap::new() }
    }

    /// The key of a new row of the model.
    pub(super) fn of(&mut self, rows: &RowsPlan, list: &dyn List, n: usize) -> Option<String> {
        self.keyed?;
        self.next(rows.identity(node_at(list, n)?).unwrap_or_default())
    }

    pub(super) fn next(&mut self, id: String) -> Option<String> {
        let key = match self.keyed? {
            Keyed::Number if is_number(&id) && self.taken.insert(id.clone()) => return Some(id),
            Keyed::Id if self.taken.insert(id.clone()) => return Some(id),
            Keyed::Id => {
                let next = self.suffixes.entry(id.clone()).or_insert(2);
                loop {
                    let key = format!("{id}-{next}");
                    *next += 1;
                    if !self.taken.contains(&key) {
                        break key;
                    }
                }
            }
            Keyed::Number => loop {
                let key = self.next.to_string();
                self.next += 1;
                if !self.taken.contains(&key) && !self.ids.contains(&key) {
                    break key;
                }
            },
        };
        self.taken.insert(key.clone());
        Some(key)
    }
}

/// Whether a text is a whole number as it is printed.
fn is_number(text: &str) -> bool {
    text.parse::<u32>().is_ok_and(|n| n.to_string() == text)
}

impl Twins<'_> {
    /// Gives the rows a new sequence, by their indexes in `made`; what is no row keeps its place.
    pub(super) fn edit(&self, rows: &RowsPlan, made: &[Made], sequence: &[usize], mark: usize, patches: &mut Patches) {
        let layout = patches.layout(self.text, self.outline.span.start);
        let writers: Vec<_> = made
            .iter()
            .map(|made| {
                let colon = layout.colon();
                move |layout: &Layout, out: &mut String| {
                    if let Some(key) = &made.key {
                        write_text(key, out);
                        out.push_str(colon);
                    }
                    if let Some(value) = &made.value {
                        print(value, layout, out);
                    }
                }
            })
            .collect();
        let places = sequence.iter().map(|n| match made[*n].twin {
            Some(twin) => Place::Old(self.rows[twin]),
            None => Place::New(&writers[*n]),
        });
        let is_row: HashSet<usize> = self.rows.iter().copied().collect();
        let fixed = (0..self.values.len()).filter(|n| !is_row.contains(n));
        let sequence = with_fixed(places, fixed.map(|n| (n, Place::Old(n))));
        debug_assert!(rows.keyed.is_some() || self.values.iter().all(|(_, key)| key.is_none()));
        patches.edit_list(self.text, &self.outline, &sequence, mark, &layout);
    }
}

/// Whether several rows of the model share an identity; all do where there is none.
fn some_share(rows: &RowsPlan, list: &dyn List) -> bool {
    if rows.by.is_none() {
        return list.len() > 1;
    }
    let mut seen = HashSet::with_capacity(list.len());
    !(0..list.len()).filter_map(|n| node_at(list, n)).filter_map(|node| rows.identity(node)).all(|id| seen.insert(id))
}
