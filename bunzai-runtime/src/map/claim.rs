//! What a map claims of the canonical type it maps to, checked against the type's shape.
//!
//! A macro sees a mapping file but not the Rust types it speaks of; what the macro emits does. So
//! these checks are `const fn`: in a compiled format they run as constant assertions and fail the
//! build, in one loaded at run time the loader calls them. Either way the message is the same.

use super::{Fill, Literal, Types, similar};
use crate::model::{FieldShape, Shape, Type};

/// A text made in a constant, of so many bytes at the most.
#[derive(Clone, Copy)]
pub struct Message<const LONGEST: usize = 2048> {
    bytes: [u8; LONGEST],
    length: usize,
}

/// A message that lists fields: room for some hundreds of them.
pub type Listing = Message<16_384>;

impl<const LONGEST: usize> Message<LONGEST> {
    const fn new() -> Self {
        Self { bytes: [0; LONGEST], length: 0 }
    }

    const fn with(mut self, text: &[u8]) -> Self {
        self.push(text);
        self
    }

    const fn push(&mut self, text: &[u8]) {
        let mut n = 0;
        while n < text.len() && self.length < LONGEST {
            self.bytes[self.length] = text[n];
            self.length += 1;
            n += 1;
        }
    }

    const fn bytes(&self) -> &[u8] {
        self.bytes.split_at(self.length).0
    }

    /// The text.
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes()) {
            Ok(text) => text,
            // Only a text cut off inside a character comes here.
            Err(error) => match core::str::from_utf8(self.bytes().split_at(error.valid_up_to()).0) {
                Ok(text) => text,
                Err(_) => "",
            },
        }
    }

    /// The text between the place it is about and an excerpt of it.
    const fn at(&self, code: &str, place: &str, excerpt: &str) -> Self {
        let message = Self::new().with(place.as_bytes()).with(b": error[").with(code.as_bytes()).with(b"]: ");
        let message = message.with(self.bytes());
        if excerpt.is_empty() { message } else { message.with(b"\n").with(excerpt.as_bytes()) }
    }
}

impl<const LONGEST: usize> std::fmt::Debug for Message<LONGEST> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

/// A claim, and how its place is shown.
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    /// The claim.
    pub claim: Claim<'a>,
    /// The place: `mappings/x.toml:12:29`.
    pub place: &'a str,
    /// The line there, with carets.
    pub excerpt: &'a str,
}

impl Site<'_> {
    /// The text of the first claim that is false; the others mean nothing then.
    pub const fn first_refuted(sites: &[Self], shape: &'static Shape) -> Option<Message> {
        let mut n = 0;
        while n < sites.len() {
            let site = &sites[n];
            if let Some((code, message)) = site.claim.refuted(shape) {
                return Some(message.at(code, site.place, site.excerpt));
            }
            n += 1;
        }
        None
    }
}

/// One claim about a canonical path.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    /// The path from the body on: `rules[].extras.createdAt`.
    pub path: &'a str,
    /// What must be true of it.
    pub want: Want<'a>,
}

/// What a [`Claim`] says of its path.
#[derive(Debug, Clone, Copy)]
pub enum Want<'a> {
    /// That it exists.
    Exists,
    /// That a condition can ask about it: it exists, or lies in content of any kind.
    Asked,
    /// That it holds one value and no struct or list of structs.
    Leaf,
    /// That it holds one value, and no list.
    One,
    /// That it holds one value, of the type that another path holds, which is no list.
    Alike(&'a str),
    /// That it holds a boolean.
    Bool,
    /// That it holds a number.
    Number,
    /// That it holds text.
    Text,
    /// That it holds text, and any text.
    AnyText,
    /// That it holds a list.
    List,
    /// That it holds a struct.
    Node,
    /// That it holds an object with free keys.
    Open,
    /// That there is something inside.
    Inside,
    /// That a value of one of these JSON types can stand there.
    Is(Types),
    /// That this constant can stand there.
    Fits(&'a Literal),
    /// That this constant can stand there: in a list as an item.
    Cell(&'a Literal),
    /// That null can stand there.
    Nullable,
    /// That it may stay unset, as something leaves it.
    Unset(Leaves),
}

/// What leaves a path unset, or may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaves {
    /// A row, when its slot says nothing.
    Row,
    /// A join, when none of its rows is met.
    Join,
    /// Some of the maps of which a row is read with one.
    Maps,
    /// The word `lost`.
    Lost,
}

impl Leaves {
    const fn message(self) -> &'static [u8] {
        match self {
            Self::Row => b"is required, and an import may leave it unset; give its row `or` or `need`, or stamp it",
            Self::Join => {
                b"is required, and this join may leave it unset; give it a last row that takes everything, or stamp it"
            }
            Self::Maps => b"is required, and not all maps that read such rows set it; map it, or stamp it, in each",
            Self::Lost => b"is required, and cannot be lost; map it, or stamp it",
        }
    }
}

