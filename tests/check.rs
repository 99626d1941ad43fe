//! Mapping files that are wrong: every diagnostic of the catalogue, where it is told and how.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may stop where it stands")]

use bunzai_mapping::tree::{Node, Tree};
use bunzai_mapping::{CODES, Shown};

/// Stands in a source before the place that a diagnostic must name.
const HERE: char = '«';

/// A mapping of personas with which nothing is wrong.
const PERSONA: &str = r#"format = "acme"
kind   = "persona"
label  = "Acme persona"
lost   = ["brief", "sections", "sectionOrder", "traits", "identity", "presentation", "knowledgeRefs", "rating",
          "chatInjection", "attribution", "media"]

[detect]
all = [{ at = "name", is = "string" }, { at = "text", is = "string" }]

[fields]
name = { to = "name", need = true }
text = { to = "content", need = true }
"#;

/// A mapping of personas that hold a linked piece, with which nothing is wrong.
const LINKED: &str = r#"format = "acme"
kind   = "persona"
label  = "Acme persona"
lost   = ["brief", "sections", "sectionOrder", "traits", "identity", "presentation", "rating", "chatInjection",
          "attribution", "media"]

[detect]
all = [{ at = "name", is = "string" }, { at = "text", is = "string" }]

[[linked]]
format = "acme-notes"
to     = "knowledgeRefs"
at     = ["bag.notes"]
name   = { concat = ["@name", " notes"] }

[fields]
name = { to = "name", need = true }
text = { to = "content", need = true }

[sealed]
bag = { is = "object" }
"#;

/// A mapping of rules with which nothing is wrong.
const RULES: &str = r#"format = "acme-rules"
kind   = "regex"
label  = "Acme rules"
lost   = ["description", "enabled", "rules[].note", "rules[].useFlags", "rules[].trimStrings", "rules[].targets",
          "rules[].substituteFind", "rules[].minDepth", "rules[].maxDepth", "rules[].runOnEdit",
          "rules[].characterIds", "rules[].firstMatchOnly", "rules[].condition", "rules[].overlay", "rules[].extras"]

[detect]
all = [{ at = "set", is = "string" }, { at = "rules[*].id", is = "string" }]

[fields]
set   = { to = "name", need = true }
rules = { to = "rules", each = "rule", by = "id" }

[maps.rule.fields]
id      = { to = "id", need = true }
label   = { to = "label", or = "" }
find    = { to = "find", or = "" }
flags   = { to = "flags", or = "" }
replace = { to = "replace", or = "" }
phases  = { to = "phases", table = "phase", or = [] }
on      = { to = "enabled", as = "bool|bool:text", or = true }
order   = { to = "sortOrder", or = 0 }

[tables.phase]
rows = [["in", "input"], ["out", "output"]]
"#;

/// A part: a table of the same name as that of the rules, and a value.
const PART: &str = r#"part = "shared"

[tables.phase]
rows = [["in", "input"]]

[values]
label = "No name"
round = "@shared.round"
rules = [{ id = "a", label = "A" }]
"#;

/// The parts beside the mapping files of the cases.
fn open(path: &str) -> Result<String, String> {
    match path {
        "shared.toml" => Ok(PART.to_owned()),
        "plain.toml" => Ok(PERSONA.to_owned()),
        "circle.toml" => Ok("part = \"circle\"\nuse = [\"circle.toml\"]\n".to_owned()),
        _ => Err("there is none".to_owned()),
    }
}

/// A mapping of prompts of which some open groups, with which nothing is wrong.
const PROMPTS: &str = r#"format = "acme-prompts"
kind   = "preset"
label  = "Acme prompts"
lost   = ["description", "enabled", "choices", "behaviorRefs", "quickReplyRefs", "reasoning", "samplerSet", "samplers",
          "systemPrompts", "templates", "behavior", "apiOptions", "media", "generation", "prompts[].attachments",
          "prompts[].wrapInXml", "prompts[].xmlTagName", "prompts[].extras", "prompts[].injectionTrigger",
          "prompts[].markerSlot", "groups[].order", "groups[].extras"]

[detect]
all = [{ at = "rows", is = "list" }]

[fields]
name = { to = "name", or = "" }

[fields.rows]
to    = "prompts"
each  = "prompt"
by    = "id"
order = { at = "order", by = "ref", map = "item", unlisted = { on = false } }

[[fields.rows.heads]]
to   = "groups"
maps = ["group", "inner"]
item = "groupItem"
fill = "groupId"
up   = "parentGroupId"

[[fields.rows.heads]]
to   = "groups"
maps = ["line"]
fill = "groupId"

[maps.prompt.fields]
id   = { to = "id" }
name = { to = "name", or = "" }
text = { to = "content", or = "" }
role = { to = "role", or = "system" }

[maps.prompt.stamp]
systemPrompt    = false
marker          = false
placement       = "relative"
injectionDepth  = 4
injectionOrder  = 100
forbidOverrides = false
isDefault       = true

[maps.item.fields]
on = { to = "enabled", or = true }

[maps.group]
when = { none = [{ at = "role", eq = "user" }] }

[maps.group.fields]
id   = { to = "id" }
name = { to = "name", wrap = ["=", "="], need = true }
text = { to = "content", blank = "omit" }

[maps.inner]
like = "group"

[maps.inner.fields]
name = { to = "name", wrap = ["<", ">"], need = true }

[maps.line.fields]
id   = { to = "id" }
name = { to = "name", wrap = { of = "-", least = 2, new = ["-- ", " --"] }, need = true }

[maps.groupItem.fields]
on = { to = "enabled" }
"#;

/// One mistake: the code, a good source, what is replaced in it by what, and a part of the message.
type Case = (&'static str, &'static str, &'static [(&'static str, &'static str)], &'static str);

/// The rule finds what a regex says, with a map of its own.
const FIND_IS_A_REGEX: (&str, &str) = (
    "find    = { to = \"find\", or = \"\" }\nflags   = { to = \"flags\", or = \"\" }",
    "find = { map = \"re\", text = { regex = \"gi\" } }",
);

/// Documents of a second shape are read with a map of its own.
const TWO_SHAPES: (&str, &str) = ("[detect]\nall", "[[shapes]]\n[[shapes]]\nmap = \"old\"\n[detect]\nall");

