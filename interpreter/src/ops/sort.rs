//! `sort`: lines along a dimension in the order that a comparator says.

use std::borrow::Cow;

use smallvec::SmallVec;
use stablehlo::element::ElementType;
use stablehlo::ops::attr_classes::I64;

use super::computation::{Computation, Split};
use super::elementwise::{Word, same_shape, written_out};
use super::positions::{Ticks, lines};
use crate::dispatch_element;
use crate::element::{CompareType, Direction, Element, Float};
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Dims, Tensor};
use crate::value::Values;

/// Reads the op and applies [`sort`].
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let inputs = cx.tensors_from(0)?;
    let rank = inputs.first().map_or(0, Tensor::rank);
    let dimension = cx.attr::<I64>("dimension").unwrap_or(-1);
    let dimension = if dimension < 0 { dimension + rank as i64 } else { dimension };
    let dimension = usize::try_from(dimension).ok().filter(|dim| *dim < rank);
    let dimension = dimension.ok_or_else(|| EvalError::bug("dimension is out of range"))?;
    let comparator = Computation::new(cx, cx.region(0)?)?;
    sort(cx, &inputs, dimension, comparator)
}

/// Each line of all inputs along `dimension`, rearranged alike so that `comparator` does not hold for an element and one
/// before it.
///
/// Always stable. With a comparator that is no strict weak order the result is some permutation.
///
/// # Errors
/// `exec/shape-mismatch` for inputs of different shapes, `exec/memory-limit`, and those of the comparator.
pub fn sort(cx: &Cx<'_>, inputs: &[Tensor], dimension: usize, mut comparator: Computation<'_, '_>) -> Result<Values> {
    inputs.windows(2).try_for_each(|pair| same_shape(&pair[0], &pair[1]))?;
    let shape: Dims = inputs.first().map_or(&[][..], Tensor::shape).into();
    // A call may name any function as its comparator.
    let of_inputs = inputs.iter().flat_map(|input| [input.element(); 2]);
    if dimension >= shape.len() || !comparator.arguments.iter().copied().eq(of_inputs) {
        return Err(EvalError::unsupported("a comparator takes two scalars of each input"));
    }
    let n = shape[dimension];
    if n == 0 {
        return Ok(inputs.iter().cloned().map(Into::into).collect());
    }
    let (starts, stride) = lines(cx, &shape, dimension)?;
    let data = inputs.iter().map(|input| written_out(cx, input)).collect::<Result<Vec<_>>>()?;
    let widths: Dims = inputs.iter().map(|input| input.element().byte_width()).collect();
    for input in inputs {
        cx.memory().check(input.element(), input.shape())?;
    }
    let mut results: Vec<Vec<u8>> = data.iter().map(|data| vec![0; data.len()]).collect();
    let (key, split) = (comparator.comparison(), comparator.split());
    cx.memory().check(ElementType::ComplexF64, &[n, 2])?;
    let mut ticks = Ticks::new(cx);
    for start in starts {
        ticks.add(n)?;
        let mut line = Line { data: &data, widths: &widths, start, stride, comparator: &mut comparator };
        let order = match key {
            Some((index, direction, compare_type)) => {
                let line = (0..n).map(|i| &data[index][(start + i * stride) * widths[index]..]);
                let element = inputs[index].element();
                dispatch_element!(element, T => {
                    by_key(line.map(T::read_le).collect(), direction, compare_type, &mut ticks)?
                })
            }
            None => match &split {
                Some(split) => {
                    let sides: Vec<[Word; 2]> = (0..n).map(|i| line.sides(split, i)).collect();
                    merge_sort(n, &mut ticks, |a, b| Ok(split.holds(&sides[a as usize][0], &sides[b as usize][1])))?
                }
                None => merge_sort(n, &mut ticks, |a, b| line.less(a, b))?,
            },
        };
        if cx.is_strict() {
            line.notice(cx, &order)?;
        }
        for ((data, result), width) in data.iter().zip(&mut results).zip(&widths) {
            for (i, from) in order.iter().enumerate() {
                let (to, from) = ((start + i * stride) * width, (start + *from as usize * stride) * width);
                result[to..to + width].copy_from_slice(&data[from..from + width]);
            }
        }
    }
    let tensor = |(input, data): (&Tensor, Vec<u8>)| Tensor::new(input.element(), &shape, data).map(Into::into);
    let results: Option<Values> = inputs.iter().zip(results).map(tensor).collect();
    results.ok_or_else(|| EvalError::bug("as many elements as before"))
}

