//! The slots of a document that hold the rows of a piece: reading them, and writing them in place.
//!
//! The format of the piece reads each slot where it stands, as if the slot were where its fields
//! start. So what is written back is what that format would write over the slot, and nothing else.

use std::collections::HashMap;
use std::ops::Range;

use super::pieces::{Pieces, dedented, indented};
use crate::error::{Error, Result, Warning};
use crate::format::Declared;
use crate::json::{Change, Layout, Patches, Place, Pointer, Value, items, locate, locate_all, set};
use crate::map::{Carrier, Linked, Map, Seq, Step, Str};
use crate::model::Body;

/// The slots of one declaration in one document.
#[derive(Debug)]
pub(super) struct Homes<'r> {
    pub(super) link: &'r Linked,
    pub(super) pieces: Pieces<'r>,
    /// The slots, as steps and as pointers.
    steps: Vec<Vec<String>>,
    pointers: Vec<String>,
    /// The format of the pieces, which reads the whole of a document in its first shape, and each of
    /// the slots in one more.
    pub(super) view: Declared,
}

/// Where the rows stand that the slots of a document hold.
#[derive(Debug)]
pub(super) struct Listing {
    places: Vec<Option<Range<usize>>>,
    /// For every slot and every row in it: which of all rows it is.
    pub(super) which: Vec<Vec<usize>>,
    /// All rows, each once, in the order in which they are read.
    pub(super) rows: Vec<Listed>,
}

/// A row, in the first slot that holds it.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) slot: usize,
    pub(super) span: Range<usize>,
    /// The identity it has there.
    pub(super) id: Option<String>,
}

/// What the slots of a document say.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) listing: Listing,
    /// What each slot says by itself.
    pub(super) slots: Vec<Box<dyn Body>>,
    /// All rows as a document of their own, and what that says.
    pub(super) text: String,
    pub(super) body: Box<dyn Body>,
    pub(super) warnings: Vec<Warning>,
}

impl Listing {
    /// How many of the rows are in the first slot.
    pub(super) fn in_first(&self) -> usize {
        self.rows.iter().filter(|row| row.slot == 0).count()
    }
}

impl<'r> Homes<'r> {
    /// The slots of a declaration in a document of its format; nothing where the document is of a
    /// shape that has none.
    pub(super) fn new(holder: &'r Declared, link: &'r Linked, pieces: Pieces<'r>, document: &str) -> Option<Self> {
        let shapes = &holder.map().shapes;
        let shape = shapes.get(holder.carrier(document).unwrap_or(0)).filter(|shape| shape.map.is_none())?;
        let keys = |slot: &Seq<Step>| -> Vec<Str> {
            let below = slot.iter().filter_map(|step| match step {
                Step::Key(key) => Some(key.clone()),
                Step::Every | Step::Pick(_) => None,
            });
            shape.at.iter().cloned().chain(below).collect()
        };
        let slots: Vec<Vec<Str>> = link.at.iter().map(keys).collect();
        let steps: Vec<Vec<String>> = slots.iter().map(|keys| keys.iter().map(ToString::to_string).collect()).collect();
        let carriers = [Vec::new()].into_iter().chain(slots).map(carrier).collect::<Vec<_>>();
        let map = Map { shapes: carriers.into(), ..pieces.format.map().clone() };
        let view = Declared::loaded(map, *pieces.format.kind_of_body());
        let pointers = steps.iter().map(|steps| pointer(steps)).collect();
        Some(Self { link, pieces, steps, pointers, view })
    }

    /// The rows in the slots of a document.
    pub(super) fn listing(&self, document: &str) -> Listing {
        let pointers: Vec<&str> = self.pointers.iter().map(String::as_str).collect();
        let places = locate_all(document, &pointers);
        let mut which = Vec::new();
        let mut rows: Vec<Listed> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        for (slot, place) in places.iter().enumerate() {
            let mut here: Vec<(String, usize)> = Vec::new();
            let mut of = Vec::new();
            for span in place.iter().flat_map(|place| self.pieces.rows_at(document, place.clone())) {
                let id = self.pieces.id_of(&document[span.clone()]);
                // What an earlier slot has under this identity counts once.
                let n = id.as_ref().and_then(|id| known.get(id)).copied().unwrap_or_else(|| {
                    rows.push(Listed { slot, span, id: id.clone() });
                    rows.len() - 1
                });
                of.push(n);
                here.extend(id.map(|id| (id, n)));
            }
            for (id, n) in here {
                known.entry(id).or_insert(n);
            }
            which.push(of);
        }
        Listing { places, which, rows }
    }

