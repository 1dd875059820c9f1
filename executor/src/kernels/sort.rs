//! `sort`: stable radix sorts of keys where the comparator is recognised, merge sorts otherwise.
//!
//! Lines are sorted one by one, each thread its own; a long line is shared. When nothing but the key is sorted and equal
//! keys are equal elements, keys alone are moved; else keys move with their positions, by which all operands are put in order
//! at the end. Several keys are sorted by one after the other, the most important last.

use std::cell::RefCell;
use std::ops::Range;

use smallvec::SmallVec;
use stablehlo::element::ElementType;
use stablehlo::ops::stablehlo::sort::Sort as Op;

use super::body::Compiled;
use super::memory::{Buffer, Memory, SlotId};
use super::pool::Pool;
use super::radix::{self, Lists};
use super::sort_keys::{self, Key, has_keys};
use super::{Kernel, Planned};
use crate::graph::{Body, BodyId, Node, Ty, Val};
use crate::plan::BodyLowering;

/// An operand.
#[derive(Copy, Clone, Debug)]
struct Operand {
    /// Where it stands; none when its elements are their positions in the line.
    from: Option<SlotId>,
    out: SlotId,
    width: usize,
}

/// Sorts lines.
#[derive(Debug)]
pub struct Sort {
    operands: SmallVec<[Operand; 2]>,
    keys: SmallVec<[Key; 2]>,
    /// Compares elements, where it is not by keys.
    comparator: Option<Compiled>,
    /// Elements of a line.
    n: usize,
    /// Distance of a line's elements; also how many lines begin next to each other.
    inner: usize,
    n_lines: usize,
}

thread_local! {
    static LISTS: RefCell<Lists> = RefCell::new(Lists::default());
    static ORDER: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
    /// Keys of up to four bytes and of eight.
    static KEYS: RefCell<(Vec<u32>, Vec<u64>)> = const { RefCell::new((Vec::new(), Vec::new())) };
    /// What a comparator computes.
    static SCRATCH: RefCell<Buffer> = RefCell::new(Buffer::new(0));
}

/// A key that a place can be put behind.
trait KeyWord: sort_keys::Word + Default {
    type Placed: radix::Item + super::memory::Plain;
    fn placed(self, at: u32) -> Self::Placed;
    fn place(placed: Self::Placed) -> u32;
}

macro_rules! key_words {
    ($($K:ty, $Placed:ty;)*) => {$(
        impl KeyWord for $K {
            type Placed = $Placed;
            fn placed(self, at: u32) -> $Placed {
                <$Placed>::from(self) << 32 | <$Placed>::from(at)
            }
            fn place(placed: $Placed) -> u32 {
                placed as u32
            }
        }
    )*};
}
key_words! {
    u32, u64;
    u64, u128;
}

/// The kernel of a `sort`.
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let operands = node.own_operands();
    let ty = cx.ty(*operands.first()?);
    let dimension = Op::new(cx.graph().module, node.op).dimension().unwrap_or(-1);
    let rank = ty.shape.len();
    let dimension = usize::try_from(if dimension < 0 { dimension + rank as i64 } else { dimension }).ok()?;
    let n = *ty.shape.get(dimension)?;
    if ty.is_empty() || !node.captures.is_empty() || u32::try_from(n).is_err() {
        return None;
    }
    let body = *node.bodies.first()?;
    let keys = sort_keys::recognise(cx.graph(), body).unwrap_or_default();
    let fits = |key: &Key| {
        has_keys(key.element)
            && operands.get(key.operand).is_some_and(|operand| cx.ty(*operand).element == Some(key.element))
    };
    let mut comparator = None;
    if keys.is_empty() || !keys.iter().all(fits) {
        comparator = Some(compile(cx, operands, body)?);
    }
    let mut reads = Vec::new();
    let mut made = SmallVec::new();
    for (at, operand) in operands.iter().enumerate() {
        let element = cx.ty(*operand).element?;
        let is_key = keys.iter().any(|key| key.operand == at);
        let (_, most) = super::monoid::integer_ends(element);
        let is_position = comparator.is_none()
            && element.is_integer()
            && element.bits() >= 8
            && n as i128 - 1 <= most
            && !is_key
            && cx.iota_dimension(*operand) == Some(dimension);
        let from = (!is_position).then(|| cx.dense(*operand));
        reads.extend(from);
        made.push(Operand { from, out: cx.output(Val::Node(index, at as u16)), width: element.byte_width() });
    }
    let writes = made.iter().map(|operand: &Operand| operand.out).collect();
    let inner = ty.shape[dimension + 1..].iter().product();
    let kernel = Sort { operands: made, keys, comparator, n, inner, n_lines: ty.len() / n };
    Some((Box::new(kernel), reads, writes))
}

