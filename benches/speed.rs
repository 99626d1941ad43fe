//! How fast formats are read and written, as ratios to the same unit in the same run.
//!
//! The unit is one validating read of the bytes by `serde_json` that keeps nothing:
//! `from_slice::<IgnoredAny>`.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "a benchmark prints, and stops where its input is wrong")]

mod support;

use std::time::Duration;

use bunzai::{Codec, MarinaraPersona, MarinaraRegex};
use serde::de::IgnoredAny;
use support::inputs;
use support::measure::{Variant, compare};

fn main() {
    let seconds = std::env::var("BENCH_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(3.0);
    let time = Duration::from_secs_f64(seconds);
    both_ways::<MarinaraPersona>("persona", &inputs::persona(), time);
    for rows in [20, 1_000, 20_000] {
        both_ways::<MarinaraRegex>(&format!("regex, {rows} rows"), &inputs::regex(rows), time);
    }
}

/// Import and unedited export of one document.
fn both_ways<C: Codec>(title: &str, text: &str, time: Duration) {
    let imported = C::to_canonical(text).expect("the input is of the format");
    let entity = &imported.entity;
    assert_eq!(&*C::from_canonical(entity).expect("it exports").bytes(), text.as_bytes());
    let variants = [
        Variant::new("IgnoredAny", || serde_json::from_slice::<IgnoredAny>(text.as_bytes()).is_ok()),
        Variant::taking("import, text by value", || text.to_owned(), |text| C::to_canonical(text).is_ok()),
        Variant::taking("import, bytes by value", || text.as_bytes().to_vec(), |bytes| C::to_canonical(bytes).is_ok()),
        Variant::new("unedited export", || C::from_canonical(entity).map(|out| out.is_source()).is_ok()),
        Variant::new("Value tree", || serde_json::from_str::<serde_json::Value>(text).is_ok()),
    ];
    compare(title, text.len(), &variants, time);
}
