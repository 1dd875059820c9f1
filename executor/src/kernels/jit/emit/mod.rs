//! From steps to instructions: which register holds which value when.
//!
//! The steps of a body are straight code. Going through it, a value takes a register when it is made and gives it back after
//! its last use; when none is free, the value that is needed last gives way. Invariant values stand in memory (constants
//! beside the code, others on the stack) and are read from there, except for the most used ones, which keep a register.

mod asides;
mod instructions;

use iced_x86::{Code, Instruction, MemoryOperand, Register};
use smallvec::SmallVec;

use super::asm::{Asm, Label, at, in_pool, register};
use super::program::{Memory, Program, Size, Step, Value};

/// Where a value stands in memory.
#[derive(Copy, Clone, PartialEq, Debug)]
enum Home {
    None,
    /// Beside the code: its bytes (4, 8, or 64) and place.
    Pool(u8, u64),
    /// On the stack.
    Stack(i64),
}

/// Lanes of a vector.
pub const LANES: usize = 16;
/// The mask of the lanes that exist, and of the upper eight of them.
const TAIL: u8 = 1;
const HIGH_TAIL: u8 = 2;
/// Registers of the calling convention and of this code.
pub const TABLE: Register = Register::RDI;
/// The position.
pub const INDEX: Register = Register::RSI;
/// Where the range ends.
pub const END: Register = Register::RDX;
/// Registers that hold addresses of arrays.
pub const BASES: [Register; 9] = [
    Register::R8,
    Register::R9,
    Register::R10,
    Register::R11,
    Register::RBX,
    Register::R12,
    Register::R13,
    Register::R14,
    Register::R15,
];

/// How a body is emitted.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Mode {
    /// The invariant steps.
    Before,
    /// This many whole vectors at once.
    Whole(u8),
    /// One vector of which only some lanes exist.
    Tail,
    /// A round of a loop of few elements.
    Round,
    /// What happens after the last round.
    After,
}

/// What a body needs.
#[derive(Copy, Clone, Default, Debug)]
pub struct Need {
    /// Vector registers.
    pub registers: u32,
    /// Values that had to give way.
    pub spills: u32,
}

/// One of several copies of a value; invariant ones have one.
type Instance = u32;

/// The registers of one kind.
#[derive(Clone, Default)]
struct File {
    holder: [Option<Instance>; 32],
    /// Registers that may be given out.
    usable: u32,
    pinned: u32,
    touched: u32,
}

/// The emission of a program.
pub struct Emitter<'p> {
    program: &'p Program,
    /// The bytes.
    pub asm: Asm,
    /// Constants.
    pub pool: Vec<u8>,
    homes: Vec<Home>,
    /// Homes of copies that gave way, in the current body.
    spilled: Vec<Home>,
    frame: i64,
    used_outside: Vec<bool>,
    vectors: File,
    masks: File,
    /// By instance: its register.
    place: Vec<Option<u8>>,
    /// By instance: positions of its uses, the last first.
    uses: Vec<SmallVec<[u32; 4]>>,
    /// By array: the register of its address.
    pub bases: Vec<Option<Register>>,
    widths: Vec<u8>,
    streamed: Vec<bool>,
    asides: Vec<asides::Aside>,
    /// Where a round goes that is not done.
    pub exit: Option<Label>,
    need: Need,
    mode: Mode,
}

