//! A loop as one function: made, and run on a range of its elements.

use std::sync::Arc;

use iced_x86::{Code, Instruction, MemoryOperand, Register};
use smallvec::SmallVec;
use stablehlo::element::ElementType;
use stablehlo::ops::OpKind;

use super::asm::{Executable, at, register};
use super::emit::{BASES, END, Emitter, INDEX, LANES, Mode, TABLE};
use super::lanes::{D, F, I, L};
use super::ops;
use super::program::{Builder, Program, Size, Step};
use super::typed::{Lanes, known, load, positions, splat, store};
use crate::kernels::elementwise::{Detail, Operation};
use crate::kernels::fused::{Access, Loop, Reg, TILE, iota};
use crate::kernels::isa::Isa;
use crate::kernels::memory::{Buffer, SlotId};
use crate::kernels::strided::Strided;

/// The function: addresses of the arrays, and which elements.
type Entry = unsafe extern "sysv64" fn(table: *const u64, start: usize, end: usize);

/// Elements of a row from which on rows are worth a call each.
const LONG_ROW: usize = 64;
/// Elements of a tile here.
const SPAN: usize = 2 * TILE;
/// Elements below which the loop is one pass or two, and not worth a body for whole vectors.
const FEW: usize = 2 * LANES;

/// How the place of an array in the table is found.
#[derive(Clone, Debug)]
enum Source {
    /// The address and an offset.
    Fixed(usize),
    /// Known; or nothing to look up.
    Known,
    /// Rows by strides: one after the other, or one element for each row.
    Rows { strided: Strided, is_splat: bool },
    /// Gathered into a tile.
    Tile(Strided),
    /// So many elements over and over; a tile of whole periods serves for many segments.
    Periodic(Strided, usize),
    /// Positions, counted anew after so many elements.
    Positions(usize),
    /// Positions along a dimension, by a tile.
    PositionTile { divisor: usize, size: usize, element: ElementType },
}

/// Machine code of a loop.
#[derive(Clone, Debug)]
pub struct Machine {
    code: Arc<Executable>,
    entry: Entry,
    inputs: Vec<Source>,
    widths: Vec<usize>,
    is_simple: bool,
    n_tiles: usize,
    /// The most elements at once where there are tiles.
    span: usize,
    is_streaming: bool,
    /// Bytes of accumulators.
    accumulators: usize,
}

/// By tile: at which place in a period it begins, and for how many elements it is good.
type Filled = SmallVec<[(usize, usize); 4]>;

impl Source {
    fn is_tile(&self) -> bool {
        matches!(self, Source::Tile(_) | Source::Periodic(..) | Source::PositionTile { .. })
    }
}

/// Tiles of a thread, kept between loops.
struct Tiles {
    buffer: Buffer,
    /// Which binding of a loop has filled them, and what with.
    owner: u64,
    filled: Filled,
}

thread_local! {
    static TILES: std::cell::RefCell<Tiles> =
        std::cell::RefCell::new(Tiles { buffer: Buffer::new(4 * SPAN * 8), owner: 0, filled: Filled::new() });
}

