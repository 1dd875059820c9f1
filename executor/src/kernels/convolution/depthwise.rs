//! Convolutions in small groups, such as those in which every feature has a kernel of its own: vectors of features, summed
//! over places and the features of a group.
#![expect(clippy::needless_range_loop, reason = "loops over numbers of registers, which the compiler unrolls")]

use std::cell::RefCell;

use stablehlo::element::ElementType;

use super::super::dot_general::{places, shifted};
use super::super::gemm::simd::{Arrays, Simd, Sum};
#[cfg(target_arch = "x86_64")]
use super::super::gemm::simd::{F32x8, F32x16, F64x4, F64x8};
use super::{Input, Parts, Placed};
use crate::kernels::Kernel;
use crate::kernels::fused::{Bound, Loop};
use crate::kernels::gemm::then;
use crate::kernels::isa::Isa;
use crate::kernels::memory::{Buffer, Memory, SlotId};
use crate::kernels::pool::Pool;

/// Windows that are summed side by side, so that a kernel is loaded once for all of them.
const SIDE: usize = 4;
/// Products below which a line is not worth a thread.
const GRAIN: usize = 1 << 16;

/// What a line of windows is summed from.
struct Line<'l, T> {
    /// The first window's first element.
    input: *const T,
    /// Where places of a window stand, in elements from its first.
    places: &'l [isize],
    /// Elements from window to window, in the input and in the result.
    steps: (isize, isize),
    n_windows: usize,
    /// Kernels, features side by side.
    kernel: *const T,
    n_features: usize,
    /// Features of a group.
    group: usize,
    result: *mut T,
}

