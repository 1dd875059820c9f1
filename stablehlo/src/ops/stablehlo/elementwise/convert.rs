//! Elementwise changes of element type: conversion, bits, precision, quantization.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::forms::{FUNCTIONAL, UNARY};

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
        constraints: &[],
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
        constraints: &[],
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
        anchor: "reduce_precision",
        traits: &[Trait::Pure],
        constraints: &[],
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
        constraints: &[],
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
        constraints: &[],
        syntax: Syntax::Form(UNARY),
    }
}
