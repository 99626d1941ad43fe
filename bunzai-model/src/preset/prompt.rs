use bunzai_macros::Canonical;
use bunzai_runtime::{Extras, Number};

use super::{PresetAttachment, attachments};

/// A block of a preset.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default, check = attachments)]
pub struct PresetPrompt {
    /// The identifier in the source, letter for letter. Lists of order, markers and `isDefault`
    /// speak of it, so it is never made anew.
    /// Producers: SillyTavern (`identifier`), RoleCall, Marinara (`identifier`).
    pub id: String,
    /// What people call it.
    pub name: String,
    /// The text, with macros as they are.
    pub content: String,
    /// Files sent beside the block while it is on, 8 at most. A marker and a block of the role
    /// `tool` have none. No application's file carries them.
    pub attachments: Option<Vec<PresetAttachment>>,
    /// The role it is sent in.
    pub role: PromptRole,
    /// The switch of the block.
    pub enabled: bool,
    /// A mark of the prompt manager: the block is one of the system's. It is none of the texts in
    /// `systemPrompts`.
    /// Producers: SillyTavern (`system_prompt`).
    pub system_prompt: bool,
    /// Whether it has no text of its own and marks where something else goes.
    pub marker: bool,
    /// What goes where the marker stands.
    /// Producers: RoleCall, SillyTavern, Marinara.
    pub marker_slot: Option<MarkerSlot>,
    /// The place of the block.
    pub placement: PromptPlacement,
    /// Messages from the newest one, for the places `in_chat` and `append`.
    /// Producers: SillyTavern (`injection_depth`, usually 4).
    pub injection_depth: Number,
    /// The order among blocks at one place, lowest first.
    /// Producers: SillyTavern (`injection_order`, usually 100).
    pub injection_order: Number,
    /// Whether a character may not replace it.
    /// Producers: SillyTavern (`forbid_overrides`).
    pub forbid_overrides: bool,
    /// The occasions it is sent on: `normal`, `continue`, `impersonate` and others.
    /// Producers: SillyTavern.
    pub injection_trigger: Option<Vec<String>>,
    /// True for the blocks that SillyTavern has built in; absent for others.
    /// Producers: SillyTavern.
    pub is_default: Option<bool>,
    /// The id of its group; absent: of none.
    pub group_id: Option<String>,
    /// Whether its text is put between XML tags.
    /// Producers: Marinara.
    pub wrap_in_xml: Option<bool>,
    /// The name of these tags.
    /// Producers: Marinara.
    pub xml_tag_name: Option<String>,
    /// What one application keeps and no other knows.
    pub extras: Option<Extras>,
}

/// The role a block is sent in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
pub enum PromptRole {
    /// Instructions.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
    /// The result of a tool.
    Tool,
}

/// What goes where a marker stands.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
pub enum MarkerSlot {
    /// The messages of the chat.
    #[canonical(rename = "chatHistory")]
    ChatHistory,
    /// Lorebook entries before the character.
    #[canonical(rename = "worldInfoBefore")]
    WorldInfoBefore,
    /// Lorebook entries after the character.
    #[canonical(rename = "worldInfoAfter")]
    WorldInfoAfter,
    /// Examples of dialogue.
    #[canonical(rename = "dialogueExamples")]
    DialogueExamples,
    /// The persona.
    #[canonical(rename = "personaDescription")]
    PersonaDescription,
    /// Bunzai: trackers.
    Trackers,
    /// Bunzai: linked trackers.
    #[canonical(rename = "linkedTrackers")]
    LinkedTrackers,
    /// Bunzai: storyboards.
    Storyboards,
    /// Bunzai: skills.
    Skills,
    /// Any other word, such as RoleCall's.
    #[canonical(other)]
    Other(String),
}

/// The place of a block in the request.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
pub enum PromptPlacement {
    /// Where the order of the blocks puts it.
    Relative,
    /// A message of its own, at a depth in the chat.
    InChat,
    /// At the end of the message at a depth.
    Append,
    /// At the very end.
    AppendPreset,
    /// At the very start.
    PrependPreset,
    /// Any other word.
    #[canonical(other)]
    Other(String),
}
