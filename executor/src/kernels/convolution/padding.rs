//! Copies with padding and the zeros between dilated elements written out.

use crate::kernels::memory::{Memory, SlotId};
use crate::kernels::pool::Pool;

/// One dimension of a padded copy.
#[derive(Copy, Clone, Debug)]
pub struct PaddingDim {
    /// Elements of the copy.
    pub size: usize,
    /// Elements before the first one that is copied; negative when the first ones are left out.
    pub low: i64,
    /// Distance of copied elements.
    pub dilation: usize,
    /// Elements to copy from.
    pub from: usize,
    /// Their distance in memory, in elements.
    pub stride: isize,
}

impl PaddingDim {
    /// A dimension without padding.
    pub fn plain((size, stride): (usize, isize)) -> Self {
        Self { size, low: 0, dilation: 1, from: size, stride }
    }

    /// The copied elements: number of the first, its place, and how many there are.
    fn copied(&self) -> (usize, usize, usize) {
        let (low, dilation) = (i128::from(self.low), self.dilation as i128);
        let first = if low < 0 { (-low + dilation - 1) / dilation } else { 0 };
        let place = low + first * dilation;
        let by_size = (self.size as i128 - place + dilation - 1) / dilation;
        let n = by_size.min(self.from as i128 - first);
        if n <= 0 {
            return (0, 0, 0);
        }
        (first as usize, place as usize, n as usize)
    }
}

/// A padded copy, row-major in the order of its dimensions.
#[derive(Debug)]
pub struct Padding {
    /// Where elements come from.
    pub from: SlotId,
    /// Where the first stands.
    pub offset: isize,
    /// Where they go.
    pub to: SlotId,
    /// Bytes of an element.
    pub width: usize,
    /// The dimensions.
    pub dims: Vec<PaddingDim>,
}

#[derive(Copy, Clone)]
struct Addresses(*const u8, *mut u8);

impl Addresses {
    fn from(self) -> *const u8 {
        self.0
    }

    fn to(self) -> *mut u8 {
        self.1
    }
}
// SAFETY: threads write disjoint parts of the copy.
unsafe impl Send for Addresses {}
// SAFETY: as above.
unsafe impl Sync for Addresses {}

/// Bytes of a copy that are worth a thread.
const GRAIN: usize = 1 << 16;

impl Padding {
    /// Makes the copy on all threads.
    pub fn run(&self, memory: &Memory, pool: &Pool) {
        // Parts are the positions along the dimensions before `inner`.
        let inner = self.dims.len().min(2);
        let (outer, dims) = self.dims.split_at(inner);
        let part: usize = dims.iter().map(|dim| dim.size).product::<usize>() * self.width;
        let n_parts: usize = outer.iter().map(|dim| dim.size).product();
        let addresses = Addresses(memory.address(self.from), memory.address(self.to));
        pool.split(n_parts, GRAIN / part.max(1) + 1, &|parts| {
            for index in parts {
                // SAFETY: the copy has `n_parts` parts of that size, and each is written by one thread.
                unsafe { self.part(outer, dims, index, addresses.from(), addresses.to().add(index * part), part) };
            }
        });
    }

    /// # Safety
    /// `to` has room for the part.
    unsafe fn part(
        &self,
        outer: &[PaddingDim],
        dims: &[PaddingDim],
        index: usize,
        from: *const u8,
        to: *mut u8,
        bytes: usize,
    ) {
        // SAFETY: the caller's promise.
        unsafe { std::ptr::write_bytes(to, 0, bytes) };
        let (mut left, mut offset) = (index, self.offset);
        for dim in outer.iter().rev() {
            let at = left % dim.size;
            left /= dim.size;
            let (first, place, n) = dim.copied();
            let Some(step) = at.checked_sub(place).filter(|at| at % dim.dilation == 0) else { return };
            if step / dim.dilation >= n {
                return;
            }
            offset += (first + step / dim.dilation) as isize * dim.stride;
        }
        // SAFETY: positions that are copied lie inside the operand.
        unsafe { copy(dims, from.offset(offset * self.width as isize), to, self.width) };
    }

    /// What is done, for people.
    pub fn describe(&self) -> String {
        let bytes = self.dims.iter().map(|dim| dim.size).product::<usize>() * self.width;
        format!("input padded to {bytes} bytes")
    }
}

/// Copies what is not padding.
///
/// # Safety
/// `from` and `to` are where the dimensions begin.
unsafe fn copy(dims: &[PaddingDim], from: *const u8, to: *mut u8, width: usize) {
    // SAFETY: the caller's promise: copied elements lie inside the operand and the copy.
    unsafe {
        let Some((dim, inner)) = dims.split_first() else {
            std::ptr::copy_nonoverlapping(from, to, width);
            return;
        };
        let (first, place, n) = dim.copied();
        if n == 0 {
            return;
        }
        let inner_size: usize = inner.iter().map(|dim| dim.size).product();
        let from = from.offset(first as isize * dim.stride * width as isize);
        let to = to.add(place * inner_size * width);
        let (from_step, to_step) = (dim.stride * width as isize, dim.dilation * inner_size * width);
        let is_run = match inner {
            [] => dim.stride == 1 && dim.dilation == 1,
            [last] => {
                let whole = PaddingDim::plain((last.from, 1));
                dim.dilation == 1
                    && dim.stride == last.from as isize
                    && (last.size, last.low, last.dilation, last.stride) == (whole.size, 0, 1, 1)
            }
            _ => false,
        };
        if is_run {
            std::ptr::copy_nonoverlapping(from, to, n * inner_size * width);
        } else if inner.is_empty() && width == 4 {
            for index in 0..n {
                let x = from.offset(index as isize * from_step).cast::<u32>().read();
                to.add(index * to_step).cast::<u32>().write(x);
            }
        } else {
            for index in 0..n {
                copy(inner, from.offset(index as isize * from_step), to.add(index * to_step), width);
            }
        }
    }
}