/// The text that a mapping file names another kind than that of its body, with its place.
pub const fn wrong_kind(named: &str, body: &str, place: &str, excerpt: &str) -> Option<Message> {
    if crate::model::bytes_equal(named.as_bytes(), body.as_bytes()) {
        return None;
    }
    let message = Message::new().with(b"the file is for the kind `").with(named.as_bytes());
    let message = message.with(b"`, and the body is of the kind `").with(body.as_bytes()).with(b"`");
    Some(message.at("B034", place, excerpt))
}

/// A path that was found.
#[derive(Clone, Copy)]
struct Found {
    ty: Type,
    nullable: bool,
    optional: bool,
    /// Whether it lies in a struct that may be missing: then it is only there with its neighbours.
    sparse: bool,
}

impl Claim<'_> {
    /// The code of the diagnostic and its text, if the claim is false.
    pub const fn refuted(&self, shape: &'static Shape) -> Option<(&'static str, Message)> {
        let found = match find(shape, self.path.as_bytes(), matches!(self.want, Want::Asked)) {
            Ok(found) => found,
            Err(message) => return Some(("B030", message)),
        };
        let holds = match self.want {
            Want::Exists | Want::Asked => true,
            Want::Leaf => !matches!(found.ty, Type::Node(_) | Type::List(Type::Node(_))),
            Want::One => !matches!(found.ty, Type::List(_)),
            Want::Alike(other) => match find(shape, other.as_bytes(), false) {
                Ok(other) => !matches!(found.ty, Type::List(_)) && alike(found, other),
                Err(_) => true,
            },
            Want::Bool => matches!(item(found.ty), Type::Bool | Type::Any),
            Want::Number => matches!(item(found.ty), Type::Number | Type::Integer { .. } | Type::Any),
            Want::Text => matches!(item(found.ty), Type::Text(_) | Type::Words(_) | Type::Any),
            Want::AnyText => matches!(found.ty, Type::Text(_) | Type::Any),
            Want::List => matches!(found.ty, Type::List(_) | Type::Any),
            Want::Node => matches!(found.ty, Type::Node(_)),
            Want::Open => matches!(found.ty, Type::Dict(_)),
            Want::Inside => matches!(found.ty, Type::Node(_) | Type::Dict(_) | Type::List(Type::Node(_))),
            Want::Is(types) => are_types_of(types, found.ty),
            Want::Nullable => found.nullable || matches!(found.ty, Type::Any),
            Want::Unset(_) => {
                found.optional || found.nullable || found.sparse || matches!(found.ty, Type::List(Type::Node(_)))
            }
            Want::Fits(literal) => match literal {
                Literal::Absent => found.optional,
                Literal::Null => found.nullable || matches!(found.ty, Type::Any),
                literal => fits(found.ty, literal),
            },
            Want::Cell(literal) => match literal {
                Literal::Absent => true,
                Literal::Null => found.nullable || matches!(found.ty, Type::Any),
                literal => fits(item(found.ty), literal),
            },
        };
        if holds {
            return None;
        }
        let message = Message::new().with(b"`").with(self.path.as_bytes()).with(b"` ");
        let wanted: &[u8] = match self.want {
            Want::Exists | Want::Asked => b"something else",
            Want::Leaf => b"one value",
            Want::One => b"one value, and no list",
            Want::Alike(other) => {
                let message = describe(message.with(b"holds "), found.ty);
                let message = message.with(b"; several paths of one row are alike, and no lists, and `");
                return Some(("B031", message.with(other.as_bytes()).with(b"` is first")));
            }
            Want::Bool => b"a boolean",
            Want::Number => b"a number",
            Want::Text => b"text",
            Want::AnyText => b"any text",
            Want::List => b"a list",
            Want::Node => b"the fields of a struct",
            Want::Open => b"an object with free keys",
            Want::Inside => b"something inside it",
            Want::Is(_) => {
                let message = describe(message.with(b"holds "), found.ty);
                return Some(("B031", message.with(b"; `is` names another type")));
            }
            Want::Nullable => b"null",
            Want::Unset(leaves) => return Some(("B033", message.with(leaves.message()))),
            Want::Fits(literal) => return Some(("B031", misfit(message, found.ty, literal))),
            Want::Cell(literal) => return Some(("B031", misfit(message, item(found.ty), literal))),
        };
        Some(("B031", describe(message.with(b"holds "), found.ty).with(b"; this row needs ").with(wanted)))
    }
}

