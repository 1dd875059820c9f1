//! A whole `while` of few elements as one function.
//!
//! When condition and body do nothing but loops over at most sixteen elements and look into larger tensors at computed
//! places, the values that are carried stay in registers from round to round. The function does some rounds at most, then
//! everything stands in its slots again, so that limits can be checked in between.

use std::sync::Arc;

use iced_x86::{Code, Instruction, Register};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use stablehlo::element::ElementType;

use super::asm::Executable;
use super::emit::{BASES, Emitter, INDEX, LANES, Mode};
use super::lanes::{D, F, I, L, M};
use super::machine::{elements, epilogue, prologue};
use super::ops;
use super::program::{Builder, Program, Size, Step, Transfer, Value, Window};
use super::typed::{Lanes, known, load_by, splat, store_by};
use super::works::{While, Work};
use crate::kernels::dynamic_slice::{Start, WindowOf};
use crate::kernels::fused::{Access, Loop};
use crate::kernels::isa::Isa;
use crate::kernels::memory::{Memory, SlotId};
use crate::kernels::vector_math::arith::{Int, Long};

/// Addresses of arrays, and the most rounds. Gives twice the rounds that are left, and one more if the loop has ended.
type Entry = unsafe extern "sysv64" fn(table: *const u64, rounds: u64) -> u64;

/// Machine code of a `while`.
#[derive(Clone, Debug)]
pub struct Rounds {
    code: Arc<Executable>,
    entry: Entry,
    /// Slots with offsets, by number of the array.
    arrays: Vec<(SlotId, usize)>,
}

impl Rounds {
    /// Compiles a `while`; none when something in it is not covered. `constant` gives the bytes of slots that are known,
    /// `size` those of any slot.
    pub fn new<'c>(
        of: &While<'_>,
        isa: Isa,
        constant: impl Fn(SlotId) -> Option<&'c [u8]>,
        size: impl Fn(SlotId) -> usize,
    ) -> Option<Self> {
        if isa != Isa::Avx512 {
            return None;
        }
        let builder = Builder::default();
        let mut writer = Writer::new(&builder, of, &constant, &size)?;
        writer.write(of)?;
        let (arrays, widths) = (writer.arrays, writer.widths);
        let program = builder.0.into_inner();
        let (bytes, entry) = assemble(&program, &widths)?;
        let code = Executable::new(&bytes)?;
        // SAFETY: the code at this offset is a function of this type.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(code.at(entry)) };
        Some(Self { code: Arc::new(code), entry, arrays })
    }

    /// Does up to `rounds` rounds; how many there were, and whether the condition has become false.
    pub fn run(&self, memory: &Memory, rounds: u64) -> (u64, bool) {
        let address = |(slot, offset): &(SlotId, usize)| memory.address(*slot).addr() as u64 + *offset as u64;
        let table: SmallVec<[u64; 16]> = self.arrays.iter().map(address).collect();
        // SAFETY: the code stays inside the slots, and the plan has no other step at work.
        let left = unsafe { (self.entry)(table.as_ptr(), rounds) };
        (rounds - left / 2, left & 1 == 1)
    }

    /// Bytes of code.
    pub fn size(&self) -> usize {
        self.code.len()
    }
}

/// What is known about a slot's value.
#[derive(Copy, Clone)]
struct Held<'b> {
    lanes: Lanes<'b>,
    element: ElementType,
    n: usize,
}

/// Writes the steps down.
struct Writer<'b, 'f, 'c> {
    builder: &'b Builder,
    constant: &'f dyn Fn(SlotId) -> Option<&'c [u8]>,
    size: &'f dyn Fn(SlotId) -> usize,
    held: FxHashMap<SlotId, Held<'b>>,
    /// Slots that are looked into by computed places.
    in_memory: FxHashSet<SlotId>,
    /// Slots that a round writes.
    written: FxHashSet<SlotId>,
    arrays: Vec<(SlotId, usize)>,
    widths: Vec<u8>,
    n_stores: u32,
}

fn loops<'w>(of: &'w While<'w>) -> impl Iterator<Item = &'w Loop> {
    of.cond.iter().chain(&of.body).filter_map(|work| match work {
        Work::Loop(fused) => Some(*fused),
        _ => None,
    })
}

