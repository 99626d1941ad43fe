//! Running one vector through the library.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use bunzai::{Candidate, Exported, Format, Input, Loss, NATIVE, NATIVE_FORMAT, Registry};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::vector::{OF_ENTITY, OF_WIRE, Source, Vector};
use crate::{compare, layout, patch};

/// No input may take longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// One unmet expectation.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The word of `expect`, the law or the step.
    pub(crate) what: String,
    text: String,
    layout: &'static str,
}

impl Failure {
    pub(crate) fn new(what: impl Into<String>, text: impl Into<String>) -> Self {
        Self { what: what.into(), text: text.into(), layout: "" }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.text)?;
        if self.layout.is_empty() { Ok(()) } else { write!(f, " [{}]", self.layout) }
    }
}

/// The failures of a vector, over every layout of its input.
pub(crate) fn run(formats: &Registry, vector: &Vector) -> Vec<Failure> {
    let sources = match vector.sources() {
        Ok(sources) => sources,
        Err(wrong) => return vec![Failure::new("input", wrong)],
    };
    let mut failures = Vec::new();
    for source in sources {
        let start = Instant::now();
        let mut run = Run { formats, vector, failures: Vec::new() };
        match catch_unwind(AssertUnwindSafe(|| run.steps(&source))) {
            Ok(Ok(())) => {}
            Ok(Err(last)) => run.failures.push(last),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                run.failures.push(Failure::new("panic", text.unwrap_or("(no message)")));
            }
        }
        if start.elapsed() > PATIENCE {
            run.failures.push(Failure::new("time", format!("{:?}", start.elapsed())));
        }
        failures.extend(run.failures.into_iter().map(|failure| Failure { layout: source.layout, ..failure }));
    }
    failures
}

struct Run<'a> {
    formats: &'a Registry,
    vector: &'a Vector,
    failures: Vec<Failure>,
}

/// A step whose failure ends the vector.
type Step<T = ()> = Result<T, Failure>;

impl<'a> Run<'a> {
    fn fail(&mut self, what: &str, text: impl Into<String>) {
        self.failures.push(Failure::new(what, text));
    }

