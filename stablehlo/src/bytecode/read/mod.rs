//! From bytes to a [`Module`].
//!
//! | file | what it does |
//! |---|---|
//! | `container` | sections; strings, names of dialects and ops, where entries and properties are |
//! | `entries` | the table of attributes and types, decoded when asked for |
//! | `resources` | blobs beside the ops |
//! | `properties` | what op names mean, and the attributes of ops |
//! | `ops` | the ops |
//!
//! Bounds: nothing recurses; every count is checked against the bytes that are left before memory is taken for it; what a
//! file shares may be written out only as far as [`entries::Budget`] goes. A module takes about ten times the bytes of its
//! file without the constants, which share the file; at the very worst (blocks without ops) a hundred times.

pub(crate) mod container;
mod entries;
pub(crate) mod ops;
mod properties;
mod resources;

pub(crate) use entries::{Decoder, Stop};

use super::error::Result;
use crate::ir::Module;
use crate::vhlo::casts::fold_casts;
use container::{Container, MAGIC};
use entries::Tables;
use ops::IrReader;

/// Whether `bytes` begin like MLIR bytecode.
pub fn is_bytecode(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Reads a module; `source_name` is what diagnostics call the file.
///
/// Ops of portable artifacts become the ops that they are versions of. Large constants share `bytes`, which may be a file in
/// memory; nothing of them is looked at.
///
/// # Errors
/// The first fault, with its place: `bytecode/…`, or `vhlo/…` where an op of a portable artifact is not what its version says.
pub fn read(bytes: bytes::Bytes, source_name: &str) -> Result<Module> {
    let mut tables = Tables::new(Container::read(&bytes)?);
    let mut module = Module::new(source_name);
    tables.resources = resources::read_resources(&tables.container, &mut module, &mut tables.budget)?;
    // An op takes about fifteen bytes.
    module.reserve_for_text(tables.container.ir.left().saturating_mul(6));
    // Most attributes are locations.
    module.reserve_locations(tables.n_attributes() / 2);
    IrReader::new(&mut tables, &mut module).read()?;
    if tables.container.dialects.iter().any(|dialect| dialect.name == "vhlo") {
        fold_casts(&mut module);
    }
    Ok(module)
}
