use clap::Args;
use serde_json::{Value, json};

use super::files::Failure;
use super::{Done, Json, output};
use crate::{Registry, Section, explain, printable};

#[derive(Debug, Args)]
pub(super) struct Explain {
    /// A format.
    #[arg(value_name = "FORMAT")]
    name: String,
    #[command(flatten)]
    json: Json,
}

impl Explain {
    pub(super) fn run(self, formats: &Registry) -> Done {
        let run = || -> Result<(), Failure> {
            let Some(format) = formats.format(&self.name)?.declared() else {
                return Err(Failure::new("the native format has no field map: it is the canonical model itself"));
            };
            let map = format.map();
            let sections = explain(format);
            let gates: Vec<Vec<String>> =
                map.shapes.iter().map(|shape| shape.gate.iter().map(ToString::to_string).collect()).collect();
            if self.json.json {
                let scores = map.shapes.iter().zip(&gates);
                let shapes: Vec<_> = scores.map(|(shape, gate)| json!({ "score": shape.score, "if": gate })).collect();
                output::json(&json!({
                    "format": map.format,
                    "kind": format.kind_of_body().name,
                    "label": map.label,
                    "about": map.about,
                    "shapes": shapes,
                    "sections": sections.iter().map(section_json).collect::<Vec<_>>(),
                    "lost": map.lost,
                }));
                return Ok(());
            }
            output::line(output::strong(&printable(&map.label)));
            output::line(printable(&map.about));
            for (shape, gate) in map.shapes.iter().zip(&gates) {
                output::line(format_args!("recognised ({}) if {}", shape.score, printable(&gate.join(", and "))));
            }
            for section in &sections {
                output::line("");
                output::line(output::strong(&printable(&section.title)));
                let cells = section.rows.iter().map(|line| {
                    let to = if line.wire.is_empty() || !line.to.is_empty() { line.to.clone() } else { "-".to_owned() };
                    [&line.wire, &to, &line.how].map(|cell| printable(cell).into_owned()).to_vec()
                });
                let lines = output::columns(&cells.collect::<Vec<_>>());
                for (text, line) in lines.iter().zip(&section.rows) {
                    let about =
                        if line.about.is_empty() { String::new() } else { format!("  {}", printable(&line.about)) };
                    output::line(format_args!("  {text}{}", output::faint(&about)));
                }
            }
            if !map.lost.is_empty() {
                output::line("");
                output::line(format_args!("{} {}", output::strong("not carried:"), printable(&map.lost.join(", "))));
            }
            Ok(())
        };
        run().map_err(|failure| failure.tell(self.json.json))
    }
}

fn section_json(section: &Section) -> Value {
    let rows = section
        .rows
        .iter()
        .map(|line| json!({ "wire": line.wire, "to": line.to, "how": line.how, "about": line.about }));
    json!({ "title": section.title, "rows": rows.collect::<Vec<_>>() })
}
