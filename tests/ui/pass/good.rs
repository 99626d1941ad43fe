//! What is right compiles, from attributes and from a file.

/// A note.
#[derive(Debug, Clone, PartialEq, bunzai::Canonical)]
#[canonical(kind = "note", name = title)]
struct Note {
    title: String,
    text: Option<String>,
    tags: Option<Vec<Tag>>,
}

/// A tag.
#[derive(Debug, Clone, PartialEq, bunzai::Canonical)]
struct Tag {
    id: String,
    word: Option<String>,
}

/// A memo.
#[derive(bunzai::Codec)]
#[codec(format = "memo", kind = Note, label = "Memo", lost = [tags], detect(all(title: string)))]
struct Memo {
    #[codec(to = title, need)]
    title: String,
    /// The text.
    #[codec(to = text, blank = omit)]
    text: Option<String>,
    #[codec(sealed)]
    colour: Option<String>,
}

bunzai::codec! { FromFile for Note = "mappings/good.toml" }

fn main() {
    use bunzai::Codec as _;
    let text = r##"{"title": "T", "text": "x", "colour": "#fff"}"##;
    let read = Memo::to_canonical(text).unwrap().entity.body;
    assert_eq!((read.title.as_str(), read.text.as_deref()), ("T", Some("x")));
    let read = FromFile::to_canonical(text).unwrap().entity.body;
    assert_eq!((read.title.as_str(), read.text.as_deref()), ("T", Some("x")));
    assert!(read.tags.is_none());
    for schema in [Memo::read_schema(), FromFile::read_schema()] {
        assert_eq!(schema.unwrap().get("x-bunzai-kind").unwrap(), "note");
    }
}
