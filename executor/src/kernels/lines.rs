//! Rows that are written once, past the caches, line by line.
//!
//! What is written past the caches must be whole lines: a part of one makes the machine read the line first. Rows rarely
//! begin and end with lines, so what is left of one waits until the next one has filled the line. And every line goes from
//! the registers that it was made in to memory: were a whole row made first and then written, reading and writing would
//! take turns instead of going on side by side.

use super::isa::Isa;

/// What the elements of a row come from.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Source {
    /// One element, again and again.
    Fill(*const u8),
    /// Elements side by side.
    Run(*const u8),
    /// Every second, third or fourth element.
    Every(*const u8, usize),
    /// Elements side by side, the last first; this is the address of that one.
    Reversed(*const u8),
    /// Elements side by side with a value between each two of them.
    Alternate(*const u8, *const u8),
}

impl Source {
    /// Elements of `width` bytes that stand `stride` bytes apart, if there is a way for them.
    pub fn apart(from: *const u8, stride: isize, width: usize) -> Option<Self> {
        let step = stride / width as isize;
        match (step, width) {
            _ if stride % width as isize != 0 => None,
            (1, _) => Some(Source::Run(from)),
            (2..=4, 2 | 4 | 8) => Some(Source::Every(from, step as usize)),
            (-1, 2 | 4 | 8) => Some(Source::Reversed(from)),
            _ => None,
        }
    }

    /// Elements of `width` bytes with a value between them, if there is a way for them.
    pub fn alternate(from: *const u8, value: *const u8, width: usize) -> Option<Self> {
        matches!(width, 2 | 4 | 8).then_some(Source::Alternate(from, value))
    }
}

/// Whether the machine can write lines of elements of `width` bytes to `to`.
pub fn is_possible(isa: Isa, width: usize, to: *const u8) -> bool {
    cfg!(target_arch = "x86_64") && isa >= Isa::Avx512 && to.addr().is_multiple_of(width)
}

#[cfg(not(target_arch = "x86_64"))]
pub use absent::Lines;
#[cfg(target_arch = "x86_64")]
pub use machine::Lines;

/// Never used: [`is_possible`] says no.
#[cfg(not(target_arch = "x86_64"))]
mod absent {
    use super::Source;

    /// Nothing.
    #[derive(Debug)]
    pub struct Lines;

    impl Lines {
        /// Nothing.
        pub fn new(_: usize) -> Self {
            Self
        }

        /// # Safety
        /// There is no way to call this.
        pub unsafe fn put(&mut self, _: *mut u8, _: Source, _: usize, _: *const u8) {}

        /// # Safety
        /// There is no way to call this.
        pub unsafe fn finish(self) {}
    }
}

#[cfg(target_arch = "x86_64")]
mod machine {
    use std::arch::x86_64::*;

    use super::super::line_sources::{Alternate, Every, Fill, From, Lane, Reversed, Run, repeated};
    use super::super::offsets::prefetch;
    use super::super::strided_copy::LINE;
    use super::super::tiles::fence;
    use super::Source;

    /// Bytes of the source that are asked for ahead. The machine guesses what comes next only as far as a page goes.
    const AHEAD: usize = 4096;

    /// A line in the making.
    #[derive(Debug)]
    #[repr(align(64))]
    struct Pending([u8; LINE]);

    /// Rows on their way past the caches.
    #[derive(Debug)]
    pub struct Lines {
        /// The line that is written next.
        next: *mut u8,
        /// Bytes `skip..held` of it are known.
        skip: usize,
        held: usize,
        /// Bytes of an element.
        width: usize,
        pending: Pending,
    }

    impl Lines {
        /// For elements of `width` bytes.
        pub fn new(width: usize) -> Self {
            Self { next: std::ptr::null_mut(), skip: 0, held: 0, width, pending: Pending([0; LINE]) }
        }

