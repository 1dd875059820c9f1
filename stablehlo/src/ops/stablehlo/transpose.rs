//! `transpose`: dimensions in another order.

use crate::ir::Shape;
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Syntax, Trait};
use crate::ops::stablehlo::dims::{self, List};
use crate::ops::stablehlo::quantization::{per_axis, same_element_type_up_to_axis};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

const FORM: &[Form] = &[Operands, Text(", dims = "), Slot("permutation"), AttrDict, Types(TypeForm::Function)];

op! {
    /// Dimensions in another order.
    pub struct Transpose = "stablehlo" "transpose";
    operands { one I1 operand: ANY_TENSOR; }
    attributes { required I2 permutation: I64Array; }
    results { one result: ANY_TENSOR; }
    regions {}
    spec {
        summary: "Puts the dimensions of `operand` in the order `permutation`",
        anchor: "transpose",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule("C1", "operand and result have the same element type, except that the quantization dimension of per-axis quantized ones may differ.", |cx| same_element_type_up_to_axis(cx, true)),
            Constraint::rule("C2", "permutation has every dimension of operand once.", c2_permutation),
            Constraint::rule("C3", "The result's shape is the operand's in the order of permutation.", |cx| dims::check_result_shapes(cx, infer(cx)?)),
            Constraint::rule("C4", "The quantization dimension of a per-axis quantized result comes from the operand's.", c4_quantization),
        ],
        infer: Infer::Fn(infer),
        syntax: Syntax::Form(FORM),
    }
}

fn c2_permutation(cx: &Cx<'_>) -> Verdict {
    let op = Transpose::new(cx.module, cx.op);
    let rank = cx.rank(op.operand());
    let permutation = List::new("permutation", "permutation", op.permutation());
    permutation.length(rank, "one per dimension of the operand")?;
    permutation.in_range(rank, "the operand")?;
    permutation.unique()
}

fn c4_quantization(cx: &Cx<'_>) -> Verdict {
    let op = Transpose::new(cx.module, cx.op);
    let (Some((from, _)), Some((to, _))) = (per_axis(cx, op.operand()), per_axis(cx, op.result())) else {
        return Ok(());
    };
    let wanted = dims::size_at(op.permutation(), to as i64);
    ensure(i64::try_from(from) == Ok(wanted), || {
        let message = format!(
            "the result is quantized along dimension {to}, the operand's dimension {wanted}, but the operand along {from}"
        );
        Fault::new(message).at(Place::Result(0))
    })
}

fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let op = Transpose::new(cx.module, cx.op);
    let (shape, bounds) = (cx.shape(op.operand()), cx.bounds(op.operand()));
    let permuted = |sizes: &[i64]| op.permutation().iter().map(|dim| dims::size_at(sizes, *dim)).collect::<Shape>();
    let element = per_axis(cx, op.operand()).is_none().then(|| cx.element_type(op.operand()));
    Ok(vec![dims::bounded(permuted(shape), permuted(bounds), element)])
}