impl<'p> Emitter<'p> {
    /// Begins: lays out the constants.
    pub fn new(program: &'p Program, widths: &[u8], streamed: &[bool], bases: Vec<Option<Register>>) -> Self {
        let n = program.steps.len();
        let mut pool = Vec::new();
        let mut homes = vec![Home::None; n];
        let place = |pool: &mut Vec<u8>, bytes: &[u8]| {
            pool.resize(pool.len().next_multiple_of(bytes.len()), 0);
            pool.extend_from_slice(bytes);
            Home::Pool(bytes.len() as u8, (pool.len() - bytes.len()) as u64)
        };
        for (home, step) in homes.iter_mut().zip(&program.steps) {
            *home = match *step {
                Step::Four(bits) => place(&mut pool, &bits.to_le_bytes()),
                Step::Eight(bits) => place(&mut pool, &bits.to_le_bytes()),
                Step::Table(table) => {
                    let table: Vec<u8> = table.into_iter().flat_map(u32::to_le_bytes).collect();
                    place(&mut pool, &table)
                }
                Step::Lanes(None) => {
                    let lanes: Vec<u8> = (0..16u32).flat_map(u32::to_le_bytes).collect();
                    place(&mut pool, &lanes)
                }
                Step::Lanes(Some(is_high)) => {
                    let first = if is_high { 8u64 } else { 0 };
                    let lanes: Vec<u8> = (first..first + 8).flat_map(u64::to_le_bytes).collect();
                    place(&mut pool, &lanes)
                }
                _ => Home::None,
            };
        }
        pool.resize(pool.len().next_multiple_of(64), 0);
        let mut used_outside = vec![false; n];
        for (step, is_invariant) in program.steps.iter().zip(&program.is_invariant) {
            if !is_invariant {
                step.args().for_each(|arg| used_outside[arg as usize] = true);
            }
        }
        Self {
            program,
            asm: Asm::new(pool.len() as u64),
            pool,
            homes,
            spilled: Vec::new(),
            frame: 0,
            used_outside,
            vectors: File { usable: u32::MAX, ..File::default() },
            masks: File { usable: 0xfe, ..File::default() },
            place: Vec::new(),
            uses: Vec::new(),
            bases,
            widths: widths.to_vec(),
            streamed: streamed.to_vec(),
            asides: Vec::new(),
            exit: None,
            need: Need::default(),
            mode: Mode::Before,
        }
    }

    /// Bytes of the stack that have been given out.
    pub fn frame(&self) -> i64 {
        self.frame
    }

    /// Whether an array is stored past the caches.
    pub fn is_streamed(&self, array: usize) -> bool {
        self.streamed[array]
    }

    /// Bytes of an element of an array.
    pub fn width(&self, array: usize) -> u8 {
        self.widths[array]
    }

    fn stack(&mut self, bytes: i64) -> i64 {
        self.frame += bytes;
        self.frame - bytes
    }

    fn instance(&self, value: Value, copy: u8) -> Instance {
        let n = self.program.steps.len() as u32;
        if self.program.is_invariant[value as usize] { value } else { value + n * u32::from(copy) }
    }

    fn value(&self, instance: Instance) -> Value {
        instance % self.program.steps.len() as u32
    }

    fn home(&self, instance: Instance) -> Home {
        let value = self.value(instance);
        match self.homes[value as usize] {
            Home::None => self.spilled.get(instance as usize).copied().unwrap_or(Home::None),
            home => home,
        }
    }

    fn file(&mut self, instance: Instance) -> &mut File {
        let is_mask = self.program.steps[self.value(instance) as usize].is_mask();
        if is_mask { &mut self.masks } else { &mut self.vectors }
    }

