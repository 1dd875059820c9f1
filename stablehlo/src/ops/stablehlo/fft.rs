//! `fft`: discrete Fourier transform.

use super::dims::{bound_at, bounded, check_result_shapes, compatible, show};
use crate::element::ElementType;
use crate::ir::{DYNAMIC, FftType, Shape};
use crate::ops::classes::FLOAT_OR_COMPLEX_TENSOR;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Numerics, Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

const FORM: &[Form] = &[
    Operands,
    Text(", type = "),
    Slot("fft_type"),
    Text(", length = "),
    Slot("fft_length"),
    AttrDict,
    Types(TypeForm::Function),
];

op! {
    /// Discrete Fourier transform.
    pub struct Fft = "stablehlo" "fft";
    operands {
        one I1 operand: FLOAT_OR_COMPLEX_TENSOR;
    }
    attributes {
        required I2 fft_type: FftTypeAttr;
        required I3 fft_length: I64Array;
    }
    results {
        one result: FLOAT_OR_COMPLEX_TENSOR;
    }
    regions {}
    spec {
        summary: "Transforms the last dimensions of `operand` to or from the frequency domain",
        anchor: "fft",
        traits: &[Trait::Pure],
        constraints: RULES,
        infer: Infer::Fn(infer),
        syntax: Syntax::Form(FORM),
        numerics: Numerics::Accumulation,
    }
}

const LENGTH: &str = "fft_length";

/// All rules, in the order in which they are checked.
const RULES: &[Constraint] = &[
    Constraint::rule("C3", "One to three dimensions are transformed.", c3_length),
    Constraint::rule("C1", "No more dimensions are transformed than operand has.", c1_rank),
    Constraint::rule(
        "C2",
        "FFT and IFFT map complex values to the same, RFFT real to complex ones, IRFFT complex to real ones.",
        c2_element_types,
    ),
    Constraint::rule("C4", "fft_length is the sizes of the last dimensions of what is real.", c4_real_shape),
    Constraint::rule(
        "C5",
        "Operand and result have the same shape, but the last dimension of what is complex is half of the real one's \
         plus 1 for RFFT and IRFFT.",
        c5_result_shape,
    ),
];

fn op<'m>(cx: &Cx<'m>) -> Fft<'m> {
    Fft::new(cx.module, cx.op)
}

fn c3_length(cx: &Cx<'_>) -> Verdict {
    let found = op(cx).fft_length().len();
    ensure((1..=3).contains(&found), || {
        Fault::new(format!("fft_length must have 1 to 3 entries, got {found}")).at(Place::Attr(LENGTH))
    })
}

fn c1_rank(cx: &Cx<'_>) -> Verdict {
    let (length, rank) = (op(cx).fft_length().len(), cx.rank(op(cx).operand()));
    ensure(length <= rank, || {
        Fault::new(format!("fft_length must not have more entries than operand dimensions, {rank}, got {length}"))
            .at(Place::Attr(LENGTH))
            .label(Place::Operand(0), format!("has rank {rank}"))
    })
}

/// Element type of the result for that of the operand.
fn result_element(kind: FftType, operand: ElementType) -> Option<ElementType> {
    match kind {
        FftType::Fft | FftType::Ifft => Some(operand).filter(|element| element.is_complex()),
        FftType::Rfft => operand.complex_of(),
        FftType::Irfft => operand.complex_part(),
    }
}

fn c2_element_types(cx: &Cx<'_>) -> Verdict {
    let kind = op(cx).fft_type();
    let found = cx.element_type(op(cx).operand());
    let wanted = cx.module.scalar_element(found).and_then(|element| result_element(kind, element));
    let Some(wanted) = wanted else {
        let values = if kind == FftType::Rfft { "f32 or f64" } else { "complex" };
        let message = format!("operand of {} must have {values} elements, got {}", kind.word(), cx.show(found));
        return Err(Fault::new(message).at(Place::Operand(0)));
    };
    let result = cx.element_type(op(cx).result());
    ensure(cx.module.scalar_element(result) == Some(wanted), || {
        let message = format!(
            "the result of {} of {} must have element type {wanted}, got {}",
            kind.word(),
            cx.show(found),
            cx.show(result)
        );
        Fault::new(message).at(Place::Result(0))
    })
}

fn c4_real_shape(cx: &Cx<'_>) -> Verdict {
    let length = op(cx).fft_length();
    let place = match op(cx).fft_type() {
        FftType::Fft | FftType::Ifft => return Ok(()),
        FftType::Rfft => Place::Operand(0),
        FftType::Irfft => Place::Result(0),
    };
    let shape = cx.value(place).map_or(&[][..], |value| cx.shape(value));
    // A result of another rank breaks the next rule.
    let last = shape.get(shape.len().saturating_sub(length.len())..).unwrap_or(&[]);
    ensure(last.iter().zip(length).all(|(size, length)| compatible(*size, *length)), || {
        let message = format!("the last dimensions must be fft_length, {}, got {}", show(length), show(shape));
        Fault::new(message).at(place).label(Place::Attr(LENGTH), "the transform's size")
    })
}

/// Size of the last complex dimension for that of the real one.
fn half(real: i64) -> i64 {
    if real == DYNAMIC || real == 0 { real } else { real / 2 + 1 }
}

fn c5_result_shape(cx: &Cx<'_>) -> Verdict {
    let shape = cx.shape(op(cx).operand());
    let length = op(cx).fft_length();
    if op(cx).fft_type() == FftType::Irfft {
        let transformed = &shape[shape.len() - length.len()..];
        let wanted: Shape = length
            .iter()
            .enumerate()
            .map(|(dim, size)| if dim + 1 == length.len() { half(*size) } else { *size })
            .collect();
        ensure(transformed.iter().zip(&wanted).all(|(size, wanted)| compatible(*size, *wanted)), || {
            let message = format!(
                "the last dimensions of operand must be {} for fft_length {}, got {}",
                show(&wanted),
                show(length),
                show(shape)
            );
            Fault::new(message).at(Place::Operand(0)).label(Place::Attr(LENGTH), "the transform's size")
        })?;
    }
    check_result_shapes(cx, infer(cx)?)
}

/// The operand's shape up to the last dimension; the element type follows from the kind of transform.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let operand = op(cx).operand();
    let mut shape: Shape = cx.shape(operand).into();
    let mut bounds: Shape = (0..shape.len()).map(|dim| bound_at(cx.bounds(operand), dim)).collect();
    let length = op(cx).fft_length().last().copied().unwrap_or(DYNAMIC);
    let kind = op(cx).fft_type();
    if let (FftType::Rfft | FftType::Irfft, Some(size), Some(bound)) = (kind, shape.last_mut(), bounds.last_mut()) {
        *size = if kind == FftType::Rfft { half(length) } else { length };
        *bound = DYNAMIC;
    }
    // Only a type that the module knows can be named; C2 has checked the written one.
    let element = matches!(kind, FftType::Fft | FftType::Ifft).then(|| cx.element_type(operand));
    Ok(vec![bounded(shape, bounds, element.or_else(|| Some(cx.element_type(op(cx).result()))))])
}
