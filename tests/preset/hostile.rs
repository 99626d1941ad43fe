//! Values no application writes: nothing panics.

use bunzai::model::PresetBody;
use bunzai::preset::choices::{Answer, Invalid, Scene, Unfit, evaluate};
use bunzai::preset::preview;
use serde_json::{Value, json};

use crate::{block, preset};

#[test]
fn numbers_beyond_doubles_and_integers_sort_by_value() {
    let orders = [json!(1.8446744073709552e19), json!(u64::MAX), json!(-1e308), json!(1e308), json!(u64::MAX - 1)];
    let all = orders.iter().cycle().take(300);
    let block = |(n, order): (usize, &Value)| block(&n.to_string(), json!({ "injectionOrder": order }));
    let preset = preset(all.enumerate().map(block).collect(), json!([]));
    let preview = preview(&preset);
    let sorted: Vec<usize> = preview.lines.iter().map(|line| line.block.id.parse::<usize>().unwrap() % 5).collect();
    let expected: Vec<usize> = [2, 4, 1, 0, 3].into_iter().flat_map(|n| [n; 60]).collect();
    assert_eq!(sorted, expected);
}

#[test]
fn a_min_of_any_number_is_kept_to() {
    let with = |min: Value| {
        let options = json!([{ "id": "x", "label": "" }, { "id": "y", "label": "" }]);
        let choice =
            json!({ "id": "c", "label": "", "type": "many", "options": options, "default": ["x"], "min": min });
        preset(vec![], json!([choice]))
    };
    let scene = Scene::default();
    for (min, valid) in
        [(json!(-1e300), true), (json!(0.5), true), (json!(1), true), (json!(1.5), false), (json!(u64::MAX), false)]
    {
        assert_eq!(evaluate(&with(min.clone()), &scene).invalid.is_empty(), valid, "{min}");
    }
    let preset = with(json!(1e308));
    let invalid = evaluate(&preset, &scene).invalid[0].1;
    assert!(matches!(invalid, Invalid::Default(Unfit::TooFew { selected: 1, .. })), "{invalid:?}");
}

/// Blocks of few ids, and one choice of each type whose options name many blocks and share ids.
fn large(n: usize) -> (PresetBody, Scene) {
    let blocks = (0..n).map(|k| block(&(k % 7).to_string(), json!({ "injectionOrder": n - k }))).collect();
    let options: Vec<Value> = (0..n)
        .map(|k| json!({ "id": (k / 2).to_string(), "label": "", "value": "v", "enablesPrompts": [k.to_string()] }))
        .collect();
    let ids: Vec<String> = (0..n).map(|k| k.to_string()).collect();
    let mut choices = vec![
        json!({ "id": "one", "label": "", "type": "one", "options": options, "default": "0" }),
        json!({ "id": "many", "label": "", "type": "many", "options": options, "default": ids }),
        json!({ "id": "toggle", "label": "", "type": "toggle", "options": options, "extras": { "prompts": ids } }),
    ];
    choices.extend((0..n).map(|k| json!({ "id": k.to_string(), "label": "", "type": "toggle", "options": [] })));
    let mut scene = Scene::default();
    scene.answers.insert("many".into(), Answer::Many(ids.clone()));
    scene.switches = ids.iter().map(|id| (id.clone(), true)).collect();
    scene.saved = ids.into_iter().map(|id| (id, Answer::Toggle(true))).collect();
    (preset(blocks, json!(choices)), scene)
}

#[test]
fn large_presets_are_evaluated_whole() {
    let (preset, scene) = large(20_000);
    let evaluation = evaluate(&preset, &scene);
    assert_eq!(evaluation.preview().lines.len(), 20_000);
}

#[test]
fn a_long_id_does_not_fill_every_message() {
    let named: Vec<String> = (0..1000).map(|n| n.to_string()).collect();
    let choice = json!({
        "id": "x".repeat(100_000), "label": "", "type": "toggle", "options": [], "extras": { "prompts": named }
    });
    let preset = preset(vec![], json!([choice]));
    let scene = Scene::default();
    let evaluation = evaluate(&preset, &scene);
    assert_eq!(evaluation.warnings.len(), 1000);
    assert!(evaluation.warnings.iter().all(|warning| warning.to_string().len() < 200));
}

#[test]
fn a_message_holds_nothing_a_terminal_acts_upon() {
    let choice = json!({ "id": "c", "label": "", "type": "one", "options": [], "default": "\u{1b}[2J\n" });
    let preset = preset(vec![], json!([choice]));
    let scene = Scene { switches: [("\u{1b}]0;x\u{7}".to_owned(), true)].into(), ..Scene::default() };
    let evaluation = evaluate(&preset, &scene);
    let told = format!("{} {}", evaluation.invalid[0].1, evaluation.warnings[0]);
    assert!(!told.contains(char::is_control), "{told:?}");
}
