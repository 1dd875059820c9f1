//! MLIR's notation of a tensor: `dense<[1, 2]> : tensor<2xi32>`.

use std::fmt::Write as _;

use stablehlo::diag::Severity;
use stablehlo::element::{ElementType, print_float};
use stablehlo::ir::Literal;

use super::error::{InputError, Result};
use crate::tensor::{Sizes, Tensor};

/// One element as MLIR writes it inside `dense<…>`.
pub fn print_element(tensor: &Tensor, index: usize) -> String {
    let mut text = String::new();
    write_element(&mut text, tensor, index);
    text
}

/// The tensor as MLIR writes the attribute: `dense<[1, 2]> : tensor<2xi32>`.
pub fn print(tensor: &Tensor) -> String {
    format!("dense<{}> : {}", print_elements(tensor), type_of(tensor))
}

/// `tensor<2x3xf32>`
pub fn type_of(tensor: &Tensor) -> String {
    format!("tensor<{}{}>", Sizes(tensor.shape()), tensor.element())
}

/// What stands between the angle brackets of `dense<…>`: one element for a splat, nothing for no elements.
pub fn print_elements(tensor: &Tensor) -> String {
    let mut text = String::new();
    if tensor.is_empty() {
        return text;
    }
    if tensor.splat_bytes().is_some() && (tensor.len() > 1 || tensor.rank() == 0) {
        write_element(&mut text, tensor, 0);
        return text;
    }
    write_lists(&mut text, tensor, |text, index| write_element(text, tensor, index));
    text
}

/// Nested lists in brackets, without recursion.
pub(super) fn write_lists(text: &mut String, tensor: &Tensor, mut element: impl FnMut(&mut String, usize)) {
    let shape = tensor.shape();
    // How many elements lie inside one bracket of each level.
    let mut spans = vec![1usize; shape.len() + 1];
    for dim in (0..shape.len()).rev() {
        spans[dim] = spans[dim + 1] * shape[dim];
    }
    for index in 0..tensor.len() {
        if index > 0 {
            text.push_str(", ");
        }
        let opening = spans[..shape.len()].iter().filter(|span| index % **span == 0).count();
        text.extend(std::iter::repeat_n('[', opening));
        element(text, index);
        let closing = spans[..shape.len()].iter().filter(|span| (index + 1) % **span == 0).count();
        text.extend(std::iter::repeat_n(']', closing));
    }
}

fn write_element(text: &mut String, tensor: &Tensor, index: usize) {
    let element = tensor.element();
    let bytes = tensor.element_bytes(index);
    if let Some(part) = element.complex_part() {
        let (real, imag) = bytes.split_at(bytes.len() / 2);
        text.push('(');
        write_float(text, part, real);
        text.push(',');
        write_float(text, part, imag);
        text.push(')');
    } else if element.is_boolean() {
        text.push_str(if bytes.iter().any(|byte| *byte != 0) { "true" } else { "false" });
    } else if element.is_float() {
        write_float(text, element, bytes);
    } else if let Some(value) = tensor.integer(index) {
        // Writing to a String cannot fail.
        let _ = write!(text, "{value}");
    }
}

/// A float from its storage bytes.
fn write_float(text: &mut String, element: ElementType, bytes: &[u8]) {
    let mut bits = [0; 16];
    bits[..bytes.len()].copy_from_slice(bytes);
    if let Some(format) = element.float_format() {
        print_float(u128::from_le_bytes(bits), format, text);
    }
}

/// The tensor that an attribute such as `dense<[1, 2]> : tensor<2xi32>` holds.
///
/// # Errors
/// `input/mlir` for a text that is no such attribute.
pub fn parse(text: &str) -> Result<Tensor> {
    let malformed = |why: String| InputError::new("input/mlir", format!("not a tensor in MLIR's notation: {why}"));
    // The attribute is read as one of a module's, so that it follows exactly the grammar of programs.
    let parsed = stablehlo::syntax::parse::parse("input", &format!("module attributes {{v = {text}}} {{}}"));
    let is_error = |diagnostic: &&stablehlo::diag::Diagnostic| diagnostic.severity == Severity::Error;
    if let Some(diagnostic) = parsed.diagnostics.iter().find(is_error) {
        return Err(malformed(diagnostic.message.clone()));
    }
    let module = &parsed.module;
    let value = module.discardable(module.top(), "v").ok_or_else(|| malformed("there is no value".into()))?;
    let literal = Literal::from_attr(module, value);
    literal.map(|literal| Tensor::from(&literal)).ok_or_else(|| malformed("it is no dense tensor".into()))
}
