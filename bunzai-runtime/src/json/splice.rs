//! Patches: new bytes for spans of a text, everything else kept.

use std::cell::OnceCell;
use std::ops::Range;

use super::text::write_escaped;
use super::{Item, Layout, Member, OuterSpan, Outline, Style, Value, print, write_text};

/// How much white space between neighbours is copied for a new one; more is no layout.
const LONGEST_GAP: usize = 4_096;

/// New text for a span; an empty span is an insertion.
#[derive(Debug, Clone)]
pub(crate) struct Patch {
    span: Range<usize>,
    /// Where the new text stands in the store of all new text.
    text: Range<usize>,
}

/// The changes of one text, in any order, never overlapping.
#[derive(Debug, Default)]
pub(crate) struct Patches {
    list: Vec<Patch>,
    store: String,
    /// What in the store is copied from the text, by where it begins there: bytes that only move.
    copies: Vec<(usize, Range<usize>)>,
    /// How the text is laid out, once that was asked.
    style: OnceCell<Style>,
    /// How its value is laid out, where that does not follow from the text.
    whole: Option<Layout>,
}

/// A piece of new text.
#[derive(Debug, Clone)]
enum Piece {
    /// Bytes of the text itself, at another place.
    Moved(Range<usize>),
    /// Bytes of the store.
    New(Range<usize>),
}

