//! Elementwise changes of element type: conversion, bits, precision, quantization.

use crate::ir::{Attribute, DYNAMIC, OpId, Type, TypeId, ValueId};
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Syntax, Trait};
use crate::ops::stablehlo::dims::{compatible, same_shape, show};
use crate::ops::stablehlo::quantization::quantized;
use crate::syntax::forms::{FUNCTIONAL, UNARY};
use crate::syntax::parse::lexical::bare_id;
use crate::syntax::parse::{Input, OpState, PResult, Parser, expected, keyword, punct};
use crate::syntax::print::write::push_i64;
use crate::syntax::{Printer, TypeForm};
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

/// The shape rule of ops whose result's element type is free.
const SAME_SHAPE: Constraint = Constraint::rule("C1", "operand and result have the same shape.", |cx| {
    same_shape(cx, [Place::Operand(0), Place::Result(0)])
});

op! {
    /// Conversion of element types.
    pub struct Convert = "stablehlo" "convert";
    operands { one I1 operand: PLAIN_TENSOR; }
    attributes {}
    results { one result: PLAIN_TENSOR; }
    regions {}
    spec {
        summary: "Converts each element to the result's element type",
        anchor: "convert",
        traits: &[Trait::Pure],
        constraints: &[SAME_SHAPE],
        infer: Infer::Fn(shape_infer),
        syntax: Syntax::Form(UNARY),
    }
}

op! {
    /// The same bits read as another element type.
    pub struct BitcastConvert = "stablehlo" "bitcast_convert";
    operands { one I1 operand: ANY_TENSOR; }
    attributes {}
    results { one result: ANY_TENSOR; }
    regions {}
    spec {
        summary: "Reads the bits of `operand` as the result's element type",
        anchor: "bitcast_convert",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule(
                "C1",
                "operand and result have the same shape, except that the one with smaller elements has a last dimension \
                 more, whose elements together have as many bits as one element of the other.",
                bitcast_c1_shapes,
            ),
            Constraint::rule("C2", "operand and result are both complex or both not.", bitcast_c2_complex),
        ],
        syntax: Syntax::Form(FUNCTIONAL),
    }
}

op! {
    /// Rounding through a narrower float format.
    pub struct ReducePrecision = "stablehlo" "reduce_precision";
    operands { one I1 operand: FLOAT_OR_QUANTIZED_TENSOR; }
    attributes {
        required I2 exponent_bits: I32;
        required I3 mantissa_bits: I32;
    }
    results { one output: FLOAT_OR_QUANTIZED_TENSOR; }
    regions {}
    spec {
        summary: "Rounds each element to a float format of fewer bits and back",
        syntax: Syntax::Custom { parse: parse_reduce_precision, print: print_reduce_precision },
        anchor: "reduce_precision",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule(
                "C1",
                "operand and output have the same type; quantized ones may differ in scale and zero point.",
                |cx| cx.same_baseline_types(),
            ),
            Constraint::rule("C2", "There is at least one exponent bit.", |cx| {
                bits(ReducePrecision::new(cx.module, cx.op).exponent_bits(), 1, "exponent_bits")
            }),
            Constraint::rule("C3", "The number of mantissa bits is not negative.", |cx| {
                bits(ReducePrecision::new(cx.module, cx.op).mantissa_bits(), 0, "mantissa_bits")
            }),
        ],
        infer: Infer::Fn(super::same_baseline_infer),
    }
}

op! {
    /// Quantization.
    pub struct UniformQuantize = "stablehlo" "uniform_quantize";
    operands { one I1 operand: FLOAT_OR_ANY_QUANTIZED_TENSOR; }
    attributes {}
    results { one result: ANY_QUANTIZED_TENSOR; }
    regions {}
    spec {
        summary: "Quantizes floats, or quantized values anew, as the result's type says",
        anchor: "uniform_quantize",
        traits: &[Trait::Pure],
        constraints: &[
            SAME_SHAPE,
            Constraint::rule(
                "C2",
                "The result's expressed type is the operand's element type, or its expressed type if it is quantized.",
                quantize_c2_expressed_type,
            ),
        ],
        infer: Infer::Fn(shape_infer),
        syntax: Syntax::Form(UNARY),
    }
}

op! {
    /// Dequantization.
    pub struct UniformDequantize = "stablehlo" "uniform_dequantize";
    operands { one I1 operand: ANY_QUANTIZED_TENSOR; }
    attributes {}
    results { one result: FLOAT_TENSOR; }
    regions {}
    spec {
        summary: "Gives the floats that quantized values stand for",
        anchor: "uniform_dequantize",
        traits: &[Trait::Pure],
        constraints: &[
            SAME_SHAPE,
            Constraint::rule(
                "C2",
                "The result's element type is the operand's expressed type.",
                dequantize_c2_expressed_type,
            ),
        ],
        infer: Infer::Fn(dequantize_infer),
        syntax: Syntax::Form(UNARY),
    }
}

/// The operand's shape; the element type is free.
fn shape_infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    Ok(vec![cx.with_element(Inferred::Type(cx.ty(cx.operand(0))), None)])
}

/// Bits of an element; quantized ones count by their storage.
fn element_bits(cx: &Cx<'_>, element: TypeId) -> Option<i64> {
    Some(match cx.module.ty(element) {
        Type::Complex(part) => 2 * element_bits(cx, *part)?,
        Type::Quantized(quantized) => element_bits(cx, quantized.storage.ty)?,
        Type::Integer { width, .. } => i64::from(*width),
        Type::Float(kind) => i64::from(kind.format().bits),
        _ => return None,
    })
}

