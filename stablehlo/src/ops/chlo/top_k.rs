//! `chlo.top_k`: the largest elements.

use crate::element::ElementType;
use crate::ir::{DYNAMIC, Shape};
use crate::ops::op;
use crate::ops::spec::{Check, Constraint, DefaultValue, Infer, Syntax, Trait};
use crate::ops::stablehlo::dims::bounded;
use crate::ops::value_classes::CHLO_TENSOR;
use crate::syntax::Form::{self, AttrDict, Operands, Optional, Slot, Text, Types};
use crate::syntax::TypeForm;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

const FORM: &[Form] = &[
    Text("("),
    Operands,
    Text(", k = "),
    Slot("k"),
    Optional("is_stable", &[Text(", is_stable = "), Slot("is_stable")]),
    Text(")"),
    AttrDict,
    Types(TypeForm::Bare),
];

op! {
    /// The largest elements and where they stand.
    pub struct TopK = "chlo" "top_k";
    operands { one _ operand: CHLO_TENSOR; }
    attributes {
        required _ k: I64;
        default _ is_stable: Bool = DefaultValue::Bool(true);
    }
    results { one values: CHLO_TENSOR; one indices: CHLO_TENSOR; }
    regions {}
    spec {
        summary: "Gives the `k` largest elements along the last dimension, largest first, and their positions",
        syntax: Syntax::Form(FORM),
        traits: &[Trait::Pure],
        constraints: &[
            Constraint {
                label: "C1",
                text: "The operand has at least one dimension.",
                check: Check::Fn(c1_rank),
            },
            Constraint {
                label: "C2",
                text: "k is not negative and at most the size of the last dimension.",
                check: Check::Fn(c2_k),
            },
            Constraint {
                label: "C3",
                text: "Both results have the operand's shape with k in place of the last size; values have its element type, indices are i32.",
                check: Check::Fn(c3_results),
            },
        ],
        infer: Infer::Fn(infer),
    }
}

/// Sizes of the operand; none when it is unranked.
fn sizes<'m>(cx: &Cx<'m>) -> Option<&'m [i64]> {
    cx.module.tensor(cx.ty(TopK::new(cx.module, cx.op).operand())).map(|tensor| &tensor.shape[..])
}

fn c1_rank(cx: &Cx<'_>) -> Verdict {
    ensure(sizes(cx).is_none_or(|sizes| !sizes.is_empty()), || {
        Fault::new("the operand must have at least one dimension, got rank 0").at(Place::Operand(0))
    })
}

fn c2_k(cx: &Cx<'_>) -> Verdict {
    let k = TopK::new(cx.module, cx.op).k();
    ensure(k >= 0, || Fault::new(format!("k must not be negative, got {k}")).at(Place::Attr("k")))?;
    let last = sizes(cx).and_then(|sizes| sizes.last().copied()).unwrap_or(DYNAMIC);
    ensure(last == DYNAMIC || k <= last, || {
        Fault::new(format!("the last dimension of the operand must have at least k {k} elements, got {last}"))
            .at(Place::Operand(0))
            .label(Place::Attr("k"), "asks for more")
    })
}

fn c3_results(cx: &Cx<'_>) -> Verdict {
    let op = TopK::new(cx.module, cx.op);
    cx.check_results(&infer(cx)?)?;
    let indices = cx.ty(op.indices());
    ensure(cx.module.element(indices) == Some(ElementType::I32), || {
        Fault::new(format!("indices must have element type i32, got {}", cx.show(indices))).at(Place::Result(1))
    })
}

fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let op = TopK::new(cx.module, cx.op);
    let Some(sizes) = sizes(cx) else {
        return Ok([op.values(), op.indices()].map(|value| Inferred::Type(cx.ty(value))).to_vec());
    };
    let (mut shape, mut bounds) = (Shape::from_slice(sizes), Shape::from_slice(cx.bounds(op.operand())));
    if let Some(last) = shape.last_mut() {
        *last = op.k();
    }
    if let Some(last) = bounds.last_mut() {
        *last = DYNAMIC;
    }
    let values = bounded(shape.clone(), bounds.clone(), Some(cx.element_type(op.operand())));
    Ok(vec![values, bounded(shape, bounds, None)])
}
