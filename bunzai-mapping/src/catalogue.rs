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
        "A key is not one of the words that may stand there; or the map of a regex has a key besides `source`, `flags` and `literal`."
        "Use the word that is suggested. `docs/mapping.md` has every word and where it may stand."
    "B003" "wrong type of value"
        "A word was given a value of another type than it takes."
        "Write the value as the message says."
    "B005" "unknown choice"
        "A word takes one of a few choices, and this is none of them; or a value is none that the slot can hold, or begins with `@` and is no word."
        "Use one of the choices listed, or a value of the slot's type. Text that begins with `@` is written `@@`."
    "B006" "missing word"
        "A word without which the file or the part of it means nothing is not there, or is a list of nothing: slots or paths of a join, `to` or `each` of a row."
        "Add the word, or name something in the list; or remove what means nothing without it."
    "B007" "malformed path"
        "A path has an empty step, a bracket that is not `[]` or `[*]`, or a range or `@` word where there can be none: a wire path is one place, and so is what a stamp sets. Or the name in `via` is no path of Rust."
        "Paths are keys joined by dots; `\\.` is a dot in a key, `.` alone is the value itself. `[]` after a key of a canonical path is every row of a list; in a condition `[]` or `[*]` is every item of a list, or every member of an object. For the items of a list in the file give the list a row with `each`; a stamp in the map that reads them is one of every row. What `@file.stem` and `@index` would give in `also` gives `or`: `{ file = \"stem\" }`, `{ count = 0 }`."
    "B008" "this word cannot stand here"
        "Two words exclude each other, or a word needs another one that is not there; a derived value is made of what is derived itself, or of an identity that may be missing; `when` stands in a map that is not chosen among others, or the maps of rows that several maps read hold what such rows cannot have."
        "Remove one of them, or add the other. The message names both."
    "B009" "endless map"
        "A map opens itself with `each` or `map`, directly or by way of others, so that it would never end; or maps are `like` each other in a circle; or maps open each other so often that they are used in more than 2,000 places."
        "A map reads as deep as it is written: give every level that the files have a map of its own, and leave what lies deeper in the original. Of maps in a circle of `like` let one stand for itself."
    "B010" "unknown map"
        "`each` or `map` of a row, `map` of a shape or `like` of a map names a map that is not under `[maps]`. What it would have read is not checked then."
        "Use the name that is suggested, or add `[maps.NAME.fields]`."
    "B011" "unknown table"
        "`table` of a row, of an entry of `also` or of a join names a table that is not under `[tables]`."
        "Use the name that is suggested, or add `[tables.NAME]` with `rows`."
    "B012" "unused"
        "A table, a map or a pick that nothing refers to, or a part of which a file has nothing, so that it has no effect."
        "Remove it, or refer to it."
    "B013" "two owners of one slot"
        "Two rows have the same wire path, the places of `also` among them, or one path lies inside the value of another; or a join or an `order` writes a slot that a row with `to` or another join writes, or a part of the slot of a row; or the map of an item in the list of an `order` has a row for the key that names the row, or for one that the map of the row has."
        "Keep one row for the slot; what lies inside its value belongs in a map that the row opens. Leave a slot that a join or an `order` writes without `to`, or let the join only test it (`@any`, `@some`). A row for the description and the place of such a slot in a new file has its whole path: `\"prompt_order[main].order\" = { is = \"list\", fresh = [] }`, and not `prompt_order`."
    "B014" "two owners of one path"
        "Two rows, joins or stamps set the same canonical path, or one sets a path and another something inside it; or two maps set one path; or `gather` stands outside of the map that reads the rows. A row and a join may set one path together, the join having the last word; so may rows with `has`, each with another word, and a row may set a key of the object of `rest`."
        "Keep one, and say all of one path in one map; read other wire places of the path with `also`, and what several slots say together with a join."
    "B015" "both mapped and lost"
        "A canonical path is in `lost`, and a row, a join or a stamp sets it or something inside it, also in the map of a single shape; or it is in `lost` twice."
        "Remove it from `lost`. Where a part of it is set, name the other parts, or write `x.*` for what is left over of `x`."
    "B016" "a gate that says nothing"
        "A shape has no condition that something must meet (`none` alone takes every file), or conditions that no document can meet together."
        "Give the shape conditions that its documents meet and others do not."
    "B017" "need outside the gate"
        "A row of the root map says `need`, and the gate of a shape lets documents through that lack the slot, or have another type there."
        "Demand the slot, with its type, in `all` of every shape: `{ at = \"name\", is = \"string\" }`. `at` is counted from the document, also where the shape starts elsewhere."
    "B018" "nothing for a slot that must be there"
        "A row says `need` and `gone = \"null\"`: a needed slot that says null is not one."
        "Use another `gone`."
    "B019" "identity without a row"
        "`by` names a wire key that the map of the rows has no row with `to` for, or `of` one that it has no row for."
        "Add the row for the key, or name another key."
    "B020" "unreachable table row or map"
        "An earlier row of the table is met by everything this row is met by; or a map in a list of `each` stands behind one that reads all its rows: one without `when`, or with the same, which `like` brings along."
        "Move the row or the map up, or remove it. Rows that test (`@any`, `@some`) stand last, and so does a map without `when`. Two maps that share rows are both `like` a third without `when`."
    "B021" "table row that writes nothing"
        "A row under `write` has only testing wire cells (`@any`, `@some`, `{ has = V }`) for the slots that may be written, which those of `see` are not, so that there is nothing to write; or a row under `rows` of a table with one path has such a model cell, so that there is nothing to read."
        "Give the row the value that is written, or read."
    "B022" "wrong number of cells"
        "A table row has more or fewer cells than its table has columns."
        "Give each row one cell for each slot and each path: in `rows` wire cells first, in `write` model cells first."
    "B025" "no part"
        "`use` names a file that cannot be read or is no part, or parts use each other in a circle. `bunzai::load` alone reads no other files; `bunzai::load_with` does."
        "Mend the path, which starts at the folder of the file that uses the part, or give the file the word `part`."
    "B026" "one name twice"
        "Two parts, or a part and the file, have a map or a table of one name, which the file mentions; or two parts are called the same."
        "Call one of them otherwise."
    "B027" "no value of a part"
        "Text that begins with `@` and has a dot names the value of a part, `@stock.prompts`, and no part that the file uses has it; or the value is made of itself; or the values that the file names come to more than a file may have, 1,048,576 bytes, or name each other through more than 100."
        "Use the name that is suggested, or `use` the part. Text that is to begin with `@` begins with `@@`. Of what comes to too much name less, or say it in the file."
    "B028" "no pick"
        "A wire path names a pick, `rows[name]`, that is not under `[pick]`; or it stands in a map that a row opens, where no pick leads."
        "Use the name that is suggested, add `[pick.NAME]`, or let a row of the fields lead to the place."
    "B030" "no such field"
        "A canonical path leads to a field that the kind does not have; those of `write` and `lean` too, which ask about the model."
        "Use the field that is suggested. `docs/fields/` lists the fields of every kind."
    "B031" "type of the model"
        "The words of a row, or a constant in it, do not agree with the type of the canonical field: `each` needs a list, `map` a struct, `rest` an object of any content, `flags` and `gather` booleans, `clamp` a number, `lone` and `split:` a list, `wrap` a text, and several paths in `to` one type."
        "Change the word or the constant, or map to another field."
    "B032" "path not covered"
        "A field of the kind is neither mapped, by one of the maps that shapes have, nor declared `lost`, so that losing it would be silent. The message has them all, and marks those that the kind requires."
        "Map it, or stamp it, or add it to `lost`; `x.*` in `lost` is everything in `x` that is not mapped. What is marked as required cannot be lost (B033)."
    "B033" "field never set"
        "The kind, or the rows of one of its lists, require a field, and a document can be imported without setting it, or the map of a shape says nothing of it; or a required field is in `lost`. What a struct requires that may be absent may stay unset, and so may lists of rows; both may be in `lost`."
        "As the message says: give its row `or` or `need` (`or = []` where a list of plain items becomes rows), stamp it, or let a join have a row that always sets it. Of several maps that read such rows each sets it."
    "B034" "unknown kind"
        "There is no kind of this name, or the body that the codec is for is of another kind. A mapping file that is loaded at run time can only be for a built-in kind."
        "Use one of the kinds listed, or the body of the kind. A kind of your own is known where its codec is compiled."
    "B035" "Rust code that is not there"
        "A mapping file that is loaded at run time names Rust code with `via`, and only a compiled codec has such code."
        "Compile the file into a codec with `codec!` or `formats!`, or say it with other words."
    "B036" "unknown format"
        "`format` of a `linked` names a format that there is not: none of the built-in ones, and of no mapping file that is checked or loaded together with this one."
        "Use the name that is suggested, or check and load the mapping file of that format too."
    "B037" "one format twice"
        "Two mapping files that are checked or loaded together declare the same format."
        "Give one of them another id, or leave it out. A file may take the place of a built-in format."
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
