//! How fast formats are read and written, as ratios to the same unit in the same run.
//!
//! The unit is one validating read of the bytes by `serde_json` that keeps nothing:
//! `from_slice::<IgnoredAny>`. The usual way of a converter stands beside it: a tree of values that
//! is cloned, changed and printed. `BENCH_SECONDS` sets how long each document is measured, and an
//! argument runs those whose title contains it.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and stops where its input is wrong"
)]

mod support;

use std::time::Duration;

use bunzai::{Codec, Entity, MarinaraLorebook, MarinaraPersona, MarinaraPreset, MarinaraRegex};
use bunzai::{SillytavernLorebook, SillytavernPreset};
use serde::de::IgnoredAny;
use serde_json::Value;
use support::inputs;
use support::measure::{Variant, compare};

fn main() {
    let seconds = std::env::var("BENCH_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(3.0);
    let time = Duration::from_secs_f64(seconds);
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let wanted = |title: &str| title.contains(&only);
    if wanted("persona") {
        let document = Document { title: "persona", text: &inputs::persona(), rows: None, row: "", field: "" };
        document.measure::<MarinaraPersona>(|body, _| body.name.push('!'), time);
    }
    for rows in [20, 1_000, 20_000] {
        let title = format!("regex, {rows} rows");
        if wanted(&title) {
            let text = inputs::regex(rows);
            let document = Document { title: &title, text: &text, rows: Some(rows), row: "", field: "replaceString" };
            document.measure::<MarinaraRegex>(|body, n| body.rules[n].replace.push('!'), time);
        }
        let title = format!("lorebook, {rows} entries");
        if wanted(&title) {
            let text = inputs::lorebook(rows);
            let document =
                Document { title: &title, text: &text, rows: Some(rows), row: "/data/entries", field: "content" };
            document.measure::<MarinaraLorebook>(|body, n| body.entries[n].content.push('!'), time);
        }
    }
    if wanted("preset, 60 sections") {
        let text = inputs::preset(60);
        let document = Document {
            title: "preset, 60 sections",
            text: &text,
            rows: Some(60),
            row: "/data/sections",
            field: "content",
        };
        document.measure::<MarinaraPreset>(|body, n| body.prompts[n].content.push('!'), time);
    }
    for rows in [60, 6_000] {
        let title = format!("SillyTavern preset, {rows} prompts");
        if wanted(&title) {
            let text = inputs::prompts(rows);
            // A tenth of the prompts open groups.
            let rows = Some(rows - rows / 10);
            let document = Document { title: &title, text: &text, rows, row: "/prompts", field: "content" };
            document.measure::<SillytavernPreset>(|body, n| body.prompts[n].content.push('!'), time);
        }
    }
    if wanted("world info, 1000 entries") {
        let text = inputs::world_info(1_000);
        let title = "world info, 1000 entries";
        let document = Document { title, text: &text, rows: Some(1_000), row: "/entries", field: "content" };
        document.measure::<SillytavernLorebook>(|body, n| body.entries[n].content.push('!'), time);
    }
}

/// A document to measure, and how a value way edits it.
struct Document<'a> {
    title: &'a str,
    text: &'a str,
    /// How many rows it has, if it has rows.
    rows: Option<usize>,
    /// The pointer to the rows, and the field of a row that is edited.
    row: &'a str,
    field: &'a str,
}

impl Document<'_> {
    /// Import, unedited export, and exports with some rows edited.
    fn measure<C>(&self, edit: impl Fn(&mut C::Body, usize), time: Duration)
    where
        C: Codec + 'static,
        C::Body: Clone,
    {
        let Self { title, text, .. } = *self;
        let entity = C::to_canonical(text).expect("the input is of the format").entity;
        assert_eq!(&*C::from_canonical(&entity).expect("it exports").bytes(), text.as_bytes());
        let edited: Vec<(usize, Entity<C::Body>)> = self.rows.map_or_else(Vec::new, |rows| {
            let shares = [1, 10, 100].into_iter();
            shares
                .map(|percent| {
                    let mut entity = C::to_canonical(text).expect("the input is of the format").entity;
                    let step = 100 / percent;
                    (0..rows).step_by(step).for_each(|n| edit(&mut entity.body, n));
                    (percent, entity)
                })
                .collect()
        });
        let tree: Value = serde_json::from_str(text).expect("it is JSON");
        let tree = &tree;
        let mut variants = vec![
            Variant::new("IgnoredAny", || serde_json::from_slice::<IgnoredAny>(text.as_bytes()).is_ok()),
            Variant::taking("import, text by value", || text.to_owned(), |text| C::to_canonical(text).ok()),
            Variant::taking("import, bytes by value", || text.as_bytes().to_vec(), |b| C::to_canonical(b).ok()),
            Variant::new("unedited export", || C::from_canonical(&entity).map(|out| out.is_source()).is_ok()),
        ];
        for (percent, entity) in &edited {
            let name: &'static str = match percent {
                1 => "export, 1 % of the rows edited",
                10 => "export, 10 % of the rows edited",
                _ => "export, every row edited",
            };
            variants.push(Variant::new(name, move || C::from_canonical(entity).map(|out| out.bytes().len()).ok()));
        }
        variants.push(Variant::new("Value way in: parse", || serde_json::from_str::<Value>(text).ok()));
        let (row, field) = (self.row, self.field);
        variants.push(Variant::new("Value way out: clone, set, print", move || {
            let mut tree = tree.clone();
            let edit = |row: &mut Value| row[field] = "edited".into();
            // A document without rows is cloned and printed alone.
            match tree.pointer_mut(row).filter(|_| !field.is_empty()) {
                Some(Value::Array(rows)) => rows.iter_mut().step_by(100).for_each(edit),
                Some(Value::Object(rows)) => rows.values_mut().step_by(100).for_each(edit),
                _ => {}
            }
            serde_json::to_string(&tree).ok()
        }));
        compare(title, text.len(), &variants, time);
    }
}
