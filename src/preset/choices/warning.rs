//! What an evaluation passes over.

use std::fmt;

use super::{Origin, Unfit};
use crate::model::{PresetChoice, PresetChoiceOption};
use crate::printable;

/// Something that an evaluation passed over. Nothing fails for it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Warning<'a> {
    /// An answer does not fit its choice; the next one in line counted.
    Unfit {
        /// The choice.
        choice: &'a PresetChoice,
        /// Who gave the answer.
        from: Origin,
        /// What is wrong with it.
        why: Unfit<'a>,
    },
    /// An answer names an option that its choice does not have; the rest of it counted.
    UnknownOption {
        /// The choice.
        choice: &'a PresetChoice,
        /// Who gave the answer.
        from: Origin,
        /// The id of no option.
        id: &'a str,
    },
    /// An answer is to no choice of the preset.
    UnknownChoice {
        /// The id of no choice.
        id: &'a str,
        /// Who gave the answer.
        from: Origin,
    },
    /// A switch is of no block of the preset.
    UnknownSwitch {
        /// The id of no block.
        id: &'a str,
    },
    /// A choice names a block that the preset does not have.
    UnknownBlock {
        /// The choice.
        choice: &'a PresetChoice,
        /// The id of no block.
        id: &'a str,
    },
    /// What a toggle keeps under `prompts` is no list of ids of blocks; what are texts in it counted.
    NoBlocks {
        /// The choice.
        choice: &'a PresetChoice,
    },
    /// No answer can select an option, because it is one of a toggle or has the id of an option
    /// before it. The blocks it names are off.
    UnreachableOption {
        /// The choice.
        choice: &'a PresetChoice,
        /// The option.
        option: &'a PresetChoiceOption,
    },
}

impl Warning<'_> {
    /// Whether it is about what the scene says, and not about the preset or what was saved.
    pub fn is_about_the_scene(&self) -> bool {
        match self {
            Self::Unfit { from, .. } | Self::UnknownOption { from, .. } | Self::UnknownChoice { from, .. } => {
                *from == Origin::Scene
            }
            Self::UnknownSwitch { .. } => true,
            Self::UnknownBlock { .. } | Self::NoBlocks { .. } | Self::UnreachableOption { .. } => false,
        }
    }
}

impl fmt::Display for Warning<'_> {
    /// On one line, with the starts of long ids.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfit { choice, from, why } => {
                write!(f, "choice {}: {from} does not fit: {why}", Id(&choice.id))
            }
            Self::UnknownOption { choice, from, id } => {
                write!(f, "choice {}: {from} names {}, which is no option", Id(&choice.id), Id(id))
            }
            Self::UnknownChoice { id, from } => write!(f, "there is no choice {} for {from}", Id(id)),
            Self::UnknownSwitch { id } => write!(f, "there is no block {} to switch", Id(id)),
            Self::UnknownBlock { choice, id } => {
                write!(f, "choice {}: there is no block {} to turn on or off", Id(&choice.id), Id(id))
            }
            Self::NoBlocks { choice } => {
                write!(f, "choice {}: `extras.prompts` is no list of ids of blocks", Id(&choice.id))
            }
            Self::UnreachableOption { choice, option } => {
                let (choice, option) = (Id(&choice.id), Id(&option.id));
                write!(f, "choice {choice}: nothing can select the option {option}, so its blocks stay off")
            }
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scene => "the answer of the scene",
            Self::Saved => "the saved answer",
            Self::Declared => "the default",
        })
    }
}

/// An id in a message. Many messages can speak of one id, so a long one is cut.
pub(super) struct Id<'a>(pub(super) &'a str);

impl fmt::Display for Id<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(60) {
            Some((cut, _)) => write!(f, "`{}…`", printable(&self.0[..cut])),
            None => write!(f, "`{}`", printable(self.0)),
        }
    }
}