impl Machine {
    /// Compiles a loop; none when something in it is not covered. `constant` gives the bytes of slots that are known.
    pub fn new<'c>(fused: &Loop, isa: Isa, constant: impl Fn(SlotId) -> Option<&'c [u8]>) -> Option<Self> {
        Self::compile(fused, None, isa, constant)
    }

    /// Compiles a loop that also folds what it computes in a register, by an op that commutes. One more address after those
    /// of the outputs tells where [`Machine::accumulators`] bytes of accumulators are, which a run goes on from. Those of
    /// 16-bit floats are f32.
    pub fn folding<'c>(
        fused: &Loop,
        fold: (Reg, OpKind),
        isa: Isa,
        constant: impl Fn(SlotId) -> Option<&'c [u8]>,
    ) -> Option<Self> {
        Self::compile(fused, Some(fold), isa, constant)
    }

    fn compile<'c>(
        fused: &Loop,
        fold: Option<(Reg, OpKind)>,
        isa: Isa,
        constant: impl Fn(SlotId) -> Option<&'c [u8]>,
    ) -> Option<Self> {
        if isa != Isa::Avx512 || fused.n == 0 || fused.inputs.len() + fused.outputs.len() > 200 {
            return None;
        }
        let elements = elements(fused)?;
        // Bytes are faster 64 at a time than 16, and copies are as good as they can be.
        let is_wide = |element: &Option<ElementType>| element.is_some_and(|element| element.byte_width() > 1);
        let computes = fused.code.iter().any(|instr| instr.op.is_some_and(|op| op.kind != OpKind::Reshape));
        if fused.n > FEW && (!elements.iter().any(is_wide) || !computes) {
            return None;
        }
        let builder = Builder::default();
        let mut lanes: Vec<Option<Lanes<'_>>> = vec![None; elements.len()];
        let mut inputs = Vec::new();
        for (reg, input) in fused.inputs.iter().enumerate() {
            // Nobody reads it.
            let Some(element) = elements[reg] else {
                inputs.push(Source::Known);
                continue;
            };
            let (source, value) = self::input(&builder, fused, reg, element, constant(input.slot))?;
            inputs.push(source);
            lanes[reg] = Some(value);
        }
        let n_inputs = inputs.len();
        for instr in &fused.code {
            let op: Operation = instr.op?;
            let mut args = [lanes[usize::from(instr.args[0])]?; 3];
            for (arg, reg) in args.iter_mut().zip(instr.args) {
                *arg = lanes[usize::from(reg)]?;
            }
            let value = ops::operation(&op, args)?;
            lanes[usize::from(instr.out)] = Some(value);
            for (index, (reg, ..)) in fused.outputs.iter().enumerate() {
                if *reg == instr.out {
                    store(&builder, elements[usize::from(*reg)]?, value, (n_inputs + index) as u16);
                }
            }
            if let Some((_, kind)) = fold.filter(|(reg, _)| *reg == instr.out) {
                accumulate(&builder, kind, op.to, value)?;
            }
        }
        let program = builder.0.into_inner();
        let mut widths: Vec<u8> = fused.inputs.iter().map(|input| input.width as u8).collect();
        widths.extend(fused.outputs.iter().map(|(_, _, width)| *width as u8));
        let mut streamed = vec![false; n_inputs];
        streamed.extend(fused.outputs.iter().map(|(_, _, width)| fused.is_streamed(*width)));
        let is_streaming = streamed.contains(&true);
        let (bytes, entry, accumulators) = assemble(&program, &widths, &streamed, fused.n <= FEW)?;
        let code = Executable::new(&bytes)?;
        // SAFETY: the code at this offset is a function of this type.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(code.at(entry)) };
        let n_tiles = inputs.iter().filter(|source| source.is_tile()).count();
        // Whole periods, if there is one length of them.
        let periods = inputs.iter().filter_map(|source| match source {
            Source::Periodic(_, period) => Some(SPAN / period * period),
            _ => None,
        });
        let span = periods.reduce(usize::min).unwrap_or(SPAN);
        let is_simple = inputs.iter().all(|source| match source {
            Source::Fixed(_) | Source::Known => true,
            Source::Positions(size) => *size >= fused.n,
            _ => false,
        });
        let widths = fused.inputs.iter().map(|input| input.width).collect();
        Some(Self { code: Arc::new(code), entry, inputs, widths, is_simple, n_tiles, span, is_streaming, accumulators })
    }

    /// Whether elements are stored past the caches, so that a fence must follow before other threads read them.
    pub fn is_streaming(&self) -> bool {
        self.is_streaming
    }

    /// Bytes of accumulators.
    pub fn accumulators(&self) -> usize {
        self.accumulators
    }

    /// Bytes of code.
    pub fn size(&self) -> usize {
        self.code.len()
    }

    /// Computes the elements `start..end`, with the loop's inputs and outputs at these addresses. Calls of one
    /// binding have the same addresses, and inputs that do not change; 0 is no binding.
    ///
    /// # Safety
    /// The addresses are those of slots as the loop describes them, readable and writable for those elements, and of
    /// accumulators if there are such.
    pub unsafe fn run(&self, binding: u64, inputs: &[*mut u8], outputs: &[*mut u8], start: usize, end: usize) {
        let mut table: SmallVec<[u64; 16]> = SmallVec::new();
        for (source, input) in self.inputs.iter().zip(inputs) {
            table.push(match source {
                Source::Fixed(offset) => input.addr().wrapping_add(*offset) as u64,
                _ => 0,
            });
        }
        table.extend(outputs.iter().map(|output| output.addr() as u64));
        if self.is_simple {
            // SAFETY: the caller's promise.
            unsafe { (self.entry)(table.as_ptr(), start, end) };
            return;
        }
        TILES.with_borrow_mut(|tiles| {
            let needed = self.n_tiles * SPAN * 8;
            if tiles.buffer.bytes().len() < needed {
                tiles.buffer = Buffer::new(needed);
                tiles.owner = 0;
            }
            if self.n_tiles > 0 && (binding == 0 || tiles.owner != binding) {
                tiles.owner = binding;
                tiles.filled.clear();
                tiles.filled.resize(self.n_tiles, (usize::MAX, 0));
            }
            let (buffer, filled) = (tiles.buffer.as_ptr(), &mut tiles.filled);
            let mut at = start;
            while at < end {
                // SAFETY: the caller's promise; tiles have room for SPAN elements.
                let n = unsafe { self.place(&mut table, inputs, at, end - at, buffer, filled) };
                // SAFETY: as above.
                unsafe { (self.entry)(table.as_ptr(), at, at + n) };
                at += n;
            }
        });
    }

    /// Places the inputs for elements from `at` on; says for how many, `left` at most.
    ///
    /// # Safety
    /// As for [`Machine::run`].
    unsafe fn place(
        &self,
        table: &mut [u64],
        inputs: &[*mut u8],
        at: usize,
        left: usize,
        tiles: *mut u8,
        filled: &mut Filled,
    ) -> usize {
        let most = if self.n_tiles > 0 { left.min(self.span) } else { left };
        let mut n = most;
        for source in &self.inputs {
            let row = match source {
                Source::Rows { strided, .. } => strided.dims.last().map_or(1, |(inner, _)| *inner),
                Source::Positions(size) => *size,
                _ => continue,
            };
            n = n.min(row - at % row);
        }
        let (mut tile, mut n_tile) = (tiles, 0);
        for (index, source) in self.inputs.iter().enumerate() {
            let (base, width) = (inputs[index], self.widths[index]);
            table[index] = match source {
                Source::Fixed(_) | Source::Known => continue,
                Source::Rows { strided, is_splat: true } => base.wrapping_offset(strided.row_of(at).0).addr() as u64,
                Source::Rows { strided, is_splat: false } => {
                    let (row, column) = strided.row_of(at);
                    let first = base.wrapping_offset(row).wrapping_add(column * width);
                    first.wrapping_sub(at * width).addr() as u64
                }
                Source::Positions(size) => ((at % size) as u64).wrapping_sub(at as u64),
                Source::Tile(strided) => {
                    // SAFETY: the caller's promise, and a tile has room for n elements.
                    unsafe { strided.gather(tile, base, at, n) };
                    tile.wrapping_sub(at * width).addr() as u64
                }
                // Within one period elements are read where they stand.
                Source::Periodic(strided, period) if at % period + left <= *period => {
                    let (row, column) = strided.row_of(at);
                    let first = base.wrapping_offset(row).wrapping_add(column * width);
                    first.wrapping_sub(at * width).addr() as u64
                }
                Source::Periodic(strided, period) => {
                    let known = &mut filled[n_tile];
                    if known.0 != at % period || known.1 < n {
                        // SAFETY: as above, and no more elements are gathered than there are.
                        unsafe { strided.gather(tile, base, at, most) };
                        *known = (at % period, most);
                    }
                    tile.wrapping_sub(at * width).addr() as u64
                }
                Source::PositionTile { divisor, size, element } => {
                    // SAFETY: a tile has room for n elements.
                    unsafe { iota(tile, at, n, *divisor, *size, *element) };
                    tile.wrapping_sub(at * width).addr() as u64
                }
            };
            if source.is_tile() {
                tile = tile.wrapping_add(SPAN * 8);
                n_tile += 1;
            }
        }
        n
    }
}

