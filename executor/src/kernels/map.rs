//! `map`, and ops that have nothing to compute.

use std::cell::RefCell;
use std::ops::Range;

use smallvec::SmallVec;

use super::body::Compiled;
use super::memory::{Buffer, Memory, SlotId};
use super::pool::Pool;
use super::strided_copy::Address;
use super::{Kernel, Planned};
use crate::graph::{Node, Val};
use crate::plan::BodyLowering;

/// Elements below which a map is not worth splitting over threads.
const GRAIN: usize = 1 << 14;

thread_local! {
    /// What a body needs.
    static SCRATCH: RefCell<Buffer> = RefCell::new(Buffer::new(0));
}

/// Applies a body to the elements of its operands.
#[derive(Debug)]
struct Map {
    body: Compiled,
    /// Operands with the bytes of their elements.
    operands: SmallVec<[(SlotId, usize); 2]>,
    to: SlotId,
    /// Bytes of a result.
    width: usize,
    n: usize,
}

/// The kernel of a `map`.
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let (graph, own) = (cx.graph(), node.own_operands());
    let id = *node.bodies.first()?;
    let body = &graph.bodies[id];
    let [result] = body.results[..] else { return None };
    let is_plain = |(a, b): (&crate::graph::Ty, &crate::graph::Ty)| {
        a.element.is_some() && a.element == b.element && [a, b].iter().all(|ty| graph.module.quantized(ty.ty).is_none())
    };
    let pairs = own.iter().map(|value| cx.ty(*value)).zip(&body.params);
    let all_plain = pairs.chain([(&node.types[0], body.ty(result))]).all(is_plain);
    if !all_plain || own.len() != body.params.len() || own.len() != node.operands.len() {
        return cx.decline("its region is about other types, or reads values from outside");
    }
    let Some(compiled) = Compiled::new(graph, id, cx.isa()) else {
        return cx.decline("its region is not elementwise");
    };
    let width = node.types[0].element?.byte_width();
    let mut operands: SmallVec<[(SlotId, usize); 2]> = SmallVec::new();
    for value in own {
        operands.push((cx.dense(*value), cx.ty(*value).element?.byte_width()));
    }
    let to = cx.output(Val::Node(index, 0));
    let reads = operands.iter().map(|(slot, _)| *slot).collect();
    Some((Box::new(Map { body: compiled, operands, to, width, n: node.types[0].len() }), reads, vec![to]))
}

impl Map {
    /// The elements `range`.
    ///
    /// # Safety
    /// The addresses are those of the slots.
    unsafe fn range(&self, operands: &[Address], to: Address, range: Range<usize>) {
        SCRATCH.with_borrow_mut(|scratch| {
            if scratch.bytes().len() < self.body.scratch() {
                *scratch = Buffer::new(self.body.scratch());
            }
            let params = operands.iter().zip(&self.operands);
            // SAFETY: all slots have as many elements as the result.
            unsafe {
                let params: SmallVec<[*const u8; 4]> =
                    params.map(|(at, (_, width))| at.at((range.start * width) as isize).cast_const()).collect();
                self.body.run(range.len(), &params, &[to.at((range.start * self.width) as isize)], scratch.as_ptr());
            }
        });
    }
}

impl Kernel for Map {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let operands: SmallVec<[Address; 4]> =
            self.operands.iter().map(|(slot, _)| Address(memory.address(*slot))).collect();
        let (operands, to) = (&operands[..], Address(memory.address(self.to)));
        pool.split(self.n, GRAIN, &|range| {
            // SAFETY: the addresses are those of the slots, and threads have elements of their own.
            unsafe { self.range(operands, to, range) };
        });
    }

    fn describe(&self) -> String {
        format!("map of {} elements by a body", self.n)
    }
}

/// Results without elements.
#[derive(Debug)]
struct Nothing;

/// The kernel of an op all of whose results are empty; none for others.
pub fn plan_nothing(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let is_empty = |ty: &crate::graph::Ty| ty.element.is_some() && ty.is_empty();
    if node.types.is_empty() || !node.types.iter().all(is_empty) || !cx.graph().is_pure(node) {
        return None;
    }
    let writes = (0..node.types.len() as u16).map(|result| cx.output(Val::Node(index, result))).collect();
    Some((Box::new(Nothing), Vec::new(), writes))
}

impl Kernel for Nothing {
    fn run(&self, _: &Memory, _: &Pool) {}

    fn describe(&self) -> String {
        "nothing: it has no elements".to_owned()
    }
}
