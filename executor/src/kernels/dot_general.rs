//! `dot_general`, `dot`: contraction of dimensions of two tensors.

use smallvec::SmallVec;
use stablehlo::ir::Module;
use stablehlo::ops::OpKind;
use stablehlo::ops::stablehlo::dot_general::DotGeneral;

use super::Planned;
use super::contraction::{Form, last, through};
use super::gemm::choose::{Factors, Source, Target, product};
use super::gemm::mixed;
use super::gemm::pack::Side;
use super::gemv;
use crate::graph::{Node, Ty, Val};
use crate::plan::{BodyLowering, View};
use crate::quantized::is_in_order;

/// Sizes and strides of some dimensions.
pub type Axes = SmallVec<[(usize, isize); 4]>;

/// Dimensions of an operand by what becomes of them.
#[derive(Debug)]
struct Roles {
    batching: Axes,
    result: Axes,
    contracting: Axes,
}

impl Roles {
    fn new(view: &View, batching: &[i64], contracting: &[i64]) -> Option<Self> {
        let axis = |dim: usize| Some((*view.shape.get(dim)?, *view.strides.get(dim)?));
        let axes = |dims: &[i64]| dims.iter().map(|dim| axis(usize::try_from(*dim).ok()?)).collect::<Option<Axes>>();
        let is_result = |dim: &usize| !batching.contains(&(*dim as i64)) && !contracting.contains(&(*dim as i64));
        let result = (0..view.shape.len()).filter(is_result).map(axis).collect::<Option<Axes>>()?;
        Some(Self { batching: axes(batching)?, result, contracting: axes(contracting)? })
    }
}

/// Where the elements along some dimensions stand, in row-major order.
pub fn places(axes: &[(usize, isize)]) -> Box<[isize]> {
    let mut places = vec![0];
    for (size, stride) in axes {
        places = places.iter().flat_map(|at| (0..*size).map(move |index| at + index as isize * stride)).collect();
    }
    places.into()
}

/// Most places that are written down: products with more are left to the interpreter, which knows limits of memory.
const MAX_PLACES: usize = 1 << 27;

/// Whether so many places may be written down.
pub fn is_few(sizes: impl IntoIterator<Item = usize>) -> bool {
    sizes.into_iter().try_fold(1usize, |n, size| n.checked_mul(size)).is_some_and(|n| n <= MAX_PLACES)
}

/// Dimensions of size 1 are dropped, neighbours that are one run joined.
fn joined(axes: &[(usize, isize)]) -> Axes {
    let mut runs = Axes::new();
    for (size, stride) in axes.iter().copied() {
        match runs.last_mut() {
            _ if size == 1 => {}
            Some((outer, outer_stride)) if *outer_stride == stride * size as isize => {
                *outer *= size;
                *outer_stride = stride;
            }
            _ => runs.push((size, stride)),
        }
    }
    runs
}

/// The lines along `lines` of an operand whose contracting dimensions are `contracting`.
pub fn side(lines: &[(usize, isize)], contracting: &[(usize, isize)]) -> Side {
    let runs = joined(contracting);
    let (len, step, outer) = match runs.split_last() {
        Some(((len, step), outer)) => (*len, *step, outer),
        None => (1, 1, &[][..]),
    };
    let runs = places(outer).iter().map(|at| (*at, len)).collect();
    // A line of one element has no neighbours: any step will do.
    Side::new(places(lines), runs, if len == 1 { 1 } else { step })
}

/// Places, all moved by as much.
pub fn shifted(places: &[isize], by: isize) -> Box<[isize]> {
    places.iter().map(|at| at + by).collect()
}

/// Whether there is a kernel for a contraction of operands of these types, whatever those of the op are.
pub fn reads(module: &Module, node: &Node, operands: [&Ty; 2]) -> bool {
    let result = &node.types[0];
    let types = [operands[0], operands[1], result];
    let has_algorithm =
        module.kind(node.op) == Some(OpKind::DotGeneral) && DotGeneral::new(module, node.op).algorithm().is_some();
    let is_plain = types.iter().all(|ty| module.quantized(ty.ty).is_none() && !ty.is_empty());
    let [Some(lhs), Some(rhs), Some(result)] = types.map(|ty| ty.element) else { return false };
    !has_algorithm
        && is_plain
        && is_few([types[0].len()])
        && is_few([types[1].len()])
        && is_few([types[2].len()])
        && mixed::has_product(lhs, rhs, result)
}