impl<'b, 'f, 'c> Writer<'b, 'f, 'c> {
    fn new(
        builder: &'b Builder,
        of: &While<'_>,
        constant: &'f dyn Fn(SlotId) -> Option<&'c [u8]>,
        size: &'f dyn Fn(SlotId) -> usize,
    ) -> Option<Self> {
        let (mut in_memory, mut written) = (FxHashSet::default(), FxHashSet::default());
        for work in of.cond.iter().chain(&of.body) {
            match work {
                Work::Loop(fused) => written.extend(fused.outputs.iter().map(|(_, slot, _)| *slot)),
                Work::Copy(copy) => drop(written.insert(copy.to)),
                Work::Window(window) => {
                    in_memory.insert(window.large);
                    written.insert(if window.is_update { window.large } else { window.small });
                }
            }
        }
        let is_swapped = |slot: &SlotId| of.swaps.iter().any(|(a, b)| a == slot || b == slot);
        if in_memory.iter().any(is_swapped) {
            return None;
        }
        let (arrays, widths) = (Vec::new(), Vec::new());
        let held = FxHashMap::default();
        Some(Self { builder, constant, size, held, in_memory, written, arrays, widths, n_stores: 0 })
    }

    /// The number of an array in the table.
    fn array(&mut self, slot: SlotId, offset: usize, width: usize) -> u16 {
        let found = self.arrays.iter().zip(&self.widths);
        let found = found.into_iter().position(|(array, w)| *array == (slot, offset) && usize::from(*w) == width);
        found.unwrap_or_else(|| {
            self.arrays.push((slot, offset));
            self.widths.push(width as u8);
            self.arrays.len() - 1
        }) as u16
    }

    fn write(&mut self, of: &While<'_>) -> Option<()> {
        // The types of carried values are those of what replaces them; they are found by writing loops down in vain.
        let carried = self.carried(of)?;
        for (number, (slot, _, element, n)) in carried.iter().enumerate() {
            let first = self.stored(*slot, *element, *n)?;
            let lanes = self.carry_in(number as u32, first);
            self.held.insert(*slot, Held { lanes, element: *element, n: *n });
        }
        for work in &of.cond {
            self.work(work)?;
        }
        let pred = self.held.get(&of.pred).copied().or_else(|| self.read(of.pred, ElementType::I1, 1))?;
        let Lanes::M(mask) = pred.lanes else { return None };
        self.builder.push(Step::Exit(mask.1));
        for work in &of.body {
            self.work(work)?;
        }
        let mut moves = Vec::new();
        for (slot, next, element, n) in &carried {
            let next = self.held.get(next).copied()?;
            if next.element != *element || next.n != *n {
                return None;
            }
            let to = parts(self.held_first(slot)?);
            moves.extend(to.into_iter().zip(parts(next.lanes)));
        }
        self.moves(&moves);
        self.builder.0.borrow_mut().begin_after();
        for (slot, _, element, n) in &carried {
            let lanes = self.held_first(slot)?;
            let array = self.array(*slot, 0, element.byte_width());
            let builder = self.builder;
            let (lanes, n) = (out_of_carried(lanes, *element), *n as u8);
            store_by(builder, *element, lanes, |code, size, is_high, value| {
                let transfer = Transfer { code, size, array, is_high };
                builder.push(Step::StoreWindow(Window { transfer, n, index: None, serial: Some(0) }, value));
            });
        }
        Some(())
    }

    /// Carried slots: what replaces them, and their types.
    fn carried(&self, of: &While<'_>) -> Option<Vec<(SlotId, SlotId, ElementType, usize)>> {
        let mut carried = Vec::new();
        for (slot, next) in of.swaps {
            let element = self.element_of(of, *next)?;
            let n = (self.size)(*slot) / element.byte_width();
            if n == 0 || n > LANES || self.written.contains(slot) {
                return None;
            }
            carried.push((*slot, *next, element, n));
        }
        Some(carried)
    }

    /// The type of a slot, from what writes it.
    fn element_of(&self, of: &While<'_>, slot: SlotId) -> Option<ElementType> {
        let mut slot = slot;
        for _ in 0..16 {
            for fused in loops(of) {
                if let Some((reg, ..)) = fused.outputs.iter().find(|(_, output, _)| *output == slot) {
                    return elements(fused)?[usize::from(*reg)];
                }
                if let Some(reg) = fused
                    .inputs
                    .iter()
                    .position(|input| input.slot == slot && !matches!(input.access, Access::Iota { .. }))
                    && let Some(element) = elements(fused)?[reg]
                {
                    return Some(element);
                }
            }
            // What it is a copy of, or what will replace it.
            let copied = of.cond.iter().chain(&of.body).find_map(|work| match work {
                Work::Copy(copy) if copy.to == slot => Some(copy.from),
                _ => None,
            });
            let next = || of.swaps.iter().find(|(carried, _)| *carried == slot).map(|(_, next)| *next);
            slot = copied.or_else(next)?;
        }
        None
    }