    /// Emits a body.
    pub fn body(&mut self, mode: Mode) -> Need {
        let n = self.program.steps.len();
        let copies = if let Mode::Whole(copies) = mode { copies } else { 1 };
        self.mode = mode;
        self.masks.usable = if matches!(mode, Mode::Whole(_)) { 0xfe } else { 0xf8 };
        self.spilled = vec![Home::None; n * usize::from(copies)];
        self.need = Need::default();
        self.vectors.touched = 0;
        self.place.resize(self.place.len().max(n * usize::from(copies)), None);
        self.uses = vec![SmallVec::new(); n * usize::from(copies)];
        let program = self.program;
        let mut order: Vec<(Value, u8)> = Vec::new();
        for value in 0..n as Value {
            let is_after = program.after.is_some_and(|after| value as usize >= after);
            let is_here = match program.is_invariant[value as usize] {
                true => mode == Mode::Before,
                false => mode != Mode::Before && is_after == (mode == Mode::After),
            };
            if is_here && !program.steps[value as usize].is_known() {
                order.extend((0..copies).map(|copy| (value, copy)));
            }
        }
        for (position, (value, copy)) in order.iter().enumerate().rev() {
            for arg in program.steps[*value as usize].args() {
                let instance = self.instance(arg, *copy);
                self.uses[instance as usize].push(position as u32);
            }
        }
        for (position, (value, copy)) in order.iter().enumerate() {
            self.step(*value, *copy, position as u32);
        }
        // Nothing but pinned registers outlives a body.
        for (file, pinned) in [(&mut self.vectors, true), (&mut self.masks, false)] {
            for (number, holder) in file.holder.iter_mut().enumerate() {
                if let Some(instance) = holder.filter(|_| !pinned || file.pinned & (1 << number) == 0) {
                    self.place[instance as usize] = None;
                    *holder = None;
                }
            }
        }
        self.need.registers = self.vectors.touched.count_ones();
        self.need
    }

    /// Gives the most used invariant values registers of their own, `n` at most.
    pub fn pin(&mut self, n: usize, copies: u8) {
        let program = self.program;
        let mut counts = vec![0u32; program.steps.len()];
        for (step, is_invariant) in program.steps.iter().zip(&program.is_invariant) {
            if *is_invariant || matches!(step, Step::Carried(..)) {
                continue;
            }
            let args: SmallVec<[Value; 3]> = step.args().collect();
            for (index, arg) in args.iter().enumerate() {
                // The last operand can be read from memory.
                let is_last = match step {
                    Step::Plain(plain) => plain.memory != Memory::No && index + 1 == args.len(),
                    Step::Fma(..) | Step::Ternary(..) => index == 2,
                    _ => false,
                };
                counts[*arg as usize] += if is_last { 2 } else { 3 };
            }
        }
        let is_candidate =
            |value: usize| program.is_invariant[value] && counts[value] > 0 && !program.steps[value].is_mask();
        let mut candidates: Vec<usize> = (0..counts.len()).filter(|value| is_candidate(*value)).collect();
        candidates.sort_by_key(|value| std::cmp::Reverse(counts[*value]));
        self.place.resize(self.place.len().max(program.steps.len() * usize::from(copies)), None);
        let n_pinned = self.vectors.pinned.count_ones() as u8;
        for (index, value) in candidates.into_iter().take(n).enumerate() {
            let number = 31 - n_pinned - index as u8;
            self.vectors.holder[usize::from(number)] = Some(value as Instance);
            self.vectors.pinned |= 1 << number;
            self.place[value] = Some(number);
            self.load_home(value as Instance, number);
        }
    }

    /// The next use of an instance after a position.
    fn next_use(&self, instance: Instance, position: u32) -> u32 {
        self.uses[instance as usize].iter().rev().copied().find(|at| *at > position).unwrap_or(u32::MAX)
    }

    /// A free register of an instance's kind; those of `keep` stay where they are.
    fn take(&mut self, instance: Instance, position: u32, keep: &[Instance]) -> u8 {
        let file = self.file(instance);
        let (usable, pinned, holder) = (file.usable, file.pinned, file.holder);
        let candidates = (0..32u8).filter(|number| usable & !pinned & (1 << number) != 0);
        let mut victim: Option<(u64, u8)> = None;
        for number in candidates {
            let Some(held) = holder[usize::from(number)] else {
                return self.hold(instance, number);
            };
            if keep.contains(&held) {
                continue;
            }
            // What stands in memory anyway gives way before what would have to be stored.
            let next = u64::from(self.next_use(held, position));
            let weight = if self.home(held) == Home::None { next } else { next * 2 + 8 };
            if victim.is_none_or(|(best, _)| weight > best) {
                victim = Some((weight, number));
            }
        }
        let number = victim.map_or(0, |(_, number)| number);
        if let Some(held) = holder[usize::from(number)] {
            if self.home(held) == Home::None && self.next_use(held, position) != u32::MAX
                || self.home(held) == Home::None && self.uses[held as usize].contains(&position)
            {
                let place = self.stack(64);
                self.spilled[held as usize] = Home::Stack(place);
                self.store_home(held, number, place);
                self.need.spills += 1;
            }
            self.place[held as usize] = None;
        }
        self.hold(instance, number)
    }

