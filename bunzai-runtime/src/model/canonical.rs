use std::any::Any;
use std::fmt;

use super::{Node, Shape, Typed};

/// The body of a kind: the struct that `#[canonical(kind = "...")]` stands on.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the body of a kind",
    note = "add `#[derive(bunzai::Canonical)]` and `#[canonical(kind = \"...\", name = FIELD)]` to the struct"
)]
pub trait Canonical: Node + Typed + Clone + PartialEq + 'static {
    /// The name of the kind.
    const KIND: &'static str;
    /// The shape of the body.
    const SHAPE: &'static Shape;

    /// The name of the entity, which its id is made from.
    fn name(&self) -> &str;
}

/// A [`Canonical`] body whose type is known at run time only.
pub trait Body: Node {
    /// The name of its kind.
    fn kind(&self) -> &'static str;

    /// The name of the entity.
    fn entity_name(&self) -> &str;

    /// The struct of the body, to read.
    fn as_node(&self) -> &dyn Node;

    /// The struct of the body, to change.
    fn as_node_mut(&mut self) -> &mut dyn Node;

    /// The body as a type to come down to.
    fn as_any(&self) -> &dyn Any;

    /// The body as a type to come down to.
    fn into_any(self: Box<Self>) -> Box<dyn Any>;

    /// A copy.
    fn boxed_clone(&self) -> Box<dyn Body>;
}

impl<T: Canonical> Body for T {
    fn kind(&self) -> &'static str {
        T::KIND
    }

    fn entity_name(&self) -> &str {
        self.name()
    }

    fn as_node(&self) -> &dyn Node {
        self
    }

    fn as_node_mut(&mut self) -> &mut dyn Node {
        self
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }

    fn boxed_clone(&self) -> Box<dyn Body> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Body> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}

/// What is known of a kind at run time.
#[derive(Clone, Copy)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// The shape of its body.
    pub shape: &'static Shape,
    blank: fn() -> Box<dyn Body>,
}

impl Kind {
    /// The kind of a body type.
    pub const fn of<T: Canonical>() -> Self {
        Self { name: T::KIND, shape: T::SHAPE, blank: || Box::new(T::blank()) }
    }

    /// A body with nothing in it.
    pub fn blank(&self) -> Box<dyn Body> {
        (self.blank)()
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kind").field("name", &self.name).finish_non_exhaustive()
    }
}
