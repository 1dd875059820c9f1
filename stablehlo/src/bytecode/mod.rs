//! MLIR bytecode: the binary form of modules.
//!
//! A file is a few sections: strings, names of dialects and ops, a table of attributes and types, properties, the IR, and
//! resources. Everything refers to everything else by index. `docs/bytecode.md` describes the format.
//!
//! Reading: [`cursor`] reads numbers and never beyond the end, `read` takes sections apart and builds a
//! [`Module`](crate::ir::Module). Writing: `write` collects what ops need in a table, numbers it as MLIR does, and emits it.
//! How an attribute or type of a dialect is encoded stands in `dialects`, reading and writing side by side.

mod cursor;
pub(crate) mod dialects;
pub mod error;
mod format;
mod inspect;
pub(crate) mod read;
pub(crate) mod write;
mod younger;

pub use error::Error;
pub use inspect::{DialectSummary, ResourceSummary, SectionSummary, Summary, inspect, section_at};
pub use read::container::SectionKind;
pub use read::{is_bytecode, read};
pub use write::{Encoded, Options, write};