    fn format(&self, id: &str) -> Step<&'a dyn Format> {
        self.formats.format(id).map_err(|error| Failure::new("codec", error.to_string()))
    }

    fn steps(&mut self, source: &Source) -> Step {
        let (from, to) = (self.format(self.vector.source())?, self.format(self.vector.target())?);
        let mut warned = false;
        let native = if self.vector.is_fresh() {
            String::from_utf8_lossy(&source.bytes).into_owned()
        } else {
            let input = Input::new(source.bytes.clone()).file_name(self.vector.file_name());
            self.detect(&input);
            let Some(native) = self.import(from, &input, &mut warned)? else { return Ok(()) };
            native
        };
        let exported_is_asked = self.vector.asks(&OF_WIRE) || self.vector.edit().is_some() || from.id() != to.id();
        if self.vector.is_fresh() || exported_is_asked {
            self.export(to, &native, &mut warned)?;
        }
        if self.vector.is_asked("warnings") && !warned {
            self.fail("warnings", "there is none");
        }
        Ok(())
    }

    /// The formats that claim a document. One that cannot be read is claimed by none.
    fn candidates(&self, input: &Input) -> Vec<Candidate<'a>> {
        self.formats.detect(input).unwrap_or_default()
    }

    fn detect(&mut self, input: &Input) {
        let Some(Value::Object(wanted)) = self.vector.expect.get("detect") else { return };
        let scores: BTreeMap<String, f64> =
            self.candidates(input).into_iter().map(|c| (c.format.id().to_owned(), c.score)).collect();
        for (format, want) in wanted {
            let want = want.as_f64().unwrap_or(f64::NAN);
            if format == "*" {
                let claims = |(format, score): &(&String, &f64)| !wanted.contains_key(*format) && **score > want;
                if let Some((format, score)) = scores.iter().find(claims) {
                    self.fail("detect", format!("{format} claims it too, with {score}"));
                }
                continue;
            }
            let have = scores.get(format).copied().unwrap_or(0.0);
            let same = (have - want).abs() < 1e-9;
            if !same {
                self.fail("detect", format!("{format}: want {want}, have {have}"));
            }
        }
    }

    /// Reads the input; the answer is the native file, or nothing when there is no more to be asked.
    fn import(&mut self, from: &dyn Format, input: &Input, warned: &mut bool) -> Step<Option<String>> {
        let imported = match (from.import(input.clone()), self.vector.is_asked("error")) {
            (Ok(imported), false) => imported,
            (Ok(_), true) => return Err(Failure::new("error", "it was read")),
            (Err(error), true) => {
                self.check_message(&error.to_string());
                return Ok(None);
            }
            (Err(error), false) => {
                let detected = self.vector.expect.get("detect").and_then(|scores| scores.get(from.id()));
                let is_claimed = detected.and_then(Value::as_f64).is_some_and(|score| score > 0.5);
                let needed = self.vector.asks(&OF_ENTITY) || self.vector.asks(&OF_WIRE);
                if needed || is_claimed || self.vector.asks(&["warnings"]) {
                    return Err(Failure::new("import", error.to_string()));
                }
                return Ok(None);
            }
        };
        *warned |= !imported.warnings.is_empty();
        let entity = &imported.entity;
        let native = bytes_of(&NATIVE_FORMAT.export(entity.into()).map_err(|e| Failure::new("import", e.to_string()))?);
        let native = String::from_utf8(native).map_err(|error| Failure::new("import", error.to_string()))?;
        let (value, _) = split(&native)?;
        compare::check("canonical", &self.vector.expect, &value, &mut self.failures);

        let plain = !self.vector.input.contains_key("base64") || is_textual(input);
        let there_and_back = from.id() == self.vector.target() && from.id() != NATIVE;
        if plain && there_and_back && self.vector.edit().is_none() && !self.vector.is_asked("export_error") {
            let source = input.text().map_err(|error| Failure::new("untouched", error.to_string()))?;
            let direct = from.export(entity.into()).map(|exported| bytes_of(&exported));
            self.check_untouched("directly", direct, source);
            let read = NATIVE_FORMAT.import(Input::new(native.as_str()));
            let through = read.and_then(|read| from.export((&read.entity).into()).map(|exported| bytes_of(&exported)));
            self.check_untouched("through the native file", through, source);
        }
        Ok(Some(native))
    }

    fn check_message(&mut self, message: &str) {
        if message.trim().is_empty() {
            self.fail("error", "it says nothing");
        }
        let parts = self.vector.expect.get("message").and_then(Value::as_array);
        for part in parts.into_iter().flatten().filter_map(Value::as_str) {
            if !message.contains(part) {
                self.fail("message", format!("no {part:?} in {message:?}"));
            }
        }
    }

    fn check_untouched(&mut self, way: &str, bytes: bunzai::Result<Vec<u8>>, source: &str) {
        match bytes {
            Err(error) => self.fail("untouched", format!("{way}: {error}")),
            Ok(bytes) if bytes == source.as_bytes() => {}
            Ok(bytes) => {
                let at = bytes.iter().zip(source.as_bytes()).take_while(|(a, b)| a == b).count();
                let shown = |bytes: &[u8]| {
                    String::from_utf8_lossy(&bytes[at.saturating_sub(8)..bytes.len().min(at + 16)]).into_owned()
                };
                let (want, have) = (shown(source.as_bytes()), shown(&bytes));
                self.fail("untouched", format!("{way}: at byte {at} want {want:?}, have {have:?}"));
            }
        }
    }

    /// Writes the entity of a native file, edited if the vector says so.
    fn export(&mut self, to: &dyn Format, native: &str, warned: &mut bool) -> Step {
        let start = match self.vector.edit() {
            Some(edits) => edited(native, edits)?,
            None => native.to_owned(),
        };
        let read = NATIVE_FORMAT.import(Input::new(start.as_str()));
        let exported = read.as_ref().map_err(Clone::clone).and_then(|read| {
            *warned |= !read.warnings.is_empty();
            to.export((&read.entity).into())
        });
        let exported = match (exported, self.vector.is_asked("export_error")) {
            (Ok(exported), false) => exported,
            (Ok(_), true) => return Err(Failure::new("export_error", "it was written")),
            (Err(error), true) => {
                if error.to_string().trim().is_empty() {
                    self.fail("export_error", "it says nothing");
                }
                return Ok(());
            }
            (Err(error), false) => return Err(Failure::new("export", error.to_string())),
        };
        *warned |= !exported.warnings().is_empty();
        let bytes = bytes_of(&exported);
        self.check_wire(&bytes)?;
        *warned |= self.check_report(&exported)?;

        let is_fresh = self.vector.is_fresh() || self.vector.source() != to.id();
        if is_fresh && to.id() != NATIVE {
            let input = Input::new(bytes).file_name(exported.name());
            let best = self.candidates(&input).into_iter().next().filter(|best| best.score > 0.5);
            let taken = best.map_or("nothing", |best| best.format.id());
            if taken != to.id() {
                self.fail("recognised", format!("a fresh file is taken for {taken}"));
            }
        }
        Ok(())
    }

    fn check_wire(&mut self, bytes: &[u8]) -> Step {
        if let Some(text) = self.vector.expect.get("wire_text").and_then(Value::as_str)
            && text.as_bytes() != bytes
        {
            self.fail("wire_text", format!("want {text:?}, have {:?}", String::from_utf8_lossy(bytes)));
        }
        if !self.vector.asks(&OF_WIRE[..7]) {
            return Ok(());
        }
        let text = std::str::from_utf8(bytes).map_err(|error| Failure::new("wire", error.to_string()))?;
        let mut wire: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|error| Failure::new("wire", format!("not JSON: {error}")))?;
        if self.vector.target() == NATIVE {
            without_sums(&mut wire);
        }
        compare::check("wire", &self.vector.expect, &wire, &mut self.failures);
        let orders = self.vector.expect.get("key_order").and_then(Value::as_object);
        for (pointer, keys) in orders.into_iter().flatten() {
            let Some(Value::Object(members)) = patch::get(&wire, pointer) else {
                self.fail("key_order", format!("{pointer:?}: no object there"));
                continue;
            };
            let have: Vec<Value> = members.keys().map(|key| key.as_str().into()).collect();
            if *keys != Value::Array(have.clone()) {
                self.fail("key_order", format!("{pointer:?}: want {keys}, have {}", Value::Array(have)));
            }
        }
        Ok(())
    }

    /// True when the report has a warning.
    fn check_report(&mut self, exported: &Exported<'_>) -> Step<bool> {
        let report = exported.report().map_err(|error| Failure::new("report", error.to_string()))?;
        let places = |losses: &[Loss]| losses.iter().map(|loss| loss.at.clone()).collect::<Vec<_>>();
        let (lost, coerced, kept) = (places(&report.lost), places(&report.coerced), places(&report.kept));
        let all = [lost.as_slice(), &coerced, &kept].concat();
        let names = |places: &[String], want: &str| places.iter().any(|at| at == want || is_below(want, at));
        // Lost with what holds it; that the whole body is lost names nothing.
        let lost_above = |want: &str| lost.iter().any(|at| at.matches('/').count() > 1 && is_below(at, want));
        for want in self.pointers("lost") {
            if !names(&all, &want) && !lost_above(&want) {
                self.fail("lost", format!("{want} is not named; named: {}", all.join(", ")));
            }
        }
        for want in self.pointers("coerced") {
            if !names(&coerced, &want) {
                self.fail("coerced", format!("{want} is not named; named: {}", coerced.join(", ")));
            }
        }
        Ok(!report.warnings.is_empty())
    }

    fn pointers(&self, word: &str) -> Vec<String> {
        let list = self.vector.expect.get(word).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    }
}

