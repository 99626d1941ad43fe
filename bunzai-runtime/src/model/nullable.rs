use super::{Field, Open, Type, Typed, View};
use crate::json::Value;

/// A value or an explicit `null`, where the model tells the two from absence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Nullable<T> {
    /// `null`
    #[default]
    Null,
    /// A value.
    Value(T),
}

impl<T> Nullable<T> {
    /// The value, if it is not null.
    pub fn as_option(&self) -> Option<&T> {
        match self {
            Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }

    /// The value, if it is not null.
    pub fn into_option(self) -> Option<T> {
        match self {
            Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }
}

impl<T> From<Option<T>> for Nullable<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::Value)
    }
}

impl<T: Typed> Field for Nullable<T> {
    fn view(&self) -> View<'_> {
        self.as_option().map_or(View::Null, Field::view)
    }

    fn set(&mut self, value: Value<'_>) -> bool {
        match (&mut *self, value) {
            (_, Value::Null) => {
                *self = Self::Null;
                true
            }
            (Self::Value(inner), value) => inner.set(value),
            (Self::Null, value) => {
                let mut inner = T::blank();
                let fits = inner.set(value);
                if fits {
                    *self = Self::Value(inner);
                }
                fits
            }
        }
    }

    fn clear(&mut self) {
        *self = Self::Null;
    }

    fn open(&mut self) -> Open<'_> {
        if let Self::Null = self {
            *self = Self::Value(T::blank());
        }
        match self {
            Self::Value(value) => value.open(),
            Self::Null => Open::Leaf,
        }
    }
}

impl<T: Typed> Typed for Nullable<T> {
    const TYPE: Type = T::TYPE;
    const NULLABLE: bool = true;

    fn blank() -> Self {
        Self::Null
    }
}
