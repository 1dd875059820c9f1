//! The IR section: ops straight into the module, with a stack of open regions instead of recursion.
//!
//! Values go by numbers. In a scope (everything between two regions that are isolated from above) the arguments and results
//! directly inside a region have consecutive numbers, which begin behind those of the region around it; what a region
//! defined is forgotten at its end. An operand may name a value that comes later in an open region.

use std::collections::BTreeMap;

use super::container::{SectionKind, nested_section};
use super::entries::Tables;
use super::properties::{Attributes, Meaning, Source};
use crate::arena::Entity;
use crate::bytecode::cursor::Cursor;
use crate::bytecode::error::{Error, Result};
use crate::ir::{BlockArgument, BlockId, Location, Module, NewOp, OpId, OpName, RegionId, TypeId, ValueId};
use crate::ops::OpKind;

/// Deepest nesting of regions: as in text.
const MAX_DEPTH: usize = 256;

/// What an op says about itself: the bits of its mask.
pub(crate) mod mask {
    pub(crate) const ATTRIBUTES: u8 = 0x01;
    pub(crate) const RESULTS: u8 = 0x02;
    pub(crate) const OPERANDS: u8 = 0x04;
    pub(crate) const SUCCESSORS: u8 = 0x08;
    pub(crate) const REGIONS: u8 = 0x10;
    pub(crate) const USE_LIST_ORDERS: u8 = 0x20;
    pub(crate) const PROPERTIES: u8 = 0x40;
    pub(crate) const UNKNOWN: u8 = 0x80;
}

/// An op whose regions are being read.
struct Frame<'a> {
    op: OpId,
    /// What the op is; a `return` in its regions depends on it.
    kind: Option<OpKind>,
    /// How many of its regions were begun.
    n_begun: usize,
    /// How many blocks of the open region were begun.
    n_blocks: usize,
    /// The open block and how many of its ops are still to come.
    block: Option<BlockId>,
    ops_left: u64,
    /// Numbers of the values of the open region: the first, the next one, one past the last.
    first: usize,
    next: usize,
    end: usize,
    /// For regions that are isolated from above: what is around them.
    outer: Option<Outer<'a>>,
}

/// What goes on behind an isolated op.
struct Outer<'a> {
    scope: Scope,
    /// Where, when the regions are in a section of their own.
    cursor: Option<Cursor<'a>>,
}

/// Values by their numbers.
#[derive(Default)]
struct Scope {
    values: Vec<Option<ValueId>>,
    /// Operands that wait for a value, by its number.
    pending: BTreeMap<usize, Vec<(OpId, usize)>>,
}

/// Reads the ops of a file.
pub(super) struct IrReader<'r, 'a> {
    tables: &'r mut Tables<'a>,
    module: &'r mut Module,
    attributes: Attributes,
    format: u64,
    cursor: Cursor<'a>,
    frames: Vec<Frame<'a>>,
    scope: Scope,
    /// Bytes of the section that no value, block or region has been announced for: each takes at least one.
    bytes_left: u64,
    operands: Vec<ValueId>,
    /// Positions of operands that are not defined yet, and their numbers.
    forward: Vec<(usize, usize)>,
    types: Vec<TypeId>,
    regions: Vec<RegionId>,
    successors: Vec<BlockId>,
}

impl<'r, 'a> IrReader<'r, 'a> {
    pub(super) fn new(tables: &'r mut Tables<'a>, module: &'r mut Module) -> Self {
        let cursor = tables.container.ir.clone();
        Self {
            attributes: Attributes::new(tables.container.ops.len()),
            format: tables.container.format,
            bytes_left: cursor.left() as u64,
            tables,
            module,
            cursor,
            frames: Vec::new(),
            scope: Scope::default(),
            operands: Vec::new(),
            forward: Vec::new(),
            types: Vec::new(),
            regions: Vec::new(),
            successors: Vec::new(),
        }
    }

