//! Bodies of any elementwise ops, applied to many elements at a time.

use smallvec::SmallVec;

use super::isa::Isa;
use super::lanes::StepFn;
use super::memory::{ALIGN, Buffer};
use crate::graph::{BodyId, Graph, NodeKind, Val};
use crate::plan::step;

/// Elements that a body is applied to at once: its registers stay in the L1 cache.
const BLOCK: usize = 256;

/// Bytes for a result that is a parameter.
const SAVED: usize = BLOCK * 16;

/// A body of elementwise ops on scalars.
#[derive(Debug)]
pub struct Compiled {
    /// Bytes of an element of each register: parameters, then constants, then what the code computes.
    widths: Vec<usize>,
    n_params: usize,
    /// Every constant, [`BLOCK`] times.
    constants: Vec<Buffer>,
    code: Vec<Call>,
    results: Vec<usize>,
    /// Bytes of the registers that the code computes.
    scratch: usize,
}

/// A step on registers.
#[derive(Debug)]
struct Call {
    f: StepFn,
    args: [usize; 3],
    /// Byte of the scratch memory where its register is.
    at: usize,
}

impl Compiled {
    /// Compiles a body without captures; none when it has other ops than elementwise ones.
    pub fn new(graph: &Graph<'_>, id: BodyId, isa: Isa) -> Option<Self> {
        let body = &graph.bodies[id];
        let width = |value: Val| Some(body.ty(value).element?.byte_width());
        let mut widths = body.params.iter().map(|ty| Some(ty.element?.byte_width())).collect::<Option<Vec<usize>>>()?;
        if body.params.iter().any(|ty| ty.len() != 1) {
            return None;
        }
        let n_params = widths.len();
        // Constants first, so that registers are numbered as they are laid out.
        let mut registers: Vec<Option<usize>> = vec![None; body.nodes.len()];
        let mut constants = Vec::new();
        for (index, node) in body.nodes.iter().enumerate() {
            let NodeKind::Constant(literal) = &node.kind else { continue };
            registers[index] = Some(widths.len());
            widths.push(width(Val::Node(index as u32, 0))?);
            constants.push(Buffer::of(&literal.data().get(..widths[widths.len() - 1])?.repeat(BLOCK)));
        }
        let (mut code, mut scratch) = (Vec::new(), 0);
        let register = |registers: &[Option<usize>], value: Val| match value {
            Val::Param(index) => Some(index as usize),
            Val::Node(node, 0) => registers[node as usize],
            Val::Node(..) => None,
        };
        for (index, node) in body.nodes.iter().enumerate() {
            if registers[index].is_some() {
                continue;
            }
            if node.types.len() != 1 || node.types[0].len() != 1 {
                return None;
            }
            let f = step(graph, node, isa)?;
            let args: Vec<usize> =
                node.operands.iter().map(|value| register(&registers, *value)).collect::<Option<_>>()?;
            let arg = |at: usize| args.get(at).or(args.first()).copied();
            code.push(Call { f, args: [arg(0)?, arg(1)?, arg(2)?], at: scratch });
            registers[index] = Some(widths.len());
            widths.push(width(Val::Node(index as u32, 0))?);
            scratch += (BLOCK * widths[widths.len() - 1]).next_multiple_of(ALIGN);
        }
        let results = body.results.iter().map(|value| register(&registers, *value)).collect::<Option<_>>()?;
        Some(Self { widths, n_params, constants, code, results, scratch })
    }

    /// Bytes of scratch memory that [`Compiled::run`] needs.
    pub fn scratch(&self) -> usize {
        self.scratch + self.results.len() * SAVED
    }

    /// Applies the body to `n` elements of each parameter; results may stand where parameters do.
    ///
    /// # Safety
    /// Parameters are readable and results writable for n elements of the body's types; there are as many as it has, and
    /// scratch memory.
    pub unsafe fn run(&self, n: usize, params: &[*const u8], results: &[*mut u8], scratch: *mut u8) {
        debug_assert!(params.len() == self.n_params && results.len() == self.results.len());
        let mut registers: SmallVec<[*const u8; 32]> = SmallVec::new();
        let mut at = 0;
        while at < n {
            let n = BLOCK.min(n - at);
            // SAFETY: the caller's promise, for the elements from `at` on. What a step reads has been computed before.
            unsafe {
                registers.clear();
                registers.extend(params.iter().zip(&self.widths).map(|(param, width)| param.add(at * width)));
                registers.extend(self.constants.iter().map(|constant| constant.as_ptr().cast_const()));
                for call in &self.code {
                    let [a, b, c] = call.args.map(|arg| registers[arg]);
                    let out = scratch.add(call.at);
                    (call.f)(n, out, a, b, c);
                    registers.push(out);
                }
                // A result that is a parameter may stand where another result goes: all are at hand before any is stored.
                let saved = |place: usize| scratch.add(self.scratch + place * SAVED);
                for (place, register) in self.results.iter().enumerate().filter(|(_, at)| **at < self.n_params) {
                    std::ptr::copy_nonoverlapping(registers[*register], saved(place), n * self.widths[*register]);
                }
                for (place, register) in self.results.iter().enumerate() {
                    let (from, width) = (registers[*register], self.widths[*register]);
                    let from = if *register < self.n_params { saved(place) } else { from.cast_mut() };
                    std::ptr::copy_nonoverlapping(from, results[place].add(at * width), n * width);
                }
            }
            at += n;
        }
    }
}
