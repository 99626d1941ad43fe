//! The command line, one file a subcommand.

mod beside;
mod bulk;
mod check;
mod convert;
mod edit;
mod explain;
mod files;
mod formats;
mod inspect;
mod item;
mod names;
mod output;
mod preview;
mod schema;
mod summary;
mod together;
mod tree;
mod turns;
mod validate;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::OsStringValueParser;
use clap::{Args, Parser, Subcommand};

use self::together::{Member, Sort, Trouble};
use crate::{Format, Registry, registry};

/// Converts AI-roleplay files between applications, without losing anything.
#[derive(Debug, Parser)]
#[command(name = "bunzai", version, arg_required_else_help = true, max_term_width = 100)]
struct Cli {
    /// Adds the formats of the mapping files in a folder.
    #[arg(long, global = true, value_name = "DIR", env = "BUNZAI_MAPPINGS", value_parser = OsStringValueParser::new())]
    mappings: Option<OsString>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Lists every format: id, kind, label, extensions.
    Formats(formats::Formats),
    /// Tells what a file is, and what is in it.
    Inspect(inspect::Inspect),
    /// Converts a file, or every file of a folder.
    Convert(convert::Convert),
    /// Sets one value of a native file and leaves the rest as it is.
    Edit(edit::Edit),
    /// Checks files against the schema of their format and the canonical model.
    Validate(validate::Validate),
    /// Shows the blocks of a preset in the order of a request.
    Preview(preview::Preview),
    /// Prints the JSON Schema of a format or a kind.
    Schema(schema::Schema),
    /// Shows the field map of a format: where each field goes, and how.
    Explain(explain::Explain),
    /// Checks mapping files.
    Check(check::Check),
}

/// `--json`
#[derive(Debug, Clone, Copy, Args)]
struct Json {
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// How a command ended, when not well.
enum Ended {
    /// The input cannot be read, recognised or converted.
    Failed,
    /// `--strict`, and something would be lost.
    Lossy,
}

type Done = Result<(), Ended>;

/// Runs the command line of the process.
pub fn main() -> ExitCode {
    // Usage errors end the process with status 2.
    let cli = Cli::parse();
    // What checks mapping files, or knows none, does not fail for the files of a folder.
    let mappings = match cli.command {
        Command::Check(_) | Command::Edit(_) => None,
        // An empty variable is as good as none.
        _ => cli.mappings.filter(|folder| !folder.is_empty()).map(PathBuf::from),
    };
    let done = formats_in(mappings.as_deref()).and_then(|formats| match cli.command {
        Command::Formats(command) => command.run(&formats),
        Command::Inspect(command) => command.run(&formats),
        Command::Convert(command) => command.run(&formats),
        Command::Edit(command) => command.run(),
        Command::Validate(command) => command.run(&formats),
        Command::Preview(command) => command.run(&formats),
        Command::Schema(command) => command.run(&formats),
        Command::Explain(command) => command.run(&formats),
        Command::Check(command) => command.run(),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Ended::Failed) => ExitCode::from(1),
        Err(Ended::Lossy) => ExitCode::from(3),
    }
}

/// The built-in formats, and those of a folder of mapping files.
fn formats_in(folder: Option<&std::path::Path>) -> Result<Registry, Ended> {
    let mut formats = registry();
    let Some(folder) = folder else { return Ok(formats) };
    let mut failed = false;
    let paths = files::mapping_files(folder).map_err(|failure| failure.tell(false))?;
    let built_in: Vec<&str> = crate::formats().formats().into_iter().map(Format::id).collect();
    for Member { name, read, .. } in together::read(&paths, &built_in) {
        let loaded = match read {
            Ok(Sort::Part) => continue,
            Ok(Sort::Mapping(checked)) => checked.load().map_err(Trouble::Wrong),
            Err(trouble) => Err(trouble),
        };
        match loaded {
            Ok(format) => {
                let id = format.map().format.to_string();
                if formats.add(Box::new(format)).is_some() {
                    output::warning(&format!("{name}: it takes the place of the built-in format `{id}`"));
                }
            }
            Err(trouble) => {
                trouble.tell(&name);
                failed = true;
            }
        }
    }
    if failed { Err(Ended::Failed) } else { Ok(formats) }
}