/// The element types of all registers, from what the steps say.
pub fn elements(fused: &Loop) -> Option<Vec<Option<ElementType>>> {
    let mut elements = vec![None; fused.tiles.len()];
    for instr in &fused.code {
        let op = instr.op?;
        for (index, reg) in instr.args.iter().enumerate() {
            let element = match op.kind {
                OpKind::Select if index == 0 => ElementType::I1,
                OpKind::Select => op.to,
                _ => op.from,
            };
            // Unused operands repeat the first.
            if index > 0 && *reg == instr.args[0] {
                continue;
            }
            let known = &mut elements[usize::from(*reg)];
            if known.is_some_and(|known| known != element) {
                return None;
            }
            *known = Some(element);
        }
        elements[usize::from(instr.out)] = Some(op.to);
    }
    Some(elements)
}

/// The lanes of an input, and how its place in the table is found.
fn input<'b>(
    builder: &'b Builder,
    fused: &Loop,
    reg: usize,
    element: ElementType,
    constant: Option<&[u8]>,
) -> Option<(Source, Lanes<'b>)> {
    let array = reg as u16;
    let input = &fused.inputs[reg];
    if input.width != element.byte_width() {
        return None;
    }
    Some(match &input.access {
        Access::Linear { offset } => (Source::Fixed(*offset), load(builder, element, array)?),
        Access::Splat { offset } => match constant {
            Some(bytes) => (Source::Known, known(builder, element, bytes.get(*offset..)?)?),
            None => (Source::Fixed(*offset), splat(builder, element, array)?),
        },
        Access::Strided(strided) => {
            let (inner, stride) = *strided.dims.last()?;
            let is_row = inner >= LONG_ROW;
            let outer = &strided.dims[..strided.dims.len() - 1];
            if stride == input.width as isize && inner <= SPAN && outer.iter().all(|(_, stride)| *stride == 0) {
                (Source::Periodic(strided.clone(), inner), load(builder, element, array)?)
            } else if is_row && (stride == 0 || stride == input.width as isize) {
                let is_splat = stride == 0;
                let value = if is_splat { splat } else { load }(builder, element, array)?;
                (Source::Rows { strided: strided.clone(), is_splat }, value)
            } else {
                (Source::Tile(strided.clone()), load(builder, element, array)?)
            }
        }
        Access::Iota { divisor, size, element: positions_of } => {
            if *positions_of != element {
                return None;
            }
            match (*divisor == 1 && (*size >= LONG_ROW || *size >= fused.n))
                .then(|| positions(builder, element, array, *size))
                .flatten()
            {
                Some(value) => (Source::Positions(*size), value),
                None => {
                    let (divisor, size) = (*divisor, *size);
                    (Source::PositionTile { divisor, size, element }, load(builder, element, array)?)
                }
            }
        }
    })
}

