//! Who am I: `replica_id` and `partition_id`.

use crate::ops::classes::SCALAR_UI32_TENSOR;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Types};
use crate::syntax::TypeForm;

const RESULT_TYPE: &[Form] = &[AttrDict, Types(TypeForm::Results)];

op! {
    /// The replica id of the running process.
    pub struct ReplicaId = "stablehlo" "replica_id";
    operands {}
    attributes {}
    results { one result: SCALAR_UI32_TENSOR; }
    regions {}
    spec {
        summary: "Gives the replica id of the current process",
        anchor: "replica_id",
        traits: &[Trait::Pure],
        syntax: Syntax::Form(RESULT_TYPE),
    }
}

op! {
    /// The partition id of the running process.
    pub struct PartitionId = "stablehlo" "partition_id";
    operands {}
    attributes {}
    results { one result: SCALAR_UI32_TENSOR; }
    regions {}
    spec {
        summary: "Gives the partition id of the current process",
        anchor: "partition_id",
        traits: &[Trait::Pure],
        syntax: Syntax::Form(RESULT_TYPE),
    }
}
