//! The leaves of the model: how each Rust type that may stand in a canonical struct is read and
//! written. Each is one impl, used by every field of that type.

use indexmap::IndexMap;

use super::{Dict, Field, List, Open, Type, Typed, View};
use crate::json::{Number, Value};

/// A bag of leftovers: an object whose content is not modelled. It keeps the order of its keys.
pub type Extras = serde_json::Map<String, serde_json::Value>;

impl Field for String {
    fn view(&self) -> View<'_> {
        View::Text(self)
    }

    fn set(&mut self, value: Value<'_>) -> bool {
        let Value::Text(text) = value else { return false };
        *self = text.into_owned();
        true
    }

    fn clear(&mut self) {
        String::clear(self);
    }

    fn open(&mut self) -> Open<'_> {
        Open::Leaf
    }
}

impl Typed for String {
    const TYPE: Type = Type::Text(&[]);

    fn blank() -> Self {
        String::new()
    }
}

impl Field for bool {
    fn view(&self) -> View<'_> {
        View::Bool(*self)
    }

    fn set(&mut self, value: Value<'_>) -> bool {
        let Value::Bool(b) = value else { return false };
        *self = b;
        true
    }

    fn clear(&mut self) {
        *self = false;
    }

    fn open(&mut self) -> Open<'_> {
        Open::Leaf
    }
}

impl Typed for bool {
    const TYPE: Type = Type::Bool;

    fn blank() -> Self {
        false
    }
}

impl Field for Number {
    fn view(&self) -> View<'_> {
        View::Number(*self)
    }

    fn set(&mut self, value: Value<'_>) -> bool {
        let Value::Number(n) = value else { return false };
        *self = n;
        true
    }

    fn clear(&mut self) {
        *self = Number::ZERO;
    }

    fn open(&mut self) -> Open<'_> {
        Open::Leaf
    }
}

impl Typed for Number {
    const TYPE: Type = Type::Number;

    fn blank() -> Self {
        Number::ZERO
    }
}

impl Field for f64 {
    /// A double that is no number is written as zero; there is nothing in JSON for it.
    fn view(&self) -> View<'_> {
        View::Number(Number::from_f64(*self).unwrap_or_default())
    }

    fn set(&mut self, value: Value<'_>) -> bool {
        let Value::Number(n) = value else { return false };
        let double = n.as_f64();
        // An integer that no double is would not be the same when it is compared.
        let exact = Number::from_f64(double) == Some(n);
        if exact {
            *self = double;
        }
        exact
    }

    fn clear(&mut self) {
        *self = 0.0;
    }

    fn open(&mut self) -> Open<'_> {
        Open::Leaf
    }
}

impl Typed for f64 {
    const TYPE: Type = Type::Number;

    fn blank() -> Self {
        0.0
    }
}

macro_rules! integers {
    ($($int:ty),*) => { $(
        impl Field for $int {
            fn view(&self) -> View<'_> {
                View::Number((*self).into())
            }

            fn set(&mut self, value: Value<'_>) -> bool {
                let Value::Number(n) = value else { return false };
                let small = n.as_i64().and_then(|n| n.try_into().ok());
                let Some(n) = small.or_else(|| n.as_u64().and_then(|n| n.try_into().ok())) else { return false };
                *self = n;
                true
            }

            fn clear(&mut self) {
                *self = 0;
            }

            fn open(&mut self) -> Open<'_> {
                Open::Leaf
            }
        }

        impl Typed for $int {
            const TYPE: Type = Type::Integer { min: <$int>::MIN as i64, max: <$int>::MAX as u64 };

            fn blank() -> Self {
                0
            }
        }
    )* };
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64);

impl<T: Typed> Field for Option<T> {
    fn view(&self) -> View<'_> {
        self.as_ref().map_or(View::Absent, Field::view)
    }

    fn set(&mut self, value: Value<'_>) -> bool {
        if let Some(inner) = self {
            return inner.set(value);
        }
        let mut inner = T::blank();
        let fits = inner.set(value);
        if fits {
            *self = Some(inner);
        }
        fits
    }

    fn clear(&mut self) {
        *self = None;
    }

    fn open(&mut self) -> Open<'_> {
        self.get_or_insert_with(T::blank).open()
    }
}

impl<T: Typed> Typed for Option<T> {
    const TYPE: Type = T::TYPE;
    const OPTIONAL: bool = true;
    const NULLABLE: bool = T::NULLABLE;

    fn blank() -> Self {
        None
    }
}

impl<T: Typed> Field for Box<T> {
    fn view(&self) -> View<'_> {
        (**self).view()
    }

    fn set(&mut self, value: Value<'_>) -> bool {
        (**self).set(value)
    }

    fn clear(&mut self) {
        (**self).clear();
    }

    fn open(&mut self) -> Open<'_> {
        (**self).open()
    }
}

impl<T: Typed> Typed for Box<T> {
    const TYPE: Type = T::TYPE;
    const OPTIONAL: bool = T::OPTIONAL;
    const NULLABLE: bool = T::NULLABLE;

    fn blank() -> Self {
        Box::new(T::blank())
    }
}

impl<T: Typed> Field for Vec<T> {
    fn view(&self) -> View<'_> {
        View::List(self)
    }

    fn set(&mut self, value: Value<'_>) -> bool {
        let Value::List(items) = value else { return false };
        let mut list = Vec::with_capacity(items.len());
        for item in items {
            let mut field = T::blank();
            if !field.set(item) {
                return false;
            }
            list.push(field);
        }
        *self = list;
        true
    }

    fn clear(&mut self) {
        Vec::clear(self);
    }

    fn open(&mut self) -> Open<'_> {
        Open::List(self)
    }
}