/// A comparator that is not recognised.
fn compile(cx: &BodyLowering<'_, '_, '_>, operands: &[Val], body: BodyId) -> Option<Compiled> {
    let graph = cx.graph();
    let Body { params, results, .. } = &graph.bodies[body];
    let is_plain = |ty: &Ty, other: &Ty| ty.element == other.element && graph.module.quantized(ty.ty).is_none();
    let fits = params.len() == 2 * operands.len()
        && operands
            .iter()
            .zip(params.chunks(2))
            .all(|(operand, pair)| pair.iter().all(|ty| is_plain(cx.ty(*operand), ty)))
        && matches!(results[..], [result] if graph.bodies[body].ty(result).element == Some(ElementType::I1));
    fits.then(|| Compiled::new(graph, body, cx.isa()))?
}

/// Where the operands stand.
struct Places(SmallVec<[(*const u8, *mut u8); 2]>);

// SAFETY: threads read the operands and write disjoint lines of the results.
unsafe impl Send for Places {}
// SAFETY: as above.
unsafe impl Sync for Places {}

/// Elements from which on one line is shared by all threads.
const SHARED: usize = 1 << 16;
/// Elements below which sorting is not worth a task.
const GRAIN: usize = 1 << 11;

impl Sort {
    fn lines(&self, places: &Places, lines: Range<usize>, pool: Option<&Pool>) {
        for line in lines {
            let start = (line / self.inner) * self.n * self.inner + line % self.inner;
            LISTS.with_borrow_mut(|lists| self.line(places, start, lists, pool));
        }
    }

    /// Sorts the line that begins at element `start`.
    fn line(&self, places: &Places, start: usize, lists: &mut Lists, pool: Option<&Pool>) {
        let is_wide = self.keys.iter().any(|key| key.element.byte_width() == 8);
        if let ([operand], [key]) = (&self.operands[..], &self.keys[..]) {
            let done = match is_wide {
                true => self.alone::<u64>(places, start, *operand, key, lists, pool),
                false => self.alone::<u32>(places, start, *operand, key, lists, pool),
            };
            if done {
                return;
            }
        }
        ORDER.with_borrow_mut(|order| {
            order.clear();
            order.extend(0..self.n as u32);
            if let Some(comparator) = &self.comparator {
                self.order_by(comparator, places, start, order);
            } else {
                let is_ordered = KEYS.with_borrow_mut(|(narrow, wide)| match is_wide {
                    true => self.order(places, start, lists, wide, order, pool),
                    false => self.order(places, start, lists, narrow, order, pool),
                });
                if !is_ordered {
                    self.order_without(places, start, order);
                }
            }
            self.move_all(places, start, order, pool);
        });
    }

    /// Where a line of the operand of a key begins, and the distance of its elements in bytes.
    fn key_line(&self, places: &Places, start: usize, key: &Key) -> (*const u8, isize) {
        let width = self.operands[key.operand].width;
        (places.0[key.operand].0.wrapping_add(start * width), (self.inner * width) as isize)
    }

