//! The intermediate representation: flat, typed and interned.
//!
//! A [`Module`] owns everything of one program. Operations, blocks, regions and values live in arenas and refer to each
//! other by small ids; types, attributes, names and locations are interned. Operations of dialects this crate does not
//! know are kept whole (see [`OpName::Opaque`]) and print back unchanged.

mod attributes;
mod blob;
mod census;
mod extent;
mod literal;
mod location;
mod module;
mod query;
mod types;
mod whereabouts;

pub use attributes::*;
pub use blob::Blob;
pub use census::{Census, Constant};
pub use extent::Extent;
pub use literal::{Literal, element_count};
pub use location::{FileRange, LineColumn, LineCursor, LineIndex, LocId, Location, Span};
pub use module::{
    Block, BlockArgument, BlockId, ExternalResource, Module, NameId, NewOp, OpId, OpName, OpSource, Operation,
    RegionId, Resource, ValueDef, ValueId, Values,
};
pub use types::{
    DYNAMIC, F64, FloatKind, QuantizationParameters, QuantizedType, RankedTensor, ScaleZeroPoint, Shape, Signedness,
    StorageType, Type, TypeId,
};