    fn held_first(&self, slot: &SlotId) -> Option<Lanes<'b>> {
        self.held.get(slot).map(|held| held.lanes)
    }

    /// Lanes that stand for what is carried from round to round, beginning with `first`.
    fn carry_in(&self, number: u32, first: Lanes<'b>) -> Lanes<'b> {
        let b = self.builder;
        let carried = |part: u32, first: Value| b.push(Step::Carried(number * 2 + part, first));
        let pair = |[low, high]: [Value; 2]| [carried(0, low), carried(1, high)];
        match first {
            // Masks are carried as numbers.
            Lanes::M(mask) => {
                let zero = I(b, b.push(Step::Four(0)));
                Lanes::I(I(b, carried(0, I::choose(mask, zero.c(1), zero).1)))
            }
            Lanes::I(x) => Lanes::I(I(b, carried(0, x.1))),
            Lanes::F(x) => Lanes::F(F(b, carried(0, x.1))),
            Lanes::D(x) => Lanes::D(D(b, pair(x.1))),
            Lanes::L(x) => Lanes::L(L(b, pair(x.1))),
        }
    }

    /// Hands new values to carried ones. What is itself an old value is put aside before any is replaced.
    fn moves(&self, moves: &[(Value, Value)]) {
        let b = self.builder;
        let is_carried = |value: Value| moves.iter().any(|(to, _)| *to == value);
        let aside: Vec<(Value, Value)> = moves
            .iter()
            .filter(|(to, from)| to != from)
            .map(|(to, from)| {
                let from = match is_carried(*from) {
                    true => b.one(Code::EVEX_Vmovaps_zmm_k1z_zmmm512, *from, super::program::Memory::No),
                    false => *from,
                };
                (*to, from)
            })
            .collect();
        for (to, from) in aside {
            b.push(Step::Carry(to, from, None));
        }
    }

    fn work(&mut self, work: &Work<'_>) -> Option<()> {
        match work {
            Work::Loop(fused) => self.fused(fused),
            Work::Window(window) => self.window(window),
            Work::Copy(copy) => {
                let held = self.held.get(&copy.from).copied()?;
                if self.in_memory.contains(&copy.to) {
                    return None;
                }
                self.held.insert(copy.to, held);
                Some(())
            }
        }
    }

    /// A value of a slot as it stands before the first round, or always.
    fn stored(&mut self, slot: SlotId, element: ElementType, n: usize) -> Option<Lanes<'b>> {
        let width = element.byte_width();
        if let Some(bytes) = (self.constant)(slot)
            && (n == 1 || bytes.len() == width)
        {
            return known(self.builder, element, bytes);
        }
        let array = self.array(slot, 0, width);
        if n == 1 {
            return splat(self.builder, element, array);
        }
        self.load(array, element, n, None, None)
    }

    fn load(
        &self,
        array: u16,
        element: ElementType,
        n: usize,
        index: Option<Value>,
        serial: Option<u32>,
    ) -> Option<Lanes<'b>> {
        let b = self.builder;
        load_by(b, element, |code, size, is_high| {
            let transfer = Transfer { code, size, array, is_high };
            b.push(Step::LoadWindow(Window { transfer, n: n as u8, index, serial }))
        })
    }

    /// The value of a slot that holds `n` elements.
    fn read(&mut self, slot: SlotId, element: ElementType, n: usize) -> Option<Held<'b>> {
        if let Some(held) = self.held.get(&slot).copied() {
            let lanes = out_of_carried(held.lanes, held.element);
            return (held.element == element && held.n == n).then_some(Held { lanes, ..held });
        }
        if self.written.contains(&slot) || self.in_memory.contains(&slot) {
            return None;
        }
        let lanes = self.stored(slot, element, n)?;
        let held = Held { lanes, element, n };
        self.held.insert(slot, held);
        Some(held)
    }

    fn fused(&mut self, fused: &Loop) -> Option<()> {
        if fused.n == 0 || fused.n > LANES {
            return None;
        }
        let elements = elements(fused)?;
        let mut lanes: Vec<Option<Lanes<'b>>> = vec![None; elements.len()];
        for (reg, input) in fused.inputs.iter().enumerate() {
            let Some(element) = elements[reg] else { continue };
            let size = (self.size)(input.slot);
            lanes[reg] = Some(match &input.access {
                Access::Linear { offset: 0 } if size == fused.n * input.width => {
                    self.read(input.slot, element, fused.n)?.lanes
                }
                Access::Splat { offset: 0 } if size == input.width => self.read(input.slot, element, 1)?.lanes,
                Access::Splat { offset } if !self.written.contains(&input.slot) => {
                    if self.held.contains_key(&input.slot) && (self.constant)(input.slot).is_none() {
                        return None;
                    }
                    match (self.constant)(input.slot) {
                        Some(bytes) => known(self.builder, element, bytes.get(*offset..)?)?,
                        None => {
                            let array = self.array(input.slot, *offset, input.width);
                            splat(self.builder, element, array)?
                        }
                    }
                }
                Access::Iota { divisor: 1, size, element: ElementType::I32 | ElementType::UI32 }
                    if *size >= fused.n =>
                {
                    Lanes::I(I(self.builder, self.builder.push(Step::Lanes(None))))
                }
                _ => return None,
            });
        }
        for instr in &fused.code {
            let mut args = [lanes[usize::from(instr.args[0])]?; 3];
            for (arg, reg) in args.iter_mut().zip(instr.args) {
                *arg = lanes[usize::from(reg)]?;
            }
            lanes[usize::from(instr.out)] = Some(ops::operation(&instr.op?, args)?);
        }
        for (reg, slot, _) in &fused.outputs {
            if self.in_memory.contains(slot) {
                return None;
            }
            let (lanes, element) = (lanes[usize::from(*reg)]?, elements[usize::from(*reg)]?);
            self.held.insert(*slot, Held { lanes, element, n: fused.n });
        }
        Some(())
    }

    /// The number of a window's first element.
    fn place(&mut self, starts: &[Start], width: usize) -> Option<I<'b>> {
        let zero = I(self.builder, self.builder.push(Step::Four(0)));
        let mut sum: Option<I<'b>> = None;
        for start in starts {
            let last = i32::try_from(start.last).ok()?;
            if start.offset != 0 || (self.size)(start.slot) != start.element.byte_width() {
                return None;
            }
            let limit = |x: I<'b>, code| x.with(zero.c(last), code);
            let index = match (self.read(start.slot, start.element, 1)?.lanes, ops::is_signed(start.element)) {
                (Lanes::I(x), true) => {
                    let x = x.with(zero, Code::EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32);
                    limit(x, Code::EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32)
                }
                (Lanes::I(x), false) => limit(x, Code::EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32),
                (Lanes::L(x), is_signed) => {
                    let x = match is_signed {
                        true => x.with(x.c(0), Code::EVEX_Vpmaxsq_zmm_k1z_zmm_zmmm512b64),
                        false => x,
                    };
                    x.with(x.c(i64::from(last)), Code::EVEX_Vpminuq_zmm_k1z_zmm_zmmm512b64).low()
                }
                _ => return None,
            };
            let stride = i32::try_from(start.stride / width as isize).ok()?;
            let scaled = if stride == 1 { index } else { index * zero.c(stride) };
            sum = Some(sum.map_or(scaled, |sum| sum + scaled));
        }
        Some(sum.unwrap_or(zero))
    }

    fn window(&mut self, window: &WindowOf<'_>) -> Option<()> {
        let n = window.n;
        if n == 0 || n > LANES || (self.size)(window.large) >= 1 << 31 {
            return None;
        }
        let index = self.place(window.starts, window.element.byte_width())?;
        let array = self.array(window.large, window.offset, window.element.byte_width());
        if !window.is_update {
            let lanes = self.load(array, window.element, n, Some(index.1), Some(self.n_stores))?;
            // A single element counts as the same in all lanes.
            let lanes = if n == 1 { spread(lanes)? } else { lanes };
            self.held.insert(window.small, Held { lanes, element: window.element, n });
            return Some(());
        }
        let lanes = self.read(window.small, window.element, n)?.lanes;
        self.n_stores += 1;
        let (b, serial) = (self.builder, Some(self.n_stores));
        store_by(b, window.element, lanes, |code, size, is_high, value| {
            let transfer = Transfer { code, size, array, is_high };
            b.push(Step::StoreWindow(Window { transfer, n: n as u8, index: Some(index.1), serial }, value));
        });
        Some(())
    }
}