fn is_below(holder: &str, at: &str) -> bool {
    at.strip_prefix(holder).is_some_and(|rest| rest.starts_with('/'))
}

/// The bytes of a written document, by both ways to ask for them.
fn bytes_of(exported: &Exported<'_>) -> Vec<u8> {
    let mut written = Vec::new();
    exported.write_to(&mut written).unwrap();
    assert_eq!(exported.bytes(), written, "`bytes` and `write_to` differ");
    written
}

/// UTF-8 that starts like a JSON document.
fn is_textual(input: &Input) -> bool {
    let text = input.text().unwrap_or_default();
    text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '[', '"'])
}

/// A native file as a value without its twins, and the text of the twins.
fn split(native: &str) -> Step<(Value, Option<Box<RawValue>>)> {
    let fail = |error: serde_json::Error| Failure::new("import", format!("the native file is not JSON: {error}"));
    // The twins stay text: not every JSON text is a value here, such as numbers that are too large.
    let mut members: BTreeMap<String, Box<RawValue>> = serde_json::from_str(native).map_err(fail)?;
    let original = members.remove("original");
    let members = members.into_iter().map(|(key, text)| Ok((key, serde_json::from_str(text.get())?)));
    Ok((Value::Object(members.collect::<Result<_, _>>().map_err(fail)?), original))
}

/// Takes the checksums of the twins out of a native file: a twin that came without one gets one.
/// (The command, which returns the source bytes, is held to that in `tests/cli`.)
fn without_sums(native: &mut Value) {
    for original in
        native.get_mut("original").and_then(Value::as_object_mut).into_iter().flat_map(|all| all.values_mut())
    {
        let Some(members) = original.as_object_mut() else { continue };
        let Some(Value::Object(unmapped)) = members.get_mut("unmapped") else { continue };
        unmapped.shift_remove("sum");
        if unmapped.is_empty() {
            members.shift_remove("unmapped");
        }
    }
}

/// A native file with edits made, its twins as they were.
fn edited(native: &str, edits: &[Value]) -> Step<String> {
    let (mut entity, original) = split(native)?;
    patch::apply(&mut entity, edits).map_err(|wrong| Failure::new("edit", wrong))?;
    let text = layout::pretty(&entity);
    let Some(original) = original else { return Ok(text) };
    let open = text.trim_end().strip_suffix('}').unwrap_or(&text);
    Ok(format!("{},\n  \"original\": {}\n}}\n", open.trim_end(), original.get()))
}
