use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;

use super::together::{self, Member, Sort};
use super::{Done, Ended, files, output};
use crate::{Format, printable};

#[derive(Debug, Args)]
pub(super) struct Check {
    /// The mapping files, and folders of such.
    #[arg(required = true, value_name = "MAPPING")]
    files: Vec<PathBuf>,
}

impl Check {
    pub(super) fn run(self) -> Done {
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
        // A file that is named and lies in a folder that is named is one file.
        let mut seen = HashSet::new();
        paths.retain(|path| seen.insert(files::whole(path)));
        let built_in: Vec<&str> = crate::formats().formats().into_iter().map(Format::id).collect();
        let mut wrong = 0;
        for Member { name, read, .. } in together::read(&paths, &built_in) {
            match read {
                Ok(Sort::Part) => {
                    output::line(format!("{}: a part; the files that use it are checked with it", printable(&name)));
                }
                Ok(Sort::Mapping(checked)) => {
                    let declaration = &checked.declaration;
                    let hatches = match declaration.hatches.len() {
                        0 => String::new(),
                        n => format!("; Rust code is named {n} times, so only a compiled codec can use it"),
                    };
                    let format = printable(&declaration.map.format);
                    output::line(format!("{}: {format} is in order{hatches}", printable(&name)));
                }
                Err(trouble) => wrong += trouble.tell(&name),
            }
        }
        if wrong == 0 {
            return Ok(());
        }
        output::error(&format!("{wrong} {} wrong", if wrong == 1 { "thing is" } else { "things are" }));
        Err(Ended::Failed)
    }
}
