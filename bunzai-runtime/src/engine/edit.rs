//! Writing the slots of a twin that differ from the model.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::Pass;
use super::export::{Export, Met, Scope};
use super::fresh::{Said, fresh_slot, said};
use super::items::{edit_items, form_of_items};
use super::plan::{RowPlan, Way};
use super::value::Layer;
use crate::json::{Cursor, Layout, NewMember, Patches, Value, is_blank, members, print};
use crate::map::Gone;

/// What is to be done to the members of the objects of a frame, by the place of the object.
type Edits<'v> = BTreeMap<usize, ObjectEdit<'v>>;

#[derive(Default)]
struct ObjectEdit<'v> {
    removed: Vec<usize>,
    inserted: Vec<(usize, Value<'v>)>,
}

/// What a slot that is there becomes.
enum Becomes<'v> {
    Value(Value<'v>),
    Removed,
    /// It stays: the model has nothing to say, or nothing this wire could say.
    Kept,
}

impl<'p> Export<'p> {
    /// Writes the rows of a frame that differ.
    pub(super) fn edit(
        &self,
        scope: &Scope<'p, '_>,
        base: usize,
        differing: &[usize],
        text: &str,
        patches: &mut Patches,
    ) -> Pass {
        let mut edits = Edits::new();
        for row in differing.iter().map(|n| &scope.frame.rows[*n]) {
            let Some(place) = row.place else { continue };
            let met = self.met[base + place];
            let parent = scope.frame.places[place].parent;
            if !met.is_there() {
                if let Some(value) = fresh_slot(row, scope.node, scope.index, self.walk.source, false) {
                    edits.entry(parent).or_default().inserted.push((place, value));
                }
            } else if self.edit_slot(row, scope, met.span(), text, patches)? {
                edits.entry(parent).or_default().removed.push(place);
            }
        }
        self.edit_objects(scope, base, edits, text, patches)
    }

    /// Writes a slot that is there; true when it is to be removed.
    fn edit_slot(
        &self,
        row: &RowPlan,
        scope: &Scope<'p, '_>,
        span: Range<usize>,
        text: &str,
        patches: &mut Patches,
    ) -> Pass<bool> {
        let first = text.as_bytes().get(span.start);
        match row.slot.layer(&mut Cursor::starting_at(text, span.start, 0))? {
            Layer::Plain if first != Some(&b'n') || !row.slot.has_texts() => {
                self.edit_plain(row, scope, span, text, patches)
            }
            // A blank text holds nothing and is filled in the first form; any other text that
            // cannot be read may hold what nobody knows of.
            Layer::Unreadable if first == Some(&b'"') && !is_blank_string(text, span.start)? => Ok(false),
            Layer::Plain | Layer::Unreadable => self.refill(row, scope, span, text, patches),
            Layer::Json(inner) => {
                let start = inner.len() - inner.trim_start().len();
                let whole = start..inner.trim_end().len();
                let mut inside = Patches::default();
                let removed = self.edit_plain(row, scope, whole, &inner, &mut inside)?;
                inside.carry_into(&text[span.start + 1..span.end - 1], span.start + 1, patches);
                Ok(removed)
            }
        }
    }

    /// Writes a slot that holds no readable text, in the first form.
    fn refill(
        &self,
        row: &RowPlan,
        scope: &Scope<'p, '_>,
        span: Range<usize>,
        text: &str,
        patches: &mut Patches,
    ) -> Pass<bool> {
        let value = match fresh_slot(row, scope.node, scope.index, self.walk.source, false) {
            Some(value) => value,
            None => match row.row.gone {
                Gone::Keep => return Ok(false),
                Gone::Null => Value::Null,
                Gone::Remove if !row.row.need && row.place != Some(0) => return Ok(true),
                Gone::Remove | Gone::Blank => row.slot.blank_in_text(),
            },
        };
        patches.replace(span.clone(), |out| print(&value, &Layout::at(text, span.start), out));
        Ok(false)
    }

