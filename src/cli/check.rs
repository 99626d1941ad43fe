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
            if bunzai_mapping::is_part(&source) {
                match crate::load::checked_part(&name, &source) {
                    Ok(()) => {
                        output::line(format!("{}: a part; the files that use it are checked with it", printable(&name)))
                    }
                    Err(mapping) => wrong += told(&mapping),
                }
                continue;
            }
            match crate::load::checked(&name, &source, &files::open_part) {
                Ok((declaration, _)) => {
                    let hatches = match declaration.hatches.len() {
                        0 => String::new(),
                        n => format!("; Rust code is named {n} times, so only a compiled codec can use it"),
                    };
                    let format = printable(&declaration.map.format);
                    output::line(format!("{}: {format} is in order{hatches}", printable(&name)));
                }
                Err(mapping) => wrong += told(&mapping),
            }
        }
        if wrong == 0 {
            return Ok(());
        }
        output::error(&format!("{wrong} {} wrong", if wrong == 1 { "thing is" } else { "things are" }));
        Err(Ended::Failed)
    }
}

/// Tells what is wrong with a mapping file, and how much that is.
fn told(mapping: &crate::MappingError) -> usize {
    output::note(&mapping.to_string());
    output::note("");
    mapping.diagnostics().len()
}
