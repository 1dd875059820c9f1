//! Reading elements by strides.

use smallvec::SmallVec;

/// Elements of a slot in an order that strides say.
#[derive(Clone, PartialEq, Debug)]
pub struct Strided {
    /// Sizes and distances in bytes, the slowest dimension first; adjacent ones that are one run are joined.
    pub dims: SmallVec<[(usize, isize); 4]>,
    /// Byte of the first element.
    pub offset: isize,
    /// Bytes of an element.
    pub width: usize,
}

impl Strided {
    /// Copies the elements number `at..at + n` to `out`.
    ///
    /// # Safety
    /// All elements that the strides reach from `base` are readable, `at + n` is at most their number, and `out` has room
    /// for n elements and does not overlap them.
    pub unsafe fn gather(&self, out: *mut u8, base: *const u8, at: usize, n: usize) {
        match self.width {
            // SAFETY: the caller's promise.
            1 => unsafe { self.gather_as::<u8>(out, base, at, n) },
            // SAFETY: as above.
            2 => unsafe { self.gather_as::<u16>(out, base, at, n) },
            // SAFETY: as above.
            4 => unsafe { self.gather_as::<u32>(out, base, at, n) },
            // SAFETY: as above.
            8 => unsafe { self.gather_as::<u64>(out, base, at, n) },
            // SAFETY: as above.
            _ => unsafe { self.gather_as::<u128>(out, base, at, n) },
        }
    }

    /// Where the elements number `at..at + n` begin, if they stand one after the other.
    pub fn run_of(&self, at: usize, n: usize) -> Option<isize> {
        let ((inner, stride), outer) = self.dims.split_last()?;
        if *stride != self.width as isize || at % inner + n > *inner {
            return None;
        }
        let mut row = at / inner;
        let mut place = self.offset + (at % inner) as isize * stride;
        for (size, stride) in outer.iter().rev() {
            place += (row % size) as isize * stride;
            row /= size;
        }
        Some(place)
    }

    /// Where the row of element number `at` begins, and the element's place in it.
    pub fn row_of(&self, at: usize) -> (isize, usize) {
        let Some(((inner, _), outer)) = self.dims.split_last() else { return (self.offset, 0) };
        let mut row = at / inner;
        let mut place = self.offset;
        for (size, stride) in outer.iter().rev() {
            // The outermost row, most often the only one, needs no division.
            if row < *size {
                place += row as isize * stride;
                break;
            }
            place += (row % size) as isize * stride;
            row /= size;
        }
        (place, at % inner)
    }

    /// # Safety
    /// As for [`Strided::gather`]; `T` has the element's width.
    unsafe fn gather_as<T: Copy>(&self, out: *mut u8, base: *const u8, at: usize, n: usize) {
        let mut out = out.cast::<T>();
        let Some(((inner, stride), outer)) = self.dims.split_last() else {
            // SAFETY: there is one element, and n is at most 1.
            unsafe {
                let value = base.offset(self.offset).cast::<T>().read_unaligned();
                for index in 0..n {
                    out.add(index).write_unaligned(value);
                }
            }
            return;
        };
        // The place of element `at`, then on like an odometer.
        let mut index: SmallVec<[usize; 6]> = SmallVec::from_elem(0, outer.len());
        let mut row = at / inner;
        let mut place = self.offset;
        for (dim, (size, stride)) in outer.iter().enumerate().rev() {
            index[dim] = row % size;
            row /= size;
            place += index[dim] as isize * stride;
        }
        let mut from = at % inner;
        let mut left = n;
        loop {
            let run = left.min(inner - from);
            // SAFETY: the elements from..from + run of this row are among those that the strides reach.
            unsafe { copy_run::<T>(out, base.offset(place + from as isize * stride), *stride, run) };
            left -= run;
            if left == 0 {
                return;
            }
            // SAFETY: out has room for `left` more.
            out = unsafe { out.add(run) };
            from = 0;
            for (dim, (size, stride)) in outer.iter().enumerate().rev() {
                index[dim] += 1;
                place += stride;
                if index[dim] < *size {
                    break;
                }
                place -= *size as isize * stride;
                index[dim] = 0;
            }
        }
    }
}

