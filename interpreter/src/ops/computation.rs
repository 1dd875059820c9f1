//! Regions on scalars that are applied to many elements: the bodies of `reduce`, `scatter`, `sort` and their like.
//!
//! A region of elementwise ops is turned into a [`Program`], a list of functions on registers; any other region is run
//! op by op. Both give the same values.

use smallvec::SmallVec;
use stablehlo::element::ElementType;
use stablehlo::ir::{Module, OpId, RegionId, ValueId};
use stablehlo::ops::OpKind;
use stablehlo::ops::spec::Trait;

use super::constant::from_attr;
use super::elementwise::{self, ScalarFn, Word};
use super::is_elementwise;
use super::quantized::is_quantized;
use crate::dispatch_element;
use crate::element::{CompareType, Direction, Element, Exact};
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::Tensor;
use crate::value::{Value, Values};

/// What a region of one op does with its two arguments.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Single {
    /// Their sum; OR of booleans.
    Add,
    /// Their product; AND of booleans.
    Multiply,
    /// The larger.
    Maximum,
    /// The smaller.
    Minimum,
    /// Gives the second one.
    Second,
}

/// A region on scalars.
pub struct Computation<'c, 'r> {
    cx: &'c Cx<'r>,
    region: RegionId,
    /// Element types of the arguments.
    pub arguments: Vec<ElementType>,
    /// Element types of the results.
    pub results: Vec<ElementType>,
    program: Option<Program>,
    lifts: bool,
}

impl<'c, 'r> Computation<'c, 'r> {
    /// Gets a region of the op at hand ready.
    ///
    /// # Errors
    /// `exec/bug` for a region that verification rejects.
    pub fn new(cx: &'c Cx<'r>, region: RegionId) -> Result<Self> {
        let module = cx.module();
        let [block] = module.blocks(region) else {
            return Err(EvalError::unsupported("regions of several blocks are not executed"));
        };
        let terminator = module.terminator(*block).ok_or_else(|| EvalError::bug("a region has a terminator"))?;
        let elements = |values: &[ValueId]| -> Result<Vec<ElementType>> {
            let element = |value: &ValueId| module.storage_element(module.value_type(*value));
            let elements: Option<Vec<ElementType>> = values.iter().map(element).collect();
            elements.ok_or_else(|| EvalError::bug("regions of this op are on tensors"))
        };
        // Points of the semantics are noticed by the ops themselves.
        let program = if cx.is_strict() { None } else { Program::new(cx, region) };
        Ok(Self {
            cx,
            region,
            arguments: elements(&module.block(*block).arguments)?,
            results: elements(module.operands(terminator))?,
            program,
            lifts: is_elementwise(module, region),
        })
    }

    /// What the region is when it is a single op on its two arguments.
    pub fn single(&self) -> Option<Single> {
        let module = self.cx.module();
        let block = module.block(*module.blocks(self.region).first()?);
        let [first, second] = block.arguments[..] else {
            return None;
        };
        let returned = |op: &OpId| match module.operands(*op) {
            [value] if module.kind(*op).is_some_and(|kind| kind.spec().has(Trait::Terminator)) => Some(*value),
            _ => None,
        };
        match &block.ops[..] {
            [end] => (returned(end)? == second).then_some(Single::Second),
            [op, end] if module.result(*op) == returned(end) && !is_quantized(module, *op) => {
                let operands = module.operands(*op);
                let boolean = self.arguments.first() == Some(&ElementType::I1);
                let single = match module.kind(*op)? {
                    OpKind::Add => Single::Add,
                    OpKind::Multiply => Single::Multiply,
                    OpKind::Maximum => Single::Maximum,
                    OpKind::Minimum => Single::Minimum,
                    OpKind::Or if boolean => Single::Add,
                    OpKind::And if boolean => Single::Multiply,
                    _ => return None,
                };
                // All of them commute, bit for bit.
                (operands == [first, second] || operands == [second, first]).then_some(single)
            }
            _ => None,
        }
    }

