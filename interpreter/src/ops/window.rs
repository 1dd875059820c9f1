//! Windows that slide over a tensor: which element of the operand a place in a window is.

use stablehlo::ir::AttrId;
use stablehlo::ops::attr_classes::{I64Array, I64Elements};

use super::fold::Run;
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Dims, Tensor};

/// One dimension of windows over an operand.
#[derive(Copy, Clone, Debug)]
pub struct WindowDimension {
    /// Size of the operand.
    pub base: usize,
    /// Size of a window.
    pub size: usize,
    /// Step from window to window.
    pub stride: i128,
    /// Distance of the operand's elements in the dilated operand.
    pub base_dilation: i128,
    /// Distance of a window's elements in the dilated window.
    pub window_dilation: i128,
    /// Padding before the first element; negative padding crops.
    pub low: i128,
    /// Padding after the last element.
    pub high: i128,
    /// Whether a window is read from its end.
    pub reversed: bool,
}

/// Windows, one position of the run at a time: those of which `place` lies on an element.
#[derive(Copy, Clone, Debug)]
pub struct Hits {
    /// Numbers of the windows.
    pub windows: Run,
    /// Indices of the elements.
    pub elements: Run,
    /// How many there are.
    pub n: usize,
}

impl WindowDimension {
    /// How many windows there are.
    ///
    /// # Errors
    /// `exec/memory-limit` when the number does not fit the machine.
    pub fn count(&self) -> Result<usize> {
        let dilated = |size: usize, dilation: i128| if size == 0 { 0 } else { (size as i128 - 1) * dilation + 1 };
        let padded = self.low + dilated(self.base, self.base_dilation) + self.high;
        let window = dilated(self.size, self.window_dilation);
        if padded <= 0 || window > padded {
            return Ok(0);
        }
        let count = (padded - window) / self.stride + 1;
        usize::try_from(count)
            .map_err(|_| EvalError::resource("exec/memory-limit", format!("{count} windows are too many")))
    }

    /// The element at `place` of window number `window`; none for padding and for room between elements.
    #[inline]
    pub fn element(&self, window: usize, place: usize) -> Option<usize> {
        let place = if self.reversed { self.size - 1 - place } else { place };
        let position = window as i128 * self.stride + place as i128 * self.window_dilation - self.low;
        if self.base_dilation == 1 {
            return usize::try_from(position).ok().filter(|index| *index < self.base);
        }
        if position < 0 || position % self.base_dilation != 0 {
            return None;
        }
        usize::try_from(position / self.base_dilation).ok().filter(|index| *index < self.base)
    }

    /// Whether a place of one of `n_windows` windows is not on an element.
    pub fn misses(&self, n_windows: usize) -> bool {
        // The places form a lattice: all are elements if its corners are, and the first step in each direction.
        let corners_and_step = |n: usize| [0, 1, n.saturating_sub(1)].into_iter().take_while(move |at| *at < n);
        corners_and_step(n_windows)
            .any(|window| corners_and_step(self.size).any(|place| self.element(window, place).is_none()))
    }

    /// [`WindowDimension::element`] for all windows: those of `n_windows` where it is an element.
    pub fn hits(&self, n_windows: usize, place: usize) -> Hits {
        let none = Hits { windows: Run::at(0), elements: Run::at(0), n: 0 };
        let step = self.base_dilation / gcd(self.stride, self.base_dilation);
        // Windows before the first position that is not in the low padding cannot hit; from there on every step-th does.
        let place_at = if self.reversed { self.size - 1 - place } else { place };
        let start = place_at as i128 * self.window_dilation - self.low;
        let earliest = if start < 0 { (-start + self.stride - 1) / self.stride } else { 0 };
        let Some(first) = (earliest..earliest + step)
            .map_while(|window| usize::try_from(window).ok().filter(|window| *window < n_windows))
            .find(|window| (start + *window as i128 * self.stride) % self.base_dilation == 0)
        else {
            return none;
        };
        let Some(element) = self.element(first, place) else {
            return none;
        };
        let element_step = self.stride * step / self.base_dilation;
        let by_windows = (n_windows - 1 - first) as i128 / step;
        let by_elements = (self.base - 1 - element) as i128 / element_step;
        let narrow = |value: i128| usize::try_from(value).unwrap_or(usize::MAX);
        let n = narrow(by_windows.min(by_elements)).saturating_add(1);
        // A single hit needs no step, and a step that does not fit has a single hit.
        let (step, element_step) = if n == 1 { (0, 0) } else { (narrow(step), narrow(element_step)) };
        Hits { windows: Run::new(first, step), elements: Run::new(element, element_step), n }
    }
}