const CASES: &[Case] = &[
    ("B007", PERSONA, &[("lost   =", "use    = [«\"../../x.toml\"]\nlost   =")], "no path of a part"),
    ("B012", PERSONA, &[("lost   =", "use    = [«\"shared.toml\"]\nlost   =")], "nothing of the part `shared`"),
    ("B025", PERSONA, &[("lost   =", "use    = [«\"nowhere.toml\"]\nlost   =")], "cannot be read: there is none"),
    ("B025", PERSONA, &[("lost   =", "use    = [«\"plain.toml\"]\nlost   =")], "is no part"),
    ("B025", PERSONA, &[("lost   =", "use    = [«\"acme.toml\"]\nlost   =")], "uses itself"),
    (
        "B026",
        RULES,
        &[("lost   =", "use    = [\"shared.toml\"]\nlost   ="), ("[tables.phase]", "[tables.«phase]")],
        "stands in shared.toml too",
    ),
    (
        "B027",
        RULES,
        &[("\"label\", or = \"\"", "\"label\", or = «\"@shared.label\"")],
        "no part that is used here has a value `shared.label`",
    ),
    ("B028", PERSONA, &[("text = {", "«\"a[who].b\" = { is = \"string\" }\ntext = {")], "there is no pick `who`"),
    (
        "B012",
        PERSONA,
        &[("text = {", "text = {"), ("[fields]", "[pick.«who]\nat = \"a\"\nby = \"@key\"\nis = [\"x\"]\n\n[fields]")],
        "the pick `who` is used by nothing",
    ),
    (
        "B013",
        PERSONA,
        &[
            ("[fields]", "[pick.who]\nat = \"a\"\nby = \"@key\"\nis = [\"x\"]\n\n[fields]"),
            ("text = {", "\"a[who].b\" = { is = \"string\" }\n«\"a.x\" = { is = \"object\" }\ntext = {"),
        ],
        "overlap",
    ),
    (
        "B013",
        PERSONA,
        &[
            ("[fields]", "[pick.who]\nat = \"a\"\nby = \"@key\"\nis = [{ wire = \"text\" }]\nnew = \"y\"\n\n[fields]"),
            ("text = {", "\"a[who].b\" = { is = \"string\" }\n«text = {"),
        ],
        "says which row `who` is",
    ),
    (
        "B006",
        PERSONA,
        &[
            ("[fields]", "[pick.«who]\nat = \"a\"\nby = \"@key\"\nis = [\"@first\"]\n\n[fields]"),
            ("text = {", "\"a[who].b\" = { is = \"string\" }\ntext = {"),
        ],
        "`new` is missing",
    ),
    (
        "B014",
        PERSONA,
        &[
            ("\"knowledgeRefs\", ", ""),
            ("text = {", "refs = { to = \"knowledgeRefs\" }\none = { to = «\"knowledgeRefs[0]\" }\ntext = {"),
        ],
        "as a whole elsewhere",
    ),
    (
        "B030",
        PERSONA,
        &[("\"knowledgeRefs\", ", ""), ("text = {", "one = { to = «\"knowledgeRefs[id=x]\" }\ntext = {")],
        "have no text `id`",
    ),
    ("B001", PERSONA, &[("kind   = \"persona\"", "kind   = «persona")], ""),
    ("B001", PERSONA, &[("label  = \"Acme persona\"", "label  = «2026-04-01")], "a date means nothing here"),
    ("B001", PERSONA, &[("need = true }\ntext", "need = true, fresh = «inf }\ntext")], "no finite number"),
    ("B001", RULES, &[("or = 0 }", "or = «99999999999999999999 }")], "too large"),
    (
        "B002",
        PERSONA,
        &[("label  =", "label  = \"Acme\"\n«lable  =")],
        "unknown word `lable` in a mapping file; did you mean `label`?",
    ),
    (
        "B002",
        PERSONA,
        &[("need = true }\ntext", "«ned = true }\ntext")],
        "unknown word `ned` in a row; did you mean `need`?",
    ),
    ("B002", PERSONA, &[("need = true }\ntext", "need = true, «score = 1 }\ntext")], "it belongs in a gate"),
    ("B002", PERSONA, &[("{ at = \"name\",", "{ at = \"name\", «kind = 1,")], "in a condition"),
    ("B002", RULES, &[("rows = [[", "«row = 1\nrows = [[")], "in a table"),
    ("B002", RULES, &[("[maps.rule.fields]", "[maps.rule.«feilds]\n[maps.rule.fields]")], "did you mean `fields`?"),
    (
        "B002",
        PERSONA,
        &[("name = {", "deep.«inner = { is = \"string\" }\nname = {")],
        "a wire path with dots is quoted",
    ),
    (
        "B003",
        PERSONA,
        &[("need = true }\ntext", "need = «\"yes\" }\ntext")],
        "`need` takes `true` or `false`, and this is text",
    ),
    ("B003", PERSONA, &[("name = {", "more = «5\nname = {")], "`more` takes a table"),
    (
        "B005",
        PERSONA,
        &[("need = true }\ntext", "need = true, gone = «\"vanish\" }\ntext")],
        "\"keep\", and not \"vanish\"",
    ),
    ("B005", RULES, &[("as = \"bool|bool:text\"", "as = «\"bool|bool:txt\"")], "did you mean `bool:text`?"),
    ("B005", PERSONA, &[("[fields]", "score = «2\n[fields]")], "at most 1"),
    ("B005", PERSONA, &[("need = true }\ntext", "need = true, fresh = «\"@nul\" }\ntext")], "written `@@nul`"),
    ("B006", PERSONA, &[("label  = \"Acme persona\"", "label  = «\"\"")], "`label` is missing"),
    ("B006", PERSONA, &[("{ at = \"name\", is", "«{ is = \"any\" }, { at = \"name\", is")], "`at` is missing"),
    (
        "B006",
        RULES,
        &[("[tables.phase]\nrows = [[\"in\", \"input\"], [\"out\", \"output\"]]", "[tables.«phase]\nelse = \"pass\"")],
        "no `rows`",
    ),
    ("B007", PERSONA, &[("to = \"content\"", "to = «\"content.\"")], "has an empty step"),
    ("B007", PERSONA, &[("\"media\"]", "«\"media[0]\"]")], "a single item is not lost by itself"),
    ("B007", PERSONA, &[("name = {", "«\"a..b\" = { is = \"string\" }\nname = {")], "has an empty step"),
    ("B007", PERSONA, &[("name = {", "«\"a[\" = { is = \"string\" }\nname = {")], "is not closed"),
    ("B007", PERSONA, &[("name = {", "«\"list[].x\" = { is = \"string\" }\nname = {")], "is many places"),
    ("B007", PERSONA, &[("name = {", "«\"@file.size\" = { to = \"brief\" }\nname = {")], "no place"),
    ("B008", PERSONA, &[("name = {", "extra = { is = \"string\", «gone = \"null\" }\nname = {")], "`gone` needs `to`"),
    ("B008", RULES, &[("by = \"id\"", "by = \"id\", «as = \"unique\"")], "cannot stand beside `each`"),
    ("B008", PERSONA, &[("{ at = \"name\", is", "«{ at = \"name\", eq = \"N\", is")], "asks one thing"),
    ("B010", RULES, &[("or = 0 }", "or = 0 }\nmore = { map = «\"ruel\" }")], "did you mean `rule`?"),
    (
        "B009",
        RULES,
        &[("or = 0 }", "or = 0 }\nmore = { map = \"again\" }\n[maps.«again.fields]\ndeep = { map = \"again\" }")],
        "opens itself",
    ),
    ("B011", RULES, &[("{ to = \"flags\",", "{ to = \"flags\", table = «\"phaze\",")], "did you mean `phase`?"),
    ("B012", PERSONA, &[("[fields]", "[tables.«spare]\nrows = [[1, 2]]\n[fields]")], "the table `spare`"),
    ("B012", PERSONA, &[("[fields]", "[maps.«spare.fields]\nx = { to = \"name\" }\n[fields]")], "the map `spare`"),
    (
        "B013",
        PERSONA,
        &[("text = {", "«\"name.first\" = { is = \"string\" }\ntext = {")],
        "`name.first` and `name` overlap",
    ),
    (
        "B013",
        PERSONA,
        &[
            ("need = true }\ntext", "need = true }\nbio = { is = \"string\", about = \"x\" }\ntext"),
            ("\"content\", need = true", "\"content\", or = \"\", also = «[\"bio\"]"),
            ("{ at = \"text\", is = \"string\" }", "{ at = \"text\" }"),
        ],
        "has a row already",
    ),
    ("B013", PERSONA, &[("[fields]", "[sealed]\n«text = { is = \"string\" }\n[fields]")], "has a row already"),
    ("B002", LINKED, &[("name   = {", "«names = 1\nname   = {")], "did you mean `name`?"),
    ("B003", LINKED, &[("at     = [\"bag.notes\"]", "at     = «\"bag.notes\"")], "`at` takes a list"),
    ("B003", LINKED, &[("name   = { concat", "name   = «{ slug = \"name\" } #")], "`name` takes text, or a `concat`"),
    ("B006", LINKED, &[("[[linked]]", "«[[linked]]"), ("to     = \"knowledgeRefs\"", "")], "`to` is missing"),
    ("B006", LINKED, &[("[\"bag.notes\"]", "«[]")], "`at` names no slot"),
    ("B007", LINKED, &[("[\"bag.notes\"]", "[«\"bag[].notes\"]")], "`at` is one place"),
    ("B007", LINKED, &[("[\"bag.notes\"]", "[«\".\"]")], "the document itself is no slot of it"),
    ("B013", LINKED, &[("[\"bag.notes\"]", "[«\"text.notes\"]")], "`text.notes` and `text` overlap"),
    ("B013", LINKED, &[("[\"bag.notes\"]", "[\"a\", «\"a\"]")], "the slot `a` is named twice"),
    (
        "B014",
        LINKED,
        &[("text = {", "refs = { to = \"knowledgeRefs\" }\ntext = {"), ("to     = \"", "to     = «\"")],
        "is set elsewhere too",
    ),
    (
        "B014",
        LINKED,
        &[(
            "[fields]",
            "[[linked]]\nformat = \"acme-cards\"\nto = «\"knowledgeRefs\"\nat = [\"bag.cards\"]\nname = \"Cards\"\n[fields]",
        )],
        "`knowledgeRefs` is set by another `[[linked]]`",
    ),
    ("B015", LINKED, &[("\"media\"]", "\"media\", «\"knowledgeRefs\"]")], "is lost, and set"),
    ("B030", LINKED, &[("to     = \"knowledgeRefs\"", "to     = «\"knowledgeRef\"")], "did you mean `knowledgeRefs`?"),
    ("B030", LINKED, &[("name   = { concat = [\"@name\"", "name   = «{ concat = [\"@nmae\"")], "did you mean `name`?"),
    (
        "B031",
        LINKED,
        &[
            ("\"media\"]", "\"media\", \"knowledgeRefs\"]"),
            ("\"brief\", ", ""),
            ("to     = \"knowledgeRefs\"", "to     = «\"brief\""),
        ],
        "a list",
    ),
    ("B014", PERSONA, &[("text = {", "title = { to = «\"name\" }\ntext = {")], "`name` is set elsewhere too"),
    ("B014", PERSONA, &[("[fields]", "[stamp]\n«name = \"N\"\n[fields]")], "`name` is set elsewhere too"),
    ("B015", PERSONA, &[("\"media\"]", "\"media\", «\"content\"]")], "`content` is lost, and set"),
    (
        "B016",
        PERSONA,
        &[("[detect]\nall = [", "[«detect]\nall = [{ at = \"text\", is = \"number\" }, ")],
        "no document can meet this gate",
    ),
    (
        "B016",
        PERSONA,
        &[("[detect]\n", "[«detect]\nnone = [{ at = \"name\", is = \"string\" }]\n")],
        "no document can meet this gate",
    ),
    (
        "B016",
        PERSONA,
        &[
            (
                "[detect]\nall = [{ at = \"name\", is = \"string\" }, { at = \"text\", is = \"string\" }]",
                "[«detect]\nnone = [{ at = \"other\" }]",
            ),
            ("\"name\", need = true", "\"name\", or = \"\""),
            ("\"content\", need = true", "\"content\", or = \"\""),
        ],
        "claims every file",
    ),
    (
        "B017",
        PERSONA,
        &[("[detect]\nall = [{ at = \"name\", is = \"string\" }, ", "[«detect]\nall = [")],
        "`name` must be there",
    ),
    (
        "B017",
        PERSONA,
        &[("[detect]\nall = [{ at = \"name\", is = \"string\" }", "[«detect]\nall = [{ at = \"name\" }")],
        "`name` must be there",
    ),
    ("B018", PERSONA, &[("need = true }\ntext", "need = true, «gone = \"null\" }\ntext")], "cannot become null"),
    ("B019", RULES, &[("by = \"id\"", "by = «\"uid\"")], "the map `rule` maps no slot `uid`"),
    ("B020", RULES, &[("[\"out\", \"output\"]", "[\"@any\", \"output\"], «[\"out\", \"output\"]")], "an earlier row"),
    (
        "B021",
        RULES,
        &[("rows = [[", "write = [«[\"display\", \"@any\"]]\nrows = [[")],
        "none of its wire cells is a value",
    ),
    ("B022", RULES, &[("[\"out\", \"output\"]", "«[\"out\", \"output\", \"more\"]")], "2 cells, and this has 3"),
    (
        "B030",
        PERSONA,
        &[("to = \"content\"", "to = «\"contnet\"")],
        "no field `contnet` in `PersonaBody`; did you mean `content`?",
    ),
    ("B030", PERSONA, &[("\"media\"]", "\"media\", «\"medias\"]")], "did you mean `media`?"),
    (
        "B030",
        RULES,
        &[("to = \"sortOrder\"", "to = «\"sortOder\"")],
        "no field `sortOder` in `rules[]`; did you mean `sortOrder`?",
    ),
    ("B030", PERSONA, &[("to = \"content\"", "to = «\"content.en\"")], "nothing is inside `content`"),
    (
        "B030",
        RULES,
        &[
            ("\"rules[].overlay\", \"rules[].extras\"", "\"rules[].overlay\", \"rules[].extras.*\""),
            ("or = 0 }", "or = 0 }\nmore = { to = «\"extras.more.deep\" }"),
        ],
        "nothing is inside `rules[].extras.more`",
    ),
    ("B030", PERSONA, &[("to = \"content\"", "to = «\"content[]\"")], "no list"),
    (
        "B031",
        PERSONA,
        &[("to = \"content\"", "to = \"content\", as = «\"bool\"")],
        "holds text; this row needs a boolean",
    ),
    ("B031", RULES, &[("or = 0 }", "or = «\"0\" }")], "holds a number"),
    (
        "B031",
        RULES,
        &[("{ to = \"flags\", or = \"\" }", "{ to = \"flags\", as = «\"number\", or = \"\" }")],
        "this row needs a number",
    ),
    ("B031", RULES, &[("{ to = \"find\", or", "{ to = \"find\", null = «\"keep\", or")], "this row needs null"),
    (
        "B031",
        RULES,
        &[
            ("\"rules[].trimStrings\", ", ""),
            (
                "[tables.phase]",
                "[[maps.rule.joins]]\nwire = [\"t\"]\nto = [\"trimStrings\"]\ntable = \"trim\"\n\
                 [tables.trim]\nrows = [[1, «\"a\"]]\n[tables.phase]",
            ),
        ],
        "holds a list",
    ),
    (
        "B031",
        PERSONA,
        &[("\"rating\",", ""), ("[fields]", "[stamp]\nrating = «\"adult\"\n[fields]")],
        "\"adult\" is not",
    ),
    ("B032", PERSONA, &[("lost   = [\"brief\", ", "«lost   = [")], "neither mapped nor in `lost`: `brief`"),
    (
        "B032",
        RULES,
        &[("lost   = [\"description\", \"enabled\", \"rules[].note\"", "«lost   = [\"enabled\"")],
        "`description`, `rules[].note`",
    ),
    (
        "B033",
        PERSONA,
        &[("to = \"content\", need = true", "to = «\"content\"")],
        "`content` is required, and an import may leave it unset",
    ),
    (
        "B035",
        PERSONA,
        &[("name = {", "more = { to = \"brief\", via = «\"shout\" }\nname = {"), ("\"brief\", ", "")],
        "no Rust code",
    ),
    (
        "B034",
        PERSONA,
        &[("\"persona\"", "«\"personna\"")],
        "there is no kind `personna`; there are `lorebook`, `persona`",
    ),
    (
        "B002",
        RULES,
        &[
            FIND_IS_A_REGEX,
            (
                "[tables.phase]",
                "[maps.re.fields]\n«sorce = { to = \"find\", or = \"\" }\nflags = { to = \"flags\", or = \"\" }\n[tables.phase]",
            ),
        ],
        "did you mean `source`?",
    ),
    (
        "B002",
        RULES,
        &[
            FIND_IS_A_REGEX,
            (
                "[tables.phase]",
                "[maps.re.fields]\nsource = { to = \"find\", or = \"\" }\nflags = { to = \"flags\", or = \"\" }\n[maps.re.fresh]\n«kind = 1\n[tables.phase]",
            ),
        ],
        "which is `source`, `flags` and `literal`",
    ),
    (
        "B002",
        RULES,
        &[
            FIND_IS_A_REGEX,
            (
                "[tables.phase]",
                "[maps.re.fields]\nsource = { to = \"find\", or = \"\" }\n[[maps.re.joins]]\nwire = [«\"flag\"]\nto = [\"flags\"]\nrows = [[\"@any\", \"\"]]\n[tables.phase]",
            ),
        ],
        "did you mean `flags`?",
    ),
    (
        "B006",
        PERSONA,
        &[("need = true }\ntext", "need = true, text = «{ slash = \"last\" } }\ntext")],
        "`regex` is missing",
    ),
    ("B008", PERSONA, &[("need = true }\ntext", "need = true, «text = { regex = \"gi\" } }\ntext")], "needs `map`"),
    (
        "B008",
        RULES,
        &[("{ to = \"find\", or = \"\" }", "{ to = \"find\", or = \"\", also = [{ at = \"f\", as = «\"split:,\" }] }")],
        "said once, in `as` of the row",
    ),
    (
        "B008",
        RULES,
        &[
            ("\"rules[].targets\",", ""),
            ("or = 0 }", "or = 0 }\nshown = { to = \"targets\", has = \"display\", «lone = true }"),
        ],
        "`lone` cannot stand beside `has`",
    ),
    ("B008", RULES, &[("by = \"id\"", "by = \"id\", «wrap = [\"<\", \">\"]")], "`wrap` cannot stand beside `each`"),
    (
        "B008",
        PERSONA,
        &[("lost   = [\"brief\", ", "lost   = ["), ("name = {", "«\"@index\" = { to = \"brief\" }\nname = {")],
        "the root map reads no rows",
    ),
    (
        "B008",
        RULES,
        &[
            ("\"rules[].minDepth\", ", ""),
            (
                "or = 0 }",
                "or = 0 }\nmore = { map = \"more\" }\n[maps.more.fields]\n«\"@index\" = { to = \"minDepth\" }",
            ),
        ],
        "the map `more` is opened by `map`",
    ),
    (
        "B008",
        RULES,
        &[
            ("\"rules[].minDepth\", ", ""),
            ("by = \"id\"", "by = \"id\", «order = { at = \"order\" }"),
            ("or = 0 }", "or = 0 }\n\"@index\" = { to = \"minDepth\" }"),
        ],
        "both say what comes first",
    ),
    (
        "B031",
        RULES,
        &[("table = \"phase\"", "table = «\"phase\""), ("\"output\"]]", "\"output\"]]\nelse = { value = \"input\" }")],
        "one value, and no list",
    ),
    ("B006", RULES, &[("\"output\"]]", "\"output\"]]\nelse = «{}")], "`value` is missing"),
    (
        "B020",
        RULES,
        &[
            ("\"output\"]]", "\"output\"], [\"@any\", \"input\"]]\nelse = «{ value = \"input\" }"),
            ("table = \"phase\"", "table = \"phase\""),
        ],
        "takes everything",
    ),
    (
        "B020",
        RULES,
        &[
            ("each = \"rule\"", "each = [\"rule\", «\"old\"]"),
            ("[tables", "[maps.old]\nlike = \"rule\"\nwhen = { all = [{ at = \"v\" }] }\n[tables"),
        ],
        "`rule` has no `when` and reads every row, so that `old` reads none",
    ),
    (
        "B033",
        RULES,
        &[
            ("rules = { to = \"rules\", each = \"rule\"", "rules = { to = \"rules\", each = [\"old\", \"rule\"]"),
            (
                "[tables",
                "[maps.old]\nwhen = { all = [{ at = \"v\" }] }\n[maps.old.fields]\nid = { to = \"id\", need = true }\nlabel = { to = «\"label\" }\nfind = { to = \"find\", or = \"\" }\nreplace = { to = \"replace\", or = \"\" }\nflags = { to = \"flags\", or = \"\" }\nphases = { to = \"phases\", or = [] }\non = { to = \"enabled\", or = true }\norder = { to = \"sortOrder\", or = 0 }\n[tables",
            ),
        ],
        "rules[].label",
    ),
    (
        "B008",
        RULES,
        &[("[maps.rule.fields]", "[maps.rule]\n«when = { all = [{ at = \"v\" }] }\n[maps.rule.fields]")],
        "`when` has no say here",
    ),
    (
        "B008",
        PROMPTS,
        &[("[maps.groupItem.fields]", "[maps.groupItem]\n«when = { all = [{ at = \"v\" }] }\n[maps.groupItem.fields]")],
        "`when` cannot stand in `groupItem`",
    ),
    (
        "B008",
        PROMPTS,
        &[
            ("injectionOrder  = 100\n", ""),
            ("[maps.item.fields]", "[maps.item]\n«stamp = { injectionOrder = 100 }\n[maps.item.fields]"),
        ],
        "`stamp` cannot stand in `item`",
    ),
    (
        "B013",
        PROMPTS,
        &[("[maps.item.fields]", "[maps.item.fields]\n«ref = { is = \"string\", about = \"x\" }")],
        "`ref` is what names the row in an item",
    ),
    (
        "B013",
        PROMPTS,
        &[("[maps.item.fields]", "[maps.item.fields]\n«role = { is = \"string\", about = \"x\" }")],
        "`role` has a row in `prompt` too",
    ),
    (
        "B008",
        PROMPTS,
        &[
            ("each  = \"prompt\"", "each  = «\"prompt\""),
            ("injectionOrder  = 100\n", "enabled = true\n"),
            ("role = {", "\"@index\" = { to = \"injectionOrder\" }\nrole = {"),
            ("order = { at = \"order\", by = \"ref\", map = \"item\", unlisted = { on = false } }\n", ""),
            ("[maps.item.fields]\non = { to = \"enabled\", or = true }\n", ""),
        ],
        "the map `prompt` has `@index`",
    ),
    (
        "B008",
        PROMPTS,
        &[
            (
                "[[fields.rows.heads]]\nto   = \"groups\"\nmaps = [\"group\"",
                "«[[fields.rows.heads]]\nto   = \"groups\"\nmaps = [\"group\"",
            ),
            ("when = { none = [{ at = \"role\", eq = \"user\" }] }", "lean = { all = [{ at = \"id\" }] }"),
            ("wrap = [\"=\", \"=\"], need = true", "or = \"\""),
        ],
        "the map `group` has neither `when` nor `need`",
    ),
    (
        "B008",
        PROMPTS,
        &[
            ("by    = \"id\"\n", ""),
            ("order = { at = \"order\", by = \"ref\", map = \"item\", unlisted = { on = false } }\n", ""),
            ("[maps.item.fields]\non = { to = \"enabled\", or = true }\n", ""),
            ("stamp]", "stamp]\nenabled = true"),
            (
                "[[fields.rows.heads]]\nto   = \"groups\"\nmaps = [\"group\"",
                "[[fields.rows.«heads]]\nto   = \"groups\"\nmaps = [\"group\"",
            ),
        ],
        "`heads` needs `by`",
    ),
    (
        "B006",
        PROMPTS,
        &[
            (
                "[[fields.rows.heads]]\nto   = \"groups\"\nmaps = [\"group\"",
                "«[[fields.rows.heads]]\nto   = \"groups\"\nmaps = [\"group\"",
            ),
            ("up   = \"parentGroupId\"\n", ""),
        ],
        "`up` is missing",
    ),
    ("B010", PROMPTS, &[("\"inner\"]", "\"inner\", «\"iner\"]")], "did you mean `inner`?"),
    (
        "B031",
        PROMPTS,
        &[
            (
                "[[fields.rows.heads]]\nto   = \"groups\"\nmaps = [\"group\"",
                "«[[fields.rows.heads]]\nto   = \"groups\"\nmaps = [\"group\"",
            ),
            ("\"prompts[].wrapInXml\", ", ""),
            ("fill = \"groupId\"\nup", "fill = \"wrapInXml\"\nup"),
        ],
        "prompts[].wrapInXml",
    ),
    (
        "B008",
        PROMPTS,
        &[("by = \"ref\", map = \"item\", unlisted = { on = false }", "«map = \"item\"")],
        "`map` needs `by`",
    ),
    (
        "B008",
        PROMPTS,
        &[
            ("[maps.item.fields]\non = { to = \"enabled\", or = true }\n", ""),
            ("map = \"item\", unlisted", "«unlisted"),
            ("stamp]", "stamp]\nenabled = true"),
        ],
        "`unlisted` needs `map`",
    ),
    (
        "B015",
        PERSONA,
        &[
            ("lost   = [\"brief\"", "lost   = [«\"brief\""),
            TWO_SHAPES,
            (
                "[fields]",
                "[maps.old.fields]\nname = { to = \"name\", need = true }\ntext = { to = \"content\", need = true }\nbrief = { to = \"brief\" }\n[fields]",
            ),
        ],
        "`brief` is lost, and set",
    ),
    (
        "B021",
        RULES,
        &[
            ("\"rules[].runOnEdit\",", ""),
            (
                "[tables.phase]",
                "[[maps.rule.joins]]\nsee = [\"label\"]\nwire = [\"run\"]\nto = [\"runOnEdit\"]\nrows = [[\"@any\", true, true]]\nwrite = [«[true, \"x\", \"@any\"]]\n[tables.phase]",
            ),
        ],
        "none of its wire cells is a value",
    ),
    (
        "B030",
        PERSONA,
        &[("[detect]\nall", "[[shapes]]\nwrite = { all = [{ any = [{ at = «\"contnet\" }] }] }\n[detect]\nall")],
        "did you mean `content`?",
    ),
    (
        "B030",
        RULES,
        &[("[maps.rule.fields]", "[maps.rule]\nlean = { none = [{ at = «\"phases[*].x\" }] }\n[maps.rule.fields]")],
        "nothing is inside `rules[].phases[]`",
    ),
    ("B031", PERSONA, &[("need = true }\ntext", "need = true, lone = «true }\ntext")], "this row needs a list"),
    ("B031", PERSONA, &[("need = true }\ntext", "need = true, as = «\"split:,\" }\ntext")], "this row needs a list"),
    (
        "B031",
        PERSONA,
        &[("\"traits\", ", ""), ("name = {", "tags = { to = \"traits\", wrap = «[\"<\", \">\"] }\nname = {")],
        "one value, and no list",
    ),
    (
        "B031",
        RULES,
        &[("{ to = \"sortOrder\", or", "{ to = \"sortOrder\", wrap = «[\"<\", \">\"], or")],
        "this row needs text",
    ),
    (
        "B033",
        PERSONA,
        &[
            ("[detect]\nall", "[[shapes]]\n[[shapes]]\nmap = «\"old\"\n[detect]\nall"),
            ("[fields]", "[maps.old.fields]\nname = { to = \"name\", need = true }\n[fields]"),
        ],
        "not set by this map: `content`",
    ),
    (
        "B006",
        RULES,
        &[("[tables.phase]", "[[maps.rule.joins]]\nwire = «[]\nto = [\"note\"]\nrows = [[1]]\n[tables.phase]")],
        "`wire` names no slot",
    ),
    (
        "B006",
        RULES,
        &[("[tables.phase]", "[[maps.rule.joins]]\nwire = [\"n\"]\nto = «[]\nrows = [[1]]\n[tables.phase]")],
        "`to` names no path",
    ),
    (
        "B006",
        RULES,
        &[(
            "[tables.phase]",
            "[[maps.rule.joins]]\nsee = «[]\nwire = [\"n\"]\nto = [\"label\"]\nrows = [[1, \"x\"]]\n[tables.phase]",
        )],
        "`see` names no slot",
    ),
    ("B007", RULES, &[("[fields]", "[stamp]\n«\"rules[].note\" = \"n\"\n[fields]")], "a stamp sets one place"),
    ("B006", PERSONA, &[("text = {", "note = { to = «[] }\ntext = {")], "`to` names no path"),
    (
        "B006",
        PERSONA,
        &[("\"traits\", ", ""), ("text = {", "x = { to = \"traits\", each = «[] }\ntext = {")],
        "names no map",
    ),
    (
        "B007",
        PERSONA,
        &[("\"content\", need = true", "\"content\", need = true, also = [«\"@file.stem\"]")],
        "write `or = { file = \"stem\" }`",
    ),
    (
        "B007",
        PERSONA,
        &[("\"content\", need = true", "\"content\", need = true, also = [{ at = «\"@file.name\" }]")],
        "write `or = { file = \"name\" }`",
    ),
    (
        "B007",
        RULES,
        &[("\"sortOrder\", or = 0", "\"sortOrder\", or = 0, also = [«\"@index\"]")],
        "`or = { count = 0 }`",
    ),
    (
        "B007",
        RULES,
        &[(
            "[tables.phase]",
            "[[maps.rule.joins]]\nwire = [«\"@index\"]\nto = [\"label\"]\nrows = [[1, \"x\"]]\n[tables.phase]",
        )],
        "`@index` is no slot of the file, and `wire` takes slots",
    ),
    (
        "B020",
        RULES,
        &[
            ("each = \"rule\"", "each = [\"old\", «\"older\", \"rule\"]"),
            (
                "[tables",
                "[maps.old]\nlike = \"rule\"\nwhen = { all = [{ at = \"v\" }] }\n[maps.older]\nlike = \"old\"\n[tables",
            ),
        ],
        "`older` has the `when` of `old`",
    ),
    (
        "B005",
        PERSONA,
        &[("need = true }\ntext", "need = true, as = «\"join:,\" }\ntext")],
        "`loose`, `split:SEP`, and not `join:,`",
    ),
    ("B005", PERSONA, &[("label  =", "as     = «\"split:,\"\nlabel  =")], "`loose`, and not `split:,`"),
    (
        "B032",
        PERSONA,
        &[("lost   = [\"brief\", ", "«lost   = ["), ("text = { to = \"content\", need = true }", "")],
        "neither mapped nor in `lost`: `brief`, `content` (required)",
    ),
    (
        "B033",
        PERSONA,
        &[("\"media\"]", "\"media\", «\"content\"]"), ("text = { to = \"content\", need = true }", "")],
        "`content` is required, and cannot be lost",
    ),
    (
        "B033",
        PERSONA,
        &[(
            "text = { to = \"content\", need = true }",
            "[[joins]]\nwire = [\"text\"]\nto = «[\"content\"]\nrows = [[1, \"x\"]]",
        )],
        "this join may leave it unset; give it a last row",
    ),
    (
        "B033",
        RULES,
        &[
            ("rules = { to = \"rules\", each = \"rule\"", "rules = { to = \"rules\", each = [\"old\", \"rule\"]"),
            ("label   = { to = \"label\", or = \"\" }\n", ""),
            (
                "[tables",
                "[maps.old]\nlike = \"rule\"\nwhen = { all = [{ at = \"v\" }] }\n[maps.old.stamp]\n«label = \"\"\n[tables",
            ),
        ],
        "`rules[].label` is required, and not all maps that read such rows set it",
    ),
];

