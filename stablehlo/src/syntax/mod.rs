//! The text form: MLIR's generic syntax and the pretty forms of the registered dialects.
//!
//! [`parse()`] never fails: it returns what it understood and the diagnostics. The printer writes upstream's text to the byte.

pub(crate) mod constant;
pub mod forms;
pub mod lex;
mod locate;
pub mod parse;
pub mod print;
pub mod sections;

pub use forms::{Form, TypeForm};
pub use locate::locate;
pub use parse::{ParseFn, Parsed, parse};
pub use print::{PrintFn, PrintOptions, Printer, print, print_op, print_with_sources};
pub use sections::{Split, sections};

/// A dimension size as types write it.
pub fn dimension(size: i64) -> String {
    if size == crate::ir::DYNAMIC { "?".to_owned() } else { size.to_string() }
}
