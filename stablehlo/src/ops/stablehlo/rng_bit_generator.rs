//! `rng_bit_generator`: random bits by a stated algorithm.

use crate::ops::classes::{INTEGER_OR_FLOAT_TENSOR, STATIC_INTEGER_OR_FLOAT_TENSOR};
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;

const FORM: &[Form] = &[Operands, Text(", algorithm = "), Slot("rng_algorithm"), AttrDict, Types(TypeForm::Function)];

op! {
    /// Random bits by a stated algorithm.
    pub struct RngBitGenerator = "stablehlo" "rng_bit_generator";
    operands {
        one I2 initial_state: INTEGER_OR_FLOAT_TENSOR;
    }
    attributes {
        required I1 rng_algorithm: RngAlgorithmAttr;
    }
    results {
        one output_state: INTEGER_OR_FLOAT_TENSOR;
        one output: STATIC_INTEGER_OR_FLOAT_TENSOR;
    }
    regions {}
    spec {
        summary: "Fills `output` with uniform random bits by the algorithm, and gives the next state",
        anchor: "rng_bit_generator",
        traits: &[Trait::Pure],
        syntax: Syntax::Form(FORM),
        vhlo: &[("rng_bit_generator_v1", "0.9.0")],
    }
}