/// The source of a case, and the line and column that the marker names.
fn source_of((_, good, changes, _): &Case) -> (String, (usize, usize)) {
    let mut marked = (*good).to_owned();
    for (was, is) in *changes {
        assert_eq!(good.matches(was).count(), 1, "{was:?} is not there once");
        marked = marked.replacen(was, is, 1);
    }
    let at = marked.find(HERE).unwrap();
    let line = marked[..at].matches('\n').count() + 1;
    let column = marked[..at].rsplit('\n').next().unwrap().chars().count() + 1;
    (marked.replacen(HERE, "", 1), (line, column))
}

#[test]
fn the_good_sources_are_good() {
    for source in [PERSONA, RULES, LINKED, PROMPTS] {
        let loaded = bunzai::load("acme.toml", source);
        assert!(loaded.is_ok(), "{}", loaded.unwrap_err());
    }
}

#[test]
fn every_mistake_is_told_by_its_code_at_its_place() {
    let mut wrong = Vec::new();
    for case in CASES {
        let (code, _, changes, says) = case;
        let (source, place) = source_of(case);
        let told = match bunzai::load_with("acme.toml", &source, &open) {
            Ok(_) => {
                wrong.push(format!("{code}, {changes:?}: nothing is told"));
                continue;
            }
            Err(told) => told,
        };
        let shown = Shown { path: "acme.toml", source: &source };
        let found: Vec<_> =
            told.diagnostics().iter().map(|one| (one.code.id, shown.line_column(one.loc.start))).collect();
        if found != [(*code, place)] {
            wrong.push(format!("{code} at {place:?}, {changes:?}: told {found:?}\n{told}"));
        } else if !told.diagnostics()[0].message.contains(says) {
            wrong.push(format!("{code}, {changes:?}: no {says:?} in {:?}", told.diagnostics()[0].message));
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n\n{}", wrong.len(), CASES.len(), wrong.join("\n\n"));
}

#[test]
fn every_code_of_the_catalogue_has_a_case() {
    // B000 is never told; B040 is about attributes, which `tests/ui` has; B036 and B037 are about several files, which
    // `bunzai check` is given below.
    let without: Vec<&str> = CODES
        .iter()
        .map(|code| code.id)
        .filter(|id| !["B000", "B036", "B037", "B040"].contains(id) && !CASES.iter().any(|case| case.0 == *id))
        .collect();
    assert!(without.is_empty(), "{without:?}");
    let unknown: Vec<&str> =
        CASES.iter().map(|case| case.0).filter(|id| CODES.iter().all(|code| code.id != *id)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

/// Ten mistakes of ten sorts.
const TEN: &str = r#"format = "acme"
kind   = "persona"
lable  = "Acme persona"
lost   = ["brief"]

[detect]
score = 2
all   = [{ at = "name", is = "strng" }]

[fields]
name  = { to = "name", need = "yes" }
text  = { to = "content.", or = "" }
	nick = { to = "brief", as = "trimm" }
bio   = { to = "content", table = "words" }
"é"   = { is = "string", gone = "null" }
"#;

/// What is told of them.
const TOLD: &str = r#"error[B006]: `label` is missing
  --> mappings/acme.toml:1:1
  |
1 | format = "acme"
  | ^

error[B002]: unknown word `lable` in a mapping file; did you mean `label`?
  --> mappings/acme.toml:3:1
  |
3 | lable  = "Acme persona"
  | ^^^^^

error[B015]: `brief` is lost, and set
  --> mappings/acme.toml:4:11
  |
4 | lost   = ["brief"]
  |           ^^^^^^^

error[B005]: a score is above 0 and at most 1
  --> mappings/acme.toml:7:9
  |
7 | score = 2
  |         ^

error[B005]: `is` knows `string`, `number`, `integer`, `boolean`, `list`, `object`, `null`, `blank`, `any`, and not `strng`; did you mean `string`?
  --> mappings/acme.toml:8:30
  |
8 | all   = [{ at = "name", is = "strng" }]
  |                              ^^^^^^^

error[B003]: `need` takes `true` or `false`, and this is text
  --> mappings/acme.toml:11:31
   |
11 | name  = { to = "name", need = "yes" }
   |                               ^^^^^

error[B007]: the path `content.` has an empty step
  --> mappings/acme.toml:12:16
   |
12 | text  = { to = "content.", or = "" }
   |                ^^^^^^^^^^

error[B005]: `as` knows `bool`, `bool:text`, `bool:int`, `number`, `number:text`, `not`, `trim`, `unique`, `loose`, `split:SEP`, and not `trimm`; did you mean `trim`?
  --> mappings/acme.toml:13:30
   |
13 | 	nick = { to = "brief", as = "trimm" }
   | 	                            ^^^^^^^

error[B011]: there is no table `words`
  --> mappings/acme.toml:14:35
   |
14 | bio   = { to = "content", table = "words" }
   |                                   ^^^^^^^

error[B008]: `gone` needs `to`: a row without it is sealed
  --> mappings/acme.toml:15:26
   |
15 | "é"   = { is = "string", gone = "null" }
   |                          ^^^^"#;

#[test]
fn all_mistakes_of_a_file_are_told_at_once_in_its_order_each_with_its_line() {
    let told = bunzai::load("mappings/acme.toml", TEN).unwrap_err();
    assert_eq!(told.diagnostics().len(), 10);
    assert_eq!(told.to_string(), TOLD);
    let places: Vec<usize> = told.diagnostics().iter().map(|one| one.loc.start).collect();
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn conditions_on_the_model_may_ask_about_content_of_any_kind() {
    let lean = "[maps.rule]\nlean = { none = [{ at = \"extras.more[*].deep\" }] }\n[maps.rule.fields]";
    let loaded = bunzai::load("acme.toml", &RULES.replace("[maps.rule.fields]", lean));
    assert!(loaded.is_ok(), "{}", loaded.unwrap_err());
}

#[test]
fn what_one_map_of_several_sets_is_not_lost() {
    let old = "[maps.old.fields]\nname = { to = \"name\", need = true }\ntext = { to = \"content\", need = true }\n\
               brief = { to = \"brief\" }\n[fields]";
    let source = PERSONA.replace("\"brief\", ", "").replace(TWO_SHAPES.0, TWO_SHAPES.1).replace("[fields]", old);
    let loaded = bunzai::load("acme.toml", &source);
    assert!(loaded.is_ok(), "{}", loaded.unwrap_err());
}

/// A lorebook of which nothing but the name and the ids of entries is mapped.
const BOOK: &str = r#"format = "acme-book"
kind   = "lorebook"
label  = "Acme book"
lost   = []

[detect]
all = [{ at = "entries", is = "list" }]

[fields]
name    = { to = "name", or = "" }
entries = { to = "entries", each = "entry", by = "id" }

[maps.entry.fields]
id = { to = "id", need = true }
"#;

#[test]
fn every_field_that_is_not_covered_is_told_on_a_line_of_its_own() {
    let told = bunzai::load("acme.toml", BOOK).unwrap_err().to_string();
    let (message, place) = told.split_once("\n  --> ").unwrap();
    assert!(place.starts_with("acme.toml:4:1\n"), "{told}");
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(lines[0], "error[B032]: neither mapped nor in `lost`:");
    assert!(
        lines.len() > 60
            && lines[1..].iter().all(|line| line.starts_with("  `") && line.contains("` ") | line.ends_with('`')),
        "{told}"
    );
    for line in
        ["  `description`", "  `entries[].content` (required)", "  `entries[].secondaryTriggers`", "  `categories`"]
    {
        assert!(lines.contains(&line), "no {line:?} in {told}");
    }
    // What a line marks cannot be lost, and all else can.
    let lost: Vec<String> = lines[1..]
        .iter()
        .filter_map(|line| line.strip_suffix('`')?.strip_prefix("  `"))
        .map(|path| format!("{path:?}"))
        .collect();
    let source = BOOK.replace("lost   = []", &format!("lost   = [{}]", lost.join(", ")));
    let told = bunzai::load("acme.toml", &source).unwrap_err();
    assert_eq!(told.diagnostics().len(), 1, "{told}");
    assert!(
        !told.to_string().contains(&lost[0].replace('"', "`")) && told.to_string().contains("(required)"),
        "{told}"
    );
}

#[test]
fn lists_of_rows_may_be_lost_with_what_is_left_over() {
    let lost = r#"lost = ["description", "lorebookType", "genre", "fandom", "enabled", "categories", "entries[].*"]

[stamp]
tags                   = []
globalCaseSensitive    = false
globalMatchWholeWords  = false
globalScanDepth        = 0
globalRecursion        = false
tokenBudget            = 0
budgetMode             = "token"
entryBudget            = 0
"#;
    let told = bunzai::load("acme.toml", &BOOK.replace("lost   = []", lost)).unwrap_err();
    let message = &told.diagnostics()[0].message;
    assert!(message.starts_with("required, and lost; map them, or stamp them:\n  `entries[].title`\n"), "{message}");
    assert!(!message.contains("riggers`"), "lists of rows are no such: {message}");
}

#[test]
fn one_mistake_is_told_once() {
    // What cannot be read is not missing as well.
    let source = PERSONA.replace("lost   =", "writes = \"json\"\nlost   =");
    let told = bunzai::load("acme.toml", &source).unwrap_err();
    let codes: Vec<&str> = told.diagnostics().iter().map(|one| one.code.id).collect();
    assert_eq!(codes, ["B003"], "{told}");
}

#[test]
fn every_syntax_error_of_a_file_is_told() {
    let source = PERSONA.replace("\"Acme persona\"", "Acme").replace("\"content\", need", "\"content\" need");
    let told = bunzai::load("acme.toml", &source).unwrap_err();
    let lines: Vec<usize> = told
        .diagnostics()
        .iter()
        .map(|one| {
            assert_eq!(one.code.id, "B001");
            Shown { path: "", source: &source }.line_column(one.loc.start).0
        })
        .collect();
    assert!(lines.contains(&3) && lines.contains(&12), "{lines:?}: {told}");
}

#[test]
fn places_are_counted_in_characters_whatever_the_line_ends_are() {
    let source = PERSONA.replace("text = {", "\"größe\" = { is = \"strng\" }\ntext = {").replace('\n', "\r\n");
    let told = bunzai::load("acme.toml", &source).unwrap_err().to_string();
    assert!(told.contains("acme.toml:12:18\n"), "{told:?}");
    assert!(told.ends_with("   |\n12 | \"größe\" = { is = \"strng\" }\n   |                  ^^^^^^^"), "{told:?}");
}

/// The mapping files of a folder of this project: their paths and what they say.
fn mappings(folder: &str) -> Vec<(String, String)> {
    let mut waiting = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "toml") {
                let source = std::fs::read_to_string(&path).unwrap();
                files.push((path.to_string_lossy().into_owned(), source));
            }
        }
    }
    assert!(files.len() >= 2);
    files.retain(|(_, source)| !bunzai_mapping::is_part(source));
    files
}

#[test]
fn the_mapping_files_of_this_project_are_in_order() {
    let open = |path: &str| std::fs::read_to_string(path).map_err(|error| error.to_string());
    for (name, source) in mappings("mappings") {
        let loaded = bunzai::load_with(&name, &source, &open);
        assert!(loaded.is_ok(), "{}", loaded.unwrap_err());
    }
}

/// TOML as the JSON that an editor asks the schema about.
fn json_of(tree: &Tree) -> serde_json::Value {
    match &tree.node {
        Node::Text(text) => text.as_str().into(),
        Node::Bool(b) => (*b).into(),
        Node::Integer(n) => i64::try_from(*n).unwrap().into(),
        Node::Float(f) => (*f).into(),
        Node::List(items) => items.iter().map(json_of).collect(),
        Node::Table(table) => table.0.iter().map(|entry| (entry.key.clone(), json_of(&entry.value))).collect(),
    }
}

#[test]
fn the_schema_of_mapping_files_takes_every_one_of_them() {
    let schema = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/mapping.json");
    let schema: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let own = [PERSONA, RULES, PROMPTS].map(|source| ("a good source".to_owned(), source.to_owned()));
    // Those of the laws have every word of the language.
    let files = ["mappings", "tests/laws/formats"].into_iter().flat_map(mappings);
    for (name, source) in files.chain(own) {
        let file = json_of(&bunzai_mapping::read_tree(&source));
        let wrong: Vec<String> =
            validator.iter_errors(&file).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(wrong.is_empty(), "{name}: {wrong:#?}");
    }
    let split = PERSONA.replace("need = true }\ntext", "need = true, as = \"split:\" }\ntext");
    assert!(!validator.is_valid(&json_of(&bunzai_mapping::read_tree(&split))));
}

#[test]
fn what_is_wrong_in_a_part_is_told_in_its_own_file() {
    let shared = RULES.replace("lost   =", "use    = [\"shared.toml\"]\nlost   =");
    let shared = shared.replace("\n[tables.phase]\nrows = [[\"in\", \"input\"], [\"out\", \"output\"]]\n", "");
    let told = bunzai::load_with("acme.toml", &shared, &open);
    assert!(told.is_ok(), "{}", told.unwrap_err());
    let wrong = |path: &str| open(path).map(|part| part.replace("\"input\"", "\"input\", 3"));
    let told = bunzai::load_with("acme.toml", &shared, &wrong).unwrap_err().to_string();
    let place = "  --> shared.toml:4:9\n  |\n4 | rows = [[\"in\", \"input\", 3]]\n  |         ^^^^^^^^^^^^^^^^^^";
    assert!(told.starts_with("error[B022]: ") && told.ends_with(place), "{told}");
}

#[test]
fn values_of_parts_are_those_of_the_model() {
    let with = |value: &str| {
        let source = RULES.replace("lost   =", "use    = [\"shared.toml\"]\nlost   =");
        let source = source.replace("[tables.phase]", "[tables.phases]").replace("\"phase\"", "\"phases\"");
        bunzai::load_with(
            "acme.toml",
            &source.replace("\"label\", or = \"\"", &format!("\"label\", or = {value}")),
            &open,
        )
    };
    let good = with("\"@shared.label\"");
    assert!(good.is_ok(), "{}", good.unwrap_err());
    let told = with("\"@shared.round\"").unwrap_err().to_string();
    assert!(told.contains("B027") && told.contains("made of itself"), "{told}");
    let told = with("\"@shared.rules\"").unwrap_err().to_string();
    assert!(told.contains("B031") && told.contains("this list is not"), "{told}");
}

/// A part the values of which are made of each other: each of the next one, so many times.
fn pyramid(levels: usize, times: usize) -> String {
    let value = |n: usize| format!("v{n} = [{}]\n", vec![format!("\"@p.v{}\"", n + 1); times].join(", "));
    let values: String = (0..levels).map(value).collect();
    format!("part = \"p\"\n[values]\n{values}v{levels} = []\n")
}

#[test]
fn values_that_come_to_too_much_are_refused_before_they_are_put_together() {
    let source = PERSONA.replace("lost   =", "use    = [\"p.toml\"]\nlost   =").replace("\"traits\", ", "");
    let source = source.replace("[fields]", "[stamp]\ntraits = \"@p.v0\"\n[fields]");
    let told = |levels, times| {
        let told = bunzai::load_with("acme.toml", &source, &|_| Ok(pyramid(levels, times)));
        told.unwrap_err().diagnostics().iter().map(|one| (one.code.id, one.message.clone())).collect::<Vec<_>>()
    };
    // Of lists in lists it is told that they are no texts.
    assert_eq!(told(10, 2)[0].0, "B031");
    for (levels, times) in [(23, 2), (60, 2), (20_000, 1)] {
        let told = told(levels, times);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].0 == "B027" && told[0].1.contains("come to more than 1048576 bytes"), "{told:?}");
    }
    let twice = source.replace("[fields]", "rating = \"@p.v1\"\n[fields]").replace("\"rating\",", "");
    let told = bunzai::load_with("acme.toml", &twice, &|_| Ok(pyramid(23, 2))).unwrap_err();
    assert_eq!(told.diagnostics().len(), 1, "it is told once: {told}");
}

