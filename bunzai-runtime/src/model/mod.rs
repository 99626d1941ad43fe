//! What the engine knows of a canonical type: its shape, and access to its fields by index.
//!
//! `derive(Canonical)` gives a struct its [`Shape`] and the two look-ups of [`Node`]; everything
//! else (reading, comparing, printing, schemas, reports) is written once over them.
mod canonical;
mod diff;
mod fault;
mod field;
mod leaves;
mod nullable;
mod read;
mod schema;
mod serde;
mod shape;
mod write;
pub use self::serde::{deserialize, serialize};
pub use canonical::{Body, Canonical, Kind};
pub(crate) use diff::{Difference, DifferenceKind, Made, Quotients, differences, order_by};
pub use fault::Fault;
pub use field::{Dict, Field, List, Node, Open, Typed, View, same, set_node};
pub use leaves::Extras;
pub use nullable::Nullable;
pub(crate) use read::{Problems, read_field, read_node, unknown};
pub(crate) use schema::{describe, or_null};
pub use schema::{kind_schema, schema_of};
pub(crate) use shape::bytes_equal;
pub use shape::{FieldShape, Shape, Type};
pub(crate) use write::{Container, write_view};
