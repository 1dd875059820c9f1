//! What is written for each op, block and value: everything but the bytes.

use rustc_hash::FxHashSet;

use super::encoder::Encoder;
use super::isolation::isolated_ops;
use super::lowering::{Lowering, OpRecord};
use super::number::Counter;
use super::table::{AttrEntry, OpNameEntry, PropertiesEntry, TypeEntry};
use crate::arena::{Entity, SideMap};
use crate::diag::Diagnostic;
use crate::ir::{BlockId, LineCursor, LocId, Module, OpId, RegionId, ValueId};

/// A value that is not numbered, because it is defined nowhere in the module.
pub(super) const UNNUMBERED: u32 = u32::MAX;

/// An op as it will be written; pending where it has no such part. (There are many, so they are small.)
#[derive(Copy, Clone, Debug)]
pub(super) struct Line {
    pub(super) name: OpNameEntry,
    pub(super) attributes: AttrEntry,
    pub(super) properties: PropertiesEntry,
    pub(super) location: AttrEntry,
}

impl Line {
    const NOTHING: Line = Line {
        name: OpNameEntry(0),
        attributes: AttrEntry::PENDING,
        properties: PropertiesEntry::PENDING,
        location: AttrEntry::PENDING,
    };
}

/// The outcome of going through a module once.
#[derive(Debug)]
pub(super) struct Plan {
    /// By op.
    pub(super) lines: Vec<Line>,
    /// By op: whether its regions see no values from outside.
    pub(super) isolated: Vec<bool>,
    /// By value: its number in its scope.
    pub(super) values: Vec<u32>,
    /// By type of the module.
    types: Vec<TypeEntry>,
    /// How many values are defined directly in a region.
    pub(super) n_values: SideMap<RegionId, u32>,
    /// Where the locations of a block's arguments begin in `argument_locations`.
    arguments: SideMap<BlockId, u32>,
    argument_locations: Vec<AttrEntry>,
    /// The place of a block in its region.
    pub(super) block_indices: SideMap<BlockId, u32>,
    /// Ops that were replaced.
    pub(super) replaced: FxHashSet<OpId>,
    pub(super) counter: Counter,
}

impl Plan {
    /// The type of a value that was numbered.
    pub(super) fn ty(&self, module: &Module, value: ValueId) -> TypeEntry {
        self.types[module.value_type(value).index()]
    }

    /// Locations of the arguments of `block`.
    pub(super) fn argument_locations(&self, block: BlockId) -> &[AttrEntry] {
        &self.argument_locations[self.arguments[block] as usize..]
    }
}

/// Lowers every op and counts what is used, in the order in which MLIR does: which entry is met first decides numbers.
pub(super) fn plan(encoder: &mut Encoder<'_>, lowering: &mut dyn Lowering) -> Result<Plan, Vec<Diagnostic>> {
    let module = encoder.module;
    // Almost every op has a place of its own.
    let file = encoder.name(module.source_name_id());
    encoder.table.places.expect(file, module.lines.n_lines() + 1, module.n_ops());
    let mut planner = Planner {
        module,
        encoder,
        lowering,
        lines: LineCursor::default(),
        complaints: Vec::new(),
        next_value: 0,
        plan: Plan {
            lines: vec![Line::NOTHING; module.n_ops()],
            isolated: isolated_ops(module),
            values: vec![UNNUMBERED; module.n_values()],
            types: Vec::new(),
            n_values: SideMap::new(0),
            arguments: SideMap::new(0),
            argument_locations: Vec::new(),
            block_indices: SideMap::new(0),
            replaced: FxHashSet::default(),
            counter: Counter::default(),
        },
    };
    planner.run();
    if planner.complaints.is_empty() { Ok(planner.plan) } else { Err(planner.complaints) }
}

struct Planner<'p, 'm> {
    module: &'m Module,
    encoder: &'p mut Encoder<'m>,
    lowering: &'p mut dyn Lowering,
    lines: LineCursor,
    complaints: Vec<Diagnostic>,
    next_value: u32,
    plan: Plan,
}

impl Planner<'_, '_> {
    fn run(&mut self) {
        let top = self.module.top();
        self.op(top);
        // Regions that are still to be numbered and the number of their first value; the last one comes first.
        let mut regions: Vec<(RegionId, u32)> = Vec::new();
        self.push_regions(top, &mut regions);
        let mut with_regions = Vec::new();
        while let Some((region, first)) = regions.pop() {
            self.next_value = first;
            self.region(region, &mut with_regions);
            for op in with_regions.drain(..) {
                self.push_regions(op, &mut regions);
            }
        }
    }

