//! The `bunzai` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    bunzai::cli::main()
}
