//! The field map of a format as people read it: wire, canonical, how.

use std::fmt::Write as _;

use crate::Declared;
use crate::json::Value;
use crate::map::{
    Also, Cell, Choice, Each, Else, Fill, Gone, Ids, Inner, Join, Keyed, Linked, Literal, Map, Order, Part, Pick,
    Piece, Row, Spelled, Spelling, Step, Table, TableRow, Text, Tie, Types, Wire, Wrap, shown, word_of,
};

/// One map of a format: that of the document, or one that reads rows or an object in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// What the map reads: `each row of data.entries`.
    pub title: String,
    /// Its rows, in the order of a fresh file.
    pub rows: Vec<Line>,
}

/// One row of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Where it stands in a file; several places of a join, with `+` between. Empty: nowhere.
    pub wire: String,
    /// The canonical paths; empty for a slot that rides in the twin.
    pub to: String,
    /// How one becomes the other.
    pub how: String,
    /// What the slot is.
    pub about: String,
}

/// The field map of a format, one section for each of its maps.
///
/// ```
/// let format = bunzai::formats().format("marinara-persona")?.declared().unwrap();
/// let map = bunzai::explain(format);
/// let line = map[0].rows.iter().find(|line| line.wire == "backstory").unwrap();
/// assert_eq!(line.to, "sections.history");
/// # Ok::<(), bunzai::Error>(())
/// ```
pub fn explain(format: &Declared) -> Vec<Section> {
    let map = format.map();
    let mut sections = vec![Section { title: "the document".to_owned(), rows: around(map) }];
    let starts: Vec<String> = map.shapes.iter().filter(|shape| !shape.at.is_empty()).map(|s| s.at.join(".")).collect();
    let whole = starts.len() == map.shapes.len();
    sections[0].rows.extend(map.picks.iter().map(picked));
    let place = match (starts.is_empty(), whole) {
        (true, _) => None,
        (false, true) => Some(format!("the object at {}", starts.join(" or "))),
        (false, false) => Some(format!("the document, or the object at {}", starts.join(" or "))),
    };
    match place {
        None => sections[0].rows.extend(lines(map, &map.root)),
        Some(title) => {
            sections.insert(0, Section { title, rows: lines(map, &map.root) });
            sections.retain(|section| !section.rows.is_empty());
        }
    }
    if let Some(document) = sections.iter_mut().find(|section| !section.rows.is_empty()) {
        document.rows.extend(map.linked.iter().map(linked));
    }
    for (n, (name, part)) in map.parts.iter().enumerate() {
        sections.push(Section { title: opened_by(map, n).unwrap_or_else(|| name.to_string()), rows: lines(map, part) });
    }
    sections
}

/// Which row a pick is.
fn picked(pick: &Pick) -> Line {
    let by = pick.by.as_ref().map_or_else(|| "the key".to_owned(), |by| by.to_string());
    let choices = pick.is.iter().map(|choice| match choice {
        Choice::Is(literal) => format!("that with {by} {}", constant(literal)),
        Choice::Lacks => format!("that without {by}"),
        Choice::Wire(at) => format!("that with {by} as in {}", steps(at)),
        Choice::First => "the first".to_owned(),
    });
    let choices: Vec<String> = choices.collect();
    let new = pick.new.as_ref().map_or_else(String::new, |new| format!("; new: {}", fill(new)));
    let how = format!("one row of {}: {}{new}", steps(&pick.at), choices.join(", else "));
    Line { wire: format!("[{}]", pick.name), to: String::new(), how, about: String::new() }
}

/// The slots that hold pieces of another format.
fn linked(link: &Linked) -> Line {
    Line {
        wire: link.at.iter().map(|at| steps(at)).collect::<Vec<_>>().join(" + "),
        to: link.to.to_string(),
        how: format!("the rows of a linked {}; its name: {}", link.format, fill(&link.name)),
        about: String::new(),
    }
}

/// What stands around the fields of the shapes.
fn around(map: &Map) -> Vec<Line> {
    map.shapes.iter().flat_map(|shape| shape.rows.iter().map(|row| line(map, row))).collect()
}

/// What a named map reads.
fn opened_by(map: &Map, part: usize) -> Option<String> {
    let parts = [&map.root].into_iter().chain(map.parts.iter().map(|(_, part)| part));
    let uses = parts.flat_map(|part| part.rows.iter()).filter_map(|row| {
        let text = if row.text.contains(&Text::Json) { " (JSON text)" } else { "" };
        match &row.inner {
            Inner::Each(each) if each.part == part => Some(format!("each row of {}{text}", wire(&row.wire))),
            Inner::Map(inner) if *inner == part => Some(format!("the object in {}{text}", wire(&row.wire))),
            _ => None,
        }
    });
    let uses: Vec<String> = uses.collect();
    (!uses.is_empty()).then(|| uses.join(", "))
}

