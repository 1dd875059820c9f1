//! `dynamic_slice`: a part of known size, at a place that is a value.

use crate::ir::DYNAMIC;
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Syntax, Trait};
use crate::ops::stablehlo::dims::List;
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

const FORM: &[Form] = &[Operands, Text(", sizes = "), Slot("slice_sizes"), AttrDict, Types(TypeForm::Function)];

op! {
    /// A part of a tensor, at a place that is a value.
    pub struct DynamicSlice = "stablehlo" "dynamic_slice";
    operands { one I1 operand: TENSOR; many I2 start_indices: SCALAR_INTEGER_TENSOR; }
    attributes { required I3 slice_sizes: I64Array; }
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Takes a part of the sizes `slice_sizes` at the place `start_indices`, moved inside if need be",
        anchor: "dynamic_slice",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule("C1", "operand and result have the same element type.", |cx| cx.same_element_type(&[Place::Operand(0), Place::Result(0)])),
            Constraint::rule("C2", "There is one start index and one slice size per dimension of operand.", c2_one_per_dimension),
            Constraint::rule("C3", "All start indices have the same type.", |cx| same_index_types(cx, 1)),
            Constraint::rule("C4", "slice_sizes are not negative and at most the size of operand.", c4_sizes),
            Constraint::rule("C5", "The result's shape is slice_sizes.", |cx| cx.check_results(&infer(cx)?)),
        ],
        infer: Infer::Fn(infer),
        syntax: Syntax::Form(FORM),
    }
}

fn c2_one_per_dimension(cx: &Cx<'_>) -> Verdict {
    let op = DynamicSlice::new(cx.module, cx.op);
    let rank = cx.rank(op.operand());
    one_index_per_dimension(cx, op.start_indices().len(), rank)?;
    List::new("slice_sizes", "slice_sizes", op.slice_sizes()).length(rank, "one per dimension of the operand")
}

/// Passes when there are as many start indices as dimensions.
pub(super) fn one_index_per_dimension(cx: &Cx<'_>, found: usize, rank: usize) -> Verdict {
    ensure(found == rank, || {
        let message = format!("expected one start index per dimension of the operand: {rank}, got {found}");
        Fault::new(message).label(Place::Operand(0), format!("this is {}", cx.show(cx.ty(cx.operand(0)))))
    })
}

/// Passes when the operands from number `first` on have one type.
pub(super) fn same_index_types(cx: &Cx<'_>, first: usize) -> Verdict {
    let indices = &cx.module.operands(cx.op)[first..];
    let Some((one, rest)) = indices.split_first() else {
        return Ok(());
    };
    match rest.iter().position(|index| cx.ty(*index) != cx.ty(*one)) {
        None => Ok(()),
        Some(other) => {
            let (wanted, found) = (cx.show(cx.ty(*one)), cx.show(cx.ty(rest[other])));
            Err(Fault::new(format!("start indices must have the same type, got {wanted} and {found}"))
                .at(Place::Operand(first + 1 + other))
                .label(Place::Operand(first), format!("this is {wanted}")))
        }
    }
}

fn c4_sizes(cx: &Cx<'_>) -> Verdict {
    let op = DynamicSlice::new(cx.module, cx.op);
    for (dim, (slice, size)) in op.slice_sizes().iter().zip(cx.shape(op.operand())).enumerate() {
        ensure(*slice >= 0 && (*size == DYNAMIC || slice <= size), || {
            let size = crate::syntax::dimension(*size);
            let message = format!("slice_sizes must be from 0 to the size {size} of dimension {dim}, got {slice}");
            Fault::new(message).at(Place::Attr("slice_sizes")).label(Place::Operand(0), "sliced")
        })?;
    }
    Ok(())
}

fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let op = DynamicSlice::new(cx.module, cx.op);
    Ok(vec![Inferred::tensor(op.slice_sizes(), cx.element_type(op.operand()))])
}
