//! The command as people meet it: the program itself, files, and what it prints.

// Without the command there is nothing to test.
#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may stop where it stands")]

mod bulk;
mod bundle;
mod convert;
mod edit;
mod explain;
mod folder;
mod formats;
mod hostile;
mod inspect;
mod mappings;
mod preview;
mod report;
mod roundtrip;
mod schema;
mod suggested;
mod terminal;
mod validate;
mod writing;
