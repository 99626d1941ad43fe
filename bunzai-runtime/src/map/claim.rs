//! What a map claims of the canonical type it maps to, checked against the type's shape.
//!
//! A macro sees a mapping file but not the Rust types it speaks of; what the macro emits does. So
//! these checks are `const fn`: in a compiled format they run as constant assertions and fail the
//! build, in one loaded at run time the loader calls them. Either way the message is the same.

use super::{Fill, Literal, Types, similar};
use crate::model::{FieldShape, Shape, Type};

/// A text made in a constant.
#[derive(Clone, Copy)]
pub struct Message {
    bytes: [u8; Self::LONGEST],
    length: usize,
}

impl Message {
    const LONGEST: usize = 2048;

    const fn new() -> Self {
        Self { bytes: [0; Self::LONGEST], length: 0 }
    }

    const fn with(mut self, text: &[u8]) -> Self {
        let mut n = 0;
        while n < text.len() && self.length < Self::LONGEST {
            self.bytes[self.length] = text[n];
            self.length += 1;
            n += 1;
        }
        self
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

impl std::fmt::Debug for Message {
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
    /// That it holds one value and no struct or list of structs.
    Leaf,
    /// That it holds a boolean.
    Bool,
    /// That it holds a number.
    Number,
    /// That it holds text.
    Text,
    /// That it holds a list.
    List,
    /// That it holds a struct.
    Node,
    /// That it holds an object with free keys.
    Open,
    /// That a value of one of these JSON types can stand there.
    Is(Types),
    /// That this constant can stand there.
    Fits(&'a Literal),
    /// That this constant can stand there, or in the list there.
    Cell(&'a Literal),
    /// That null can stand there.
    Nullable,
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
}

impl Claim<'_> {
    /// The code of the diagnostic and its text, if the claim is false.
    pub const fn refuted(&self, shape: &'static Shape) -> Option<(&'static str, Message)> {
        let found = match find(shape, self.path.as_bytes()) {
            Ok(found) => found,
            Err(message) => return Some(("B030", message)),
        };
        let holds = match self.want {
            Want::Exists => true,
            Want::Leaf => !matches!(found.ty, Type::Node(_) | Type::List(Type::Node(_))),
            Want::Bool => matches!(item(found.ty), Type::Bool | Type::Any),
            Want::Number => matches!(item(found.ty), Type::Number | Type::Integer { .. } | Type::Any),
            Want::Text => matches!(item(found.ty), Type::Text(_) | Type::Words(_) | Type::Any),
            Want::List => matches!(found.ty, Type::List(_) | Type::Any),
            Want::Node => matches!(found.ty, Type::Node(_)),
            Want::Open => matches!(found.ty, Type::Dict(_)),
            Want::Is(types) => types.meets(json_types(found.ty)),
            Want::Nullable => found.nullable || matches!(found.ty, Type::Any),
            Want::Fits(literal) => match literal {
                Literal::Absent => found.optional,
                Literal::Null => found.nullable || matches!(found.ty, Type::Any),
                literal => fits(found.ty, literal),
            },
            Want::Cell(literal) => match literal {
                Literal::Absent => true,
                Literal::Null => found.nullable || matches!(found.ty, Type::Any),
                literal => fits(item(found.ty), literal) || fits(found.ty, literal),
            },
        };
        if holds {
            return None;
        }
        let message = Message::new().with(b"`").with(self.path.as_bytes()).with(b"` holds ");
        let message = describe(message, found.ty);
        let wanted: &[u8] = match self.want {
            Want::Exists => b"something else",
            Want::Leaf => b"one value",
            Want::Bool => b"a boolean",
            Want::Number => b"a number",
            Want::Text => b"text",
            Want::List => b"a list",
            Want::Node => b"the fields of a struct",
            Want::Open => b"an object with free keys",
            Want::Is(_) => b"another type",
            Want::Nullable => b"null",
            Want::Fits(literal) | Want::Cell(literal) => {
                let message = literal_text(message.with(b", which "), literal);
                return Some(("B031", message.with(b" is not")));
            }
        };
        Some(("B031", message.with(b"; this row needs ").with(wanted)))
    }
}

/// The JSON types that the values of a type have.
const fn json_types(ty: Type) -> Types {
    match ty {
        Type::Text(_) | Type::Words(_) => Types::STRING.or(Types::BLANK),
        Type::Bool => Types::BOOLEAN,
        Type::Number | Type::Integer { .. } => Types::NUMBER.or(Types::INTEGER),
        Type::Any => Types::ANY.or(Types::BLANK),
        Type::List(_) => Types::LIST.or(Types::BLANK),
        Type::Node(_) | Type::Dict(_) => Types::OBJECT.or(Types::BLANK),
        Type::Union(types) => {
            let mut all = Types::NONE;
            let mut n = 0;
            while n < types.len() {
                all = all.or(json_types(types[n]));
                n += 1;
            }
            all
        }
    }
}

/// The type of one value: of a list that of its items.
const fn item(ty: Type) -> Type {
    match ty {
        Type::List(item) => *item,
        ty => ty,
    }
}

/// Walks a dotted path.
#[allow(clippy::result_large_err, reason = "a constant cannot allocate")]
const fn find(shape: &'static Shape, path: &[u8]) -> Result<Found, Message> {
    let mut ty = Type::Node(shape);
    let (mut nullable, mut optional) = (false, false);
    let mut at = 0;
    while at < path.len() {
        if path[at] == b'[' {
            // `[]`
            match ty {
                Type::List(item) => ty = *item,
                _ => return Err(no_list(path, at)),
            }
            (nullable, optional) = (false, false);
            at += 2;
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
        match ty {
            Type::Node(shape) => match shape.find(name) {
                Some(n) => {
                    let field = &shape.fields[n];
                    (ty, nullable, optional) = (field.ty, field.nullable, field.optional);
                }
                None => return Err(no_field(shape, name, path, start)),
            },
            Type::Dict(item) => (ty, nullable, optional) = (*item, matches!(item, Type::Any), true),
            Type::Any => (nullable, optional) = (true, true),
            _ => return Err(nothing_inside(path, start)),
        }
        if at < path.len() && path[at] == b'.' {
            at += 1;
        }
    }
    Ok(Found { ty, nullable, optional })
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
    Message::new().with(b"`").with(path.split_at(at).0).with(b"` is no list; `[]` has nothing to range over")
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
        (Type::Dict(_) | Type::Node(_), Literal::Object(_)) => true,
        _ => false,
    }
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

/// Whether every path of a kind is spoken for.
#[derive(Debug, Clone, Copy)]
pub struct Coverage<'a> {
    /// The paths that rows, joins and stamps set, and whether they set them in every import.
    pub mapped: &'a [(&'a str, bool)],
    /// The paths declared lost; `bag.*` is what the rows leave over of `bag`.
    pub lost: &'a [&'a str],
}

