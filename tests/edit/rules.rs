//! Sets of regex rules: rows at the root of a document.

use bunzai::json::locate;
use bunzai::model::{RegexPhase, RegexRule, RegexSetBody, RegexTarget};
use bunzai::{Codec, MarinaraRegex, Nullable, SillytavernRegex};

use crate::{carried, edited};

#[track_caller]
fn rules(source: &str, edit: impl FnOnce(&mut RegexSetBody)) -> String {
    carried::<MarinaraRegex>(source, edit)
}

/// Two rows in a layout of their own, each with a key of its own.
const ROWS: &str = concat!(
    "[\n",
    "  {\"id\":\"a\", \"findRegex\":\"x\",   \"order\":1.0, \"mine\" : [1 ,2]},\n",
    "\n",
    "\t{ \"findRegex\" : \"y\", \"enabled\":\"true\", \"id\":\"b\", \"order\":2, \"placement\":\"[\\\"ai_output\\\", \\\"slash\\\"]\" } ,\n",
    "  {\"id\":\"c\",\"findRegex\":\"z\",\"trimStrings\":[\"p\" , 5, \"q\"],\"theirs\":true}\n",
    "]\n"
);

fn new_rule(id: &str) -> RegexRule {
    RegexRule {
        id: id.into(),
        label: "New".into(),
        note: None,
        find: "n".into(),
        flags: "g".into(),
        use_flags: None,
        replace: String::new(),
        trim_strings: None,
        phases: vec![RegexPhase::Output],
        targets: None,
        substitute_find: None,
        min_depth: Some(Nullable::Null),
        max_depth: Some(Nullable::Null),
        run_on_edit: None,
        character_ids: None,
        first_match_only: None,
        condition: None,
        overlay: None,
        enabled: true,
        sort_order: 9.into(),
        extras: serde_json::json!({ "marinaraCreatedAt": "", "marinaraUpdatedAt": "" }).as_object().cloned(),
    }
}

#[test]
fn a_row_keeps_its_spelling_where_it_is_not_edited() {
    let text = rules(ROWS, |body| body.rules[0].find = "w".into());
    assert_eq!(text, ROWS.replace("\"x\"", "\"w\""));
    let text = rules(ROWS, |body| body.rules[1].enabled = false);
    assert_eq!(text, ROWS.replace("\"true\"", "\"false\""));
    let text = rules(ROWS, |body| body.rules[0].sort_order = 7.into());
    assert_eq!(text, ROWS.replace("1.0", "7"));
    // 1 is what `1.0` says.
    assert_eq!(rules(ROWS, |body| body.rules[0].sort_order = 1.into()), ROWS);
}

#[test]
fn text_in_a_slot_is_spliced_and_what_no_row_knows_stays_in_it() {
    let text = rules(ROWS, |body| body.rules[1].phases.push(RegexPhase::Input));
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&text).unwrap()[1]["placement"],
        r#"["ai_output", "slash", "user_input"]"#,
        "{text}"
    );
    let text = rules(ROWS, |body| body.rules[2].trim_strings = Some(vec!["p".into(), "r".into()]));
    assert_eq!(text, ROWS.replace("\"q\"", "\"r\""));
}

#[test]
fn a_word_of_a_list_can_be_a_slot_of_its_own() {
    let text = rules(ROWS, |body| body.rules[0].targets = Some(vec![RegexTarget::Prompt]));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value[0]["promptOnly"], true);
    let (several, _) = edited::<MarinaraRegex>(ROWS, |body| {
        body.rules[0].targets = Some(vec![RegexTarget::Display, RegexTarget::Prompt]);
    });
    assert_eq!(several.named, ["/body/rules/0/targets/0"]);
}

#[test]
fn rows_move_as_bytes_and_keep_what_is_theirs() {
    let rows: Vec<&str> = (0..3).map(|n| &ROWS[locate(ROWS, &format!("/{n}")).unwrap()]).collect();
    let text = rules(ROWS, |body| body.rules.rotate_left(1));
    let moved: Vec<&str> = (0..3).map(|n| &text[locate(&text, &format!("/{n}")).unwrap()]).collect();
    assert_eq!(moved, [rows[1], rows[2], rows[0]]);
    // The white space between the places stays where it is.
    let around =
        |text: &str, rows: &[&str]| rows.iter().fold(text.to_owned(), |text, row| text.replacen(row, "ROW", 1));
    assert_eq!(around(&text, &rows), around(ROWS, &rows));
}

