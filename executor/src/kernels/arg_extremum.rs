//! `reduce` of values and their positions to the largest or smallest value and where it is.
//!
//! The body is the usual one of `argmax` and `argmin`: a value stays when it is beyond the next one or NaN; of equal values
//! the lower position stays. So the position is that of the first extreme value, or of the first NaN, and the value is the
//! last of the equal ones (which shows on zeros), or the first NaN.

use std::ops::Range;

use interpreter::element::{CompareType, Direction, Element, ElementType, Exact};
use interpreter::ops::elementwise::question;
use interpreter::{dispatch_float, dispatch_integer};
use smallvec::SmallVec;
use stablehlo::ops::OpKind;

use super::isa::Isa;
use super::matcher::Matcher;
use super::memory::{Memory, SlotId};
use super::pool::Pool;
use super::{Kernel, Planned};
use crate::graph::{BodyId, Graph, Node, Val};
use crate::plan::BodyLowering;

/// What a run of lines needs: `lines` results, each of `n` elements.
#[derive(Copy, Clone)]
struct Lines {
    from: *const u8,
    /// Distance of a line's elements, in elements.
    step: isize,
    /// Distance of the lines, in elements.
    apart: isize,
    n: usize,
    values: *mut u8,
    positions: *mut i64,
    lines: usize,
}

/// Finds the extreme of each line.
///
/// # Safety
/// The elements of the lines are readable, `values` and `positions` have room for one of each line.
type FindFn = unsafe fn(Lines);

/// Whether `a` is beyond `b`, or is NaN.
#[inline(always)]
fn stays<T: Element, const LARGEST: bool>(a: T, b: T) -> bool {
    beyond::<T, LARGEST>(a, b) || is_nan(a)
}

#[inline(always)]
fn beyond<T: Element, const LARGEST: bool>(a: T, b: T) -> bool {
    let direction = if LARGEST { Direction::Gt } else { Direction::Lt };
    Element::compare(a, b, direction, CompareType::Float)
}

#[inline(always)]
fn is_nan<T: Element>(a: T) -> bool {
    Element::compare(a, a, Direction::Ne, CompareType::Float)
}

/// Elements that are looked at side by side.
const LANES: usize = 64;

#[inline(always)]
unsafe fn read<T: Element>(at: *const u8, index: isize) -> T {
    // SAFETY: the promise of `FindFn`.
    T::read_le(unsafe { std::slice::from_raw_parts(at.offset(index * T::WIDTH as isize), T::WIDTH) })
}

/// The extreme of `n` elements next to each other, and the position of the first one.
#[inline(always)]
unsafe fn row<T: Element, const LARGEST: bool>(from: *const u8, n: usize) -> (T, usize) {
    // SAFETY: elements below n.
    let at = |index: usize| unsafe { read::<T>(from, index as isize) };
    let mut best = at(0);
    let mut any_nan = false;
    let mut index = 0;
    if n >= LANES {
        let mut lanes: [T; LANES] = std::array::from_fn(at);
        let mut nan = [false; LANES];
        while index + LANES <= n {
            for lane in 0..LANES {
                let value = at(index + lane);
                lanes[lane] = if beyond::<T, LARGEST>(value, lanes[lane]) { value } else { lanes[lane] };
                nan[lane] |= is_nan(value);
            }
            index += LANES;
        }
        any_nan = nan.contains(&true);
        best = lanes[0];
        for value in &lanes[1..] {
            best = if beyond::<T, LARGEST>(*value, best) { *value } else { best };
        }
    }
    for index in index..n {
        let value = at(index);
        best = if beyond::<T, LARGEST>(value, best) { value } else { best };
        any_nan |= is_nan(value);
    }
    let wanted = |value: T| if any_nan { is_nan(value) } else { equal(value, best) };
    let mut first = 0;
    // Whole blocks without it are passed over.
    while first + LANES <= n {
        let mut found = false;
        for lane in 0..LANES {
            found |= wanted(at(first + lane));
        }
        if found {
            break;
        }
        first += LANES;
    }
    while first + 1 < n && !wanted(at(first)) {
        first += 1;
    }
    if any_nan {
        best = at(first);
    } else if equal(best, T::zero()) {
        best = (first..n).rev().map(at).find(|value| wanted(*value)).unwrap_or(best);
    }
    (best, first)
}