impl Coverage<'_> {
    /// The text of what is not spoken for, with its place; nothing where a claim of some row is
    /// false, which is told instead.
    pub const fn gaps_at(
        &self,
        rows: &[&[Site<'_>]],
        shape: &'static Shape,
        place: &str,
        excerpt: &str,
    ) -> Option<Message> {
        let mut n = 0;
        while n < rows.len() {
            if Site::first_refuted(rows[n], shape).is_some() {
                return None;
            }
            n += 1;
        }
        match self.gaps(shape) {
            Some((code, message)) => Some(message.at(code, place, excerpt)),
            None => None,
        }
    }

    /// Every path that is neither mapped nor lost, or required and never set; none: all is well.
    pub const fn gaps(&self, shape: &Shape) -> Option<(&'static str, Message)> {
        let mut gaps = Gaps { missing: Message::new(), unset: Message::new() };
        gaps = self.walk(shape, Message::new(), gaps, 0);
        if gaps.missing.length > 0 {
            let message = Message::new().with(b"neither mapped nor in `lost`: ").with(gaps.missing.bytes());
            return Some(("B032", message));
        }
        if gaps.unset.length > 0 {
            let message = Message::new().with(b"required, and not every import sets them: ").with(gaps.unset.bytes());
            return Some(("B033", message.with(b"; give their rows `or` or `need`, or stamp them")));
        }
        None
    }

    const fn walk(&self, shape: &Shape, path: Message, mut gaps: Gaps, depth: usize) -> Gaps {
        let mut n = 0;
        while n < shape.fields.len() {
            let field = &shape.fields[n];
            let mut here = path;
            if here.length > 0 {
                here = here.with(b".");
            }
            here = here.with(field.name.as_bytes());
            gaps = self.field(field, here, gaps, depth);
            n += 1;
        }
        gaps
    }

    const fn field(&self, field: &FieldShape, path: Message, mut gaps: Gaps, depth: usize) -> Gaps {
        if let Some(set) = self.mapped(path.bytes()) {
            if !set && !field.optional && !field.nullable && !matches!(field.ty, Type::List(Type::Node(_))) {
                gaps.unset = listed(gaps.unset, path.bytes());
            }
            // A list of rows is mapped item field by item field.
            if !matches!(field.ty, Type::List(Type::Node(_))) {
                return gaps;
            }
        }
        if self.lost(path.bytes()) {
            if !field.optional && !field.nullable {
                gaps.unset = listed(gaps.unset, path.bytes());
            }
            return gaps;
        }
        match field.ty {
            Type::Node(inner) if depth < 12 && self.touches(path.bytes()) => self.walk(inner, path, gaps, depth + 1),
            Type::List(Type::Node(inner)) if depth < 12 && self.touches(path.bytes()) => {
                self.walk(inner, path.with(b"[]"), gaps, depth + 1)
            }
            _ => {
                gaps.missing = listed(gaps.missing, path.bytes());
                gaps
            }
        }
    }

    /// Whether a path is mapped, and if so whether every import sets it.
    const fn mapped(&self, path: &[u8]) -> Option<bool> {
        let mut n = 0;
        while n < self.mapped.len() {
            if crate::model::bytes_equal(self.mapped[n].0.as_bytes(), path) {
                return Some(self.mapped[n].1);
            }
            n += 1;
        }
        None
    }

    /// Whether a path is lost, by its own name or by `.*` on what holds it.
    const fn lost(&self, path: &[u8]) -> bool {
        let mut n = 0;
        while n < self.lost.len() {
            let lost = self.lost[n].as_bytes();
            if crate::model::bytes_equal(lost, path) {
                return true;
            }
            if let [holder @ .., b'.', b'*'] = lost
                && (crate::model::bytes_equal(holder, path) || is_below(holder, path))
            {
                return true;
            }
            n += 1;
        }
        false
    }

    /// Whether something below a path is mapped or lost.
    const fn touches(&self, path: &[u8]) -> bool {
        let mut n = 0;
        while n < self.mapped.len() {
            if is_below(path, self.mapped[n].0.as_bytes()) {
                return true;
            }
            n += 1;
        }
        n = 0;
        while n < self.lost.len() {
            if is_below(path, self.lost[n].as_bytes()) {
                return true;
            }
            n += 1;
        }
        false
    }
}

#[derive(Clone, Copy)]
struct Gaps {
    missing: Message,
    unset: Message,
}

const fn listed(list: Message, path: &[u8]) -> Message {
    let list = if list.length > 0 { list.with(b", ") } else { list };
    list.with(b"`").with(path).with(b"`")
}

/// Whether `path` is `holder` and something after it.
const fn is_below(holder: &[u8], path: &[u8]) -> bool {
    path.len() > holder.len()
        && crate::model::bytes_equal(path.split_at(holder.len()).0, holder)
        && matches!(path[holder.len()], b'.' | b'[')
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
