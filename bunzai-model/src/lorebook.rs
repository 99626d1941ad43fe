use bunzai_macros::Canonical;
use bunzai_runtime::{Extras, Nullable, Number};

use crate::ChatRole;

/// A lorebook: texts that enter a request when their keys are met in it.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default, kind = "lorebook", name = name)]
pub struct LorebookBody {
    /// The name. It is empty where a file has none, as those of NovelAI and Risu.
    pub name: String,
    /// Free text.
    pub description: Option<Nullable<String>>,
    /// What the book is about.
    pub lorebook_type: Option<Nullable<LorebookType>>,
    /// Free text.
    pub genre: Option<Nullable<String>>,
    /// Free text.
    pub fandom: Option<Nullable<String>>,
    /// Tags.
    pub tags: Vec<String>,
    /// The switch of the book. Absent is on; a book that is off is left out of bulk and bundle
    /// exports.
    /// Producers: RoleCall, Marinara.
    pub enabled: Option<bool>,
    /// Whether case counts, for the entries that do not say.
    pub global_case_sensitive: bool,
    /// Whether only whole words match, for the entries that do not say.
    pub global_match_whole_words: bool,
    /// How many messages are searched for keys, for the entries that do not say. 0 searches none; a
    /// source without a number counts as 4.
    pub global_scan_depth: Number,
    /// Whether the texts of entries are searched for keys as well.
    pub global_recursion: bool,
    /// The most tokens, where the budget counts tokens.
    pub token_budget: Number,
    /// What the budget counts.
    pub budget_mode: BudgetMode,
    /// The most entries, where the budget counts entries.
    pub entry_budget: Number,
    /// The entries.
    pub entries: Vec<LorebookEntry>,
    /// Folders of entries, all on one level.
    /// Producers: RoleCall, NovelAI, Risu, Marinara.
    pub categories: Option<Vec<LorebookCategory>>,
}

/// What a lorebook is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
pub enum LorebookType {
    /// A world.
    World,
    /// A character.
    Character,
    /// A scenario.
    Scenario,
    /// Rules.
    Rules,
    /// Tools.
    Utility,
    /// Anything else.
    Other,
}

/// What a budget counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
pub enum BudgetMode {
    /// Tokens.
    Token,
    /// Entries.
    Entry,
}

/// A folder of entries. It orders what people see, and nothing else.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
pub struct LorebookCategory {
    /// What entries name it by.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// The order among folders.
    pub sort_order: Number,
    /// The switch of the folder.
    pub enabled: Option<bool>,
}

