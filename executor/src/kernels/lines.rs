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
pub use lines::Lines;

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
mod lines {
    use std::arch::x86_64::*;

    use super::super::offsets::prefetch;
    use super::super::tiles::fence;
    use super::Source;

    /// Bytes of a cache line.
    const LINE: usize = 64;
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

    /// Elements that a line has room for, and how they change places.
    trait Lane: Copy {
        const N: usize = LINE / size_of::<Self>();
        /// Of two vectors the elements that `index` names, as numbers of 8 to 64 bits.
        unsafe fn choose(a: __m512i, index: __m512i, b: __m512i) -> __m512i;
        /// Numbers 0, 1, …: `f` of each place.
        fn index(f: impl Fn(usize) -> usize) -> __m512i;
        /// Half a vector, each element followed by one of `other`, or preceded.
        unsafe fn between(from: *const u8, other: __m512i, is_second: bool) -> __m512i;
    }

    macro_rules! lane {
        ($T:ident, $choose:ident, $widen:ident, $shift:ident, $bits:literal, $blend:ident, $odd:literal) => {
            impl Lane for $T {
                #[inline(always)]
                unsafe fn choose(a: __m512i, index: __m512i, b: __m512i) -> __m512i {
                    // SAFETY: only called where the machine has AVX-512.
                    unsafe { $choose(a, index, b) }
                }

                #[inline(always)]
                fn index(f: impl Fn(usize) -> usize) -> __m512i {
                    let index: [$T; LINE / size_of::<$T>()] = std::array::from_fn(|at| f(at) as $T);
                    // SAFETY: both are 64 bytes of which any are a value.
                    unsafe { std::mem::transmute(index) }
                }

                #[inline(always)]
                unsafe fn between(from: *const u8, other: __m512i, is_second: bool) -> __m512i {
                    // SAFETY: the caller's promise; half a line is read.
                    unsafe {
                        let wide = $widen(_mm256_loadu_si256(from.cast()));
                        match is_second {
                            false => $blend($odd, wide, other),
                            true => $blend(!$odd, $shift::<$bits>(wide), other),
                        }
                    }
                }
            }
        };
    }
    lane!(
        u16,
        _mm512_permutex2var_epi16,
        _mm512_cvtepu16_epi32,
        _mm512_slli_epi32,
        16,
        _mm512_mask_blend_epi16,
        0xaaaa_aaaa
    );
    lane!(
        u32,
        _mm512_permutex2var_epi32,
        _mm512_cvtepu32_epi64,
        _mm512_slli_epi64,
        32,
        _mm512_mask_blend_epi32,
        0xaaaa
    );

    impl Lane for u64 {
        #[inline(always)]
        unsafe fn choose(a: __m512i, index: __m512i, b: __m512i) -> __m512i {
            // SAFETY: only called where the machine has AVX-512.
            unsafe { _mm512_permutex2var_epi64(a, index, b) }
        }

        #[inline(always)]
        fn index(f: impl Fn(usize) -> usize) -> __m512i {
            let index: [u64; 8] = std::array::from_fn(|at| f(at) as u64);
            // SAFETY: both are 64 bytes of which any are a value.
            unsafe { std::mem::transmute(index) }
        }

        #[inline(always)]
        unsafe fn between(from: *const u8, other: __m512i, is_second: bool) -> __m512i {
            // SAFETY: the caller's promise; half a line is read.
            unsafe {
                let half = _mm512_castsi256_si512(_mm256_loadu_si256(from.cast()));
                match is_second {
                    false => _mm512_mask_expand_epi64(other, 0x55, half),
                    true => _mm512_mask_expand_epi64(other, 0xaa, half),
                }
            }
        }
    }

    /// Where elements come from.
    trait From<T: Copy> {
        /// Cache lines that are read for each that is written.
        const READ: usize;
        /// Whether a line may read beyond its last element, up to where another element would be.
        const IS_GREEDY: bool = false;
        /// Where element `at` stands.
        fn place(&self, at: isize) -> *const u8;
        /// One element.
        unsafe fn element(&self, at: usize) -> T;
        /// Elements from `at` on.
        unsafe fn line(&self, at: usize) -> __m512i;
    }

    struct Fill<T>(T, __m512i);

    impl<T: Copy> From<T> for Fill<T> {
        const READ: usize = 0;

        #[inline(always)]
        fn place(&self, _: isize) -> *const u8 {
            std::ptr::null()
        }

        #[inline(always)]
        unsafe fn element(&self, _: usize) -> T {
            self.0
        }

