//! Elementwise functions of two tensors of one type.

use super::shapes;
use super::unary::BARE;
use crate::ops::classes::INTEGER_TENSOR;
use crate::ops::op;
use crate::ops::spec::{Check, Constraint, Infer, Syntax, Trait};
use crate::ops::value_classes::CHLO_FLOAT_TENSOR;
use crate::verify::{Cx, Fault, Inferred};

/// Declares rows that differ in nothing but names, classes and traits.
macro_rules! binary {
    ($($view:ident $mnemonic:literal ($first:ident, $second:ident): $class:ident, $traits:expr, $summary:literal;)*) => {$(
        op! {
            #[doc = concat!($summary, ".")]
            pub struct $view = "chlo" $mnemonic;
            operands { one _ $first: $class; one _ $second: $class; }
            attributes {}
            results { one result: $class; }
            regions {}
            spec {
                summary: $summary,
                traits: $traits,
                constraints: &[Constraint {
                    label: "C1",
                    text: shapes::SAME_TYPES,
                    check: Check::Fn(shapes::same_types),
                }],
                infer: Infer::Fn(infer),
                syntax: Syntax::Form(BARE),
            }
        }
    )*};
}

const PURE: &[Trait] = &[Trait::Pure];
const COMMUTATIVE: &[Trait] = &[Trait::Pure, Trait::Commutative];

/// The most specific type that both operands have.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    Ok(vec![cx.most_specific(cx.module.operands(cx.op))?])
}

binary! {
    NextAfter "next_after" (x, y): CHLO_FLOAT_TENSOR, PURE, "The representable value next to `x` in the direction of `y`";
    Polygamma "polygamma" (n, x): CHLO_FLOAT_TENSOR, PURE, "The polygamma function of order `n` at `x`";
    Zeta "zeta" (x, q): CHLO_FLOAT_TENSOR, PURE, "Hurwitz's zeta function of `x` and `q`";
    Mulhi "mulhi" (lhs, rhs): INTEGER_TENSOR, COMMUTATIVE, "The upper half of the bits of the product of `lhs` and `rhs`";
}