/// One entry of a lorebook.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
pub struct LorebookEntry {
    /// What it can be found again by.
    pub id: String,
    /// What people call it.
    /// Producers: SillyTavern (`comment`), Marinara (`name`).
    pub title: String,
    /// The text that enters the request.
    pub content: String,
    /// A note of its maker, never sent.
    /// Producers: RoleCall, Agnai, Marinara (`description`).
    pub comment: Option<Nullable<String>>,
    /// The switch of the entry.
    pub enabled: bool,
    /// Whether it enters without a match.
    pub constant: bool,
    /// Whether its keys have settings of their own.
    /// Producers: RoleCall.
    pub trigger_mode: TriggerMode,
    /// Keys, any of which wakes it.
    pub triggers: Vec<LorebookTrigger>,
    /// Further keys, which a match is tested against.
    /// Producers: SillyTavern, Character Card, RoleCall, Marinara.
    pub secondary_triggers: Vec<LorebookTrigger>,
    /// How the further keys are tested.
    pub selective_logic: SelectiveLogic,
    /// Whether case counts; null: as the book says.
    pub case_sensitive: Nullable<bool>,
    /// Whether only whole words match; null: as the book says.
    pub match_whole_words: Nullable<bool>,
    /// How many messages are searched; null: as the book says. NovelAI counts characters.
    pub scan_depth: Nullable<Number>,
    /// The place of the text.
    pub position: EntryPosition,
    /// Messages from the newest one, for the places `depth` and `append`.
    pub depth: Number,
    /// The role it is sent in.
    pub role: ChatRole,
    /// The order among entries at one place, lowest first.
    /// Producers: SillyTavern (`order`), Character Card (`insertion_order`), RoleCall, Marinara
    /// (`order`), Risu (`insertorder`), Agnai (`weight`), NovelAI (`budgetPriority`).
    pub sort_order: Number,
    /// Which entries stay when the budget is short, highest first. A source without it counts as
    /// 100.
    /// Producers: Character Card, RoleCall, Agnai.
    pub priority: Number,
    /// For how many messages it stays after a match.
    /// Producers: SillyTavern, RoleCall, Marinara.
    pub sticky: Number,
    /// For how many messages it rests afterwards.
    /// Producers: SillyTavern, RoleCall, Marinara.
    pub cooldown: Number,
    /// How many messages a chat has before it can wake.
    /// Producers: SillyTavern, RoleCall, Marinara.
    pub delay: Number,
    /// Entries of one group: only one of them enters.
    /// Producers: SillyTavern (`group`), RoleCall, Marinara (`group`).
    pub group_name: Nullable<String>,
    /// The id of its folder.
    /// Producers: RoleCall, NovelAI, Risu, Marinara (`folderId`).
    pub category_id: Nullable<String>,
    /// How likely it is the one of its group.
    /// Producers: SillyTavern, RoleCall, Marinara.
    pub group_weight: Number,
    /// How likely a match wakes it, from 0 to 100, for keys that do not say.
    /// Producers: SillyTavern, RoleCall, Agnai, Risu, Marinara.
    pub probability: Number,
    /// A memo mark of the application.
    /// Producers: RoleCall, SillyTavern (`addMemo`).
    pub use_memo: bool,
    /// Whether it is left alone when the texts of entries are searched.
    pub exclude_recursion: bool,
    /// Whether its own text wakes nothing.
    pub prevent_recursion: bool,
    /// The round of searching texts of entries from which on it can wake; 0: from the first.
    pub delay_until_recursion: Number,
    /// The characters it is for; null: all.
    pub character_filter: Nullable<CharacterFilter>,
    /// Whether the character's description is searched too.
    /// Producers: SillyTavern, RoleCall, Marinara.
    pub scan_character_description: bool,
    /// Whether the character's personality is searched too.
    /// Producers: SillyTavern, RoleCall, Marinara.
    pub scan_character_personality: bool,
    /// Whether the persona is searched too.
    /// Producers: SillyTavern, RoleCall, Marinara.
    pub scan_user_persona: bool,
    /// Whether the scenario is searched too.
    /// Producers: SillyTavern, RoleCall, Marinara.
    pub scan_scenario: bool,
    /// Whether the character's note at depth is searched too. Absent is not off: the source has no
    /// such switch.
    /// Producers: SillyTavern.
    pub scan_character_depth_prompt: Option<bool>,
    /// Whether the notes of the character's maker are searched too. Absent is not off.
    /// Producers: SillyTavern.
    pub scan_creator_notes: Option<bool>,
    /// Whether it enters however short the budget is.
    pub ignore_budget: bool,
    /// Whether it is found by likeness of meaning. Absent is not off.
    /// Producers: SillyTavern.
    pub vectorized: Option<bool>,
    /// Whether it goes before the others of its group. Absent is not off.
    /// Producers: SillyTavern.
    pub group_override: Option<bool>,
    /// Whether the number of matched keys decides in its group. Absent is not off.
    /// Producers: SillyTavern.
    pub use_group_scoring: Option<bool>,
    /// The quick reply it runs.
    /// Producers: SillyTavern.
    pub automation_id: Option<Nullable<String>>,
    /// Whether it is placed where its key was met.
    /// Producers: NovelAI.
    pub key_relative: Option<bool>,
    /// Whether text outside the story can wake it.
    /// Producers: NovelAI.
    pub non_story_activatable: Option<bool>,
    /// How its text is fitted into the request.
    /// Producers: NovelAI.
    pub context_config: Option<EntryContextConfig>,
    /// Phrases that become more or less likely while it is awake.
    /// Producers: NovelAI.
    pub lore_bias_groups: Option<Vec<LoreBiasGroup>>,
    /// The order in the editor, which is not that of the request.
    /// Producers: SillyTavern.
    pub display_index: Option<Nullable<Number>>,
    /// Variables it writes. They are kept and never run.
    /// Producers: RoleCall.
    pub side_effects: Nullable<EntrySideEffects>,
    /// What one application keeps and no other knows.
    /// Producers: RoleCall, SillyTavern (`outletName`, `triggers`).
    pub metadata: Option<Extras>,
}

/// Whether the keys of an entry have settings of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
pub enum TriggerMode {
    /// Keys are texts and patterns only.
    Simple,
    /// Keys have a probability of their own.
    Advanced,
}

/// A key.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
pub struct LorebookTrigger {
    /// The text, or the pattern without slashes around it.
    pub keyword: String,
    /// Whether it is a pattern.
    pub is_regex: bool,
    /// The flags of the pattern, of `g`, `i`, `m`, `s`, `u` and `y`.
    pub flags: Option<String>,
    /// How many messages pass at least before it wakes the entry again.
    pub frequency: Option<Number>,
    /// How likely a match wakes the entry, from 0 to 100; goes before that of the entry.
    pub probability: Option<Number>,
}

/// How a match is tested against further keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
pub enum SelectiveLogic {
    /// Some further key is met.
    AndAny,
    /// Every further key is met.
    AndAll,
    /// No further key is met.
    NotAny,
    /// Not every further key is met.
    NotAll,
}

