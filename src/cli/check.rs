use std::path::PathBuf;

use clap::Args;

use super::{Done, Ended, files, output};
use crate::printable;

#[derive(Debug, Args)]
pub(super) struct Check {
    /// The mapping files, and folders of such.
    #[arg(required = true, value_name = "MAPPING")]
    files: Vec<PathBuf>,
}

impl Check {
    pub(super) fn run(self) -> Done {
        let mut wrong = 0;
        let mut paths = Vec::new();
        for path in self.files {
            match path.is_dir() {
                true => paths.extend(files::mapping_files(&path).map_err(|failure| failure.tell(false))?),
                false => paths.push(path),
            }
        }
        if paths.is_empty() {
            output::error("there are no mapping files");
            return Err(Ended::Failed);
        }
        for path in &paths {
            let name = path.display().to_string();
            let source = match files::read_mapping(path) {
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