    /// The comparison that the region is, when it is one of its arguments number 2i and 2i + 1: i, and the question for
    /// these in this order.
    pub fn comparison(&self) -> Option<(usize, Direction, CompareType)> {
        let module = self.cx.module();
        let block = module.block(*module.blocks(self.region).first()?);
        let [op, end] = block.ops[..] else {
            return None;
        };
        if module.kind(op) != Some(OpKind::Compare)
            || is_quantized(module, op)
            || module.operands(end) != [module.result(op)?]
        {
            return None;
        }
        let [lhs, rhs] = module.operands(op) else {
            return None;
        };
        let position = |value: &ValueId| block.arguments.iter().position(|argument| argument == value);
        let (lhs, rhs) = (position(lhs)?, position(rhs)?);
        let (direction, ty) = elementwise::question(module, op)?;
        match (lhs % 2, rhs % 2) {
            (0, 1) if lhs + 1 == rhs => Some((lhs / 2, direction, ty)),
            (1, 0) if rhs + 1 == lhs => Some((rhs / 2, direction.swapped(), ty)),
            _ => None,
        }
    }

    /// The comparison that the region ends in, when it compares something made of its even arguments with something made
    /// of its odd ones. Comparators that bring NaN and zeros into one form first are such.
    pub fn split(&self) -> Option<Split> {
        self.program.as_ref().and_then(|program| program.split(self.arguments.len()))
    }

    /// The two sides of a [`Computation::split`], each from these arguments.
    pub fn sides<'a>(&mut self, split: &Split, arguments: impl Iterator<Item = &'a [u8]>) -> [Word; 2] {
        let Some(program) = &mut self.program else {
            return [Word::default(); 2];
        };
        for (register, argument) in program.registers.iter_mut().zip(arguments) {
            load(register, argument);
        }
        program.run();
        [program.registers[split.even], program.registers[split.odd]]
    }

    /// Whether the region computes each element by itself, so that it can be run once for many.
    pub fn lifts(&self) -> bool {
        self.lifts
    }

    /// The region's results for single elements in storage form.
    ///
    /// # Errors
    /// Those of the ops inside.
    #[inline]
    pub fn apply<'a>(
        &mut self,
        arguments: impl Iterator<Item = &'a [u8]>,
        results: &mut SmallVec<[Word; 2]>,
    ) -> Result<()> {
        results.clear();
        let Some(program) = &mut self.program else {
            return self.run_region(arguments, results);
        };
        for (register, argument) in program.registers.iter_mut().zip(arguments) {
            load(register, argument);
        }
        program.run();
        results.extend(program.results.iter().map(|register| program.registers[*register]));
        Ok(())
    }

    /// Applies the region `n` times, its results in place of the first arguments the next time; `input` gives the other
    /// arguments by their number and that of the step. False, and nothing is done, for a region that is no program.
    pub fn repeat<'a>(
        &mut self,
        first: impl Iterator<Item = &'a [u8]>,
        input: impl Fn(usize, usize) -> &'a [u8],
        n: usize,
        results: &mut SmallVec<[Word; 2]>,
    ) -> bool {
        let Some(program) = &mut self.program else {
            return false;
        };
        let n_values = program.results.len();
        program.registers.iter_mut().zip(first).for_each(|(register, value)| load(register, value));
        for step in 0..n {
            for (index, register) in program.registers[n_values..2 * n_values].iter_mut().enumerate() {
                load(register, input(index, step));
            }
            program.run();
            results.clear();
            results.extend(program.results.iter().map(|register| program.registers[*register]));
            program.registers[..n_values].copy_from_slice(results);
        }
        true
    }

    #[cold]
    fn run_region<'a>(
        &self,
        arguments: impl Iterator<Item = &'a [u8]>,
        results: &mut SmallVec<[Word; 2]>,
    ) -> Result<()> {
        let scalar = |(bytes, element): (&[u8], &ElementType)| {
            Tensor::new(*element, &[], bytes.to_vec()).map(Value::from).ok_or_else(|| EvalError::bug("one element"))
        };
        let arguments = arguments.zip(&self.arguments).map(scalar).collect::<Result<Values>>()?;
        for value in self.cx.run_region(self.region, arguments)? {
            let mut word = Word::default();
            load(&mut word, value.tensor()?.element_bytes(0));
            results.push(word);
        }
        Ok(())
    }

    /// The region's results for many elements at once, if [`Computation::lifts`] holds.
    ///
    /// # Errors
    /// Those of the ops inside.
    pub fn apply_lifted(&self, arguments: Values, shape: &[usize]) -> Result<Vec<Tensor>> {
        let results = self.cx.run_region_lifted(self.region, arguments, shape)?;
        let whole = |value: Value| {
            let tensor = value.into_tensor()?;
            // A region that returns something from outside returns a scalar.
            match tensor.shape() == shape {
                true => Ok(tensor),
                false => super::shapes::splat(tensor.element(), shape, tensor.element_bytes(0)),
            }
        };
        results.into_iter().map(whole).collect()
    }
}

