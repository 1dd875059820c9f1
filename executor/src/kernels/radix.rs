//! Stable sorting of integers by their bytes.

use super::memory::Plain;
use super::pool::Pool;

/// An integer that is sorted by some of its bytes.
pub trait Item: Copy + Ord + Send + Sync + 'static {
    /// Byte number `index`, the lowest first.
    fn digit(self, index: usize) -> usize;
}

macro_rules! items {
    ($($T:ty),*) => {$(
        impl Item for $T {
            #[inline(always)]
            fn digit(self, index: usize) -> usize {
                (self >> (8 * index)) as usize & 0xff
            }
        }
    )*};
}
items!(u32, u64, u128);

/// Items below which comparing beats counting.
const SMALL: usize = 192;
/// Items from which on all threads work on one list.
const PARALLEL: usize = 1 << 16;

type Counts = [u32; 256];

/// Sorts `items` by the bytes `digits`, the lower bytes holding nothing but places in the list (or nothing); `other` is as
/// long. Says whether the sorted items are in `other`.
pub fn sort<I: Item>(items: &mut [I], other: &mut [I], digits: std::ops::Range<usize>, pool: Option<&Pool>) -> bool {
    if items.len() <= SMALL {
        items.sort_unstable();
        return false;
    }
    if let Some(pool) = pool.filter(|pool| pool.n_threads() > 1 && items.len() >= PARALLEL) {
        return parallel(items, other, digits, pool);
    }
    let mut counts = [[0u32; 256]; 8];
    for item in items.iter() {
        for (digit, counts) in digits.clone().zip(&mut counts) {
            counts[item.digit(digit)] += 1;
        }
    }
    let n = items.len() as u32;
    let mut swapped = false;
    let (mut from, mut to) = (items, other);
    for (digit, counts) in digits.zip(&mut counts) {
        if counts.contains(&n) {
            continue;
        }
        let mut sum = 0;
        for count in counts.iter_mut() {
            sum += std::mem::replace(count, sum);
        }
        for item in from.iter() {
            let place = &mut counts[item.digit(digit)];
            to[*place as usize] = *item;
            *place += 1;
        }
        std::mem::swap(&mut from, &mut to);
        swapped = !swapped;
    }
    swapped
}

/// The address of a list that threads write disjoint places of.
#[derive(Copy, Clone)]
struct Places<I>(*mut I);

// SAFETY: see `parallel`.
unsafe impl<I> Send for Places<I> {}
// SAFETY: as above.
unsafe impl<I> Sync for Places<I> {}

impl<I> Places<I> {
    /// Place number `index`.
    fn at(&self, index: usize) -> *mut I {
        self.0.wrapping_add(index)
    }
}

/// The same with a part of the list for each thread. Where an item goes does not depend on how many there are.
fn parallel<I: Item>(items: &mut [I], other: &mut [I], digits: std::ops::Range<usize>, pool: &Pool) -> bool {
    let (n, n_parts) = (items.len(), pool.n_threads());
    let part = |index: usize| n * index / n_parts..n * (index + 1) / n_parts;
    let mut swapped = false;
    let (mut from, mut to) = (items, other);
    let mut counts: Vec<Counts> = vec![[0; 256]; n_parts];
    for digit in digits {
        let places = Places(counts.as_mut_ptr());
        let list = &*from;
        pool.run(n_parts, &|index| {
            let mut own: Counts = [0; 256];
            for item in &list[part(index)] {
                own[item.digit(digit)] += 1;
            }
            // SAFETY: each part has its own counts.
            unsafe { places.at(index).write(own) };
        });
        let mut sum = 0;
        let mut is_one = false;
        for value in 0..256 {
            let before = sum;
            for counts in &mut counts {
                sum += std::mem::replace(&mut counts[value], sum);
            }
            is_one |= sum - before == n as u32;
        }
        if is_one {
            continue;
        }
        let target = Places(to.as_mut_ptr());
        let counts = &counts;
        pool.run(n_parts, &|index| {
            let mut place = counts[index];
            for item in &list[part(index)] {
                let place = &mut place[item.digit(digit)];
                // SAFETY: the counts give every item a place of its own below n.
                unsafe { target.at(*place as usize).write(*item) };
                *place += 1;
            }
        });
        std::mem::swap(&mut from, &mut to);
        swapped = !swapped;
    }
    swapped
}

/// Lists of plain items, kept by a thread.
#[derive(Debug)]
pub struct Lists([super::memory::Buffer; 2]);

impl Default for Lists {
    fn default() -> Self {
        Self([super::memory::Buffer::new(0), super::memory::Buffer::new(0)])
    }
}

impl Lists {
    /// Two lists of `n` items; what is in them is of no meaning.
    pub fn take<I: Plain>(&mut self, n: usize) -> [&mut [I]; 2] {
        for buffer in &mut self.0 {
            if buffer.bytes().len() < n * size_of::<I>() {
                *buffer = super::memory::Buffer::new(n * size_of::<I>());
            }
        }
        let [a, b] = &mut self.0;
        // SAFETY: the buffers are aligned for every item and long enough, all bytes were written when they were made, and
        // any bytes are an item.
        [a, b].map(|buffer| unsafe { std::slice::from_raw_parts_mut(buffer.as_ptr().cast(), n) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_stably_on_any_number_of_threads() {
        for n in [0usize, 1, 100, 1000, 70_000] {
            let mut state = 1u64;
            let items: Vec<u64> = (0..n as u64)
                .map(|index| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state >> 40) << 32 | index
                })
                .collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item >> 32);
            for n_threads in [1, 2, 3] {
                let pool = Pool::new(n_threads);
                let (mut a, mut b) = (items.clone(), items.clone());
                let swapped = sort(&mut a, &mut b, 4..8, Some(&pool));
                assert_eq!(if swapped { b } else { a }, expected, "{n} {n_threads}");
            }
        }
    }
}
