//! A folder to work in, and the program run there.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A temporary folder, in which the command is run.
pub(crate) struct Folder {
    folder: TempDir,
    environment: Vec<(&'static str, String)>,
}

/// What a run left.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The folder of the sample files.
pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/marinara")
}

/// The names of the sample files.
pub(crate) fn fixture_names() -> Vec<String> {
    let entries = fs::read_dir(fixtures()).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert!(names.len() >= 8, "{names:?}");
    names
}

/// The format of a sample file: the kind stands in its name.
pub(crate) fn format_of(name: &str) -> String {
    let kind = name.rsplit('.').nth(1).and_then(|part| part.split('-').next());
    format!("marinara-{}", kind.unwrap())
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), environment: Vec::new() }
    }

    /// A folder with some of the sample files in it.
    pub(crate) fn with(names: &[&str]) -> Self {
        let folder = Self::new();
        for name in names {
            folder.write(name, fs::read(fixtures().join(name)).unwrap());
        }
        folder
    }

    /// Sets a variable for the runs to come.
    pub(crate) fn set(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.environment.push((name, value.into()));
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        String::from_utf8(fs::read(self.path(name)).unwrap()).unwrap()
    }

    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// Every file here and below, hidden ones too, with its bytes.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        self.names().into_iter().map(|name| (name.clone(), fs::read(self.path(&name)).unwrap())).collect()
    }

    /// The names of those files. Links to folders are not followed.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut waiting = vec![self.folder.path().to_owned()];
        while let Some(folder) = waiting.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                if entry.file_type().unwrap().is_dir() {
                    waiting.push(entry.path());
                } else if !entry.path().is_dir() {
                    names.push(entry.path().strip_prefix(self.folder.path()).unwrap().to_string_lossy().into_owned());
                }
            }
        }
        names.sort();
        names
    }

    /// The command, to be run here.
    pub(crate) fn command<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bunzai"));
        command.args(arguments).current_dir(self.folder.path());
        // What the person who runs the tests has set must not count.
        command.env_remove("BUNZAI_MAPPINGS").env_remove("CLICOLOR_FORCE").env_remove("NO_COLOR");
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the command.
    pub(crate) fn run<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Ran {
        self.run_with(arguments, b"")
    }

    /// Runs the command with something on its standard input.
    pub(crate) fn run_with<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>, input: &[u8]) -> Ran {
        let mut child = self.command(arguments).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        // A command that does not read all of it closes the pipe, which is no concern here.
        let feed = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().unwrap();
        feed.join().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let code = output.status.code().expect("the command ended by a signal");
        let ran = Ran { code, out: text(output.stdout), err: text(output.stderr) };
        assert!(!ran.err.contains("panicked at") && ran.code != 101, "{ran:?}");
        ran
    }

    /// Runs the command, which must succeed.
    #[track_caller]
    pub(crate) fn done<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.code, 0, "{ran:?}");
        ran
    }

    /// Runs the command, which must end with this status, say why, and leave every file as it is.
    #[track_caller]
    pub(crate) fn refused<A: AsRef<OsStr>>(&self, status: i32, arguments: impl IntoIterator<Item = A>) -> Ran {
        let before = self.files();
        let ran = self.run(arguments);
        assert_eq!(ran.code, status, "{ran:?}");
        assert!(!ran.err.trim().is_empty(), "it says nothing: {ran:?}");
        let (names, after) = (self.names(), self.files());
        assert!(before == after, "something was written; there are now {names:?} ({ran:?})");
        ran
    }
}

impl Ran {
    /// What was printed, as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Every line that was printed, as JSON.
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The errors, as `--json` has them.
    pub(crate) fn json_errors(&self) -> Vec<Value> {
        self.err.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Checks that the errors say something.
    #[track_caller]
    pub(crate) fn says(&self, parts: &[&str]) {
        for part in parts {
            assert!(self.err.contains(part), "no {part:?} in {:?}", self.err);
        }
    }
}

/// What differs between two texts: the bytes between what they begin with and what they end with.
pub(crate) fn change<'t>(before: &'t str, after: &'t str) -> (&'t str, &'t str) {
    let pairs = before.char_indices().zip(after.chars());
    let start = pairs.take_while(|((_, a), b)| a == b).map(|((n, a), _)| n + a.len_utf8()).last().unwrap_or(0);
    let (before, after) = (&before[start..], &after[start..]);
    let ends = before.chars().rev().zip(after.chars().rev());
    let end: usize = ends.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    (&before[..before.len() - end], &after[..after.len() - end])
}

#[test]
fn a_change_is_what_differs() {
    assert_eq!(change("abc", "abc"), ("", ""));
    assert_eq!(change("{\"a\": \"é\"}", "{\"a\": \"x y\"}"), ("é", "x y"));
    assert_eq!(change("aa", "aaa"), ("", "a"));
}
