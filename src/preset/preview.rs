//! The preview build: the blocks of a preset in the order a request has them.
//!
//! Macros stay as they are, groups are ignored, and so is the switch of the preset as a whole.

use std::borrow::Cow;

use crate::Number;
use crate::model::{MarkerSlot, PresetBody, PresetPrompt, PromptPlacement};

/// The blocks that are on, in the order of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview<'p> {
    /// The blocks.
    pub lines: Vec<Line<'p>>,
    /// How many there are, and how long.
    pub weight: Weight<'p>,
}

/// A block of a preview.
#[derive(Debug, Clone, PartialEq)]
pub struct Line<'p> {
    /// The block itself, with its id, name, role and placement.
    pub block: &'p PresetPrompt,
    /// Messages from the newest one; only at the places `in_chat` and `append`.
    pub depth: Option<Number>,
    /// Roughly how many tokens the text has: a quarter of its UTF-16 code units, rounded up. A
    /// marker has none.
    pub tokens: usize,
    /// The text with its macros; of a marker a label that says what will stand there.
    pub text: Cow<'p, str>,
}

/// How much a preview holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Weight<'p> {
    /// All blocks, on or off.
    pub total_count: usize,
    /// The blocks that are on, markers too.
    pub enabled_count: usize,
    /// Those of them that stand in the chat: at the places `in_chat` and `append`.
    pub in_chat_count: usize,
    /// The tokens of the blocks that are on.
    pub tokens: usize,
    /// The first block of the preset that no other block exceeds; nothing when none is on.
    pub largest: Option<Largest<'p>>,
}

/// The block with the most tokens. Where none has any it is the first, which may be a marker.
#[derive(Debug, Clone, PartialEq)]
pub struct Largest<'p> {
    /// The block.
    pub block: &'p PresetPrompt,
    /// Its tokens.
    pub tokens: usize,
}

/// Builds the preview of a preset, each block on or off as it says itself.
///
/// Blocks stand by their place first, by `injectionOrder` then, and as in the preset last.
///
/// ```
/// use bunzai::model::PresetBody;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let block = |id: &str, content: &str, placement: &str| serde_json::json!({
/// #     "id": id, "name": "", "content": content, "role": "system", "enabled": true, "systemPrompt": false,
/// #     "marker": false, "placement": placement, "injectionDepth": 4, "injectionOrder": 100, "forbidOverrides": false
/// # });
/// # let prompts = [block("last", "Stop.", "append_preset"), block("main", "Write as {{char}}.", "relative")];
/// # let json = serde_json::json!({ "name": "Tide", "prompts": prompts });
/// let preset: PresetBody = serde_json::from_value(json)?;
/// let preview = bunzai::preset::preview(&preset);
/// let order: Vec<&str> = preview.lines.iter().map(|line| line.block.id.as_str()).collect();
/// assert_eq!(order, ["main", "last"]);
/// assert_eq!(preview.weight.tokens, 5 + 2);
/// # Ok(())
/// # }
/// ```
pub fn preview(preset: &PresetBody) -> Preview<'_> {
    build(preset, preset.prompts.iter().map(|block| block.enabled))
}

/// Builds the preview of a preset whose blocks are on or off as is said here.
pub(super) fn build(preset: &PresetBody, enabled: impl Iterator<Item = bool>) -> Preview<'_> {
    let blocks = preset.prompts.iter().zip(enabled).filter(|(_, on)| *on);
    let mut lines: Vec<Line<'_>> = blocks.map(|(block, _)| Line::of(block)).collect();
    let weight = Weight::of(preset, &lines);
    // The sort is stable: what is equal stays in the order of the preset.
    lines.sort_by(|a, b| {
        let by_place = rank(&a.block.placement).cmp(&rank(&b.block.placement));
        by_place.then_with(|| a.block.injection_order.total_cmp(b.block.injection_order))
    });
    Preview { lines, weight }
}

impl<'p> Line<'p> {
    fn of(block: &'p PresetPrompt) -> Self {
        let depth = is_in_chat(block).then_some(block.injection_depth);
        if block.marker {
            let label = label(block.marker_slot.as_ref().map_or("", MarkerSlot::as_str));
            return Self { block, depth, tokens: 0, text: label.into() };
        }
        Self { block, depth, tokens: tokens(&block.content), text: block.content.as_str().into() }
    }
}

impl<'p> Weight<'p> {
    /// The weight of lines that stand in the order of the preset.
    fn of(preset: &PresetBody, lines: &[Line<'p>]) -> Self {
        // Of equal ones `max_by_key` takes the last, and the first is wanted.
        let largest = lines.iter().rev().max_by_key(|line| line.tokens);
        Self {
            total_count: preset.prompts.len(),
            enabled_count: lines.len(),
            in_chat_count: lines.iter().filter(|line| is_in_chat(line.block)).count(),
            tokens: lines.iter().map(|line| line.tokens).sum(),
            largest: largest.map(|line| Largest { block: line.block, tokens: line.tokens }),
        }
    }
}

/// Where a place stands among the places. A depth is no part of it.
fn rank(placement: &PromptPlacement) -> u8 {
    match placement {
        PromptPlacement::PrependPreset => 0,
        PromptPlacement::Relative | PromptPlacement::Other(_) => 1,
        PromptPlacement::InChat | PromptPlacement::Append => 2,
        PromptPlacement::AppendPreset => 3,
    }
}

fn is_in_chat(block: &PresetPrompt) -> bool {
    matches!(block.placement, PromptPlacement::InChat | PromptPlacement::Append)
}

fn tokens(text: &str) -> usize {
    text.encode_utf16().count().div_ceil(4)
}

/// What a marker stands for, in words for people.
fn label(slot: &str) -> String {
    let what = match slot {
        "chatHistory" => "chat history",
        "worldInfoBefore" => "lorebook entries before the character",
        "worldInfoAfter" => "lorebook entries after the character",
        "dialogueExamples" => "examples of dialogue",
        "personaDescription" => "description of the persona",
        "charDescription" => "description of the character",
        "charPersonality" => "personality of the character",
        "scenario" => "scenario of the character",
        "" => "placeholder",
        other => other,
    };
    format!("{what} (filled in at runtime)")
}
