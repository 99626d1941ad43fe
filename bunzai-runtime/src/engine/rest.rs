//! The keys without a row, and the object of the model that they go to.

use std::borrow::Cow;

use super::plan::{Frame, RestPlan};
use crate::json::Value;
use crate::map::Case;
use crate::model::{Dict, Field, Node, Open, View};

impl RestPlan {
    /// What a key of the wire is called in the model.
    pub(super) fn name_of<'k>(&self, key: &'k str) -> Cow<'k, str> {
        let Some(case) = self.case else { return Cow::Borrowed(key) };
        let name = camel(key);
        // A key that does not come back the same stays as it is.
        if case.of(&name) == key { Cow::Owned(name) } else { Cow::Borrowed(key) }
    }

    /// The key of the wire that a name of the model is written as.
    pub(super) fn key_of<'k>(&self, name: &'k str) -> Cow<'k, str> {
        let Some(case) = self.case else { return Cow::Borrowed(name) };
        let key = case.of(name);
        if camel(&key) == name { Cow::Owned(key) } else { Cow::Borrowed(name) }
    }

    /// Whether a row speaks for a key of the object.
    pub(super) fn is_claimed(&self, name: &str) -> bool {
        self.claimed.iter().any(|claimed| claimed.as_ref() == name)
    }

    pub(super) fn insert(&self, scope: &mut dyn Node, name: &str, value: Value<'_>) {
        self.target.open(scope, |open| {
            if let Open::Dict(dict) = open {
                dict.insert(name, value);
            }
        });
    }

    /// Takes the members out that no row speaks for.
    pub(super) fn forget(&self, scope: &mut dyn Node) {
        let mut names = Vec::new();
        if let Some(dict) = self.dict(scope) {
            dict.each(&mut |name, _| names.extend((!self.is_claimed(name)).then(|| name.to_owned())));
        }
        if names.is_empty() {
            return;
        }
        self.target.open(scope, |open| {
            if let Open::Dict(dict) = open {
                names.iter().for_each(|name| dict.remove(name));
            }
        });
        if self.dict(scope).is_some_and(Dict::is_empty) {
            self.target.clear(scope);
        }
    }

    /// The object, if the model has it.
    pub(super) fn dict<'m>(&self, scope: &'m dyn Node) -> Option<&'m dyn Dict> {
        match self.target.view(scope) {
            View::Dict(dict) => Some(dict),
            _ => None,
        }
    }
}

impl Frame {
    /// The members of the object for keys without a row that no row speaks for: their names, and
    /// the keys they have on the wire. A key that has a row is the row's, whatever the object says.
    pub(super) fn leftovers<'m>(&self, scope: &'m dyn Node) -> Vec<(&'m str, Cow<'m, str>, &'m dyn Field)> {
        let mut members = Vec::new();
        let Some(rest) = &self.rest else { return members };
        if let Some(dict) = rest.dict(scope) {
            dict.each(&mut |name, field| {
                let key = rest.key_of(name);
                if !rest.is_claimed(name) && self.places[rest.place].children.get(&key).is_none() {
                    members.push((name, key, field));
                }
            });
        }
        members
    }
}

impl Case {
    /// A name in camel case, written in this case.
    fn of(self, name: &str) -> String {
        let words = words(name);
        let capital = |word: &str| {
            let mut chars = word.chars();
            chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
        };
        match self {
            Self::Snake => words.join("_"),
            Self::Kebab => words.join("-"),
            Self::ScreamingSnake => words.join("_").to_uppercase(),
            Self::Pascal => words.iter().map(|word| capital(word)).collect(),
            Self::Camel => name.to_owned(),
        }
    }
}

/// The words of a name, in lower case: a capital, a hyphen or an underscore begins one.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut begins = true;
    let mut before_is_capital = false;
    for c in name.chars() {
        if matches!(c, '_' | '-') {
            begins = true;
            continue;
        }
        if begins || (c.is_uppercase() && !before_is_capital) {
            words.push(String::new());
        }
        begins = false;
        before_is_capital = c.is_uppercase();
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words
}

fn camel(key: &str) -> String {
    let mut name = String::new();
    for (n, word) in words(key).iter().enumerate() {
        let mut chars = word.chars();
        match chars.next() {
            Some(first) if n > 0 => name.extend(first.to_uppercase()),
            Some(first) => name.push(first),
            None => {}
        }
        name.extend(chars);
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::target::Route;
    use crate::model::Shape;

    fn rest(case: Case) -> RestPlan {
        let shape: &'static Shape = &Shape { name: "X", doc: "", fields: &[] };
        let target = Route::find(shape, "").unwrap().whole;
        RestPlan { target, case: Some(case), place: 0, claimed: Vec::new() }
    }

    #[test]
    fn what_is_written_has_the_name_it_had() {
        for case in [Case::Snake, Case::Camel, Case::Pascal, Case::Kebab, Case::ScreamingSnake] {
            let rest = rest(case);
            for key in
                ["a", "first_name", "firstName", "FirstName", "FIRST_NAME", "first-name", "_x", "é_É", "URLOf", ""]
            {
                let name = rest.name_of(key);
                assert_eq!(rest.name_of(&rest.key_of(&name)), name, "{case:?}: {key}");
            }
        }
        let snake = rest(Case::Snake);
        assert_eq!((&*snake.name_of("first_name"), &*snake.key_of("firstName")), ("firstName", "first_name"));
        assert_eq!(&*rest(Case::Pascal).name_of("FirstName"), "firstName");
        assert_eq!(&*snake.name_of("__x"), "__x");
    }
}
