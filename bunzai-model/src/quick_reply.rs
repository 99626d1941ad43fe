use bunzai_macros::Canonical;
use bunzai_runtime::{Extras, Fault};

/// A set of quick replies: buttons that each send a text.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
#[canonical(default, kind = "quickreply", name = name)]
pub struct QuickReplyBody {
    /// The name of the set.
    /// Producers: SillyTavern.
    pub name: String,
    /// The buttons, in order.
    /// Producers: SillyTavern (`qrList`, once `quickReplySlots`).
    pub replies: Vec<QuickReply>,
    /// A note of its maker. No application's file carries it.
    pub notes: Option<String>,
    /// What one application keeps and no other knows.
    /// Producers: SillyTavern (`disableSend`, `color` and others).
    pub extras: Option<Extras>,
}

/// A button.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
#[canonical(default, check = identity)]
pub struct QuickReply {
    /// What it can be found again by; never empty. SillyTavern's numbers are texts here.
    /// Producers: SillyTavern (`id`).
    pub id: String,
    /// What it shows. It is empty where a button has only a picture.
    /// Producers: SillyTavern (`label`).
    pub label: String,
    /// What it sends. Commands in it are kept and never run.
    /// Producers: SillyTavern (`message`, once `mes`).
    pub message: String,
    /// What is shown while the pointer is over it.
    /// Producers: SillyTavern (`title`).
    pub title: Option<String>,
    /// Whether it is not shown, so that only other things can press it.
    /// Producers: SillyTavern (`isHidden`).
    pub hidden: Option<bool>,
    /// What one application keeps and no other knows.
    /// Producers: SillyTavern (`contextList`, `automationId` and others).
    pub extras: Option<Extras>,
}

/// An id is never empty.
fn identity(reply: &QuickReply) -> Option<Fault> {
    reply.id.is_empty().then(|| Fault::new("id", "an id is never empty"))
}