impl<T: Typed> Typed for Vec<T> {
    const TYPE: Type = Type::List(&T::TYPE);

    fn blank() -> Self {
        Vec::new()
    }
}

impl<T: Typed> List for Vec<T> {
    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn item(&self, index: usize) -> Option<&dyn Field> {
        self.get(index).map(|item| item as &dyn Field)
    }

    fn item_mut(&mut self, index: usize) -> Option<&mut dyn Field> {
        self.get_mut(index).map(|item| item as &mut dyn Field)
    }

    fn blank(&self) -> Box<dyn Field> {
        Box::new(T::blank())
    }

    fn push(&mut self) -> Option<&mut dyn Field> {
        Vec::push(self, T::blank());
        self.last_mut().map(|item| item as &mut dyn Field)
    }

    fn pop(&mut self) {
        Vec::pop(self);
    }

    fn reorder(&mut self, order: &[usize]) {
        let mut seen = vec![false; Vec::len(self)];
        let fresh = |n: &usize| seen.get_mut(*n).is_some_and(|s| !std::mem::replace(s, true));
        if order.len() != Vec::len(self) || !order.iter().all(fresh) {
            return;
        }
        let mut old: Vec<Option<T>> = std::mem::take(self).into_iter().map(Some).collect();
        self.extend(order.iter().filter_map(|n| old.get_mut(*n)?.take()));
    }
}

impl<T: Typed> Field for IndexMap<String, T> {
    fn view(&self) -> View<'_> {
        View::Dict(self)
    }

    fn set(&mut self, value: Value<'_>) -> bool {
        let Value::Object(members) = value else { return false };
        let mut dict = Self::new();
        let fits = members.into_iter().all(|(key, value)| dict.insert_value(&key, value));
        if fits {
            *self = dict;
        }
        fits
    }

    fn clear(&mut self) {
        IndexMap::clear(self);
    }

    fn open(&mut self) -> Open<'_> {
        Open::Dict(self)
    }
}

/// The part of [`Dict`] that has a name of its own in the types it stands for.
trait InsertValue {
    fn insert_value(&mut self, key: &str, value: Value<'_>) -> bool;
}

impl<T: Typed> InsertValue for IndexMap<String, T> {
    fn insert_value(&mut self, key: &str, value: Value<'_>) -> bool {
        let mut field = T::blank();
        let fits = field.set(value);
        if fits {
            self.insert(key.to_owned(), field);
        }
        fits
    }
}

impl<T: Typed> Typed for IndexMap<String, T> {
    const TYPE: Type = Type::Dict(&T::TYPE);

    fn blank() -> Self {
        Self::new()
    }
}

impl<T: Typed> Dict for IndexMap<String, T> {
    fn len(&self) -> usize {
        IndexMap::len(self)
    }

    fn get(&self, key: &str) -> Option<&dyn Field> {
        IndexMap::get(self, key).map(|v| v as &dyn Field)
    }

    fn each<'a>(&'a self, call: &mut dyn FnMut(&'a str, &'a dyn Field)) {
        for (key, value) in self {
            call(key, value);
        }
    }

    fn insert(&mut self, key: &str, value: Value<'_>) -> bool {
        self.insert_value(key, value)
    }

    fn remove(&mut self, key: &str) {
        self.shift_remove(key);
    }
}

impl Field for serde_json::Value {
    fn view(&self) -> View<'_> {
        match self {
            Self::Null => View::Null,
            Self::Bool(b) => View::Bool(*b),
            Self::Number(n) => View::Number(n.into()),
            Self::String(text) => View::Text(text),
            Self::Array(items) => View::List(items),
            Self::Object(members) => View::Dict(members),
        }
    }

    fn set(&mut self, value: Value<'_>) -> bool {
        *self = value.into();
        true
    }

    fn clear(&mut self) {
        *self = Self::Null;
    }

    fn open(&mut self) -> Open<'_> {
        match self {
            Self::Array(items) => Open::List(items),
            Self::Object(members) => Open::Dict(members),
            _ => Open::Leaf,
        }
    }
}

impl Typed for serde_json::Value {
    const TYPE: Type = Type::Any;
    const NULLABLE: bool = true;

    fn blank() -> Self {
        Self::Null
    }
}

impl Field for Extras {
    fn view(&self) -> View<'_> {
        View::Dict(self)
    }

    fn set(&mut self, value: Value<'_>) -> bool {
        let serde_json::Value::Object(members) = value.into() else { return false };
        *self = members;
        true
    }

    fn clear(&mut self) {
        serde_json::Map::clear(self);
    }

    fn open(&mut self) -> Open<'_> {
        Open::Dict(self)
    }
}

impl Typed for Extras {
    const TYPE: Type = Type::Dict(&Type::Any);

    fn blank() -> Self {
        Self::new()
    }
}

impl Dict for Extras {
    fn len(&self) -> usize {
        serde_json::Map::len(self)
    }

    fn get(&self, key: &str) -> Option<&dyn Field> {
        serde_json::Map::get(self, key).map(|v| v as &dyn Field)
    }

    fn each<'a>(&'a self, call: &mut dyn FnMut(&'a str, &'a dyn Field)) {
        for (key, value) in self {
            call(key, value);
        }
    }

    fn insert(&mut self, key: &str, value: Value<'_>) -> bool {
        serde_json::Map::insert(self, key.to_owned(), value.into());
        true
    }

    fn remove(&mut self, key: &str) {
        self.shift_remove(key);
    }
}
