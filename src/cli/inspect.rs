use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::files::{self, Failure};
use super::{Done, Ended, Json, output};
use crate::{AnyEntity, Bundle, Candidate, Error, Registry, View, printable};

#[derive(Debug, Args)]
pub(super) struct Inspect {
    /// The files; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    json: Json,
}

impl Inspect {
    pub(super) fn run(self, formats: &Registry) -> Done {
        let mut done = Ok(());
        for (n, file) in self.files.iter().enumerate() {
            if n > 0 && !self.json.json {
                output::line("");
            }
            if let Err(failure) = self.one(formats, file) {
                failure.in_file(file).tell(self.json.json);
                done = Err(Ended::Failed);
            }
        }
        done
    }

    fn one(&self, formats: &Registry, file: &Path) -> Result<(), Failure> {
        let input = files::read(file)?;
        let candidates = match formats.detect(&input) {
            Ok(candidates) => candidates,
            Err(error) => {
                self.print_json(file, &[], None);
                return Err(error.into());
            }
        };
        let Some(best) = candidates.first().filter(|best| best.is_sure()) else {
            self.print_json(file, &candidates, None);
            // Says why, of a file that calls itself a native one.
            return Err(formats.recognise(&input).err().unwrap_or(Error::NotRecognised { nearest: None }).into());
        };
        let bundle = match formats.import_bundle(best.format, input.clone()) {
            Ok(bundle) => bundle,
            Err(error) => {
                self.print_json(file, &candidates, None);
                return Err(error.into());
            }
        };
        let linked = linked(formats, &bundle);
        self.print_json(file, &candidates, Some((&bundle.main, &linked)));
        if !self.json.json {
            output::line(output::strong(&printable(&file.display().to_string())));
            show(best, &candidates, &bundle.main, &linked, input.text().unwrap_or_default());
            for warning in &bundle.warnings {
                output::warning(&warning.to_string());
            }
        }
        Ok(())
    }

    /// One object a file, also for a file that nothing claims.
    fn print_json(&self, file: &Path, candidates: &[Candidate<'_>], found: Option<(&AnyEntity, &[Linked])>) {
        if !self.json.json {
            return;
        }
        let entity = found.map(|(entity, _)| entity);
        let linked = found.map(|(_, linked)| linked).unwrap_or_default().iter();
        let linked: Vec<_> =
            linked.map(|piece| json!({ "id": piece.id, "kind": piece.kind, "name": piece.name })).collect();
        let best = candidates.first().filter(|best| best.is_sure());
        let scores: Vec<_> = candidates
            .iter()
            .map(|c| json!({ "format": c.format.id(), "kind": kind_of(c, entity), "score": c.score }))
            .collect();
        let mut object = json!({
            "file": file.display().to_string(),
            "format": best.map(|best| best.format.id()),
            "kind": best.and_then(|best| kind_of(best, entity)),
            "name": entity.map(|entity| entity.body.entity_name()),
            "score": best.map(|best| best.score),
            "candidates": scores,
        });
        if !linked.is_empty() {
            object["linked"] = linked.into();
        }
        output::json_line(&object);
    }
}

/// The kind of a candidate; of the native format that of the entity that was read.
fn kind_of(candidate: &Candidate<'_>, entity: Option<&AnyEntity>) -> Option<String> {
    let of_entity = || entity.map(AnyEntity::kind);
    candidate.format.kind().or_else(of_entity).map(str::to_owned)
}

/// A piece that is linked to what is in a file.
struct Linked {
    id: String,
    kind: String,
    /// Nothing where the piece is in no slot of the file.
    name: Option<String>,
}

/// The pieces that an entity names, those that its file holds with their names.
fn linked(formats: &Registry, bundle: &Bundle) -> Vec<Linked> {
    let held = |id: &str| bundle.linked.iter().find(|piece| piece.id == id);
    let links = formats.links(&bundle.main).into_iter().map(|link| {
        let piece = held(&link.id);
        let kind = piece.map_or_else(|| link.kinds.join("|"), |piece| piece.kind().to_owned());
        Linked { name: piece.map(|piece| piece.body.entity_name().to_owned()), id: link.id, kind }
    });
    links.collect()
}

/// What people want to know of a file.
fn show(best: &Candidate<'_>, known: &[Candidate<'_>], entity: &AnyEntity, linked: &[Linked], source: &str) {
    let mut rows = Vec::new();
    let mut row = |name: &str, text: String| rows.push(vec![format!("  {name}"), printable(&text).into_owned()]);
    row("format", format!("{} ({}), score {}", best.format.id(), best.format.label(), best.score));
    row("because", best.because.join("; "));
    for other in known.iter().skip(1) {
        row("also", format!("{}, score {}", other.format.id(), other.score));
    }
    row("kind", entity.kind().to_owned());
    row("id", entity.id.clone());
    let node = entity.body.as_node();
    for (n, field) in node.shape().fields.iter().enumerate() {
        if let Some(text) = node.field(n).and_then(|field| summary(field.view())) {
            row(field.name, text);
        }
    }
    for piece in linked {
        let name = piece.name.as_deref().map(|name| format!(" \"{}\"", output::start(name, 60))).unwrap_or_default();
        let held = if piece.name.is_some() { "" } else { ", a file of its own" };
        row("linked", format!("{} {}{name}{held}", piece.kind, piece.id));
    }
    let sealed = best.format.declared().map(|declared| declared.sealed(source)).unwrap_or_default();
    let sealed: Vec<String> =
        sealed.iter().map(|(at, n)| if *n == 1 { at.clone() } else { format!("{at} ({n})") }).collect();
    if !sealed.is_empty() {
        row("escrow", sealed.join(", "));
    }
    for (format, original) in entity.original.iter().filter(|_| best.format.kind().is_none()) {
        row("escrow", format!("{format}, {} bytes", original.source().len()));
    }
    for line in output::columns(&rows) {
        output::line(line);
    }
}

/// A value in a few words; nothing for one that says nothing.
fn summary(view: View<'_>) -> Option<String> {
    Some(match view {
        View::Absent | View::Null => return None,
        View::Bool(b) => b.to_string(),
        View::Number(n) => n.to_string(),
        View::Text("") => return None,
        View::Text(text) => output::start(text, 60),
        View::List(list) if list.is_empty() => return None,
        View::List(list) => match list.len() {
            1 => "1 item".to_owned(),
            n => format!("{n} items"),
        },
        View::Dict(dict) if dict.is_empty() => return None,
        View::Dict(dict) => format!("{} keys", dict.len()),
        View::Node(node) => {
            let fields = node.shape().fields.iter().enumerate();
            let present = fields.filter(|(n, _)| node.field(*n).is_some_and(|field| !field.view().is_absent()));
            present.map(|(_, field)| field.name).collect::<Vec<_>>().join(", ")
        }
    })
}