/// Whether two paths hold the same.
const fn alike(one: Found, other: Found) -> bool {
    one.optional == other.optional && one.nullable == other.nullable && same_type(one.ty, other.ty)
}

const fn same_type(one: Type, other: Type) -> bool {
    match (one, other) {
        (Type::Text(_), Type::Text(_))
        | (Type::Bool, Type::Bool)
        | (Type::Number, Type::Number)
        | (Type::Any, Type::Any) => true,
        (Type::Integer { min: a, max: b }, Type::Integer { min: c, max: d }) => a == c && b == d,
        (Type::Words(a), Type::Words(b)) => {
            let mut n = 0;
            while n < a.len() && n < b.len() {
                if !crate::model::bytes_equal(a[n].as_bytes(), b[n].as_bytes()) {
                    return false;
                }
                n += 1;
            }
            a.len() == b.len()
        }
        _ => false,
    }
}

/// That a constant is none of a type, with the word that was probably meant.
const fn misfit(message: Message, ty: Type, literal: &Literal) -> Message {
    let message = literal_text(describe(message.with(b"holds "), ty).with(b", which "), literal).with(b" is not");
    let (Type::Words(words) | Type::Text(words), Literal::Text(text)) = (ty, literal) else { return message };
    match closest(words, str_of(text).as_bytes()) {
        Some(n) => message.with(b"; did you mean \"").with(words[n].as_bytes()).with(b"\"?"),
        None => message,
    }
}

/// The index of the word that was probably meant.
const fn closest(words: &[&str], name: &[u8]) -> Option<usize> {
    let mut best: Option<usize> = None;
    let mut edits = usize::MAX;
    let mut n = 0;
    while n < words.len() {
        if let Some(d) = similar(name, words[n].as_bytes())
            && d < edits
        {
            (best, edits) = (Some(n), d);
        }
        n += 1;
    }
    best
}

/// Whether a value of some JSON types can be one of a model type.
const fn are_types_of(types: Types, ty: Type) -> bool {
    let own = ty.json();
    let whole = types.meets(Types::INTEGER) && own.meets(Types::NUMBER);
    let blank = types.meets(Types::BLANK) && own.meets(Types::STRING.or(Types::LIST).or(Types::OBJECT));
    types.meets(own) || whole || blank
}

/// The type of one value: of a list that of its items.
const fn item(ty: Type) -> Type {
    match ty {
        Type::List(item) => *item,
        ty => ty,
    }
}

