//! `rng`: random numbers of a distribution.

use crate::ops::classes::{BOOLEAN_INTEGER_OR_FLOAT_SCALAR, BOOLEAN_INTEGER_OR_FLOAT_TENSOR, STATIC_SHAPE_VECTOR};
use crate::ops::op;
use crate::ops::spec::{Numerics, Syntax};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;

const FORM: &[Form] =
    &[Operands, Text(", distribution = "), Slot("rng_distribution"), AttrDict, Types(TypeForm::Function)];

op! {
    /// Random numbers of a distribution.
    pub struct Rng = "stablehlo" "rng";
    operands {
        one I1 a: BOOLEAN_INTEGER_OR_FLOAT_SCALAR;
        one I2 b: BOOLEAN_INTEGER_OR_FLOAT_SCALAR;
        one I3 shape: STATIC_SHAPE_VECTOR;
    }
    attributes {
        required I4 rng_distribution: RngDistributionAttr;
    }
    results {
        one result: BOOLEAN_INTEGER_OR_FLOAT_TENSOR;
    }
    regions {}
    spec {
        summary: "Draws numbers from the uniform distribution on [a, b) or the normal one with mean a and deviation b",
        anchor: "rng",
        syntax: Syntax::Form(FORM),
        numerics: Numerics::Random,
        vhlo: &[("rng_v1", "0.9.0")],
    }
}
