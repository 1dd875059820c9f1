//! `scatter` of whole rows into a large operand: the result is written once, row by row.
//!
//! First the updates are listed by the rows that they go to, in their order. Then threads share the rows: one without updates
//! is copied, one with updates is combined with them on its way.

use std::cell::RefCell;
use std::ops::Range;

use super::concatenate::Part;
use super::isa::Isa;
use super::lines::{self, Lines, Source};
use super::memory::{Buffer, Memory, SlotId};
use super::offsets::{OUTSIDE, Vectors, prefetch};
use super::pool::Pool;
use super::scatter::Combine;
use super::strided_copy::{Address, LINE};
use super::{Kernel, tiles};

/// Bytes of rows that are a piece of work.
const GRAIN: usize = 1 << 17;
/// Bytes of the longest row: it is to stay in the cache.
const MAX_ROW: usize = 1 << 18;
/// Bytes of a row that are made at once: while they are written the next are read.
const STRIP: usize = 1024;
/// Lines of an update that are asked for ahead.
const AHEAD: usize = 32;
/// Pieces of work for each thread, so that one that is held up does not hold up all.
const PIECES: usize = 8;
/// The end of a list, and a row without updates.
const NONE: u32 = u32::MAX;

/// The kernel.
#[derive(Debug)]
pub struct ScatterRows {
    pub(super) from: SlotId,
    pub(super) from_offset: isize,
    pub(super) indices: SlotId,
    pub(super) vectors: Vectors,
    pub(super) updates: SlotId,
    pub(super) combine: Combine,
    /// Bytes of an element and of a row, and number of rows.
    pub(super) width: usize,
    pub(super) row: usize,
    pub(super) n_rows: usize,
    pub(super) to: SlotId,
    pub(super) isa: Isa,
}

/// Updates by rows.
#[derive(Default)]
struct Lists {
    /// The row of each update.
    rows: Vec<u32>,
    /// The first byte of each update.
    places: Vec<isize>,
    /// The first update of each row, and the next of each update.
    heads: Vec<u32>,
    next: Vec<u32>,
}

thread_local! {
    static LISTS: RefCell<Lists> = RefCell::default();
    /// A row in the making.
    static ROW: RefCell<Buffer> = RefCell::new(Buffer::new(0));
}

impl ScatterRows {
    /// Windows of `row` adjacent elements in a result of `n`; slots are still to be filled in. None where windows are not
    /// whole rows, or where it is not worth it.
    pub(super) fn new(part: &Part, vectors: &Vectors, row: usize, n: usize, width: usize) -> Option<Self> {
        let bytes = row * width;
        // Vectors count elements.
        let apart = |stride: isize| stride % row.max(1) as isize == 0;
        let whole = row > 0
            && n.is_multiple_of(row)
            && vectors.coordinates.iter().all(|coordinate| apart(coordinate.stride))
            && vectors.batches.dims.iter().all(|dim| apart(dim.operand));
        let fits =
            (4 * LINE..=MAX_ROW).contains(&bytes) && tiles::is_streamed(n * width, n * width) && part.copy.is_run();
        let counted = n < NONE as usize && vectors.len() < NONE as usize;
        (whole && fits && counted).then(|| Self {
            from: part.from,
            from_offset: part.from_offset,
            indices: part.from,
            vectors: vectors.clone(),
            updates: part.from,
            combine: Combine::Replace,
            width,
            row: bytes,
            n_rows: n / row,
            to: part.from,
            isa: Isa::Baseline,
        })
    }

