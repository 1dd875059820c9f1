//! From steps to instructions: which register holds which value when.
//!
//! The steps of a body are straight code. Going through it, a value takes a register when it is made and gives it back after
//! its last use; when none is free, the value that is needed last gives way. Invariant values stand in memory (constants
//! beside the code, others on the stack) and are read from there, except for the most used ones, which keep a register.

use iced_x86::{Code, Instruction, MemoryOperand, Register};
use smallvec::SmallVec;

use super::asm::{Asm, Label, at, in_pool, register};
use super::program::{Memory, Plain, Program, Size, Step, Transfer, Value, Window};

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

/// A call that leaves the straight path.
struct Aside {
    there: Label,
    back: Label,
    step: Step,
    result: u8,
    x: u8,
    mask: u8,
    live: (u32, u32),
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
    asides: Vec<Aside>,
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
        self.place.resize(n * usize::from(copies), None);
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
            if *is_invariant {
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

    fn step(&mut self, value: Value, copy: u8, position: u32) {
        let step = self.program.steps[value as usize];
        let result = self.instance(value, copy);
        let args: SmallVec<[Instance; 3]> = step.args().map(|arg| self.instance(arg, copy)).collect();
        match step {
            Step::Plain(plain) => self.plain(plain, result, &args, position),
            Step::Fma(_, is_wide) => self.fma(result, [args[0], args[1], args[2]], is_wide, position),
            Step::Ternary(_, table) => {
                let second = self.operand(args[1], position, &args);
                let memory = self.memory(args[2], Memory::Four).or(self.memory(args[2], Memory::Eight));
                let third = match memory {
                    Some(_) => 0,
                    None => self.operand(args[2], position, &args),
                };
                let is_wide = matches!(self.home(args[2]), Home::Pool(8, _));
                let first = register(Size::Z, self.tied(result, args[0], position, &args));
                let second = register(Size::Z, second);
                let code = match is_wide {
                    true => Code::EVEX_Vpternlogq_zmm_k1z_zmm_zmmm512b64_imm8,
                    false => Code::EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8,
                };
                let table = u32::from(table);
                let instruction = match memory {
                    Some((memory, _)) => Instruction::with4(code, first, second, memory, table),
                    None => Instruction::with4(code, first, second, register(Size::Z, third), table),
                };
                self.asm.put(instruction);
                self.retire(&args, position);
            }
            Step::Load(transfer) => {
                let number = self.take(result, position, &[]);
                let memory = self.element(transfer, copy);
                self.put_masked(
                    transfer,
                    |code| Instruction::with2(code, register(transfer.size, number), memory),
                    true,
                );
            }
            Step::Store(transfer, _) => {
                let number = self.operand(args[0], position, &args);
                let memory = self.element(transfer, copy);
                let is_streamed = self.streamed[usize::from(transfer.array)] && matches!(self.mode, Mode::Whole(_));
                let streaming = match transfer.size {
                    Size::X => Code::EVEX_Vmovntdq_m128_xmm,
                    Size::Y => Code::EVEX_Vmovntdq_m256_ymm,
                    _ => Code::EVEX_Vmovntps_m512_zmm,
                };
                let transfer = if is_streamed { Transfer { code: streaming, ..transfer } } else { transfer };
                self.put_masked(
                    transfer,
                    |code| Instruction::with2(code, memory, register(transfer.size, number)),
                    false,
                );
                self.retire(&args, position);
            }
            Step::Splat(code, array) => {
                let base = self.base(array);
                let number = self.take(result, position, &[]);
                self.asm.put(Instruction::with2(code, register(Size::Z, number), at(base, 0)));
                self.settle(result, number);
            }
            Step::Position(array, is_wide) => {
                let table = at(TABLE, i64::from(array) * 8);
                self.asm.put(Instruction::with2(Code::Mov_r64_rm64, Register::RAX, table));
                self.asm.put(Instruction::with2(Code::Add_r64_rm64, Register::RAX, INDEX));
                if copy > 0 {
                    let step = i32::from(copy) * LANES as i32;
                    self.asm.put(Instruction::with2(Code::Add_rm64_imm8, Register::RAX, step));
                }
                let number = self.take(result, position, &[]);
                let vector = register(Size::Z, number);
                self.asm.put(match is_wide {
                    true => Instruction::with2(Code::EVEX_Vpbroadcastq_zmm_k1z_r64, vector, Register::RAX),
                    false => Instruction::with2(Code::EVEX_Vpbroadcastd_zmm_k1z_r32, vector, Register::EAX),
                });
            }
            Step::Call { .. } => self.call(step, result, &args, position),
            Step::LoadWindow(window) => {
                let memory = self.window(window, args.first().copied(), position, &args);
                let number = self.take(result, position, &[]);
                let out = register(window.transfer.size, number);
                let (code, is_masked) = (window.transfer.code, memory.1);
                self.asm.put(Instruction::with2(code, out, memory.0).map(|mut instruction| {
                    if is_masked {
                        instruction.set_op_mask(register(Size::K, TAIL));
                        instruction.set_zeroing_masking(true);
                    }
                    instruction
                }));
                self.retire(&args, position);
                self.settle(result, number);
            }
            Step::StoreWindow(window, _) => {
                let number = self.operand(args[0], position, &args);
                let memory = self.window(window, args.get(1).copied(), position, &args);
                let from = register(window.transfer.size, number);
                let (code, is_masked) = (window.transfer.code, memory.1);
                self.asm.put(Instruction::with2(code, memory.0, from).map(|mut instruction| {
                    if is_masked {
                        instruction.set_op_mask(register(Size::K, TAIL));
                    }
                    instruction
                }));
                self.retire(&args, position);
            }
            Step::Exit(_) => {
                let number = self.operand(args[0], position, &args);
                self.asm.put(Instruction::with2(Code::VEX_Kmovw_r32_kr, Register::EAX, register(Size::K, number)));
                self.asm.put(Instruction::with2(Code::Test_rm32_imm32, Register::EAX, 1u32));
                if let Some(exit) = self.exit {
                    self.asm.jump(Code::Je_rel32_64, exit);
                }
                self.retire(&args, position);
            }
            Step::Carry(carried, _) => {
                let number = self.operand(args[0], position, &args);
                let to = register(Size::Z, self.place[carried as usize].unwrap_or(0));
                let from = register(Size::Z, number);
                self.asm.put(Instruction::with2(Code::EVEX_Vmovaps_zmm_k1z_zmmm512, to, from));
                self.retire(&args, position);
            }
            Step::Carried(..) => return,
            Step::Four(_) | Step::Eight(_) | Step::Table(_) | Step::Lanes(_) => {}
        }
        if self.uses[result as usize].is_empty() {
            self.free(result);
        }
    }

    /// Where a window stands, and whether its lanes are those of the mask that has been set.
    fn window(
        &mut self,
        window: Window,
        index: Option<Instance>,
        position: u32,
        keep: &[Instance],
    ) -> (MemoryOperand, bool) {
        let transfer = window.transfer;
        let width = u32::from(self.widths[usize::from(transfer.array)]);
        let (first, lanes) = if transfer.is_high { (LANES / 2, LANES / 2) } else { (0, LANES) };
        let lanes = if width == 8 { LANES / 2 } else { lanes };
        let n = usize::from(window.n).saturating_sub(first).min(lanes);
        if n < lanes {
            self.asm.put(Instruction::with2(Code::Mov_r32_imm32, Register::EAX, (1u32 << n) - 1));
            self.asm.put(Instruction::with2(Code::VEX_Kmovw_kr_r32, register(Size::K, TAIL), Register::EAX));
        }
        let displacement = (first * width as usize) as i64;
        let index = index.map(|index| self.operand(index, position, keep));
        let base = self.bases[usize::from(transfer.array)].unwrap_or_else(|| {
            let table = at(TABLE, i64::from(transfer.array) * 8);
            self.asm.put(Instruction::with2(Code::Mov_r64_rm64, Register::RDX, table));
            Register::RDX
        });
        let memory = match index {
            Some(number) => {
                let from = register(Size::X, number);
                self.asm.put(Instruction::with2(Code::EVEX_Vmovd_rm32_xmm, Register::EAX, from));
                MemoryOperand::with_base_index_scale_displ_size(base, Register::RAX, width, displacement, 1)
            }
            None => at(base, displacement),
        };
        (memory, n < lanes)
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

    /// The register with an array's address.
    fn base(&mut self, array: u16) -> Register {
        self.bases[usize::from(array)].unwrap_or_else(|| {
            let table = at(TABLE, i64::from(array) * 8);
            self.asm.put(Instruction::with2(Code::Mov_r64_rm64, Register::RAX, table));
            Register::RAX
        })
    }

    /// Where an array's elements stand.
    fn element(&mut self, transfer: Transfer, copy: u8) -> MemoryOperand {
        let width = self.widths[usize::from(transfer.array)];
        let base = self.base(transfer.array);
        let lane = usize::from(copy) * LANES + if transfer.is_high { LANES / 2 } else { 0 };
        let displacement = (lane * usize::from(width)) as i64;
        MemoryOperand::with_base_index_scale_displ_size(base, INDEX, u32::from(width), displacement, 1)
    }

    fn put_masked(
        &mut self,
        transfer: Transfer,
        make: impl Fn(Code) -> Result<Instruction, iced_x86::IcedError>,
        is_load: bool,
    ) {
        let mask = if transfer.is_high { HIGH_TAIL } else { TAIL };
        let is_tail = self.mode == Mode::Tail;
        self.asm.put(make(transfer.code).map(|mut instruction| {
            if is_tail {
                instruction.set_op_mask(register(Size::K, mask));
                instruction.set_zeroing_masking(is_load);
            }
            instruction
        }));
    }

    fn plain(&mut self, plain: Plain, result: Instance, args: &[Instance], position: u32) {
        let n = plain.args.iter().flatten().count();
        let mask = plain.mask.map(|_| args[args.len() - 1]);
        let mask = mask.map(|mask| register(Size::K, self.operand(mask, position, args)));
        let (mut first, mut last) = (args[0], args[n - 1]);
        if plain.is_commutative && self.place[first as usize].is_none() && self.place[last as usize].is_some() {
            (first, last) = (last, first);
        }
        let memory = self.memory(last, plain.memory);
        let a = (n == 2).then(|| register(plain.sizes[1], self.operand(first, position, args)));
        let b = match memory {
            Some(_) => None,
            None => Some(register(plain.sizes[n], self.operand(last, position, args))),
        };
        self.retire(args, position);
        // A register that has just been freed may be the result's, except beside operands of other kinds.
        let number = self.take(result, position, &[]);
        let out = register(plain.sizes[0], number);
        let imm = plain.imm.map(u32::from);
        let instruction = match (a, b, memory, imm) {
            (Some(a), Some(b), _, None) => Instruction::with3(plain.code, out, a, b),
            (Some(a), Some(b), _, Some(imm)) => Instruction::with4(plain.code, out, a, b, imm),
            (Some(a), None, Some((m, _)), None) => Instruction::with3(plain.code, out, a, m),
            (Some(a), None, Some((m, _)), Some(imm)) => Instruction::with4(plain.code, out, a, m, imm),
            (None, Some(b), _, None) => Instruction::with2(plain.code, out, b),
            (None, Some(b), _, Some(imm)) => Instruction::with3(plain.code, out, b, imm),
            (None, None, Some((m, _)), None) => Instruction::with2(plain.code, out, m),
            (None, None, Some((m, _)), Some(imm)) => Instruction::with3(plain.code, out, m, imm),
            _ => return,
        };
        self.asm.put(instruction.map(|mut instruction| {
            if let Some(mask) = mask {
                instruction.set_op_mask(mask);
                instruction.set_zeroing_masking(plain.is_zeroing);
            }
            instruction
        }));
        self.settle(result, number);
    }

    /// A register for the result with the contents of an operand: its own when nobody needs it any more.
    fn tied(&mut self, result: Instance, arg: Instance, position: u32, keep: &[Instance]) -> u8 {
        let is_shared = keep.iter().filter(|other| **other == arg).count() > 1;
        let from = self.place[arg as usize];
        if let Some(number) = from
            && !is_shared
            && self.is_dying(arg, position)
        {
            self.place[arg as usize] = None;
            return self.hold(result, number);
        }
        let number = self.take(result, position, keep);
        match self.place[arg as usize] {
            Some(from) => {
                let (to, from) = (register(Size::Z, number), register(Size::Z, from));
                self.asm.put(Instruction::with2(Code::EVEX_Vmovaps_zmm_k1z_zmmm512, to, from));
            }
            None => self.load_home(arg, number),
        }
        number
    }

    fn fma(&mut self, result: Instance, [a, b, c]: [Instance; 3], is_wide: bool, position: u32) {
        let args = [a, b, c];
        let kind = if is_wide { Memory::Eight } else { Memory::Four };
        let codes = match is_wide {
            true => {
                [Code::EVEX_Vfmadd213pd_zmm_k1z_zmm_zmmm512b64_er, Code::EVEX_Vfmadd231pd_zmm_k1z_zmm_zmmm512b64_er]
            }
            false => {
                [Code::EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er, Code::EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er]
            }
        };
        let is_free = |this: &Self, arg: Instance| {
            this.place[arg as usize].is_some()
                && this.is_dying(arg, position)
                && args.iter().filter(|other| **other == arg).count() == 1
        };
        let in_memory = |this: &Self, arg: Instance| this.memory(arg, kind).is_some();
        // The sum replaces the addend (231) or a factor (213); the operand in memory is the last one.
        let (code, [tied, middle, last]) = if is_free(self, c) {
            (codes[1], if in_memory(self, a) { [c, b, a] } else { [c, a, b] })
        } else if is_free(self, a) {
            (codes[0], [a, b, c])
        } else if is_free(self, b) {
            (codes[0], [b, a, c])
        } else if in_memory(self, c) && self.place[a as usize].is_some() {
            (codes[0], [a, b, c])
        } else {
            (codes[1], if in_memory(self, a) { [c, b, a] } else { [c, a, b] })
        };
        let middle = self.operand(middle, position, &args);
        let memory = self.memory(last, kind);
        let last = match memory {
            Some(_) => None,
            None => Some(self.operand(last, position, &args)),
        };
        let number = self.tied(result, tied, position, &args);
        let (out, middle) = (register(Size::Z, number), register(Size::Z, middle));
        self.asm.put(match (memory, last) {
            (Some((memory, _)), _) => Instruction::with3(code, out, middle, memory),
            (None, last) => Instruction::with3(code, out, middle, register(Size::Z, last.unwrap_or(0))),
        });
        self.retire(&args, position);
        self.settle(result, number);
    }

    fn call(&mut self, step: Step, result: Instance, args: &[Instance], position: u32) {
        let x = self.operand(args[0], position, args);
        let mask = self.operand(args[2], position, args);
        let number = self.tied(result, args[1], position, args);
        let (there, back) = (self.asm.label(), self.asm.label());
        let k = register(Size::K, mask);
        self.asm.put(Instruction::with2(Code::VEX_Kortestw_kr_kr, k, k));
        self.asm.jump(Code::Jne_rel32_64, there);
        self.asm.bind(back);
        let occupied =
            |file: &File| (0..32).filter(|at| file.holder[*at].is_some()).fold(0u32, |set, at| set | 1 << at);
        let mut live = (occupied(&self.vectors), occupied(&self.masks));
        if self.mode == Mode::Tail {
            live.1 |= 1 << TAIL | 1 << HIGH_TAIL;
        }
        self.retire(args, position);
        if !self.asm.is_rehearsal {
            self.asides.push(Aside { there, back, step, result: number, x, mask, live });
        }
    }

    /// Emits what is out of the way of the bodies so far.
    pub fn asides(&mut self) {
        const GENERAL: [Register; 8] =
            [INDEX, END, TABLE, Register::RCX, Register::R8, Register::R9, Register::R10, Register::R11];
        let rsp = Register::RSP;
        let asides = std::mem::take(&mut self.asides);
        if asides.is_empty() {
            return;
        }
        let (operand, result, kept, vectors) = (self.stack(64), self.stack(64), self.stack(128), self.stack(32 * 64));
        for aside in asides {
            let Step::Call { slow, context, .. } = aside.step else { continue };
            let asm = &mut self.asm;
            asm.bind(aside.there);
            let saved = |number: u8| at(rsp, vectors + i64::from(number) * 64);
            let store = |asm: &mut Asm, to: MemoryOperand, number: u8| {
                asm.put(Instruction::with2(Code::EVEX_Vmovaps_zmmm512_k1z_zmm, to, register(Size::Z, number)));
            };
            store(asm, at(rsp, operand), aside.x);
            store(asm, at(rsp, result), aside.result);
            let live = (0..32u8).filter(|number| *number != aside.result && aside.live.0 & (1 << number) != 0);
            live.clone().for_each(|number| store(asm, saved(number), number));
            for (index, general) in (0..).zip(GENERAL) {
                asm.put(Instruction::with2(Code::Mov_rm64_r64, at(rsp, kept + index * 8), general));
            }
            let masks = (1..8u8).filter(|number| aside.live.1 & (1 << number) != 0);
            let mask_home = |number: u8| at(rsp, kept + 64 + i64::from(number) * 8);
            for number in masks.clone() {
                asm.put(Instruction::with2(Code::VEX_Kmovw_m16_kr, mask_home(number), register(Size::K, number)));
            }
            asm.put(Instruction::with2(Code::VEX_Kmovw_r32_kr, Register::EDX, register(Size::K, aside.mask)));
            asm.put(Instruction::with2(Code::Lea_r64_m, Register::RDI, at(rsp, operand)));
            asm.put(Instruction::with2(Code::Lea_r64_m, Register::RSI, at(rsp, result)));
            asm.put(Instruction::with2(Code::Mov_r64_imm64, Register::RCX, context as u64));
            asm.put(Instruction::with2(Code::Mov_r64_imm64, Register::RAX, slow as u64));
            asm.put(Ok(Instruction::with(Code::VEX_Vzeroupper)));
            asm.put(Instruction::with1(Code::Call_rm64, Register::RAX));
            for (index, general) in (0..).zip(GENERAL) {
                asm.put(Instruction::with2(Code::Mov_r64_rm64, general, at(rsp, kept + index * 8)));
            }
            for number in masks {
                asm.put(Instruction::with2(Code::VEX_Kmovw_kr_km16, register(Size::K, number), mask_home(number)));
            }
            let load = |asm: &mut Asm, number: u8, from: MemoryOperand| {
                asm.put(Instruction::with2(Code::EVEX_Vmovaps_zmm_k1z_zmmm512, register(Size::Z, number), from));
            };
            live.for_each(|number| load(asm, number, saved(number)));
            load(asm, aside.result, at(rsp, result));
            asm.jump(Code::Jmp_rel32_64, aside.back);
        }
    }
}