    /// Sorts keys alone; false, and nothing is done, when equal keys may be different elements.
    fn alone<K: sort_keys::Word + radix::Item + super::memory::Plain>(
        &self,
        places: &Places,
        start: usize,
        operand: Operand,
        key: &Key,
        lists: &mut Lists,
        pool: Option<&Pool>,
    ) -> bool {
        let [keys, other] = lists.take::<K>(self.n);
        let (from, step) = self.key_line(places, start, key);
        // SAFETY: the line lies inside the operand.
        let seen = unsafe { sort_keys::keys(key, from, step, keys) };
        if seen.merged {
            return false;
        }
        let swapped = radix::sort(keys, other, 0..key.element.byte_width(), pool);
        let to = places.0[0].1.wrapping_add(start * operand.width);
        // SAFETY: the line lies inside the result.
        unsafe { sort_keys::elements(key, to, step, if swapped { other } else { keys }) };
        true
    }

    /// The order of a line by keys; false when NaN leaves none.
    fn order<K: KeyWord>(
        &self,
        places: &Places,
        start: usize,
        lists: &mut Lists,
        keys: &mut Vec<K>,
        order: &mut [u32],
        pool: Option<&Pool>,
    ) -> bool {
        keys.resize(self.n, K::default());
        for key in self.keys.iter().rev() {
            let (from, step) = self.key_line(places, start, key);
            // SAFETY: the line lies inside the operand.
            let seen = unsafe { sort_keys::keys(key, from, step, keys) };
            if seen.nan && key.nan().is_some() {
                return false;
            }
            let [items, other] = lists.take::<K::Placed>(self.n);
            // Small lists are sorted as whole numbers: what comes after the key is the place so far.
            for ((item, place), at) in items.iter_mut().zip(order.iter()).zip(0u32..) {
                *item = keys[*place as usize].placed(at);
            }
            let swapped = radix::sort(items, other, 4..4 + key.element.byte_width(), pool);
            let sorted = if swapped { &*other } else { &*items };
            let before = (self.keys.len() > 1).then(|| order.to_vec());
            for (place, item) in order.iter_mut().zip(sorted) {
                let at = K::place(*item);
                *place = before.as_ref().map_or(at, |before| before[at as usize]);
            }
        }
        true
    }

    /// The order of a line by a comparator, as the interpreter finds it.
    fn order_by(&self, comparator: &Compiled, places: &Places, start: usize, order: &mut Vec<u32>) {
        SCRATCH.with_borrow_mut(|scratch| {
            if scratch.bytes().len() < comparator.scratch() {
                *scratch = Buffer::new(comparator.scratch());
            }
            let less = |a: u32, b: u32| {
                let mut is_less = 0u8;
                let mut params: SmallVec<[*const u8; 8]> = SmallVec::new();
                for (operand, place) in self.operands.iter().zip(&places.0) {
                    let at = |index: u32| place.0.wrapping_add((start + index as usize * self.inner) * operand.width);
                    params.extend([at(a), at(b)]);
                }
                // SAFETY: elements of the line; the comparator gives a boolean.
                unsafe { comparator.run(1, &params, &[&raw mut is_less], scratch.as_ptr()) };
                is_less != 0
            };
            *order = merge_sort(self.n, less);
        });
    }

    /// What the interpreter makes of a line that has no order because of NaN.
    fn order_without(&self, places: &Places, start: usize, order: &mut Vec<u32>) {
        let lines: Vec<(Vec<u64>, Option<u64>)> = self
            .keys
            .iter()
            .map(|key| {
                let mut keys = vec![0; self.n];
                let (from, step) = self.key_line(places, start, key);
                // SAFETY: the line lies inside the operand.
                unsafe { sort_keys::keys(key, from, step, &mut keys) };
                (keys, key.nan())
            })
            .collect();
        let less = |a: u32, b: u32| {
            for (keys, nan) in &lines {
                let (a, b) = (keys[a as usize], keys[b as usize]);
                if Some(a) == *nan || Some(b) == *nan {
                    return false;
                }
                if a != b {
                    return a < b;
                }
            }
            false
        };
        *order = merge_sort(self.n, less);
    }