/// Walks a dotted path. No path of a row leads on in content of any kind, which conditions may ask
/// about.
#[allow(clippy::result_large_err, reason = "a constant cannot allocate")]
const fn find(shape: &'static Shape, path: &[u8], into_any: bool) -> Result<Found, Message> {
    let mut ty = Type::Node(shape);
    let (mut nullable, mut optional, mut sparse) = (false, false, false);
    let mut at = 0;
    while at < path.len() {
        if path[at] == b'[' {
            let mut end = at + 1;
            while end < path.len() && path[end] != b']' {
                end += 1;
            }
            let one = path.split_at(end).0.split_at(at + 1).1;
            ty = match ty {
                Type::List(item) => *item,
                Type::Any if into_any => Type::Any,
                _ => return Err(no_list(path, at)),
            };
            if let Some(key) = key_of(one)
                && !is_key(ty, key)
            {
                return Err(no_key(path, at, key));
            }
            // `[]` is every item; a single one may not be there.
            (nullable, optional, sparse) = (false, !one.is_empty(), !one.is_empty());
            at = if end < path.len() { end + 1 } else { end };
            if at < path.len() && path[at] == b'.' {
                at += 1;
            }
            continue;
        }
        let start = at;
        while at < path.len() && path[at] != b'.' && path[at] != b'[' {
            at += 1;
        }
        let name = path.split_at(at).0.split_at(start).1;
        sparse |= nullable || optional;
        match ty {
            Type::Node(shape) => match shape.find(name) {
                Some(n) => {
                    let field = &shape.fields[n];
                    (ty, nullable, optional) = (field.ty, field.nullable, field.optional);
                }
                None => return Err(no_field(shape, name, path, start)),
            },
            Type::Dict(item) => (ty, nullable, optional) = (*item, matches!(item, Type::Any), true),
            Type::Any if into_any => (nullable, optional) = (true, true),
            _ => return Err(nothing_inside(path, start)),
        }
        if at < path.len() && path[at] == b'.' {
            at += 1;
        }
    }
    Ok(Found { ty, nullable, optional, sparse })
}

const fn no_field(shape: &Shape, name: &[u8], path: &[u8], start: usize) -> Message {
    let mut message = Message::new().with(b"no field `").with(name).with(b"` in ");
    message = if start == 0 {
        message.with(b"`").with(shape.name.as_bytes()).with(b"`")
    } else {
        message.with(b"`").with(without_dot(path.split_at(start).0)).with(b"`")
    };
    let mut best: Option<usize> = None;
    let mut edits = usize::MAX;
    let mut n = 0;
    while n < shape.fields.len() {
        if let Some(d) = similar(name, shape.fields[n].name.as_bytes())
            && d < edits
        {
            (best, edits) = (Some(n), d);
        }
        n += 1;
    }
    if let Some(n) = best {
        return message.with(b"; did you mean `").with(shape.fields[n].name.as_bytes()).with(b"`?");
    }
    // It may stand one struct further in.
    n = 0;
    while n < shape.fields.len() {
        if let Type::Node(inner) = shape.fields[n].ty
            && inner.find(name).is_some()
        {
            let message = message.with(b"; did you mean `").with(shape.fields[n].name.as_bytes());
            return message.with(b".").with(name).with(b"`?");
        }
        n += 1;
    }
    if shape.fields.len() >= 10 {
        return message;
    }
    message = message.with(b"; it has ");
    n = 0;
    while n < shape.fields.len() {
        if n > 0 {
            message = message.with(b", ");
        }
        message = message.with(b"`").with(shape.fields[n].name.as_bytes()).with(b"`");
        n += 1;
    }
    message
}

const fn no_list(path: &[u8], at: usize) -> Message {
    Message::new().with(b"`").with(path.split_at(at).0).with(b"` is no list; a bracket has nothing to range over")
}

/// The key by which a step chooses an item: `id` in `id=main`.
const fn key_of(one: &[u8]) -> Option<&[u8]> {
    let mut n = 0;
    while n < one.len() {
        if one[n] == b'=' {
            return Some(one.split_at(n).0);
        }
        n += 1;
    }
    None
}

/// Whether the items of a list have a text of this name.
const fn is_key(item: Type, key: &[u8]) -> bool {
    match item {
        Type::Node(shape) => match shape.find(key) {
            Some(n) => matches!(shape.fields[n].ty, Type::Text(_) | Type::Words(_)),
            None => false,
        },
        _ => false,
    }
}

const fn no_key(path: &[u8], at: usize, key: &[u8]) -> Message {
    let message = Message::new().with(b"the items of `").with(path.split_at(at).0).with(b"` have no text `");
    message.with(key).with(b"` by which one could be chosen")
}

const fn nothing_inside(path: &[u8], start: usize) -> Message {
    let holder = without_dot(path.split_at(start).0);
    Message::new().with(b"nothing is inside `").with(holder).with(b"`: it holds one value or a list")
}

const fn without_dot(path: &[u8]) -> &[u8] {
    match path {
        [rest @ .., b'.'] => rest,
        path => path,
    }
}

