use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::files::{self, Failure};
use super::{Done, Ended, Json, output};
use crate::{AnyEntity, Candidate, Error, Registry, View, printable};

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
        let imported = match best.format.import(input.clone()) {
            Ok(imported) => imported,
            Err(error) => {
                self.print_json(file, &candidates, None);
                return Err(error.into());
            }
        };
        self.print_json(file, &candidates, Some(&imported.entity));
        if !self.json.json {
            output::line(output::strong(&printable(&file.display().to_string())));
            show(best, &candidates, &imported.entity, input.text().unwrap_or_default());
            for warning in &imported.warnings {
                output::warning(&warning.to_string());
            }
        }
        Ok(())
    }

    /// One object a file, also for a file that nothing claims.
    fn print_json(&self, file: &Path, candidates: &[Candidate<'_>], entity: Option<&AnyEntity>) {
        if !self.json.json {
            return;
        }
        let best = candidates.first().filter(|best| best.is_sure());
        let scores: Vec<_> = candidates
            .iter()
            .map(|c| json!({ "format": c.format.id(), "kind": kind_of(c, entity), "score": c.score }))
            .collect();
        output::json_line(&json!({
            "file": file.display().to_string(),
            "format": best.map(|best| best.format.id()),
            "kind": best.and_then(|best| kind_of(best, entity)),
            "name": entity.map(|entity| entity.body.entity_name()),
            "score": best.map(|best| best.score),
            "candidates": scores,
        }));
    }
}

/// The kind of a candidate; of the native format that of the entity that was read.
fn kind_of(candidate: &Candidate<'_>, entity: Option<&AnyEntity>) -> Option<String> {
    let of_entity = || entity.map(AnyEntity::kind);
    candidate.format.kind().or_else(of_entity).map(str::to_owned)
}

/// What people want to know of a file.
fn show(best: &Candidate<'_>, known: &[Candidate<'_>], entity: &AnyEntity, source: &str) {
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
