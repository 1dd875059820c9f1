//! Elementwise ops between complex and real numbers.

use crate::ir::{Type, TypeId, ValueId};
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Syntax, Trait};
use crate::ops::stablehlo::dims::same_shape;
use crate::syntax::Form::{self, AttrDict, Operands, Types};
use crate::syntax::TypeForm;
use crate::syntax::forms::UNARY;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, compatible_elements, ensure};

const COMPLEX_FORM: &[Form] = &[Operands, AttrDict, Types(TypeForm::Complex)];

/// The rules of ops that give a real number for every element.
const REAL_RESULT: &[Constraint] = &[
    Constraint::rule("C1", "operand and result have the same shape.", operand_shape),
    Constraint::rule(
        "C2",
        "result has the type of operand's complex parts, or operand's element type when that is not complex.",
        real_element_type,
    ),
];

op! {
    /// Modulus of complex numbers, absolute value of others.
    pub struct Abs = "stablehlo" "abs";
    operands { one I1 operand: SIGNED_TENSOR; }
    attributes {}
    results { one result: MAGNITUDE_TENSOR; }
    regions {}
    spec {
        summary: "Absolute value of each element; the modulus for complex numbers",
        anchor: "abs",
        traits: &[Trait::Pure],
        constraints: REAL_RESULT,
        infer: Infer::Fn(real_infer),
        syntax: Syntax::Form(UNARY),
    }
}

op! {
    /// Complex numbers from their parts.
    pub struct Complex = "stablehlo" "complex";
    operands { one I1 lhs: WIDE_FLOAT_TENSOR; one I2 rhs: WIDE_FLOAT_TENSOR; }
    attributes {}
    results { one result: COMPLEX_TENSOR; }
    regions {}
    spec {
        summary: "Makes complex numbers of real parts `lhs` and imaginary parts `rhs`",
        anchor: "complex",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule("C1", "lhs and rhs have the same type.", complex_c1_same_types),
            Constraint::rule("C2", "lhs and result have the same shape.", operand_shape),
            Constraint::rule("C3", "result is complex with parts of the element type of lhs.", complex_c3_element_type),
        ],
        infer: Infer::Fn(complex_infer),
        syntax: Syntax::Form(COMPLEX_FORM),
    }
}

op! {
    /// Imaginary part.
    pub struct Imag = "stablehlo" "imag";
    operands { one I1 operand: FLOAT_OR_COMPLEX_TENSOR; }
    attributes {}
    results { one result: FLOAT_TENSOR; }
    regions {}
    spec {
        summary: "Imaginary part of each element; zero for floats",
        anchor: "imag",
        traits: &[Trait::Pure],
        constraints: REAL_RESULT,
        infer: Infer::Fn(real_infer),
        syntax: Syntax::Form(UNARY),
    }
}

op! {
    /// Real part.
    pub struct Real = "stablehlo" "real";
    operands { one I1 operand: FLOAT_OR_COMPLEX_TENSOR; }
    attributes {}
    results { one result: FLOAT_TENSOR; }
    regions {}
    spec {
        summary: "Real part of each element; the element itself for floats",
        anchor: "real",
        traits: &[Trait::Pure],
        constraints: REAL_RESULT,
        infer: Infer::Fn(real_infer),
        syntax: Syntax::Form(UNARY),
    }
}

fn operand_shape(cx: &Cx<'_>) -> Verdict {
    same_shape(cx, [Place::Operand(0), Place::Result(0)])
}

/// The type of the parts of complex elements, the element type itself otherwise.
fn part_type(cx: &Cx<'_>, value: ValueId) -> TypeId {
    let element = cx.element_type(value);
    match cx.module.ty(element) {
        Type::Complex(part) => *part,
        _ => element,
    }
}

fn real_element_type(cx: &Cx<'_>) -> Verdict {
    let (operand, result) = (cx.operand(0), cx.result(0));
    let (wanted, found) = (part_type(cx, operand), cx.element_type(result));
    ensure(compatible_elements(cx.module, wanted, found), || {
        let message = format!(
            "result must have element type {}, that of operand or of its parts, got {}",
            cx.show(wanted),
            cx.show(found)
        );
        Fault::new(message).at(Place::Result(0))
    })
}

fn real_infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let operand = cx.operand(0);
    Ok(vec![cx.with_element(Inferred::Type(cx.ty(operand)), Some(part_type(cx, operand)))])
}

fn complex_c1_same_types(cx: &Cx<'_>) -> Verdict {
    cx.same_element_type(&[Place::Operand(0), Place::Operand(1)])?;
    same_shape(cx, [Place::Operand(0), Place::Operand(1)])
}

fn complex_c3_element_type(cx: &Cx<'_>) -> Verdict {
    let op = Complex::new(cx.module, cx.op);
    let (wanted, found) = (cx.element_type(op.lhs()), part_type(cx, op.result()));
    ensure(wanted == found, || {
        let message = format!("result must be complex<{}>, got complex<{}>", cx.show(wanted), cx.show(found));
        Fault::new(message).at(Place::Result(0))
    })
}

fn complex_infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    Ok(vec![cx.with_element(cx.most_specific(cx.module.operands(cx.op))?, None)])
}