/// The tensor with the smaller elements and the one with the larger ones, each with the bits of an element.
fn smaller_and_larger(cx: &Cx<'_>) -> Option<[(ValueId, i64); 2]> {
    let measured = |value: ValueId| Some((value, element_bits(cx, cx.element_type(value))?));
    let (operand, result) = (measured(cx.operand(0))?, measured(cx.result(0))?);
    Some(if operand.1 < result.1 { [operand, result] } else { [result, operand] })
}

fn bitcast_c1_shapes(cx: &Cx<'_>) -> Verdict {
    let Some([(smaller, bits), (larger, larger_bits)]) = smaller_and_larger(cx) else {
        return Ok(());
    };
    if bits == larger_bits {
        return same_shape(cx, [Place::Operand(0), Place::Result(0)]);
    }
    let (many, few) = (cx.shape(smaller), cx.shape(larger));
    let Some((last, prefix)) = many.split_last().filter(|(_, prefix)| prefix.len() == few.len()) else {
        let message = format!(
            "the tensor of {bits}-bit elements must have one dimension more than that of {larger_bits}-bit elements, \
             got ranks {} and {}",
            many.len(),
            few.len()
        );
        return Err(Fault::new(message));
    };
    ensure(*last == DYNAMIC || last.checked_mul(bits) == Some(larger_bits), || {
        Fault::new(format!(
            "the last dimension of the tensor of {bits}-bit elements must make up one element of {larger_bits} bits, \
             got {last} times {bits} bits"
        ))
    })?;
    ensure(prefix.iter().zip(few).all(|(a, b)| compatible(*a, *b)), || {
        let message = format!(
            "shapes must be the same except for the last dimension of the smaller elements, got {} and {}",
            show(many),
            show(few)
        );
        Fault::new(message)
    })
}

fn bitcast_c2_complex(cx: &Cx<'_>) -> Verdict {
    let complex = |value| matches!(cx.module.ty(cx.element_type(value)), Type::Complex(_));
    let (operand, result) = (cx.operand(0), cx.result(0));
    ensure(complex(operand) == complex(result), || {
        let (operand, result) = (cx.show(cx.ty(operand)), cx.show(cx.ty(result)));
        Fault::new(format!("cannot reinterpret between complex and other elements, got {operand} and {result}"))
    })
}

fn bits(found: i64, least: i64, name: &'static str) -> Verdict {
    ensure(found >= least, || Fault::new(format!("{name} must be at least {least}, got {found}")).at(Place::Attr(name)))
}

/// The expressed type of quantized elements, the element type itself of others.
fn expressed(cx: &Cx<'_>, value: ValueId) -> TypeId {
    quantized(cx, value).map_or_else(|| cx.element_type(value), |quantized| quantized.expressed)
}

fn quantize_c2_expressed_type(cx: &Cx<'_>) -> Verdict {
    let (wanted, found) = (expressed(cx, cx.operand(0)), expressed(cx, cx.result(0)));
    ensure(wanted == found, || {
        let (wanted, found) = (cx.show(wanted), cx.show(found));
        Fault::new(format!("the result's expressed type must be the operand's {wanted}, got {found}"))
            .at(Place::Result(0))
            .label(Place::Operand(0), format!("expresses {wanted}"))
    })
}

fn dequantize_c2_expressed_type(cx: &Cx<'_>) -> Verdict {
    let (wanted, found) = (expressed(cx, cx.operand(0)), cx.element_type(cx.result(0)));
    ensure(wanted == found, || {
        let (wanted, found) = (cx.show(wanted), cx.show(found));
        Fault::new(format!("the result's element type must be the operand's expressed type {wanted}, got {found}"))
            .at(Place::Result(0))
            .label(Place::Operand(0), format!("expresses {wanted}"))
    })
}

fn dequantize_infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let operand = cx.operand(0);
    Ok(vec![cx.with_element(Inferred::Type(cx.ty(operand)), Some(expressed(cx, operand)))])
}

/// `%x, format = e5m2 : T`
fn print_reduce_precision(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let bits = |name| module.property(op, name).and_then(|attr| module.integer_attr(attr)).filter(|bits| *bits >= 0);
    let (Some(exponent), Some(mantissa)) = (bits("exponent_bits"), bits("mantissa_bits")) else {
        return p.give_up();
    };
    p.out.push(' ');
    p.values(module.operands(op));
    p.out.push_str(", format = e");
    push_i64(&mut p.out, exponent);
    p.out.push('m');
    push_i64(&mut p.out, mantissa);
    p.attr_dict(op, &["exponent_bits", "mantissa_bits"]);
    p.form_types(op, TypeForm::Same);
}

/// Reads what [`print_reduce_precision`] writes.
fn parse_reduce_precision<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (i, ()) = parser.operand(i, state)?;
    let (i, ()) = punct!(i, ",")?;
    let (i, ()) = keyword!(i, "format")?;
    let (at, ()) = punct!(i, "=")?;
    let (i, word) = bare_id(at)?;
    let Some((exponent, mantissa)) = exponent_and_mantissa(word) else {
        return Err(expected(at, "parse/float-format", "a float format like `e5m10`"));
    };
    let ty = parser.i32_type();
    for (name, bits) in [("exponent_bits", exponent), ("mantissa_bits", mantissa)] {
        let bits = parser.module.intern_attr(Attribute::Integer { ty, value: i128::from(bits) });
        parser.set_attribute(state, name, bits);
    }
    let (i, ()) = parser.attribute_dictionary(i, state)?;
    parser.types(i, state, TypeForm::Same)
}

/// The numbers in `e5m10`.
fn exponent_and_mantissa(word: &[u8]) -> Option<(i32, i32)> {
    let (exponent, mantissa) = std::str::from_utf8(word).ok()?.strip_prefix('e')?.split_once('m')?;
    let number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?;
    Some((number(exponent)?, number(mantissa)?))
}
