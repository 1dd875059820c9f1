//! `rng_bit_generator`: random bits by Threefry and Philox, counted as XLA counts them.
//!
//! The definition is [`semantics`](crate::semantics)' section on random numbers: programs that JAX writes depend on it.

use stablehlo::element::ElementType;
use stablehlo::ir::RngAlgorithm;
use stablehlo::ops::attr_classes::RngAlgorithmAttr;

use super::positions::Positions;
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Dims, Tensor, by_width, count};
use crate::value::Values;

/// Reads the op and applies [`rng_bit_generator`].
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let Some(shape) = cx.static_result_shape(1)? else {
        return Err(EvalError::bug("output has a static shape"));
    };
    let rng_algorithm = cx.required::<RngAlgorithmAttr>("rng_algorithm")?;
    let (output_state, output) = rng_bit_generator(cx, &cx.tensor(0)?, rng_algorithm, cx.result_element(1)?, &shape)?;
    Ok([output_state, output].into_iter().map(Into::into).collect())
}

/// The next state, and random bits as elements of the given type. DEFAULT is PHILOX.
///
/// # Errors
/// `exec/rng-state` for a state that the algorithm does not have, `exec/memory-limit`.
pub fn rng_bit_generator(
    cx: &Cx<'_>,
    initial_state: &Tensor,
    rng_algorithm: RngAlgorithm,
    element: ElementType,
    shape: &[usize],
) -> Result<(Tensor, Tensor)> {
    let state: Vec<u64> = match initial_state.element() {
        ElementType::UI64 => initial_state.to_vec(),
        _ => Vec::new(),
    };
    let count = cx.memory().check(element, shape)?;
    let wide = element.byte_width() == 8;
    if element == ElementType::I1 || element.byte_width() > 8 {
        return Err(EvalError::unsupported(format!("random bits of type {element} are not defined")));
    }
    cx.memory().check(ElementType::UI64, shape)?;
    cx.tick(count)?;
    let (output_state, words) = match (rng_algorithm, &state[..]) {
        (RngAlgorithm::ThreeFry, [key, counter]) => {
            let (counter, words) =
                if wide { three_fry_wide(*key, *counter, count) } else { three_fry_narrow(cx, *key, *counter, shape)? };
            (vec![*key, counter], words)
        }
        (RngAlgorithm::Philox | RngAlgorithm::Default, [key, low]) => {
            let (next, words) = philox(*key, join(*low, *key), count, wide);
            (vec![*key, next as u64], words)
        }
        (RngAlgorithm::Philox | RngAlgorithm::Default, [key, low, high]) => {
            let (next, words) = philox(*key, join(*low, *high), count, wide);
            (vec![*key, next as u64, (next >> 64) as u64], words)
        }
        _ => {
            let message = format!(
                "{} needs a state of two words ui64{}, got {initial_state:?}",
                rng_algorithm.word(),
                if rng_algorithm == RngAlgorithm::ThreeFry { "" } else { " or three" }
            );
            return Err(EvalError::invalid("exec/rng-state", message));
        }
    };
    let made = |tensor: Option<Tensor>| tensor.ok_or_else(|| EvalError::bug("as many words as elements"));
    let output_state = made(Tensor::from_vec(&[output_state.len()], &output_state))?;
    Ok((output_state, made(Tensor::new(element, shape, low_bits(element, &words)))?))
}

fn join(low: u64, high: u64) -> u128 {
    u128::from(low) | u128::from(high) << 64
}

/// The storage of elements that are the low bits of words.
fn low_bits(element: ElementType, words: &[u64]) -> Vec<u8> {
    let mask = u64::MAX >> (64 - element.bits().min(64));
    by_width!(element, W => words.iter().flat_map(|word| {
        let bytes = (word & mask).to_le_bytes();
        std::array::from_fn::<u8, W, _>(|index| bytes.get(index).copied().unwrap_or(0))
    }).collect())
}

