//! `triangular_solve`: solution of triangular systems of equations.

use crate::ops::classes::FLOAT_OR_COMPLEX_TENSOR;
use crate::ops::op;
use crate::ops::spec::{Numerics, Trait};

op! {
    /// Solution of triangular systems of equations.
    pub struct TriangularSolve = "stablehlo" "triangular_solve";
    operands {
        one I1 a: FLOAT_OR_COMPLEX_TENSOR;
        one I2 b: FLOAT_OR_COMPLEX_TENSOR;
    }
    attributes {
        required I3 left_side: Bool;
        required I4 lower: Bool;
        required I5 unit_diagonal: Bool;
        required I6 transpose_a: TransposeAttr;
    }
    results {
        one result: FLOAT_OR_COMPLEX_TENSOR;
    }
    regions {}
    spec {
        summary: "Solves `op(a) x = b` or `x op(a) = b` for each triangular matrix in `a`",
        anchor: "triangular_solve",
        traits: &[Trait::Pure],
        numerics: Numerics::Accumulation,
        vhlo: &[("triangular_solve_v1", "0.9.0")],
    }
}
