use std::path::PathBuf;

use clap::Args;

use super::files::{self, Failure};
use super::{Done, output};
use crate::map::nearest;
use crate::model::KINDS;
use crate::shape::kind_schema;
use crate::{Error, Format, Registry, printable, schemas};

/// The format of a name, which might have been meant for a kind.
fn format_of<'f>(formats: &'f Registry, name: &str) -> Result<&'f dyn Format, Failure> {
    let kind = || nearest(name, KINDS.iter().map(|kind| kind.name));
    formats.format(name).map_err(|error| match (&error, kind()) {
        (_, Some(kind)) => {
            Failure::new(format!("there is no format and no kind `{}`; did you mean `{kind}`?", printable(name)))
        }
        (Error::UnknownFormat { meant: None, .. }, None) => {
            Failure::new(format!("{error}, and no such kind; `bunzai formats` lists both"))
        }
        (_, None) => error.into(),
    })
}

#[derive(Debug, Args)]
pub(super) struct Schema {
    /// A format, or a kind.
    #[arg(value_name = "FORMAT|KIND", required_unless_present = "all")]
    name: Option<String>,
    /// The schema of fresh files of the format, in place of the one of files it reads.
    #[arg(long)]
    write: bool,
    /// Writes every schema into a folder.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["name", "write"])]
    all: Option<PathBuf>,
}

impl Schema {
    pub(super) fn run(self, formats: &Registry) -> Done {
        let run = || -> Result<(), Failure> {
            if let Some(folder) = &self.all {
                std::fs::create_dir_all(folder).map_err(|error| Failure::from(error).in_file(folder))?;
                for (name, text) in schemas(formats)? {
                    files::write(&folder.join(name), true, |out| out.write_all(text.as_bytes()))?;
                }
                return Ok(());
            }
            let name = self.name.as_deref().unwrap_or_default();
            let schema = match KINDS.iter().find(|kind| kind.name == name) {
                Some(_) if self.write => {
                    return Err(Failure::new(format!("`{name}` is a kind; `--write` is about the files of a format")));
                }
                Some(kind) => kind_schema(kind),
                None => match format_of(formats, name)?.declared() {
                    Some(format) if self.write => format.write_schema()?,
                    Some(format) => format.read_schema()?,
                    None => return Err(Failure::new("the native format has a schema for each kind; name the kind")),
                },
            };
            output::json(schema.as_value());
            Ok(())
        };
        run().map_err(|failure| failure.tell(false))
    }
}
