//! The module: arenas, interners and the primitive edits.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use super::extent::Extents;
use super::{AttrId, Attribute, Blob, FileRange, LineIndex, LocId, Location, Span, Type, TypeId};
use crate::arena::{Arena, Entity, Run, entity};
use crate::ops::OpKind;

entity!(
    /// An interned name: symbol, attribute key, op name, file name.
    NameId,
    "name"
);
entity!(
    /// An operation.
    OpId,
    "op"
);
entity!(
    /// A block.
    BlockId,
    "^bb"
);
entity!(
    /// A region.
    RegionId,
    "region"
);
entity!(
    /// An SSA value: an op's result or a block's argument.
    ValueId,
    "%"
);

/// What an operation is.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum OpName {
    /// An op that the registry declares.
    Known(OpKind),
    /// Any other op, by its full name.
    Opaque(NameId),
}

/// Where an op stands in the source text (byte offsets).
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct OpSource {
    /// First byte, the first result's `%` if results are named.
    pub start: u32,
    /// First byte of the op's name: MLIR's location of the op.
    pub name: u32,
    /// One past the last byte.
    pub end: u32,
}

impl OpSource {
    /// The whole op.
    pub fn span(self) -> Span {
        Span::new(self.start, self.end)
    }
}

/// An operation. Lists are read through the module ([`Module::operands`] …).
#[derive(Clone, Debug)]
pub struct Operation {
    pub(super) name: OpName,
    pub(super) operands: Run,
    pub(super) properties: Run,
    pub(super) regions: Run,
    pub(super) successors: Run,
    pub(super) first_result: u32,
    pub(super) n_results: u32,
    pub(super) attributes: Option<AttrId>,
    pub(super) location: Option<LocId>,
    pub(super) parent: Option<BlockId>,
}

impl Operation {
    /// What the op is.
    pub fn name(&self) -> OpName {
        self.name
    }
    /// Discardable attributes, an [`Attribute::Dictionary`].
    pub fn attributes(&self) -> Option<AttrId> {
        self.attributes
    }
    /// Its `loc(…)`, when one was written.
    pub fn location(&self) -> Option<LocId> {
        self.location
    }
    /// The block it stands in; none for the top-level module and for detached ops.
    pub fn parent(&self) -> Option<BlockId> {
        self.parent
    }
}

/// A block: arguments, then operations.
#[derive(Clone, Debug)]
pub struct Block {
    /// Argument values.
    pub arguments: Vec<ValueId>,
    /// Operations in order.
    pub ops: Vec<OpId>,
    pub(super) parent: RegionId,
    infos: Vec<BlockArgument>,
}

impl Block {
    /// The region it stands in.
    pub fn parent(&self) -> RegionId {
        self.parent
    }
}

/// Where a block argument was written.
#[derive(Copy, Clone, Debug, Default)]
pub struct BlockArgument {
    /// Its `%name` in the source.
    pub span: Span,
    /// Its `loc(…)`, when one was written.
    pub location: Option<LocId>,
}

#[derive(Clone, Debug, Default)]
struct Region {
    blocks: Vec<BlockId>,
    parent: Option<OpId>,
}

/// What defines a value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ValueDef {
    /// Result number `index` of `op`.
    Result {
        /// The op.
        op: OpId,
        /// Which result.
        index: u32,
    },
    /// Argument number `index` of `block`.
    Argument {
        /// The block.
        block: BlockId,
        /// Which argument.
        index: u32,
    },
}

#[derive(Copy, Clone, Debug)]
struct Value {
    ty: TypeId,
    def: ValueDef,
}

/// A run of values with consecutive ids: the results of an op.
#[derive(Copy, Clone, Debug)]
pub struct Values {
    first: u32,
    len: u32,
}

impl Values {
    /// How many.
    pub fn len(self) -> usize {
        self.len as usize
    }
    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
    /// Number `index`, if there are that many.
    pub fn get(self, index: usize) -> Option<ValueId> {
        (index < self.len()).then(|| ValueId::from_index(self.first as usize + index))
    }
    /// All of them in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = ValueId> + DoubleEndedIterator + Clone {
        (self.first as usize..self.first as usize + self.len as usize).map(ValueId::from_index)
    }
}

