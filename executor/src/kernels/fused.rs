//! Fused loops: many elementwise steps over data that stays in the L1 cache.
//!
//! A loop runs over the elements of its iteration space in row-major order, tile by tile. Registers hold one tile each.
//! An operand that is stored in the same order is read where it stands, a scalar is a tile filled once, anything else is
//! gathered into its register first; results go straight to their slots.

use std::sync::atomic::{AtomicU64, Ordering};

use smallvec::SmallVec;
use stablehlo::element::ElementType;

use super::elementwise::Operation;
use super::isa::Isa;
use super::jit::Machine;
use super::lanes::StepFn;
use super::memory::{ALIGN, Buffer, Memory, SlotId};
use super::pool::Pool;
use super::small::Small;
use super::strided::Strided;

/// Elements of a tile: eight registers of f32 fill half of an L1 cache of 32 KiB.
pub const TILE: usize = 512;
/// Elements times steps below which a loop is not worth splitting over threads: some 10 µs of work.
const GRAIN: usize = 1 << 16;

/// Bytes of a result from which on it is stored past the caches: nobody will find it there anyway, and memory need not be
/// read before it is overwritten.
const STREAMED: usize = 24 << 20;
/// Pieces of work for each thread, so that one that is held up does not hold up all.
const PIECES: usize = 4;

/// A register of a loop.
pub type Reg = u16;

/// Where an input's elements come from.
#[derive(Clone, Debug)]
pub enum Access {
    /// One after the other from byte `offset` on.
    Linear {
        /// First byte.
        offset: usize,
    },
    /// The element at byte `offset`, for all.
    Splat {
        /// First byte.
        offset: usize,
    },
    /// By strides.
    Strided(Strided),
    /// `(index / divisor) % size`: the position along a dimension.
    Iota {
        /// Elements per step of the dimension.
        divisor: usize,
        /// Size of the dimension.
        size: usize,
        /// Type of the numbers.
        element: ElementType,
    },
}

/// An input: it fills the register of its own number.
#[derive(Clone, Debug)]
pub struct Input {
    /// Where it is stored; of no meaning for `Iota`.
    pub slot: SlotId,
    /// Bytes of an element.
    pub width: usize,
    /// How it is read.
    pub access: Access,
}

/// A step.
#[derive(Clone, Debug)]
pub struct Instr {
    /// Computes it.
    pub f: StepFn,
    /// What it is; none for what only the function knows.
    pub op: Option<Operation>,
    /// Its name, for people.
    pub name: &'static str,
    /// Register of the result.
    pub out: Reg,
    /// Registers of the operands; unused ones repeat the first.
    pub args: [Reg; 3],
}

/// A fused loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Number of elements.
    pub n: usize,
    /// Registers `0..inputs.len()`.
    pub inputs: Vec<Input>,
    /// Steps in order.
    pub code: Vec<Instr>,
    /// Results: a register that a step computes, the slot that it is stored to, and the bytes of an element.
    pub outputs: Vec<(Reg, SlotId, usize)>,
    /// For every register the place of its tile in the scratch memory; none for those that need no tile.
    pub tiles: Vec<Option<usize>>,
    /// Bytes of scratch memory.
    pub scratch: usize,
    /// What runs instead when there are few elements.
    pub small: Option<Box<Small>>,
    /// What runs instead where the machine can.
    pub machine: Option<Machine>,
    /// Whether results are read again while they are in the cache, however many there are.
    pub is_cached: bool,
}

impl Loop {
    /// A loop that stores nothing yet, and whose registers have no tiles.
    pub fn new(n: usize, inputs: Vec<Input>, code: Vec<Instr>) -> Self {
        let (outputs, tiles) = (Vec::new(), Vec::new());
        Self { n, inputs, code, outputs, tiles, scratch: 0, small: None, machine: None, is_cached: false }
    }