#[inline(always)]
fn equal<T: Element>(a: T, b: T) -> bool {
    Element::compare(a, b, Direction::Eq, CompareType::Float)
}

/// Lines whose elements are next to each other.
#[inline(always)]
unsafe fn find_rows<T: Element, const LARGEST: bool>(lines: Lines) {
    for line in 0..lines.lines {
        // SAFETY: the promise of `FindFn`.
        unsafe {
            let from = lines.from.offset(line as isize * lines.apart * T::WIDTH as isize);
            let (value, position) = row::<T, LARGEST>(from, lines.n);
            value.write_le(std::slice::from_raw_parts_mut(lines.values.add(line * T::WIDTH), T::WIDTH));
            lines.positions.add(line).write(position as i64);
        }
    }
}

/// Lines side by side.
#[inline(always)]
unsafe fn find_cols<T: Element, const LARGEST: bool>(lines: Lines) {
    const BLOCK: usize = 32;
    let mut begin = 0;
    while begin < lines.lines {
        let n = BLOCK.min(lines.lines - begin);
        let at = |index: usize, lane: usize| {
            // SAFETY: the promise of `FindFn`.
            unsafe {
                read::<T>(lines.from, index as isize * lines.step + (begin + lane.min(n - 1)) as isize * lines.apart)
            }
        };
        let mut best: [T; BLOCK] = std::array::from_fn(|lane| at(0, lane));
        let mut place = [0u32; BLOCK];
        for index in 1..lines.n {
            for lane in 0..BLOCK {
                let value = at(index, lane);
                let kept = best[lane];
                let (stays, equal) = (stays::<T, LARGEST>(kept, value), equal(kept, value));
                best[lane] = if stays { kept } else { value };
                place[lane] = if stays || equal { place[lane] } else { index as u32 };
            }
        }
        for lane in 0..n {
            // SAFETY: as above.
            unsafe {
                let to = lines.values.add((begin + lane) * T::WIDTH);
                best[lane].write_le(std::slice::from_raw_parts_mut(to, T::WIDTH));
                lines.positions.add(begin + lane).write(i64::from(place[lane]));
            }
        }
        begin += n;
    }
}