/// Whether a constant is a value of a type.
const fn fits(ty: Type, literal: &Literal) -> bool {
    match (ty, literal) {
        (Type::Any, _) => true,
        (Type::Union(types), literal) => {
            let mut n = 0;
            while n < types.len() {
                if fits(types[n], literal) {
                    return true;
                }
                n += 1;
            }
            false
        }
        (Type::Text(_), Literal::Text(_)) | (Type::Bool, Literal::Bool(_)) => true,
        (Type::Words(words), Literal::Text(text)) => {
            let mut n = 0;
            while n < words.len() {
                if crate::model::bytes_equal(words[n].as_bytes(), str_of(text).as_bytes()) {
                    return true;
                }
                n += 1;
            }
            false
        }
        (Type::Number, Literal::Number(_)) => true,
        (Type::Integer { min, max }, Literal::Number(number)) => number.is_integer_between(min, max),
        (Type::List(item), Literal::List(items)) => {
            let items = seq_of(items);
            let mut n = 0;
            while n < items.len() {
                if !fits(*item, &items[n]) {
                    return false;
                }
                n += 1;
            }
            true
        }
        (Type::Dict(item), Literal::Object(members)) => {
            let members = seq_of(members);
            let mut n = 0;
            while n < members.len() {
                if !fits(*item, &members[n].1) {
                    return false;
                }
                n += 1;
            }
            true
        }
        (Type::Node(shape), Literal::Object(members)) => fits_node(shape, seq_of(members)),
        _ => false,
    }
}

/// Whether members are the fields of a struct: each is one, and none that is required is missing.
const fn fits_node(shape: &Shape, members: &[(super::Str, Literal)]) -> bool {
    let mut required = 0;
    let mut n = 0;
    while n < shape.fields.len() {
        required += !(shape.fields[n].optional || shape.fields[n].nullable) as usize;
        n += 1;
    }
    n = 0;
    while n < members.len() {
        let (key, value) = &members[n];
        let Some(field) = shape.find(str_of(key).as_bytes()) else { return false };
        let field = &shape.fields[field];
        let fits = match value {
            Literal::Absent => field.optional,
            Literal::Null => field.nullable || matches!(field.ty, Type::Any),
            value => fits(field.ty, value),
        };
        if !fits {
            return false;
        }
        required = required.saturating_sub(!(field.optional || field.nullable) as usize);
        n += 1;
    }
    required == 0
}

const fn str_of(text: &super::Str) -> &str {
    match text {
        std::borrow::Cow::Borrowed(text) => text,
        std::borrow::Cow::Owned(text) => text.as_str(),
    }
}

const fn seq_of<T: Clone>(seq: &super::Seq<T>) -> &[T] {
    match seq {
        std::borrow::Cow::Borrowed(seq) => seq,
        std::borrow::Cow::Owned(seq) => seq.as_slice(),
    }
}

const fn literal_text(message: Message, literal: &Literal) -> Message {
    match literal {
        Literal::Absent => message.with(b"nothing"),
        Literal::Null => message.with(b"null"),
        Literal::Bool(true) => message.with(b"`true`"),
        Literal::Bool(false) => message.with(b"`false`"),
        Literal::Number(_) => message.with(b"this number"),
        Literal::Text(text) => message.with(b"\"").with(str_of(text).as_bytes()).with(b"\""),
        Literal::List(_) => message.with(b"this list"),
        Literal::Object(_) => message.with(b"this object"),
    }
}

const fn describe(message: Message, ty: Type) -> Message {
    match ty {
        Type::Text(_) => message.with(b"text"),
        Type::Words(words) => {
            let mut message = message.with(b"one of ");
            let mut n = 0;
            while n < words.len() {
                if n > 0 {
                    message = message.with(b", ");
                }
                message = message.with(b"\"").with(words[n].as_bytes()).with(b"\"");
                n += 1;
            }
            message
        }
        Type::Bool => message.with(b"a boolean"),
        Type::Number => message.with(b"a number"),
        Type::Integer { .. } => message.with(b"a whole number"),
        Type::Any => message.with(b"any value"),
        Type::Node(shape) => message.with(b"the fields of `").with(shape.name.as_bytes()).with(b"`"),
        Type::List(Type::Node(shape)) => message.with(b"rows of `").with(shape.name.as_bytes()).with(b"`"),
        Type::List(_) => message.with(b"a list"),
        Type::Dict(_) => message.with(b"an object"),
        Type::Union(_) => message.with(b"one of several types"),
    }
}

