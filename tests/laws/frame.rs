//! Frame: outside the slots that an edit may change every byte is the twin's.

use std::collections::HashMap;

use bunzai_runtime::map::{Order, Step, Text};
use serde_json::Value;

use crate::paths::below;
use crate::slots::{Edit, Place, Rows, Scope, Slot, is_unreadable};
use crate::tree::{Gaps, Kind, Member, Node, document};
use crate::walk::{MARK, called, readable, sequence};
use crate::woven::{self, Of, Woven};

type Check = Result<(), String>;

/// Compares what was written with the twin.
pub(crate) fn check(edit: &Edit<'_>, twin: &str, out: &str) -> Check {
    let (Some((lead, before, tail)), Some((new_lead, after, new_tail))) = (document(twin), document(out)) else {
        return Err("what was written is no JSON".into());
    };
    if (lead, tail) != (new_lead, new_tail) {
        return Err("what stands around the document changed".into());
    }
    let shape = crate::gate::shape(edit.map, &before.value()).ok_or("the twin passes no gate")?;
    let at: Vec<Step> = edit.map.shapes[shape].at.iter().map(|key| Step::Key(key.clone())).collect();
    let mut root = Place::default();
    *root.at(&at) = edit.places(crate::walk::root(edit.map, &edit.map.shapes[shape]), "", edit.root());
    let holder = at.iter().try_fold(&before, |node, step| match step {
        Step::Key(key) => node.get(key),
        Step::Every | Step::Pick(_) => None,
    });
    let frame = Frame { edit, holder: holder.unwrap_or(&before) };
    frame.value(&root, &before, &after, "")
}

struct Frame<'a, 'v> {
    edit: &'a Edit<'v>,
    /// The object that the part which is compared reads.
    holder: &'a Node,
}

