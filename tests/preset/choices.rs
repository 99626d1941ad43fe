//! Choices: which are valid, whose answer counts, and which blocks are on.

use bunzai::model::PresetBody;
use bunzai::preset::choices::{Answer, Evaluation, Origin, Scene, Warning, evaluate};
use serde_json::{Value, json};

use crate::{block, preset};

/// A preset with the blocks A and C, which are on, and B and D, which are off.
fn with(choices: Value) -> PresetBody {
    let blocks = ["A", "B", "C", "D"].map(|id| block(id, json!({ "enabled": matches!(id, "A" | "C") })));
    preset(blocks.to_vec(), choices)
}

/// A choice whose options name blocks.
fn choice(id: &str, kind: &str, options: &[(&str, &[&str])], more: Value) -> Value {
    let option = |(id, blocks): &(&str, &[&str])| json!({ "id": id, "label": id, "enablesPrompts": blocks });
    let options: Vec<Value> = options.iter().map(option).collect();
    let mut choice = json!({ "id": id, "label": id, "type": kind, "options": options });
    choice.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    choice
}

fn toggle(id: &str, blocks: &[&str], more: Value) -> Value {
    let mut toggle = choice(id, "toggle", &[], more);
    toggle["extras"] = json!({ "prompts": blocks });
    toggle
}

fn text(text: &str) -> Answer {
    Answer::Text(text.into())
}

fn many_of(ids: &[&str]) -> Answer {
    Answer::Many(ids.iter().map(|id| (*id).to_owned()).collect())
}

fn given<const N: usize>(answers: [(&str, Answer); N]) -> Scene {
    let answers = answers.into_iter().map(|(id, answer)| (id.to_owned(), answer));
    Scene { answers: answers.collect(), ..Scene::default() }
}

fn switched(scene: Scene, block: &str, on: bool) -> Scene {
    Scene { switches: [(block.to_owned(), on)].into(), ..scene }
}

/// The ids of the blocks that are on.
fn on(preset: &PresetBody, scene: &Scene) -> String {
    let enabled = evaluate(preset, scene).enabled;
    assert_eq!(enabled.len(), preset.prompts.len());
    preset.prompts.iter().zip(enabled).filter(|(_, on)| *on).map(|(block, _)| block.id.as_str()).collect()
}

fn reasons(choices: Value) -> Vec<String> {
    let (preset, scene) = (with(choices), Scene::default());
    evaluate(&preset, &scene).invalid.iter().map(|(choice, why)| format!("{}: {why}", choice.id)).collect()
}

fn warnings(evaluation: &Evaluation<'_>) -> Vec<String> {
    evaluation.warnings.iter().map(Warning::to_string).collect()
}

const X_Y: &[(&str, &[&str])] = &[("x", &["A"]), ("y", &["B"])];

fn one() -> PresetBody {
    with(json!([choice("c", "one", X_Y, json!({ "default": "x" }))]))
}

#[test]
fn the_selected_option_turns_its_blocks_on_and_those_of_the_others_off() {
    assert_eq!(on(&one(), &Scene::default()), "AC");
    assert_eq!(on(&one(), &given([("c", text("y"))])), "BC");
    let many = with(json!([choice("c", "many", &[("x", &["A", "B"]), ("y", &["D"])], json!({ "default": ["y"] }))]));
    assert_eq!(on(&many, &Scene::default()), "CD");
    assert_eq!(on(&many, &given([("c", many_of(&[]))])), "C");
    assert_eq!(on(&many, &given([("c", many_of(&["y", "x"]))])), "ABCD");
}

#[test]
fn a_switch_of_the_scene_wins_even_where_it_says_what_the_preset_says() {
    assert_eq!(on(&one(), &switched(given([("c", text("y"))]), "A", true)), "ABC");
    assert_eq!(on(&one(), &switched(Scene::default(), "A", false)), "C");
    assert_eq!(on(&one(), &switched(Scene::default(), "D", true)), "ACD");
    let empty = with(json!([choice("c", "one", &[("x", &["A"]), ("y", &[])], json!({ "default": "x" }))]));
    assert_eq!(on(&empty, &given([("c", text("y"))])), "C");
    assert_eq!(on(&empty, &switched(given([("c", text("y"))]), "A", true)), "AC");
}

#[test]
fn an_invalid_choice_names_no_blocks() {
    let few = choice("c", "many", &[("x", &["A", "B"]), ("y", &["D"])], json!({ "default": [], "min": 1 }));
    assert_eq!(on(&with(json!([few])), &given([("c", many_of(&["y"]))])), "AC");
    let unknown = choice("c", "one", &[("x", &["A"])], json!({ "default": "z" }));
    assert_eq!(on(&with(json!([unknown])), &given([("c", text("x"))])), "AC");
}

