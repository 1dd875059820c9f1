//! Convolutions in small groups, such as those in which every feature has a kernel of its own: vectors of features, summed
//! over places and the features of a group.
#![expect(clippy::needless_range_loop, reason = "loops over numbers of registers, which the compiler unrolls")]

use std::cell::RefCell;

use stablehlo::element::ElementType;

use super::super::dot_general::{places, shifted};
use super::super::gemm::simd::{Arrays, Simd};
#[cfg(target_arch = "x86_64")]
use super::super::gemm::simd::{F32x8, F32x16};
use super::{Input, Parts, Placed};
use crate::kernels::Kernel;
use crate::kernels::isa::Isa;
use crate::kernels::memory::{Memory, SlotId};
use crate::kernels::pool::Pool;

/// Windows that are summed side by side, so that a kernel is loaded once for all of them.
const SIDE: usize = 4;
/// Products below which a line is not worth a thread.
const GRAIN: usize = 1 << 16;

/// What a line of windows is summed from.
struct Line<'l> {
    /// The first window's first element.
    input: *const f32,
    /// Where places of a window stand, in elements from its first.
    places: &'l [isize],
    /// Elements from window to window, in the input and in the result.
    steps: (isize, isize),
    n_windows: usize,
    /// Kernels, features side by side.
    kernel: *const f32,
    n_features: usize,
    /// Features of a group.
    group: usize,
    result: *mut f32,
}

type LineFn = unsafe fn(&Line<'_>);

/// Largest group.
const MAX_GROUP: usize = 8;

/// Vectors whose lanes can be chosen.
trait Spread: Simd<In = f32, Acc = f32> {
    /// For each lane the lane of that number.
    ///
    /// # Safety
    /// As for [`Simd`]; numbers are those of lanes.
    unsafe fn spread(v: Self::V, lanes: &[i32; 16]) -> Self::V;
}

impl Spread for Arrays<f32> {
    #[inline(always)]
    unsafe fn spread(v: [f32; 4], lanes: &[i32; 16]) -> [f32; 4] {
        [v[lanes[0] as usize & 3], v[lanes[1] as usize & 3], v[lanes[2] as usize & 3], v[lanes[3] as usize & 3]]
    }
}

#[cfg(target_arch = "x86_64")]
impl Spread for F32x8 {
    #[inline(always)]
    unsafe fn spread(v: std::arch::x86_64::__m256, lanes: &[i32; 16]) -> std::arch::x86_64::__m256 {
        use std::arch::x86_64::{_mm256_loadu_si256, _mm256_permutevar8x32_ps};
        // SAFETY: the trait's promise.
        unsafe { _mm256_permutevar8x32_ps(v, _mm256_loadu_si256(lanes.as_ptr().cast())) }
    }
}

#[cfg(target_arch = "x86_64")]
impl Spread for F32x16 {
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
unsafe fn windows<S: Spread, const N: usize>(line: &Line<'_>, lanes: &[[i32; 16]], window: usize, at: usize) {
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
unsafe fn line_body<S: Spread>(line: &Line<'_>) {
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
                windows::<S, SIDE>(line, lanes, window, at);
                window += SIDE;
            }
            while window < line.n_windows {
                windows::<S, 1>(line, lanes, window, at);
                window += 1;
            }
        }
        feature += S::LANES;
    }
}

fn line_fn(isa: Isa) -> (LineFn, usize) {
    macro_rules! compiled {
        ($S:ty $(, $feature:literal)?) => {{
            $(#[target_feature(enable = $feature)])?
            unsafe fn line(line: &Line<'_>) {
                // SAFETY: the caller's promise.
                unsafe { line_body::<$S>(line) }
            }
            (line as LineFn, <$S as Simd>::LANES)
        }};
    }
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => compiled!(F32x16, "avx512f,avx512dq"),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => compiled!(F32x8, "avx2,fma"),
        _ => compiled!(Arrays<f32>),
    }
}

/// A convolution of that kind.
#[derive(Debug)]
struct Depthwise {
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
    line: LineFn,
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
    let (line, lanes) = line_fn(isa);
    let group = parts.kernel_in.0;
    let n_features = parts.kernel_out.0;
    let is_depthwise = (1..=MAX_GROUP).contains(&group)
        && lanes.is_multiple_of(group)
        && parts.n_groups > 1
        && group.checked_mul(parts.n_groups) == Some(n_features)
        && n_features >= lanes
        && input.feature == 1
        && parts.out_feature.1 == 1;
    if !is_depthwise || [lhs.element, rhs.element, result.element] != [ElementType::F32; 3] {
        return None;
    }
    let (mut windows, mut results) = (parts.window_axes(input), parts.out_spatial.clone());
    let (last, last_result) = (windows.pop()?, results.pop()?);
    windows.insert(0, (parts.batch.0, input.batch));
    results.insert(0, parts.out_batch);
    let mut kernel = parts.kernel_spatial.clone();
    kernel.push(parts.kernel_in);
    Some(Box::new(Depthwise {
        input: lhs.slot,
        kernel: rhs.slot,
        result: result.slot,
        lines: (shifted(&places(&windows), lhs.start), shifted(&places(&results), result.start)),
        steps: (last.1, last_result.1),
        n_windows: last.0,
        places: places(&parts.places(input)),
        kernel_places: shifted(&places(&kernel), rhs.start),
        kernel_step: parts.kernel_out.1,
        n_features,
        group,
        line,
    }))
}

thread_local! {
    /// The kernel with features side by side.
    static KERNEL: RefCell<Vec<f32>> = const { RefCell::new(Vec::new()) };
}

#[derive(Copy, Clone)]
struct Addresses(*const f32, *const f32, *mut f32);
// SAFETY: threads write disjoint lines of the result.
unsafe impl Send for Addresses {}
// SAFETY: as above.
unsafe impl Sync for Addresses {}

impl Depthwise {
    fn some_lines(&self, addresses: Addresses, lines: std::ops::Range<usize>) {
        KERNEL.with_borrow_mut(|kernel| {
            kernel.clear();
            for place in &self.kernel_places {
                let at = |feature: usize| place + feature as isize * self.kernel_step;
                // SAFETY: places and features lie inside the kernel.
                kernel.extend((0..self.n_features).map(|feature| unsafe { *addresses.1.offset(at(feature)) }));
            }
            for line in lines {
                // SAFETY: lines begin inside the input and the result, and windows lie inside them.
                unsafe {
                    (self.line)(&Line {
                        input: addresses.0.offset(self.lines.0[line]),
                        places: &self.places,
                        steps: self.steps,
                        n_windows: self.n_windows,
                        kernel: kernel.as_ptr(),
                        n_features: self.n_features,
                        group: self.group,
                        result: addresses.2.offset(self.lines.1[line]),
                    });
                }
            }
        });
    }
}

impl Kernel for Depthwise {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let addresses = Addresses(
            memory.address(self.input).cast(),
            memory.address(self.kernel).cast(),
            memory.address(self.result).cast(),
        );
        let work = self.n_windows * self.n_features * self.kernel_places.len();
        pool.split(self.lines.0.len(), GRAIN / work.max(1) + 1, &|lines| self.some_lines(addresses, lines));
    }

    fn describe(&self) -> String {
        let (lines, n) = (self.lines.0.len(), self.n_windows);
        let (places, features, group) = (self.places.len(), self.n_features, self.group);
        format!("{lines}x{n} windows of {places} places, {features} features in groups of {group}")
    }
}