/// A blob of the resource section.
#[derive(Clone, Debug)]
pub struct Resource {
    /// Alignment in bytes: 0 or a power of two.
    pub alignment: u32,
    /// Its bytes.
    pub data: Blob,
}

/// A value of an external resource.
#[derive(Clone, Debug)]
pub enum ExternalResource {
    /// `true`, `false`
    Bool(bool),
    /// `"text"`
    String(Box<[u8]>),
    /// `"0x…"`
    Blob(Resource),
}

/// All that a new operation is made of.
#[derive(Clone, Debug)]
pub struct NewOp<'a> {
    /// What it is.
    pub name: OpName,
    /// Operands.
    pub operands: &'a [ValueId],
    /// Types of the results.
    pub result_types: &'a [TypeId],
    /// Inherent attributes, one slot per declared attribute; for opaque ops one slot with whatever `<…>` held, or none.
    pub properties: &'a [Option<AttrId>],
    /// Discardable attributes, a dictionary.
    pub attributes: Option<AttrId>,
    /// Regions made before with [`Module::new_region`].
    pub regions: &'a [RegionId],
    /// Successor blocks.
    pub successors: &'a [BlockId],
    /// Explicit location.
    pub location: Option<LocId>,
    /// Place in the text.
    pub source: OpSource,
}

impl NewOp<'_> {
    /// An op with no parts.
    pub fn new(name: OpName) -> Self {
        Self {
            name,
            operands: &[],
            result_types: &[],
            properties: &[],
            attributes: None,
            regions: &[],
            successors: &[],
            location: None,
            source: OpSource::default(),
        }
    }
}

type Interner<T> = IndexSet<T, FxBuildHasher>;

/// One program: a `builtin.module` with everything in it.
#[derive(Clone, Debug)]
pub struct Module {
    ops: Arena<OpId, Operation>,
    sources: Vec<OpSource>,
    blocks: Arena<BlockId, Block>,
    regions: Arena<RegionId, Region>,
    values: Arena<ValueId, Value>,
    value_pool: Vec<ValueId>,
    attr_pool: Vec<Option<AttrId>>,
    region_pool: Vec<RegionId>,
    block_pool: Vec<BlockId>,
    types: Interner<Type>,
    attributes: Interner<Attribute>,
    names: Interner<Box<str>>,
    locations: Interner<Location>,
    pub(super) extents: Extents,
    /// Blobs that `dense_resource` attributes name, by key.
    pub resources: IndexMap<NameId, Resource, FxBuildHasher>,
    /// `external_resources`, by group and key.
    pub external_resources: IndexMap<NameId, IndexMap<NameId, ExternalResource>, FxBuildHasher>,
    /// Where the lines of the source text begin; empty for modules that were not read from text.
    pub lines: LineIndex,
    top: OpId,
    source_name: NameId,
}

impl Module {
    /// An empty `builtin.module`; `source_name` is what locations call the text.
    pub fn new(source_name: &str) -> Self {
        let mut names: Interner<Box<str>> = Interner::default();
        let source_name = NameId::from_index(names.insert_full(source_name.into()).0);
        let mut module = Self {
            ops: Arena::new(),
            sources: Vec::new(),
            blocks: Arena::new(),
            regions: Arena::new(),
            values: Arena::new(),
            value_pool: Vec::new(),
            attr_pool: Vec::new(),
            region_pool: Vec::new(),
            block_pool: Vec::new(),
            types: Interner::default(),
            attributes: Interner::default(),
            names,
            locations: Interner::default(),
            extents: Extents::default(),
            resources: IndexMap::default(),
            external_resources: IndexMap::default(),
            lines: LineIndex::default(),
            top: OpId::from_index(0),
            source_name,
        };
        let body = module.new_region();
        module.new_block(body);
        let n_properties = OpKind::Module.spec().attributes.len();
        let top = NewOp {
            properties: &vec![None; n_properties],
            regions: &[body],
            ..NewOp::new(OpName::Known(OpKind::Module))
        };
        module.top = module.create_op(&top);
        module
    }