    /// What is in the slots of a document; nothing when there are no rows.
    pub(super) fn held(&self, document: &str) -> Result<Option<Held>> {
        let listing = self.listing(document);
        let Some(text) = as_document(&listing, document) else { return Ok(None) };
        let (body, warnings) = self.view.read_at(0, &text)?;
        let slots = (1..=self.steps.len()).map(|n| Ok(self.view.read_at(n, document)?.0));
        let slots = slots.collect::<Result<Vec<_>>>()?;
        let counts = slots.iter().zip(&listing.which).map(|(body, of)| (body, of.len()));
        for (body, count) in counts.chain([(&body, listing.rows.len())]) {
            if self.pieces.rules(body.as_node()).len() != count {
                let because = "every row in its slots is one row of the model".to_owned();
                return Err(Error::Refused { format: self.link.format.to_string(), because });
            }
        }
        Ok(Some(Held { listing, slots, text, body, warnings }))
    }

    /// Appends rows to the first slot, as they are; nothing where it cannot be made.
    pub(super) fn append(&self, document: &str, rows: &[String]) -> Result<Option<String>> {
        let Some(pointer) = self.pointers.first() else { return Ok(None) };
        let mut text = document.to_owned();
        match locate(&text, pointer) {
            Some(at) if text[at.clone()].starts_with('[') => {}
            Some(at) if self.pieces.is_lone() && text[at.clone()].starts_with('{') => {
                text.insert(at.end, ']');
                text.insert(at.start, '[');
            }
            // What is there and is nothing of the kind stays.
            Some(at) if &text[at.clone()] != "null" => return Ok(None),
            _ => match self.with_slot(&text)? {
                Some(made) => text = made,
                None => return Ok(None),
            },
        }
        let Some(at) = locate(&text, pointer) else { return Ok(None) };
        let list = items(&text, at.start).map_err(|error| Error::syntax(&text, error))?;
        let mut patches = Patches::default();
        let layout = patches.layout(&text, at.start);
        let writers: Vec<_> = rows
            .iter()
            .map(|row| move |layout: &Layout, out: &mut String| out.push_str(&indented(row, layout.tail())))
            .collect();
        let old = (0..list.inside.len()).map(Place::Old);
        let sequence: Vec<Place<'_>> = old.chain(writers.iter().map(|write| Place::New(write))).collect();
        patches.edit_list(&text, &list, &sequence, 0, &layout);
        let mut out = String::new();
        patches.apply(&text, &mut out);
        Ok(Some(out))
    }

    /// A document with an empty list in the first slot. A missing or null object on the way is made.
    fn with_slot(&self, document: &str) -> Result<Option<String>> {
        let Some(steps) = self.steps.first() else { return Ok(None) };
        let is_null = |depth: &usize| {
            let at = locate(document, &pointer(&steps[..*depth]));
            at.is_some_and(|at| &document[at] == "null")
        };
        let depth = (1..steps.len()).find(is_null).unwrap_or(steps.len());
        let (there, below) = steps.split_at(depth);
        let made = below
            .iter()
            .rev()
            .fold(Value::List(Vec::new()), |value, step| Value::Object(vec![(step.as_str().into(), value)]));
        let done = set(document, 0..document.len(), there, None, Change::Set(&made));
        done.map_err(|error| Error::syntax(document, error))
    }
}

/// The rows of the slots as a document of their own; nothing when there are none.
fn as_document(Listing { places, which, rows }: &Listing, document: &str) -> Option<String> {
    let only = rows.first()?.slot;
    let is_all = which.iter().enumerate().all(|(n, of)| n == only || of.is_empty());
    // Where one slot has all of them, it is the document.
    if let Some(place) = places.get(only)?.as_ref().filter(|_| is_all) {
        return Some(dedented(&document[place.clone()]));
    }
    let list: Vec<String> = rows.iter().map(|row| indented(&dedented(&document[row.span.clone()]), "\n  ")).collect();
    Some(format!("[\n  {}\n]", list.join(",\n  ")))
}

/// A shape that starts at a place, and asks nothing of a document.
fn carrier(at: Vec<Str>) -> Carrier {
    let (gate, rows, write) = (Seq::default(), Seq::default(), Seq::default());
    Carrier { at: at.into(), score: 1.0, gate, rows, map: None, write }
}

pub(super) fn pointer(steps: &[String]) -> String {
    let mut pointer = Pointer::root();
    steps.iter().for_each(|step| pointer.push(step));
    pointer.as_str().to_owned()
}
