//! `cargo xtask generate` writes every generated file of the repository; with `--check` it only
//! tells which of them are not as they would be written.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool for the terminal")]

mod errors;
mod fields;
mod maps;
mod matrix;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The files of each generated folder and the generated single files, by their paths.
type Files = BTreeMap<PathBuf, String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let check = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["generate"] => false,
        ["generate", "--check"] => true,
        _ => {
            eprintln!("usage: cargo xtask generate [--check]");
            return ExitCode::from(2);
        }
    };
    match generated().and_then(|files| if check { differing(&files) } else { write(&files) }) {
        Ok(differing) if differing.is_empty() => ExitCode::SUCCESS,
        Ok(differing) => {
            for path in differing {
                eprintln!("{} is not as generated; run `cargo xtask generate`", path.display());
            }
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Folders that hold generated files and nothing else.
const FOLDERS: [&str; 3] = ["schemas", "docs/fields", "docs/maps"];

fn generated() -> Result<Files, String> {
    let mut files = Files::new();
    for (name, text) in bunzai::schemas(bunzai::formats()).map_err(|error| error.to_string())? {
        files.insert(Path::new("schemas").join(name), text);
    }
    for kind in &bunzai::model::KINDS {
        files.insert(format!("docs/fields/{}.md", kind.name).into(), fields::table(kind));
    }
    for format in bunzai::formats().formats().into_iter().filter_map(|format| format.declared()) {
        files.insert(format!("docs/maps/{}.md", format.map().format).into(), maps::page(format));
    }
    files.insert("docs/formats.md".into(), matrix::page());
    files.insert("docs/errors.md".into(), errors::page());
    Ok(files)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

fn differing(files: &Files) -> Result<Vec<PathBuf>, String> {
    let mut differing: Vec<PathBuf> = files
        .iter()
        .filter(|(path, text)| std::fs::read_to_string(root().join(path)).ok().as_ref() != Some(text))
        .map(|(path, _)| path.clone())
        .collect();
    differing.extend(strangers(files)?);
    Ok(differing)
}

/// Files in generated folders that are not generated any more.
fn strangers(files: &Files) -> Result<Vec<PathBuf>, String> {
    let mut strangers = Vec::new();
    for folder in FOLDERS {
        let Ok(entries) = std::fs::read_dir(root().join(folder)) else { continue };
        for entry in entries {
            let path = Path::new(folder).join(entry.map_err(|error| error.to_string())?.file_name());
            if !files.contains_key(&path) {
                strangers.push(path);
            }
        }
    }
    Ok(strangers)
}

fn write(files: &Files) -> Result<Vec<PathBuf>, String> {
    for (path, text) in files {
        let whole = root().join(path);
        let write = || {
            std::fs::create_dir_all(whole.parent().unwrap_or(Path::new(".")))?;
            std::fs::write(&whole, text)
        };
        write().map_err(|error| format!("{}: {error}", path.display()))?;
    }
    for path in strangers(files)? {
        std::fs::remove_file(root().join(&path)).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(Vec::new())
}
