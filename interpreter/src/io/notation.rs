//! What the notations of MLIR and IREE have in common: nested lists of elements.

use std::fmt::Write as _;

use stablehlo::element::ElementType;

use crate::tensor::Tensor;

/// How a notation writes lists and elements.
pub(super) struct Notation {
    /// Between elements.
    pub separator: &'static str,
    /// Whether the separator also stands between brackets.
    pub separates_lists: bool,
    /// How many outermost dimensions have no brackets.
    pub n_bare: usize,
    /// False and true.
    pub booleans: [&'static str; 2],
    /// Writes a float of an element type from its storage bytes.
    pub write_float: fn(&mut String, ElementType, &[u8]),
}

impl Notation {
    /// All elements in row-major order and in brackets, without recursion.
    pub fn write_lists(&self, text: &mut String, tensor: &Tensor) {
        let shape = tensor.shape();
        // How many elements lie inside one bracket of each level.
        let mut spans = vec![1usize; shape.len() + 1];
        for dim in (0..shape.len()).rev() {
            spans[dim] = spans[dim + 1].saturating_mul(shape[dim]);
        }
        let spans = spans.get(self.n_bare..shape.len()).unwrap_or(&[]);
        let brackets = |index: usize| spans.iter().filter(|span| index.is_multiple_of(**span)).count();
        for index in 0..tensor.len() {
            let opening = brackets(index);
            if index > 0 && (self.separates_lists || opening == 0) {
                text.push_str(self.separator);
            }
            text.extend(std::iter::repeat_n('[', opening));
            self.write_element(text, tensor, index);
            text.extend(std::iter::repeat_n(']', brackets(index + 1)));
        }
    }

    /// The element at `index` in row-major order.
    pub fn write_element(&self, text: &mut String, tensor: &Tensor, index: usize) {
        let element = tensor.element();
        let bytes = tensor.element_bytes(index);
        if let Some(part) = element.complex_part() {
            let (real, imag) = bytes.split_at(bytes.len() / 2);
            text.push('(');
            (self.write_float)(text, part, real);
            text.push(',');
            (self.write_float)(text, part, imag);
            text.push(')');
        } else if element.is_boolean() {
            text.push_str(self.booleans[usize::from(bytes.iter().any(|byte| *byte != 0))]);
        } else if element.is_float() {
            (self.write_float)(text, element, bytes);
        } else if let Some(value) = tensor.integer(index) {
            // Writing to a String cannot fail.
            let _ = write!(text, "{value}");
        }
    }
}
