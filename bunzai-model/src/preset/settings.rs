//! The settings of a preset. All of them are optional: what is absent is left to the application.

use bunzai_macros::Canonical;
use bunzai_runtime::Number;

/// How the model picks its words, and how much it reads and writes.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
pub struct PresetSamplers {
    /// How freely words are picked.
    pub temperature: Option<Number>,
    /// Only words that together have this much of the likelihood.
    pub top_p: Option<Number>,
    /// Only so many of the likeliest words.
    pub top_k: Option<Number>,
    /// Only words near enough to the likeliest, by the square of its likelihood.
    pub top_a: Option<Number>,
    /// Only words that have at least this part of the likelihood of the likeliest.
    pub min_p: Option<Number>,
    /// Less likely the more often a word was there.
    pub frequency_penalty: Option<Number>,
    /// Less likely once a word was there.
    pub presence_penalty: Option<Number>,
    /// Less likely once a word was there, as a factor.
    pub repetition_penalty: Option<Number>,
    /// The most tokens of a request.
    pub max_context: Option<Number>,
    /// The most tokens of an answer.
    pub max_tokens: Option<Number>,
    /// How messages are joined before they are sent.
    pub prompt_post_processing: Option<PromptPostProcessing>,
    /// What bounds the messages of a request; absent is `tokens`.
    pub context_mode: Option<ContextMode>,
    /// The most earlier messages, where messages are counted.
    pub max_messages: Option<Number>,
}

/// How messages are joined before they are sent.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
pub enum PromptPostProcessing {
    /// Not at all.
    None,
    /// Neighbours of one role become one.
    Merge,
    /// The same, and instructions stand at the start only.
    Semi,
    /// The same, and the person comes first after them.
    Strict,
    /// All become one message of the person.
    Single,
    /// Any other word, such as SillyTavern's `merge_tools`, `semi_tools`, `strict_tools`, `claude`.
    #[canonical(other)]
    Other(String),
}

/// What bounds the messages of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
pub enum ContextMode {
    /// The number of tokens.
    Tokens,
    /// The number of messages.
    Messages,
}

/// Texts for single occasions.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
#[canonical(default)]
pub struct PresetSystemPrompts {
    /// The model is to write as the person.
    pub impersonation: Option<String>,
    /// A chat begins.
    pub new_chat: Option<String>,
    /// A group chat begins.
    pub new_group_chat: Option<String>,
    /// An example of dialogue begins.
    pub new_example_chat: Option<String>,
    /// The model is to go on with its last message.
    pub continue_nudge: Option<String>,
    /// One character of a group is to write.
    pub group_nudge: Option<String>,
    /// The start of every answer.
    pub assistant_prefill: Option<String>,
    /// The start of an answer that is written as the person.
    pub assistant_impersonation: Option<String>,
}

/// How parts of a card are put into words.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
#[canonical(default)]
pub struct PresetTemplates {
    /// Lorebook entries.
    pub world_info_format: Option<String>,
    /// The scenario.
    pub scenario_format: Option<String>,
    /// The personality.
    pub personality_format: Option<String>,
}

/// How messages are put together.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
pub struct PresetBehavior {
    /// Whether the person's text is put in quotes.
    pub wrap_in_quotes: Option<bool>,
    /// How names go before messages, as SillyTavern's number: -1 not, 0 as usual, 1 in a field of
    /// the message, 2 in its text.
    /// Producers: SillyTavern (`names_behavior`).
    pub names_behavior: Option<Number>,
    /// What is sent when the person writes nothing.
    pub send_if_empty: Option<String>,
    /// Whether going on with a message sends that message as the start of the answer.
    pub continue_prefill: Option<bool>,
    /// What is put between the message and its continuation: nothing, a space, one line break or
    /// two.
    pub continue_postfix: Option<String>,
}

/// What is asked of the provider.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
#[canonical(default)]
pub struct PresetApiOptions {
    /// Whether the answer arrives bit by bit.
    pub stream_responses: Option<bool>,
    /// Whether Claude gets its instructions apart from the messages.
    pub claude_use_system_prompt: Option<bool>,
    /// Whether Google's models get their instructions apart from the messages.
    pub use_maker_suite_system_prompt: Option<bool>,
    /// Whether instructions that follow each other become one message.
    pub squash_system_messages: Option<bool>,
    /// Whether the model may call functions.
    pub function_calling: Option<bool>,
    /// Whether the model's thoughts are shown.
    pub show_thoughts: Option<bool>,
    /// How much the model thinks, in the provider's words.
    pub reasoning_effort: Option<String>,
    /// Whether the model may search the web.
    pub enable_web_search: Option<bool>,
    /// Whether the model may answer with pictures.
    pub request_images: Option<bool>,
}

/// Pictures and films in messages.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
#[canonical(default)]
pub struct PresetMedia {
    /// Whether pictures are sent.
    pub image_inlining: Option<bool>,
    /// How finely, in the provider's words.
    pub inline_image_quality: Option<String>,
    /// Whether films are sent.
    pub video_inlining: Option<bool>,
}

/// How answers are drawn.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
pub struct PresetGeneration {
    /// What chance starts from.
    pub seed: Option<Number>,
    /// How many answers are asked for.
    pub completions: Option<Number>,
    /// Whether the size of a request may be set beyond what the application offers.
    pub max_context_unlocked: Option<bool>,
    /// The name of a set of words made more or less likely.
    pub bias_preset: Option<String>,
}

/// The marks around a model's thoughts, by which a scene hides them.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
#[canonical(default)]
pub struct PresetReasoning {
    /// What thoughts begin with.
    pub prefix: String,
    /// What they end with.
    pub suffix: String,
    /// What stands between them and the answer.
    pub separator: String,
}
