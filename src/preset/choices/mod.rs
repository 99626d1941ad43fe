//! Choices at work: which blocks of a preset are on in a scene.
//!
//! A choice is a question to the person who sets the preset up. Its answer turns the blocks it
//! names on or off; the switches of the scene have the last word.

mod answer;
mod gates;
mod warning;

use std::collections::{BTreeMap, HashSet};

use answer::{Fitting, declared, fitting};

pub use answer::Unfit;
pub use warning::Warning;

use super::{Preview, preview::build};
use crate::model::{PresetBody, PresetChoice, PresetChoiceDefault, PresetChoiceOption, PresetChoiceType};

/// An answer to a choice, of the form that its type asks for.
pub type Answer = PresetChoiceDefault;

/// What a scene and its person have said about a preset.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    /// The answers given in this scene, by the id of the choice.
    pub answers: BTreeMap<String, Answer>,
    /// The answers the person has saved for this preset, for choices that the scene does not answer.
    pub saved: BTreeMap<String, Answer>,
    /// The scene's own switches, by the id of the block. They always win.
    pub switches: BTreeMap<String, bool>,
}

/// A preset as a scene has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation<'a> {
    preset: &'a PresetBody,
    /// The valid choices with their answers, in the order they are asked in: by `sortOrder`, those
    /// without one last, else as in the preset.
    pub choices: Vec<Answered<'a>>,
    /// The choices that are neither shown nor applied, and why.
    pub invalid: Vec<(&'a PresetChoice, Invalid<'a>)>,
    /// Whether each block is on, in the order of the preset.
    pub enabled: Vec<bool>,
    /// What was passed over.
    pub warnings: Vec<Warning<'a>>,
}

/// Why a choice is neither shown nor applied.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Invalid<'a> {
    /// It has no default, and needs one.
    NoDefault,
    /// Its default is no answer to it.
    Default(Unfit<'a>),
    /// A valid choice before it has its id, so that answers could not tell the two apart.
    SameId,
}

/// A choice and its answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered<'a> {
    /// The choice. One with `randomPick` is not to be asked: the caller picks, and says so in
    /// [`Scene::answers`].
    pub choice: &'a PresetChoice,
    /// The answer, without ids of no option.
    pub answer: Answer,
    /// Who gave it.
    pub from: Origin,
    /// The options it selects, in the order of the choice.
    pub selected: Vec<&'a PresetChoiceOption>,
}

/// Who gave an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The scene.
    Scene,
    /// The person, for every scene with this preset.
    Saved,
    /// The preset.
    Declared,
}

/// Evaluates the choices of a preset for a scene.
///
/// The answer of a choice is the scene's own, else the saved one, else the declared default; one
/// that does not fit is passed over with a warning. A block that a valid choice names is on when a
/// selected option or a toggle that is on names it, and off otherwise, whatever it says itself. Any
/// other block is on or off as it says. Switches come last.
pub fn evaluate<'a>(preset: &'a PresetBody, scene: &'a Scene) -> Evaluation<'a> {
    let (mut choices, mut invalid, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
    let mut ids = HashSet::new();
    for choice in preset.choices.iter().flatten() {
        match declared(choice, &mut warnings) {
            Err(why) => invalid.push((choice, why)),
            Ok(_) if !ids.insert(choice.id.as_str()) => invalid.push((choice, Invalid::SameId)),
            Ok(default) => choices.push(answered(choice, default, scene, &mut warnings)),
        }
    }
    let known = preset.choices.iter().flatten().map(|choice| choice.id.as_str()).collect();
    for (answers, from) in [(&scene.answers, Origin::Scene), (&scene.saved, Origin::Saved)] {
        warnings.extend(strangers(answers, &known).map(|id| Warning::UnknownChoice { id, from }));
    }
    let blocks = preset.prompts.iter().map(|block| block.id.as_str()).collect();
    warnings.extend(strangers(&scene.switches, &blocks).map(|id| Warning::UnknownSwitch { id }));

    let gates = gates::of(&choices, &blocks, &mut warnings);
    let enabled = preset.prompts.iter().map(|block| {
        let baseline = gates.get(block.id.as_str()).copied().unwrap_or(block.enabled);
        scene.switches.get(&block.id).copied().unwrap_or(baseline)
    });
    let enabled = enabled.collect();
    choices.sort_by(|a, b| match (a.choice.sort_order, b.choice.sort_order) {
        (Some(a), Some(b)) => a.total_cmp(b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    Evaluation { preset, choices, invalid, enabled, warnings }
}

/// The first answer of a valid choice that fits.
fn answered<'a>(
    choice: &'a PresetChoice,
    default: Fitting<'a>,
    scene: &'a Scene,
    warnings: &mut Vec<Warning<'a>>,
) -> Answered<'a> {
    for (answers, from) in [(&scene.answers, Origin::Scene), (&scene.saved, Origin::Saved)] {
        match answers.get(&choice.id).map(|answer| fitting(choice, answer)) {
            None => {}
            Some(Ok(fitting)) => return fitting.given(choice, from, warnings),
            Some(Err(why)) => warnings.push(Warning::Unfit { choice, from, why }),
        }
    }
    default.given(choice, Origin::Declared, warnings)
}

/// The ids that are not known.
fn strangers<'a, T>(map: &'a BTreeMap<String, T>, known: &HashSet<&str>) -> impl Iterator<Item = &'a str> {
    map.keys().map(String::as_str).filter(|id| !known.contains(id))
}

impl<'a> Evaluation<'a> {
    /// The preview of the preset as the scene has it.
    pub fn preview(&self) -> Preview<'a> {
        build(self.preset, self.enabled.iter().copied())
    }

    /// The choice with an id and its answer, as `{{choice::id}}` reads it; nothing when it is not
    /// valid.
    pub fn choice(&self, id: &str) -> Option<&Answered<'a>> {
        self.choices.iter().find(|answered| answered.choice.id == id)
    }

    /// Whether an option of a choice is selected, as `{{chosen::choice::option}}` asks.
    pub fn is_chosen(&self, choice: &str, option: &str) -> bool {
        self.choice(choice).is_some_and(|answered| answered.selected.iter().any(|selected| selected.id == option))
    }
}

impl<'a> Answered<'a> {
    /// The text that the variable of the choice gets, as `{{getvar::key}}` reads it, in pieces: the
    /// values of the selected options and the separator between them, `true` or `false`, or the
    /// text that was put in.
    ///
    /// Options without a value add nothing. The separator is `, ` where the choice has none. The
    /// pieces are not put together here, for a long separator makes a text far longer than the file
    /// it came from; `collect::<String>()` does it.
    pub fn value(&self) -> impl Iterator<Item = &str> {
        let plain = match (&self.answer, self.choice.choice_type) {
            (Answer::Text(text), PresetChoiceType::Input) => Some(text.as_str()),
            (Answer::Toggle(true), _) => Some("true"),
            (Answer::Toggle(false), _) => Some("false"),
            _ => None,
        };
        let separator = self.choice.separator.as_deref().unwrap_or(", ");
        let values = self.selected.iter().filter_map(|option| option.value.as_deref());
        let separated = values.enumerate().flat_map(move |(n, value)| [(n > 0).then_some(separator), Some(value)]);
        plain.into_iter().chain(separated.flatten())
    }
}
