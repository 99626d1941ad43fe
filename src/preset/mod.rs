//! Presets at work: the order their blocks stand in, and the choices that turn blocks on and off.

pub mod choices;
mod preview;

pub use preview::{Largest, Line, Preview, Weight, preview};