        /// Writes `n` elements to `to`. The elements that come after them will be read from `then` on.
        ///
        /// # Safety
        /// [`is_possible`](super::is_possible) has said yes. The elements are readable, and the places are writable and
        /// those of nobody else until [`Lines::finish`].
        pub unsafe fn put(&mut self, to: *mut u8, source: Source, n: usize, then: *const u8) {
            if n == 0 {
                return;
            }
            // SAFETY: the caller's promise.
            unsafe {
                if to != self.next.wrapping_add(self.held) {
                    self.settle();
                    self.held = to.addr() % LINE;
                    self.skip = self.held;
                    self.next = to.wrapping_sub(self.held);
                }
                match (source, self.width) {
                    (Source::Run(from), width) => self.run(from, n * width, then),
                    (Source::Fill(value), width) => self.fill(value, width, n),
                    (source, 2) => self.elements::<u16>(source, n, then),
                    (source, 4) => self.elements::<u32>(source, n, then),
                    (source, _) => self.elements::<u64>(source, n, then),
                }
            }
        }

        /// Writes what is left, and waits until all is seen by others.
        ///
        /// # Safety
        /// As for [`Lines::put`].
        pub unsafe fn finish(mut self) {
            // SAFETY: the caller's promise.
            unsafe { self.settle() };
            fence();
        }

        /// Writes what waits for the rest of its line without it.
        ///
        /// # Safety
        /// As for [`Lines::put`].
        unsafe fn settle(&mut self) {
            let at = self.pending.0.as_ptr();
            // SAFETY: what is known of the line belongs to rows that were put.
            unsafe {
                std::ptr::copy_nonoverlapping(at.add(self.skip), self.next.add(self.skip), self.held - self.skip)
            };
            self.skip = self.held;
        }

        /// # Safety
        /// As for [`Lines::put`]; the source is none for elements of any width.
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        unsafe fn elements<T: Lane>(&mut self, source: Source, n: usize, then: *const u8) {
            // SAFETY: the caller's promise.
            unsafe {
                match source {
                    Source::Every(from, 2) => self.write::<T, _>(&Every::<T, 2>::new(from), n, then),
                    Source::Every(from, 3) => self.write::<T, _>(&Every::<T, 3>::new(from), n, then),
                    Source::Every(from, _) => self.write::<T, _>(&Every::<T, 4>::new(from), n, then),
                    Source::Reversed(from) => {
                        let index = T::index(|at| T::N - 1 - at);
                        self.write::<T, _>(&Reversed::<T>(from.cast(), index), n, then);
                    }
                    Source::Alternate(from, value) => {
                        let value = value.cast::<T>().read_unaligned();
                        self.write::<T, _>(&Alternate::<T>(from.cast(), Fill(value, repeated(value))), n, then);
                    }
                    Source::Run(_) | Source::Fill(_) => {}
                }
            }
        }

        /// # Safety
        /// As for [`Lines::put`].
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        unsafe fn run(&mut self, from: *const u8, n: usize, then: *const u8) {
            // SAFETY: the caller's promise.
            unsafe { self.write::<u8, _>(&Run::<u8>(from), n, then) };
        }

        /// # Safety
        /// As for [`Lines::put`].
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        unsafe fn fill(&mut self, value: *const u8, width: usize, n: usize) {
            macro_rules! of {
                ($T:ty) => {{
                    // SAFETY: the caller's promise; wider elements are two of half their width.
                    unsafe {
                        let value = value.cast::<$T>().read_unaligned();
                        self.write::<$T, _>(&Fill(value, repeated(value)), n, std::ptr::null());
                    }
                }};
            }
            match width {
                1 => of!(u8),
                2 => of!(u16),
                4 => of!(u32),
                8 => of!(u64),
                _ => of!(u128),
            }
        }

        /// # Safety
        /// As for [`Lines::put`].
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        #[inline]
        unsafe fn write<T: Copy, S: From<T>>(&mut self, source: &S, n: usize, then: *const u8) {
            let (mut at, n_line) = (0, LINE / size_of::<T>());
            // SAFETY: the caller's promise.
            unsafe {
                if self.held > 0 {
                    at = n.min((LINE - self.held) / size_of::<T>());
                    self.hold(source, 0, at);
                    if self.held < LINE {
                        return;
                    }
                    self.flush();
                }
                // Prefetches go on in what is read after this row.
                let per_line = (S::READ * LINE).max(1);
                let ahead = (AHEAD / per_line * n_line).min(n);
                let jump = then.addr().wrapping_sub(source.place(n as isize).addr());
                while at + n_line + usize::from(S::IS_GREEDY) <= n {
                    if S::READ > 0 {
                        let place = source.place((at + ahead) as isize);
                        let place = if at + ahead < n { place } else { place.wrapping_add(jump) };
                        for line in 0..S::READ {
                            prefetch(place.wrapping_add(line * LINE));
                        }
                    }
                    _mm512_stream_si512(self.next.cast(), source.line(at));
                    self.next = self.next.add(LINE);
                    at += n_line;
                }
                self.hold(source, at, n);
                if self.held == LINE {
                    self.flush();
                }
            }
        }

