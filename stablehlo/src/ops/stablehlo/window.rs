//! Windows that slide over a tensor: sizes, strides, dilations and padding, and how many windows there are.

use super::dims::{List, compatible};
use crate::ir::{AttrId, DYNAMIC};
use crate::verify::{Cx, Fault, Integers, Place, Verdict, ensure};

/// One dimension of a window.
#[derive(Copy, Clone, Debug)]
pub struct WindowDimension {
    /// Size of the window.
    pub size: i64,
    /// Step from window to window.
    pub stride: i64,
    /// Distance of the operand's elements in the dilated operand.
    pub base_dilation: i64,
    /// Distance of the window's elements in the dilated window.
    pub window_dilation: i64,
    /// Padding before the first element; negative padding crops.
    pub low: i64,
    /// Padding after the last element.
    pub high: i64,
}

impl WindowDimension {
    /// How many windows there are over `base` elements; [`DYNAMIC`] when a size is not known.
    ///
    /// # Errors
    /// A fault when the number does not fit into 64 bits.
    pub fn count(self, base: i64) -> Result<i64, Fault> {
        if base == DYNAMIC || self.size == DYNAMIC {
            return Ok(DYNAMIC);
        }
        let dilated = |size: i64, dilation: i64| match size {
            0 => 0,
            size => (i128::from(size) - 1) * i128::from(dilation) + 1,
        };
        let padded = i128::from(self.low) + dilated(base, self.base_dilation) + i128::from(self.high);
        let window = dilated(self.size, self.window_dilation);
        if padded <= 0 || window > padded || self.stride < 1 {
            return Ok(0);
        }
        let count = (padded - window) / i128::from(self.stride) + 1;
        i64::try_from(count).map_err(|_| Fault::new(format!("the number of windows, {count}, is too large")))
    }
}

/// The written parts of a window; absent parts mean 1 for strides and dilations and 0 for padding.
pub struct Window<'m> {
    /// Sizes.
    pub sizes: &'m [i64],
    /// Strides.
    pub strides: Option<&'m [i64]>,
    /// Dilations of the operand.
    pub base_dilations: Option<&'m [i64]>,
    /// Dilations of the window.
    pub window_dilations: Option<&'m [i64]>,
    /// Low and high padding of each dimension, one after the other.
    pub padding: Vec<i64>,
}

impl Window<'_> {
    /// Dimension number `dim`; the parts must have passed their checks.
    pub fn dimension(&self, dim: usize) -> WindowDimension {
        let at = |list: Option<&[i64]>| list.and_then(|list| list.get(dim)).copied().unwrap_or(1);
        let padding = |side: usize| self.padding.get(2 * dim + side).copied().unwrap_or(0);
        WindowDimension {
            size: at(Some(self.sizes)),
            stride: at(self.strides),
            base_dilation: at(self.base_dilations),
            window_dilation: at(self.window_dilations),
            low: padding(0),
            high: padding(1),
        }
    }

    /// How many windows there are in each dimension of an operand of these sizes.
    ///
    /// # Errors
    /// As [`WindowDimension::count`].
    pub fn counts(&self, base: &[i64]) -> Result<crate::ir::Shape, Fault> {
        base.iter().enumerate().map(|(dim, size)| self.dimension(dim).count(*size)).collect()
    }
}

/// Passes when an optional list is absent or empty, which upstream's own texts use for "absent", or has one entry per
/// dimension of the window.
pub fn one_per_dimension(attr: &'static str, list: Option<&[i64]>, rank: usize) -> Verdict {
    let written = list.filter(|list| !list.is_empty());
    written.map_or(Ok(()), |list| sizes_per_dimension(attr, list, rank))
}

/// Passes when a list has one entry per dimension of the window.
pub fn sizes_per_dimension(attr: &'static str, list: &[i64], rank: usize) -> Verdict {
    List::new(attr, attr, list).length(rank, "one per dimension of the window")
}

/// Passes when an optional list is absent or has positive entries only.
pub fn positive(attr: &'static str, list: Option<&[i64]>) -> Verdict {
    list.map_or(Ok(()), |list| List::new(attr, attr, list).positive())
}

/// Passes when the padding is absent or empty, or a low and a high entry per dimension of the window.
pub fn check_padding_shape(cx: &Cx<'_>, padding: Option<AttrId>, rank: usize) -> Verdict {
    let Some(padding) = padding else {
        return Ok(());
    };
    let fault = |message: String| Fault::new(message).at(Place::Attr("padding"));
    let padding = Integers::of(cx.module, padding).ok_or_else(|| fault("padding must be integers".to_owned()))?;
    if padding.shape.contains(&0) {
        return Ok(());
    }
    let wanted = [i64::try_from(rank).unwrap_or(i64::MAX), 2];
    ensure(padding.shape.len() == 2 && padding.shape.iter().zip(wanted).all(|(a, b)| compatible(*a, b)), || {
        fault(format!("padding must have shape [{rank}, 2], got {}", super::dims::show(padding.shape)))
    })
}

/// The padding of an op whose attribute passed [`check_padding_shape`]; empty when it is absent.
pub fn padding(cx: &Cx<'_>, padding: Option<AttrId>, rank: usize) -> Vec<i64> {
    let padding = padding.and_then(|padding| Integers::of(cx.module, padding));
    padding.and_then(|padding| padding.to_vec(2 * rank)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(base: i64, size: i64, stride: i64, dilations: (i64, i64), padding: (i64, i64)) -> i64 {
        let (base_dilation, window_dilation) = dilations;
        let (low, high) = padding;
        WindowDimension { size, stride, base_dilation, window_dilation, low, high }.count(base).unwrap()
    }

    #[test]
    fn windows_are_counted_as_the_specification_says() {
        assert_eq!(count(5, 2, 2, (1, 1), (0, 0)), 2);
        assert_eq!(count(4, 3, 4, (2, 1), (1, 1)), 2, "(4-1)*2+1+2 = 9; (9-3)/4+1");
        assert_eq!(count(3, 3, 1, (1, 2), (1, 1)), 1, "the window spans five of five elements");
        assert_eq!(count(2, 3, 1, (1, 1), (0, 0)), 0, "no window fits");
        assert_eq!(count(0, 1, 1, (5, 1), (0, 0)), 0);
        assert_eq!(count(3, 1, 1, (1, 1), (-2, -2)), 0, "everything is cropped away");
        assert_eq!(count(DYNAMIC, 1, 1, (1, 1), (0, 0)), DYNAMIC);
    }

    #[test]
    fn numbers_too_large_are_faults() {
        let window = WindowDimension {
            size: 1,
            stride: 1,
            base_dilation: i64::MAX,
            window_dilation: 1,
            low: i64::MAX,
            high: i64::MAX,
        };
        assert!(window.count(i64::MAX).is_err());
    }
}
