//! The IR section: ops, regions and blocks, nested as in the module.

use super::bytes::{push_flagged, push_varint};
use super::number::Numbers;
use super::plan::{Plan, UNNUMBERED};
use super::table::{AttrEntry, PropertiesEntry};
use super::uses::{UseOrders, push_use_orders};
use crate::arena::Entity;
use crate::bytecode::{SectionKind, format};
use crate::diag::Diagnostic;
use crate::ir::{Block, BlockId, Module, OpId, RegionId, ValueId};

/// Which parts an op has.
mod mask {
    pub(super) const ATTRIBUTES: u8 = 0x01;
    pub(super) const RESULTS: u8 = 0x02;
    pub(super) const OPERANDS: u8 = 0x04;
    pub(super) const SUCCESSORS: u8 = 0x08;
    pub(super) const REGIONS: u8 = 0x10;
    pub(super) const USE_ORDERS: u8 = 0x20;
    pub(super) const PROPERTIES: u8 = 0x40;
}

/// Writes ops.
pub(super) struct IrWriter<'w> {
    pub(super) module: &'w Module,
    pub(super) plan: &'w Plan,
    pub(super) numbers: &'w Numbers,
    pub(super) orders: &'w UseOrders,
    /// The format version.
    pub(super) format: u64,
    /// The location that block arguments do not write.
    pub(super) unknown: AttrEntry,
    /// Gives properties their place in their section.
    pub(super) properties: &'w mut dyn FnMut(PropertiesEntry) -> u64,
}

/// An op whose regions are being written.
struct Frame<'w> {
    regions: &'w [RegionId],
    blocks: &'w [BlockId],
    ops: &'w [OpId],
    /// Where the section that the regions are begins.
    section: Option<usize>,
}

impl<'w> IrWriter<'w> {
    /// The body of the section.
    pub(super) fn write(&mut self) -> Result<Vec<u8>, Diagnostic> {
        let module = self.module;
        let mut out = Vec::with_capacity(self.plan.lines.len() * 16);
        push_flagged(&mut out, 1, false);
        self.op(module.top(), &mut out)?;
        let mut stack = vec![self.enter(module.top(), &mut out)];
        while let Some(frame) = stack.last_mut() {
            if let Some((op, rest)) = frame.ops.split_first() {
                frame.ops = rest;
                self.op(*op, &mut out)?;
                if !module.regions(*op).is_empty() {
                    stack.push(self.enter(*op, &mut out));
                }
            } else if let Some((block, rest)) = frame.blocks.split_first() {
                frame.blocks = rest;
                frame.ops = &module.block(*block).ops;
                self.block(*block, &mut out);
            } else if let Some((region, rest)) = frame.regions.split_first() {
                frame.regions = rest;
                frame.blocks = module.blocks(*region);
                push_varint(&mut out, frame.blocks.len() as u64);
                if !frame.blocks.is_empty() {
                    push_varint(&mut out, u64::from(self.plan.n_values[*region]));
                }
            } else if let Some(Frame { section: Some(start), .. }) = stack.pop() {
                insert_section_head(&mut out, start);
            }
        }
        Ok(out)
    }

    /// Begins the regions of `op`, which are a section of their own when they see no values from outside.
    fn enter(&self, op: OpId, out: &mut Vec<u8>) -> Frame<'w> {
        let regions = self.module.regions(op);
        let isolated = self.plan.isolated[op.index()];
        push_flagged(out, regions.len() as u64, isolated);
        let section = (isolated && self.format >= format::ISOLATED_SECTIONS).then_some(out.len());
        Frame { regions, blocks: &[], ops: &[], section }
    }

    /// The number and arguments of a block; its ops follow.
    fn block(&self, block: BlockId, out: &mut Vec<u8>) {
        let Block { ops, arguments, .. } = self.module.block(block);
        push_flagged(out, ops.len() as u64, !arguments.is_empty());
        if arguments.is_empty() {
            return;
        }
        push_varint(out, arguments.len() as u64);
        for (argument, location) in arguments.iter().zip(self.plan.argument_locations(block)) {
            let ty = self.numbers.ty(self.plan.ty(self.module, *argument));
            let written = *location != self.unknown;
            if self.format < format::UNKNOWN_LOCATIONS_LEFT_OUT {
                push_varint(out, ty);
            } else {
                push_flagged(out, ty, written);
            }
            if written || self.format < format::UNKNOWN_LOCATIONS_LEFT_OUT {
                push_varint(out, self.numbers.attr(*location));
            }
        }
        if self.format >= format::USE_ORDERS {
            let at = out.len();
            out.push(0);
            if push_use_orders(out, self.orders, arguments.iter().copied()) {
                out[at] = mask::USE_ORDERS;
            }
        }
    }

    /// An op but for its regions.
    fn op(&mut self, op: OpId, out: &mut Vec<u8>) -> Result<(), Diagnostic> {
        let line = self.plan.lines[op.index()];
        push_varint(out, self.numbers.op_name(line.name));
        let at = out.len();
        let mut parts = 0;
        out.push(0);
        push_varint(out, self.numbers.attr(line.location));
        if line.attributes != AttrEntry::PENDING {
            parts |= mask::ATTRIBUTES;
            push_varint(out, self.numbers.attr(line.attributes));
        }
        if line.properties != PropertiesEntry::PENDING {
            parts |= mask::PROPERTIES;
            push_varint(out, (self.properties)(line.properties));
        }
        let results = self.module.results(op);
        if !results.is_empty() {
            parts |= mask::RESULTS;
            push_varint(out, results.len() as u64);
            for result in results.iter() {
                push_varint(out, self.numbers.ty(self.plan.ty(self.module, result)));
            }
        }
        let operands = self.module.operands(op);
        if !operands.is_empty() {
            parts |= mask::OPERANDS;
            push_varint(out, operands.len() as u64);
            for (index, operand) in operands.iter().enumerate() {
                push_varint(out, u64::from(self.value(op, index, *operand)?));
            }
        }
        let successors = self.module.successors(op);
        if !successors.is_empty() {
            parts |= mask::SUCCESSORS;
            push_varint(out, successors.len() as u64);
            for block in successors {
                push_varint(out, u64::from(self.plan.block_indices[*block]));
            }
        }
        if self.format >= format::USE_ORDERS
            && !self.orders.is_empty()
            && push_use_orders(out, self.orders, results.iter())
        {
            parts |= mask::USE_ORDERS;
        }
        if !self.module.regions(op).is_empty() {
            parts |= mask::REGIONS;
        }
        out[at] = parts;
        Ok(())
    }

    fn value(&self, op: OpId, index: usize, operand: ValueId) -> Result<u32, Diagnostic> {
        match self.plan.values[operand.index()] {
            UNNUMBERED => {
                let name = self.module.op_name(op);
                let message = format!("operand #{index} of `{name}` is not defined in the module");
                Err(Diagnostic::error("ssa/undefined-value", self.module.source(op).span(), message))
            }
            number => Ok(number),
        }
    }
}

/// Makes what follows `start` a section.
fn insert_section_head(out: &mut Vec<u8>, start: usize) {
    let size = out.len() - start;
    let mut head = vec![SectionKind::Ir as u8];
    push_varint(&mut head, size as u64);
    out.extend_from_slice(&head);
    out.copy_within(start..start + size, start + head.len());
    out[start..start + head.len()].copy_from_slice(&head);
}
