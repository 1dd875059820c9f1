//! Convolutions of a dilated input, taken apart: most products would be with zeros.
//!
//! With an input dilated by `d` and windows one step apart, every d-th window meets elements at every d-th place of the
//! kernel only. These windows are a convolution of the input as it is with a part of the kernel.

use super::{Axes, Parts, Window};

/// Most parts that a convolution is taken apart into.
const MAX_PHASES: usize = 16;

/// What of the input windows reach along one dimension.
#[derive(Copy, Clone, Debug)]
pub struct Frame {
    /// Elements before the first of the input, negative if the first ones are not reached.
    pub low: i64,
    /// Distance of the input's elements.
    pub dilation: usize,
    /// Number of elements.
    pub extent: usize,
}

/// A part of a convolution.
#[derive(Debug)]
pub struct Phase {
    /// Its sizes and strides.
    pub parts: Parts,
    /// Where its first window begins in the padded input.
    pub starts: Vec<isize>,
    /// Where its kernel begins, from the beginning of the whole one.
    pub kernel_start: isize,
    /// Where its results begin.
    pub result_start: isize,
    /// Along each spatial dimension, the first place of the kernel that it has and how far its places are apart.
    pub places: Vec<(usize, usize)>,
}

/// A part along one dimension.
#[derive(Copy, Clone, Debug)]
struct Part {
    /// The first window and the first place of the kernel that it has.
    window: usize,
    place: usize,
    n_windows: usize,
    n_places: usize,
    /// Distance of windows and of places.
    step: usize,
    /// The element of the input that the first place of the first window meets.
    start: i64,
}

fn extent(window: &Window) -> Option<usize> {
    let last = window.n_windows.checked_sub(1)?.checked_mul(window.stride)?;
    last.checked_add(window.size.checked_sub(1)?.checked_mul(window.dilation)?)?.checked_add(1)
}

fn parts_along(window: &Window) -> Option<Vec<Part>> {
    let step = window.base_dilation;
    if step == 1 {
        let (n_windows, n_places) = (window.n_windows, window.size);
        return Some(vec![Part { window: 0, place: 0, n_windows, n_places, step, start: 0 }]);
    }
    if window.stride != 1 || window.dilation != 1 || step > MAX_PHASES {
        return None;
    }
    let part = |first: usize| {
        let place = i64::try_from(first).ok()?.checked_neg()?.checked_add(window.low)?.rem_euclid(step as i64);
        let start = (first as i64 + place).checked_sub(window.low)? / step as i64;
        let n_places = window.size.saturating_sub(place as usize).div_ceil(step);
        let n_windows = (window.n_windows - first).div_ceil(step);
        Some(Part { window: first, place: place as usize, n_windows, n_places, step, start })
    };
    (0..step.min(window.n_windows)).map(part).collect()
}

/// The parts of a convolution and what of the input they reach; one part when it is not taken apart.
pub fn phases(conv: &Parts, by_features: bool) -> Option<(Vec<Frame>, Vec<Phase>)> {
    let along = conv.windows.iter().map(parts_along).collect::<Option<Vec<_>>>();
    let along = along.filter(|along| by_features && along.iter().map(Vec::len).product::<usize>() <= MAX_PHASES);
    let is_dilated = conv.windows.iter().any(|window| window.base_dilation > 1);
    let Some(along) = along.filter(|_| is_dilated) else {
        let frame =
            |window: &Window| Some(Frame { low: window.low, dilation: window.base_dilation, extent: extent(window)? });
        let frames = conv.windows.iter().map(frame).collect::<Option<_>>()?;
        let starts = vec![0; conv.windows.len()];
        return Some((
            frames,
            vec![Phase { parts: conv.clone(), starts, kernel_start: 0, result_start: 0, places: Vec::new() }],
        ));
    };
    let frames: Vec<Frame> = along.iter().zip(&conv.windows).map(frame).collect::<Option<_>>()?;
    let mut choices: Vec<Vec<Part>> = vec![Vec::new()];
    for parts in &along {
        let longer = |choice: &Vec<Part>| {
            let choice = choice.clone();
            parts.iter().map(move |part| choice.iter().copied().chain([*part]).collect::<Vec<Part>>())
        };
        choices = choices.iter().flat_map(longer).collect();
    }
    let phases = choices.iter().map(|choice| phase(conv, choice, &frames)).collect();
    Some((frames, phases))
}

/// What the parts along a dimension reach together.
fn frame((parts, window): (&Vec<Part>, &Window)) -> Option<Frame> {
    if window.base_dilation == 1 {
        return Some(Frame { low: window.low, dilation: 1, extent: extent(window)? });
    }
    let low = parts.iter().map(|part| -part.start).max()?;
    let reach = |part: &Part| {
        let last = part.n_windows.checked_add(part.n_places.max(1))?.checked_sub(2)?;
        usize::try_from(part.start + low).ok()?.checked_add(last)?.checked_add(1)
    };
    let extent = parts.iter().map(reach).collect::<Option<Vec<usize>>>()?.into_iter().max()?;
    Some(Frame { low, dilation: 1, extent })
}

fn phase(conv: &Parts, choice: &[Part], frames: &[Frame]) -> Phase {
    let mut parts = conv.clone();
    let (mut kernel_start, mut result_start) = (0, 0);
    let mut starts = Vec::new();
    let (mut kernel_spatial, mut out_spatial) = (Axes::new(), Axes::new());
    for (dim, (part, frame)) in choice.iter().zip(frames).enumerate() {
        let ((_, kernel_stride), (_, out_stride)) = (conv.kernel_spatial[dim], conv.out_spatial[dim]);
        let window = &mut parts.windows[dim];
        if window.base_dilation > 1 {
            *window = Window {
                n_windows: part.n_windows,
                size: part.n_places,
                stride: 1,
                dilation: 1,
                base_dilation: 1,
                low: 0,
            };
            starts.push((part.start + frame.low) as isize);
        } else {
            starts.push(0);
        }
        // A part without places begins nowhere.
        kernel_start += if part.n_places == 0 { 0 } else { part.place as isize * kernel_stride };
        result_start += part.window as isize * out_stride;
        kernel_spatial.push((part.n_places, kernel_stride * part.step as isize));
        out_spatial.push((part.n_windows, out_stride * part.step as isize));
    }
    parts.kernel_spatial = kernel_spatial;
    parts.out_spatial = out_spatial;
    let places = choice.iter().map(|part| (part.place, part.step)).collect();
    Phase { parts, starts, kernel_start, result_start, places }
}