/// What a map says of one step of the canonical paths, and of those below it.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    /// The name of the field; `[]` for the items of a list.
    pub name: super::Str,
    /// Whether it is mapped, stamped or lost as a whole.
    pub covered: bool,
    /// Whether what is not named below it is lost.
    pub open: bool,
    /// What is said of the paths below it.
    pub below: super::Seq<Known>,
}

impl Known {
    /// The text of what is not spoken for, with its place.
    pub const fn gaps_at(known: &[Self], shape: &'static Shape, place: &str, excerpt: &str) -> Option<Listing> {
        match Self::gaps(known, shape) {
            Some((code, message)) => Some(message.at(code, place, excerpt)),
            None => None,
        }
    }

    /// Every path that is neither mapped nor lost, or required and lost with others; none: all is
    /// well.
    pub const fn gaps(known: &[Self], shape: &'static Shape) -> Option<(&'static str, Listing)> {
        let mut gaps = Gaps { missing: List::new(), unset: List::new() };
        walk(known, shape, Inside { open: false, sparse: false }, None, &mut gaps);
        if gaps.missing.count > 0 {
            return Some(("B032", gaps.missing.message(b"neither mapped nor in `lost`", b"")));
        }
        if gaps.unset.count > 0 {
            return Some(("B033", gaps.unset.message(b"required, and lost", b"; map them, or stamp them")));
        }
        None
    }

    /// The text of what one map of several leaves unset, with its place.
    pub const fn unset_at(known: &[Self], shape: &'static Shape, place: &str, excerpt: &str) -> Option<Listing> {
        match Self::unset(known, shape) {
            Some((code, message)) => Some(message.at(code, place, excerpt)),
            None => None,
        }
    }

    /// Every path that the kind requires and that one map of several says nothing of; none: all is
    /// well.
    pub const fn unset(known: &[Self], shape: &'static Shape) -> Option<(&'static str, Listing)> {
        let mut missing = List::new();
        required(known, shape, None, &mut missing);
        if missing.count == 0 {
            return None;
        }
        Some(("B033", missing.message(b"required, and not set by this map", b"; map them, or stamp them")))
    }

    const fn find(known: &[Self], name: &[u8]) -> Option<usize> {
        let mut n = 0;
        while n < known.len() {
            if crate::model::bytes_equal(str_of(&known[n].name).as_bytes(), name) {
                return Some(n);
            }
            n += 1;
        }
        None
    }
}

struct Gaps {
    missing: List,
    unset: List,
}

/// Paths, each on a line.
struct List {
    lines: Listing,
    count: usize,
    /// How many there was no room for.
    left: usize,
}

impl List {
    /// How many are told on one line.
    const FEW: usize = 6;
    /// What is kept free of lines: for the words around them, the place and its excerpt.
    const KEPT: usize = 3_000;

    const fn new() -> Self {
        Self { lines: Listing::new(), count: 0, left: 0 }
    }

    /// Adds a path; one that no longer fits is counted, since half a path names nothing.
    const fn add(&mut self, trail: &Trail<'_>, mark: &[u8]) {
        self.count += 1;
        let before = self.lines.length;
        if before > 0 {
            self.lines.push(b"\n");
        }
        self.lines.push(b"`");
        path_of(&mut self.lines, trail);
        self.lines.push(b"`");
        self.lines.push(mark);
        // Every line becomes longer by what stands in front of it.
        if self.left > 0 || self.lines.length + 2 * self.count > self.lines.bytes.len() - Self::KEPT {
            self.lines.length = before;
            self.left += 1;
        }
    }

    /// A few on one line, more of them each on its own.
    const fn message(&self, what: &[u8], todo: &[u8]) -> Listing {
        let are_few = self.count <= Self::FEW;
        let (head, gap): (&[u8], &[u8]) = if are_few { (b": ", b", ") } else { (b":\n  ", b"\n  ") };
        let mut message = Listing::new().with(what).with(if are_few { b"" } else { todo }).with(head);
        let (lines, mut n) = (self.lines.bytes(), 0);
        while n < lines.len() {
            message.push(if lines[n] == b'\n' { gap } else { lines.split_at(n + 1).0.split_at(n).1 });
            n += 1;
        }
        if self.left > 0 {
            message = message.with(gap).with(b"and more, which there is no room for");
        }
        message.with(if are_few { todo } else { b"" })
    }
}