fn lines(map: &Map, part: &Part) -> Vec<Line> {
    let stamps = part.stamp.iter().map(|(path, literal)| Line {
        wire: String::new(),
        to: path.to_string(),
        how: format!("always {}", constant(literal)),
        about: String::new(),
    });
    let rest = part.rest.iter().map(|rest| Line {
        wire: "(every other key)".to_owned(),
        to: format!("{}.*", rest.to),
        how: "as it is, under its own key".to_owned(),
        about: String::new(),
    });
    let rows = part.rows.iter().map(|row| {
        let mut line = line(map, row);
        let join = part.joins.iter().find(|join| join.wire.iter().any(|at| row.wire == Wire::At(at.clone())));
        if let Some(join) = join.filter(|_| line.to.is_empty()) {
            line.to = join.to.join(", ");
            line.how = line.how.replacen("sealed", "joined below", 1);
        }
        line
    });
    let joins = part.joins.iter().map(|join| joined(map, join));
    rows.chain(joins).chain(stamps).chain(rest).collect()
}

fn line(map: &Map, row: &Row) -> Line {
    let to = match &row.inner {
        Inner::Flags(flags) => flags.iter().map(|(_, path)| path.as_ref()).collect::<Vec<_>>().join(", "),
        _ => row.to.join(", "),
    };
    Line { wire: wire(&row.wire), to, how: how(map, row).join("; "), about: row.about.to_string() }
}

/// What the words of a row say, one phrase each.
fn how(map: &Map, row: &Row) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    let is_sealed = row.to.is_empty() && matches!(row.inner, Inner::Value);
    if is_sealed {
        said.push(if row.is == Types::NONE { "sealed".to_owned() } else { format!("sealed ({})", row.is) });
    }
    if row.need {
        said.push("required".to_owned());
    }
    said.extend(row.text.iter().enumerate().filter_map(|(n, text)| match text {
        Text::Plain => None,
        Text::Json if n > 0 => Some("also as JSON text".to_owned()),
        Text::Json => Some("JSON text".to_owned()),
        Text::Lone => Some("a bare value is a list of one".to_owned()),
        Text::Split(sep) => Some(format!("text is split at \"{sep}\"")),
        Text::Regex(_) => Some("a regex: source and flags".to_owned()),
        Text::Wrap(Wrap::Pair(before, after)) => Some(format!("between \"{before}\" and \"{after}\"")),
        Text::Wrap(Wrap::Run(run)) => Some(format!("between runs of {}", run.of)),
    }));
    said.extend(inner(&row.inner));
    said.extend(spelled(map, &row.spelled));
    said.extend(row.also.iter().map(|Also { at, spelled: other }| {
        let spelling = spelled(map, other).filter(|_| *other != row.spelled);
        format!("else {}{}", steps(at), spelling.map_or_else(String::new, |how| format!(" ({how})")))
    }));
    said.extend(row.clamp.map(|clamp| format!("narrowed to {} to {}", clamp.min, clamp.max)));
    if row.omit_blank {
        said.push("blank is nothing".to_owned());
    }
    if row.keep_null {
        said.push("null is null".to_owned());
    }
    said.extend(row.or.as_ref().map(|or| format!("else {}", fill(or))));
    match row.gone {
        Gone::Remove => {}
        Gone::Keep => said.push("stays when cleared".to_owned()),
        gone => said.push(format!("cleared to {}", word_of(&Gone::WORDS, &gone))),
    }
    said.extend(row.fresh.as_ref().map(|fresh| format!("new: {}", fill(fresh))));
    said
}

fn inner(inner: &Inner) -> Vec<String> {
    match inner {
        Inner::Value => Vec::new(),
        Inner::Map(_) => vec!["an object with a map of its own".to_owned()],
        Inner::Word(word) => vec![format!("true is {} in the list", constant(word))],
        Inner::Gather => vec!["true when all are".to_owned()],
        Inner::Flags(flags) => {
            vec![format!(
                "words of a list: {}",
                flags.iter().map(|(word, _)| word.as_ref()).collect::<Vec<_>>().join(", ")
            )]
        }
        Inner::Each(Each { by, ids, keyed, order, heads, .. }) => {
            let mut said = vec![match keyed {
                None => "rows".to_owned(),
                Some(Keyed::Id) => "rows by their ids".to_owned(),
                Some(Keyed::Number) => "rows by number".to_owned(),
            }];
            said.extend(by.iter().map(|by| format!("told apart by {by}")));
            if *ids == Ids::Unique {
                said.push("repeated ids get a number".to_owned());
            }
            if let Some(Order { at, of, by, .. }) = order {
                let key = by.as_ref().filter(|by| *by != of).map(|by| format!(", there {by}")).unwrap_or_default();
                said.push(format!("in the order of {of} in {}{key}", steps(at)));
            }
            said.extend(heads.iter().map(|heads| format!("some open {}, named in {}", heads.to, heads.fill)));
            said
        }
    }
}