        #[inline(always)]
        unsafe fn line(&self, _: usize) -> __m512i {
            self.1
        }
    }

    struct Run<T>(*const T);

    impl<T: Copy> From<T> for Run<T> {
        const READ: usize = 1;

        #[inline(always)]
        fn place(&self, at: isize) -> *const u8 {
            self.0.wrapping_offset(at).cast()
        }

        #[inline(always)]
        unsafe fn element(&self, at: usize) -> T {
            // SAFETY: the caller's promise.
            unsafe { self.0.add(at).read_unaligned() }
        }

        #[inline(always)]
        unsafe fn line(&self, at: usize) -> __m512i {
            // SAFETY: the caller's promise.
            unsafe { _mm512_loadu_si512(self.0.add(at).cast()) }
        }
    }

    struct Reversed<T>(*const T, __m512i);

    impl<T: Lane> From<T> for Reversed<T> {
        const READ: usize = 1;

        #[inline(always)]
        fn place(&self, at: isize) -> *const u8 {
            self.0.wrapping_offset(-at).cast()
        }

        #[inline(always)]
        unsafe fn element(&self, at: usize) -> T {
            // SAFETY: the caller's promise.
            unsafe { self.0.sub(at).read_unaligned() }
        }

        #[inline(always)]
        unsafe fn line(&self, at: usize) -> __m512i {
            // SAFETY: the caller's promise: the elements up to `at + N - 1`, which is the first in memory.
            unsafe {
                let line = _mm512_loadu_si512(self.0.sub(at + T::N - 1).cast());
                T::choose(line, self.1, line)
            }
        }
    }

    struct Every<T, const STEP: usize>(*const T, [__m512i; STEP]);

    impl<T: Lane, const STEP: usize> Every<T, STEP> {
        /// With the indices that bring the elements of the vectors before and of one more together.
        #[inline(always)]
        fn new(from: *const u8) -> Self {
            let choice = |vector: usize| {
                T::index(|at| match at * STEP / T::N {
                    // The first two vectors are chosen from at once.
                    0 if vector == 1 => at * STEP,
                    before if before < vector => at,
                    now if now == vector => T::N + at * STEP - vector * T::N,
                    _ => 0,
                })
            };
            Self(from.cast(), std::array::from_fn(choice))
        }
    }

    impl<T: Lane, const STEP: usize> From<T> for Every<T, STEP> {
        const READ: usize = STEP;
        const IS_GREEDY: bool = true;

        #[inline(always)]
        fn place(&self, at: isize) -> *const u8 {
            self.0.wrapping_offset(at * STEP as isize).cast()
        }

        #[inline(always)]
        unsafe fn element(&self, at: usize) -> T {
            // SAFETY: the caller's promise.
            unsafe { self.0.add(at * STEP).read_unaligned() }
        }

        #[inline(always)]
        unsafe fn line(&self, at: usize) -> __m512i {
            // SAFETY: the caller's promise, and that for greedy sources.
            unsafe {
                let from = self.0.add(at * STEP);
                let mut line = _mm512_loadu_si512(from.cast());
                for vector in 1..STEP {
                    line = T::choose(line, self.1[vector], _mm512_loadu_si512(from.add(vector * T::N).cast()));
                }
                line
            }
        }
    }

    struct Alternate<T>(*const T, Fill<T>);

    impl<T: Lane> From<T> for Alternate<T> {
        const READ: usize = 1;

        #[inline(always)]
        fn place(&self, at: isize) -> *const u8 {
            self.0.wrapping_offset(at / 2).cast()
        }

        #[inline(always)]
        unsafe fn element(&self, at: usize) -> T {
            // SAFETY: the caller's promise.
            if at % 2 == 1 { self.1.0 } else { unsafe { self.0.add(at / 2).read_unaligned() } }
        }

        #[inline(always)]
        unsafe fn line(&self, at: usize) -> __m512i {
            // SAFETY: the caller's promise: half as many elements, from the next one on.
            unsafe { T::between(self.0.add(at.div_ceil(2)).cast(), self.1.1, at % 2 == 1) }
        }
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

    /// A line of one value.
    fn repeated<T: Copy>(value: T) -> __m512i {
        let mut line = [0u8; LINE];
        for at in line.chunks_exact_mut(size_of::<T>()) {
            // SAFETY: the chunk has the size of a value.
            unsafe { at.as_mut_ptr().cast::<T>().write_unaligned(value) };
        }
        // SAFETY: both are 64 bytes of which any are a value.
        unsafe { std::mem::transmute(line) }
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
