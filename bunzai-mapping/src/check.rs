//! A declaration, checked as far as it can be without and with the canonical type.

use bunzai_runtime::map::{Claim, Known, Want, nearest};
use bunzai_runtime::model::Shape;

use crate::diagnostic::{Diagnostic, Sink};
use crate::lower::{Claimed, Declaration, Wanted, lower};
use crate::parts::{Files, Open, Shared, gather};
use crate::tree::Tree;

/// A declaration that was read, and what is wrong with it by itself.
///
/// The declaration is complete in any case, so that what depends on it need not fail as well.
#[derive(Debug)]
pub struct Compiled {
    /// The declaration.
    pub declaration: Declaration,
    /// Everything that is wrong, in the order of the source.
    pub wrong: Vec<Diagnostic>,
    /// The mapping file and its parts, for showing places of them.
    pub files: Files,
}

/// Reads a mapping file that stands alone.
pub fn read(source: &str) -> Compiled {
    read_with("", source, &|_| Err("this file stands alone".to_owned()))
}

/// Reads a mapping file and the parts that it uses.
pub fn read_with(path: &str, source: &str, open: &Open<'_>) -> Compiled {
    let (mut unread, mut sink) = (Sink::default(), Sink::default());
    let (tree, shared, files) = gather(path, source, open, &mut unread);
    let declaration = lower(&tree, shared, &mut sink);
    // What could not be read would be told again as missing.
    let wrong = if unread.is_empty() { sink } else { unread };
    Compiled { declaration, wrong: wrong.into_list(), files }
}

/// Reads a declaration from any front end.
pub fn compile(tree: &Tree) -> Compiled {
    let mut sink = Sink::default();
    let declaration = lower(tree, Shared::default(), &mut sink);
    Compiled { declaration, wrong: sink.into_list(), files: Files::default() }
}

/// Checks a declaration against the shape of its kind.
pub fn check_shape(declaration: &Declaration, shape: &'static Shape) -> Vec<Diagnostic> {
    let mut sink = Sink::default();
    for group in declaration.claim_groups() {
        let refuted = group.iter().find_map(|claimed| Some((claimed, claimed.claim().refuted(shape)?)));
        if let Some((claimed, (code, message))) = refuted {
            sink.add(code, claimed.loc, message.as_str().to_owned());
        }
    }
    if sink.is_empty()
        && let Some((code, message)) = Known::gaps(&declaration.known, shape)
    {
        sink.add_list(code, declaration.coverage_loc, message.as_str());
    }
    if sink.is_empty() {
        for settled in &declaration.settled {
            if let Some((code, message)) = Known::unset(&settled.known, shape) {
                sink.add_list(code, settled.loc, message.as_str());
            }
        }
    }
    sink.into_list()
}

/// Reads and checks a mapping file that stands alone, for one of some kinds, given as names and shapes.
///
/// # Errors
/// Everything that is wrong with it, in the order of the file.
pub fn check(source: &str, kinds: &[(&str, &'static Shape)]) -> Result<Declaration, Vec<Diagnostic>> {
    check_compiled(read(source), kinds).map_err(|(_, wrong)| wrong)
}

/// Reads and checks a mapping file and the parts that it uses.
///
/// # Errors
/// Everything that is wrong with them, in the order of the files.
pub fn check_with(
    path: &str,
    source: &str,
    open: &Open<'_>,
    kinds: &[(&str, &'static Shape)],
) -> Result<(Declaration, Files), (Files, Vec<Diagnostic>)> {
    let compiled = read_with(path, source, open);
    let files = compiled.files.clone();
    check_compiled(compiled, kinds).map(|declaration| (declaration, files))
}

fn check_compiled(
    compiled: Compiled,
    kinds: &[(&str, &'static Shape)],
) -> Result<Declaration, (Files, Vec<Diagnostic>)> {
    let Compiled { declaration, wrong, files } = compiled;
    if !wrong.is_empty() {
        return Err((files, wrong));
    }
    let Some((_, shape)) = kinds.iter().find(|(name, _)| *name == declaration.kind) else {
        let mut sink = Sink::default();
        let names: Vec<_> = kinds.iter().map(|(name, _)| format!("`{name}`")).collect();
        let mut message = format!("there is no kind `{}`; there are {}", declaration.kind, names.join(", "));
        if nearest(&declaration.kind, kinds.iter().map(|(name, _)| *name)).is_none() {
            message += "; a kind of your own is known where its codec is compiled";
        }
        sink.add("B034", declaration.kind_loc, message);
        return Err((files, sink.into_list()));
    };
    let wrong = check_shape(&declaration, shape);
    if wrong.is_empty() { Ok(declaration) } else { Err((files, wrong)) }
}

/// What keeps a declaration from being used where no Rust code is compiled for it.
pub fn check_loadable(declaration: &Declaration) -> Vec<Diagnostic> {
    let mut sink = Sink::default();
    for loc in &declaration.hatches {
        sink.add("B035", *loc, "a file that is loaded has no Rust code beside it".to_owned());
    }
    sink.into_list()
}

/// What is wrong with a declaration that is used beside others: `formats` are the ids of all formats
/// there are, and `other` is the file that declares the same one, if a file does.
pub fn check_beside(declaration: &Declaration, formats: &[&str], other: Option<&str>) -> Vec<Diagnostic> {
    let mut sink = Sink::default();
    if let Some(other) = other {
        let message = format!("the format `{}` is declared in {other} too", declaration.map.format);
        sink.add("B037", declaration.format_loc, message);
    }
    for (format, loc) in declaration.links.iter().filter(|(format, _)| !formats.contains(&format.as_str())) {
        let mut message = format!("there is no format `{format}`");
        if let Some(meant) = nearest(format, formats.iter().copied()) {
            message += &format!("; did you mean `{meant}`?");
        }
        sink.add("B036", *loc, message);
    }
    sink.into_list()
}

/// The id of the format that a mapping file declares, whatever else is wrong with it.
pub fn format_of(source: &str) -> Option<String> {
    let tree = crate::front::read_tree(source);
    tree.as_table()?.get("format")?.as_text().map(str::to_owned)
}

impl Declaration {
    /// The claims, those of one row together: where the first is false the others mean nothing.
    pub fn claim_groups(&self) -> impl Iterator<Item = &[Claimed]> {
        self.claims.chunk_by(|_, next| !matches!(next.want, Wanted::Exists | Wanted::Asked))
    }
}

impl Claimed {
    /// The claim, to be asked of a shape.
    pub fn claim(&self) -> Claim<'_> {
        let want = match &self.want {
            Wanted::Exists => Want::Exists,
            Wanted::Asked => Want::Asked,
            Wanted::Leaf => Want::Leaf,
            Wanted::One => Want::One,
            Wanted::Alike(other) => Want::Alike(other),
            Wanted::Bool => Want::Bool,
            Wanted::Number => Want::Number,
            Wanted::Text => Want::Text,
            Wanted::AnyText => Want::AnyText,
            Wanted::List => Want::List,
            Wanted::Node => Want::Node,
            Wanted::Open => Want::Open,
            Wanted::Inside => Want::Inside,
            Wanted::Is(types) => Want::Is(*types),
            Wanted::Fits(literal) => Want::Fits(literal),
            Wanted::Cell(literal) => Want::Cell(literal),
            Wanted::Nullable => Want::Nullable,
            Wanted::Unset(leaves) => Want::Unset(*leaves),
        };
        Claim { path: &self.path, want }
    }
}