/// Folds lanes into accumulators that outlast a round.
fn accumulate<'b>(b: &'b Builder, kind: OpKind, element: ElementType, value: Lanes<'b>) -> Option<()> {
    let nothing = b.push(Step::Four(0));
    let carried = |part: u32| b.push(Step::Carried(part, nothing));
    let (of, acc) = match value {
        // Values of 16-bit floats stand in lanes of f32, where their sums are not rounded.
        Lanes::F(_) => (ElementType::F32, Lanes::F(F(b, carried(0)))),
        Lanes::D(_) => (element, Lanes::D(D(b, [carried(0), carried(1)]))),
        Lanes::I(_) if element.byte_width() == 4 => (element, Lanes::I(I(b, carried(0)))),
        Lanes::L(_) => (element, Lanes::L(L(b, [carried(0), carried(1)]))),
        _ => return None,
    };
    let op = Operation { kind, from: of, to: of, detail: Detail::None };
    match (acc, ops::operation(&op, [acc, value, acc])?) {
        (Lanes::F(F(_, acc)), Lanes::F(F(_, next))) | (Lanes::I(I(_, acc)), Lanes::I(I(_, next))) => {
            b.push(Step::Carry(acc, next, None));
        }
        (Lanes::D(D(_, acc)), Lanes::D(D(_, next))) | (Lanes::L(L(_, acc)), Lanes::L(L(_, next))) => {
            b.push(Step::Carry(acc[0], next[0], Some(false)));
            b.push(Step::Carry(acc[1], next[1], Some(true)));
        }
        _ => return None,
    }
    Some(())
}