/// One line of all inputs.
struct Line<'a, 'c, 'r> {
    data: &'a [Cow<'a, [u8]>],
    widths: &'a [usize],
    start: usize,
    stride: usize,
    comparator: &'a mut Computation<'c, 'r>,
}

impl Line<'_, '_, '_> {
    fn less(&mut self, a: u32, b: u32) -> Result<bool> {
        let at = [a, b].map(|i| self.start + i as usize * self.stride);
        let arguments = (0..2 * self.data.len()).map(|argument| {
            let (index, width) = (argument / 2, self.widths[argument / 2]);
            &self.data[index][at[argument % 2] * width..][..width]
        });
        let mut result = SmallVec::new();
        self.comparator.apply(arguments, &mut result)?;
        Ok(result.first().is_some_and(|word| word[0] != 0))
    }

    /// What the comparator compares of element `i`, as its first and as its second.
    fn sides(&mut self, split: &Split, i: usize) -> [Word; 2] {
        let at = self.start + i * self.stride;
        let arguments = (0..2 * self.data.len()).map(|argument| {
            let (index, width) = (argument / 2, self.widths[argument / 2]);
            &self.data[index][at * width..][..width]
        });
        self.comparator.sides(split, arguments)
    }

    /// Looks for signs that the comparator is no order: it holds for an element and itself, or still for neighbours.
    fn notice(&mut self, cx: &Cx<'_>, order: &[u32]) -> Result<()> {
        let compares_nan = |index: usize| {
            let element = self.comparator.arguments[2 * index];
            let nan = crate::dispatch_float!(element, T => order.iter().any(|i| {
                let at = (self.start + *i as usize * self.stride) * self.widths[index];
                Float::is_nan(<T as Element>::read_le(&self.data[index][at..]))
            }));
            nan.unwrap_or(false)
        };
        if let Some((index, _, CompareType::Float)) = self.comparator.comparison()
            && compares_nan(index)
        {
            cx.touch("sort-nan");
            return Ok(());
        }
        let mut is_inconsistent = false;
        for pair in order.windows(2) {
            is_inconsistent |= self.less(pair[0], pair[0])? || self.less(pair[1], pair[0])?;
        }
        if is_inconsistent {
            cx.touch("sort-inconsistent");
        }
        Ok(())
    }
}

/// The order of a line by a comparison of its elements.
fn by_key<T: Element>(
    line: Vec<T>,
    direction: Direction,
    compare_type: CompareType,
    ticks: &mut Ticks<'_, '_>,
) -> Result<Vec<u32>> {
    merge_sort(line.len(), ticks, |a, b| Ok(line[a as usize].compare(line[b as usize], direction, compare_type)))
}

/// The stable order of `0..n` by `less`: runs of eight by insertion, then merged. It ends whatever `less` answers.
///
/// # Errors
/// Those of `less`.
pub fn merge_sort(
    n: usize,
    ticks: &mut Ticks<'_, '_>,
    mut less: impl FnMut(u32, u32) -> Result<bool>,
) -> Result<Vec<u32>> {
    const RUN: usize = 8;
    let n = u32::try_from(n).map_err(|_| EvalError::resource("exec/memory-limit", "lines to sort are too long"))?;
    let mut order: Vec<u32> = (0..n).collect();
    for run in order.chunks_mut(RUN) {
        for end in 1..run.len() {
            // What is less than the first goes before all, which spares the others; without an order, as with NaN, this is
            // also what other implementations do.
            if less(run[end], run[0])? {
                run[..=end].rotate_right(1);
                continue;
            }
            let mut at = end;
            while at > 1 && less(run[at], run[at - 1])? {
                run.swap(at, at - 1);
                at -= 1;
            }
        }
    }
    let mut merged = vec![0; order.len()];
    let mut width = RUN;
    while width < order.len() {
        for (pair, out) in order.chunks(2 * width).zip(merged.chunks_mut(2 * width)) {
            ticks.add(pair.len())?;
            let (left, right) = pair.split_at(width.min(pair.len()));
            merge(left, right, out, &mut less)?;
        }
        std::mem::swap(&mut order, &mut merged);
        width *= 2;
    }
    Ok(order)
}

fn merge<'a>(
    mut left: &'a [u32],
    mut right: &'a [u32],
    out: &mut [u32],
    less: &mut impl FnMut(u32, u32) -> Result<bool>,
) -> Result<()> {
    for out in out {
        let from_right = match (left.first(), right.first()) {
            (Some(a), Some(b)) => less(*b, *a)?,
            (None, _) => true,
            (_, None) => false,
        };
        let side = if from_right { &mut right } else { &mut left };
        if let Some((first, rest)) = side.split_first() {
            *out = *first;
            *side = rest;
        }
    }
    Ok(())
}
