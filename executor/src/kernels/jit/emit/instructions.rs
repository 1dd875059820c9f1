//! The instructions of a step.

use iced_x86::{Code, Instruction, MemoryOperand, Register};
use smallvec::SmallVec;

use super::{Emitter, HIGH_TAIL, Home, INDEX, Instance, LANES, Mode, TABLE, TAIL};
use crate::kernels::jit::asm::{at, register};
use crate::kernels::jit::program::{Memory, Plain, Size, Step, Transfer, Value, Window};

impl Emitter<'_> {
    pub(super) fn step(&mut self, value: Value, copy: u8, position: u32) {
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
            Step::Carry(carried, _, half) => {
                let number = self.operand(args[0], position, &args);
                let carried = self.instance(carried, copy);
                let to = register(Size::Z, self.place[carried as usize].unwrap_or(0));
                let from = register(Size::Z, number);
                let code = match half {
                    None => Code::EVEX_Vmovaps_zmm_k1z_zmmm512,
                    Some(_) => Code::EVEX_Vmovapd_zmm_k1z_zmmm512,
                };
                let is_tail = self.mode == Mode::Tail;
                self.asm.put(Instruction::with2(code, to, from).map(|mut instruction| {
                    if is_tail {
                        instruction.set_op_mask(register(Size::K, if half == Some(true) { HIGH_TAIL } else { TAIL }));
                    }
                    instruction
                }));
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
    pub(super) fn tied(&mut self, result: Instance, arg: Instance, position: u32, keep: &[Instance]) -> u8 {
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
}