#[test]
fn long_tables_and_parts_take_no_longer_for_each_row() {
    let rows: String = (0..20_000).map(|n| format!("[\"in{n}\", \"input\"],\n")).collect();
    let table =
        format!("part = \"long\"\n[tables.phase]\nrows = [{rows}[\"out\", \"output\"], [\"in7\", \"output\"]]\n");
    let source = RULES.replace("lost   =", "use    = [\"long.toml\"]\nlost   =");
    let source = source.replace("\n[tables.phase]\nrows = [[\"in\", \"input\"], [\"out\", \"output\"]]\n", "");
    let begun = std::time::Instant::now();
    let told = bunzai::load_with("acme.toml", &source, &|_| Ok(table.clone())).unwrap_err();
    let codes: Vec<&str> = told.diagnostics().iter().map(|one| one.code.id).collect();
    assert_eq!(codes, ["B020"]);
    // With every row compared to all before it this takes minutes.
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

/// `bunzai check`
#[cfg(feature = "cli")]
mod command {
    use std::path::Path;
    use std::process::Command;

    use super::{LINKED, PERSONA, RULES, TEN, TOLD};

    /// Status, standard output and standard error.
    fn check(folder: &Path, files: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bunzai"));
        command.arg("check").args(files).current_dir(folder).env_remove("BUNZAI_MAPPINGS").env_remove("CLICOLOR_FORCE");
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("mappings")).unwrap();
        for (name, source) in [("mappings/acme.toml", TEN), ("good.toml", PERSONA), ("rules.toml", RULES)] {
            std::fs::write(folder.path().join(name), source).unwrap();
        }
        folder
    }

    #[test]
    fn what_is_in_order_is_said_to_be() {
        let folder = folder();
        let (status, out, err) = check(folder.path(), &["good.toml", "rules.toml"]);
        assert_eq!((status, err.as_str()), (0, ""), "{out}");
        assert_eq!(out, "good.toml: acme is in order\nrules.toml: acme-rules is in order\n");
    }

    #[test]
    fn every_mistake_is_shown_and_counted() {
        let folder = folder();
        let (status, out, err) = check(folder.path(), &["mappings/acme.toml", "rules.toml"]);
        assert_eq!((status, out.as_str()), (1, "rules.toml: acme-rules is in order\n"), "{err}");
        // A tab is shown as four spaces, under the line as in it.
        assert!(err.starts_with(&TOLD.replace('\t', "    ")), "{err}");
        assert!(err.contains("10 things are wrong"), "{err}");
    }

    #[test]
    fn two_files_of_one_format_are_told() {
        let folder = folder();
        std::fs::write(folder.path().join("twin.toml"), PERSONA).unwrap();
        let (status, out, err) = check(folder.path(), &["good.toml", "rules.toml", "twin.toml"]);
        assert_eq!((status, out.as_str()), (1, "good.toml: acme is in order\nrules.toml: acme-rules is in order\n"));
        assert!(
            err.starts_with("error[B037]: the format `acme` is declared in good.toml too\n  --> twin.toml:1:10\n"),
            "{err}"
        );
        // What is given twice is one file.
        let (status, out, err) = check(folder.path(), &["good.toml", "./good.toml"]);
        assert_eq!((status, out.as_str()), (0, "good.toml: acme is in order\n"), "{err}");
    }

    #[test]
    fn a_linked_format_is_built_in_or_one_of_the_files() {
        let folder = folder();
        let write = |name: &str, source: String| std::fs::write(folder.path().join(name), source).unwrap();
        write("linked.toml", LINKED.replace("\"acme\"", "\"acme-preset\"").replace("acme-notes", "acme-rule"));
        let (status, out, err) = check(folder.path(), &["linked.toml", "rules.toml"]);
        assert_eq!((status, out.as_str()), (1, "rules.toml: acme-rules is in order\n"));
        let told = "error[B036]: there is no format `acme-rule`; did you mean `acme-rules`?\n  --> linked.toml:11:10\n";
        assert!(err.starts_with(told), "{err}");
        write("linked.toml", LINKED.replace("\"acme\"", "\"acme-preset\"").replace("acme-notes", "acme-rules"));
        assert_eq!(check(folder.path(), &["linked.toml", "rules.toml"]).0, 0);
        assert_eq!(check(folder.path(), &["linked.toml"]).0, 1);
        // A file that has other faults is there all the same.
        write("rules.toml", RULES.replace("or = 0 }", "or = \"0\" }"));
        let (_, out, err) = check(folder.path(), &["linked.toml", "rules.toml"]);
        assert_eq!(out, "linked.toml: acme-preset is in order\n", "{err}");
        write("linked.toml", LINKED.replace("acme-notes", "sillytavern-regex"));
        assert_eq!(check(folder.path(), &["linked.toml"]).0, 0);
    }

    #[test]
    fn what_is_no_mapping_file_is_told_to_be_none() {
        let folder = folder();
        std::fs::write(folder.path().join("wren.json"), "{\n  \"name\": \"Wren\",\n  \"tags\": []\n}\n").unwrap();
        std::fs::write(folder.path().join("wren.toml"), "{ \"name\": 1 }").unwrap();
        std::fs::write(folder.path().join("notes.txt"), "Some notes.").unwrap();
        let (status, _, err) = check(folder.path(), &["wren.json", "wren.toml", "notes.txt"]);
        let lines: Vec<&str> = err.lines().collect();
        assert_eq!((status, lines.len()), (1, 4), "{err}");
        assert_eq!(lines[0], "error: wren.json: this is JSON, and no mapping file; those are TOML, and end in `.toml`");
        assert!(
            lines[1].contains("wren.toml: this is JSON") && lines[2].contains("notes.txt: this is no mapping file"),
            "{err}"
        );
        // What another extension has and says what a mapping file says is one.
        std::fs::write(folder.path().join("acme.mapping"), PERSONA).unwrap();
        assert_eq!(check(folder.path(), &["acme.mapping"]).0, 0);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_told_beside_the_others() {
        let folder = folder();
        std::fs::write(folder.path().join("latin.toml"), b"format = \"\xe9\"").unwrap();
        let (status, out, err) = check(folder.path(), &["nowhere.toml", "latin.toml", "good.toml"]);
        assert_eq!(status, 1);
        assert_eq!(out, "good.toml: acme is in order\n", "{err}");
        assert!(err.contains("nowhere.toml: ") && err.contains("latin.toml: "), "{err}");
    }
}
