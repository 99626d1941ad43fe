use std::path::PathBuf;

use clap::Args;

use super::{Done, Ended, files, output};
use crate::printable;

#[derive(Debug, Args)]
pub(super) struct Check {
    /// The mapping files.
    #[arg(required = true, value_name = "MAPPING")]
    files: Vec<PathBuf>,
}

impl Check {
    pub(super) fn run(self) -> Done {
        let mut wrong = 0;
        for path in &self.files {
            let name = path.display().to_string();
            let source = match files::read_text(path) {
                Ok(source) => source,
                Err(failure) => {
                    failure.tell(false);
                    wrong += 1;
                    continue;
                }
            };
            match crate::load(&name, &source) {
                Ok(format) => {
                    output::line(format!("{}: {} is in order", printable(&name), printable(&format.map().format)))
                }
                Err(mapping) => {
                    wrong += mapping.diagnostics().len();
                    output::note(&mapping.to_string());
                    output::note("");
                }
            }
        }
        if wrong == 0 {
            return Ok(());
        }
        output::error(&format!("{wrong} {} wrong", if wrong == 1 { "thing is" } else { "things are" }));
        Err(Ended::Failed)
    }
}