/// A place in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
pub enum EntryPosition {
    /// With the world, before the character.
    World,
    /// After the character.
    Character,
    /// Before the examples of dialogue.
    BeforeExample,
    /// After the examples of dialogue.
    AfterExample,
    /// A message of its own, at a depth.
    Depth,
    /// At the end of the message at a depth.
    Append,
    /// At the very end.
    AppendBottom,
    /// At the very start.
    PrependTop,
    /// With the scene.
    Scene,
    /// SillyTavern: above the author's note.
    NoteTop,
    /// SillyTavern: below the author's note.
    NoteBottom,
    /// SillyTavern, Marinara: where a prompt names its outlet.
    Outlet,
}

/// The characters an entry is for.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
#[canonical(default)]
pub struct CharacterFilter {
    /// Names or ids of characters.
    pub names: Vec<String>,
    /// Tags of characters.
    pub tags: Vec<String>,
    /// Whether these are the ones it is not for.
    pub is_exclude: bool,
}

/// How NovelAI fits the text of an entry into the request.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
pub struct EntryContextConfig {
    /// Text before it.
    pub prefix: Option<String>,
    /// Text after it.
    pub suffix: Option<String>,
    /// The most tokens it may take.
    pub token_budget: Option<Number>,
    /// The tokens kept free for it.
    pub reserved_tokens: Option<Number>,
    /// The line it is put at, from the start, or from the end when negative. It is no `depth`.
    pub insertion_position: Option<Number>,
    /// Where it is cut when it is too long.
    pub trim_direction: Option<TrimDirection>,
    /// What it is put between.
    pub insertion_type: Option<InsertionType>,
    /// How finely it may be cut.
    pub maximum_trim_type: Option<TrimType>,
}

/// Where a text that is too long is cut.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
pub enum TrimDirection {
    /// Nowhere.
    #[canonical(rename = "doNotTrim")]
    DoNotTrim,
    /// At its end.
    #[canonical(rename = "trimBottom")]
    TrimBottom,
    /// At its start.
    #[canonical(rename = "trimTop")]
    TrimTop,
    /// Any other word.
    #[canonical(other)]
    Other(String),
}

/// What a text is put between.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
pub enum InsertionType {
    /// Lines.
    Newline,
    /// Words.
    Space,
    /// Tokens.
    Token,
    /// Any other word.
    #[canonical(other)]
    Other(String),
}

/// How finely a text may be cut.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
pub enum TrimType {
    /// By sentences.
    Sentence,
    /// By lines.
    Newline,
    /// By tokens.
    Token,
    /// Any other word.
    #[canonical(other)]
    Other(String),
}

/// Phrases that become more or less likely together.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
pub struct LoreBiasGroup {
    /// The switch of the group.
    pub enabled: bool,
    /// How much more likely; less when negative.
    pub bias: Number,
    /// The phrases.
    pub phrases: Vec<LoreBiasPhrase>,
    /// Whether it counts while the entry is asleep.
    pub when_inactive: Option<bool>,
    /// Whether it ends once a phrase was written.
    pub generate_once: Option<bool>,
    /// Whether a phrase that was begun is written to its end.
    pub ensure_sequence_finish: Option<bool>,
}

/// A phrase of a bias group.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
pub struct LoreBiasPhrase {
    /// The text.
    pub sequence: Option<String>,
    /// Several texts.
    pub sequences: Option<Vec<String>>,
    /// The number NovelAI has for how the text is matched.
    #[canonical(rename = "type")]
    pub phrase_type: Option<Number>,
}

/// Variables an entry writes when it wakes.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
pub struct EntrySideEffects {
    /// What is written, in order.
    pub effects: Vec<EntrySideEffect>,
    /// Whether only the first time.
    pub only_on_first_trigger: bool,
    /// Whether the variables go when the entry sleeps again.
    pub clear_on_deactivate: bool,
}

/// One variable an entry writes.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
pub struct EntrySideEffect {
    /// What happens to the variable.
    #[canonical(rename = "type")]
    pub effect: VariableEffect,
    /// Its name.
    pub variable: String,
    /// The text it is set to.
    pub value: Option<String>,
    /// The number it grows or shrinks by.
    pub amount: Option<Number>,
    /// Where it lives.
    pub scope: VariableScope,
}

/// What happens to a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
pub enum VariableEffect {
    /// It is set.
    Setvar,
    /// Something is added.
    Addvar,
    /// It grows.
    Incvar,
    /// It shrinks.
    Decvar,
    /// It goes.
    Delvar,
}

/// Where a variable lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
pub enum VariableScope {
    /// In one chat.
    Local,
    /// In all chats.
    Global,
}
