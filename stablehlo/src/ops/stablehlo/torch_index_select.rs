//! `torch_index_select`: PyTorch's gather along a dimension; not in the specification.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::Trait;

op! {
    /// PyTorch's gather along a dimension.
    pub struct TorchIndexSelect = "stablehlo" "torch_index_select";
    operands { one _ operand: TENSOR; one _ index: TENSOR; }
    attributes {
        required _ dim: I64;
        required _ batch_dims: I64;
    }
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Takes the slices of `operand` along `dim` that `index` names, per batch",
        traits: &[Trait::Pure],
        constraints: &[],
        deprecated: Some("write stablehlo.gather instead"),
    }
}