    /// Assigns tiles to registers, so that tiles whose contents are not needed any more are used again.
    pub fn assign_tiles(&mut self, widths: &[usize]) {
        let mut last_use = vec![0usize; widths.len()];
        for (at, instr) in self.code.iter().enumerate() {
            for arg in instr.args {
                last_use[arg as usize] = at + 1;
            }
        }
        self.tiles = vec![None; widths.len()];
        let mut end = 0;
        let mut free: Vec<(usize, usize)> = Vec::new();
        let mut take = |free: &mut Vec<(usize, usize)>, width: usize| {
            if let Some(at) = free.iter().position(|(_, size)| *size == width) {
                return free.swap_remove(at).0;
            }
            let at = end;
            end += (TILE * width).next_multiple_of(ALIGN);
            at
        };
        for (reg, input) in self.inputs.iter().enumerate() {
            if !matches!(input.access, Access::Linear { .. }) {
                // Inputs are loaded before the first step.
                self.tiles[reg] = Some(take(&mut free, widths[reg]));
            }
        }
        let (outputs, n) = (&self.outputs, self.n);
        let is_output = |reg: Reg| outputs.iter().any(|(output, _, _)| *output == reg);
        let stored = |reg: Reg| outputs.iter().any(|(output, _, width)| *output == reg && !is_streamed(n, *width));
        for (at, instr) in self.code.iter().enumerate() {
            if !stored(instr.out) {
                self.tiles[instr.out as usize] = Some(take(&mut free, widths[instr.out as usize]));
            }
            for (index, arg) in instr.args.iter().enumerate() {
                let reg = *arg as usize;
                let splat = self.inputs.get(reg).is_some_and(|input| matches!(input.access, Access::Splat { .. }));
                if last_use[reg] == at + 1
                    && !splat
                    && !is_output(*arg)
                    && !instr.args[..index].contains(arg)
                    && let Some(tile) = self.tiles[reg]
                {
                    free.push((tile, widths[reg]));
                }
            }
        }
        self.scratch = end;
        self.small = Small::new(self, widths).map(Box::new);
    }

    /// The loop with its slots at the addresses that `address` gives.
    pub fn bind(&self, address: impl Fn(SlotId) -> *mut u8) -> Bound<'_> {
        Bound {
            this: self,
            binding: binding(),
            inputs: self.inputs.iter().map(|input| Address(address(input.slot))).collect(),
            outputs: self.outputs.iter().map(|(_, slot, _)| Address(address(*slot))).collect(),
        }
    }

    /// Whether results of `width` bytes are stored past the caches.
    pub fn is_streamed(&self, width: usize) -> bool {
        !self.is_cached && is_streamed(self.n, width)
    }

    /// Makes machine code of the loop if it can be. `constant` gives the bytes of slots that are known.
    pub fn compile<'c>(&mut self, isa: Isa, constant: impl Fn(SlotId) -> Option<&'c [u8]>) {
        self.machine = Machine::new(self, isa, constant);
    }

    /// Runs the loop on all threads.
    pub fn run(&self, memory: &Memory, pool: &Pool) {
        if let Some(machine) = &self.machine
            && self.n <= TILE
        {
            let inputs: SmallVec<[*mut u8; 8]> = self.inputs.iter().map(|input| memory.address(input.slot)).collect();
            let outputs: SmallVec<[*mut u8; 4]> =
                self.outputs.iter().map(|(_, slot, _)| memory.address(*slot)).collect();
            // SAFETY: the plan checks that the elements of the loop lie inside their slots.
            unsafe { machine.run(0, &inputs, &outputs, 0, self.n) };
            return;
        }
        if let Some(small) = &self.small {
            return small.run(memory);
        }
        if self.n == 0 {
            return;
        }
        let run = self.bind(|slot| memory.address(slot));
        let grain = (GRAIN / (self.code.len() + 1)).max(TILE);
        // Whole tiles for each thread.
        let n_tiles = self.n.div_ceil(TILE);
        let n_tasks = (n_tiles * TILE / grain).min(pool.n_threads() * PIECES);
        if n_tasks < 2 || pool.n_threads() == 1 {
            run.range(0, self.n);
            return;
        }
        pool.run(n_tasks, &|task| {
            let (start, end) = (n_tiles * task / n_tasks, n_tiles * (task + 1) / n_tasks);
            run.range(start * TILE, (end * TILE).min(self.n));
        });
    }
}

impl super::Kernel for Loop {
    fn run(&self, memory: &Memory, pool: &Pool) {
        Loop::run(self, memory, pool);
    }

    fn describe(&self) -> String {
        format!("loop {self}")
    }
}

/// Whether `n` results of `width` bytes are stored past the caches.
fn is_streamed(n: usize, width: usize) -> bool {
    cfg!(target_arch = "x86_64") && n.saturating_mul(width) >= STREAMED
}

/// The address of a slot, taken before the threads begin.
#[derive(Copy, Clone)]
pub(super) struct Address(pub(super) *mut u8);

// SAFETY: threads read inputs and write disjoint ranges of outputs.
unsafe impl Send for Address {}
// SAFETY: as above.
unsafe impl Sync for Address {}

/// A number that no other binding of a loop to its slots has: while a binding lasts its inputs stay what they are.
fn binding() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