/// Copies an element's bytes; those of the register beyond are left alone, as all values of a register have one type.
#[inline]
fn load(register: &mut Word, bytes: &[u8]) {
    // Fixed widths are single moves.
    match bytes.len() {
        4 => register[..4].copy_from_slice(&bytes[..4]),
        8 => register[..8].copy_from_slice(&bytes[..8]),
        1 => register[0] = bytes[0],
        n @ 0..=16 => register[..n].copy_from_slice(bytes),
        _ => {}
    }
}

/// The last step of a comparator, and where its operands are.
pub struct Split {
    function: ScalarFn,
    even: usize,
    odd: usize,
    /// Whether the operand that is made of odd arguments comes first.
    swapped: bool,
}

impl Split {
    /// What the comparator says of the side of one element and that of another.
    #[inline]
    pub fn holds(&self, even: &Word, odd: &Word) -> bool {
        let (lhs, rhs) = if self.swapped { (odd, even) } else { (even, odd) };
        (self.function)(lhs, rhs, lhs)[0] != 0
    }
}

/// A region of elementwise ops as functions on registers. The first registers are the arguments.
struct Program {
    registers: Vec<Word>,
    steps: Vec<Step>,
    results: Vec<usize>,
}

enum Step {
    Op { function: ScalarFn, operands: [usize; 3], to: usize },
    Convert { read: fn(&[u8]) -> Exact, write: fn(Exact, &mut [u8]), from: usize, to: usize },
}

impl Program {
    /// None for a region with ops that are not elementwise, or with values that are not scalars.
    fn new(cx: &Cx<'_>, region: RegionId) -> Option<Self> {
        let module = cx.module();
        let [block] = module.blocks(region) else {
            return None;
        };
        let block = module.block(*block);
        let mut program =
            Self { registers: vec![Word::default(); block.arguments.len()], steps: Vec::new(), results: Vec::new() };
        let mut places: Vec<(ValueId, usize)> = block.arguments.iter().copied().zip(0..).collect();
        for op in &block.ops {
            let mut operands = SmallVec::<[usize; 4]>::new();
            for value in module.operands(*op) {
                operands.push(program.place(cx, &mut places, *value)?);
            }
            if module.kind(*op)?.spec().has(Trait::Terminator) {
                program.results = operands.into_vec();
                return Some(program);
            }
            let place = program.add(cx, *op, &operands)?;
            places.push((module.result(*op)?, place));
        }
        None
    }

    /// The register of a value; one from outside gets its own.
    fn place(&mut self, cx: &Cx<'_>, places: &mut Vec<(ValueId, usize)>, value: ValueId) -> Option<usize> {
        if let Some((_, place)) = places.iter().rev().find(|(known, _)| *known == value) {
            return Some(*place);
        }
        let outside = cx.captured(value).ok()?.into_tensor().ok()?;
        let place = self.constant(&outside)?;
        places.push((value, place));
        Some(place)
    }

