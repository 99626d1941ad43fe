//! Presets: the prompt blocks of a request in their order, and its settings.

mod attachment;
mod choice;
mod prompt;
mod settings;

pub use attachment::*;
pub use choice::*;
pub use prompt::*;
pub use settings::*;

use bunzai_macros::Canonical;
use bunzai_runtime::{Extras, Fault, Number};

/// A preset: the prompt blocks of a request in their order, and its settings.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default, kind = "preset", name = name, check = references)]
pub struct PresetBody {
    /// The name; taken from the file name where a file has none.
    pub name: String,
    /// Free text.
    /// Producers: RoleCall (`readme`), Marinara.
    pub description: Option<String>,
    /// The switch of the preset. Absent is on; a preset that is off is left out of bulk and bundle
    /// exports.
    pub enabled: Option<bool>,
    /// The blocks, in order. Rows that only divide others are groups and not blocks.
    pub prompts: Vec<PresetPrompt>,
    /// Folders of blocks.
    /// Producers: RoleCall, Marinara, SillyTavern (dividers).
    pub groups: Option<Vec<PresetGroup>>,
    /// How the model picks its words, and how much it reads and writes.
    pub samplers: Option<PresetSamplers>,
    /// Whether the preset is a set of samplers and nothing else. Absent is
    /// false.
    /// Producers: SillyTavern (KoboldAI, TextGen and NovelAI settings).
    pub sampler_set: Option<bool>,
    /// Texts for single occasions.
    pub system_prompts: Option<PresetSystemPrompts>,
    /// How parts of a card are put into words.
    pub templates: Option<PresetTemplates>,
    /// How messages are put together.
    pub behavior: Option<PresetBehavior>,
    /// What is asked of the provider.
    pub api_options: Option<PresetApiOptions>,
    /// Pictures and films in messages.
    pub media: Option<PresetMedia>,
    /// How answers are drawn.
    pub generation: Option<PresetGeneration>,
    /// The marks around a model's thoughts.
    /// Producers: SillyTavern (reasoning templates).
    pub reasoning: Option<PresetReasoning>,
    /// Questions to the person who sets the preset up.
    /// Producers: RoleCall, Marinara.
    pub choices: Option<Vec<PresetChoice>>,
    /// Ids of linked regex sets. A link, never a copy: an export puts the rules into its file or
    /// reports that it cannot.
    pub behavior_refs: Option<Vec<String>>,
    /// Ids of linked sets of quick replies; these stand beside the preset and never in it.
    pub quick_reply_refs: Option<Vec<String>>,
}

/// An id is never empty.
fn references(preset: &PresetBody) -> Vec<Fault> {
    let lists = [("behaviorRefs", &preset.behavior_refs), ("quickReplyRefs", &preset.quick_reply_refs)];
    let empty = |refs: &Option<Vec<String>>| refs.iter().flatten().any(String::is_empty);
    lists
        .into_iter()
        .filter(|(_, refs)| empty(refs))
        .map(|(field, _)| Fault::new(field, "an id is never empty"))
        .collect()
}

/// A folder of blocks.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
pub struct PresetGroup {
    /// What blocks name it by. SillyTavern's dividers get their identifier from it.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// The text of a divider that has one.
    /// Producers: SillyTavern.
    pub content: Option<String>,
    /// The group it lies in; absent: at the top.
    /// Producers: RoleCall, Marinara.
    pub parent_group_id: Option<String>,
    /// The order among groups.
    /// Producers: Marinara.
    pub order: Option<Number>,
    /// The switch of the group.
    /// Producers: Marinara.
    pub enabled: Option<bool>,
    /// What one application keeps and no other knows.
    pub extras: Option<Extras>,
}