/// A loop whose slots have addresses.
pub struct Bound<'l> {
    this: &'l Loop,
    /// Its number.
    binding: u64,
    inputs: SmallVec<[Address; 8]>,
    outputs: SmallVec<[Address; 2]>,
}

thread_local! {
    /// Scratch tiles of this thread, kept between loops.
    static SCRATCH: std::cell::RefCell<Buffer> = std::cell::RefCell::new(Buffer::new(16 * TILE * 4));
}

impl Bound<'_> {
    /// Computes the elements `start..end`.
    pub fn range(&self, start: usize, end: usize) {
        if let Some(machine) = &self.this.machine {
            let inputs: SmallVec<[*mut u8; 8]> = self.inputs.iter().map(|address| address.0).collect();
            let outputs: SmallVec<[*mut u8; 4]> = self.outputs.iter().map(|address| address.0).collect();
            // SAFETY: the plan checks that the elements of the loop lie inside their slots.
            unsafe { machine.run(self.binding, &inputs, &outputs, start, end) };
            if machine.is_streaming() {
                fence();
            }
            return;
        }
        SCRATCH.with_borrow_mut(|scratch| {
            if scratch.bytes().len() < self.this.scratch {
                *scratch = Buffer::new(self.this.scratch);
            }
            self.tiles(start, end, scratch.as_ptr());
        });
    }

    /// Computes elements and folds some of what comes of it into the accumulators at `acc`, by `machine`, which was made of
    /// this loop with a fold.
    pub(super) fn folding(&self, machine: &Machine, acc: *mut u8, range: std::ops::Range<usize>) {
        let inputs: SmallVec<[*mut u8; 8]> = self.inputs.iter().map(|address| address.0).collect();
        let outputs: SmallVec<[*mut u8; 4]> = self.outputs.iter().map(|address| address.0).chain([acc]).collect();
        // SAFETY: the plan checks that the elements of the loop lie inside their slots.
        unsafe { machine.run(0, &inputs, &outputs, range.start, range.end) };
    }

    fn tiles(&self, start: usize, end: usize, scratch: *mut u8) {
        let this = self.this;
        let mut regs: SmallVec<[*mut u8; 24]> =
            // SAFETY: tiles lie inside the scratch memory.
            this.tiles.iter().map(|tile| tile.map_or(std::ptr::null_mut(), |at| unsafe { scratch.add(at) })).collect();
        for (reg, input) in this.inputs.iter().enumerate() {
            if let Access::Splat { offset } = input.access {
                // SAFETY: the plan places the element inside its slot and the tile has room for TILE elements.
                unsafe { fill(regs[reg], self.inputs[reg].0.add(offset), input.width, TILE.min(end - start)) };
            }
        }
        let mut at = start;
        while at < end {
            let n = TILE.min(end - at);
            for (reg, input) in this.inputs.iter().enumerate() {
                match &input.access {
                    // SAFETY: the plan checks that all n elements of the loop lie inside the slot.
                    Access::Linear { offset } => {
                        regs[reg] = unsafe { self.inputs[reg].0.add(offset + at * input.width) }
                    }
                    Access::Splat { .. } => {}
                    Access::Strided(strided) => {
                        let base = self.inputs[reg].0;
                        // SAFETY: tiles lie inside the scratch memory, and this register has one.
                        let tile = unsafe { scratch.add(this.tiles[reg].unwrap_or(0)) };
                        regs[reg] = match strided.run_of(at, n) {
                            // Where the elements stand one after the other they are read in place.
                            // SAFETY: as above, for the elements that the strides reach.
                            Some(offset) => unsafe { base.offset(offset) },
                            None => {
                                // SAFETY: as above, and the tile has room for n elements.
                                unsafe { strided.gather(tile, base, at, n) };
                                tile
                            }
                        };
                    }
                    // SAFETY: the tile has room for n elements.
                    Access::Iota { divisor, size, element } => unsafe {
                        iota(regs[reg], at, n, *divisor, *size, *element)
                    },
                }
            }
            for ((reg, _, width), address) in this.outputs.iter().zip(&self.outputs) {
                if !this.is_streamed(*width) {
                    // SAFETY: the slot holds this.n elements.
                    regs[*reg as usize] = unsafe { address.0.add(at * width) };
                }
            }
            for instr in &this.code {
                let [a, b, c] = instr.args.map(|arg| regs[arg as usize].cast_const());
                // SAFETY: registers hold or point to n elements of the step's types.
                unsafe { (instr.f)(n, regs[instr.out as usize], a, b, c) };
            }
            for ((reg, _, width), address) in this.outputs.iter().zip(&self.outputs) {
                if this.is_streamed(*width) {
                    // SAFETY: the slot holds this.n elements, and the register's tile has been computed.
                    unsafe { stream(address.0.add(at * width), regs[*reg as usize], n * width) };
                }
            }
            at += n;
        }
        fence();
    }
}