    /// Lists the updates.
    fn list(&self, lists: &mut Lists, indices: *const u8) {
        let Lists { rows, places, heads, next } = lists;
        rows.clear();
        places.clear();
        // SAFETY: the slot holds all vectors.
        unsafe {
            self.vectors.chunks(indices, 0..self.vectors.len(), |chunk, offsets| {
                for (number, offset) in offsets[..chunk.n].iter().enumerate() {
                    let row = if *offset == OUTSIDE { NONE } else { (*offset as usize * self.width / self.row) as u32 };
                    rows.push(row);
                    let place = chunk.place.windows + number as isize * chunk.step.windows;
                    places.push(place * self.width as isize);
                }
            });
        }
        heads.clear();
        heads.resize(self.n_rows, NONE);
        next.clear();
        next.resize(rows.len(), NONE);
        // From the last to the first, so that the first is at the head.
        for (update, row) in rows.iter().enumerate().rev() {
            if let Some(head) = heads.get_mut(*row as usize) {
                next[update] = std::mem::replace(head, update as u32);
            }
        }
    }

    /// Writes rows `range`.
    ///
    /// # Safety
    /// The addresses are those of the slots.
    unsafe fn rows(&self, lists: &Lists, from: *const u8, updates: *const u8, to: *mut u8, range: Range<usize>) {
        let mut lines = lines::is_possible(self.isa, 1, to).then(|| Lines::new(1));
        let strip = if lines.is_some() { STRIP / self.width * self.width } else { self.row };
        ROW.with_borrow_mut(|buffer| {
            if buffer.bytes().len() < strip {
                *buffer = Buffer::new(strip);
            }
            let made = buffer.as_ptr();
            // SAFETY: the caller's promise: parts of rows of the result, and what they are to be.
            let mut write = |to: *mut u8, from: *const u8, n: usize| unsafe {
                match &mut lines {
                    Some(lines) => lines.put(to, Source::Run(from), n, from.wrapping_add(n)),
                    None => tiles::stream(to, from, n, self.isa),
                }
            };
            let mut row = range.start;
            while row < range.end {
                let begin = row * self.row;
                let plain = lists.heads[row..range.end].iter().take_while(|head| **head == NONE).count();
                // Where the next updates are the machine cannot guess.
                let next = row + plain.max(1);
                if let Some(place) =
                    lists.heads[..range.end].get(next).and_then(|head| lists.places.get(*head as usize))
                {
                    for line in 0..(self.row / LINE).min(AHEAD) {
                        prefetch(updates.wrapping_offset(*place).wrapping_add(line * LINE));
                    }
                }
                // SAFETY: rows of operand and result; the buffer holds a strip, and updates have as many elements as rows.
                unsafe {
                    if plain > 0 {
                        write(to.add(begin), from.add(begin), plain * self.row);
                        row += plain;
                        continue;
                    }
                    for at in (0..self.row).step_by(strip) {
                        let bytes = strip.min(self.row - at);
                        let mut there = from.add(begin + at);
                        let mut update = lists.heads[row];
                        while let Some(place) = lists.places.get(update as usize) {
                            let update_at = updates.offset(*place).add(at);
                            self.combine.elements_to(made, there, update_at, bytes / self.width, self.width);
                            there = made;
                            update = lists.next[update as usize];
                        }
                        write(to.add(begin + at), made, bytes);
                    }
                }
                row += 1;
            }
        });
        match lines {
            // SAFETY: as above.
            Some(lines) => unsafe { lines.finish() },
            None => tiles::fence(),
        }
    }
}

impl Kernel for ScatterRows {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let from = Address(memory.address(self.from).wrapping_offset(self.from_offset));
        let (updates, to) = (Address(memory.address(self.updates)), Address(memory.address(self.to)));
        LISTS.with_borrow_mut(|lists| {
            self.list(lists, memory.address(self.indices));
            let lists = &*lists;
            let n_tasks = (self.n_rows * self.row / GRAIN).clamp(1, pool.n_threads() * PIECES);
            pool.run(n_tasks, &|task| {
                let range = self.n_rows * task / n_tasks..self.n_rows * (task + 1) / n_tasks;
                // SAFETY: the addresses are those of the slots, and tasks have rows of their own.
                unsafe { self.rows(lists, { from }.0, { updates }.0, { to }.0, range) };
            });
        });
    }

    fn describe(&self) -> String {
        format!("scatter of {} rows, row by row", self.vectors.len())
    }
}
