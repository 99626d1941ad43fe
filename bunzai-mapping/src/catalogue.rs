//! Every diagnostic there is. `docs/errors.md` is made of this list.

/// An entry of the catalogue.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `B012`
    pub id: &'static str,
    /// What is wrong, in a few words.
    pub title: &'static str,
    /// When it is told.
    pub cause: &'static str,
    /// What to do.
    pub fix: &'static str,
}

impl Code {
    /// The entry of an id.
    pub fn of(id: &str) -> &'static Self {
        CODES.iter().find(|code| code.id == id).unwrap_or(&CODES[0])
    }
}

macro_rules! codes {
    ($($id:literal $title:literal $cause:literal $fix:literal)*) => {
        /// Every diagnostic there is, in the order of the ids.
        pub static CODES: &[Code] = &[$(Code { id: $id, title: $title, cause: $cause, fix: $fix }),*];
    };
}

codes! {
    "B000" "unknown diagnostic"
        "Never told; it stands for an id that is not in this list."
        "Report it."
    "B001" "not TOML"
        "The file breaks the grammar of TOML 1.1, or holds a value that has no meaning here (a date, an infinite number)."
        "Mend the syntax at the place shown. Every syntax error of the file is listed."
    "B002" "unknown word"
        "A key is not one of the words that may stand there."
        "Use the word that is suggested. `docs/mapping.md` has every word and where it may stand."
    "B003" "wrong type of value"
        "A word was given a value of another type than it takes."
        "Write the value as the message says."
    "B004" "word not built yet"
        "The word belongs to the language, but this version does not carry it out. It is refused so that nothing is read half."
        "Leave it out, or use a version that has it."
    "B005" "unknown choice"
        "A word takes one of a few choices, and this is none of them."
        "Use one of the choices listed."
    "B006" "missing word"
        "A word without which the file or the part of it means nothing is not there."
        "Add the word."
    "B007" "malformed path"
        "A path has an empty step, or a `[]` or `@` word where there can be none."
        "Paths are keys joined by dots; `[]` after a key ranges over a list, `\\.` is a dot in a key, `.` alone is the value itself."
    "B008" "this word cannot stand here"
        "Two words of a row exclude each other, or a word needs another one that is not there."
        "Remove one of them, or add the other."
    "B009" "endless map"
        "A map opens itself with `each` or `map`, directly or by way of others."
        "Give the inner place a map of its own."
    "B010" "unknown map"
        "`each` or `map` names a map that is not under `[maps]`."
        "Use the name that is suggested, or add the map."
    "B011" "unknown table"
        "`table` names a table that is not under `[tables]`."
        "Use the name that is suggested, or add the table."
    "B012" "unused"
        "A table or a map that nothing refers to."
        "Remove it, or refer to it."
    "B013" "two owners of one slot"
        "Two rows have the same wire path, or one path lies inside the value of another."
        "Keep one row for the slot."
    "B014" "two owners of one path"
        "Two rows or stamps set the same canonical path."
        "Keep one; read other wire places of it with `also`."
    "B015" "both mapped and lost"
        "A canonical path is in `lost`, and a row, a join or a stamp sets it."
        "Remove it from `lost`."
    "B016" "a gate that says nothing"
        "A shape has no condition that something must meet, or conditions that no document can meet together."
        "Give the shape conditions that its documents meet and others do not."
    "B017" "need outside the gate"
        "A row says `need`, and the gate of a shape lets documents through that lack the slot."
        "Demand the slot, with its type, in `all` of every shape."
    "B018" "nothing for a slot that must be there"
        "A row says `need` and `gone = \"null\"`: a needed slot that says null is not one."
        "Use another `gone`."
    "B019" "identity without a row"
        "`by` names a wire key that the map of the rows has no row for."
        "Add the row that maps the key, or name another key."
    "B020" "unreachable table row"
        "An earlier row of the table is met by everything this row is met by."
        "Move the row up, or remove it."
    "B021" "table row that writes nothing"
        "A row under `write` has a wire cell that is no value, so that there is nothing to write."
        "Give the row the wire value that its model value is written as."
    "B022" "wrong number of cells"
        "A table row has more or fewer cells than its table has columns."
        "Give each row one cell for each column, wire cells first."
    "B030" "no such field"
        "A canonical path leads to a field that the kind does not have."
        "Use the field that is suggested. `docs/fields/` lists the fields of every kind."
    "B031" "type of the model"
        "The words of a row, or a constant in it, do not agree with the type of the canonical field."
        "Change the word or the constant, or map to another field."
    "B032" "path not covered"
        "A field of the kind is neither mapped nor declared `lost`, so that losing it would be silent."
        "Map it, or add it to `lost`."
    "B033" "field never set"
        "The kind requires a field, and a document can be imported without setting it."
        "Give its row `or` or `need`, or stamp it."
    "B034" "unknown kind"
        "There is no kind of this name, or the body that the codec is for is of another kind."
        "Use one of the kinds listed, or the body of the kind."
    "B040" "malformed attribute"
        "A `#[codec(...)]` attribute cannot be read."
        "Arguments are words, `word = value` or `word(...)`, separated by commas."
}

#[cfg(test)]
mod tests {
    use super::CODES;

    #[test]
    fn ids_are_unique_and_in_order() {
        assert!(CODES.windows(2).all(|pair| pair[0].id < pair[1].id));
    }
}
