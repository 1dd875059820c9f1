//! `einsum`, `unary_einsum`: contractions by index letters.

use stablehlo::element::ElementType;
use stablehlo::ops::attr_classes::Str;

use super::dot_general::{Axes, Side, contract_sides};
use super::positions::strides_of;
use super::shapes::one;
use super::transpose::transpose;
use crate::dispatch_element;
use crate::element::Element;
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Dims, Tensor};
use crate::value::Values;

/// Reads the op and applies [`einsum`].
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let config = cx.required::<Str>("einsum_config")?;
    Ok(one(einsum(cx, &cx.tensor(0)?, &cx.tensor(1)?, config, cx.result_element(0)?)?))
}

/// `unary_einsum`: the product with 1.
pub fn unary_einsum(cx: &Cx<'_>) -> Result<Values> {
    let operand = cx.tensor(0)?;
    let config = cx.required::<Str>("einsum_config")?;
    let Some(arrow) = config.windows(2).position(|pair| pair == b"->") else {
        return Err(unreadable(config));
    };
    let config = [&config[..arrow], b",", &config[arrow..]].concat();
    let unit = dispatch_element!(operand.element(), T => Tensor::scalar(<T as Element>::one()));
    Ok(one(einsum(cx, &operand, &unit, &config, cx.result_element(0)?)?))
}

/// The sum of `lhs[…] * rhs[…]` over all letters that the result does not have. A letter that an operand has twice is its
/// diagonal; `...` stands for leading dimensions that both sides share, where a size of 1 is repeated.
///
/// # Errors
/// `exec/invalid-einsum` for a configuration that cannot be read or does not fit, `exec/memory-limit`.
pub fn einsum(cx: &Cx<'_>, lhs: &Tensor, rhs: &Tensor, config: &[u8], result: ElementType) -> Result<Tensor> {
    let (operands, output) = split(config, b"->").ok_or_else(|| unreadable(config))?;
    let (lhs_letters, rhs_letters) = split(operands, b",").ok_or_else(|| unreadable(config))?;
    let n_shared = |tensor: &Tensor, letters: &[u8]| {
        let n_letters = letters.iter().filter(|letter| letter.is_ascii_alphabetic()).count();
        tensor.rank().saturating_sub(n_letters)
    };
    let n_shared = n_shared(lhs, lhs_letters).max(n_shared(rhs, rhs_letters));
    let labels = |letters: &[u8], n_shared: usize| labels(letters, n_shared).ok_or_else(|| unreadable(config));
    let lhs_view = View::new(lhs, &labels(lhs_letters, n_shared)?, config)?;
    let rhs_view = View::new(rhs, &labels(rhs_letters, n_shared)?, config)?;
    let output = labels(output, n_shared)?;

    let mut sizes: Vec<(Label, usize)> = Vec::new();
    for (label, size, _) in lhs_view.0.iter().chain(&rhs_view.0) {
        match sizes.iter_mut().find(|(known, _)| known == label) {
            None => sizes.push((*label, *size)),
            Some((_, known)) if *known == *size || *size == 1 => {}
            Some((_, known)) if *known == 1 => *known = *size,
            Some(_) => return Err(unreadable(config)),
        }
    }
    let in_output = |label: &Label| output.contains(label);
    let (mut batching, mut of_lhs, mut of_rhs, mut contracting) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (label, size) in &sizes {
        let list = match (in_output(label), lhs_view.has(label), rhs_view.has(label)) {
            (false, ..) => &mut contracting,
            (true, true, true) => &mut batching,
            (true, true, false) => &mut of_lhs,
            (true, false, _) => &mut of_rhs,
        };
        list.push((*label, *size));
    }
    let order: Vec<Label> =
        [&batching, &of_lhs, &of_rhs].iter().flat_map(|list| list.iter().map(|(label, _)| *label)).collect();
    let permutation: Option<Dims> = output.iter().map(|label| order.iter().position(|known| known == label)).collect();
    let Some(permutation) = permutation.filter(|permutation| permutation.len() == order.len()) else {
        return Err(unreadable(config));
    };
    let lhs_side = lhs_view.side(&batching, &of_lhs, &contracting);
    let rhs_side = rhs_view.side(&batching, &of_rhs, &contracting);
    let contracted = contract_sides(cx, (lhs, &lhs_side), (rhs, &rhs_side), result)?;
    transpose(cx, &contracted, &permutation)
}

/// A letter, or a shared dimension by its number.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Label {
    Letter(u8),
    Shared(usize),
}

fn labels(letters: &[u8], n_shared: usize) -> Option<Vec<Label>> {
    let mut labels = Vec::new();
    let mut rest = letters;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match first {
            b' ' => {}
            b'.' if !labels.iter().any(|label| matches!(label, Label::Shared(_))) => {
                rest = after.strip_prefix(b"..")?;
                labels.extend((0..n_shared).map(Label::Shared));
            }
            letter if letter.is_ascii_alphabetic() => labels.push(Label::Letter(*letter)),
            _ => return None,
        }
    }
    Some(labels)
}

/// An operand's labels, each once, with sizes and strides.
struct View(Vec<(Label, usize, usize)>);

impl View {
    fn new(operand: &Tensor, labels: &[Label], config: &[u8]) -> Result<Self> {
        // Of the shared dimensions an operand may lack the first ones.
        let missing = labels.len().checked_sub(operand.rank()).ok_or_else(|| unreadable(config))?;
        let is_missing = |label: &Label| matches!(label, Label::Shared(index) if *index < missing);
        let present: Vec<Label> = labels.iter().copied().filter(|label| !is_missing(label)).collect();
        if present.len() != operand.rank() {
            return Err(unreadable(config));
        }
        let mut view: Vec<(Label, usize, usize)> = Vec::new();
        for ((label, size), stride) in present.iter().zip(operand.shape()).zip(strides_of(operand.shape())) {
            match view.iter_mut().find(|(known, ..)| known == label) {
                Some((_, known, _)) if known != size => return Err(unreadable(config)),
                // A step along the diagonal is a step along both dimensions.
                Some((.., known)) => *known += stride,
                None => view.push((*label, *size, stride)),
            }
        }
        Ok(Self(view))
    }

    fn has(&self, label: &Label) -> bool {
        self.0.iter().any(|(known, ..)| known == label)
    }

    fn axes(&self, labels: &[(Label, usize)]) -> Axes {
        let stride = |(label, _): &(Label, usize)| {
            let known = self.0.iter().find(|(known, ..)| known == label);
            known.filter(|(_, size, _)| *size != 1).map_or(0, |(.., stride)| *stride)
        };
        Axes { sizes: labels.iter().map(|(_, size)| *size).collect(), strides: labels.iter().map(stride).collect() }
    }

    fn side(&self, batching: &[(Label, usize)], result: &[(Label, usize)], contracting: &[(Label, usize)]) -> Side {
        Side { batching: self.axes(batching), result: self.axes(result), contracting: self.axes(contracting) }
    }
}

fn split<'a>(text: &'a [u8], separator: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = text.windows(separator.len()).position(|part| part == separator)?;
    Some((&text[..at], &text[at + separator.len()..]))
}

fn unreadable(config: &[u8]) -> EvalError {
    let config = String::from_utf8_lossy(config).into_owned();
    EvalError::invalid("exec/invalid-einsum", format!("einsum_config \"{config}\" does not fit the operands"))
}