    /// The outermost op, a `builtin.module` in every well-formed program.
    pub fn top(&self) -> OpId {
        self.top
    }

    /// Makes `op` the outermost op.
    pub fn set_top(&mut self, op: OpId) {
        self.top = op;
    }

    /// What locations call the source text.
    pub fn source_name(&self) -> &str {
        self.str(self.source_name)
    }

    /// The same as a name, as file locations want it.
    pub fn source_name_id(&self) -> NameId {
        self.source_name
    }

    // ---------------------------------------------------------------- interning

    /// Interns a name.
    pub fn name(&mut self, text: &str) -> NameId {
        match self.names.get_index_of(text) {
            Some(index) => NameId::from_index(index),
            None => NameId::from_index(self.names.insert_full(text.into()).0),
        }
    }

    /// The id of a name that is interned already.
    pub fn find_name(&self, text: &str) -> Option<NameId> {
        self.names.get_index_of(text).map(NameId::from_index)
    }

    /// The text of a name.
    pub fn str(&self, name: NameId) -> &str {
        &self.names[name.index()]
    }

    /// Interns a type.
    pub fn intern_type(&mut self, ty: Type) -> TypeId {
        let (index, is_new) = self.types.insert_full(ty);
        if is_new {
            let extent = self.extent_of_type(&self.types[index]);
            self.extents.types.push(extent);
        }
        TypeId::from_index(index)
    }

    /// The type behind an id.
    pub fn ty(&self, ty: TypeId) -> &Type {
        &self.types[ty.index()]
    }

