//! From the ops of portable artifacts to ours.
//!
//! The reader of bytecode looks each versioned op name up once per file, and asks once per name and set of attributes what
//! they are in our op, whatever the number of ops that share them. Operands, results, regions and successors of versioned
//! ops are ours one to one; types and attribute values were turned into ours when their entries were decoded.

use smallvec::SmallVec;

use crate::bytecode::error::Error;
use crate::ir::{AttrId, Module};
use crate::ops::OpKind;

/// What a versioned op name means.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct VersionedOp {
    /// The op; `return_v1` is [`OpKind::FuncReturn`] directly inside functions and [`OpKind::Return`] elsewhere, which the
    /// reader sees to.
    pub(crate) kind: OpKind,
    /// Names of its attributes in the order in which properties list them (alphabetical), all of them required.
    pub(crate) attributes: Box<[&'static str]>,
}

/// The op called `vhlo.NAME` (such as `add_v1`), if any version has it.
pub(crate) fn find(_name: &str) -> Option<VersionedOp> {
    None
}

/// The inherent attributes of our op: one slot per declared attribute of `op.kind`.
///
/// `attributes` are the values in the order of `op.attributes`; one that is absent (only old files can leave one out) is
/// none. Upgrades to the newest version are part of this. Faults are told as `vhlo/…` or `bytecode/…` at `offset`.
pub(crate) fn properties(
    op: &VersionedOp,
    module: &mut Module,
    attributes: &[Option<AttrId>],
    offset: u64,
) -> Result<SmallVec<[Option<AttrId>; 8]>, Error> {
    let _ = (module, attributes);
    Err(Error::new("bytecode/unknown-op", offset, format!("the attributes of {} are not known", op.kind.name())))
}
