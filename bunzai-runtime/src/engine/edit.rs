//! Writing the slots of a twin that differ from the model.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use super::Pass;
use super::export::{Entered, Export, Leftover, Met, Scope, is_on};
use super::fresh::{Fresh, Said, said_in};
use super::items::{Items, edit_items, form_of_items};
use super::layer::Layer;
use super::pick::{text_of, with_key};
use super::plan::{Place, RowPlan, Way};
use super::slot::{Form, Got, Slot};
use super::target::Target;
use crate::json::{Cursor, Layout, NewMember, Patches, Place as InList, Value, is_blank, items, members, print};
use crate::map::{Gone, Str};

/// What is to be done to the members of the objects of a frame, by the place of the object.
struct Edits<'v>(BTreeMap<usize, ObjectEdit<'v>>);

impl<'v> Edits<'v> {
    /// A new member, at a place of the frame.
    fn insert(&mut self, scope: &Scope<'v, '_>, place: usize, value: Value<'v>) {
        let Place { parent, key, .. } = &scope.frame.places[place];
        let new = Inserted { key: Cow::Borrowed(key), place: Some(place), value };
        self.0.entry(*parent).or_default().inserted.push(new);
    }

    /// A member that goes.
    fn remove(&mut self, scope: &Scope<'v, '_>, place: usize) {
        let Place { parent, key, pick, .. } = &scope.frame.places[place];
        // A row that is picked stays.
        if pick.is_some() {
            return;
        }
        self.0.entry(*parent).or_default().removed.insert(Cow::Borrowed(key));
    }
}

#[derive(Default)]
struct ObjectEdit<'v> {
    removed: HashSet<Cow<'v, str>>,
    inserted: Vec<Inserted<'v>>,
}

struct Inserted<'v> {
    key: Cow<'v, str>,
    /// The place of the key in the map, which says after which key it stands.
    place: Option<usize>,
    value: Value<'v>,
}

/// What differs in a frame.
pub(super) struct Differing<'d> {
    pub(super) rows: &'d [usize],
    /// What joins write, by place.
    pub(super) joins: Vec<(usize, Option<Value<'static>>)>,
    pub(super) leftovers: Vec<Leftover>,
}

/// What a slot that is there becomes.
enum Becomes<'v> {
    Value(Value<'v>),
    Removed,
    /// It stays: the model has nothing to say, or nothing this wire could say.
    Kept,
}

/// A slot of a row that is there.
struct Here<'a> {
    slot: &'a Slot,
    span: Range<usize>,
    text: &'a str,
}

