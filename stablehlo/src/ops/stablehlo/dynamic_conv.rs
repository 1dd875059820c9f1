//! `dynamic_conv`: `convolution` with padding that is computed.

use super::convolution_rules;
use crate::ops::classes::{ANY_TENSOR, STATIC_INTEGER_MATRIX, TENSOR};
use crate::ops::op;
use crate::ops::spec::{Infer, Numerics, Trait};
use crate::vhlo::history::{Absent, Change, History, Step, WindowRank};

op! {
    /// `convolution` with padding that is computed.
    pub struct DynamicConv = "stablehlo" "dynamic_conv";
    operands {
        one I1 lhs: TENSOR;
        one I2 rhs: ANY_TENSOR;
        one I3 padding: STATIC_INTEGER_MATRIX;
    }
    attributes {
        optional I4 window_strides: I64Array;
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
        summary: "Slides the kernel `rhs` over windows of `lhs` and sums the products; the padding is an operand",
        anchor: "dynamic_conv",
        traits: &[Trait::Pure],
        constraints: convolution_rules::RULES,
        infer: Infer::Fn(convolution_rules::infer),
        numerics: Numerics::Accumulation,
        vhlo: History::USUAL
            .steps(&[Step::new(0, 20, &[Change::PaddingOperand])])
            .absent(&[
                ("window_strides", Absent::Ones(WindowRank::Spatial)),
                ("lhs_dilation", Absent::Ones(WindowRank::Spatial)),
                ("rhs_dilation", Absent::Ones(WindowRank::Spatial)),
                ("window_reversal", Absent::Falses(WindowRank::Spatial)),
            ])
            .declared(),
    }
}