    /// Writes a slot in the text that its value stands in.
    fn edit_plain(
        &self,
        row: &RowPlan,
        scope: &Scope<'p, '_>,
        span: Range<usize>,
        text: &str,
        patches: &mut Patches,
    ) -> Pass<bool> {
        let is_list = text.as_bytes().get(span.start) == Some(&b'[');
        let form = match row.way {
            Way::Items if is_list => form_of_items(row, text, span.start)?,
            Way::Rows(_) => None,
            _ => Value::read(&mut Cursor::starting_at(text, span.start, 0))?.and_then(|value| row.slot.form(&value)),
        };
        let said = match &row.way {
            Way::Rows(_) => match fresh_slot(row, scope.node, scope.index, self.walk.source, false) {
                Some(value) => Said::Value(value),
                None => Said::Nothing,
            },
            _ => said(row, scope.node, form.as_ref()),
        };
        let becomes = match said {
            Said::Unsayable => Becomes::Kept,
            Said::Value(value) => Becomes::Value(value),
            Said::Nothing => match row.row.gone {
                Gone::Keep => Becomes::Kept,
                Gone::Null => Becomes::Value(Value::Null),
                Gone::Remove if !row.row.need && row.place != Some(0) => Becomes::Removed,
                Gone::Remove | Gone::Blank => Becomes::Value(row.slot.blank(form.as_ref())),
            },
        };
        match becomes {
            Becomes::Kept => Ok(false),
            Becomes::Removed => Ok(true),
            Becomes::Value(Value::List(_)) if is_list && matches!(row.way, Way::Items) => {
                edit_items(row, scope.node, form.as_ref(), text, span.start, patches).map(|()| false)
            }
            Becomes::Value(value) => {
                patches.replace(span.clone(), |out| print(&value, &Layout::at(text, span.start), out));
                Ok(false)
            }
        }
    }

    /// Removes and inserts members. Objects that are missing or null are made, innermost first.
    fn edit_objects<'v>(
        &self,
        scope: &Scope<'p, '_>,
        base: usize,
        mut edits: Edits<'v>,
        text: &str,
        patches: &mut Patches,
    ) -> Pass
    where
        'p: 'v,
    {
        // A place has a higher number than the one it lies in.
        while let Some((at, edit)) = edits.pop_last() {
            let met = self.met[base + at];
            let place = &scope.frame.places[at];
            let first = text.as_bytes().get(met.start).filter(|_| met.is_there());
            match first {
                Some(b'{') => edit_members(scope, at, met, &edit, text, patches)?,
                // Another type stands where the object should be: the write is blocked.
                Some(b) if *b != b'n' => {}
                _ if edit.inserted.is_empty() => {}
                _ => {
                    let key = |child: usize| Cow::Borrowed(scope.frame.places[child].key.as_ref());
                    let made = edit.inserted.into_iter().map(|(child, value)| (key(child), value));
                    let made = Value::Object(made.collect());
                    if first.is_some() {
                        patches.replace(met.span(), |out| print(&made, &Layout::at(text, met.start), out));
                    } else if at != 0 {
                        edits.entry(place.parent).or_default().inserted.push((at, made));
                    }
                }
            }
        }
        Ok(())
    }
}

fn is_blank_string(text: &str, at: usize) -> Pass<bool> {
    Ok(is_blank(&Cursor::starting_at(text, at, 0).text()?))
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
    let is_removed = |key: &str| edit.removed.iter().any(|place| places[*place].key.as_ref() == key);
    let removed: Vec<usize> = (0..object.inside.len()).filter(|n| is_removed(&object.inside[*n].key)).collect();
    let after = |child: usize| {
        let earlier = places[at].children.iter().take_while(|(_, place)| *place != child);
        let standing = earlier.filter(|(key, _)| !is_removed(key));
        standing.filter_map(|(key, _)| object.inside.iter().rposition(|member| member.key == key)).last()
    };
    let writers: Vec<_> = edit
        .inserted
        .iter()
        .map(|(_, value)| move |layout: &Layout, out: &mut String| print(value, layout, out))
        .collect();
    let inserted: Vec<NewMember<'_>> = edit
        .inserted
        .iter()
        .zip(&writers)
        .map(|((child, _), write)| NewMember { key: &places[*child].key, after: after(*child), write })
        .collect();
    patches.edit_members(text, &object, &removed, &inserted, &Layout::at(text, met.start));
    Ok(())
}
