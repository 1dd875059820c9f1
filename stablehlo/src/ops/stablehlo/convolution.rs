//! `convolution`: products of windows of a tensor with a kernel.

use super::convolution_rules;
use crate::ops::classes::{ANY_TENSOR, TENSOR};
use crate::ops::op;
use crate::ops::spec::{Infer, Numerics, Syntax, Trait};
use crate::syntax::custom;

op! {
    /// Products of windows of a tensor with a kernel.
    pub struct Convolution = "stablehlo" "convolution";
    operands {
        one I1 lhs: TENSOR;
        one I2 rhs: ANY_TENSOR;
    }
    attributes {
        optional I3 window_strides: I64Array;
        optional I4 padding: I64Elements;
        optional I5 lhs_dilation: I64Array;
        optional I6 rhs_dilation: I64Array;
        optional I7 window_reversal: BoolArray;
        required I8 dimension_numbers: ConvDims;
        required I17 feature_group_count: I64;
        required I18 batch_group_count: I64;
        optional I19 precision_config: PrecisionConfig;
    }
    results {
        one result: ANY_TENSOR;
    }
    regions {}
    spec {
        summary: "Slides the kernel `rhs` over windows of `lhs` and sums the products",
        syntax: Syntax::Custom { parse: custom::convolution::parse, print: custom::convolution::print },
        anchor: "convolution",
        traits: &[Trait::Pure],
        constraints: convolution_rules::RULES,
        infer: Infer::Fn(convolution_rules::infer),
        numerics: Numerics::Accumulation,
        vhlo: &[("convolution_v1", "0.9.0")],
    }
}
