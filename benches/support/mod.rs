//! What the benchmarks share.

pub(crate) mod inputs;
pub(crate) mod measure;