    fn hold(&mut self, instance: Instance, number: u8) -> u8 {
        let file = self.file(instance);
        file.holder[usize::from(number)] = Some(instance);
        file.touched |= 1 << number;
        self.place[instance as usize] = Some(number);
        number
    }

    fn free(&mut self, instance: Instance) {
        if let Some(number) = self.place[instance as usize] {
            let file = self.file(instance);
            if file.pinned & (1 << number) == 0 {
                file.holder[usize::from(number)] = None;
                self.place[instance as usize] = None;
            }
        }
    }

    fn store_home(&mut self, instance: Instance, number: u8, place: i64) {
        let step = self.program.steps[self.value(instance) as usize];
        self.asm.put(match step.is_mask() {
            true => Instruction::with2(Code::VEX_Kmovw_m16_kr, at(Register::RSP, place), register(Size::K, number)),
            false => Instruction::with2(
                Code::EVEX_Vmovaps_zmmm512_k1z_zmm,
                at(Register::RSP, place),
                register(Size::Z, number),
            ),
        });
    }

    fn load_home(&mut self, instance: Instance, number: u8) {
        let step = self.program.steps[self.value(instance) as usize];
        let vector = register(Size::Z, number);
        self.asm.put(match self.home(instance) {
            Home::Stack(place) if step.is_mask() => {
                Instruction::with2(Code::VEX_Kmovw_kr_km16, register(Size::K, number), at(Register::RSP, place))
            }
            Home::Stack(place) => {
                Instruction::with2(Code::EVEX_Vmovaps_zmm_k1z_zmmm512, vector, at(Register::RSP, place))
            }
            Home::Pool(4, offset) => {
                Instruction::with2(Code::EVEX_Vbroadcastss_zmm_k1z_xmmm32, vector, in_pool(offset, false))
            }
            Home::Pool(8, offset) => {
                Instruction::with2(Code::EVEX_Vbroadcastsd_zmm_k1z_xmmm64, vector, in_pool(offset, false))
            }
            Home::Pool(_, offset) => {
                Instruction::with2(Code::EVEX_Vmovaps_zmm_k1z_zmmm512, vector, in_pool(offset, false))
            }
            Home::None => {
                debug_assert!(false, "a value has neither a register nor a home");
                return;
            }
        });
    }

    /// The register of an operand; it is loaded if need be.
    fn operand(&mut self, instance: Instance, position: u32, keep: &[Instance]) -> u8 {
        if let Some(number) = self.place[instance as usize] {
            return number;
        }
        let number = self.take(instance, position, keep);
        self.load_home(instance, number);
        number
    }

    /// The operand in memory, if it stands there and not in a register, and may be read so.
    fn memory(&self, instance: Instance, memory: Memory) -> Option<(MemoryOperand, bool)> {
        if self.place[instance as usize].is_some() || memory == Memory::No {
            return None;
        }
        match (self.home(instance), memory) {
            (Home::Stack(place), _) => Some((at(Register::RSP, place), false)),
            (Home::Pool(64, offset), _) => Some((in_pool(offset, false), false)),
            (Home::Pool(4, offset), Memory::Four) | (Home::Pool(8, offset), Memory::Eight) => {
                Some((in_pool(offset, true), true))
            }
            _ => None,
        }
    }

