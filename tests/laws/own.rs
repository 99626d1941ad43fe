//! Formats of the tests' own: small ones that together use every word of the language.

use bunzai::{Canonical, Codec, Declared, Extras, Nullable, Number};
use bunzai_runtime::json::Value;
use bunzai_runtime::map::Hatch;

/// An album of recordings.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(kind = "album", name = title)]
pub(crate) struct Album {
    pub(crate) title: String,
    pub(crate) subtitle: Option<String>,
    pub(crate) remark: Option<String>,
    pub(crate) credit: Option<String>,
    pub(crate) code: Option<String>,
    pub(crate) year: Nullable<Number>,
    pub(crate) volume: Number,
    pub(crate) stars: Option<Number>,
    pub(crate) loud: bool,
    pub(crate) muted: Option<bool>,
    pub(crate) mood: Option<Mood>,
    pub(crate) style: Option<String>,
    pub(crate) grade: Option<Number>,
    pub(crate) tags: Vec<String>,
    pub(crate) audience: Option<Vec<Audience>>,
    pub(crate) is_live: bool,
    pub(crate) is_remaster: bool,
    pub(crate) mode: Mode,
    pub(crate) keys: Vec<Key>,
    pub(crate) size: Option<Size>,
    pub(crate) cover: Option<Cover>,
    pub(crate) tracks: Vec<Track>,
    pub(crate) people: Option<Vec<Person>>,
    pub(crate) bags: Option<Bags>,
    pub(crate) bag: Option<Extras>,
    pub(crate) source: Option<String>,
    pub(crate) unsaid: Option<String>,
}

/// How an album sounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
pub(crate) enum Mood {
    Happy,
    Sad,
    Numb,
}

/// Whom an album is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
pub(crate) enum Audience {
    All,
    Friends,
    Nobody,
}

/// How keys are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Canonical)]
pub(crate) enum Mode {
    Off,
    Some,
    Many,
}

/// A word to find an album by.
#[derive(Debug, Clone, PartialEq, Canonical)]
pub(crate) struct Key {
    pub(crate) word: String,
    pub(crate) is_pattern: bool,
    pub(crate) weight: Option<Number>,
}

/// A size.
#[derive(Debug, Clone, PartialEq, Canonical)]
pub(crate) struct Size {
    pub(crate) text: Option<String>,
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Canonical)]
pub(crate) struct Cover {
    pub(crate) url: Option<String>,
    pub(crate) alt: Option<Nullable<String>>,
    pub(crate) marks: Option<Vec<Chapter>>,
}

/// One recording.
#[derive(Debug, Clone, PartialEq, Canonical)]
pub(crate) struct Track {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) label: String,
    pub(crate) slug: Option<String>,
    pub(crate) seconds: Number,
    pub(crate) favourite: bool,
    pub(crate) chapters: Vec<Chapter>,
    pub(crate) unsaid: Option<bool>,
}

/// A part of a recording.
#[derive(Debug, Clone, PartialEq, Canonical)]
pub(crate) struct Chapter {
    pub(crate) id: String,
    pub(crate) at: Number,
    pub(crate) text: Option<String>,
}

/// Somebody who took part.
#[derive(Debug, Clone, PartialEq, Canonical)]
pub(crate) struct Person {
    pub(crate) id: String,
    pub(crate) role: Option<String>,
    pub(crate) more: Option<Extras>,
}

/// Objects for keys that nobody knows.
#[derive(Debug, Clone, PartialEq, Canonical)]
pub(crate) struct Bags {
    pub(crate) camel: Option<Extras>,
    pub(crate) pascal: Option<Extras>,
    pub(crate) kebab: Option<Extras>,
    pub(crate) screaming: Option<Extras>,
}

/// A shelf of books.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(kind = "shelf", name = name)]
pub(crate) struct Shelf {
    pub(crate) name: String,
    pub(crate) books: Vec<Book>,
    pub(crate) labels: Option<Vec<String>>,
    pub(crate) boxes: Option<Vec<Book>>,
}

/// How a search is written.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(kind = "search", name = name)]
pub(crate) struct Search {
    pub(crate) name: String,
    pub(crate) on: bool,
    pub(crate) limit: Option<Number>,
    pub(crate) note: Option<String>,
    pub(crate) words: Vec<String>,
    pub(crate) places: Option<Vec<String>>,
    pub(crate) heading: Option<String>,
    pub(crate) band: Option<String>,
    pub(crate) find: Pattern,
    pub(crate) hide: Option<Pattern>,
    pub(crate) slot: Option<String>,
    pub(crate) is_stock: Option<bool>,
    pub(crate) steps: Vec<Chapter>,
}

/// A pattern.
#[derive(Debug, Clone, PartialEq, Canonical)]
pub(crate) struct Pattern {
    pub(crate) source: String,
    pub(crate) flags: Option<String>,
    pub(crate) is_literal: Option<bool>,
}

