//! `bitcast_convert`: the same bits read as another type.

use stablehlo::element::ElementType;

use super::shapes::one;
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Dims, Tensor};
use crate::value::Values;

/// Reads the op and applies [`bitcast_convert`].
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    Ok(one(bitcast_convert(cx, &cx.tensor(0)?, cx.result_element(0)?)?))
}

/// Bits in the order of memory: the first part of a larger element is its lowest bits, down to single bits.
pub fn bitcast_convert(cx: &Cx<'_>, operand: &Tensor, element: ElementType) -> Result<Tensor> {
    let (from, to) = (operand.element().bits(), element.bits());
    if from == to {
        return Ok(operand.reinterpreted(element));
    }
    let mut shape = Dims::from(operand.shape());
    if from > to {
        shape.push((from / to) as usize);
    } else if shape.pop() != Some((to / from) as usize) {
        let message = format!("the last dimension must hold the {} parts of a {element}", to / from);
        return Err(EvalError::invalid("exec/shape-mismatch", message));
    }
    let count = cx.memory().check(element, &shape)?;
    let operand_bytes = crate::ops::elementwise::written_out(cx, operand)?;
    let result = if from >= 8 && to >= 8 {
        operand_bytes.to_vec()
    } else {
        regroup(&operand_bytes, operand.element(), element, count)
    };
    Tensor::new(element, &shape, result).ok_or_else(|| EvalError::bug("as many bits as before"))
}

/// Cuts a stream of bits, of which each element of `from` gives its own, into elements of `to`.
fn regroup(bytes: &[u8], from: ElementType, to: ElementType, count: usize) -> Vec<u8> {
    let mut result = Vec::with_capacity(count * to.byte_width());
    let (mut stream, mut n_bits) = (0u128, 0);
    let mut put = |bits: u32, value: u128| {
        stream |= (value & (u128::MAX >> (128 - bits))) << n_bits;
        n_bits += bits;
        while n_bits >= to.bits() {
            let element = stream & (u128::MAX >> (128 - to.bits()));
            result.extend_from_slice(&element.to_le_bytes()[..to.byte_width()]);
            stream = stream.checked_shr(to.bits()).unwrap_or(0);
            n_bits -= to.bits();
        }
    };
    for element in bytes.chunks_exact(from.byte_width()) {
        // Byte by byte, so that no more than 8 bits wait on top of an unfinished element.
        let mut left = from.bits();
        for byte in element {
            let bits = left.min(8);
            put(bits, u128::from(*byte));
            left -= bits;
        }
    }
    result
}