/// The first lane in all lanes.
fn spread(lanes: Lanes<'_>) -> Option<Lanes<'_>> {
    let spread =
        |b: &Builder, value: Value, code| b.sized(code, [Size::Z, Size::X, Size::X], [Some(value), None], None);
    let (four, eight) = (Code::EVEX_Vbroadcastss_zmm_k1z_xmmm32, Code::EVEX_Vbroadcastsd_zmm_k1z_xmmm64);
    Some(match lanes {
        Lanes::I(x) => Lanes::I(I(x.0, spread(x.0, x.1, four))),
        Lanes::F(x) => Lanes::F(F(x.0, spread(x.0, x.1, four))),
        Lanes::D(x) => Lanes::D(D(x.0, [spread(x.0, x.1[0], eight); 2])),
        Lanes::L(x) => Lanes::L(L(x.0, [spread(x.0, x.1[0], eight); 2])),
        Lanes::M(_) => return None,
    })
}

/// The values that lanes consist of; masks as numbers.
fn parts(lanes: Lanes<'_>) -> SmallVec<[Value; 2]> {
    match lanes {
        Lanes::M(mask) => {
            let zero = I(mask.0, mask.0.push(Step::Four(0)));
            SmallVec::from_slice(&[I::choose(mask, zero.c(1), zero).1])
        }
        Lanes::I(I(_, x)) | Lanes::F(F(_, x)) => SmallVec::from_slice(&[x]),
        Lanes::D(D(_, x)) | Lanes::L(L(_, x)) => SmallVec::from_slice(&x),
    }
}

/// Truth values are carried as numbers.
fn out_of_carried(lanes: Lanes<'_>, element: ElementType) -> Lanes<'_> {
    match lanes {
        Lanes::I(x) if element == ElementType::I1 => Lanes::M(M(x.0, x.tests(x).1)),
        lanes => lanes,
    }
}

/// The bytes of the function, after its constants, and where it begins.
fn assemble(program: &Program, widths: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut bases = vec![None; widths.len()];
    let mut n_bases = 0;
    for (step, is_invariant) in program.steps.iter().zip(&program.is_invariant) {
        let (Step::LoadWindow(window) | Step::StoreWindow(window, _)) = step else { continue };
        let base = &mut bases[usize::from(window.transfer.array)];
        if !is_invariant && base.is_none() && n_bases < BASES.len() {
            *base = Some(BASES[n_bases]);
            n_bases += 1;
        }
    }
    let mut emitter = Emitter::new(program, widths, &vec![false; widths.len()], bases);
    let entry = emitter.pool.len();
    emitter.asm.is_rehearsal = true;
    emitter.body(Mode::Before);
    if !emitter.pin_carried() {
        return None;
    }
    let n_carried = emitter.n_pinned();
    let need = emitter.body(Mode::Round).registers as usize;
    emitter.asm.is_rehearsal = false;
    let frame = prologue(&mut emitter, n_bases);
    emitter.body(Mode::Before);
    emitter.pin_carried();
    emitter.pin(32usize.saturating_sub(need + n_carried), 1);
    let asm = &mut emitter.asm;
    asm.put(Instruction::with2(Code::Mov_r32_imm32, Register::ECX, 0u32));
    let (done, false_, again) = (asm.label(), asm.label(), asm.label());
    asm.bind(again);
    asm.put(Instruction::with2(Code::Cmp_rm64_imm8, INDEX, 0));
    asm.jump(Code::Je_rel32_64, done);
    emitter.exit = Some(false_);
    emitter.body(Mode::Round);
    let asm = &mut emitter.asm;
    asm.put(Instruction::with2(Code::Sub_rm64_imm32, INDEX, 1));
    asm.jump(Code::Jmp_rel32_64, again);
    asm.bind(false_);
    asm.put(Instruction::with2(Code::Mov_r32_imm32, Register::ECX, 1u32));
    asm.bind(done);
    emitter.body(Mode::After);
    let asm = &mut emitter.asm;
    asm.put(Instruction::with2(Code::Mov_r64_rm64, Register::RAX, INDEX));
    asm.put(Instruction::with2(Code::Add_r64_rm64, Register::RAX, INDEX));
    asm.put(Instruction::with2(Code::Add_r64_rm64, Register::RAX, Register::RCX));
    epilogue(&mut emitter, n_bases);
    emitter.asides();
    emitter.asm.patch(frame, emitter.frame() as i32);
    let pool = std::mem::take(&mut emitter.pool);
    Some((emitter.asm.finish(&pool)?, entry))
}