    /// Reads the section: a block without arguments that holds the module.
    pub(super) fn read(mut self) -> Result<()> {
        let offset = self.cursor.offset();
        let (n_ops, has_arguments) = self.cursor.flagged("the outermost block")?;
        if has_arguments {
            return Err(Error::new("bytecode/invalid-ir", offset, "the outermost block has arguments"));
        }
        self.cursor.fits(n_ops, "the number of outermost ops", offset)?;
        let mut outermost = Vec::new();
        for _ in 0..n_ops {
            outermost.push(self.op()?);
            self.regions()?;
        }
        self.cursor.finish("the IR section")?;
        match *outermost {
            [only] if self.module.kind(only) == Some(OpKind::Module) => self.module.set_top(only),
            _ => {
                let top = self.module.top();
                let body = self.module.entry_block(top, 0);
                let location = self.module.intern_location(Location::Unknown);
                self.module.set_location(top, Some(location));
                for (op, body) in outermost.into_iter().zip(std::iter::repeat(body)) {
                    if let Some(body) = body {
                        self.module.append_op(body, op);
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads on until no region is open.
    fn regions(&mut self) -> Result<()> {
        while let Some(frame) = self.frames.last_mut() {
            if let Some(block) = frame.block.filter(|_| frame.ops_left > 0) {
                frame.ops_left -= 1;
                let op = self.op()?;
                self.module.append_op(block, op);
                continue;
            }
            let (op, n_begun, n_blocks) = (frame.op, frame.n_begun, frame.n_blocks);
            let open = n_begun.checked_sub(1).map(|at| self.module.regions(op)[at]);
            match open.and_then(|region| self.module.blocks(region).get(n_blocks)) {
                Some(block) => self.begin_block(*block)?,
                None => {
                    if open.is_some() {
                        self.end_region()?;
                    }
                    match self.module.regions(op).get(n_begun).copied() {
                        Some(region) => self.begin_region(region)?,
                        None => self.end_op()?,
                    }
                }
            }
        }
        Ok(())
    }

    /// Counts things that take at least a byte each, before memory is taken for them.
    fn announce(&mut self, n: u64, what: &str, offset: u64) -> Result<usize> {
        let n_things = self.cursor.fits(n, what, offset)?;
        match self.bytes_left.checked_sub(n) {
            Some(left) => {
                self.bytes_left = left;
                Ok(n_things)
            }
            None => {
                let message = format!("{what} is {n}: more in all than the IR section has bytes");
                Err(Error::new("bytecode/truncated", offset, message))
            }
        }
    }

    fn begin_region(&mut self, region: RegionId) -> Result<()> {
        let offset = self.cursor.offset();
        let n_blocks = self.cursor.varint("the number of blocks")?;
        let n_blocks = self.announce(n_blocks, "the number of blocks", offset)?;
        let n_values = match n_blocks {
            0 => 0,
            _ => {
                let n = self.cursor.varint("the number of values of a region")?;
                self.announce(n, "the number of values of a region", offset)?
            }
        };
        for _ in 0..n_blocks {
            self.module.new_block(region);
        }
        let first = self.scope.values.len();
        self.scope.values.resize(first + n_values, None);
        if let Some(frame) = self.frames.last_mut() {
            frame.n_begun += 1;
            frame.n_blocks = 0;
            (frame.first, frame.next, frame.end) = (first, first, first + n_values);
        }
        Ok(())
    }

    fn end_region(&mut self) -> Result<()> {
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        frame.block = None;
        if let Some((number, _)) = self.scope.pending.last_key_value().filter(|(number, _)| **number >= frame.first) {
            let message = format!("value number {number} is used but never defined in its region");
            return Err(self.cursor.error("bytecode/undefined-value", message));
        }
        self.scope.values.truncate(frame.first);
        Ok(())
    }

    fn end_op(&mut self) -> Result<()> {
        if let Some(Frame { outer: Some(outer), .. }) = self.frames.pop() {
            self.scope = outer.scope;
            if let Some(cursor) = outer.cursor {
                self.cursor.finish("the section of an isolated region")?;
                self.cursor = cursor;
            }
        }
        Ok(())
    }

    /// block: how many ops, whether there are arguments; those; the ops follow.
    fn begin_block(&mut self, block: BlockId) -> Result<()> {
        let offset = self.cursor.offset();
        let (n_ops, has_arguments) = self.cursor.flagged("a block")?;
        self.cursor.fits(n_ops, "the number of ops of a block", offset)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.n_blocks += 1;
            frame.block = Some(block);
            frame.ops_left = n_ops;
        }
        if !has_arguments {
            return Ok(());
        }
        let n_arguments = self.cursor.count("the number of block arguments")?;
        for _ in 0..n_arguments {
            let value = self.block_argument(block)?;
            self.define(value, offset)?;
        }
        if self.format >= 3 {
            match self.cursor.byte("whether there are use-list orders")? {
                0 => {}
                mask::USE_LIST_ORDERS => self.use_list_orders(n_arguments)?,
                byte => {
                    let message = format!("the arguments of a block are followed by 0 or 0x20, got {byte:#04x}");
                    return Err(Error::new("bytecode/invalid-mask", offset, message));
                }
            }
        }
        Ok(())
    }

    fn block_argument(&mut self, block: BlockId) -> Result<ValueId> {
        let offset = self.cursor.offset();
        let (ty, has_location) = match self.format {
            0..=3 => (self.cursor.varint("the type of a block argument")?, true),
            _ => self.cursor.flagged("the type of a block argument")?,
        };
        let ty = self.tables.ty(self.module, ty, "the type of a block argument", offset)?;
        self.tables.budget.charge(u64::from(self.module.type_extent(ty).nodes), offset)?;
        let location = match has_location {
            true => {
                let offset = self.cursor.offset();
                let index = self.cursor.varint("the location of a block argument")?;
                self.tables.location(self.module, index, "the location of a block argument", offset)?
            }
            false => self.module.intern_location(Location::Unknown),
        };
        Ok(self.module.add_argument(block, ty, BlockArgument { location: Some(location), ..BlockArgument::default() }))
    }

    /// Gives the next number of the open region to `value`.
    #[inline]
    fn define(&mut self, value: ValueId, offset: u64) -> Result<()> {
        let Some(frame) = self.frames.last_mut().filter(|frame| frame.next < frame.end) else {
            let message = "a region defines more values than it announces";
            return Err(Error::new("bytecode/too-many-values", offset, message));
        };
        let number = frame.next;
        frame.next += 1;
        self.scope.values[number] = Some(value);
        if !self.scope.pending.is_empty()
            && let Some(uses) = self.scope.pending.remove(&number)
        {
            for (op, index) in uses {
                self.module.set_operand(op, index, value);
            }
        }
        Ok(())
    }

    /// op: name, mask, location, then what the mask says. Its regions are left open on the stack.
    fn op(&mut self) -> Result<OpId> {
        let offset = self.cursor.offset();
        let name = self.op_name()?;
        let mask = self.cursor.byte("what an op has")?;
        if mask & mask::UNKNOWN != 0 {
            let message = format!("the parts of an op are {mask:#04x}; bit 7 means nothing");
            return Err(Error::new("bytecode/invalid-mask", offset, message));
        }
        let at = self.cursor.offset();
        let location = self.cursor.varint("the location of an op")?;
        let location = self.tables.location(self.module, location, "the location of an op", at)?;
        let dictionary = match mask & mask::ATTRIBUTES {
            0 => None,
            _ => Some(self.index("the attributes of an op")?),
        };
        let properties = match mask & mask::PROPERTIES {
            0 => None,
            _ => Some(self.properties_index()?),
        };
        let source = Source { op: name, dictionary, properties };
        let (op_name, kind) = self.what(name, offset)?;
        let found = self.attributes.find(source, self.tables, self.module, offset)?;
        self.tables.budget.charge(found.nodes, offset)?;
        self.result_types(mask)?;
        self.operands(mask)?;
        self.successors(mask)?;
        if mask & mask::USE_LIST_ORDERS != 0 {
            self.use_list_orders(self.types.len())?;
        }
        let isolated = self.open_regions(mask)?;
        let op = self.module.create_op(&NewOp {
            name: op_name,
            operands: &self.operands,
            result_types: &self.types,
            properties: self.attributes.slots(found),
            attributes: found.discardable,
            regions: &self.regions,
            successors: &self.successors,
            location: Some(location),
            source: Default::default(),
        });
        for (index, number) in self.forward.drain(..) {
            self.scope.pending.entry(number).or_default().push((op, index));
        }
        for value in self.module.results(op).iter() {
            self.define(value, offset)?;
        }
        if let Some(isolated) = isolated {
            self.push_frame(op, kind, isolated, offset)?;
        }
        Ok(op)
    }

    fn index(&mut self, what: &str) -> Result<u32> {
        let offset = self.cursor.offset();
        let index = self.cursor.varint(what)?;
        let too_large = |_| Error::new("bytecode/invalid-index", offset, format!("{what} has number {index}"));
        u32::try_from(index).map_err(too_large)
    }

    fn op_name(&mut self) -> Result<u32> {
        let offset = self.cursor.offset();
        let index = self.index("the name of an op")?;
        let n = self.tables.container.ops.len();
        if index as usize >= n {
            let message = format!("op name number {index}, but there are {n} of them");
            return Err(Error::new("bytecode/invalid-index", offset, message));
        }
        Ok(index)
    }

    fn properties_index(&mut self) -> Result<u32> {
        let offset = self.cursor.offset();
        let index = self.index("the properties of an op")?;
        let n = self.tables.container.properties.len();
        if index as usize >= n {
            let message = format!("properties number {index}, but there are {n} of them");
            return Err(Error::new("bytecode/invalid-index", offset, message));
        }
        Ok(index)
    }

    /// What op name number `name` means here.
    #[inline]
    fn what(&mut self, name: u32, offset: u64) -> Result<(OpName, Option<OpKind>)> {
        let kind = match self.attributes.meaning(name, self.tables, self.module, offset)? {
            Meaning::Opaque(name) => return Ok((OpName::Opaque(*name), None)),
            Meaning::Known(kind, _) => *kind,
            Meaning::Versioned(op) => match op.kind {
                OpKind::Return | OpKind::FuncReturn => match self.frames.last().and_then(|frame| frame.kind) {
                    Some(OpKind::Func) => OpKind::FuncReturn,
                    _ => OpKind::Return,
                },
                kind => kind,
            },
        };
        Ok((OpName::Known(kind), Some(kind)))
    }

    fn result_types(&mut self, mask: u8) -> Result<()> {
        self.types.clear();
        if mask & mask::RESULTS == 0 {
            return Ok(());
        }
        for _ in 0..self.cursor.count("the number of results")? {
            let offset = self.cursor.offset();
            let index = self.cursor.varint("the type of a result")?;
            let ty = self.tables.ty(self.module, index, "the type of a result", offset)?;
            self.tables.budget.charge(u64::from(self.module.type_extent(ty).nodes), offset)?;
            self.types.push(ty);
        }
        Ok(())
    }

    fn operands(&mut self, mask: u8) -> Result<()> {
        self.operands.clear();
        if mask & mask::OPERANDS == 0 {
            return Ok(());
        }
        for index in 0..self.cursor.count("the number of operands")? {
            let offset = self.cursor.offset();
            let number = self.cursor.varint("an operand")?;
            let value = usize::try_from(number).ok().and_then(|at| self.scope.values.get(at));
            match value {
                Some(Some(value)) => self.operands.push(*value),
                Some(None) => {
                    // Any value holds the place until the definition comes.
                    self.operands.push(ValueId::from_index(0));
                    self.forward.push((index, number as usize));
                }
                None => {
                    let n = self.scope.values.len();
                    let message = format!("an operand is value number {number}, but only {n} are in reach");
                    return Err(Error::new("bytecode/undefined-value", offset, message));
                }
            }
        }
        Ok(())
    }

    fn successors(&mut self, mask: u8) -> Result<()> {
        self.successors.clear();
        if mask & mask::SUCCESSORS == 0 {
            return Ok(());
        }
        let region = self.frames.last().and_then(|frame| {
            let open = frame.n_begun.checked_sub(1)?;
            self.module.regions(frame.op).get(open).copied()
        });
        let blocks = region.map_or(&[][..], |region| self.module.blocks(region));
        for _ in 0..self.cursor.count("the number of successors")? {
            let offset = self.cursor.offset();
            let index = self.cursor.varint("a successor")?;
            match usize::try_from(index).ok().and_then(|at| blocks.get(at)) {
                Some(block) => self.successors.push(*block),
                None => {
                    let message = format!("a successor is block number {index}, but its region has {}", blocks.len());
                    return Err(Error::new("bytecode/invalid-index", offset, message));
                }
            }
        }
        Ok(())
    }

    /// The order of the uses of `n` values, which means nothing here: read over.
    fn use_list_orders(&mut self, n: usize) -> Result<()> {
        skip_use_list_orders(&mut self.cursor, n)
    }

    /// Makes the op's regions; whether they are isolated from above, when there are any.
    fn open_regions(&mut self, mask: u8) -> Result<Option<bool>> {
        self.regions.clear();
        if mask & mask::REGIONS == 0 {
            return Ok(None);
        }
        let offset = self.cursor.offset();
        let (n, isolated) = self.cursor.flagged("the number of regions")?;
        for _ in 0..self.announce(n, "the number of regions", offset)? {
            self.regions.push(self.module.new_region());
        }
        Ok(Some(isolated))
    }

    fn push_frame(&mut self, op: OpId, kind: Option<OpKind>, isolated: bool, offset: u64) -> Result<()> {
        if self.frames.len() >= MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} levels of nesting");
            return Err(Error::new("bytecode/too-deep", offset, message));
        }
        let outer = match isolated {
            false => None,
            true => {
                let cursor = match self.format {
                    0 | 1 => None,
                    _ => {
                        let section = nested_section(&mut self.cursor, SectionKind::Ir)?;
                        Some(std::mem::replace(&mut self.cursor, section))
                    }
                };
                Some(Outer { scope: std::mem::take(&mut self.scope), cursor })
            }
        };
        self.frames.push(Frame {
            op,
            kind,
            n_begun: 0,
            n_blocks: 0,
            block: None,
            ops_left: 0,
            first: 0,
            next: 0,
            end: 0,
            outer,
        });
        Ok(())
    }
}

/// Reads over the orders of the uses of `n` values.
pub(crate) fn skip_use_list_orders(cursor: &mut Cursor<'_>, n: usize) -> Result<()> {
    let n_orders = match n {
        1 => 1,
        _ => cursor.count("the number of use-list orders")?,
    };
    for _ in 0..n_orders {
        let offset = cursor.offset();
        let which = if n == 1 { 0 } else { cursor.varint("the value of a use-list order")? };
        if which >= n as u64 {
            let message = format!("a use-list order of value {which}, but there are {n}");
            return Err(Error::new("bytecode/invalid-index", offset, message));
        }
        let offset = cursor.offset();
        let (size, pairs) = cursor.flagged("the size of a use-list order")?;
        let size = cursor.fits(size, "the size of a use-list order", offset)?;
        if pairs && size % 2 == 1 {
            let message = format!("a use-list order of pairs has {size} numbers");
            return Err(Error::new("bytecode/invalid-number", offset, message));
        }
        for _ in 0..size {
            cursor.varint("a use-list order")?;
        }
    }
    Ok(())
}