impl<'p> Export<'p> {
    /// What the writing of new values knows of the document.
    pub(super) fn fresh(&self) -> Fresh<'p> {
        Fresh {
            source: self.walk.source,
            root: self.root,
            document: Some(self.document),
            depth: Cell::new(0),
            wired: Rc::clone(&self.wired),
        }
    }

    /// Writes what differs in a frame.
    pub(super) fn edit(
        &self,
        scope: &Scope<'p, '_>,
        entered: Entered,
        differing: Differing<'_>,
        text: &str,
        patches: &mut Patches,
    ) -> Pass {
        let fresh = self.fresh();
        let mut edits = Edits(BTreeMap::new());
        let here = Cursor::starting_at(text, 0, 0);
        for row in differing.rows.iter().map(|n| &scope.frame.rows[*n]) {
            let Some(own) = row.place else { continue };
            let used = match row.also.is_empty() {
                true => Some((own, &row.slot)).filter(|(place, _)| self.met[entered.met + place].is_there()),
                false => self.used(row, entered, &here)?,
            };
            let removed = match used {
                Some((place, slot)) => {
                    let span = self.met[entered.met + place].span();
                    self.edit_slot(row, scope, &Here { slot, span, text }, &fresh, patches)?
                }
                // None of its places says anything.
                None if self.met[entered.met + own].is_there() => {
                    let span = self.met[entered.met + own].span();
                    self.edit_slot(row, scope, &Here { slot: &row.slot, span, text }, &fresh, patches)?
                }
                None => {
                    if let Some(value) = fresh.slot(row, scope, false) {
                        edits.insert(scope, own, value.into_owned());
                    }
                    false
                }
            };
            if removed {
                let places = row.also.iter().map(|(place, _)| *place).chain([own]);
                places.filter(|place| self.met[entered.met + place].is_there()).for_each(|p| edits.remove(scope, p));
            }
        }
        for (place, value) in differing.joins {
            let met = self.met[entered.met + place];
            match value {
                Some(value) if met.is_there() => {
                    patches.put(text, met.span(), &value);
                }
                Some(value) => edits.insert(scope, place, value),
                None if met.is_there() => edits.remove(scope, place),
                None => {}
            }
        }
        let rest = scope.frame.rest.as_ref().map_or(0, |rest| rest.place);
        for leftover in differing.leftovers {
            let object = edits.0.entry(rest).or_default();
            match leftover {
                Leftover::Removed(key) => drop(object.removed.insert(key.into())),
                Leftover::New(key, value) => object.inserted.push(Inserted { key: key.into(), place: None, value }),
                Leftover::Changed(span, value) => {
                    patches.put(text, span.clone(), &value);
                }
            }
        }
        self.edit_objects(scope, entered, edits, text, patches)
    }

    /// Writes a slot that is there; true when it is to be removed.
    fn edit_slot(
        &self,
        row: &RowPlan,
        scope: &Scope<'p, '_>,
        place: &Here<'_>,
        fresh: &Fresh<'p>,
        patches: &mut Patches,
    ) -> Pass<bool> {
        let Here { slot, span, text } = place;
        let first = text.as_bytes().get(span.start);
        match slot.layer(&mut Cursor::starting_at(text, span.start, 0))? {
            Layer::Plain if first != Some(&b'n') || !slot.has_texts() => {
                self.edit_plain(row, scope, place, fresh, patches)
            }
            // A blank text holds nothing and is filled in the first form; any other text that
            // cannot be read may hold what nobody knows of.
            Layer::Unreadable if first == Some(&b'"') && !is_blank_string(text, span.start)? => Ok(false),
            // Neither is another type where the object of a map should be: it is the parent of slots.
            Layer::Unreadable if first != Some(&b'"') && matches!(row.way, Way::Map(_)) => Ok(false),
            Layer::Plain | Layer::Unreadable => self.refill(row, scope, place, fresh, patches),
            Layer::Inside(inner) => {
                let start = inner.text.len() - inner.text.trim_start().len();
                let whole = start..inner.text.trim_end().len();
                let mut inside = inner.patches(text, span.start, patches);
                let here = Here { slot, span: whole, text: &inner.text };
                let removed = self.edit_plain(row, scope, &here, fresh, &mut inside)?;
                if !removed {
                    inner.carry(inside, text, span.clone(), patches)?;
                }
                Ok(removed)
            }
        }
    }

    /// Writes a slot that holds no readable text, in the first form.
    fn refill(
        &self,
        row: &RowPlan,
        scope: &Scope<'p, '_>,
        Here { slot, span, text }: &Here<'_>,
        fresh: &Fresh<'p>,
        patches: &mut Patches,
    ) -> Pass<bool> {
        let value = match fresh.slot(row, scope, false) {
            Some(value) => value,
            None => match row.row.gone {
                Gone::Keep => return Ok(false),
                Gone::Null => Value::Null,
                Gone::Remove if scope.frame.is_removable(row) => return Ok(true),
                Gone::Remove | Gone::Blank => slot.blank_in_text(),
            },
        };
        patches.put(text, span.clone(), &value);
        Ok(false)
    }

    /// Writes a slot in the text that its value stands in.
    fn edit_plain(
        &self,
        row: &RowPlan,
        scope: &Scope<'p, '_>,
        Here { slot, span, text }: &Here<'_>,
        fresh: &Fresh<'p>,
        patches: &mut Patches,
    ) -> Pass<bool> {
        let first = text.as_bytes().get(span.start);
        let is_list = first == Some(&b'[');
        if let (Way::Map(_), Some(b)) = (&row.way, first)
            && *b != b'n'
        {
            // Another type stands where the object should be: the write is blocked.
            return Ok(false);
        }
        let form = match row.way {
            Way::Items | Way::Flags(_) if is_list => form_of_items(slot, text, span.start)?,
            Way::Rows(_) | Way::Map(_) => None,
            _ if !slot.has_forms() => Some(Form::default()),
            _ => Value::read(&mut Cursor::starting_at(text, span.start, 0))?.and_then(|value| slot.form(&value)),
        };
        let said = match &row.way {
            Way::Rows(_) | Way::Map(_) => match fresh.slot(row, scope, false) {
                Some(value) => Said::Value(value),
                None => Said::Nothing,
            },
            _ => said_in(row, slot, scope.node, form.as_ref()),
        };
        let becomes = match said {
            Said::Unsayable => Becomes::Kept,
            Said::Value(value) => Becomes::Value(value),
            Said::Nothing => match row.row.gone {
                Gone::Keep => Becomes::Kept,
                Gone::Null => Becomes::Value(Value::Null),
                Gone::Remove if scope.frame.is_removable(row) => Becomes::Removed,
                Gone::Remove | Gone::Blank => Becomes::Value(slot.blank(form.as_ref())),
            },
        };
        match (becomes, &row.way) {
            (Becomes::Kept, _) => Ok(false),
            (Becomes::Removed, _) => Ok(true),
            (Becomes::Value(Value::List(_)), Way::Items) if is_list => {
                let items = row.routes.first().and_then(|route| Items::of(route, scope.node));
                let values = items.map(|items| items.values()).unwrap_or_default();
                edit_items(slot, values, form.as_ref(), text, span.start, patches).map(|()| false)
            }
            (Becomes::Value(Value::List(_)), Way::Flags(flags)) if is_list => {
                let values = flagged(flags, slot, scope, text, span.start)?;
                edit_items(slot, values, form.as_ref(), text, span.start, patches).map(|()| false)
            }
            (Becomes::Value(value), _) => {
                patches.put(text, span.clone(), &value);
                Ok(false)
            }
        }
    }

    /// Removes and inserts members. Objects that are missing or null are made, innermost first.
    fn edit_objects(
        &self,
        scope: &Scope<'p, '_>,
        entered: Entered,
        mut edits: Edits<'p>,
        text: &str,
        patches: &mut Patches,
    ) -> Pass {
        self.name_new_rows(scope, entered, &mut edits, text, patches)?;
        // A place has a higher number than the one it lies in.
        while let Some((at, mut edit)) = edits.0.pop_last() {
            // Objects that are made come from the last to the first.
            edit.inserted.sort_by_key(|new| (new.place.is_none(), new.place));
            let met = self.met[entered.met + at];
            let first = text.as_bytes().get(met.start).filter(|_| met.is_there());
            if let Some(child) = scope.frame.places[at].picked {
                let made = self.insert_row(scope, entered, (at, child), edit, text, patches)?;
                made.into_iter().for_each(|made| edits.insert(scope, at, made));
                continue;
            }
            match first {
                Some(b'{') => edit_members(scope, at, met, &edit, text, patches)?,
                // Another type stands where the object should be: the write is blocked.
                Some(b) if *b != b'n' => {}
                _ if edit.inserted.is_empty() => {}
                _ => {
                    let made = edit.inserted.into_iter().map(|new| (new.key, new.value));
                    let made = Value::Object(made.collect());
                    if first.is_some() {
                        patches.put(text, met.span(), &made);
                    } else if at != 0 {
                        edits.insert(scope, at, made);
                    }
                }
            }
        }
        Ok(())
    }
}

