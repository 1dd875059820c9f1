//! Dialects by name: those whose ops the registry declares, and those that frameworks mix in.

use crate::ops::OpKind;

/// Dialects whose ops stand in what frameworks and MLIR's tools write beside StableHLO; their ops are kept as they are and
/// not checked.
const FOREIGN: &[&str] = &[
    "affine",
    "arith",
    "cf",
    "complex",
    "linalg",
    "math",
    "memref",
    "mhlo",
    "ml_program",
    "mpmd",
    "quant",
    "scf",
    "sdy",
    "shape",
    "sparse_tensor",
    "tensor",
    "tf",
    "tf_executor",
    "tf_saved_model",
    "tfl",
    "torch",
    "torch_c",
    "tosa",
    "vector",
    "vhlo",
];

/// What is known about a dialect.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// The registry declares all of its ops.
    Registered,
    /// Known by name only.
    Foreign,
    /// Never heard of.
    Unknown,
}

pub(super) fn standing(dialect: &str) -> Standing {
    if OpKind::ALL.iter().any(|kind| kind.spec().dialect == dialect) {
        Standing::Registered
    } else if FOREIGN.contains(&dialect) {
        Standing::Foreign
    } else {
        Standing::Unknown
    }
}