/// The bytes of the function, after its constants, where it begins, and the bytes of its accumulators.
fn assemble(program: &Program, widths: &[u8], streamed: &[bool], is_short: bool) -> Option<(Vec<u8>, usize, usize)> {
    let mut bases = vec![None; widths.len()];
    let mut n_bases = 0;
    for step in &program.steps {
        let (Step::Load(transfer) | Step::Store(transfer, _)) = step else { continue };
        let base = &mut bases[usize::from(transfer.array)];
        if base.is_none() && n_bases < BASES.len() {
            *base = Some(BASES[n_bases]);
            n_bases += 1;
        }
    }
    let mut emitter = Emitter::new(program, widths, streamed, bases);
    let entry = emitter.pool.len();
    let is_folding = program.steps.iter().any(|step| matches!(step, Step::Carried(..)));
    // A rehearsal tells how many copies fit the registers and how many registers are left.
    emitter.asm.is_rehearsal = true;
    let (mut copies, mut free) = (1, 0);
    emitter.pin_accumulators(2);
    emitter.body(Mode::Before);
    if !is_short {
        let mut need = emitter.body(Mode::Whole(2));
        copies = 2;
        if need.spills > 0 {
            copies = 1;
            emitter.pin_accumulators(1);
            need = emitter.body(Mode::Whole(1));
        }
        free = 32 - need.registers as usize - emitter.n_pinned();
    }
    emitter.pin_accumulators(copies);
    emitter.asm.is_rehearsal = false;
    let frame = prologue(&mut emitter, n_bases);
    emitter.body(Mode::Before);
    emitter.pin(free, copies);
    if is_folding {
        emitter.move_accumulators(widths.len(), copies, true);
    }
    let (tail, done) = (emitter.asm.label(), emitter.asm.label());
    if !is_short {
        whole_vectors(&mut emitter, copies, tail);
    }
    let asm = &mut emitter.asm;
    asm.bind(tail);
    asm.put(Instruction::with2(Code::Cmp_r64_rm64, INDEX, END));
    asm.jump(Code::Jae_rel32_64, done);
    let again = asm.label();
    asm.bind(again);
    // The mask of as many lanes as are left.
    asm.put(Instruction::with2(Code::Mov_r64_rm64, Register::RCX, END));
    asm.put(Instruction::with2(Code::Sub_r64_rm64, Register::RCX, INDEX));
    asm.put(Instruction::with2(Code::Mov_r32_imm32, Register::EAX, LANES as u32));
    asm.put(Instruction::with2(Code::Cmp_r64_rm64, Register::RCX, Register::RAX));
    asm.put(Instruction::with2(Code::Cmova_r64_rm64, Register::RCX, Register::RAX));
    asm.put(Instruction::with2(Code::Mov_r32_imm32, Register::EAX, u32::MAX));
    asm.put(Instruction::with3(Code::VEX_Bzhi_r32_rm32_r32, Register::EAX, Register::EAX, Register::ECX));
    asm.put(Instruction::with2(Code::VEX_Kmovw_kr_r32, register(Size::K, 1), Register::EAX));
    asm.put(Instruction::with3(Code::VEX_Kshiftrw_kr_kr_imm8, register(Size::K, 2), register(Size::K, 1), 8u32));
    emitter.body(Mode::Tail);
    let asm = &mut emitter.asm;
    asm.put(Instruction::with2(Code::Add_rm64_imm8, INDEX, LANES as i32));
    asm.put(Instruction::with2(Code::Cmp_r64_rm64, INDEX, END));
    asm.jump(Code::Jb_rel32_64, again);
    asm.bind(done);
    let n_accumulators = if is_folding { emitter.move_accumulators(widths.len(), copies, false) } else { 0 };
    epilogue(&mut emitter, n_bases);
    emitter.asides();
    emitter.asm.patch(frame, emitter.frame() as i32);
    let pool = std::mem::take(&mut emitter.pool);
    Some((emitter.asm.finish(&pool)?, entry, n_accumulators * 64))
}