impl<'p> Export<'p> {
    /// Sees to it that rows which are to be made are picked: that they are where the pick looks for
    /// them, and that the slot which says which one it is names them.
    fn name_new_rows(
        &self,
        scope: &Scope<'p, '_>,
        entered: Entered,
        edits: &mut Edits<'p>,
        text: &str,
        patches: &mut Patches,
    ) -> Pass {
        let frame = scope.frame;
        for (n, pick) in frame.picks.iter().enumerate() {
            let (None, Some(row)) = (self.picked.key(n), frame.places[pick.at].picked) else { continue };
            let is_in_row =
                |place: usize| frame.pick_around(place).is_some_and(|row| frame.places[row].pick == Some(n));
            let is_made = edits.0.values().flat_map(|edit| &edit.inserted).any(|new| new.place.is_some_and(is_in_row));
            if !is_made {
                continue;
            }
            let in_row = |new: &Inserted<'_>| new.place.and_then(|place| frame.pick_around(place)) == Some(row);
            if !edits.0.values().flat_map(|edit| &edit.inserted).any(in_row) {
                edits.insert(scope, row, frame.blank_row(row));
            }
            let Some((wire, key)) = pick.wire().zip(self.row_key(scope, entered, n, text)?) else { continue };
            let met = self.met[entered.met + wire];
            match met.is_there() {
                true if Value::read(&mut Cursor::starting_at(text, met.start, 0))?.as_ref() == Some(&key) => {}
                true => patches.put(text, met.span(), &key),
                false => edits.insert(scope, wire, key),
            }
        }
        Ok(())
    }