    fn constant(&mut self, value: &Tensor) -> Option<usize> {
        if value.rank() != 0 {
            return None;
        }
        let mut word = Word::default();
        load(&mut word, value.element_bytes(0));
        self.registers.push(word);
        Some(self.registers.len() - 1)
    }

    /// Adds an op; the register of its result.
    fn add(&mut self, cx: &Cx<'_>, op: OpId, operands: &[usize]) -> Option<usize> {
        let module = cx.module();
        let result = module.value_type(module.result(op)?);
        if is_quantized(module, op) || module.rank(result) != Some(0) {
            return None;
        }
        match (module.kind(op)?, operands) {
            (OpKind::Constant, _) => {
                let value = module.property(op, "value")?;
                return self.constant(&from_attr(cx, value).ok()?);
            }
            (OpKind::Reshape | OpKind::BroadcastInDim | OpKind::OptimizationBarrier, [operand]) => {
                return scalar_element(module, op).map(|_| *operand);
            }
            _ => {}
        }
        let element = scalar_element(module, op)?;
        let to = self.registers.len();
        let step = match (module.kind(op)?, operands) {
            (OpKind::Convert, [from]) => Step::Convert {
                read: dispatch_element!(element, T => |bytes| T::read_le(bytes).to_exact()),
                write: dispatch_element!(module.element(result)?, T => |value, bytes| T::from_exact(value).write_le(bytes)),
                from: *from,
                to,
            },
            _ => {
                // Functions of fewer operands ignore the rest.
                let at = |index: usize| operands.get(index).or(operands.first()).copied().unwrap_or(0);
                Step::Op { function: elementwise::scalar(module, op)?, operands: [at(0), at(1), at(2)], to }
            }
        };
        self.steps.push(step);
        self.registers.push(Word::default());
        Some(to)
    }

    fn split(&self, n_arguments: usize) -> Option<Split> {
        let ([result], Some(Step::Op { function, operands: [lhs, rhs, _], to })) =
            (&self.results[..], self.steps.last())
        else {
            return None;
        };
        // Which arguments a register depends on: the even ones, the odd ones.
        let mut depends = vec![(false, false); self.registers.len()];
        (0..n_arguments).for_each(|argument| depends[argument] = (argument % 2 == 0, argument % 2 == 1));
        for step in &self.steps {
            let (operands, to) = match step {
                Step::Op { operands, to, .. } => (&operands[..], *to),
                Step::Convert { from, to, .. } => (std::slice::from_ref(from), *to),
            };
            for operand in operands {
                depends[to].0 |= depends[*operand].0;
                depends[to].1 |= depends[*operand].1;
            }
        }
        let split = |even: usize, odd: usize, swapped| Split { function: *function, even, odd, swapped };
        match (depends[*lhs], depends[*rhs]) {
            _ if result != to => None,
            ((_, false), (false, _)) => Some(split(*lhs, *rhs, false)),
            ((false, _), (_, false)) => Some(split(*rhs, *lhs, true)),
            _ => None,
        }
    }

    fn run(&mut self) {
        let registers = &mut self.registers[..];
        for step in &self.steps {
            match step {
                Step::Op { function, operands: [a, b, c], to } => {
                    registers[*to] = function(&registers[*a], &registers[*b], &registers[*c]);
                }
                Step::Convert { read, write, from, to } => {
                    let value = read(&registers[*from]);
                    write(value, &mut registers[*to]);
                }
            }
        }
    }
}

/// The element type of the first operand, if that is a scalar.
fn scalar_element(module: &Module, op: OpId) -> Option<ElementType> {
    let ty = module.value_type(*module.operands(op).first()?);
    module.element(ty).filter(|_| module.rank(ty) == Some(0))
}