/// Whether windows, of which there are `n_windows` in each dimension, have places that are not on an element.
pub fn reads_padding(windows: &[WindowDimension], n_windows: &[usize]) -> bool {
    windows.iter().zip(n_windows).any(|(window, n)| window.misses(*n))
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The windows of an op with the attributes of `reduce_window`, over an operand of this shape. Absent attributes mean
/// steps of 1 and no padding.
///
/// # Errors
/// `exec/bug` for attributes that verification rejects.
pub fn windows(cx: &Cx<'_>, base: &[usize]) -> Result<Vec<WindowDimension>> {
    let sizes = cx.attr::<I64Array>("window_dimensions");
    let padding = padding(cx)?;
    let list = |name: &str| cx.attr::<I64Array>(name);
    make(base, sizes, [list("window_strides"), list("base_dilations"), list("window_dilations")], &padding)
}

/// Windows of given sizes; sizes, strides and dilations are 1 where there is no list.
///
/// # Errors
/// `exec/bug` for sizes that verification rejects.
pub fn make(
    base: &[usize],
    sizes: Option<&[i64]>,
    steps: [Option<&[i64]>; 3],
    padding: &[i64],
) -> Result<Vec<WindowDimension>> {
    let at = |list: Option<&[i64]>, dim: usize| list.and_then(|list| list.get(dim)).map_or(1, |n| i128::from(*n));
    let padding = |dim: usize, side: usize| padding.get(2 * dim + side).map_or(0, |n| i128::from(*n));
    let dimension = |(dim, base): (usize, &usize)| {
        let [stride, base_dilation, window_dilation] = steps.map(|list| at(list, dim));
        let size = usize::try_from(at(sizes, dim)).map_err(|_| EvalError::bug("window sizes are positive"))?;
        if stride < 1 || base_dilation < 1 || window_dilation < 1 {
            return Err(EvalError::bug("strides and dilations are positive"));
        }
        let (low, high) = (padding(dim, 0), padding(dim, 1));
        Ok(WindowDimension { base: *base, size, stride, base_dilation, window_dilation, low, high, reversed: false })
    };
    base.iter().enumerate().map(dimension).collect()
}

/// The attribute `padding` as pairs of low and high; empty when it is absent.
///
/// # Errors
/// `exec/missing-resource`.
pub fn padding(cx: &Cx<'_>) -> Result<Vec<i64>> {
    let read = |attr: AttrId| super::constant::from_attr(cx, attr).map(|padding: Tensor| padding.saturated_integers());
    cx.attr::<I64Elements>("padding").map_or(Ok(Vec::new()), read)
}

/// How many windows there are in each dimension.
///
/// # Errors
/// As [`WindowDimension::count`].
pub fn counts(windows: &[WindowDimension]) -> Result<Dims> {
    windows.iter().map(WindowDimension::count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All hits agree with the definition, over small windows of every kind.
    #[test]
    fn hits_are_the_elements_one_by_one() {
        let mut n_checked = 0;
        for (base, size, stride) in [(0, 1, 1), (1, 1, 1), (5, 3, 1), (7, 2, 3), (4, 4, 2), (6, 3, 5)] {
            for (base_dilation, window_dilation) in [(1, 1), (2, 1), (3, 2), (1, 3), (6, 4)] {
                for (low, high) in [(0, 0), (2, 1), (-1, 3), (4, -2), (-3, -1)] {
                    for reversed in [false, true] {
                        let dimension =
                            WindowDimension { base, size, stride, base_dilation, window_dilation, low, high, reversed };
                        let n_windows = dimension.count().unwrap();
                        let all =
                            (0..n_windows).all(|window| (0..size).all(|at| dimension.element(window, at).is_some()));
                        assert_eq!(dimension.misses(n_windows), !all, "{dimension:?}");
                        for place in 0..size {
                            let hits = dimension.hits(n_windows, place);
                            let found: Vec<(usize, usize)> = (0..hits.n)
                                .map(|i| {
                                    (
                                        hits.windows.start + i * hits.windows.step,
                                        hits.elements.start + i * hits.elements.step,
                                    )
                                })
                                .collect();
                            let wanted: Vec<(usize, usize)> = (0..n_windows)
                                .filter_map(|window| Some((window, dimension.element(window, place)?)))
                                .collect();
                            assert_eq!(found, wanted, "{dimension:?} {place}");
                            n_checked += wanted.len();
                        }
                    }
                }
            }
        }
        assert!(n_checked > 500, "{n_checked}");
    }
}
