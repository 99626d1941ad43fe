//! What choices say about blocks.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::Value;

use super::{Answer, Answered, Warning};
use crate::model::{PresetChoice, PresetChoiceOption, PresetChoiceType};

/// Whether each block that a valid choice names is on; one that is on by any of them is on.
pub(super) fn of<'a>(
    choices: &[Answered<'a>],
    blocks: &HashSet<&str>,
    warnings: &mut Vec<Warning<'a>>,
) -> HashMap<&'a str, bool> {
    let mut gates = HashMap::new();
    for Answered { choice, answer, selected, .. } in choices {
        // A text turns nothing on or off.
        if choice.choice_type == PresetChoiceType::Input {
            continue;
        }
        let named: Vec<&str> = choice.options.iter().flat_map(enables).chain(toggled(choice)).collect();
        let is_on = *answer == Answer::Toggle(true);
        let on = selected.iter().copied().flat_map(enables).chain(toggled(choice).filter(|_| is_on));
        for id in &named {
            gates.entry(*id).or_insert(false);
        }
        gates.extend(on.map(|id| (id, true)));

        let unknown: BTreeSet<&str> = named.into_iter().filter(|id| !blocks.contains(id)).collect();
        warnings.extend(unknown.into_iter().map(|id| Warning::UnknownBlock { choice, id }));
        unreadable(choice, warnings);
        unreachable(choice, warnings);
    }
    gates
}

/// The blocks an option names.
fn enables(option: &PresetChoiceOption) -> impl Iterator<Item = &str> {
    option.enables_prompts.iter().flatten().map(String::as_str)
}

/// The blocks a toggle names itself. RoleCall keeps them there, and the model has no field for it.
fn toggled(choice: &PresetChoice) -> impl Iterator<Item = &str> {
    prompts(choice).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

fn prompts(choice: &PresetChoice) -> Option<&Value> {
    let extras = choice.extras.as_ref().filter(|_| choice.choice_type == PresetChoiceType::Toggle);
    extras?.get("prompts")
}

/// Warns of a toggle that names blocks in no way that is known.
fn unreadable<'a>(choice: &'a PresetChoice, warnings: &mut Vec<Warning<'a>>) {
    let is_list_of_ids = |value: &Value| value.as_array().is_some_and(|ids| ids.iter().all(Value::is_string));
    if prompts(choice).is_some_and(|prompts| !is_list_of_ids(prompts)) {
        warnings.push(Warning::NoBlocks { choice });
    }
}

/// Warns of options that no answer selects although they name blocks: these blocks are off.
fn unreachable<'a>(choice: &'a PresetChoice, warnings: &mut Vec<Warning<'a>>) {
    let mut ids = HashSet::new();
    for option in &choice.options {
        let is_reachable = choice.choice_type != PresetChoiceType::Toggle && ids.insert(option.id.as_str());
        if !is_reachable && enables(option).next().is_some() {
            warnings.push(Warning::UnreachableOption { choice, option });
        }
    }
}