    /// What tells the row of a pick, that which is there or that which is to be made.
    fn row_key(&self, scope: &Scope<'p, '_>, entered: Entered, n: usize, text: &str) -> Pass<Option<Value<'static>>> {
        let frame = scope.frame;
        let pick = &frame.picks[n];
        if let Some(key) = self.picked.key(n) {
            return Ok(pick.value_of(key));
        }
        let wired = pick.wire().map(|wire| self.met[entered.met + wire]).filter(|met| met.is_there());
        let wired = wired.map(|met| Value::read(&mut Cursor::starting_at(text, met.start, 0))).transpose()?.flatten();
        let mut taken = HashSet::new();
        let holders = frame.places.iter().filter(|place| place.pick == Some(n) && pick.by.is_none());
        for met in holders.map(|place| self.met[entered.met + place.parent]).filter(|met| met.is_there()) {
            if text.as_bytes().get(met.start) == Some(&b'{') {
                taken.extend(members(text, met.start)?.inside.into_iter().map(|member| member.key.into_owned()));
            }
        }
        Ok(pick.new_key(wired.map(Value::into_owned), &taken, scope.node, self.walk.source))
    }

    /// Inserts the row that is picked in an object or list; the answer is what is to be made where
    /// neither is there.
    fn insert_row(
        &self,
        scope: &Scope<'p, '_>,
        entered: Entered,
        (at, child): (usize, usize),
        edit: ObjectEdit<'p>,
        text: &str,
        patches: &mut Patches,
    ) -> Pass<Option<Value<'p>>> {
        let frame = scope.frame;
        let Some((n, new)) = frame.places[child].pick.zip(edit.inserted.into_iter().next()) else { return Ok(None) };
        let key = self.row_key(scope, entered, n, text)?;
        let met = self.met[entered.met + at];
        let first = text.as_bytes().get(met.start).filter(|_| met.is_there());
        let made = match &frame.picks[n].by {
            Some(by) => {
                let row = with_key(by, key, new.value);
                if first == Some(&b'[') {
                    let list = items(text, met.start)?;
                    let write = |layout: &Layout, out: &mut String| print(&row, layout, out);
                    let old = (0..list.inside.len()).map(InList::Old);
                    let sequence: Vec<InList<'_>> = old.chain([InList::New(&write)]).collect();
                    let layout = patches.layout(text, met.start);
                    patches.edit_list(text, &list, &sequence, patches.mark(), &layout);
                    return Ok(None);
                }
                Value::List(vec![row])
            }
            None => {
                let key = key.as_ref().map(text_of).unwrap_or_default();
                if first == Some(&b'{') {
                    let is_known = members(text, met.start)?.inside.iter().any(|member| member.key == key);
                    // What stands under the key already is no row.
                    if !is_known {
                        let inserted = vec![Inserted { key: key.into(), place: None, value: new.value }];
                        let edit = ObjectEdit { removed: HashSet::new(), inserted };
                        edit_members(scope, at, met, &edit, text, patches)?;
                    }
                    return Ok(None);
                }
                Value::Object(vec![(key.into(), new.value)])
            }
        };
        match first {
            // Another type stands where the rows should be: the write is blocked.
            Some(b) if *b != b'n' => Ok(None),
            Some(_) => {
                patches.put(text, met.span(), &made);
                Ok(None)
            }
            None => Ok(Some(made)),
        }
    }
}