/// Plans `dot_general` or `dot`.
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node, kind: OpKind) -> Option<Planned> {
    let graph = cx.graph();
    let module = graph.module;
    let value = Val::Node(index, 0);
    let types = [cx.ty(node.operands[0]), cx.ty(node.operands[1]), cx.ty(value)];
    if types.iter().any(|ty| module.quantized(ty.ty).is_some()) {
        return None;
    }
    let [lhs_element, rhs_element, result_element] = [types[0].element?, types[1].element?, types[2].element?];
    let algorithm = if kind == OpKind::DotGeneral { DotGeneral::new(module, node.op).algorithm() } else { None };
    let form = match algorithm {
        Some(algorithm) => Form::by_algorithm(module, algorithm, [lhs_element, rhs_element], result_element)?,
        None => Form::new(lhs_element, rhs_element, result_element)?,
    };
    let (lhs_slot, lhs_view) = cx.computed(node.op, node.operands[0], &form.operands[0])?;
    let (rhs_slot, rhs_view) = cx.computed(node.op, node.operands[1], &form.operands[1])?;
    let (lhs_element, rhs_element) = (last(&form.operands[0], lhs_element), last(&form.operands[1], rhs_element));
    let (lhs, rhs) = match kind {
        OpKind::DotGeneral => {
            let op = DotGeneral::new(module, node.op);
            let numbers = op.dot_dimension_numbers();
            (
                Roles::new(&lhs_view, &numbers.lhs_batching_dimensions, &numbers.lhs_contracting_dimensions)?,
                Roles::new(&rhs_view, &numbers.rhs_batching_dimensions, &numbers.rhs_contracting_dimensions)?,
            )
        }
        _ => {
            let last = lhs_view.shape.len().checked_sub(1)? as i64;
            (Roles::new(&lhs_view, &[], &[last])?, Roles::new(&rhs_view, &[], &[0])?)
        }
    };
    let all = [&lhs.batching, &lhs.result, &lhs.contracting, &rhs.result];
    // Operands of products without results can have any number of empty lines.
    if types[2].is_empty() || !all.iter().all(|axes| is_few(axes.iter().map(|(size, _)| *size))) {
        return None;
    }
    let k: usize = lhs.contracting.iter().map(|(size, _)| size).product();
    let m: usize = lhs.result.iter().map(|(size, _)| size).product();
    let n: usize = rhs.result.iter().map(|(size, _)| size).product();
    let source = |slot, element, view: &View, roles: &Roles| Source {
        slot,
        element,
        side: side(&roles.result, &roles.contracting),
        batches: shifted(&places(&roles.batching), view.offset),
        factors: None,
    };
    let mut lhs_source = source(lhs_slot, lhs_element, &lhs_view, &lhs);
    let mut rhs_source = source(rhs_slot, rhs_element, &rhs_view, &rhs);
    let mut reads = vec![lhs_slot, rhs_slot];
    if let Some(operand) = node.scaled {
        let (slot, view) = cx.view(node.operands[2]);
        let element = cx.ty(node.operands[2]).element?;
        let step = view.strides.last().copied().filter(|_| view.len() > 1).unwrap_or(0);
        let source = if operand == 0 { &mut lhs_source } else { &mut rhs_source };
        source.factors = Some(Factors { slot, element, offset: view.offset, step });
        reads.push(slot);
    }
    let n_batches = lhs_source.batches.len();
    let (mut m, mut n) = (m, n);
    if n == 1 && m > 1 {
        // A column of results is a row of the transposed product.
        std::mem::swap(&mut lhs_source, &mut rhs_source);
        std::mem::swap(&mut m, &mut n);
    }
    let starts = |count: usize, step: usize| (0..count).map(|at| (at * step) as isize).collect();
    let slot = match form.result.is_empty() {
        true => cx.output(value),
        false => cx.scratch(types[2].len() * form.sums.byte_width()),
    };
    let target = Target {
        slot,
        element: form.sums,
        batches: starts(n_batches, m * n),
        rows: starts(m, n),
        in_order: is_in_order(module, node.op),
    };
    let writes = vec![target.slot];
    let kernel = match gemv::product(cx.isa(), k, &lhs_source, &rhs_source, &target) {
        Some(kernel) => kernel,
        None => product(cx.isa(), k, lhs_source, rhs_source, target)?,
    };
    let planned = (kernel, reads, writes);
    if form.result.is_empty() {
        return Some(planned);
    }
    let to = cx.output(value);
    let after = cx.computing(types[2].len(), slot, &form.result, to)?;
    Some(through(planned, slot, after, to))
}