    /// Puts all operands in order.
    fn move_all(&self, places: &Places, start: usize, order: &[u32], pool: Option<&Pool>) {
        let part = |range: Range<usize>| {
            for (operand, place) in self.operands.iter().zip(&places.0) {
                let (from, to) =
                    (place.0.wrapping_add(start * operand.width), place.1.wrapping_add(start * operand.width));
                let step = self.inner * operand.width;
                // SAFETY: the line lies inside operand and result, and `order` is an order of its places.
                unsafe {
                    if operand.from.is_none() {
                        for at in range.clone() {
                            let bytes = u64::from(order[at]).to_le_bytes();
                            std::ptr::copy_nonoverlapping(bytes.as_ptr(), to.add(at * step), operand.width);
                        }
                        continue;
                    }
                    match operand.width {
                        1 => move_as::<u8>(from, to, step, order, range.clone()),
                        2 => move_as::<u16>(from, to, step, order, range.clone()),
                        4 => move_as::<u32>(from, to, step, order, range.clone()),
                        8 => move_as::<u64>(from, to, step, order, range.clone()),
                        _ => move_as::<u128>(from, to, step, order, range.clone()),
                    }
                }
            }
        };
        struct Shared<F>(F);
        // SAFETY: parts write disjoint places.
        unsafe impl<F> Sync for Shared<F> {}
        impl<F: Fn(Range<usize>)> Shared<F> {
            fn call(&self, range: Range<usize>) {
                (self.0)(range);
            }
        }
        let part = Shared(part);
        match pool {
            Some(pool) => pool.split(self.n, SHARED / 4, &|range| part.call(range)),
            None => part.call(0..self.n),
        }
    }
}

/// # Safety
/// Places below the length of `order`, `step` bytes apart, are readable from `from` and writable from `to`.
unsafe fn move_as<T: Copy>(from: *const u8, to: *mut u8, step: usize, order: &[u32], range: Range<usize>) {
    for at in range {
        // SAFETY: the caller's promise.
        unsafe {
            let value = from.add(order[at] as usize * step).cast::<T>().read_unaligned();
            to.add(at * step).cast::<T>().write_unaligned(value);
        }
    }
}

/// The interpreter's order of `0..n` by `less`, also for what is no order.
fn merge_sort(n: usize, less: impl Fn(u32, u32) -> bool) -> Vec<u32> {
    const RUN: usize = 8;
    let mut order: Vec<u32> = (0..n as u32).collect();
    for run in order.chunks_mut(RUN) {
        for end in 1..run.len() {
            if less(run[end], run[0]) {
                run[..=end].rotate_right(1);
                continue;
            }
            let mut at = end;
            while at > 1 && less(run[at], run[at - 1]) {
                run.swap(at, at - 1);
                at -= 1;
            }
        }
    }
    let mut merged = vec![0; order.len()];
    let mut width = RUN;
    while width < order.len() {
        for (pair, out) in order.chunks(2 * width).zip(merged.chunks_mut(2 * width)) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            for out in out {
                let from_right = match (left.first(), right.first()) {
                    (Some(a), Some(b)) => less(*b, *a),
                    (None, _) => true,
                    (_, None) => false,
                };
                let side = if from_right { &mut right } else { &mut left };
                if let Some((first, rest)) = side.split_first() {
                    *out = *first;
                    *side = rest;
                }
            }
        }
        std::mem::swap(&mut order, &mut merged);
        width *= 2;
    }
    order
}

impl Kernel for Sort {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let place = |operand: &Operand| {
            let from = operand.from.map_or(std::ptr::null(), |slot| memory.address(slot).cast_const());
            (from, memory.address(operand.out))
        };
        let places = Places(self.operands.iter().map(place).collect());
        if self.n >= SHARED {
            self.lines(&places, 0..self.n_lines, Some(pool));
        } else {
            pool.split(self.n_lines, (GRAIN / self.n).max(1), &|lines| self.lines(&places, lines, None));
        }
    }

    fn describe(&self) -> String {
        if self.comparator.is_some() {
            return format!("merge sort of {} lines of {} by a comparator", self.n_lines, self.n);
        }
        let keys = self
            .keys
            .iter()
            .map(|key| format!("{}{} {:?}", if key.descending { "-" } else { "" }, key.element, key.order));
        format!("radix sort of {} lines of {} by {}", self.n_lines, self.n, keys.collect::<Vec<_>>().join(", "))
    }
}
