use bunzai_macros::Canonical;
use bunzai_runtime::Number;

/// A persona: who the user is in a scene.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default, kind = "persona", name = name)]
pub struct PersonaBody {
    /// The name.
    pub name: String,
    /// A blurb for the library; it is never sent to a model.
    /// Producers: RoleCall, Marinara (`comment`).
    pub brief: Option<String>,
    /// The first-person text that stands for `{{user}}`.
    pub content: String,
    /// A structured alternative to `content`; both are kept.
    /// Producers: RoleCall, Marinara.
    pub sections: Option<PersonaSections>,
    /// The order in which the sections are shown.
    /// Producers: RoleCall.
    pub section_order: Option<Vec<String>>,
    /// Tags for traits.
    /// Producers: RoleCall.
    pub traits: Option<Vec<String>>,
    /// Attributes.
    /// Producers: RoleCall, Lumiverse.
    pub identity: Option<PersonaIdentity>,
    /// How the persona looks.
    /// Producers: RoleCall, Marinara (`avatarPath`).
    pub presentation: Option<PersonaPresentation>,
    /// Ids of linked lorebooks, in order.
    /// Producers: RoleCall.
    pub knowledge_refs: Option<Vec<String>>,
    /// Whom the persona is for.
    /// Producers: RoleCall, whose own scale has two steps.
    pub rating: Option<Rating>,
    /// Where the text goes in a request.
    /// Producers: SillyTavern, RoleCall.
    pub chat_injection: Option<PersonaChatInjection>,
    /// Where the persona comes from.
    /// Producers: RoleCall, Marinara.
    pub attribution: Option<PersonaAttribution>,
    /// An uploaded portrait. No application's file carries it.
    pub media: Option<PersonaMedia>,
}

/// The parts of a persona. Compiled into `content` they come in this order, each with its label.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
pub struct PersonaSections {
    /// Face and clothes.
    pub appearance: Option<String>,
    /// Build.
    pub body: Option<String>,
    /// Character.
    pub personality: Option<String>,
    /// Habits.
    pub quirks: Option<String>,
    /// Past.
    /// Producers: RoleCall, Marinara (`backstory`).
    pub history: Option<String>,
}

/// Attributes of a persona.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
pub struct PersonaIdentity {
    /// A line under the name.
    pub tagline: Option<String>,
    /// Free text.
    pub age: Option<String>,
    /// Free text.
    pub height: Option<String>,
    /// Free text: `she/her`.
    pub pronouns: Option<String>,
    /// The pronouns one by one.
    /// Producers: Lumiverse.
    pub pronoun_set: Option<PersonaPronounSet>,
}

/// Three pronouns.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
#[canonical(default)]
pub struct PersonaPronounSet {
    /// `she`
    pub subjective: String,
    /// `her`
    pub objective: String,
    /// `hers`
    pub possessive: String,
}

/// How a persona looks.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
pub struct PersonaPresentation {
    /// A CSS colour.
    pub signature_color: Option<String>,
    /// A palette.
    pub colors: Option<Vec<Swatch>>,
    /// URL or path of a picture.
    pub image_url: Option<String>,
}

/// A colour of a palette.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
#[canonical(default)]
pub struct Swatch {
    /// The colour: `#335544`.
    pub hex: String,
    /// What it is for.
    pub label: Option<String>,
    /// What it is called.
    pub name: Option<String>,
}

/// Whom a piece is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
pub enum Rating {
    /// Everyone.
    #[canonical(rename = "all-ages")]
    AllAges,
    /// Adults.
    Mature,
    /// Adults, explicitly.
    Explicit,
}

/// Where the text of a persona goes in a request.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(default)]
pub struct PersonaChatInjection {
    /// The place. SillyTavern and RoleCall have words of their own; others pass.
    pub position: PersonaPosition,
    /// Messages from the newest one, for a place at depth.
    pub depth: Option<Number>,
    /// The role it is sent in.
    pub role: Option<ChatRole>,
    /// Text before it.
    /// Producers: RoleCall (`injection_prefix`).
    pub wrapper: Option<String>,
}

/// A place in a request.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
pub enum PersonaPosition {
    /// SillyTavern: in the story string or prompt manager.
    Prompt,
    /// SillyTavern: above the author's note.
    AuthorNoteTop,
    /// SillyTavern: below the author's note.
    AuthorNoteBottom,
    /// SillyTavern: at a depth in the chat.
    InChat,
    /// SillyTavern: nowhere.
    None,
    /// RoleCall: with the world.
    World,
    /// RoleCall: with the character.
    Character,
    /// RoleCall: with the scene.
    Scene,
    /// RoleCall: at a depth.
    Depth,
    /// Any other word.
    #[canonical(other)]
    Other(String),
}

/// The role of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
pub enum ChatRole {
    /// Instructions.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// Where a persona comes from.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
#[canonical(default)]
pub struct PersonaAttribution {
    /// Who made it.
    pub creator: Option<String>,
    /// Its version, as its maker writes it.
    pub version: Option<String>,
    /// ISO 8601 time.
    pub created_at: Option<String>,
    /// The application it was imported from: `rolecall`, `sillytavern`, `marinara`, `custom`.
    pub source: Option<String>,
}

/// Pictures of a persona.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
#[canonical(default)]
pub struct PersonaMedia {
    /// The portrait.
    pub portrait: Option<MediaAsset>,
}

/// A file in the asset store.
#[derive(Debug, Clone, PartialEq, Eq, Canonical)]
#[canonical(default)]
pub struct MediaAsset {
    /// What it shows.
    pub role: MediaRole,
    /// The name of the file.
    pub name: Option<String>,
    /// What people call it.
    pub label: Option<String>,
    /// Whether it is the first of its role.
    pub primary: Option<bool>,
    /// A reference into the asset store, or a data URI.
    #[canonical(rename = "ref")]
    pub reference: String,
    /// Its media type.
    pub mime: Option<String>,
}

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
pub enum MediaRole {
    /// The person.
    Portrait,
    /// A mood.
    Emotion,
    /// Clothes.
    Outfit,
    /// A posture.
    Pose,
    /// A place.
    Background,
    /// Anything else.
    Other,
}
