use bunzai_macros::Canonical;
use bunzai_runtime::Number;

use crate::ChatRole;

/// A prompt format: how a request becomes one text for a model that completes text. A file has one
/// of the two halves as a rule.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default, kind = "promptformat", name = name)]
pub struct PromptFormatBody {
    /// The name.
    /// Producers: SillyTavern.
    pub name: String,
    /// What stands around the messages.
    /// Producers: SillyTavern (instruct templates).
    pub instruct: Option<InstructTemplate>,
    /// How what comes before the messages is laid out.
    /// Producers: SillyTavern (context templates).
    pub context: Option<ContextTemplate>,
}

/// What stands around the messages of a request, so that the model knows who wrote them. What is
/// absent is left to the application; an empty text puts nothing there.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
#[canonical(default)]
pub struct InstructTemplate {
    /// Before a message of the person.
    /// Producers: SillyTavern (`input_sequence`).
    pub input_sequence: String,
    /// After a message of the person.
    /// Producers: SillyTavern (`input_suffix`).
    pub input_suffix: Option<String>,
    /// Before a message of the model.
    /// Producers: SillyTavern (`output_sequence`).
    pub output_sequence: String,
    /// After a message of the model.
    /// Producers: SillyTavern (`output_suffix`, once `separator_sequence`).
    pub output_suffix: Option<String>,
    /// Before a message of instructions.
    /// Producers: SillyTavern (`system_sequence`).
    pub system_sequence: Option<String>,
    /// After a message of instructions.
    /// Producers: SillyTavern (`system_suffix`).
    pub system_suffix: Option<String>,
    /// Before the first message of the person, in place of `inputSequence`.
    /// Producers: SillyTavern (`first_input_sequence`).
    pub first_input_sequence: Option<String>,
    /// Before the last message of the person, in place of `inputSequence`.
    /// Producers: SillyTavern (`last_input_sequence`).
    pub last_input_sequence: Option<String>,
    /// Before the first message of the model, in place of `outputSequence`.
    /// Producers: SillyTavern (`first_output_sequence`).
    pub first_output_sequence: Option<String>,
    /// Before the answer that is asked for, in place of `outputSequence`.
    /// Producers: SillyTavern (`last_output_sequence`).
    pub last_output_sequence: Option<String>,
    /// Before instructions that end the request, in place of `systemSequence`.
    /// Producers: SillyTavern (`last_system_sequence`).
    pub last_system_sequence: Option<String>,
    /// Before the text of the context template. Later files say `storyStringPrefix`.
    /// Producers: SillyTavern (`system_sequence_prefix`, of 2024).
    pub system_sequence_prefix: Option<String>,
    /// After the text of the context template. Later files say `storyStringSuffix`.
    /// Producers: SillyTavern (`system_sequence_suffix`, of 2024).
    pub system_sequence_suffix: Option<String>,
    /// Before the text of the context template.
    /// Producers: SillyTavern (`story_string_prefix`).
    pub story_string_prefix: Option<String>,
    /// After the text of the context template.
    /// Producers: SillyTavern (`story_string_suffix`).
    pub story_string_suffix: Option<String>,
    /// The text at which the model stops writing.
    /// Producers: SillyTavern (`stop_sequence`).
    pub stop_sequence: Option<String>,
    /// Whether it stops at what stands before messages as well.
    /// Producers: SillyTavern (`sequences_as_stop_strings`).
    pub sequences_as_stop_strings: Option<bool>,
    /// A message of the person that goes before a chat that the model begins.
    /// Producers: SillyTavern (`user_alignment_message`).
    pub user_alignment_message: Option<String>,
    /// A pattern; the template is chosen for a model whose name it matches.
    /// Producers: SillyTavern (`activation_regex`).
    pub activation_regex: Option<String>,
    /// Whether what stands around a message has lines of its own.
    /// Producers: SillyTavern (`wrap`).
    pub wrap: Option<bool>,
    /// Whether macros in these texts are replaced.
    /// Producers: SillyTavern (`macro`).
    #[canonical(rename = "macro")]
    pub macros: Option<bool>,
    /// Whether examples of dialogue stay as they are.
    /// Producers: SillyTavern (`skip_examples`).
    pub skip_examples: Option<bool>,
    /// Whether instructions are written as messages of the person.
    /// Producers: SillyTavern (`system_same_as_user`).
    pub system_same_as_user: Option<bool>,
    /// Which messages begin with the name of who wrote them.
    /// Producers: SillyTavern (`names_behavior`, once `names` and `names_force_groups`).
    pub names_behavior: Option<NamesBehavior>,
}

/// Which messages begin with the name of who wrote them.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
pub enum NamesBehavior {
    /// None.
    None,
    /// Those of groups and of earlier personas.
    Force,
    /// All.
    Always,
    /// Any other word.
    #[canonical(other)]
    Other(String),
}

/// How what comes before the messages is laid out: the card, the world and the examples. What is
/// absent is left to the application.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
pub struct ContextTemplate {
    /// The text, a Handlebars template with fields such as `system`, `description`, `persona`,
    /// `wiBefore` and `anchorAfter`.
    /// Producers: SillyTavern (`story_string`).
    pub story_string: String,
    /// What stands before each example of dialogue.
    /// Producers: SillyTavern (`example_separator`).
    pub example_separator: Option<String>,
    /// What stands before the first message.
    /// Producers: SillyTavern (`chat_start`).
    pub chat_start: Option<String>,
    /// Whether the model stops at these two texts.
    /// Producers: SillyTavern (`use_stop_strings`).
    pub use_stop_strings: Option<bool>,
    /// Whether a character may have instructions after the chat.
    /// Producers: SillyTavern (`allow_jailbreak`, of 2024).
    pub allow_jailbreak: Option<bool>,
    /// Whether the model stops at the names of the others.
    /// Producers: SillyTavern (`names_as_stop_strings`).
    pub names_as_stop_strings: Option<bool>,
    /// The place of the text.
    /// Producers: SillyTavern (`story_string_position`).
    pub story_string_position: Option<StoryStringPosition>,
    /// Messages from the newest one, for the place `in_chat`.
    /// Producers: SillyTavern (`story_string_depth`, usually 1).
    pub story_string_depth: Option<Number>,
    /// The role it is sent in, for the place `in_chat`.
    /// Producers: SillyTavern (`story_string_role`).
    pub story_string_role: Option<ChatRole>,
    /// Whether the answer always begins with the name of the character.
    /// Producers: SillyTavern (`always_force_name2`).
    pub always_force_name2: Option<bool>,
    /// Whether a sentence that the answer does not end is cut off.
    /// Producers: SillyTavern (`trim_sentences`).
    pub trim_sentences: Option<bool>,
    /// Whether an answer is one line.
    /// Producers: SillyTavern (`single_line`).
    pub single_line: Option<bool>,
}

/// The place of the text of a context template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
pub enum StoryStringPosition {
    /// Before the chat.
    Default,
    /// A message of its own, at a depth in the chat.
    InChat,
}
