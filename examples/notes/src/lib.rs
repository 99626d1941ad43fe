//! Notes of two applications, Acme and Memo, through a model of one's own.
//!
//! Nothing here knows how to convert anything: the model is a struct, one format is declared on a
//! struct that describes its files, the other in a mapping file.

use bunzai::{Canonical, Codec, Number};

/// A note, whatever application it comes from.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(kind = "note", name = title)]
pub struct Note {
    /// The title.
    pub title: String,
    /// The text.
    pub text: String,
    /// Tags, in the order of the person.
    pub tags: Option<Vec<String>>,
    /// How urgent it is, the highest first.
    /// Producers: Acme.
    pub urgency: Option<u8>,
    /// Where it stands.
    pub state: State,
    /// What it links to.
    /// Producers: Memo.
    pub links: Option<Vec<Link>>,
}

/// Where a note stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
pub enum State {
    /// To be done.
    Open,
    /// Done.
    Done,
}

/// A link of a note.
#[derive(Debug, Clone, PartialEq, Canonical)]
pub struct Link {
    /// What it can be found again by.
    pub id: String,
    /// Where it goes.
    pub url: String,
    /// How often it was followed.
    pub visits: Option<Number>,
}

/// A note as Acme stores it.
#[derive(Debug, Codec)]
#[codec(format = "acme-note", kind = Note, label = "Acme note", rename_all = "camelCase")]
#[codec(detect(score = 0.9, all(noteTitle: string, body: string), any(urgency, acmeVersion)))]
#[codec(lost = [links])]
pub struct AcmeNote {
    /// The version of the application.
    #[codec(fresh = "2")]
    pub acme_version: String,
    /// The title.
    #[codec(to = title, need)]
    pub note_title: String,
    /// The text.
    #[codec(to = text, need)]
    pub body: String,
    /// Tags.
    #[codec(to = tags, blank = omit)]
    pub labels: Option<Vec<String>>,
    /// From 0 to 9; older versions wrote text.
    #[codec(to = urgency, as = "number|number:text")]
    pub urgency: Option<u8>,
    /// Whether it is done, as text.
    #[codec(to = state, as = "bool:text", table = [[false, "open"], [true, "done"]], or = open)]
    pub done: Option<String>,
    /// When it was changed.
    #[codec(sealed)]
    pub changed_at: Option<String>,
}

bunzai::codec! { pub MemoNote for Note = "mappings/memo.toml" }