/// Registers of the caller's that the function uses.
fn saved(n_bases: usize) -> &'static [Register] {
    let first_saved = 4;
    &BASES[first_saved..n_bases.max(first_saved)]
}

/// Begins the function; where the size of its frame is to be written.
pub fn prologue(emitter: &mut Emitter<'_>, n_bases: usize) -> usize {
    let asm = &mut emitter.asm;
    asm.put(Instruction::with1(Code::Push_r64, Register::RBP));
    asm.put(Instruction::with2(Code::Mov_rm64_r64, Register::RBP, Register::RSP));
    for register in saved(n_bases) {
        asm.put(Instruction::with1(Code::Push_r64, *register));
    }
    asm.put(Instruction::with2(Code::Sub_rm64_imm32, Register::RSP, 0));
    let frame = asm.position();
    asm.put(Instruction::with2(Code::And_rm64_imm8, Register::RSP, -64));
    for (array, base) in emitter.bases.clone().into_iter().enumerate() {
        if let Some(base) = base {
            let place = at(TABLE, array as i64 * 8);
            emitter.asm.put(Instruction::with2(Code::Mov_r64_rm64, base, place));
        }
    }
    frame
}

/// Ends the function.
pub fn epilogue(emitter: &mut Emitter<'_>, n_bases: usize) {
    let asm = &mut emitter.asm;
    let saved = saved(n_bases);
    asm.put(Instruction::with2(Code::Lea_r64_m, Register::RSP, at(Register::RBP, -8 * saved.len() as i64)));
    for register in saved.iter().rev() {
        asm.put(Instruction::with1(Code::Pop_r64, *register));
    }
    asm.put(Instruction::with1(Code::Pop_r64, Register::RBP));
    asm.put(Ok(Instruction::with(Code::VEX_Vzeroupper)));
    asm.put(Ok(Instruction::with(Code::Retnq)));
}

/// The loop over whole vectors.
fn whole_vectors(emitter: &mut Emitter<'_>, copies: u8, tail: super::asm::Label) {
    let stride = i64::from(copies) * LANES as i64;
    // Stores past the caches must be aligned; if they cannot be, the other body does everything.
    for (array, base) in emitter.bases.clone().into_iter().enumerate() {
        if let (Some(base), true) = (base, emitter.is_streamed(array)) {
            let width = u32::from(emitter.width(array));
            let first = MemoryOperand::with_base_index_scale(base, INDEX, width);
            let asm = &mut emitter.asm;
            asm.put(Instruction::with2(Code::Lea_r64_m, Register::RAX, first));
            asm.put(Instruction::with2(Code::Test_rm64_imm32, Register::RAX, 63));
            asm.jump(Code::Jne_rel32_64, tail);
        }
    }
    let next = at(INDEX, stride);
    let asm = &mut emitter.asm;
    asm.put(Instruction::with2(Code::Lea_r64_m, Register::RCX, next));
    asm.put(Instruction::with2(Code::Cmp_r64_rm64, Register::RCX, END));
    asm.jump(Code::Ja_rel32_64, tail);
    let again = asm.label();
    asm.bind(again);
    emitter.body(Mode::Whole(copies));
    let asm = &mut emitter.asm;
    asm.put(Instruction::with2(Code::Mov_r64_rm64, INDEX, Register::RCX));
    asm.put(Instruction::with2(Code::Lea_r64_m, Register::RCX, next));
    asm.put(Instruction::with2(Code::Cmp_r64_rm64, Register::RCX, END));
    asm.jump(Code::Jbe_rel32_64, again);
}