#[test]
fn rows_go_and_come_and_the_others_stay_as_they_are() {
    let rows: Vec<&str> = (0..3).map(|n| &ROWS[locate(ROWS, &format!("/{n}")).unwrap()]).collect();
    let text = rules(ROWS, |body| drop(body.rules.remove(1)));
    assert!(text.contains(rows[0]) && text.contains(rows[2]) && !text.contains("\"y\""), "{text}");
    let text = rules(ROWS, |body| drop(body.rules.remove(0)));
    assert!(text.starts_with("[\n") && text.contains(rows[1]) && text.contains(rows[2]), "{text}");
    let text = rules(ROWS, |body| body.rules.insert(1, new_rule("new")));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let ids: Vec<_> = value.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["a", "new", "b", "c"]);
    assert!(rows.iter().all(|row| text.contains(row)), "{text}");
    assert_eq!(value[1]["placement"], serde_json::json!(["ai_output"]));
    assert_eq!(value[1]["minDepth"], serde_json::Value::Null);
}

#[test]
fn a_default_that_reads_back_where_nothing_was_is_no_loss() {
    let (new, _) = edited::<MarinaraRegex>(ROWS, |body| {
        body.rules.push(RegexRule { extras: None, min_depth: None, max_depth: None, ..new_rule("new") });
    });
    assert_eq!(new.named, [""; 0], "{}", new.text);
}

#[test]
fn rows_of_one_id_are_told_apart() {
    let same = "[{\"id\":\"a\",\"findRegex\":\"1\",\"order\":1,\"k\":1},{\"id\":\"a\",\"findRegex\":\"2\",\"order\":2,\"k\":2}]";
    assert_eq!(rules(same, |body| body.rules[1].find = "3".into()), same.replace("\"2\"", "\"3\""));
    let swapped = rules(same, |body| body.rules.swap(0, 1));
    assert_eq!(
        swapped,
        "[{\"id\":\"a\",\"findRegex\":\"2\",\"order\":2,\"k\":2},{\"id\":\"a\",\"findRegex\":\"1\",\"order\":1,\"k\":1}]"
    );
    assert_eq!(
        rules(same, |body| drop(body.rules.remove(0))),
        "[{\"id\":\"a\",\"findRegex\":\"2\",\"order\":2,\"k\":2}]"
    );
}

#[test]
fn of_rows_that_say_the_same_only_the_edited_one_changes() {
    let row = |find: &str, k: u8| format!("{{\"id\":\"a\",\"findRegex\":\"{find}\",\"order\":1,\"k\":{k}}}");
    let same = format!("[{}, {}, {}]", row("1", 1), row("1", 2), row("1", 3));
    for (edited, k) in [(0, 1), (1, 2), (2, 3)] {
        let text = rules(&same, |body| body.rules[edited].find = "3".into());
        assert_eq!(text, same.replace(&row("1", k), &row("3", k)));
    }
}

#[test]
fn the_last_row_that_goes_leaves_an_empty_list_and_a_warning() {
    let mut entity = MarinaraRegex::to_canonical(ROWS).unwrap().entity;
    entity.body.rules.clear();
    let exported = MarinaraRegex::from_canonical(&entity).unwrap();
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&exported.bytes()).unwrap(), serde_json::json!([]));
    // The format does not recognise an empty list.
    assert_eq!(exported.report().unwrap().warnings.len(), 1);
}

#[test]
fn a_number_that_is_too_large_keeps_its_value_in_the_file() {
    let source =
        r#"[{"id":"a","findRegex":"x","q":{"keep":"me","n":1e400},"w":3},{"id":"b","findRegex":"x","q":1e400}]"#;
    let edit = |edit: fn(&mut RegexSetBody)| carried::<SillytavernRegex>(source, edit);
    assert_eq!(edit(|_| {}), source);
    assert_eq!(edit(|set| set.rules[0].find = "y".into()), source.replacen("\"x\"", "\"y\"", 1));
    assert_eq!(edit(|set| set.rules[0].extras = None), source.replace(",\"w\":3", ""));
    let own =
        |set: &mut RegexSetBody| drop(set.rules[1].extras.insert(serde_json::Map::new()).insert("q".into(), 1.into()));
    assert_eq!(edit(own), source.replace("\"q\":1e400", "\"q\":1"));
}

#[test]
fn a_bare_expression_becomes_a_literal_when_it_gets_flags() {
    let source = r#"[{"id":"b","scriptName":"B","findRegex":"z"},{"id":"c","scriptName":"C","findRegex":"/y/i"}]"#;
    let edit = |edit: fn(&mut RegexSetBody)| carried::<SillytavernRegex>(source, edit);
    let flags = |set: &mut RegexSetBody| {
        set.rules[0].find = "x".into();
        set.rules[0].flags = "g".into();
        set.rules[1].flags = String::new();
    };
    assert_eq!(edit(flags), source.replace("\"z\"", "\"/x/g\"").replace("/y/i", "/y/"));
}