impl Patches {
    /// Patches of a text that is one container, and is laid out like this.
    pub(crate) fn laid_out(whole: Layout) -> Self {
        Self { whole: Some(whole), ..Self::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// A place in time to come back to with [`Patches::discard`].
    pub(crate) fn mark(&self) -> usize {
        self.list.len()
    }

    /// Drops every patch made since a mark.
    pub(crate) fn discard(&mut self, mark: usize) {
        self.list.truncate(mark);
    }

    /// Drops the patches made since a mark that lie inside a span.
    pub(crate) fn discard_inside(&mut self, mark: usize, span: Range<usize>) {
        let later = self.list.split_off(mark.min(self.list.len()));
        self.list.extend(later.into_iter().filter(|patch| !span.contains(&patch.span.start)));
    }

    /// Whether all of a span has other text.
    pub(crate) fn replaces(&self, span: Range<usize>) -> bool {
        self.list.iter().any(|patch| patch.span.start <= span.start && patch.span.end >= span.end)
    }

    pub(crate) fn replace(&mut self, span: Range<usize>, write: impl FnOnce(&mut String)) {
        let start = self.store.len();
        write(&mut self.store);
        self.list.push(Patch { span, text: start..self.store.len() });
    }

    /// The layout that a container at a byte of the text would have.
    pub(crate) fn layout(&self, source: &str, at: usize) -> Layout {
        match &self.whole {
            Some(whole) if at == 0 => whole.clone(),
            _ => self.style.get_or_init(|| Style::of(source)).at(source, at),
        }
    }

    /// Puts a value in the place of a span.
    pub(crate) fn put(&mut self, source: &str, span: Range<usize>, value: &Value<'_>) {
        let is_container = matches!(value, Value::List(_) | Value::Object(_));
        let layout = if is_container { self.layout(source, span.start) } else { Layout::compact() };
        self.replace(span, |out| print(value, &layout, out));
    }

    /// Takes the patches of another list for the same text.
    pub(crate) fn append(&mut self, other: Patches) {
        let moved = self.store.len();
        self.store.push_str(&other.store);
        self.copies.extend(other.copies.into_iter().map(|(at, span)| (at + moved, span)));
        self.list.extend(
            other
                .list
                .into_iter()
                .map(|patch| Patch { span: patch.span, text: patch.text.start + moved..patch.text.end + moved }),
        );
    }

    pub(crate) fn remove(&mut self, span: Range<usize>) {
        self.replace(span, |_| {});
    }

    /// An insertion comes before a replacement that starts at the same byte; of two insertions
    /// the one made first comes first.
    fn sort(list: &mut [Patch]) {
        list.sort_by_key(|p| (p.span.start, p.span.end));
    }

    fn apply_sorted(list: &[Patch], store: &str, source: &str, span: Range<usize>, out: &mut String) {
        let mut done = span.start;
        // Patches never overlap; of two that did the later one would be left out.
        for patch in list.iter().filter(|patch| patch.span.start >= span.start) {
            let Some(kept) = source.get(done..patch.span.start) else { continue };
            out.push_str(kept);
            out.push_str(&store[patch.text.clone()]);
            done = patch.span.end;
        }
        out.push_str(&source[done..span.end]);
    }

    /// Appends the patched source.
    pub(crate) fn apply(mut self, source: &str, out: &mut String) {
        Self::sort(&mut self.list);
        out.reserve(source.len() + self.store.len());
        Self::apply_sorted(&self.list, &self.store, source, 0..source.len(), out);
    }

    /// Takes the patches made since a mark away, and tells for each span what it is made of with
    /// those inside it.
    fn take_spans(&mut self, mark: usize, spans: impl Iterator<Item = Range<usize>>) -> Vec<Vec<Piece>> {
        let mut list = self.list.split_off(mark);
        Self::sort(&mut list);
        spans
            .map(|span| {
                let from = list.partition_point(|p| p.span.start < span.start);
                let to = list.partition_point(|p| p.span.start < span.end);
                let mut pieces = Vec::new();
                let mut done = span.start;
                for patch in &list[from..to] {
                    pieces.push(Piece::Moved(done..patch.span.start));
                    pieces.extend(self.pieces(patch));
                    done = patch.span.end;
                }
                pieces.push(Piece::Moved(done..span.end));
                pieces
            })
            .collect()
    }

    /// What the new text of a patch is made of.
    fn pieces(&self, patch: &Patch) -> Vec<Piece> {
        let from = self.copies.partition_point(|(at, _)| *at < patch.text.start);
        let mut pieces = Vec::new();
        let mut done = patch.text.start;
        for (at, span) in self.copies[from..].iter().take_while(|(at, _)| *at < patch.text.end) {
            pieces.push(Piece::New(done..*at));
            pieces.push(Piece::Moved(span.clone()));
            done = at + span.len();
        }
        pieces.push(Piece::New(done..patch.text.end));
        pieces
    }

    /// Replaces a span by pieces.
    fn replace_by(&mut self, source: &str, span: Range<usize>, pieces: &[Piece]) {
        let start = self.store.len();
        for piece in pieces {
            match piece {
                Piece::Moved(span) => {
                    self.copies.push((self.store.len(), span.clone()));
                    self.store.push_str(&source[span.clone()]);
                }
                Piece::New(range) => self.store.extend_from_within(range.clone()),
            }
        }
        self.list.push(Patch { span, text: start..self.store.len() });
    }

    /// Carries the patches of a text over to the string it was resolved from. `start` is where
    /// the body of that string stands. What only moved keeps the escapes it had.
    pub(crate) fn carry_into(mut self, raw: &str, start: usize, outer: &mut Patches) {
        Self::sort(&mut self.list);
        let pieces: Vec<Vec<Piece>> = self.list.iter().map(|patch| self.pieces(patch)).collect();
        let moved = pieces.iter().flatten().filter_map(|piece| match piece {
            Piece::Moved(span) => Some(span),
            Piece::New(_) => None,
        });
        let spans = self.list.iter().map(|patch| &patch.span).chain(moved);
        let mut places: Vec<(usize, usize)> = spans.flat_map(|span| [(span.start, 0), (span.end, 0)]).collect();
        places.sort_unstable();
        places.dedup();
        let mut outer_of = OuterSpan::new(raw);
        places.iter_mut().for_each(|(inner, outer)| *outer = outer_of.of(*inner));
        let place = |inner: usize| places[places.partition_point(|(at, _)| *at < inner)].1;
        for (patch, pieces) in self.list.iter().zip(&pieces) {
            let from = outer.store.len();
            for piece in pieces {
                match piece {
                    Piece::Moved(span) => {
                        let span = place(span.start)..place(span.end);
                        outer.copies.push((outer.store.len(), start + span.start..start + span.end));
                        outer.store.push_str(&raw[span]);
                    }
                    Piece::New(range) => write_escaped(&self.store[range.clone()], &mut outer.store),
                }
            }
            let span = start + place(patch.span.start)..start + place(patch.span.end);
            outer.list.push(Patch { span, text: from..outer.store.len() });
        }
    }

    /// Removes members of an object, by index, and inserts new ones.
    ///
    /// A removed member takes the comma and the white space before it along (the first one: those
    /// after it). A new member stands after the member it names, else last, laid out like its
    /// neighbours; `layout` is used where there are none.
    pub(crate) fn edit_members(
        &mut self,
        source: &str,
        object: &Outline<Member<'_>>,
        gone: impl Fn(usize) -> bool,
        inserted: &[NewMember<'_>],
        layout: &Layout,
    ) {
        let members = &object.inside;
        let spans = members.iter().map(|m| m.start..m.value.end).collect::<Vec<_>>();
        let last = (0..members.len()).rev().find(|n| !gone(*n));
        let layout = match (members.first(), members.last()) {
            (Some(first), Some(last)) => Layout::seen(
                &source[object.span.start + 1..first.start],
                spans.get(1).map(|second| after_comma(&source[first.value.end..second.start])),
                &source[last.value.end..object.span.end - 1],
                Some(between_key_and_value(source, first)),
                layout,
            ),
            _ => layout.clone(),
        };
        let write = |out: &mut String, new: &NewMember<'_>| {
            write_text(new.key, out);
            out.push_str(layout.colon());
            (new.write)(&layout.inner(), out);
        };
        if last.is_none() {
            let inside = object.span.start + 1..object.span.end - 1;
            self.replace(inside, |out| {
                for (n, new) in inserted.iter().enumerate() {
                    out.push_str(&if n == 0 { layout.lead() } else { layout.between() });
                    write(out, new);
                }
                if !inserted.is_empty() {
                    out.push_str(layout.tail());
                }
            });
            return;
        }
        self.remove_runs(&spans, &gone);
        let between = layout.between();
        for new in inserted {
            let Some(after) = new.after.filter(|n| !gone(*n)).or(last) else { continue };
            let gap = match after.checked_sub(1) {
                Some(before) => &source[spans[before].end..spans[after].start],
                None => match spans.get(1) {
                    Some(next) => &source[spans[0].end..next.start],
                    None => between.as_str(),
                },
            };
            let gap = if gap.len() > LONGEST_GAP { between.as_str() } else { gap };
            self.replace(spans[after].end..spans[after].end, |out| {
                out.push_str(gap);
                write(out, new);
            });
        }
    }

    /// Removes runs of items with the comma and the space before them, or after the first.
    fn remove_runs(&mut self, spans: &[Range<usize>], gone: impl Fn(usize) -> bool) {
        let mut n = 0;
        while n < spans.len() {
            if !gone(n) {
                n += 1;
                continue;
            }
            let first = n;
            while n < spans.len() && gone(n) {
                n += 1;
            }
            self.remove(match (first.checked_sub(1), spans.get(n)) {
                (Some(before), _) => spans[before].end..spans[n - 1].end,
                (None, Some(next)) => spans[first].start..next.start,
                (None, None) => continue,
            });
        }
    }

    /// Gives a list a new sequence of items, made of old ones and new text.
    ///
    /// Old items keep their bytes, with the patches made inside them since `mark`; the white space
    /// between the places stays where it is. `layout` is that of the list, for a list that has
    /// nothing to look at.
    pub(crate) fn edit_list(
        &mut self,
        source: &str,
        list: &Outline<Item>,
        sequence: &[Place<'_>],
        mark: usize,
        layout: &Layout,
    ) {
        let spans = &list.inside;
        let order: Vec<usize> = sequence.iter().filter_map(Place::old).collect();
        let mut kept = order.clone();
        kept.sort_unstable();
        let layout = match (spans.first(), spans.last()) {
            (Some(first), Some(last)) if self.whole.is_none() || list.span.start > 0 => Layout::seen(
                &source[list.span.start + 1..first.start],
                spans.get(1).map(|second| after_comma(&source[first.end..second.start])),
                &source[last.end..list.span.end - 1],
                None,
                layout,
            ),
            _ => layout.clone(),
        };
        let inner = layout.inner();
        if kept.is_empty() {
            self.discard(mark);
            self.replace(list.span.start + 1..list.span.end - 1, |out| {
                for (n, place) in sequence.iter().enumerate() {
                    out.push_str(&if n == 0 { layout.lead() } else { layout.between() });
                    place.write(&inner, out);
                }
                if !sequence.is_empty() {
                    out.push_str(layout.tail());
                }
            });
            return;
        }
        let gap_before = |old: usize| {
            let gap = match old.checked_sub(1) {
                Some(before) => Some(&source[spans[before].end..spans[old].start]),
                None => spans.get(1).map(|next| &source[spans[0].end..next.start]),
            };
            gap.filter(|gap| gap.len() <= LONGEST_GAP).map_or_else(|| layout.between(), str::to_owned)
        };
        if order != kept {
            // Every moved item is taken before any place is overwritten.
            let moved: Vec<(usize, usize)> =
                kept.iter().copied().zip(order.iter().copied()).filter(|(a, b)| a != b).collect();
            let fixed: Vec<usize> =
                kept.iter().copied().zip(order.iter().copied()).filter(|(a, b)| a == b).map(|(a, _)| a).collect();
            let stay = self.split_inside(mark, spans, &fixed);
            let texts = self.take_spans(mark, moved.iter().map(|(_, from)| spans[*from].clone()));
            self.list.extend(stay);
            for ((place, _), pieces) in moved.iter().zip(texts) {
                self.replace_by(source, spans[*place].clone(), &pieces);
            }
        }
        let mut is_kept = vec![false; spans.len()];
        for n in &kept {
            is_kept[*n] = true;
        }
        self.remove_runs(spans, |n| !is_kept[n]);
        // New items stand after the place of the old item before them.
        let mut places = kept.iter();
        let mut before: Option<usize> = None;
        for place in sequence {
            match place {
                Place::Old(_) => before = places.next().copied(),
                Place::New(_) => match before {
                    Some(old) => {
                        let gap = gap_before(old);
                        self.replace(spans[old].end..spans[old].end, |out| {
                            out.push_str(&gap);
                            place.write(&inner, out);
                        });
                    }
                    None => {
                        let (first, gap) = (kept[0], gap_before(kept[0]));
                        self.replace(spans[first].start..spans[first].start, |out| {
                            place.write(&inner, out);
                            out.push_str(&gap);
                        });
                    }
                },
            }
        }
    }

    /// Takes the patches since `mark` that lie inside the given items out of the list.
    fn split_inside(&mut self, mark: usize, spans: &[Range<usize>], items: &[usize]) -> Vec<Patch> {
        let (inside, outside) = self.list.split_off(mark).into_iter().partition(|p: &Patch| {
            let n = items.partition_point(|i| spans[*i].end <= p.span.start);
            items.get(n).is_some_and(|i| spans[*i].start <= p.span.start)
        });
        self.list.extend::<Vec<Patch>>(outside);
        inside
    }
}

/// A member to be inserted.
pub(crate) struct NewMember<'a> {
    pub(crate) key: &'a str,
    /// The index of the member it stands after.
    pub(crate) after: Option<usize>,
    /// Writes the value; the layout is that of the value, should it be a container.
    pub(crate) write: &'a dyn Fn(&Layout, &mut String),
}

/// One place of a list's new sequence.
pub(crate) enum Place<'a> {
    /// The item that stood at this index.
    Old(usize),
    /// A new item.
    New(&'a dyn Fn(&Layout, &mut String)),
}

impl Place<'_> {
    fn old(&self) -> Option<usize> {
        match self {
            Self::Old(n) => Some(*n),
            Self::New(_) => None,
        }
    }

    fn write(&self, layout: &Layout, out: &mut String) {
        if let Self::New(write) = self {
            write(layout, out);
        }
    }
}

fn after_comma(gap: &str) -> &str {
    gap.split_once(',').map_or("", |(_, after)| after)
}

fn between_key_and_value<'t>(source: &'t str, member: &Member<'_>) -> &'t str {
    let before = &source[member.start..member.value.start];
    // The last quote of the key is followed by nothing but white space and the colon.
    before.rfind('"').map_or(":", |quote| &before[quote + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{items, members};

    fn listed(source: &str, sequence: &[Place<'_>]) -> String {
        let mut patches = Patches::default();
        let list = items(source, 0).unwrap();
        patches.edit_list(source, &list, sequence, 0, &Layout::compact());
        let mut out = String::new();
        patches.apply(source, &mut out);
        out
    }

    #[test]
    fn what_moves_inside_a_string_keeps_its_escapes() {
        use Place::Old;
        let raw = r#"[\u0031, \u005b2\u005d ,\"\u0033\"]"#;
        let (inner, _) = crate::json::unescape(raw);
        let mut patches = Patches::default();
        patches.edit_list(&inner, &items(&inner, 0).unwrap(), &[Old(2), X, Old(0), Old(1)], 0, &Layout::compact());
        let mut outer = Patches::default();
        patches.carry_into(raw, 1, &mut outer);
        let mut out = String::new();
        outer.apply(&format!("\"{raw}\""), &mut out);
        assert_eq!(out, r#""[\"\u0033\", x, \u0031 ,\u005b2\u005d]""#);
    }

    const X: Place<'static> = Place::New(&|_, out| out.push('x'));

    #[test]
    fn rows_move_as_bytes_and_the_space_between_places_stays() {
        use Place::Old;
        let source = "[ 1,\n 2 ,  3,4 ]";
        assert_eq!(listed(source, &[Old(2), Old(0), Old(1), Old(3)]), "[ 3,\n 1 ,  2,4 ]");
        assert_eq!(listed(source, &[Old(0), Old(2), Old(3)]), "[ 1 ,  3,4 ]");
        assert_eq!(listed(source, &[Old(1), Old(2)]), "[ 2 ,  3 ]");
        assert_eq!(listed(source, &[]), "[]");
    }

    #[test]
    fn new_rows_stand_behind_the_row_before_them_like_their_neighbours() {
        use Place::Old;
        let source = "[\n  1,\n  2\n]";
        assert_eq!(listed(source, &[Old(0), X, Old(1), X]), "[\n  1,\n  x,\n  2,\n  x\n]");
        assert_eq!(listed(source, &[X, Old(1), Old(0)]), "[\n  x,\n  2,\n  1\n]");
        assert_eq!(listed(source, &[X]), "[\n  x\n]");
        assert_eq!(listed("[]", &[X, X]), "[x,x]");
        assert_eq!(listed("[1]", &[Old(0), X]), "[1,x]");
    }

    #[test]
    fn members_go_with_their_comma_and_come_in_the_style_of_the_object() {
        let edit = |source: &str, removed: &[usize], inserted: &[(&str, Option<usize>)]| {
            let mut patches = Patches::default();
            let object = members(source, 0).unwrap();
            let new: Vec<_> = inserted
                .iter()
                .map(|(key, after)| NewMember { key, after: *after, write: &|_, out| out.push('0') })
                .collect();
            patches.edit_members(source, &object, |n| removed.contains(&n), &new, &Layout::compact());
            let mut out = String::new();
            patches.apply(source, &mut out);
            out
        };
        let source = "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}";
        assert_eq!(edit(source, &[0], &[]), "{\n  \"b\": 2,\n  \"c\": 3\n}");
        assert_eq!(edit(source, &[1, 2], &[]), "{\n  \"a\": 1\n}");
        assert_eq!(edit(source, &[0, 1, 2], &[]), "{}");
        assert_eq!(
            edit(source, &[1], &[("x", Some(0)), ("y", Some(0))]),
            "{\n  \"a\": 1,\n  \"x\": 0,\n  \"y\": 0,\n  \"c\": 3\n}"
        );
        assert_eq!(edit(source, &[0, 1, 2], &[("x", None)]), "{\n  \"x\": 0\n}");
        assert_eq!(edit("{}", &[], &[("x", None), ("y", None)]), "{\"x\":0,\"y\":0}");
        assert_eq!(edit("{\"a\" : 1}", &[], &[("x", None)]), "{\"a\" : 1,\"x\" : 0}");
    }
}
