//! Which answers a choice takes.

use std::collections::BTreeSet;
use std::fmt;

use super::warning::Id;
use super::{Answer, Answered, Invalid, Origin, Warning};
use crate::Number;
use crate::model::{PresetChoice, PresetChoiceOption, PresetChoiceType};

/// Why an answer does not fit its choice.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Unfit<'a> {
    /// It has another form than the type of the choice asks for.
    Form {
        /// That type.
        expected: PresetChoiceType,
    },
    /// It is the id of no option.
    UnknownOption {
        /// The id.
        id: &'a str,
    },
    /// It selects fewer options than `min` asks for.
    TooFew {
        /// How many options it selects.
        selected: usize,
        /// The fewest.
        min: Number,
    },
}

/// An answer that fits.
pub(super) struct Fitting<'a> {
    answer: Answer,
    selected: Vec<&'a PresetChoiceOption>,
    /// Ids of no option; they were left out of the answer.
    unknown: BTreeSet<&'a str>,
}

impl<'a> Fitting<'a> {
    fn plain(answer: Answer) -> Self {
        Self { answer, selected: Vec::new(), unknown: BTreeSet::new() }
    }

    /// Makes it the answer of the choice.
    pub(super) fn given(self, choice: &'a PresetChoice, from: Origin, warnings: &mut Vec<Warning<'a>>) -> Answered<'a> {
        let Self { answer, selected, unknown } = self;
        warnings.extend(unknown.into_iter().map(|id| Warning::UnknownOption { choice, from, id }));
        Answered { choice, answer, from, selected }
    }
}

/// The answer that a choice declares. Only a toggle can do without: it is off then.
pub(super) fn declared<'a>(
    choice: &'a PresetChoice,
    warnings: &mut Vec<Warning<'a>>,
) -> Result<Fitting<'a>, Invalid<'a>> {
    let off = || Ok(Fitting::plain(Answer::Toggle(false)));
    let is_toggle = choice.choice_type == PresetChoiceType::Toggle;
    match choice.default.as_ref().map(|default| fitting(choice, default)) {
        None if is_toggle => off(),
        None => Err(Invalid::NoDefault),
        Some(Err(why)) if is_toggle => {
            warnings.push(Warning::Unfit { choice, from: Origin::Declared, why });
            off()
        }
        Some(fitting) => fitting.map_err(Invalid::Default),
    }
}

/// An answer as its choice takes it.
pub(super) fn fitting<'a>(choice: &'a PresetChoice, answer: &'a Answer) -> Result<Fitting<'a>, Unfit<'a>> {
    match (choice.choice_type, answer) {
        (PresetChoiceType::One, Answer::Text(id)) => {
            let option = choice.options.iter().find(|option| option.id == *id);
            let option = option.ok_or(Unfit::UnknownOption { id })?;
            Ok(Fitting { selected: vec![option], ..Fitting::plain(answer.clone()) })
        }
        (PresetChoiceType::Many, Answer::Many(ids)) => many(choice, ids),
        (PresetChoiceType::Toggle, Answer::Toggle(_)) | (PresetChoiceType::Input, Answer::Text(_)) => {
            Ok(Fitting::plain(answer.clone()))
        }
        (expected, _) => Err(Unfit::Form { expected }),
    }
}

fn many<'a>(choice: &'a PresetChoice, ids: &'a [String]) -> Result<Fitting<'a>, Unfit<'a>> {
    let mut wanted: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
    // What was found is wanted no more, so the first option of an id counts, and once.
    let selected: Vec<_> = choice.options.iter().filter(|option| wanted.remove(option.id.as_str())).collect();
    if let Some(min) = choice.min.filter(|min| Number::from(selected.len() as u64) < *min) {
        return Err(Unfit::TooFew { selected: selected.len(), min });
    }
    let answer = Answer::Many(selected.iter().map(|option| option.id.clone()).collect());
    Ok(Fitting { answer, selected, unknown: wanted })
}

impl fmt::Display for Unfit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form { expected } => f.write_str(match expected {
                PresetChoiceType::One => "it must be the id of an option",
                PresetChoiceType::Many => "it must be a list of ids of options",
                PresetChoiceType::Toggle => "it must be true or false",
                PresetChoiceType::Input => "it must be a text",
            }),
            Self::UnknownOption { id } => write!(f, "there is no option {}", Id(id)),
            Self::TooFew { selected, min } => write!(f, "it selects {selected}, and {min} is the fewest"),
        }
    }
}

impl fmt::Display for Invalid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDefault => f.write_str("it has no default"),
            Self::Default(why) => write!(f, "its default does not fit: {why}"),
            Self::SameId => f.write_str("a choice before it has the same id"),
        }
    }
}
