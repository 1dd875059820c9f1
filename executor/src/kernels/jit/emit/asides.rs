//! Calls for lanes that a formula cannot do: out of the way of the code that does not need them.

use iced_x86::{Code, Instruction, MemoryOperand, Register};

use super::{END, Emitter, File, HIGH_TAIL, INDEX, Instance, Mode, TABLE, TAIL};
use crate::kernels::jit::asm::{Asm, Label, at, register};
use crate::kernels::jit::program::{Size, Step};

/// A call that leaves the straight path.
pub(super) struct Aside {
    there: Label,
    back: Label,
    step: Step,
    result: u8,
    x: u8,
    mask: u8,
    live: (u32, u32),
}

impl Emitter<'_> {
    pub(super) fn call(&mut self, step: Step, result: Instance, args: &[Instance], position: u32) {
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