impl<'v> Frame<'_, 'v> {
    fn value(&self, place: &Place<'v>, before: &Node, after: &Node, at: &str) -> Check {
        if before.raw == after.raw {
            return Ok(());
        }
        let changed = || Err(format!("{at} changed from {} to {}", short(&before.raw), short(&after.raw)));
        match &place.slot {
            Slot::Open(texts) if is_unreadable(before, texts) => changed(),
            Slot::Open(_) => Ok(()),
            Slot::Map(texts, part, path, scope) => {
                let places = self.edit.places(part, path, *scope);
                let compare = |before: &Node, after: &Node| {
                    Frame { edit: self.edit, holder: before }.value(&places, before, after, at)
                };
                if texts.iter().any(|form| matches!(form, Text::Regex(_))) {
                    // What a map says of a regex literal is one text.
                    return if self.edit.may_change(&places) { Ok(()) } else { changed() };
                }
                match self.layer(!texts.is_empty(), before, after, at, &compare) {
                    Some(check) => check,
                    None if self.edit.may_change(&places) && is_nothing(before, !texts.is_empty()) => Ok(()),
                    None => changed(),
                }
            }
            Slot::Rows(rows) => {
                let texts = &rows.row.text;
                if texts.contains(&Text::Lone) && before.is_object() && rows.each.keyed.is_none() {
                    return self.lone(rows, before, after, at);
                }
                let in_text = texts.contains(&Text::Json);
                let compare = |before: &Node, after: &Node| match rows.fits(before) {
                    true => self.rows(rows, before, after, at),
                    // Another type is no list of rows, and is filled like none.
                    false if rows.moves || rows.touched => Ok(()),
                    false => Err(format!("{at} is no list of rows, and changed")),
                };
                match self.layer(in_text, before, after, at, &compare) {
                    Some(check) => check,
                    None if (rows.moves || rows.touched) && !is_unreadable(before, texts) => Ok(()),
                    None => changed(),
                }
            }
            Slot::Woven(rows, scope) => {
                let compare = |before: &Node, after: &Node| match rows.fits(before) {
                    true => self.woven(rows, *scope, before, after, at),
                    false if rows.moves || rows.touched => Ok(()),
                    false => Err(format!("{at} is no list of rows, and changed")),
                };
                match self.layer(rows.row.text.contains(&Text::Json), before, after, at, &compare) {
                    Some(check) => check,
                    None if rows.moves || rows.touched => Ok(()),
                    None => changed(),
                }
            }
            Slot::Items(rows, scope, list) => match (&before.kind, &after.kind) {
                (Kind::List(old, gaps), Kind::List(new, new_gaps)) => {
                    self.items(rows, *scope, list, (old, gaps), (new, new_gaps), at)
                }
                // What cannot order anything is written anew with a list that comes new.
                _ if before.is_null() && rows.moves => Ok(()),
                _ => changed(),
            },
            Slot::Order(order, list, true) => {
                let compare = |before: &Node, after: &Node| self.order(order, list, before, after, at);
                self.layer(!order.text.is_empty(), before, after, at, &compare).unwrap_or_else(changed)
            }
            Slot::Words(words) => match (&before.kind, &after.kind) {
                (Kind::List(a, _), Kind::List(b, _)) => {
                    let others = |items: &[Node]| -> Vec<String> {
                        let own = |node: &&Node| !words.iter().any(|word| node.value() == word.as_ref());
                        items.iter().filter(own).map(|node| node.raw.clone()).collect()
                    };
                    if others(a) == others(b) { Ok(()) } else { changed() }
                }
                _ => Ok(()),
            },
            Slot::Kept | Slot::Order(..) if place.children.is_empty() && place.rest.is_none() => changed(),
            Slot::Kept | Slot::Order(..) => match (&before.kind, &after.kind) {
                (Kind::Object(a, gaps), Kind::Object(b, new_gaps)) => self.members(place, (a, gaps), (b, new_gaps), at),
                _ if before.is_null() && self.edit.may_change(place) => Ok(()),
                _ => changed(),
            },
        }
    }

    /// Compares containers, or those in texts; nothing where there are none.
    fn layer(
        &self,
        texts: bool,
        before: &Node,
        after: &Node,
        at: &str,
        compare: &dyn Fn(&Node, &Node) -> Check,
    ) -> Option<Check> {
        if texts && before.is_text() {
            let (lead, before, tail) = before.inside().filter(|(_, inner, _)| inner.is_container())?;
            let Some((new_lead, after, new_tail)) = after.inside() else {
                return Some(Err(format!("{at} held text and does not any more")));
            };
            if (lead, tail) != (new_lead, new_tail) {
                return Some(Err(format!("{at} changed around its text")));
            }
            return Some(compare(&before, &after));
        }
        (before.is_container() && after.is_container()).then(|| compare(before, after))
    }

    fn members(
        &self,
        place: &Place<'v>,
        (before, gaps): (&[Member], &Gaps),
        (after, new_gaps): (&[Member], &Gaps),
        at: &str,
    ) -> Check {
        let mut pairs = Vec::new();
        let mut next = 0;
        for (n, member) in before.iter().enumerate() {
            // What follows in the twin follows in what was written.
            if let Some(k) = (next..after.len()).find(|k| after[*k].key == member.key) {
                pairs.push((n, k));
                next = k + 1;
            }
        }
        let may = |key: &str| match place.children.get(key) {
            Some(child) => (self.edit.may_change(child), is_removable(child)),
            None => {
                let may = place.rest.as_ref().is_some_and(|rest| rest.may_change(key));
                (may, may)
            }
        };
        for (n, member) in before.iter().enumerate().filter(|(n, _)| !pairs.iter().any(|(k, _)| k == n)) {
            if !may(&member.key).1 || pairs.iter().any(|(k, _)| before[*k].key == member.key) {
                return Err(format!("{at}/{} is gone, or stands elsewhere ({n})", member.key));
            }
        }
        for (k, member) in after.iter().enumerate().filter(|(k, _)| !pairs.iter().any(|(_, n)| n == k)) {
            if !may(&member.key).0 || before.iter().any(|other| other.key == member.key) {
                return Err(format!("{at}/{} is new, and nothing there was edited ({k})", member.key));
            }
        }
        for (n, k) in &pairs {
            let (a, b) = (&before[*n], &after[*k]);
            let at = format!("{at}/{}", a.key);
            if a.head != b.head {
                return Err(format!("the key of {at} changed from {} to {}", a.head, b.head));
            }
            // Of two equal keys the last one counts, and the others are as unknown ones.
            let counts = !before[n + 1..].iter().any(|other| other.key == a.key);
            match place.children.get(&a.key).filter(|_| counts) {
                Some(child) => self.value(child, &a.value, &b.value, &at)?,
                None if counts && place.rest.as_ref().is_some_and(|rest| rest.may_change(&a.key)) => {}
                None if a.value.raw == b.value.raw => {}
                None => return Err(format!("{at} changed from {} to {}", short(&a.value.raw), short(&b.value.raw))),
            }
        }
        check_gaps(gaps, new_gaps, &pairs, at)
    }

    /// A row that stands by itself in the place of a list.
    fn lone(&self, rows: &Rows<'v>, before: &Node, after: &Node, at: &str) -> Check {
        let now: Vec<&Node> = match &after.kind {
            Kind::List(items, _) if rows.moves => items.iter().collect(),
            Kind::Object(..) => vec![after],
            _ => return Err(format!("{at} is no row any more: {}", short(&after.raw))),
        };
        match now.iter().find(|row| mark(row) == mark(before)) {
            Some(row) => self.row(rows, 0, before, row, at),
            None if rows.moves => Ok(()),
            None => Err(format!("{at} is another row, and none came or went")),
        }
    }

    /// A row of the twin, which is the one at an index of the model.
    fn row(&self, rows: &Rows<'v>, index: usize, before: &Node, after: &Node, at: &str) -> Check {
        let scope = rows.scope(index).ok_or_else(|| format!("{at} has more rows than the model"))?;
        let places = self.edit.places(rows.part, &rows.path, scope);
        Frame { edit: self.edit, holder: before }.value(&places, before, after, at)
    }

    fn rows(&self, rows: &Rows<'v>, before: &Node, after: &Node, at: &str) -> Check {
        let (Some(old), Some(new)) = (Listed::of(before), Listed::of(after)) else {
            return Err(format!("{at} is another sort of list"));
        };
        let values: Vec<Value> = old.rows.iter().map(|n| old.items[*n].1.value()).collect();
        let order = rows.each.order.as_ref();
        let sequence = sequence(order, &self.holder.value(), &values);
        let marks: HashMap<String, usize> =
            old.rows.iter().enumerate().filter_map(|(n, item)| Some((mark(old.items[*item].1)?, n))).collect();
        let mut pairs = Vec::new();
        for item in &new.rows {
            match mark(new.items[*item].1).and_then(|mark| marks.get(&mark)) {
                Some(n) => pairs.push((*n, *item)),
                None if rows.moves => {}
                None => return Err(format!("{at} has a new row, and none was made")),
            }
        }
        if !rows.moves && (pairs.len() != old.rows.len() || !pairs.is_sorted()) {
            return Err(format!("rows of {at} went or moved"));
        }
        let ordered = order.is_some_and(|order| {
            crate::walk::at(&self.holder.value(), &order.at).and_then(|list| readable(list, &order.text)).is_some()
        });
        if ordered && !pairs.is_sorted() {
            return Err(format!("rows of {at} moved, and a list elsewhere orders them"));
        }
        check_fixed(&old, &new, at)?;
        for (n, item) in &pairs {
            let (head, row) = old.items[old.rows[*n]];
            let (new_head, new_row) = new.items[*item];
            if head != new_head {
                return Err(format!("the key of a row of {at} changed from {head} to {new_head}"));
            }
            let index = sequence.iter().position(|row| row == n).unwrap_or(*n);
            // The model has the mark too, and a row that shares its identity may have it anew.
            if rows.part.rest.is_some() && matches!(rows.scope(index), Some(Scope::Free)) {
                continue;
            }
            self.row(rows, index, row, new_row, &format!("{at}/{item}"))?;
        }
        let alike = old.rows.len() == old.items.len() && new.rows.len() == new.items.len();
        if alike && pairs.is_sorted() {
            check_gaps(old.gaps, new.gaps, &pairs, at)
        } else if old.items.len() == new.items.len() && pairs.len() == old.rows.len() && old.gaps != new.gaps {
            Err(format!("the white space between the places of {at} changed"))
        } else {
            Ok(())
        }
    }

    /// The rows of an object, and what they are.
    fn woven_of(&self, rows: &Rows<'v>, list: &Node) -> Option<Woven<'v>> {
        let listed = Listed::of(list)?;
        let values: Vec<Value> = listed.rows.iter().map(|n| listed.items[*n].1.value()).collect();
        Some(Woven::new(self.edit.map, rows.each, &self.holder.value(), &values))
    }

    fn woven(&self, rows: &Rows<'v>, scope: Scope<'v>, before: &Node, after: &Node, at: &str) -> Check {
        let (Some(mut old), Some(mut new)) = (Listed::of(before), Listed::of(after)) else {
            return Err(format!("{at} is another sort of list"));
        };
        let Some(woven) = self.woven_of(rows, before) else { return Ok(()) };
        // What no map reads is no row, and keeps its place.
        let strangers: Vec<Option<String>> =
            (0..old.rows.len()).filter(|n| woven.of[*n].is_none()).map(|n| mark(old.items[old.rows[n]].1)).collect();
        let numbers: HashMap<usize, usize> = old.rows.iter().enumerate().map(|(n, item)| (*item, n)).collect();
        old.rows.retain(|n| woven.of[numbers[n]].is_some());
        new.rows.retain(|n| !strangers.contains(&mark(new.items[*n].1)) || mark(new.items[*n].1).is_none());
        let marks: HashMap<String, usize> =
            old.rows.iter().filter_map(|item| Some((mark(old.items[*item].1)?, *item))).collect();
        let mut pairs = Vec::new();
        for item in &new.rows {
            match mark(new.items[*item].1).and_then(|mark| marks.get(&mark)) {
                Some(n) => pairs.push((*n, *item)),
                None if rows.moves => {}
                None => return Err(format!("{at} has a new row, and none was made")),
            }
        }
        if !rows.moves && (pairs.len() != old.rows.len() || !pairs.is_sorted()) {
            return Err(format!("rows of {at} went or moved"));
        }
        if woven.items.is_some() && !pairs.is_sorted() {
            return Err(format!("rows of {at} moved, and a list elsewhere orders them"));
        }
        check_fixed(&old, &new, at)?;
        for (was, is) in &pairs {
            let ((head, row), (new_head, new_row)) = (old.items[*was], new.items[*is]);
            if head != new_head {
                return Err(format!("the key of a row of {at} changed from {head} to {new_head}"));
            }
            let n = numbers[was];
            let places = self.woven_places(rows, &woven, n, scope, woven.items.is_none());
            Frame { edit: self.edit, holder: row }.value(&places, row, new_row, &format!("{at}/{is}"))?;
        }
        let alike = old.rows.len() == old.items.len() && new.rows.len() == new.items.len();
        if alike && pairs.is_sorted() { check_gaps(old.gaps, new.gaps, &pairs, at) } else { Ok(()) }
    }

    /// What may become of a row, and where it stands for its item of that too.
    fn woven_places(&self, rows: &Rows<'v>, woven: &Woven<'v>, n: usize, scope: Scope<'v>, whole: bool) -> Place<'v> {
        let Some(of) = woven.of[n] else { return Place::default() };
        let path = path_of_rows(rows, woven, of);
        let part = |part: usize, scope| self.edit.places(&self.edit.map.parts[part].1, &path, scope);
        let scope = self.scope_of(rows, woven, n, scope);
        let own = part(of.part, scope);
        match item_part(rows, woven, of).filter(|_| whole) {
            Some(item) => own.with(part(item, scope)),
            None => own,
        }
    }

    fn scope_of(&self, rows: &Rows<'v>, woven: &Woven<'v>, n: usize, scope: Scope<'v>) -> Scope<'v> {
        let is_head = woven.of[n].is_some_and(|of| of.level.is_some());
        let index = woven.those(is_head).iter().position(|row| *row == n).unwrap_or(usize::MAX);
        rows.woven_scope(woven.heads.filter(|_| is_head).map(|heads| heads.to.as_ref()), index, scope)
    }

    /// The items of a list that keeps an order stay with their rows; those that name no row keep
    /// their place.
    fn items(
        &self,
        rows: &Rows<'v>,
        scope: Scope<'v>,
        list: &[Step],
        (old, gaps): (&[Node], &Gaps),
        (new, new_gaps): (&[Node], &Gaps),
        at: &str,
    ) -> Check {
        let found = list.iter().try_fold(self.holder, |node, step| match step {
            Step::Key(key) => node.get(key),
            Step::Every | Step::Pick(_) => None,
        });
        let woven = found.and_then(|list| self.woven_of(rows, list));
        let naming: HashMap<usize, usize> = woven
            .iter()
            .flat_map(|woven| woven.items.iter().flatten().enumerate())
            .filter_map(|(row, item)| Some(((*item)?, row)))
            .collect();
        let fixed: Vec<usize> = (0..old.len()).filter(|n| !naming.contains_key(n)).collect();
        let named = new.len().checked_sub(fixed.len()).ok_or_else(|| format!("{at} lost items that name no row"))?;
        for (k, n) in fixed.iter().enumerate() {
            if new[(*n).min(named + k)].raw != old[*n].raw {
                return Err(format!("{} of {at} names no row and lost its place", short(&old[*n].raw)));
            }
        }
        let (mut pairs, mut same) = (Vec::new(), old.len() == new.len());
        for (k, item) in new.iter().enumerate() {
            let Some(was) =
                mark(item).and_then(|mark_of| old.iter().position(|old| mark(old) == Some(mark_of.clone())))
            else {
                same = false;
                continue;
            };
            pairs.push((was, k));
            let (Some(woven), Some(row)) = (&woven, naming.get(&was)) else { continue };
            let Some(of) = woven.of[*row] else { continue };
            let Some(part) = item_part(rows, woven, of) else { continue };
            let path = path_of_rows(rows, woven, of);
            let scope = self.scope_of(rows, woven, *row, scope);
            let places = self.edit.places(&self.edit.map.parts[part].1, &path, scope);
            Frame { edit: self.edit, holder: &old[was] }.value(&places, &old[was], item, &format!("{at}/{k}"))?;
        }
        same &= pairs.is_sorted();
        match same || rows.moves || rows.touched {
            true if same => check_gaps(gaps, new_gaps, &pairs, at),
            true => Ok(()),
            false => Err(format!("items of {at} came, went or moved")),
        }
    }

    /// The items of an order list that name no row stay where they are.
    fn order(&self, order: &Order, list: &[Step], before: &Node, after: &Node, at: &str) -> Check {
        let (Kind::List(old, _), Kind::List(new, _)) = (&before.kind, &after.kind) else {
            return if before.raw == after.raw { Ok(()) } else { Err(format!("{at} is no list, and changed")) };
        };
        let rows = list.iter().try_fold(self.holder, |node, step| match step {
            Step::Key(key) => node.get(key),
            Step::Every | Step::Pick(_) => None,
        });
        let mut waiting: HashMap<String, usize> = HashMap::new();
        let inside = rows.and_then(Node::inside);
        if let Some(rows) = inside.as_ref().map(|(_, node, _)| node).or(rows).and_then(Listed::of) {
            for row in &rows.rows {
                if let Some(id) = rows.items[*row].1.get(&order.of).and_then(|id| called(&id.value())) {
                    *waiting.entry(id).or_default() += 1;
                }
            }
        }
        let mut fixed = Vec::new();
        for (n, item) in old.iter().enumerate() {
            match called(&item.value()).and_then(|id| waiting.get_mut(&id)).filter(|left| **left > 0) {
                Some(left) => *left -= 1,
                None => fixed.push(n),
            }
        }
        let ids = new.len().checked_sub(fixed.len()).ok_or_else(|| format!("{at} lost ids that name no row"))?;
        for (k, n) in fixed.iter().enumerate() {
            if new[(*n).min(ids + k)].raw != old[*n].raw {
                return Err(format!("{} of {at} names no row and lost its place: {}", old[*n].raw, after.raw));
            }
        }
        Ok(())
    }
}

/// The canonical path of rows: those of the list, or the groups.
fn path_of_rows(rows: &Rows<'_>, woven: &Woven<'_>, of: Of) -> String {
    let heads = woven.heads.filter(|_| of.level.is_some()).map(|heads| heads.to.as_ref());
    let to = heads.unwrap_or_else(|| rows.row.to.first().map_or("", |to| to.as_ref()));
    format!("{}[]", below(&rows.path, to))
}

/// The map of the item of a row.
fn item_part(rows: &Rows<'_>, woven: &Woven<'_>, of: Of) -> Option<usize> {
    match of.level {
        Some(_) => woven.heads.and_then(|heads| heads.item),
        None => woven::item_of(rows.each),
    }
}

/// The items of a list, or the members of an object, which of them are rows, and what is between.
struct Listed<'n> {
    /// The bytes of the key, and the value.
    items: Vec<(&'n str, &'n Node)>,
    rows: Vec<usize>,
    gaps: &'n Gaps,
}

impl<'n> Listed<'n> {
    fn of(node: &'n Node) -> Option<Self> {
        let (items, gaps): (Vec<_>, _) = match &node.kind {
            Kind::List(items, gaps) => (items.iter().map(|item| ("", item)).collect(), gaps),
            Kind::Object(members, gaps) => (members.iter().map(|m| (m.head.as_str(), &m.value)).collect(), gaps),
            Kind::Leaf => return None,
        };
        let rows = (0..items.len()).filter(|n| matches!(items[*n].1.kind, Kind::Object(..))).collect();
        Some(Self { items, rows, gaps })
    }
}

/// What is no row keeps its index, as far as there are so many rows.
fn check_fixed(old: &Listed<'_>, new: &Listed<'_>, at: &str) -> Check {
    let others = |list: &Listed<'_>| (0..list.items.len()).filter(|n| !list.rows.contains(n)).collect::<Vec<_>>();
    let (was, is) = (others(old), others(new));
    if was.len() != is.len() {
        return Err(format!("{at} has another number of items that are no rows"));
    }
    for (k, (a, b)) in was.iter().zip(&is).enumerate() {
        if *b != (*a).min(new.rows.len() + k) || old.items[*a].1.raw != new.items[*b].1.raw {
            return Err(format!("item {a} of {at} is no row, and stands at {b} now"));
        }
    }
    Ok(())
}

/// What remains keeps the bytes before it; what comes first, those behind the bracket; and those
/// before the closing bracket stay.
fn check_gaps(gaps: &Gaps, new_gaps: &Gaps, pairs: &[(usize, usize)], at: &str) -> Check {
    for (place, (n, k)) in pairs.iter().enumerate() {
        // Before the first that remains something new may stand.
        if place == 0 && *k > 0 {
            continue;
        }
        let was = if *k == 0 { &gaps[0] } else { &gaps[*n] };
        if *was != new_gaps[*k] {
            return Err(format!("the bytes before item {n} of {at} changed from {was:?} to {:?}", new_gaps[*k]));
        }
    }
    if !pairs.is_empty() && gaps.last() != new_gaps.last() {
        return Err(format!("the bytes behind the last item of {at} changed"));
    }
    Ok(())
}

fn mark(row: &Node) -> Option<String> {
    row.get(MARK)?.value().as_str().map(str::to_owned)
}

/// Whether a slot holds nothing that could be lost.
fn is_nothing(node: &Node, texts: bool) -> bool {
    node.is_null() || texts && node.value().as_str().is_some_and(|text| text.trim().is_empty())
}

fn is_removable(place: &Place<'_>) -> bool {
    match &place.slot {
        Slot::Open(_) => true,
        Slot::Map(texts, ..) => texts.iter().any(|form| matches!(form, Text::Regex(_))),
        Slot::Rows(rows) | Slot::Woven(rows, _) => rows.pair.is_none() && rows.moves,
        _ => false,
    }
}

fn short(raw: &str) -> String {
    raw.chars().take(200).collect()
}