#[test]
fn a_toggle_has_its_blocks_beside_its_options() {
    assert_eq!(on(&with(json!([toggle("t", &["D"], json!({ "default": true }))])), &Scene::default()), "ACD");
    assert_eq!(on(&with(json!([toggle("t", &["A"], json!({}))])), &Scene::default()), "C", "it is off by itself");
    assert_eq!(on(&with(json!([toggle("t", &["A"], json!({}))])), &given([("t", Answer::Toggle(true))])), "AC");
    // Of no other type.
    let mut one = choice("c", "one", X_Y, json!({ "default": "x" }));
    one["extras"] = json!({ "prompts": ["C", "D"] });
    assert_eq!(on(&with(json!([one])), &Scene::default()), "AC");
}

#[test]
fn a_block_is_on_when_any_choice_turns_it_on() {
    let one = choice("c", "one", &[("x", &["C"])], json!({ "default": "x" }));
    let off = toggle("t", &["C"], json!({ "default": false }));
    assert_eq!(on(&with(json!([off, one])), &Scene::default()), "AC");
    assert_eq!(on(&with(json!([one, off])), &Scene::default()), "AC");
}

#[test]
fn a_text_turns_nothing_on_or_off() {
    let input = choice("c", "input", &[("x", &["A", "B"])], json!({ "default": "x" }));
    assert_eq!(on(&with(json!([input])), &Scene::default()), "AC");
}

#[test]
fn blocks_of_one_id_are_on_or_off_together() {
    let blocks = vec![block("A", json!({})), block("A", json!({ "enabled": false }))];
    let preset = preset(blocks, json!([choice("c", "one", X_Y, json!({ "default": "x" }))]));
    assert_eq!(evaluate(&preset, &Scene::default()).enabled, [true, true]);
    assert_eq!(evaluate(&preset, &given([("c", text("y"))])).enabled, [false, false]);
}

#[test]
fn a_choice_needs_a_default_that_is_an_answer_to_it() {
    let with = |kind: &str, more: Value| reasons(json!([choice("c", kind, X_Y, more)]));
    for (kind, more) in [
        ("one", json!({ "default": "y", "min": 5 })),
        ("many", json!({ "default": [] })),
        ("many", json!({ "default": ["x", "y"], "min": 2 })),
        ("many", json!({ "default": ["x", "lost"], "min": 1 })),
        ("toggle", json!({})),
        ("toggle", json!({ "default": "yes" })),
        ("input", json!({ "default": "" })),
    ] {
        assert_eq!(with(kind, more.clone()), [""; 0], "{kind} {more}");
    }
    for (kind, more, reason) in [
        ("one", json!({}), "it has no default"),
        ("many", json!({}), "it has no default"),
        ("input", json!({}), "it has no default"),
        ("one", json!({ "default": "z" }), "its default does not fit: there is no option `z`"),
        ("one", json!({ "default": ["x"] }), "its default does not fit: it must be the id of an option"),
        ("many", json!({ "default": "x" }), "its default does not fit: it must be a list of ids of options"),
        ("input", json!({ "default": true }), "its default does not fit: it must be a text"),
        (
            "many",
            json!({ "default": ["x", "x"], "min": 2 }),
            "its default does not fit: it selects 1, and 2 is the fewest",
        ),
        ("many", json!({ "default": ["z"], "min": 1 }), "its default does not fit: it selects 0, and 1 is the fewest"),
    ] {
        assert_eq!(with(kind, more), [format!("c: {reason}")]);
    }
}

#[test]
fn of_two_valid_choices_of_one_id_the_first_counts() {
    let first = choice("c", "one", &[("x", &["A"])], json!({}));
    let second = choice("c", "one", &[("x", &["B"])], json!({ "default": "x" }));
    let third = toggle("c", &["C"], json!({}));
    let choices = json!([first, second, third]);
    assert_eq!(reasons(choices.clone()), ["c: it has no default", "c: a choice before it has the same id"]);
    assert_eq!(on(&with(choices), &Scene::default()), "ABC");
}

#[test]
fn the_answer_is_that_of_the_scene_else_the_saved_one_else_the_default() {
    let options: &[(&str, &[&str])] = &[("x", &["A"]), ("y", &["B"]), ("z", &["D"])];
    let preset = with(json!([choice("c", "one", options, json!({ "default": "x" }))]));
    let answer = |scene: Option<Answer>, saved: Option<Answer>| {
        let map = |answer: Option<Answer>| answer.map(|answer| ("c".to_owned(), answer)).into_iter().collect();
        let scene = Scene { answers: map(scene), saved: map(saved), ..Scene::default() };
        let evaluation = evaluate(&preset, &scene);
        let Answer::Text(answer) = evaluation.choices[0].answer.clone() else { panic!("no text") };
        (answer, evaluation.choices[0].from, warnings(&evaluation).join("; "))
    };
    let fine = |answer: &str, from| (answer.to_owned(), from, String::new());
    assert_eq!(answer(None, None), fine("x", Origin::Declared));
    assert_eq!(answer(None, Some(text("z"))), fine("z", Origin::Saved));
    assert_eq!(answer(Some(text("y")), Some(text("z"))), fine("y", Origin::Scene));

    let warned = |answer: &str, from, warning: &str| (answer.to_owned(), from, format!("choice `c`: {warning}"));
    let old = "the answer of the scene does not fit: there is no option `old`";
    assert_eq!(answer(Some(text("old")), Some(text("z"))), warned("z", Origin::Saved, old));
    let form = "the saved answer does not fit: it must be the id of an option";
    assert_eq!(answer(None, Some(Answer::Toggle(true))), warned("x", Origin::Declared, form));
}