/// Copies `n` elements that stand `stride` bytes apart.
///
/// # Safety
/// They are readable, and `out` has room for n elements.
#[inline(always)]
pub(super) unsafe fn copy_run<T: Copy>(out: *mut T, from: *const u8, stride: isize, n: usize) {
    // SAFETY: the caller's promise; reads and writes are unaligned.
    unsafe {
        if stride == size_of::<T>() as isize {
            std::ptr::copy_nonoverlapping(from, out.cast::<u8>(), n * size_of::<T>());
        } else if stride == 0 {
            let value = from.cast::<T>().read_unaligned();
            for index in 0..n {
                out.add(index).write_unaligned(value);
            }
        } else if stride == -(size_of::<T>() as isize) {
            let from = from.cast::<T>();
            for index in 0..n {
                out.add(index).write_unaligned(from.sub(index).read_unaligned());
            }
        } else if n < SHORT {
            apart(out, from, stride, n);
        } else {
            match stride / size_of::<T>() as isize {
                2 if stride == 2 * size_of::<T>() as isize => every::<T, 2>(out, from, n),
                3 if stride == 3 * size_of::<T>() as isize => every::<T, 3>(out, from, n),
                4 if stride == 4 * size_of::<T>() as isize => every::<T, 4>(out, from, n),
                _ => apart(out, from, stride, n),
            }
        }
    }
}

/// Elements below which it does not matter how they are copied.
const SHORT: usize = 16;

/// # Safety
/// As for [`copy_run`].
#[inline(always)]
unsafe fn apart<T: Copy>(out: *mut T, from: *const u8, stride: isize, n: usize) {
    for index in 0..n {
        // SAFETY: the caller's promise.
        unsafe {
            out.add(index).write_unaligned(from.offset(index as isize * stride).cast::<T>().read_unaligned());
        }
    }
}

/// Copies every `STEP`th element, `n` of them.
///
/// # Safety
/// As for [`copy_run`].
unsafe fn every<T: Copy, const STEP: usize>(out: *mut T, from: *const u8, n: usize) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
        // SAFETY: the caller's promise; the machine has the instructions.
        return unsafe { every_avx512::<T, STEP>(out, from, n) };
    }
    // SAFETY: the caller's promise.
    unsafe { every_any::<T, STEP>(out, from, n) }
}

/// # Safety
/// As for [`every`]; the machine has AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
unsafe fn every_avx512<T: Copy, const STEP: usize>(out: *mut T, from: *const u8, n: usize) {
    // SAFETY: the caller's promise.
    unsafe { every_any::<T, STEP>(out, from, n) }
}

/// # Safety
/// As for [`every`].
#[inline(always)]
unsafe fn every_any<T: Copy, const STEP: usize>(out: *mut T, from: *const u8, n: usize) {
    let from = from.cast::<T>();
    // The distance is known here, so that the compiler can make vectors of it; in blocks, which overlap with nothing.
    const BLOCK: usize = 64;
    let mut at = 0;
    while at + BLOCK <= n {
        let mut block = [const { std::mem::MaybeUninit::<T>::uninit() }; BLOCK];
        for (index, value) in block.iter_mut().enumerate() {
            // SAFETY: the caller's promise.
            value.write(unsafe { from.add((at + index) * STEP).read_unaligned() });
        }
        // SAFETY: the block is full, and there is room for n elements.
        unsafe { std::ptr::copy_nonoverlapping(block.as_ptr().cast::<T>(), out.add(at), BLOCK) };
        at += BLOCK;
    }
    for index in at..n {
        // SAFETY: as above.
        unsafe { out.add(index).write_unaligned(from.add(index * STEP).read_unaligned()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_part_of_a_transpose_is_read() {
        // A 3x4 array read as 4x3.
        let data: Vec<u32> = (0..12).collect();
        let strided = Strided { dims: SmallVec::from_slice(&[(4, 4), (3, 16)]), offset: 0, width: 4 };
        let expected: Vec<u32> = (0..4).flat_map(|column| (0..3).map(move |row| row * 4 + column)).collect();
        for at in 0..12 {
            for n in 0..=12 - at {
                let mut out = vec![0u32; n];
                // SAFETY: at + n elements of 12.
                unsafe { strided.gather(out.as_mut_ptr().cast(), data.as_ptr().cast(), at, n) };
                assert_eq!(out, expected[at..at + n]);
            }
        }
    }

    #[test]
    fn runs_are_read_in_place() {
        // Two rows of four, the second of three rows of six from element 1 on.
        let strided = Strided { dims: SmallVec::from_slice(&[(2, 24), (4, 4)]), offset: 4, width: 4 };
        assert_eq!(strided.run_of(0, 4), Some(4));
        assert_eq!(strided.run_of(5, 3), Some(32));
        assert_eq!(strided.run_of(3, 2), None);
        let broadcast = Strided { dims: SmallVec::from_slice(&[(4, 0)]), offset: 4, width: 4 };
        assert_eq!(broadcast.run_of(0, 2), None);
    }
}