fn is_blank_string(text: &str, at: usize) -> Pass<bool> {
    Ok(is_blank(&Cursor::starting_at(text, at, 0).text()?))
}

/// The items that a list of words is to have: those that are there, without the words that are off,
/// and then the words that are on and not there.
fn flagged<'v>(
    flags: &'v [(Str, Target)],
    slot: &'v Slot,
    scope: &Scope<'_, '_>,
    text: &'v str,
    at: usize,
) -> Pass<Vec<Value<'v>>> {
    let mut on: Vec<Option<bool>> =
        flags.iter().map(|(_, target)| is_on(target, scope.node).then_some(false)).collect();
    let mut values = Vec::new();
    let mut cursor = Cursor::starting_at(text, at, 0);
    if cursor.list()? {
        loop {
            if let Got::Value(value) = slot.read_item(&mut cursor)? {
                match flags.iter().position(|(word, _)| value.as_text() == Some(word)) {
                    None => values.push(value),
                    Some(n) if on[n].is_some() => {
                        on[n] = Some(true);
                        values.push(value);
                    }
                    Some(_) => {}
                }
            }
            if !cursor.more(b']')? {
                break;
            }
        }
    }
    let missing = flags.iter().zip(&on).filter(|(_, on)| **on == Some(false));
    values.extend(missing.map(|((word, _), _)| Value::text(word.as_ref())));
    Ok(values)
}

/// Removes members of an object that is there, and inserts new ones after the nearest earlier key
/// of the map.
fn edit_members(
    scope: &Scope<'_, '_>,
    at: usize,
    met: Met,
    edit: &ObjectEdit<'_>,
    text: &str,
    patches: &mut Patches,
) -> Pass {
    let places = &scope.frame.places;
    let object = members(text, met.start)?;
    let is_removed = |key: &str| edit.removed.contains(key);
    let after = |child: usize| {
        let earlier = places[at].children.iter().take_while(|(_, place)| *place != child);
        let standing = earlier.filter(|(key, _)| !is_removed(key));
        standing.filter_map(|(key, _)| object.inside.iter().rposition(|member| member.key == key)).last()
    };
    let writers: Vec<_> = edit
        .inserted
        .iter()
        .map(|new| move |layout: &Layout, out: &mut String| print(&new.value, layout, out))
        .collect();
    let inserted: Vec<NewMember<'_>> = edit
        .inserted
        .iter()
        .zip(&writers)
        .map(|(new, write)| NewMember { key: &new.key, after: new.place.and_then(after), write })
        .collect();
    let gone = |n: usize| is_removed(&object.inside[n].key);
    let layout = patches.layout(text, met.start);
    patches.edit_members(text, &object, gone, &inserted, &layout);
    Ok(())
}