#[test]
fn unknown_options_are_left_out_of_an_answer_before_it_is_counted() {
    let preset = with(json!([choice("c", "many", X_Y, json!({ "default": ["x"], "min": 1 }))]));
    let scene = given([("c", many_of(&["old", "y", "y"]))]);
    let evaluation = evaluate(&preset, &scene);
    assert_eq!((&evaluation.choices[0].answer, evaluation.choices[0].from), (&many_of(&["y"]), Origin::Scene));
    assert_eq!(warnings(&evaluation), ["choice `c`: the answer of the scene names `old`, which is no option"]);
    let scene = given([("c", many_of(&["old"]))]);
    let evaluation = evaluate(&preset, &scene);
    assert_eq!((&evaluation.choices[0].answer, evaluation.choices[0].from), (&many_of(&["x"]), Origin::Declared));
}

#[test]
fn what_means_nothing_is_warned_of() {
    let preset = with(json!([
        choice("c", "one", &[("x", &["A", "gone"]), ("x", &["B"])], json!({ "default": "x" })),
        choice("t", "toggle", &[("x", &["C"])], json!({ "default": "on", "extras": { "prompts": ["D", 4, "lost"] } })),
    ]));
    let mut scene = switched(given([("a", text("x"))]), "E", true);
    scene.saved.insert("b".into(), text("x"));
    let evaluation = evaluate(&preset, &scene);
    let expected = [
        "choice `t`: the default does not fit: it must be true or false",
        "there is no choice `a` for the answer of the scene",
        "there is no choice `b` for the saved answer",
        "there is no block `E` to switch",
        "choice `c`: there is no block `gone` to turn on or off",
        "choice `c`: nothing can select the option `x`, so its blocks stay off",
        "choice `t`: there is no block `lost` to turn on or off",
        "choice `t`: `extras.prompts` is no list of ids of blocks",
        "choice `t`: nothing can select the option `x`, so its blocks stay off",
    ];
    assert_eq!(warnings(&evaluation), expected);
    let of_scene: Vec<bool> = evaluation.warnings.iter().map(Warning::is_about_the_scene).collect();
    assert_eq!(of_scene, [false, true, false, true, false, false, false, false, false]);
    assert_eq!(on(&preset, &scene), "A");
}

#[test]
fn choices_are_asked_by_their_order() {
    let input = |id: &str, order: Value| choice(id, "input", &[], json!({ "default": "", "sortOrder": order }));
    let none = |id: &str| choice(id, "input", &[], json!({ "default": "" }));
    let choices = json!([none("a"), input("b", json!(2)), input("c", json!(-0.5)), none("d"), input("e", json!(2))]);
    let (preset, scene) = (with(choices), Scene::default());
    let asked: String = evaluate(&preset, &scene).choices.iter().map(|known| known.choice.id.as_str()).collect();
    assert_eq!(asked, "cbead");
}

#[test]
fn macros_can_read_the_answers() {
    let option = |id: &str, value: Option<&str>| {
        let mut option = json!({ "id": id, "label": "" });
        if let Some(value) = value {
            option["value"] = value.into();
        }
        option
    };
    let options = [option("a", Some("ash")), option("b", None), option("c", Some("")), option("d", Some("dew"))];
    let of = |kind: &str, default: Value| json!({ "id": kind, "label": "", "type": kind, "options": options, "default": default });
    let mut joined = of("many", json!(["d", "a", "b"]));
    joined["id"] = json!("joined");
    joined["separator"] = json!(" and ");
    let all = of("many", json!(["a", "b", "c", "d"]));
    let preset =
        with(json!([of("one", json!("a")), all, joined, of("toggle", json!(true)), of("input", json!("Wren"))]));
    let scene = given([("toggle", Answer::Toggle(false))]);
    let evaluation = evaluate(&preset, &scene);
    let value = |id: &str| evaluation.choice(id).unwrap().value().collect::<String>();
    assert_eq!(
        ["one", "many", "joined", "toggle", "input"].map(value),
        ["ash", "ash, , dew", "ash and dew", "false", "Wren"]
    );
    assert!(evaluation.is_chosen("one", "a") && !evaluation.is_chosen("one", "b"));
    assert!(evaluation.is_chosen("many", "b") && !evaluation.is_chosen("lost", "a"));
    assert!(evaluation.choice("lost").is_none());
}

#[test]
fn a_preview_of_a_scene_has_the_blocks_of_the_scene() {
    let preset = one();
    let scene = switched(given([("c", text("y"))]), "C", false);
    let preview = evaluate(&preset, &scene).preview();
    let ids: Vec<&str> = preview.lines.iter().map(|line| line.block.id.as_str()).collect();
    assert_eq!(ids, ["B"]);
    assert_eq!((preview.weight.total_count, preview.weight.enabled_count), (4, 1));
}
