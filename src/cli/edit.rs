use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::Done;
use super::files::{self, Failure};
use crate::NATIVE_FORMAT;

#[derive(Debug, Args)]
pub(super) struct Edit {
    /// The native file.
    file: PathBuf,
    /// The place, as a JSON pointer: `/body/name`.
    pointer: String,
    /// The value: JSON, or text where only text fits.
    #[arg(required_unless_present = "remove", allow_hyphen_values = true)]
    value: Option<String>,
    /// Takes the value at the place away.
    #[arg(long, conflicts_with = "value")]
    remove: bool,
}

impl Edit {
    pub(super) fn run(self) -> Done {
        let run = || -> Result<(), Failure> {
            if files::is_stream(&self.file) {
                return Err(Failure::new("a file is edited where it stands; a stream has no place"));
            }
            let input = files::read(&self.file)?;
            let text = input.text()?;
            // A byte order mark is no part of the document, and stays.
            let (mark, text) = text.split_at(text.len() - text.trim_start_matches('\u{feff}').len());
            let edited = match &self.value {
                Some(value) => NATIVE_FORMAT.set(text, &self.pointer, value)?,
                None => NATIVE_FORMAT.remove(text, &self.pointer)?,
            };
            files::write(&self.file, true, |out| {
                let mut out = files::Limited::new(out, true);
                out.write_all(mark.as_bytes())?;
                out.write_all(edited.as_bytes())
            })
        };
        run().map_err(|failure| failure.in_file(&self.file).tell(false))
    }
}
