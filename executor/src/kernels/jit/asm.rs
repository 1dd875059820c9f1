//! Instructions as bytes, and bytes as code that runs.

use iced_x86::{Code, Encoder, IcedError, Instruction, MemoryOperand, Register};

use super::program::Size;

/// Bytes of code in the making.
pub struct Asm {
    encoder: Encoder,
    at: u64,
    /// Jumps forward: where their distance ends, and their label.
    jumps: Vec<(u64, usize)>,
    labels: Vec<Option<u64>>,
    /// Numbers of 32 bits that become known later: where they end.
    patches: Vec<(usize, i32)>,
    /// Whether instructions are left out: to learn what would be needed.
    pub is_rehearsal: bool,
    failed: bool,
}

/// A place in the code.
#[derive(Copy, Clone, Debug)]
pub struct Label(usize);

/// A vector or mask register by its number.
pub fn register(size: Size, number: u8) -> Register {
    let first = match size {
        Size::X => Register::XMM0,
        Size::Y => Register::YMM0,
        Size::Z => Register::ZMM0,
        Size::K => Register::K0,
    };
    first + u32::from(number)
}

/// Memory at a register and a distance.
pub fn at(base: Register, displacement: i64) -> MemoryOperand {
    MemoryOperand::with_base_displ(base, displacement)
}

/// Memory at a distance from the beginning of the code; one element for all lanes or not.
pub fn in_pool(offset: u64, is_broadcast: bool) -> MemoryOperand {
    MemoryOperand::new(Register::RIP, Register::None, 1, offset as i64, 8, is_broadcast, Register::None)
}

impl Asm {
    /// Begins after data of `start` bytes.
    pub fn new(start: u64) -> Self {
        let (jumps, labels, patches) = (Vec::new(), Vec::new(), Vec::new());
        Self { encoder: Encoder::new(64), at: start, jumps, labels, patches, is_rehearsal: false, failed: false }
    }

    /// Appends an instruction.
    pub fn put(&mut self, instruction: Result<Instruction, IcedError>) {
        if self.is_rehearsal {
            return;
        }
        match instruction.and_then(|instruction| self.encoder.encode(&instruction, self.at)) {
            Ok(n) => self.at += n as u64,
            Err(error) => {
                debug_assert!(false, "{error}");
                self.failed = true;
            }
        }
    }

    /// A place that is not known yet.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// The label is here.
    pub fn bind(&mut self, label: Label) {
        if !self.is_rehearsal {
            self.labels[label.0] = Some(self.at);
        }
    }

    /// Jumps by an instruction with a distance of 32 bits.
    pub fn jump(&mut self, code: Code, label: Label) {
        let target = self.labels[label.0].unwrap_or(self.at);
        self.put(Instruction::with_branch(code, target));
        if !self.is_rehearsal && self.labels[label.0].is_none() {
            self.jumps.push((self.at, label.0));
        }
    }

    /// How many bytes there are.
    pub fn position(&self) -> usize {
        self.at as usize
    }

    /// The number at the end of the instruction that ends at `end`.
    pub fn patch(&mut self, end: usize, value: i32) {
        self.patches.push((end, value));
    }

    /// The code after `data`; none if something could not be encoded.
    pub fn finish(mut self, data: &[u8]) -> Option<Vec<u8>> {
        let mut bytes = data.to_vec();
        bytes.extend(self.encoder.take_buffer());
        for (end, label) in self.jumps {
            let distance = i32::try_from(self.labels[label]? as i64 - end as i64).ok()?;
            self.patches.push((end as usize, distance));
        }
        for (end, distance) in self.patches {
            bytes.get_mut(end - 4..end)?.copy_from_slice(&distance.to_le_bytes());
        }
        (!self.failed).then_some(bytes)
    }
}

/// Code in memory that may be executed and not written.
#[derive(Debug)]
pub struct Executable(memmap2::Mmap);

impl Executable {
    /// Makes bytes executable; none when the system forbids it.
    pub fn new(bytes: &[u8]) -> Option<Self> {
        let mut map = memmap2::MmapMut::map_anon(bytes.len()).ok()?;
        map.copy_from_slice(bytes);
        map.make_exec().ok().map(Self)
    }

    /// The address of a byte.
    pub fn at(&self, offset: usize) -> *const u8 {
        self.0[offset..].as_ptr()
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}
