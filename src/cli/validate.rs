use std::path::{Path, PathBuf};

use bunzai_runtime::json::{Cursor, Lines, Value, locate_all};
use clap::Args;
use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use serde_json::json;

use super::files::{self, Failure};
use super::{Done, Ended, Json, output};
use crate::{Declared, Error, Format, Input, NATIVE_FORMAT, Problem, Registry, printable};

#[derive(Debug, Args)]
pub(super) struct Validate {
    /// The files; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Takes the files for this format.
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    #[command(flatten)]
    json: Json,
}

impl Validate {
    pub(super) fn run(self, formats: &Registry) -> Done {
        let mut done = Ok(());
        for file in &self.files {
            match self.one(formats, file) {
                Ok(true) => {}
                Ok(false) => done = Err(Ended::Failed),
                Err(failure) => {
                    failure.in_file(file).tell(self.json.json);
                    done = Err(Ended::Failed);
                }
            }
        }
        done
    }

    fn one(&self, formats: &Registry, file: &Path) -> Result<bool, Failure> {
        let input = files::read(file)?;
        let (format, problems) = match &self.format {
            Some(id) => {
                let format = formats.format(id)?;
                (format, problems(format, &input)?)
            }
            None => match formats.recognise(&input) {
                Ok(format) => (format, problems(format, &input)?),
                Err(Error::Invalid(problems)) => (&NATIVE_FORMAT as &dyn Format, problems),
                Err(error) => return Err(error.into()),
            },
        };
        let name = file.display().to_string();
        if self.json.json {
            let list: Vec<_> = problems
                .iter()
                .map(|p| json!({ "at": p.at, "line": p.line, "column": p.column, "message": p.message }))
                .collect();
            let valid = problems.is_empty();
            output::json_line(&json!({ "file": name, "format": format.id(), "valid": valid, "problems": list }));
        } else if problems.is_empty() {
            output::line(format!("{}: valid {}", printable(&name), printable(format.id())));
        } else {
            for Problem { at, line, column, message } in &problems {
                let at = if at.is_empty() { "/" } else { at };
                output::line(printable(&format!("{name}:{line}:{column}: {at}: {message}")));
            }
        }
        Ok(problems.is_empty())
    }
}

/// How many problems of one file are told; nobody mends more at once.
const MOST: usize = 1_000;

/// Everything that is wrong with a document of a format.
fn problems(format: &dyn Format, input: &Input) -> Result<Vec<Problem>, Failure> {
    let imported = match format.import(input.clone()) {
        Err(Error::Invalid(problems)) => return Ok(problems),
        imported => imported?,
    };
    let mut problems = match format.declared() {
        Some(declared) => of_schema(declared, input)?,
        None => Vec::new(),
    };
    // What was read must be what the canonical model allows.
    let native = NATIVE_FORMAT.export((&imported.entity).into())?.text().into_owned();
    if let Err(Error::Invalid(canonical)) = NATIVE_FORMAT.import(Input::new(native)) {
        let read = |p: Problem| Problem { message: format!("as read into the model: {}", p.message), ..p };
        problems.extend(canonical.into_iter().map(read));
    }
    Ok(problems)
}

/// What is wrong with a value of which one of several schemas may be true: what the nearest of those
/// says that look into it. A value that lacks what marks it as one of a sort is of another sort.
fn nearest<'e>(error: &'e ValidationError<'_>) -> Vec<&'e ValidationError<'e>> {
    let ValidationErrorKind::AnyOf { context } = error.kind() else { return vec![error] };
    let depth = |error: &ValidationError<'_>| error.instance_path().as_str().len();
    let is_mark = |error: &&&ValidationError<'_>| {
        use ValidationErrorKind as Kind;
        matches!(error.kind(), Kind::Pattern { .. } | Kind::Constant { .. } | Kind::Enum { .. } | Kind::Required { .. })
    };
    let told: Vec<Vec<_>> = context.iter().map(|told| told.iter().flat_map(nearest).collect()).collect();
    let looks_inside = |told: &&Vec<&ValidationError<'_>>| told.iter().all(|inner| depth(inner) > depth(error));
    if let Some(nearest) =
        told.iter().filter(looks_inside).min_by_key(|told| (told.iter().filter(is_mark).count(), told.len()))
    {
        return nearest.clone();
    }
    // Of the types that it might have had, null says least.
    let is_type = |error: &&&ValidationError<'_>| matches!(error.kind(), ValidationErrorKind::Type { .. });
    let is_null = |error: &&&ValidationError<'_>| error.masked().to_string().ends_with("type \"null\"");
    vec![told.iter().flatten().filter(is_type).min_by_key(is_null).copied().unwrap_or(error)]
}

/// What the schema of a format does not allow.
fn of_schema(format: &Declared, input: &Input) -> Result<Vec<Problem>, Failure> {
    let text = input.text()?.trim_start_matches('\u{feff}');
    // Read by the reader that imports: it takes every number and every depth that an import takes.
    // A number beyond a double has no value; the text is of no type that a number's slot takes.
    let document = Value::read_or(&mut Cursor::new(text), &Value::text("a number beyond a double"))?;
    let document = serde_json::Value::from(document);
    let schema = format.read_schema_of(text)?.to_value();
    let validator = jsonschema::validator_for(&schema).map_err(Failure::new)?;
    let wrong: Vec<_> = validator.iter_errors(&document).take(MOST).collect();
    let told: Vec<_> = wrong.iter().flat_map(nearest).take(MOST).collect();
    let at: Vec<String> = told.iter().map(|error| error.instance_path().to_string()).collect();
    let spans = locate_all(text, &at.iter().map(String::as_str).collect::<Vec<_>>());
    let mut problems: Vec<_> =
        spans.into_iter().map(|span| span.map_or(0, |span| span.start)).zip(at).zip(told).collect();
    problems.sort_by_key(|((start, _), _)| *start);
    let mut lines = Lines::new(text);
    let problem = |((start, at), error): ((usize, String), &ValidationError<'_>)| {
        let (line, column) = lines.line_column(start);
        Problem { at, line, column, message: error.masked().to_string() }
    };
    Ok(problems.into_iter().map(problem).collect())
}