fn spelled(map: &Map, spelled: &Spelled) -> Option<String> {
    let links: Vec<String> = spelled
        .links
        .iter()
        .map(|link| link.iter().map(|one| word_of(&Spelling::WORDS, one)).collect::<Vec<_>>().join(" or "))
        .collect();
    let table = spelled.table.and_then(|n| map.tables.get(n)).map(relation);
    let said: Vec<String> = links.into_iter().map(|link| format!("as {link}")).chain(table).collect();
    (!said.is_empty()).then(|| said.join(", "))
}

/// The rows of a table: `0 = world, 1 = character`.
fn relation(table: &Table) -> String {
    let mut said: Vec<String> =
        table.rows.iter().map(|TableRow { wire, model }| format!("{} = {}", cells(wire), cells(model))).collect();
    said.extend(table.write.iter().map(|TableRow { wire, model }| format!("{} from {}", cells(wire), cells(model))));
    match table.other {
        Else::None => {}
        // Its last row is for what nobody knows.
        Else::Last => said.push("others with a warning".to_owned()),
        Else::Pass => said.push("others as they are".to_owned()),
        Else::Error => said.push("others are an error".to_owned()),
    }
    said.join(", ")
}

fn cells(cells: &[Cell]) -> String {
    let said: Vec<String> = cells
        .iter()
        .map(|cell| match cell {
            Cell::Is(literal) => constant(literal),
            Cell::Any => "any".to_owned(),
            Cell::Some => "some".to_owned(),
            Cell::Has(literal) => format!("with {}", constant(literal)),
            Cell::None => "none".to_owned(),
        })
        .collect();
    said.join(" + ")
}

fn joined(map: &Map, join: &Join) -> Line {
    let how = match &join.tie {
        Tie::Table(n) => map.tables.get(*n).map_or_else(String::new, relation),
        Tie::Via(via) => format!("Rust code: {}", via.name),
    };
    let places: Vec<String> = join.slots().map(|at| steps(at)).collect();
    Line { wire: places.join(" + "), to: join.to.join(" + "), how, about: String::new() }
}

fn fill(fill: &Fill) -> String {
    match fill {
        Fill::Is(literal) => constant(literal),
        Fill::Slug { path, .. } => format!("the slug of {path}"),
        Fill::Words { path, words } => {
            let words: Vec<String> = words.iter().map(|(word, stands)| format!("{stands:?} for {word:?}")).collect();
            format!("by {path}: {}", words.join(", "))
        }
        Fill::Concat(pieces) => {
            let mut said = String::new();
            for piece in pieces.iter() {
                let _ = match piece {
                    Piece::Is(text) => write!(said, "{text}"),
                    Piece::Path(path) => write!(said, "({path})"),
                };
            }
            format!("\"{said}\"")
        }
        Fill::FileStem | Fill::FileName => "the name of the file".to_owned(),
        Fill::Count { from, word } if word.is_empty() => format!("the place of the row, from {from}"),
        Fill::Count { from, word } => format!("\"{word} {from}\" and so on"),
        Fill::Wire { at, .. } => format!("the value of {}", steps(at)),
    }
}

fn constant(literal: &Literal) -> String {
    match literal.value() {
        None => "nothing".to_owned(),
        Some(Value::Text(text)) if text.chars().all(|c| c.is_alphanumeric() || c == '_') && !text.is_empty() => {
            text.into_owned()
        }
        Some(value) => serde_json::Value::from(value).to_string(),
    }
}

fn wire(wire: &Wire) -> String {
    match wire {
        Wire::At(at) => steps(at),
        Wire::FileStem | Wire::FileName => "(name of the file)".to_owned(),
        Wire::Index => "(place in the list)".to_owned(),
    }
}

fn steps(steps: &[Step]) -> String {
    if steps.is_empty() { "(the value itself)".to_owned() } else { shown(steps) }
}