    /// All interned types in order.
    pub fn type_ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..self.types.len()).map(TypeId::from_index)
    }

    /// Interns an attribute.
    pub fn intern_attr(&mut self, attr: Attribute) -> AttrId {
        let (index, is_new) = self.attributes.insert_full(attr);
        if is_new {
            let extent = self.extent_of_attr(&self.attributes[index]);
            self.extents.attributes.push(extent);
        }
        AttrId::from_index(index)
    }

    /// The attribute behind an id.
    pub fn attr(&self, attr: AttrId) -> &Attribute {
        &self.attributes[attr.index()]
    }

    /// All interned attributes in order.
    pub fn attr_ids(&self) -> impl Iterator<Item = AttrId> + use<> {
        (0..self.attributes.len()).map(AttrId::from_index)
    }

    /// Interns a location.
    pub fn intern_location(&mut self, location: Location) -> LocId {
        let (index, is_new) = self.locations.insert_full(location);
        if is_new {
            let extent = self.extent_of_location(&self.locations[index]);
            self.extents.locations.push(extent);
        }
        LocId::from_index(index)
    }

    /// The location behind an id.
    pub fn location(&self, location: LocId) -> &Location {
        &self.locations[location.index()]
    }

    /// The id of a location that is interned already.
    pub fn find_location(&self, location: &Location) -> Option<LocId> {
        self.locations.get_index_of(location).map(LocId::from_index)
    }

    /// How many locations are interned.
    pub fn n_locations(&self) -> usize {
        self.locations.len()
    }

    /// What an op or a block argument without `loc(…)` has for a location: the place of byte `offset` in the source.
    pub fn implied_location(&self, offset: u32) -> Location {
        let place = self.lines.line_column(offset);
        Location::File(FileRange {
            file: self.source_name,
            line: place.line,
            column: place.column,
            end_line: place.line,
            end_column: place.column,
        })
    }

    // ---------------------------------------------------------------- building

    /// A region without blocks, to be given to [`Module::create_op`].
    pub fn new_region(&mut self) -> RegionId {
        self.regions.push(Region::default())
    }

    /// Appends an empty block to `region`.
    pub fn new_block(&mut self, region: RegionId) -> BlockId {
        let block = self.new_detached_block(region);
        self.append_block(block);
        block
    }

    /// An empty block that will stand in `region` once [`Module::append_block`] puts it there: labels may be used before
    /// their block is reached.
    pub fn new_detached_block(&mut self, region: RegionId) -> BlockId {
        self.blocks.push(Block { arguments: Vec::new(), ops: Vec::new(), parent: region, infos: Vec::new() })
    }

    /// Puts a block made by [`Module::new_detached_block`] at the end of its region.
    pub fn append_block(&mut self, block: BlockId) {
        let region = self.blocks[block].parent;
        self.regions[region].blocks.push(block);
    }

    /// Appends an argument to `block`.
    pub fn add_argument(&mut self, block: BlockId, ty: TypeId, info: BlockArgument) -> ValueId {
        let index = self.blocks[block].arguments.len() as u32;
        let value = self.values.push(Value { ty, def: ValueDef::Argument { block, index } });
        let block = &mut self.blocks[block];
        block.arguments.push(value);
        block.infos.push(info);
        value
    }

    /// Makes an op that stands nowhere yet; see [`Module::append_op`].
    pub fn create_op(&mut self, new: &NewOp<'_>) -> OpId {
        let op = OpId::from_index(self.ops.len());
        let first_result = self.values.len() as u32;
        for (index, ty) in new.result_types.iter().enumerate() {
            self.values.push(Value { ty: *ty, def: ValueDef::Result { op, index: index as u32 } });
        }
        for region in new.regions {
            self.regions[*region].parent = Some(op);
        }
        self.ops.push(Operation {
            name: new.name,
            operands: Run::push(&mut self.value_pool, new.operands.iter().copied()),
            properties: Run::push(&mut self.attr_pool, new.properties.iter().copied()),
            regions: Run::push(&mut self.region_pool, new.regions.iter().copied()),
            successors: Run::push(&mut self.block_pool, new.successors.iter().copied()),
            first_result,
            n_results: new.result_types.len() as u32,
            attributes: new.attributes,
            location: new.location,
            parent: None,
        });
        self.sources.push(new.source);
        op
    }

    /// Puts `op` at the end of `block`.
    pub fn append_op(&mut self, block: BlockId, op: OpId) {
        self.blocks[block].ops.push(op);
        self.ops[op].parent = Some(block);
    }

    /// Takes `op` out of its block; it keeps its parts and can be put elsewhere.
    pub fn detach_op(&mut self, op: OpId) {
        if let Some(block) = self.ops[op].parent.take() {
            self.blocks[block].ops.retain(|other| *other != op);
        }
    }

    /// Takes many ops out of their blocks at once.
    pub fn detach_ops(&mut self, ops: &[OpId]) {
        let mut blocks: Vec<BlockId> = ops.iter().filter_map(|op| self.ops[*op].parent.take()).collect();
        blocks.sort_unstable();
        blocks.dedup();
        for block in blocks {
            let arena = &self.ops;
            self.blocks[block].ops.retain(|op| arena[*op].parent == Some(block));
        }
    }

    /// Sets the type of a value.
    pub fn set_value_type(&mut self, value: ValueId, ty: TypeId) {
        self.values[value].ty = ty;
    }

    /// Sets one operand.
    pub fn set_operand(&mut self, op: OpId, index: usize, value: ValueId) {
        let run = self.ops[op].operands.range();
        self.value_pool[run][index] = value;
    }

    /// Replaces all operands.
    pub fn set_operands(&mut self, op: OpId, operands: &[ValueId]) {
        let run = Run::push(&mut self.value_pool, operands.iter().copied());
        self.ops[op].operands = run;
    }

    /// Sets the inherent attribute in slot `index` of the declaration.
    pub fn set_property(&mut self, op: OpId, index: usize, attr: Option<AttrId>) {
        let run = self.ops[op].properties.range();
        self.attr_pool[run][index] = attr;
    }

    /// Replaces the discardable attributes.
    pub fn set_attributes(&mut self, op: OpId, attributes: Option<AttrId>) {
        self.ops[op].attributes = attributes;
    }

    /// Sets an op's location.
    pub fn set_location(&mut self, op: OpId, location: Option<LocId>) {
        self.ops[op].location = location;
    }

    /// Says that the ops stand in `text`, op by op; ops beyond the end of `sources` stand nowhere.
    pub fn set_text(&mut self, text: &[u8], sources: Vec<OpSource>) {
        self.lines = LineIndex::new(text);
        self.sources = sources;
        self.sources.resize(self.ops.len(), OpSource::default());
    }

    /// Sets a block argument's location.
    pub fn set_argument_location(&mut self, block: BlockId, index: usize, location: Option<LocId>) {
        self.blocks[block].infos[index].location = location;
    }

    /// Takes memory for a text of `bytes` bytes at once.
    pub fn reserve_for_text(&mut self, bytes: usize) {
        let ops = bytes / 90;
        self.ops.reserve(ops);
        self.sources.reserve(ops);
        self.values.reserve(ops);
        self.value_pool.reserve(ops * 2);
    }

    /// Takes memory for that many more locations at once.
    pub fn reserve_locations(&mut self, n: usize) {
        self.locations.reserve(n);
        self.extents.locations.reserve(n);
    }

    // ---------------------------------------------------------------- reading

    /// An operation.
    pub fn op(&self, op: OpId) -> &Operation {
        &self.ops[op]
    }

    /// How many ops were ever made in this module (detached ones included).
    pub fn n_ops(&self) -> usize {
        self.ops.len()
    }

    /// How many values were ever made in this module; ids are smaller than that.
    pub fn n_values(&self) -> usize {
        self.values.len()
    }

    /// Where `op` stands in the text.
    pub fn source(&self, op: OpId) -> OpSource {
        self.sources[op.index()]
    }

    /// Operands of `op`.
    pub fn operands(&self, op: OpId) -> &[ValueId] {
        &self.value_pool[self.ops[op].operands.range()]
    }

    /// Results of `op`.
    pub fn results(&self, op: OpId) -> Values {
        let op = &self.ops[op];
        Values { first: op.first_result, len: op.n_results }
    }

    /// Inherent attributes of `op`, one slot per declared attribute.
    pub fn properties(&self, op: OpId) -> &[Option<AttrId>] {
        &self.attr_pool[self.ops[op].properties.range()]
    }

    /// Regions of `op`.
    pub fn regions(&self, op: OpId) -> &[RegionId] {
        &self.region_pool[self.ops[op].regions.range()]
    }

    /// Successor blocks of `op`.
    pub fn successors(&self, op: OpId) -> &[BlockId] {
        &self.block_pool[self.ops[op].successors.range()]
    }

    /// Blocks of `region` in order.
    pub fn blocks(&self, region: RegionId) -> &[BlockId] {
        &self.regions[region].blocks
    }

    /// All regions that were ever made in this module.
    pub fn region_ids(&self) -> impl Iterator<Item = RegionId> + use<> {
        self.regions.ids()
    }

    /// The op that `region` belongs to; none while it is being built.
    pub fn region_parent(&self, region: RegionId) -> Option<OpId> {
        self.regions[region].parent
    }

    /// A block.
    pub fn block(&self, block: BlockId) -> &Block {
        &self.blocks[block]
    }

    /// Where argument `index` of `block` was written.
    pub fn argument_info(&self, block: BlockId, index: usize) -> BlockArgument {
        self.blocks[block].infos[index]
    }

    /// Type of a value.
    pub fn value_type(&self, value: ValueId) -> TypeId {
        self.values[value].ty
    }

    /// What defines a value.
    pub fn definition(&self, value: ValueId) -> ValueDef {
        self.values[value].def
    }

    /// The op around `op`.
    pub fn parent_op(&self, op: OpId) -> Option<OpId> {
        self.ops[op].parent.and_then(|block| self.region_parent(self.blocks[block].parent))
    }
}
