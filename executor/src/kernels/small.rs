//! Loops over so few elements that getting ready would take longer than the work: scalars that are counted up, small states.
//!
//! Everything that does not depend on the run is settled when the plan is made. A run looks up where the slots stand and
//! calls the steps, on this thread, with the registers on the stack.

use std::mem::MaybeUninit;

use super::fused::{Access, Input, Instr, Loop};
use super::lanes::StepFn;
use super::memory::{Memory, SlotId};
use super::strided::Strided;

/// The most elements of a small loop.
const MAX_ELEMENTS: usize = 128;
/// The most registers.
const MAX_REGISTERS: usize = 64;
/// Bytes of registers on the stack.
const SCRATCH: usize = 8 << 10;

/// Where a register stands.
#[derive(Clone, Debug)]
enum Place {
    /// In a slot, this many bytes on.
    Slot(SlotId, usize),
    /// On the stack.
    Scratch(usize),
    /// In the plan: positions, which are the same in every run.
    Known(Box<[u8]>),
}

/// Something that is brought to the stack first.
#[derive(Clone, Debug)]
enum Load {
    /// One element for all.
    Splat { slot: SlotId, offset: usize, width: usize, to: usize },
    /// By strides.
    Strided { slot: SlotId, strided: Strided, to: usize },
}

/// A step on registers by their numbers.
#[derive(Copy, Clone, Debug)]
struct Call {
    f: StepFn,
    out: u8,
    args: [u8; 3],
}

/// A small loop.
#[derive(Clone, Debug)]
pub struct Small {
    n: usize,
    places: Vec<Place>,
    loads: Vec<Load>,
    code: Vec<Call>,
}

#[repr(align(64))]
struct Scratch(MaybeUninit<[u8; SCRATCH]>);

impl Small {
    /// The small form of a loop; none when it is not small.
    pub fn new(fused: &Loop, widths: &[usize]) -> Option<Self> {
        if fused.n == 0 || fused.n > MAX_ELEMENTS || widths.len() > MAX_REGISTERS {
            return None;
        }
        let mut this = Self { n: fused.n, places: Vec::new(), loads: Vec::new(), code: Vec::new() };
        let mut end = 0;
        let mut take = |width: usize| {
            let at = end;
            end += (fused.n * width).next_multiple_of(if fused.n == 1 { 16 } else { 64 });
            at
        };
        for input in &fused.inputs {
            let place = this.input(input, &mut take);
            this.places.push(place);
        }
        for (reg, width) in widths.iter().enumerate().skip(fused.inputs.len()) {
            let stored = fused.outputs.iter().find(|(output, _, _)| usize::from(*output) == reg);
            this.places.push(match stored {
                Some((_, slot, _)) => Place::Slot(*slot, 0),
                None => Place::Scratch(take(*width)),
            });
        }
        let call = |instr: &Instr| {
            Some(Call {
                f: instr.f,
                out: u8::try_from(instr.out).ok()?,
                args: instr.args.map(|arg| arg.min(MAX_REGISTERS as u16) as u8),
            })
        };
        this.code = fused.code.iter().map(call).collect::<Option<_>>()?;
        (end <= SCRATCH).then_some(this)
    }

    fn input(&mut self, input: &Input, take: &mut impl FnMut(usize) -> usize) -> Place {
        let (slot, width) = (input.slot, input.width);
        match &input.access {
            Access::Linear { offset } => Place::Slot(slot, *offset),
            Access::Splat { offset } if self.n == 1 => Place::Slot(slot, *offset),
            Access::Splat { offset } => {
                let to = take(width);
                self.loads.push(Load::Splat { slot, offset: *offset, width, to });
                Place::Scratch(to)
            }
            Access::Strided(strided) => {
                let to = take(width);
                self.loads.push(Load::Strided { slot, strided: strided.clone(), to });
                Place::Scratch(to)
            }
            Access::Iota { divisor, size, element } => {
                let mut known = vec![0u8; self.n * width];
                // SAFETY: there is room for n elements.
                unsafe { super::fused::iota(known.as_mut_ptr(), 0, self.n, *divisor, *size, *element) };
                Place::Known(known.into())
            }
        }
    }

    /// Runs the loop.
    #[inline]
    pub fn run(&self, memory: &Memory) {
        let mut scratch = Scratch(MaybeUninit::uninit());
        let scratch = scratch.0.as_mut_ptr().cast::<u8>();
        for load in &self.loads {
            // SAFETY: the plan checks that elements lie inside their slots and registers inside the scratch memory.
            unsafe {
                match load {
                    Load::Splat { slot, offset, width, to } => {
                        super::fused::fill(scratch.add(*to), memory.address(*slot).add(*offset), *width, self.n);
                    }
                    Load::Strided { slot, strided, to } => {
                        strided.gather(scratch.add(*to), memory.address(*slot), 0, self.n);
                    }
                }
            }
        }
        let mut registers = [std::ptr::null_mut::<u8>(); MAX_REGISTERS];
        for (register, place) in registers.iter_mut().zip(&self.places) {
            *register = match place {
                // SAFETY: as above.
                Place::Slot(slot, offset) => unsafe { memory.address(*slot).add(*offset) },
                // SAFETY: as above.
                Place::Scratch(at) => unsafe { scratch.add(*at) },
                Place::Known(known) => known.as_ptr().cast_mut(),
            };
        }
        for call in &self.code {
            let [a, b, c] = call.args.map(|arg| registers[usize::from(arg) % MAX_REGISTERS].cast_const());
            // SAFETY: registers hold or point to n elements of the step's types.
            unsafe { (call.f)(self.n, registers[usize::from(call.out) % MAX_REGISTERS], a, b, c) };
        }
    }
}