        /// Elements `at..end` are to wait: they fit into the line.
        ///
        /// # Safety
        /// As for [`Lines::put`].
        #[inline(always)]
        unsafe fn hold<T: Copy>(&mut self, source: &impl From<T>, at: usize, end: usize) {
            let to = self.pending.0.as_mut_ptr();
            for index in at..end {
                // SAFETY: the caller's promise.
                unsafe { to.add(self.held).cast::<T>().write_unaligned(source.element(index)) };
                self.held += size_of::<T>();
            }
        }

        /// Writes the line that waited.
        ///
        /// # Safety
        /// As for [`Lines::put`].
        #[target_feature(enable = "avx512f")]
        #[inline]
        unsafe fn flush(&mut self) {
            // SAFETY: the caller's promise; all of the line is known but what is not this one's.
            unsafe {
                if self.skip > 0 {
                    self.settle();
                } else {
                    _mm512_stream_si512(self.next.cast(), _mm512_load_si512(self.pending.0.as_ptr().cast()));
                }
                self.next = self.next.add(LINE);
            }
            (self.skip, self.held) = (0, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Element `at` of what a source writes, as bytes.
    fn element(source: Source, at: usize, width: usize) -> Vec<u8> {
        let place = match source {
            Source::Fill(value) => value,
            Source::Run(from) => from.wrapping_add(at * width),
            Source::Every(from, step) => from.wrapping_add(at * step * width),
            Source::Reversed(from) => from.wrapping_sub(at * width),
            Source::Alternate(_, value) if at % 2 == 1 => value,
            Source::Alternate(from, _) => from.wrapping_add(at / 2 * width),
        };
        // SAFETY: the tests name places inside their data.
        unsafe { std::slice::from_raw_parts(place, width).to_vec() }
    }

    #[test]
    fn rows_of_all_sources_follow_each_other_and_leave_the_rest_alone() {
        const N: usize = 4096;
        let data: Vec<u8> = (0..4 * N * 16).map(|index| (index * 31 + index / 251) as u8).collect();
        for width in [1usize, 2, 4, 8, 16] {
            let value = data[5..].as_ptr();
            let (low, high) = (data.as_ptr(), data.as_ptr().wrapping_add(N * width));
            let sources: Vec<Source> = [
                Some(Source::Fill(value)),
                Some(Source::Run(low)),
                Source::apart(high, -(width as isize), width),
                Source::apart(low, 2 * width as isize, width),
                Source::apart(low, 3 * width as isize, width),
                Source::apart(low, 4 * width as isize, width),
                Source::alternate(low, value, width),
            ]
            .into_iter()
            .flatten()
            .collect();
            let out = super::super::memory::Buffer::of(&vec![0xee; 2 * N * width]);
            if !is_possible(Isa::best(), width, out.as_ptr()) {
                return;
            }
            for lengths in [[1usize, 3, 700], [64, 65, 63], [333, 1, 31], [200, 0, 16]] {
                for first in [0usize, 1, 7] {
                    let mut expected = vec![0xee; 2 * N * width];
                    // SAFETY: rows lie inside the buffer.
                    unsafe {
                        std::ptr::write_bytes(out.as_ptr(), 0xee, expected.len());
                        let mut lines = Lines::new(width);
                        let mut at = first;
                        for (number, source) in sources.iter().enumerate() {
                            let n = lengths[number % 3];
                            lines.put(out.as_ptr().add(at * width), *source, n, low);
                            for index in 0..n {
                                expected[(at + index) * width..][..width]
                                    .copy_from_slice(&element(*source, index, width));
                            }
                            // Sometimes a gap.
                            at += n + usize::from(number % 4 == 3) * 5;
                        }
                        lines.finish();
                    }
                    assert!(out.bytes() == expected, "{width} {lengths:?} {first}");
                }
            }
        }
    }
}