/// The path to a field, as far as it is needed: it is written down only for a gap.
#[derive(Clone, Copy)]
struct Trail<'t> {
    outer: Option<&'t Trail<'t>>,
    name: &'t str,
}

/// Where fields stand.
#[derive(Clone, Copy)]
struct Inside {
    /// Whether those that are not named are lost.
    open: bool,
    /// Whether they lie in a struct that may be missing, so that it is no matter which of them are there.
    sparse: bool,
}

/// Whether an import must set a field.
const fn is_required(field: &FieldShape, inside: Inside) -> bool {
    !(field.optional || field.nullable || inside.sparse || matches!(field.ty, Type::List(Type::Node(_))))
}

const fn walk(known: &[Known], shape: &'static Shape, inside: Inside, outer: Option<&Trail<'_>>, gaps: &mut Gaps) {
    let mut n = 0;
    while n < shape.fields.len() {
        let field = &shape.fields[n];
        let trail = Trail { outer, name: field.name };
        n += 1;
        let is_required = is_required(field, inside);
        let mark: &[u8] = if is_required { b" (required)" } else { b"" };
        let found = match Known::find(known, field.name.as_bytes()) {
            Some(at) => &known[at],
            None if inside.open => {
                if is_required {
                    gaps.unset.add(&trail, b"");
                }
                continue;
            }
            None => {
                gaps.missing.add(&trail, mark);
                continue;
            }
        };
        let below = seq_of(&found.below);
        match field.ty {
            Type::Node(inner) if !found.covered => {
                let sparse = inside.sparse || field.optional || field.nullable;
                walk(below, inner, Inside { open: found.open, sparse }, Some(&trail), gaps);
            }
            Type::List(Type::Node(inner)) if !found.covered => {
                let items = Trail { outer: Some(&trail), name: "[]" };
                let (below, open) = match Known::find(below, b"[]") {
                    Some(at) => (seq_of(&below[at].below), found.open || below[at].open),
                    None => (&[] as &[Known], found.open),
                };
                walk(below, inner, Inside { open, sparse: false }, Some(&items), gaps);
            }
            _ if found.covered || found.open || !below.is_empty() => {}
            _ => gaps.missing.add(&trail, mark),
        }
    }
}

/// The required fields that nothing is said of. What a struct requires that may be absent may stay
/// unset, and so may lists of rows.
const fn required(known: &[Known], shape: &'static Shape, outer: Option<&Trail<'_>>, missing: &mut List) {
    let mut n = 0;
    while n < shape.fields.len() {
        let field = &shape.fields[n];
        let trail = Trail { outer, name: field.name };
        n += 1;
        let may_be_absent = field.optional || field.nullable;
        let found: &[Known] = match Known::find(known, field.name.as_bytes()) {
            Some(at) if known[at].covered || known[at].open => continue,
            Some(at) => seq_of(&known[at].below),
            None => &[],
        };
        match field.ty {
            Type::Node(inner) if !may_be_absent => required(found, inner, Some(&trail), missing),
            Type::Node(_) => {}
            Type::List(Type::Node(inner)) => {
                if let Some(at) = Known::find(found, b"[]")
                    && !found[at].open
                {
                    let items = Trail { outer: Some(&trail), name: "[]" };
                    required(seq_of(&found[at].below), inner, Some(&items), missing);
                }
            }
            _ if may_be_absent || !found.is_empty() => {}
            _ => missing.add(&trail, b""),
        }
    }
}

const fn path_of(message: &mut Listing, trail: &Trail<'_>) {
    if let Some(outer) = trail.outer {
        path_of(message, outer);
        if !matches!(trail.name.as_bytes(), b"[]") {
            message.push(b".");
        }
    }
    message.push(trail.name.as_bytes());
}

impl Fill {
    /// The constant, if the fill is one.
    pub const fn literal(&self) -> Option<&Literal> {
        match self {
            Self::Is(literal) => Some(literal),
            _ => None,
        }
    }
}
