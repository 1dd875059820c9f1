//! MLIR's notation of a tensor: `dense<[1, 2]> : tensor<2xi32>`.

use stablehlo::diag::Severity;
use stablehlo::element::{ElementType, print_float};
use stablehlo::ir::Literal;

use super::error::{InputError, Result};
use super::notation::Notation;
use crate::tensor::{Sizes, Tensor};

const MLIR: Notation =
    Notation { separator: ", ", separates_lists: true, n_bare: 0, booleans: ["false", "true"], write_float };

/// One element as MLIR writes it inside `dense<…>`.
pub fn print_element(tensor: &Tensor, index: usize) -> String {
    let mut text = String::new();
    MLIR.write_element(&mut text, tensor, index);
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
        MLIR.write_element(&mut text, tensor, 0);
        return text;
    }
    MLIR.write_lists(&mut text, tensor);
    text
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