    fn push_regions(&self, op: OpId, regions: &mut Vec<(RegionId, u32)>) {
        let first = if self.plan.isolated[op.index()] { 0 } else { self.next_value };
        regions.extend(self.module.regions(op).iter().map(|region| (*region, first)));
    }

    fn region(&mut self, region: RegionId, with_regions: &mut Vec<OpId>) {
        let module = self.module;
        let first = self.next_value;
        for (index, block) in module.blocks(region).iter().enumerate() {
            self.plan.block_indices.set(*block, index as u32);
            self.arguments(*block);
            for op in &module.block(*block).ops {
                self.op(*op);
                if !module.regions(*op).is_empty() {
                    with_regions.push(*op);
                }
            }
        }
        self.plan.n_values.set(region, self.next_value - first);
    }

    fn arguments(&mut self, block: BlockId) {
        let module = self.module;
        let arguments = &module.block(block).arguments;
        self.plan.arguments.set(block, self.plan.argument_locations.len() as u32);
        for (index, argument) in arguments.iter().enumerate() {
            let info = module.argument_info(block, index);
            let location = self.location(info.location, (info.span.end > 0).then_some(info.span.start));
            self.plan.argument_locations.push(location);
            self.plan.counter.attr(&self.encoder.table, location);
            self.value(*argument);
        }
    }

    /// Numbers a value and counts its type.
    fn value(&mut self, value: ValueId) {
        self.plan.values[value.index()] = self.next_value;
        self.next_value += 1;
        let ty = self.module.value_type(value);
        let index = ty.index();
        if index >= self.plan.types.len() {
            self.plan.types.resize(index + 1, TypeEntry::PENDING);
        }
        if self.plan.types[index] == TypeEntry::PENDING {
            let lowering = &mut *self.lowering;
            match self.encoder.complete(|encoder| lowering.ty(encoder, ty)) {
                Ok(entry) => self.plan.types[index] = entry,
                Err(complaint) => {
                    // Once is enough; nothing is written.
                    self.plan.types[index] = self.encoder.table.text_ty("builtin", "");
                    self.complaints.push(*complaint);
                }
            }
        }
        self.plan.counter.ty(&self.encoder.table, self.plan.types[index]);
    }

    fn op(&mut self, op: OpId) {
        let lowering = &mut *self.lowering;
        let OpRecord { name, attributes, properties, replaced } =
            match self.encoder.complete(|encoder| lowering.op(encoder, op)) {
                Ok(record) => record,
                Err(complaint) => return self.complaints.push(*complaint),
            };
        if replaced {
            self.plan.replaced.insert(op);
        }
        self.plan.counter.op_name(&self.encoder.table, name);
        for result in self.module.results(op).iter() {
            self.value(result);
        }
        let source = self.module.source(op);
        let location = self.location(self.module.op(op).location(), (source.end > 0).then_some(source.name));
        let table = &self.encoder.table;
        let counter = &mut self.plan.counter;
        if let Some(attributes) = attributes {
            counter.attr(table, attributes);
        }
        if let Some(properties) = properties {
            counter.properties(table, properties);
        }
        counter.attr(table, location);
        self.plan.lines[op.index()] = Line {
            name,
            attributes: attributes.unwrap_or(AttrEntry::PENDING),
            properties: properties.unwrap_or(PropertiesEntry::PENDING),
            location,
        };
    }

    /// The location that was written, else the place of byte `offset` of the text, else the one that says nothing.
    fn location(&mut self, written: Option<LocId>, offset: Option<u32>) -> AttrEntry {
        let Some(location) = written else {
            let Some(offset) = offset else {
                return self.encoder.unknown_location();
            };
            let place = self.module.lines.line_column_near(offset, &mut self.lines);
            let file = self.encoder.name(self.module.source_name_id());
            return self.encoder.table.place(file, place.line, place.column);
        };
        match self.encoder.complete(|encoder| Ok(encoder.location(location))) {
            Ok(location) => location,
            Err(complaint) => {
                self.complaints.push(*complaint);
                AttrEntry::PENDING
            }
        }
    }
}
