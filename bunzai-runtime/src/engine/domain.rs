//! The values that a slot is read from, and those that are written into it: what schemas say of it.

use super::slot::Slot;
use super::spelling::Spell;
use super::types::schema_types;
use crate::json::Value;
use crate::map::{Cell, Else, Table, Types};
use crate::model::Type;

/// Some values of a slot, or of an item of it.
#[derive(Debug, Default)]
pub(crate) struct Domain {
    /// Those that are known one by one.
    pub(crate) values: Vec<Value<'static>>,
    /// The types of which all values belong to it.
    pub(crate) types: Types,
    /// Whether blanks of these types do not belong to it.
    pub(crate) filled: bool,
    /// Whether the text of a number belongs to it.
    pub(crate) numbers_in_text: bool,
    /// Whether such text with white space around it does too.
    pub(crate) loose_numbers: bool,
    /// Whether `true` and `false` as text in any case do.
    pub(crate) loose_bools: bool,
}

impl Slot {
    /// The values that are read.
    pub(crate) fn reads(&self) -> Domain {
        let mut domain = Domain::default();
        let open = self.table.as_ref().is_none_or(is_open);
        match self.links.first() {
            Some(link) => {
                for spelling in link {
                    domain.values.extend(spelling.finite_values());
                    match spelling {
                        Spell::Number if open => domain.types = domain.types.or(schema_types(self.leaf)),
                        Spell::NumberText if open => domain.numbers_in_text = true,
                        Spell::LooseNumber if open => domain.loose_numbers = true,
                        Spell::LooseBool if open => domain.loose_bools = true,
                        Spell::Text | Spell::Trim if open => domain.types = domain.types.or(Types::STRING),
                        Spell::LooseText if open => domain.types = domain.types.or(spelling.reads()),
                        _ => {}
                    }
                }
                let cells = self.table.iter().flat_map(constants);
                domain
                    .values
                    .extend(cells.flat_map(|cell| link.iter().filter_map(move |s| s.write(cell.clone()).ok())));
            }
            None => {
                domain.values.extend(self.table.iter().flat_map(constants));
                domain.values.extend(self.words().filter(|_| self.table.is_none()));
                if open && !matches!((self.leaf, &self.table), (Type::Words(_), None)) {
                    domain.types = match self.leaf {
                        Type::Any => self.item_accepts(),
                        leaf if self.table.is_none() => schema_types(leaf).or(self.decimal_types()),
                        _ => self.item_accepts(),
                    };
                }
            }
        }
        domain.filled = self.table.as_ref().is_some_and(|table| is_open(table) && !takes_blanks(table));
        domain.values.retain(|value| self.is_read(value));
        domain.without_doubles()
    }

    /// The values that are written where the twin has none.
    pub(crate) fn writes(&self) -> Domain {
        let mut domain = Domain::default();
        let spelled = |value: Value<'static>| self.spell(value, None).map(Value::into_owned);
        if let Some(table) = &self.table {
            let cells = table.rows.iter().chain(table.write.iter()).filter_map(|row| row.wire.first()?.constant());
            let cells = cells.filter_map(|cell| self.spell_links(cell.into_owned(), None).map(Value::into_owned));
            domain.values.extend(cells);
            if table.other != Else::Pass {
                return domain.without_doubles();
            }
        }
        let numbers_in_text = self.links.iter().any(|link| link.first() == Some(&Spell::NumberText));
        match self.leaf {
            Type::Bool => domain.values.extend([true, false].into_iter().filter_map(|b| spelled(Value::Bool(b)))),
            Type::Words(_) => domain.values.extend(self.words().filter_map(spelled)),
            Type::Number | Type::Integer { .. } if numbers_in_text => domain.numbers_in_text = true,
            Type::Any => domain.types = self.item_accepts(),
            leaf => domain.types = schema_types(leaf),
        }
        domain.without_doubles()
    }

    /// The words of a closed set.
    fn words(&self) -> impl Iterator<Item = Value<'static>> + use<> {
        let words = if let Type::Words(words) = self.leaf { words } else { &[] };
        words.iter().map(|word| Value::text(*word))
    }
}

impl Domain {
    fn without_doubles(mut self) -> Self {
        let mut once: Vec<Value<'static>> = Vec::new();
        for value in self.values.drain(..) {
            if !once.contains(&value) {
                once.push(value);
            }
        }
        Self { values: once, ..self }
    }
}

/// Whether a table takes values that none of its cells names.
fn is_open(table: &Table) -> bool {
    // What the last row takes for want of another is odd.
    let known = table.rows.len() - usize::from(table.other == Else::Last);
    let cells = table.rows[..known].iter().filter_map(|row| row.wire.first());
    table.other == Else::Pass || cells.into_iter().any(|cell| !matches!(cell, Cell::Is(_)))
}

/// Whether an open table takes blanks.
fn takes_blanks(table: &Table) -> bool {
    let cells = table.rows.iter().filter_map(|row| row.wire.first());
    table.other == Else::Pass || cells.into_iter().any(|cell| matches!(cell, Cell::Any | Cell::None | Cell::Has(_)))
}

/// The constants on the wire side of a table.
fn constants(table: &Table) -> impl Iterator<Item = Value<'static>> {
    table.rows.iter().filter_map(|row| row.wire.first()?.constant()).map(Value::into_owned)
}

impl Cell {
    /// The constant of a cell that is one.
    fn constant(&self) -> Option<Value<'_>> {
        match self {
            Self::Is(literal) => literal.value(),
            Self::Any | Self::Some | Self::None | Self::Has(_) => None,
        }
    }
}