/// A book.
#[derive(Debug, Clone, PartialEq, Canonical)]
pub(crate) struct Book {
    pub(crate) id: Option<String>,
    pub(crate) title: Nullable<String>,
    pub(crate) pages: Number,
    pub(crate) authors: Option<Vec<String>>,
}

/// A programme of pieces, some of them in acts.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(kind = "programme", name = name)]
pub(crate) struct Programme {
    pub(crate) name: String,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) acts: Option<Vec<Act>>,
    pub(crate) remarks: Option<Vec<Remark>>,
}

/// One piece of a programme.
#[derive(Debug, Clone, PartialEq, Canonical)]
pub(crate) struct Piece {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) text: Option<String>,
    pub(crate) is_on: bool,
    pub(crate) is_marker: Option<bool>,
    pub(crate) weight: Option<Number>,
    pub(crate) act: Option<String>,
}

/// A group of pieces.
#[derive(Debug, Clone, PartialEq, Canonical)]
pub(crate) struct Act {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) text: Option<String>,
    pub(crate) is_on: Option<bool>,
    pub(crate) inside: Option<String>,
}

/// What somebody said or noted.
#[derive(Debug, Clone, PartialEq, Canonical)]
pub(crate) struct Remark {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) tone: Option<String>,
    pub(crate) author: Option<String>,
}

bunzai::codec! { pub(crate) AlbumFile for Album = "tests/laws/formats/album.toml" }
bunzai::codec! { pub(crate) ShelfFile for Shelf = "tests/laws/formats/shelf.toml" }
bunzai::codec! { pub(crate) DrawerFile for Shelf = "tests/laws/formats/drawer.toml" }
bunzai::codec! { pub(crate) QueueFile for Shelf = "tests/laws/formats/queue.toml" }
bunzai::codec! { pub(crate) DeskFile for Shelf = "tests/laws/formats/desk.toml" }
bunzai::codec! { pub(crate) SearchFile for Search = "tests/laws/formats/search.toml" }
bunzai::codec! { pub(crate) ProgrammeFile for Programme = "tests/laws/formats/programme.toml" }
bunzai::codec! { pub(crate) JotterFile for Programme = "tests/laws/formats/jotter.toml" }

/// The mapping files of these formats.
pub(crate) const FILES: [(&str, &str); 8] = [
    ("laws-album", include_str!("formats/album.toml")),
    ("laws-shelf", include_str!("formats/shelf.toml")),
    ("laws-drawer", include_str!("formats/drawer.toml")),
    ("laws-search", include_str!("formats/search.toml")),
    ("laws-queue", include_str!("formats/queue.toml")),
    ("laws-desk", include_str!("formats/desk.toml")),
    ("laws-programme", include_str!("formats/programme.toml")),
    ("laws-jotter", include_str!("formats/jotter.toml")),
];

/// The parts that they use.
pub(crate) const PARTS: [(&str, &str); 2] = [
    ("formats/parts/desk.toml", include_str!("formats/parts/desk.toml")),
    ("formats/parts/more.toml", include_str!("formats/parts/more.toml")),
];

/// Width and height in two slots, and in one text of the model.
pub(crate) static SIZE: Hatch = Hatch {
    read: |slots| {
        let text = match slots {
            [Some(Value::Number(w)), Some(Value::Number(h))] => Some(Value::text(format!("{w}x{h}"))),
            _ => None,
        };
        vec![text]
    },
    write: |paths, slots| {
        let parts = paths[0].as_ref().and_then(Value::as_text).and_then(|text| text.split_once('x'));
        let number = |text: &str| text.parse::<i32>().ok().map(|n| Value::Number(n.into()));
        match parts.and_then(|(w, h)| Some((number(w)?, number(h)?))) {
            Some((w, h)) => vec![Some(w), Some(h)],
            None if paths[0].is_some() => slots.iter().map(|slot| slot.clone().map(Value::into_owned)).collect(),
            None => vec![None, None],
        }
    },
};

/// A text that is written backwards.
pub(crate) static BACKWARDS: Hatch = Hatch {
    read: |slots| vec![slots[0].as_ref().and_then(Value::as_text).map(backwards)],
    write: |paths, _| vec![paths[0].as_ref().and_then(Value::as_text).map(backwards)],
};

fn backwards(text: &str) -> Value<'static> {
    Value::text(text.chars().rev().collect::<String>())
}

/// The formats.
pub(crate) fn formats() -> [&'static Declared; 8] {
    [
        AlbumFile::format(),
        ShelfFile::format(),
        DrawerFile::format(),
        SearchFile::format(),
        QueueFile::format(),
        DeskFile::format(),
        ProgrammeFile::format(),
        JotterFile::format(),
    ]
}