/// Threefry-2x32 with 20 rounds.
fn three_fry_block(key: u64, counter: u64) -> [u32; 2] {
    const ROTATIONS: [[u32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
    let k = [key as u32, (key >> 32) as u32, key as u32 ^ (key >> 32) as u32 ^ 0x1BD1_1BDA];
    let mut x0 = (counter as u32).wrapping_add(k[0]);
    let mut x1 = ((counter >> 32) as u32).wrapping_add(k[1]);
    for group in 0..5 {
        for rotation in ROTATIONS[group % 2] {
            x0 = x0.wrapping_add(x1);
            x1 = x1.rotate_left(rotation) ^ x0;
        }
        let after = group + 1;
        x0 = x0.wrapping_add(k[after % 3]);
        x1 = x1.wrapping_add(k[(after + 1) % 3]).wrapping_add(after as u32);
    }
    [x0, x1]
}

/// A block for each element of 64 bits.
fn three_fry_wide(key: u64, counter: u64, n: usize) -> (u64, Vec<u64>) {
    let block = |index: usize| {
        let [x0, x1] = three_fry_block(key, counter.wrapping_add(index as u64));
        u64::from(x0) | u64::from(x1) << 32
    };
    (counter.wrapping_add(n as u64), (0..n).map(block).collect())
}

/// A block for each pair of neighbours along the first dimension of even size or, without one, the first of the largest.
fn three_fry_narrow(cx: &Cx<'_>, key: u64, counter: u64, shape: &[usize]) -> Result<(u64, Vec<u64>)> {
    if shape.contains(&0) {
        return Ok((counter, Vec::new()));
    }
    let largest = || (0..shape.len()).rev().max_by_key(|dim| shape[*dim]);
    let Some(dim) = (0..shape.len()).find(|dim| shape[*dim].is_multiple_of(2)).or_else(largest) else {
        return Ok((counter.wrapping_add(1), vec![u64::from(three_fry_block(key, counter)[0])]));
    };
    let mut halved: Dims = shape.into();
    halved[dim] = shape[dim].div_ceil(2);
    let mut strides = super::positions::strides_of(shape);
    let along = strides[dim];
    strides[dim] *= 2;
    let mut words = vec![0; cx.memory().check(ElementType::UI64, shape)?];
    let n_blocks = count(&halved).unwrap_or(0);
    // Where the position along dim is the last of an odd size, its second half is cut off.
    let inner: usize = count(&halved[dim + 1..]).unwrap_or(0);
    for (index, position) in Positions::new(&halved, &strides).enumerate() {
        let [x0, x1] = three_fry_block(key, counter.wrapping_add(index as u64));
        words[position] = u64::from(x0);
        let pair = index / inner.max(1) % halved[dim];
        if 2 * pair + 1 < shape[dim] {
            words[position + along] = u64::from(x1);
        }
    }
    Ok((counter.wrapping_add(n_blocks as u64), words))
}

/// Philox-4x32 with 10 rounds.
pub(super) fn philox_block(key: u64, counter: u128) -> [u32; 4] {
    let (mut k0, mut k1) = (key as u32, (key >> 32) as u32);
    let mut c: [u32; 4] = std::array::from_fn(|index| (counter >> (32 * index)) as u32);
    for _ in 0..10 {
        let first = u64::from(c[0]) * 0xD251_1F53;
        let second = u64::from(c[2]) * 0xCD9E_8D57;
        c = [(second >> 32) as u32 ^ c[1] ^ k0, second as u32, (first >> 32) as u32 ^ c[3] ^ k1, first as u32];
        k0 = k0.wrapping_add(0x9E37_79B9);
        k1 = k1.wrapping_add(0xBB67_AE85);
    }
    c
}

/// Two elements of 64 bits or four narrower ones from each block; the counter after the last block.
fn philox(key: u64, counter: u128, n: usize, wide: bool) -> (u128, Vec<u64>) {
    let per_block = if wide { 2 } else { 4 };
    let n_blocks = n.div_ceil(per_block);
    let mut words = Vec::with_capacity(n_blocks * per_block);
    for index in 0..n_blocks {
        let block = philox_block(key, counter.wrapping_add(index as u128)).map(u64::from);
        match wide {
            true => words.extend([block[0] | block[1] << 32, block[2] | block[3] << 32]),
            false => words.extend(block),
        }
    }
    words.truncate(n);
    (counter.wrapping_add(n_blocks as u128), words)
}