type LineFn<T> = unsafe fn(&Line<'_, T>);

/// Largest group.
const MAX_GROUP: usize = 8;

/// Whether convolutions of so many groups of that many features, as many as there are results, are summed here.
pub fn has_groups(isa: Isa, n_groups: usize, group: usize, n_features: usize) -> bool {
    // Of the narrower type.
    let lanes = line_f32(isa).1;
    let is_in_vectors = (1..=MAX_GROUP).contains(&group) && lanes.is_multiple_of(group) && n_features >= lanes;
    is_in_vectors && n_groups > 1 && group.checked_mul(n_groups) == Some(n_features)
}

/// Vectors whose lanes can be chosen.
trait Spread<T>: Simd<In = T, Acc = T> {
    /// For each lane the lane of that number.
    ///
    /// # Safety
    /// As for [`Simd`]; numbers are those of lanes.
    unsafe fn spread(v: Self::V, lanes: &[i32; 16]) -> Self::V;
}

impl<T: Sum> Spread<T> for Arrays<T> {
    #[inline(always)]
    unsafe fn spread(v: [T; 4], lanes: &[i32; 16]) -> [T; 4] {
        [v[lanes[0] as usize & 3], v[lanes[1] as usize & 3], v[lanes[2] as usize & 3], v[lanes[3] as usize & 3]]
    }
}

#[cfg(target_arch = "x86_64")]
impl Spread<f32> for F32x8 {
    #[inline(always)]
    unsafe fn spread(v: std::arch::x86_64::__m256, lanes: &[i32; 16]) -> std::arch::x86_64::__m256 {
        use std::arch::x86_64::{_mm256_loadu_si256, _mm256_permutevar8x32_ps};
        // SAFETY: the trait's promise.
        unsafe { _mm256_permutevar8x32_ps(v, _mm256_loadu_si256(lanes.as_ptr().cast())) }
    }
}

#[cfg(target_arch = "x86_64")]
impl Spread<f64> for F64x4 {
    #[inline(always)]
    unsafe fn spread(v: std::arch::x86_64::__m256d, lanes: &[i32; 16]) -> std::arch::x86_64::__m256d {
        let mut from = [0.0; 4];
        // SAFETY: the trait's promise, and there are four lanes.
        unsafe {
            Self::store_acc(from.as_mut_ptr(), v);
            let to: [f64; 4] = std::array::from_fn(|lane| from[lanes[lane] as usize & 3]);
            Self::load(to.as_ptr())
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Spread<f64> for F64x8 {
    #[inline(always)]
    unsafe fn spread(v: std::arch::x86_64::__m512d, lanes: &[i32; 16]) -> std::arch::x86_64::__m512d {
        use std::arch::x86_64::{_mm256_loadu_si256, _mm512_cvtepi32_epi64, _mm512_permutexvar_pd};
        // SAFETY: the trait's promise.
        unsafe { _mm512_permutexvar_pd(_mm512_cvtepi32_epi64(_mm256_loadu_si256(lanes.as_ptr().cast())), v) }
    }
}

#[cfg(target_arch = "x86_64")]
impl Spread<f32> for F32x16 {
    #[inline(always)]
    unsafe fn spread(v: std::arch::x86_64::__m512, lanes: &[i32; 16]) -> std::arch::x86_64::__m512 {
        use std::arch::x86_64::{_mm512_loadu_si512, _mm512_permutexvar_ps};
        // SAFETY: the trait's promise.
        unsafe { _mm512_permutexvar_ps(_mm512_loadu_si512(lanes.as_ptr().cast()), v) }
    }
}

/// For each feature of a group, in which lane each lane's group has it.
fn lanes_of(group: usize) -> [[i32; 16]; MAX_GROUP] {
    std::array::from_fn(|feature| std::array::from_fn(|lane| (lane / group * group + feature.min(group - 1)) as i32))
}

/// Results of `N` windows for one vector of features.
///
/// # Safety
/// As for [`line_body`].
#[inline(always)]
unsafe fn windows<T, S: Spread<T>, const N: usize>(line: &Line<'_, T>, lanes: &[[i32; 16]], window: usize, at: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let input = line.input.add(at).offset(window as isize * line.steps.0);
        let mut sums = [S::zero(); N];
        let mut kernel = line.kernel.add(at);
        for place in line.places {
            let input = input.wrapping_offset(*place);
            if lanes.len() == 1 {
                let weights = S::load(kernel);
                for i in 0..N {
                    let x = S::load(input.wrapping_offset(i as isize * line.steps.0));
                    sums[i] = S::fma(sums[i], x, weights);
                }
                kernel = kernel.wrapping_add(line.n_features);
                continue;
            }
            let mut features = [S::zero(); N];
            for i in 0..N {
                features[i] = S::load(input.wrapping_offset(i as isize * line.steps.0));
            }
            for lanes in lanes {
                let weights = S::load(kernel);
                for i in 0..N {
                    sums[i] = S::fma(sums[i], S::spread(features[i], lanes), weights);
                }
                kernel = kernel.wrapping_add(line.n_features);
            }
        }
        let result = line.result.add(at).offset(window as isize * line.steps.1);
        for i in 0..N {
            S::store_acc(result.wrapping_offset(i as isize * line.steps.1), sums[i]);
        }
    }
}

/// # Safety
/// All addresses are readable, or writable, for what the line says; there are at least `S::LANES` features.
#[inline(always)]
unsafe fn line_body<T, S: Spread<T>>(line: &Line<'_, T>) {
    let lanes = lanes_of(line.group);
    let lanes = &lanes[..line.group];
    let mut feature = 0;
    while feature < line.n_features {
        // The last vector may repeat features of the one before.
        let at = feature.min(line.n_features - S::LANES);
        let mut window = 0;
        // SAFETY: the caller's promise.
        unsafe {
            while window + SIDE <= line.n_windows {
                windows::<T, S, SIDE>(line, lanes, window, at);
                window += SIDE;
            }
            while window < line.n_windows {
                windows::<T, S, 1>(line, lanes, window, at);
                window += 1;
            }
        }
        feature += S::LANES;
    }
}

macro_rules! compiled {
    ($T:ty, $S:ty $(, $feature:literal)?) => {{
        $(#[target_feature(enable = $feature)])?
        unsafe fn line(line: &Line<'_, $T>) {
            // SAFETY: the caller's promise.
            unsafe { line_body::<$T, $S>(line) }
        }
        (line as LineFn<$T>, <$S as Simd>::LANES)
    }};
}

/// The function for a line of f32, and the lanes of its vectors.
fn line_f32(isa: Isa) -> (LineFn<f32>, usize) {
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => compiled!(f32, F32x16, "avx512f,avx512dq"),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => compiled!(f32, F32x8, "avx2,fma"),
        _ => compiled!(f32, Arrays<f32>),
    }
}

/// The same for f64.
fn line_f64(isa: Isa) -> (LineFn<f64>, usize) {
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => compiled!(f64, F64x8, "avx512f,avx512dq"),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => compiled!(f64, F64x4, "avx2,fma"),
        _ => compiled!(f64, Arrays<f64>),
    }
}

/// A convolution of that kind.
#[derive(Debug)]
struct Depthwise<T: Sum> {
    input: SlotId,
    kernel: SlotId,
    result: SlotId,
    /// Where lines of windows begin, in the input and in the result.
    lines: (Box<[isize]>, Box<[isize]>),
    steps: (isize, isize),
    n_windows: usize,
    places: Box<[isize]>,
    /// Where the kernel's places stand for the first feature, and the distance of features.
    kernel_places: Box<[isize]>,
    kernel_step: isize,
    n_features: usize,
    group: usize,
    line: LineFn<T>,
    /// What is done to results as soon as they are finished.
    after: Option<Box<Loop>>,
}

/// The kernel for a convolution of that kind, if it is one.
pub fn plan(
    isa: Isa,
    parts: &Parts,
    input: &Input,
    lhs: Placed,
    rhs: Placed,
    result: Placed,
) -> Option<Box<dyn Kernel>> {
    let (group, n_features) = (parts.kernel_in.0, parts.kernel_out.0);
    let is_last = input.feature == 1 && parts.out_feature.1 == 1;
    if !is_last || !has_groups(isa, parts.n_groups, group, n_features) {
        return None;
    }
    match [lhs.element, rhs.element, result.element] {
        [ElementType::F32, ElementType::F32, ElementType::F32] => {
            Some(by_lines(line_f32(isa).0, parts, input, lhs, rhs, result))
        }
        [ElementType::F64, ElementType::F64, ElementType::F64] => {
            Some(by_lines(line_f64(isa).0, parts, input, lhs, rhs, result))
        }
        _ => None,
    }
}

fn by_lines<T: Sum>(
    line: LineFn<T>,
    parts: &Parts,
    input: &Input,
    lhs: Placed,
    rhs: Placed,
    result: Placed,
) -> Box<dyn Kernel> {
    let (mut windows, mut results) = (parts.window_axes(input), parts.out_spatial.clone());
    // A convolution without spatial dimensions has lines of one window.
    let (last, last_result) = (windows.pop().unwrap_or((1, 0)), results.pop().unwrap_or((1, 0)));
    windows.insert(0, (parts.batch.0, input.batch));
    results.insert(0, parts.out_batch);
    let mut kernel = parts.kernel_spatial.clone();
    kernel.push(parts.kernel_in);
    Box::new(Depthwise::<T> {
        input: lhs.slot,
        kernel: rhs.slot,
        result: result.slot,
        lines: (shifted(&places(&windows), lhs.start), shifted(&places(&results), result.start)),
        steps: (last.1, last_result.1),
        n_windows: last.0,
        places: places(&parts.places(input)),
        kernel_places: shifted(&places(&kernel), rhs.start),
        kernel_step: parts.kernel_out.1,
        n_features: parts.kernel_out.0,
        group: parts.kernel_in.0,
        line,
        after: None,
    })
}

thread_local! {
    /// The kernel with features side by side.
    static KERNEL: RefCell<Buffer> = RefCell::new(Buffer::new(0));
}

#[derive(Copy, Clone)]
struct Addresses<T>(*const T, *const T, *mut T);
// SAFETY: threads write disjoint lines of the result.
unsafe impl<T> Send for Addresses<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Addresses<T> {}

impl<T: Sum> Depthwise<T> {
    fn some_lines(&self, addresses: Addresses<T>, after: Option<&Bound<'_>>, lines: std::ops::Range<usize>) {
        KERNEL.with_borrow_mut(|kernel| {
            let bytes = self.kernel_places.len() * self.n_features * size_of::<T>();
            if kernel.bytes().len() < bytes {
                *kernel = Buffer::new(bytes);
            }
            let kernel = kernel.as_ptr().cast::<T>();
            for (index, place) in self.kernel_places.iter().enumerate() {
                for feature in 0..self.n_features {
                    // SAFETY: places and features lie inside the kernel, and there is room for all of them.
                    unsafe {
                        let from = addresses.1.offset(place + feature as isize * self.kernel_step);
                        *kernel.add(index * self.n_features + feature) = *from;
                    }
                }
            }
            for line in lines {
                // SAFETY: lines begin inside the input and the result, and windows lie inside them.
                unsafe {
                    (self.line)(&Line {
                        input: addresses.0.offset(self.lines.0[line]),
                        places: &self.places,
                        steps: self.steps,
                        n_windows: self.n_windows,
                        kernel,
                        n_features: self.n_features,
                        group: self.group,
                        result: addresses.2.offset(self.lines.1[line]),
                    });
                }
                if let Some(after) = after {
                    let at = |window: usize| (self.lines.1[line] + window as isize * self.steps.1).unsigned_abs();
                    if self.steps.1 == self.n_features as isize {
                        after.range(at(0), at(self.n_windows));
                    } else {
                        (0..self.n_windows).for_each(|window| after.range(at(window), at(window) + self.n_features));
                    }
                }
            }
        });
    }
}

impl<T: Sum> Kernel for Depthwise<T> {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let addresses = Addresses(
            memory.address(self.input).cast(),
            memory.address(self.kernel).cast(),
            memory.address(self.result).cast(),
        );
        let after = self.after.as_ref().map(|after| after.bind(|slot| memory.address(slot)));
        let after = after.as_ref();
        let work = self.n_windows * self.n_features * self.kernel_places.len();
        pool.split(self.lines.0.len(), GRAIN / work.max(1) + 1, &|lines| {
            self.some_lines(addresses, after, lines);
        });
    }

    fn finishes(&self) -> Option<SlotId> {
        self.after.is_none().then_some(self.result)
    }

    fn followed_by(&mut self, after: &Loop, to: SlotId) -> bool {
        self.after = Some(Box::new(after.clone()));
        self.result = to;
        true
    }

    fn describe(&self) -> String {
        let (lines, n) = (self.lines.0.len(), self.n_windows);
        let (places, features, group) = (self.places.len(), self.n_features, self.group);
        let then = then(&self.after);
        format!("{lines}x{n} windows of {places} places, {features} features in groups of {group}{then}")
    }
}