/// Copies `n` bytes past the caches; [`fence`] must follow before other threads read them.
///
/// # Safety
/// Both are good for n bytes and do not overlap.
#[cfg(target_arch = "x86_64")]
unsafe fn stream(out: *mut u8, from: *const u8, n: usize) {
    let n_lines = if out.addr().is_multiple_of(LINE) { n / LINE } else { 0 };
    let whole = n_lines * LINE;
    // SAFETY: the caller's promise; `out` is aligned where whole lines are stored.
    unsafe {
        if is_x86_feature_detected!("avx512f") {
            stream_lines_avx512(out, from, n_lines);
        } else {
            stream_lines(out, from, n_lines);
        }
        std::ptr::copy_nonoverlapping(from.add(whole), out.add(whole), n - whole);
    }
}

/// Bytes of a cache line.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

/// # Safety
/// As for [`stream`]; `out` is aligned to lines.
#[cfg(target_arch = "x86_64")]
unsafe fn stream_lines(out: *mut u8, from: *const u8, n_lines: usize) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
    for line in 0..n_lines {
        // SAFETY: the caller's promise.
        unsafe {
            let (to, from) = (out.add(line * LINE).cast::<__m128i>(), from.add(line * LINE).cast::<__m128i>());
            for part in 0..4 {
                _mm_stream_si128(to.add(part), _mm_loadu_si128(from.add(part)));
            }
        }
    }
}

/// # Safety
/// As for [`stream_lines`]; the machine has AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn stream_lines_avx512(out: *mut u8, from: *const u8, n_lines: usize) {
    use std::arch::x86_64::{_mm512_loadu_si512, _mm512_stream_si512};
    for line in 0..n_lines {
        // SAFETY: the caller's promise.
        unsafe {
            _mm512_stream_si512(out.add(line * LINE).cast(), _mm512_loadu_si512(from.add(line * LINE).cast()));
        }
    }
}

/// Makes what [`stream`] has stored visible before what this thread stores from now on.
#[cfg(target_arch = "x86_64")]
fn fence() {
    // SAFETY: every machine of the architecture has it.
    unsafe { std::arch::x86_64::_mm_sfence() };
}

/// As on x86, but this machine has no such instructions.
///
/// # Safety
/// Both are good for n bytes and do not overlap.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn stream(out: *mut u8, from: *const u8, n: usize) {
    // SAFETY: the caller's promise.
    unsafe { std::ptr::copy_nonoverlapping(from, out, n) };
}

/// Nothing to do.
#[cfg(not(target_arch = "x86_64"))]
fn fence() {}

/// Fills `n` elements with one.
///
/// # Safety
/// `out` has room for n elements of `width` bytes; `value` is one.
pub(super) unsafe fn fill(out: *mut u8, value: *const u8, width: usize, n: usize) {
    macro_rules! fill_as {
        ($T:ty) => {
            // SAFETY: the caller's promise; reads and writes are unaligned.
            unsafe {
                let value = value.cast::<$T>().read_unaligned();
                for index in 0..n {
                    out.cast::<$T>().add(index).write_unaligned(value);
                }
            }
        };
    }
    match width {
        1 => fill_as!(u8),
        2 => fill_as!(u16),
        4 => fill_as!(u32),
        8 => fill_as!(u64),
        _ => fill_as!(u128),
    }
}

/// The positions of elements `at..at + n` along a dimension, as numbers.
///
/// # Safety
/// `out` has room for n elements.
pub(super) unsafe fn iota(out: *mut u8, at: usize, n: usize, divisor: usize, size: usize, element: ElementType) {
    use interpreter::element::{Element, Exact};
    fn write<T: Element>(out: &mut [u8], at: usize, divisor: usize, size: usize) {
        let (mut phase, mut position) = (at % divisor, at / divisor % size);
        let number = |position: usize| T::from_exact(Exact::Integer(position as i128));
        let mut value = number(position);
        for out in out.chunks_exact_mut(T::WIDTH) {
            value.write_le(out);
            phase += 1;
            if phase == divisor {
                phase = 0;
                position = if position + 1 == size { 0 } else { position + 1 };
                value = number(position);
            }
        }
    }
    // SAFETY: the caller's promise.
    let out = unsafe { std::slice::from_raw_parts_mut(out, n * element.byte_width()) };
    interpreter::dispatch_element!(element, T => write::<T>(out, at, divisor, size));
}
