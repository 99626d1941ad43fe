use bunzai_macros::Canonical;
use bunzai_runtime::{Extras, Nullable, Number};

/// A set of regex scripts.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default, kind = "regex", name = name)]
pub struct RegexSetBody {
    /// The name of the set; taken from the file name where a file has none.
    pub name: String,
    /// Free text.
    pub description: Option<String>,
    /// The switch of the set. Absent is on; a set that is off is left out of bulk and bundle
    /// exports.
    pub enabled: Option<bool>,
    /// The rules, applied in the order of `sortOrder`.
    pub rules: Vec<RegexRule>,
}

/// One regex script.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
pub struct RegexRule {
    /// What it can be found again by.
    pub id: String,
    /// What people call it.
    pub label: String,
    /// A note of its maker.
    /// Producers: Lumiverse (`description`).
    pub note: Option<String>,
    /// The pattern, without slashes around it.
    pub find: String,
    /// The flags, as they are; they may hold words of one application, such as Risu's `gu<cbs>`.
    pub flags: String,
    /// Whether the flags count.
    /// Producers: Risu (`ableFlag`).
    pub use_flags: Option<bool>,
    /// The replacement, with `$1` and macros as they are.
    pub replace: String,
    /// Texts that are first removed from the match.
    /// Producers: SillyTavern, RoleCall, Lumiverse, Marinara.
    pub trim_strings: Option<Vec<String>>,
    /// What the rule is applied to.
    pub phases: Vec<RegexPhase>,
    /// Where the result counts; without it the application decides.
    /// Producers: Lumiverse, Marinara (`promptOnly`).
    pub targets: Option<Vec<RegexTarget>>,
    /// How macros in the pattern are replaced; absent is `none`.
    /// Producers: SillyTavern, Lumiverse (`after`).
    pub substitute_find: Option<SubstituteFind>,
    /// The first depth it applies at, the newest message being 0.
    pub min_depth: Option<Nullable<Number>>,
    /// The last depth it applies at.
    pub max_depth: Option<Nullable<Number>>,
    /// Whether it runs again when a message is edited.
    pub run_on_edit: Option<bool>,
    /// Ids of the characters it is for; without any it is for all.
    /// Producers: Marinara (`targetCharacterIds`).
    pub character_ids: Option<Vec<String>>,
    /// Whether only the first match is replaced. No application's file carries it.
    pub first_match_only: Option<bool>,
    /// Another rule this one depends on. No application's file carries it.
    pub condition: Option<RegexRuleCondition>,
    /// Whether the result is shown over the text and not in it. No application's file carries it.
    pub overlay: Option<bool>,
    /// The switch of the rule.
    pub enabled: bool,
    /// The order, lowest first.
    /// Producers: Marinara (`order`), Risu (the place in the list).
    pub sort_order: Number,
    /// What one application keeps and no other knows.
    pub extras: Option<Extras>,
}

/// What a regex script is applied to.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
pub enum RegexPhase {
    /// What the person writes.
    Input,
    /// What the model writes.
    Output,
    /// The whole request.
    Request,
    /// What is shown.
    Display,
    /// The prompt.
    Prompt,
    /// World info.
    Lorebook,
    /// Reasoning.
    Reasoning,
    /// Slash commands.
    Slash,
    /// Memories.
    Memory,
    /// Any other word.
    #[canonical(other)]
    Other(String),
}

/// Where the result of a regex script counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
pub enum RegexTarget {
    /// In the prompt only.
    Prompt,
    /// In the stored message.
    Response,
    /// On the screen only.
    Display,
}

/// How macros in a pattern are replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
pub enum SubstituteFind {
    /// Not at all.
    None,
    /// As they are.
    Raw,
    /// With what is special in a pattern escaped.
    Escaped,
    /// After the match.
    After,
}

/// A rule that must have run before.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
#[canonical(default)]
pub struct RegexRuleCondition {
    /// The id of that rule.
    pub rule_id: String,
    /// Whether it must have matched, or must not have.
    pub matched: bool,
}
