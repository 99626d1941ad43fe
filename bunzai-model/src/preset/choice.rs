use bunzai_macros::Canonical;
use bunzai_runtime::{Extras, Number};
use indexmap::IndexMap;

/// A question to the person who sets the preset up. An answer fills a variable, and turns blocks on
/// and off.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
pub struct PresetChoice {
    /// What it can be found again by.
    pub id: String,
    /// The variable the answer fills, for `{{getvar::key}}`.
    /// Producers: Marinara (`variableName`).
    pub key: Option<String>,
    /// The question.
    /// Producers: RoleCall, Marinara (`question`).
    pub label: String,
    /// A long explanation.
    /// Producers: RoleCall.
    pub readme: Option<String>,
    /// How it is answered.
    #[canonical(rename = "type")]
    pub choice_type: PresetChoiceType,
    /// What can be chosen.
    pub options: Vec<PresetChoiceOption>,
    /// The answer beforehand, of the form that `type` asks for.
    pub default: Option<PresetChoiceDefault>,
    /// The fewest options, for `many`.
    /// Producers: RoleCall.
    pub min: Option<Number>,
    /// What an empty field shows, for `input`.
    /// Producers: RoleCall.
    pub placeholder: Option<String>,
    /// Answers to pick from, for `input`.
    /// Producers: RoleCall.
    pub suggestions: Option<Vec<String>>,
    /// What stands between the values, for `many`.
    /// Producers: Marinara.
    pub separator: Option<String>,
    /// Whether chance picks an option and nobody is asked.
    /// Producers: Marinara.
    pub random_pick: Option<bool>,
    /// The order among questions.
    /// Producers: Marinara.
    pub sort_order: Option<Number>,
    /// What one application keeps and no other knows; under `prompts` the blocks of a `toggle`.
    pub extras: Option<Extras>,
}

/// How a question is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
pub enum PresetChoiceType {
    /// With one option.
    One,
    /// With some options.
    Many,
    /// With yes or no.
    Toggle,
    /// With a text.
    Input,
}

/// An answer: the id of an option or a text, ids of options, or yes or no.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
pub enum PresetChoiceDefault {
    /// For `one` the id of an option, for `input` the text.
    Text(String),
    /// For `many` the ids of options.
    Many(Vec<String>),
    /// For `toggle`.
    Toggle(bool),
}

/// One option of a question.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
#[canonical(default)]
pub struct PresetChoiceOption {
    /// What answers name it by.
    pub id: String,
    /// What people see.
    pub label: String,
    /// A line under it.
    pub description: Option<String>,
    /// What the variable of the question gets.
    /// Producers: Marinara.
    pub value: Option<String>,
    /// Ids of the blocks that are on while it is chosen.
    /// Producers: RoleCall (`prompts`).
    pub enables_prompts: Option<Vec<String>>,
    /// Variables and what they are set to while it is chosen. They are kept, and nobody applies
    /// them.
    /// Producers: RoleCall.
    pub set: Option<IndexMap<String, String>>,
}
