use bunzai_macros::Canonical;
use bunzai_runtime::Fault;

use super::{PresetPrompt, PromptRole};

/// A file beside a block.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
#[canonical(default, check = reference)]
pub struct PresetAttachment {
    /// The name that people see. It is no path.
    pub name: String,
    /// A reference into the asset store, or a data URI. A URL or a path is refused: nothing is ever
    /// fetched or read for it.
    #[canonical(rename = "ref")]
    pub reference: String,
}

/// The most files a block has.
const MOST: usize = 8;

/// Which blocks have files, and how many.
pub(super) fn attachments(prompt: &PresetPrompt) -> Option<Fault> {
    let message = match prompt.attachments.as_ref()?.len() {
        0 => return None,
        _ if prompt.marker => "a marker has no files".to_owned(),
        _ if prompt.role == PromptRole::Tool => "a block of the role `tool` has no files".to_owned(),
        n if n > MOST => format!("a block has {MOST} files at most, and here are {n}"),
        _ => return None,
    };
    Some(Fault::new("attachments", message))
}

/// What the reference of a file must not be.
fn reference(attachment: &PresetAttachment) -> Option<Fault> {
    let found = foreign(&attachment.reference)?;
    Some(Fault::new("ref", format!("expected a reference into the asset store or a data URI, found {found}")))
}

/// What a text is that certainly is no reference. How the references of an asset store look is its
/// own matter.
fn foreign(text: &str) -> Option<&'static str> {
    if text.trim().is_empty() {
        return Some("nothing");
    }
    let scheme = text.trim_start().split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    match scheme.as_deref() {
        Some("data") => return None,
        Some("http" | "https" | "ftp" | "file" | "blob") => return Some("a URL"),
        // A drive.
        Some(scheme) if scheme.len() == 1 => return Some("a path"),
        _ => {}
    }
    let climbs = text.split('/').any(|step| matches!(step, "." | ".."));
    (climbs || text.contains('\\') || text.trim_start().starts_with(['/', '~'])).then_some("a path")
}