    fn is_dying(&self, instance: Instance, position: u32) -> bool {
        let is_pinned = self.place[instance as usize].is_some_and(|number| {
            let is_mask = self.program.steps[self.value(instance) as usize].is_mask();
            !is_mask && self.vectors.pinned & (1 << number) != 0
        });
        !is_pinned && self.next_use(instance, position) == u32::MAX
    }

    /// Frees operands after their last use.
    fn retire(&mut self, args: &[Instance], position: u32) {
        for arg in args {
            if self.next_use(*arg, position) == u32::MAX {
                self.free(*arg);
            }
        }
    }

    /// How many registers are given out for good.
    pub fn n_pinned(&self) -> usize {
        self.vectors.pinned.count_ones() as usize
    }

    /// Gives carried values registers of their own, with their first values. Whether there are enough.
    pub fn pin_carried(&mut self) -> bool {
        let program = self.program;
        let is_carried = |value: &usize| matches!(program.steps[*value], Step::Carried(..));
        let carried: Vec<usize> = (0..program.steps.len()).filter(is_carried).collect();
        self.place.resize(self.place.len().max(program.steps.len()), None);
        for (index, value) in carried.iter().enumerate().take(24) {
            let number = 31 - index as u8;
            if let Step::Carried(_, first) = program.steps[*value] {
                self.load_home(first, number);
            }
            self.vectors.holder[usize::from(number)] = Some(*value as Instance);
            self.vectors.pinned |= 1 << number;
            self.place[*value] = Some(number);
        }
        carried.len() <= 24
    }

    /// Gives the carried values of `copies` copies registers of their own, which no other values have then.
    pub fn pin_accumulators(&mut self, copies: u8) {
        let n = self.program.steps.len();
        self.place.clear();
        self.place.resize(n * usize::from(copies), None);
        self.vectors = File { usable: self.vectors.usable, ..File::default() };
        for (number, instance) in (0..=31u8).rev().zip(self.accumulators(copies)) {
            self.vectors.holder[usize::from(number)] = Some(instance);
            self.vectors.pinned |= 1 << number;
            self.place[instance as usize] = Some(number);
        }
    }

    /// The carried values of all copies.
    fn accumulators(&self, copies: u8) -> Vec<Instance> {
        let is_carried = |value: &Value| matches!(self.program.steps[*value as usize], Step::Carried(..));
        let carried = (0..self.program.steps.len() as Value).filter(is_carried);
        carried.flat_map(|value| (0..copies).map(move |copy| (value, copy))).map(|(v, c)| self.instance(v, c)).collect()
    }

    /// Brings the accumulators of all copies from an array or there; how many vectors they are.
    pub fn move_accumulators(&mut self, array: usize, copies: u8, is_load: bool) -> usize {
        let accumulators = self.accumulators(copies);
        let table = at(TABLE, array as i64 * 8);
        self.asm.put(Instruction::with2(Code::Mov_r64_rm64, Register::RAX, table));
        for (index, instance) in accumulators.iter().enumerate() {
            let vector = register(Size::Z, self.place[*instance as usize].unwrap_or(0));
            let memory = at(Register::RAX, 64 * index as i64);
            self.asm.put(match is_load {
                true => Instruction::with2(Code::EVEX_Vmovups_zmm_k1z_zmmm512, vector, memory),
                false => Instruction::with2(Code::EVEX_Vmovups_zmmm512_k1z_zmm, memory, vector),
            });
        }
        accumulators.len()
    }

    /// An invariant value that is read in the loop gets its home.
    fn settle(&mut self, result: Instance, number: u8) {
        if self.mode == Mode::Before && self.used_outside[self.value(result) as usize] {
            let value = self.value(result) as usize;
            let place = match self.homes[value] {
                Home::Stack(place) => place,
                _ => self.stack(64),
            };
            self.homes[value] = Home::Stack(place);
            self.store_home(result, number, place);
        }
    }
}