macro_rules! for_each_isa {
    ($name:ident, $baseline:ident, $avx2:ident, $avx512:ident) => {
        unsafe fn $baseline<T: Element, const LARGEST: bool>(lines: Lines) {
            // SAFETY: the caller's promise.
            unsafe { $name::<T, LARGEST>(lines) }
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
        unsafe fn $avx2<T: Element, const LARGEST: bool>(lines: Lines) {
            // SAFETY: the caller's promise.
            unsafe { $name::<T, LARGEST>(lines) }
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
        unsafe fn $avx512<T: Element, const LARGEST: bool>(lines: Lines) {
            // SAFETY: the caller's promise.
            unsafe { $name::<T, LARGEST>(lines) }
        }
    };
}
for_each_isa!(find_rows, find_rows_baseline, find_rows_avx2, find_rows_avx512);
for_each_isa!(find_cols, find_cols_baseline, find_cols_avx2, find_cols_avx512);

fn functions<T: Element, const LARGEST: bool>(isa: Isa) -> (FindFn, FindFn) {
    match isa {
        // A plan for an instruction set is made only where the machine has it.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => (find_rows_avx512::<T, LARGEST>, find_cols_avx512::<T, LARGEST>),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => (find_rows_avx2::<T, LARGEST>, find_cols_avx2::<T, LARGEST>),
        _ => rare::<T, LARGEST>(),
    }
}

fn rare<T: Element, const LARGEST: bool>() -> (FindFn, FindFn) {
    (find_rows_baseline::<T, LARGEST>, find_cols_baseline::<T, LARGEST>)
}

/// Loops for rows and for columns.
fn choose(isa: Isa, element: ElementType, largest: bool) -> Option<(FindFn, FindFn)> {
    macro_rules! both {
        ($f:ident, $T:ty $(, $isa:ident)?) => {
            if largest { $f::<$T, true>($($isa)?) } else { $f::<$T, false>($($isa)?) }
        };
    }
    match element {
        ElementType::F32 => Some(both!(functions, f32, isa)),
        ElementType::I32 => Some(both!(functions, i32, isa)),
        element if element.is_float() => dispatch_float!(element, T => both!(rare, T)),
        element => dispatch_integer!(element, T => both!(rare, T)),
    }
}

/// The kernel.
#[derive(Debug)]
struct ArgExtremum {
    find: Find,
    largest: bool,
    element: ElementType,
    from: SlotId,
    /// Byte of the first element.
    offset: isize,
    values: SlotId,
    positions: SlotId,
    position_type: ElementType,
    /// Dimensions around the lines: size and distance in elements, in the order of the results.
    outer: SmallVec<[(usize, isize); 4]>,
    /// Lines next to each other in the results, and the distance of their first elements.
    lines: (usize, isize),
    n: usize,
    step: isize,
}

/// The loop that is used.
#[derive(Copy, Clone, Debug)]
struct Find(FindFn);

/// The kernel of a `reduce` of two operands that looks for an extreme value.
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node, dimensions: &[usize]) -> Option<Planned> {
    let ([operand, iota, init, init_position], [dimension]) = (node.own_operands(), dimensions) else { return None };
    let graph = cx.graph();
    let ty = cx.ty(*operand);
    let (element, position_type) = (ty.element?, cx.ty(*iota).element?);
    let n = ty.shape[*dimension];
    if ty.is_empty() || !node.captures.is_empty() || u32::try_from(n).is_err() || !position_type.is_integer() {
        return None;
    }
    if graph.module.quantized(ty.ty).is_some() || cx.iota_dimension(*iota)? != *dimension {
        return None;
    }
    let largest = recognise(graph, node.bodies[0], element, position_type)?;
    // Beginning with the far end and position 0 is as good as beginning with the first element.
    let zero = cx.splat(*init_position)?;
    let far = cx.splat(*init)?;
    let number = |literal: &stablehlo::ir::Literal| interpreter::dispatch_element!(literal.element(), T => T::read_le(literal.data()).to_exact());
    let is_far = match number(far) {
        Exact::Float(value) => value == if largest { f64::NEG_INFINITY } else { f64::INFINITY },
        Exact::Integer(value) => {
            let (least, most) = super::monoid::integer_ends(element);
            value == if largest { least } else { most }
        }
        Exact::Complex(..) => false,
    };
    // Positions must fit their type.
    let (_, most) = super::monoid::integer_ends(position_type);
    if !is_far || number(zero) != Exact::Integer(0) || n as i128 - 1 > most {
        return None;
    }
    let (rows, cols) = choose(cx.isa(), element, largest)?;
    let (from, view) = cx.view(*operand);
    let kept: SmallVec<[usize; 4]> = (0..view.shape.len()).filter(|dim| dim != dimension).collect();
    let mut outer: SmallVec<[(usize, isize); 4]> =
        kept.iter().map(|dim| (view.shape[*dim], view.strides[*dim])).collect();
    let lines = outer.pop().unwrap_or((1, 0));
    let step = view.strides[*dimension];
    let find = Find(if step == 1 { rows } else { cols });
    let (values, positions) = (cx.output(Val::Node(index, 0)), cx.output(Val::Node(index, 1)));
    let offset = view.offset * element.byte_width() as isize;
    let kernel =
        ArgExtremum { find, largest, element, from, offset, values, positions, position_type, outer, lines, n, step };
    Some((Box::new(kernel), vec![from], vec![values, positions]))
}

/// Whether a body is that of `argmax` (true) or `argmin` (false).
fn recognise(graph: &Graph<'_>, body: BodyId, element: ElementType, position: ElementType) -> Option<bool> {
    let body = &graph.bodies[body];
    let types = [element, position, element, position];
    if body.params.iter().map(|ty| ty.element).ne(types.map(Some)) {
        return None;
    }
    let matcher = Matcher { graph, body };
    let [a, i, b, j] = [0, 1, 2, 3].map(Val::Param);
    let [value, place] = body.results[..] else { return None };
    let (stays, kept, next) = matcher.select(value)?;
    let (place_stays, kept_place, next_place) = matcher.select(place)?;
    if [kept, next, kept_place, next_place] != [a, b, i, j] {
        return None;
    }
    // stays = a beyond b or a is NaN
    let (x, y) = matcher.pair(stays, OpKind::Or)?;
    let (beyond, nan) = if matcher.compares(x, a, a) == Some(Direction::Ne) { (y, x) } else { (x, y) };
    let largest = match matcher.compares(beyond, a, b)? {
        Direction::Gt => true,
        Direction::Lt => false,
        _ => return None,
    };
    if matcher.compares(nan, a, a) != Some(Direction::Ne) {
        return None;
    }
    // place_stays = stays or (a equals b and i before j)
    let (x, y) = matcher.pair(place_stays, OpKind::Or)?;
    let tie = if x == stays {
        y
    } else if y == stays {
        x
    } else {
        return None;
    };
    let (x, y) = matcher.pair(tie, OpKind::And)?;
    let is_tie =
        |x, y| matcher.compares(x, a, b) == Some(Direction::Eq) && matcher.compares(y, i, j) == Some(Direction::Lt);
    (is_tie(x, y) || is_tie(y, x)).then_some(largest)
}

impl Matcher<'_, '_> {
    /// The question that `value` asks of `lhs` and `rhs` in this order; none for total orders.
    fn compares(&self, value: Val, lhs: Val, rhs: Val) -> Option<Direction> {
        let node = self.op(value, OpKind::Compare)?;
        let (direction, compare_type) = question(self.graph.module, node.op)?;
        if compare_type == CompareType::TotalOrder {
            return None;
        }
        if node.operands[..] == [lhs, rhs] {
            Some(direction)
        } else if node.operands[..] == [rhs, lhs] {
            Some(direction.swapped())
        } else {
            None
        }
    }
}

/// Lines that are worth a task, in elements.
const GRAIN: usize = 1 << 14;
/// Lines whose positions are found before they are converted.
const BLOCK: usize = 256;

#[derive(Copy, Clone)]
struct Places {
    from: *const u8,
    values: *mut u8,
    positions: *mut u8,
}

// SAFETY: threads read the operand and write disjoint results.
unsafe impl Send for Places {}
// SAFETY: as above.
unsafe impl Sync for Places {}

impl ArgExtremum {
    fn range(&self, places: Places, range: Range<usize>) {
        let (count, apart) = self.lines;
        let (width, position_width) = (self.element.byte_width(), self.position_type.byte_width());
        let mut found = [0i64; BLOCK];
        let mut at = range.start;
        while at < range.end {
            let begin = at % count;
            let lines = (count - begin).min(range.end - at).min(BLOCK);
            let mut place = begin as isize * apart;
            let mut rest = at / count;
            for (size, stride) in self.outer.iter().rev() {
                place += (rest % size) as isize * stride;
                rest /= size;
            }
            let values = places.values.wrapping_add(at * width);
            let from = places.from.wrapping_offset(place * width as isize);
            let task = Lines { from, step: self.step, apart, n: self.n, values, positions: found.as_mut_ptr(), lines };
            // SAFETY: the view's elements lie inside the operand's slot, the results inside theirs.
            unsafe { (self.find.0)(task) };
            for (index, found) in found[..lines].iter().enumerate() {
                // Positions fit their type: the low bytes are the number.
                let to = places.positions.wrapping_add((at + index) * position_width);
                // SAFETY: the results lie inside their slot.
                unsafe { std::ptr::copy_nonoverlapping(found.to_le_bytes().as_ptr(), to, position_width) };
            }
            at += lines;
        }
    }
}

impl Kernel for ArgExtremum {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let places = Places {
            from: memory.address(self.from).wrapping_offset(self.offset),
            values: memory.address(self.values),
            positions: memory.address(self.positions),
        };
        let n_lines = self.lines.0 * self.outer.iter().map(|(size, _)| size).product::<usize>();
        pool.split(n_lines, (GRAIN / self.n).max(1), &|range| {
            self.range(places, range);
        });
    }

    fn describe(&self) -> String {
        let name = if self.largest { "argmax" } else { "argmin" };
        format!("{name} of lines of {} {} {} apart", self.n, self.element, self.step)
    }
}
