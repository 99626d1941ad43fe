use clap::Args;
use serde_json::json;

use super::{Done, Json, output};
use crate::{Registry, printable};

#[derive(Debug, Args)]
pub(super) struct Formats {
    #[command(flatten)]
    json: Json,
}

impl Formats {
    pub(super) fn run(self, formats: &Registry) -> Done {
        if self.json.json {
            let list: Vec<_> = formats
                .formats()
                .iter()
                .map(|format| {
                    json!({
                        "id": format.id(),
                        "kind": format.kind(),
                        "label": format.label(),
                        "about": format.about(),
                        "extensions": format.extensions(),
                    })
                })
                .collect();
            output::json_line(&json!({ "formats": list }));
            return Ok(());
        }
        let mut rows = vec![["FORMAT", "KIND", "LABEL", "EXTENSIONS"].map(str::to_owned).to_vec()];
        for format in formats.formats() {
            let kind = format.kind().unwrap_or("any").to_owned();
            rows.push(vec![format.id().to_owned(), kind, format.label().to_owned(), format.extensions().join(", ")]);
        }
        let lines = output::columns(&rows);
        for (n, line) in lines.iter().enumerate() {
            output::line(if n == 0 { output::faint(line) } else { printable(line).into_owned() });
        }
        Ok(())
    }
}
