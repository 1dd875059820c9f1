//! `chlo.top_k`: rows are read once; what is below the smallest of the best so far is passed over block by block.

use std::cell::RefCell;
use std::ops::Range;

use stablehlo::ops::chlo::top_k::TopK as Op;

use super::memory::{Memory, SlotId};
use super::pool::Pool;
use super::sort_keys::{self, Key, Order, has_keys};
use super::{Kernel, Planned};
use crate::graph::{Node, Val};
use crate::plan::BodyLowering;

/// Finds the largest of each row.
#[derive(Debug)]
pub struct TopK {
    key: Key,
    from: SlotId,
    values: SlotId,
    positions: SlotId,
    position_width: usize,
    n: usize,
    k: usize,
    rows: usize,
}

thread_local! {
    static KEYS: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
    static BEST: RefCell<Vec<u128>> = const { RefCell::new(Vec::new()) };
}

/// Keys that are made and looked through at once.
const BLOCK: usize = 1024;
/// Keys that are passed over at once.
const LANES: usize = 64;

/// The kernel of a `top_k`.
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let [operand] = node.own_operands()[..] else { return None };
    let k = usize::try_from(Op::new(cx.graph().module, node.op).k()).ok()?;
    let ty = cx.ty(operand);
    let element = ty.element?;
    let n = *ty.shape.last()?;
    let position = node.types.get(1)?.element?;
    let (_, most) = super::monoid::integer_ends(position);
    let fits = has_keys(element) && position.is_integer() && position.bits() >= 8 && n as i128 - 1 <= most;
    if ty.is_empty() || k == 0 || k > n || u32::try_from(n).is_err() || !fits {
        return None;
    }
    if cx.graph().module.quantized(ty.ty).is_some() {
        return None;
    }
    let rows = ty.len() / n;
    let key = Key { operand: 0, element, order: Order::Total, descending: true };
    let from = cx.dense(operand);
    let (values, positions) = (cx.output(Val::Node(index, 0)), cx.output(Val::Node(index, 1)));
    let kernel = TopK { key, from, values, positions, position_width: position.byte_width(), n, k, rows };
    Some((Box::new(kernel), vec![from], vec![values, positions]))
}

#[derive(Copy, Clone)]
struct Places {
    from: *const u8,
    values: *mut u8,
    positions: *mut u8,
}

// SAFETY: threads read the operand and write disjoint rows of the results.
unsafe impl Send for Places {}
// SAFETY: as above.
unsafe impl Sync for Places {}

impl TopK {
    fn rows(&self, places: Places, rows: Range<usize>) {
        BEST.with_borrow_mut(|best| {
            for row in rows {
                if self.key.element.byte_width() <= 4 {
                    thread_local! {
                        static NARROW: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
                    }
                    NARROW.with_borrow_mut(|keys| self.find(places, row, keys, best));
                } else {
                    KEYS.with_borrow_mut(|keys| self.find(places, row, keys, best));
                }
                self.write(places, row, best);
            }
        });
    }

    /// The `k` first of a row in descending order, as keys with positions below.
    fn find<K: sort_keys::Word + Ord>(&self, places: Places, row: usize, keys: &mut Vec<K>, best: &mut Vec<u128>) {
        let width = self.key.element.byte_width();
        best.clear();
        keys.resize(BLOCK, K::from_u64(0));
        // Keys from here on come too late. (The smaller the key, the larger the element.)
        let mut limit: Option<K> = None;
        let capacity = (2 * self.k).max(self.k + 512);
        let mut begin = 0;
        while begin < self.n {
            let n = BLOCK.min(self.n - begin);
            let from = places.from.wrapping_add((row * self.n + begin) * width);
            // SAFETY: the row lies inside the operand.
            unsafe { sort_keys::keys(&self.key, from, width as isize, &mut keys[..n]) };
            for (block, keys) in keys[..n].chunks(LANES).enumerate() {
                if let Some(limit) = limit
                    && !keys.iter().fold(false, |any, key| any | (*key < limit))
                {
                    continue;
                }
                for (lane, key) in keys.iter().enumerate() {
                    if limit.is_none_or(|limit| *key < limit) {
                        let at = begin + block * LANES + lane;
                        best.push(u128::from(key.to_u64()) << 32 | at as u128);
                    }
                }
                if best.len() >= capacity || limit.is_none() && best.len() >= 2 * self.k {
                    self.prune(best);
                    limit = best.last().map(|last| K::from_u64((last >> 32) as u64));
                }
            }
            begin += n;
        }
        self.prune(best);
    }

    /// Keeps the first `k`, in order.
    fn prune(&self, best: &mut Vec<u128>) {
        if best.len() > self.k {
            best.select_nth_unstable(self.k - 1);
            best.truncate(self.k);
        }
        best.sort_unstable();
    }

    fn write(&self, places: Places, row: usize, best: &[u128]) {
        let width = self.key.element.byte_width();
        for (index, item) in best.iter().enumerate() {
            let at = *item as u32;
            let from = places.from.wrapping_add((row * self.n + at as usize) * width);
            let to = row * self.k + index;
            let bytes = u64::from(at).to_le_bytes();
            // SAFETY: the places lie inside their slots.
            unsafe {
                std::ptr::copy_nonoverlapping(from, places.values.add(to * width), width);
                let position = places.positions.add(to * self.position_width);
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), position, self.position_width);
            }
        }
    }
}

impl Kernel for TopK {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let places = Places {
            from: memory.address(self.from),
            values: memory.address(self.values),
            positions: memory.address(self.positions),
        };
        pool.split(self.rows, ((1 << 14) / self.n).max(1), &|rows| {
            self.rows(places, rows);
        });
    }

    fn describe(&self) -> String {
        format!("the {} largest of {} rows of {} {}", self.k, self.rows, self.n, self.key.element)
    }
}
