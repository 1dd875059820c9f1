//! What is to be computed, as a list of vector instructions on values.
//!
//! A value is a vector of sixteen 32-bit lanes, half of sixteen 64-bit lanes (two values make a whole), or a mask of sixteen
//! bits. Every value is made by one step, from values before it; equal steps are one. What does not depend on the position
//! in the loop (`is_invariant`) is computed once before it.

use std::cell::RefCell;

use iced_x86::Code;
use rustc_hash::FxHashMap;

/// Index of a step and of the value that it makes.
pub type Value = u32;

/// Width of a register operand.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Size {
    /// 128 bits.
    X,
    /// 256 bits.
    Y,
    /// 512 bits.
    Z,
    /// A mask.
    K,
}

/// Whether a constant operand may be read from memory, and how.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Memory {
    /// Registers only.
    No,
    /// Whole vectors or one element of 4 bytes for all lanes.
    Four,
    /// Whole vectors or one element of 8 bytes for all lanes.
    Eight,
}

/// An instruction without ties: a new register from up to two others.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Plain {
    /// The instruction.
    pub code: Code,
    /// Widths of the result and the operands.
    pub sizes: [Size; 3],
    /// Operands.
    pub args: [Option<Value>; 2],
    /// A last operand.
    pub imm: Option<u8>,
    /// Lanes: a blend's choice, or those that are not zeroed when `is_zeroing`.
    pub mask: Option<Value>,
    /// Whether lanes outside of the mask are zeroed.
    pub is_zeroing: bool,
    /// How the last operand may be read.
    pub memory: Memory,
    /// Whether the operands may be exchanged.
    pub is_commutative: bool,
}

/// A function for lanes that a formula cannot do: operands, results that are replaced, a mask of lanes, what is to be done.
pub type Slow = extern "sysv64" fn(*const f32, *mut f32, u32, *const ());

/// How an array's elements come into lanes.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Transfer {
    /// The instruction between a register and memory.
    pub code: Code,
    /// Width of the register.
    pub size: Size,
    /// The array.
    pub array: u16,
    /// Whether these are the upper eight of 64-bit lanes.
    pub is_high: bool,
}

/// A few elements of an array, at its beginning or at a computed place.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Window {
    /// The instruction and the array.
    pub transfer: Transfer,
    /// How many elements there are.
    pub n: u8,
    /// The number of the first element, in all lanes; none for the array's first.
    pub index: Option<Value>,
    /// Stores to arrays that came before it; none when nothing is ever stored there.
    pub serial: Option<u32>,
}

/// A step.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// 32 bits for all lanes.
    Four(u32),
    /// 64 bits for all lanes.
    Eight(u64),
    /// Bits by lane.
    Table([u32; 16]),
    /// Numbers of the lanes: of 32 bits; of 64 bits, the lower or the upper eight.
    Lanes(Option<bool>),
    /// The loop's position plus the number at an array's place, for all lanes; whether of 64 bits.
    Position(u16, bool),
    /// One element of an array for all lanes, by this instruction.
    Splat(Code, u16),
    /// Elements of an array.
    Load(Transfer),
    /// To an array; makes no value.
    Store(Transfer, Value),
    /// Some elements of an array.
    LoadWindow(Window),
    /// To a few elements of an array.
    StoreWindow(Window, Value),
    /// A value that each round hands to the next, by its number and what it is at first.
    Carried(u32, Value),
    /// The round ends the loop unless the mask's first bit is set.
    Exit(Value),
    /// The next round has the second as the first, which is a carried value. Which lanes those are matters where only some
    /// exist: as for [`Step::Lanes`].
    Carry(Value, Value, Option<bool>),
    /// An instruction.
    Plain(Plain),
    /// `a × b + c`; whether of 64 bits.
    Fma([Value; 3], bool),
    /// Any function of the bits of three values, by its table.
    Ternary([Value; 3], u8),
    /// The second operand, with lanes of the mask replaced by a function of those of the first.
    Call {
        /// The address of a [`Slow`] function.
        slow: usize,
        /// What it is told.
        context: usize,
        /// Its operands.
        x: Value,
        /// What is replaced.
        value: Value,
        /// Which lanes.
        mask: Value,
    },
}

impl Step {
    /// Values that it reads.
    pub fn args(&self) -> impl Iterator<Item = Value> {
        let args = match *self {
            Step::Plain(plain) => [plain.args[0], plain.args[1], plain.mask],
            Step::Fma(args, _) | Step::Ternary(args, _) => args.map(Some),
            Step::Store(_, value) | Step::Carried(_, value) | Step::Exit(value) | Step::Carry(_, value, _) => {
                [Some(value), None, None]
            }
            Step::LoadWindow(window) => [window.index, None, None],
            Step::StoreWindow(window, value) => [Some(value), window.index, None],
            Step::Call { x, value, mask, .. } => [Some(x), Some(value), Some(mask)],
            _ => [None; 3],
        };
        args.into_iter().flatten()
    }

    /// Whether the value is a mask.
    pub fn is_mask(&self) -> bool {
        matches!(self, Step::Plain(Plain { sizes: [Size::K, ..], .. }))
    }

    /// Whether it is known when the code is made.
    pub fn is_known(&self) -> bool {
        matches!(self, Step::Four(_) | Step::Eight(_) | Step::Table(_) | Step::Lanes(_))
    }
}

/// Steps in order.
#[derive(Default, Debug)]
pub struct Program {
    /// The steps.
    pub steps: Vec<Step>,
    /// By step: whether it is the same at every position.
    pub is_invariant: Vec<bool>,
    known: FxHashMap<Step, Value>,
    /// Steps from here on happen after the last round.
    pub after: Option<usize>,
}

impl Program {
    /// The value of a step, an old one if there is such.
    pub fn push(&mut self, step: Step) -> Value {
        if let Some(value) = self.known.get(&step) {
            return *value;
        }
        let is_invariant = match step {
            Step::Position(..) | Step::Load(_) | Step::Store(..) | Step::Call { .. } => false,
            Step::StoreWindow(..) | Step::Carried(..) | Step::Exit(_) | Step::Carry(..) => false,
            Step::LoadWindow(window) => window.serial.is_none() && window.index.is_none(),
            _ => step.args().all(|arg| self.is_invariant[arg as usize]),
        };
        let value = self.steps.len() as Value;
        self.steps.push(step);
        self.is_invariant.push(is_invariant);
        if !matches!(step, Step::Store(..) | Step::StoreWindow(..) | Step::Carry(..)) {
            self.known.insert(step, value);
        }
        value
    }
}

impl Program {
    /// What follows happens after the last round, when of its values only the carried ones are left.
    pub fn begin_after(&mut self) {
        let (steps, is_invariant) = (&self.steps, &self.is_invariant);
        self.known
            .retain(|_, value| is_invariant[*value as usize] || matches!(steps[*value as usize], Step::Carried(..)));
        self.after = Some(self.steps.len());
    }
}

/// Where steps are written down while formulas are spelled out.
#[derive(Default, Debug)]
pub struct Builder(pub RefCell<Program>);

impl Builder {
    /// Writes down a step.
    pub fn push(&self, step: Step) -> Value {
        self.0.borrow_mut().push(step)
    }

    /// The bits of a value that is the same 32 bits in all lanes and known.
    pub fn known(&self, value: Value) -> Option<u32> {
        match self.0.borrow().steps[value as usize] {
            Step::Four(bits) => Some(bits),
            _ => None,
        }
    }

    /// An instruction on whole vectors.
    fn plain(
        &self,
        code: Code,
        args: [Option<Value>; 2],
        imm: Option<u8>,
        memory: Memory,
        is_commutative: bool,
    ) -> Value {
        let sizes = [Size::Z; 3];
        self.push(Step::Plain(Plain { code, sizes, args, imm, mask: None, is_zeroing: false, memory, is_commutative }))
    }

    /// An instruction on one vector.
    pub fn one(&self, code: Code, a: Value, memory: Memory) -> Value {
        self.plain(code, [Some(a), None], None, memory, false)
    }

    /// An instruction on one vector and a number.
    pub fn one_imm(&self, code: Code, a: Value, imm: u8, memory: Memory) -> Value {
        self.plain(code, [Some(a), None], Some(imm), memory, false)
    }

    /// An instruction on two vectors.
    pub fn two(&self, code: Code, a: Value, b: Value, memory: Memory) -> Value {
        self.plain(code, [Some(a), Some(b)], None, memory, false)
    }

    /// An instruction on two vectors in any order.
    pub fn either(&self, code: Code, a: Value, b: Value, memory: Memory) -> Value {
        let (a, b) = if self.is_known(a) { (b, a) } else { (a, b) };
        self.plain(code, [Some(a), Some(b)], None, memory, true)
    }

    fn is_known(&self, value: Value) -> bool {
        self.0.borrow().steps[value as usize].is_known()
    }

    /// An instruction on two vectors and a number.
    pub fn two_imm(&self, code: Code, a: Value, b: Value, imm: u8, memory: Memory) -> Value {
        self.plain(code, [Some(a), Some(b)], Some(imm), memory, false)
    }

    /// An instruction on registers of other widths.
    pub fn sized(&self, code: Code, sizes: [Size; 3], args: [Option<Value>; 2], imm: Option<u8>) -> Value {
        self.push(Step::Plain(Plain {
            code,
            sizes,
            args,
            imm,
            mask: None,
            is_zeroing: false,
            memory: Memory::No,
            is_commutative: false,
        }))
    }

    /// A comparison.
    pub fn compare(&self, code: Code, a: Value, b: Value, imm: Option<u8>, memory: Memory) -> Value {
        self.push(Step::Plain(Plain {
            code,
            sizes: [Size::K, Size::Z, Size::Z],
            args: [Some(a), Some(b)],
            imm,
            mask: None,
            is_zeroing: false,
            memory,
            is_commutative: false,
        }))
    }

    /// One or the other by a mask.
    pub fn blend(&self, code: Code, mask: Value, on_true: Value, on_false: Value, memory: Memory) -> Value {
        if on_true == on_false {
            return on_true;
        }
        self.push(Step::Plain(Plain {
            code,
            sizes: [Size::Z; 3],
            args: [Some(on_false), Some(on_true)],
            imm: None,
            mask: Some(mask),
            is_zeroing: false,
            memory,
            is_commutative: false,
        }))
    }

    /// An instruction on masks.
    pub fn masks(&self, code: Code, a: Value, b: Option<Value>, imm: Option<u8>) -> Value {
        self.sized(code, [Size::K; 3], [Some(a), b], imm)
    }
}
