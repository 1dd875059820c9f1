//! Structured attributes taken apart: VHLO writes each field of `#stablehlo.dot<…>` as an attribute of its own.

use smallvec::SmallVec;

use crate::ir::{
    Attribute, ConvDimensionNumbers, Dims, DotAlgorithm, DotDimensionNumbers, GatherDimensionNumbers,
    ScatterDimensionNumbers, TypeId,
};
use crate::ops::spec::{AttrKind, Presence};

/// The value of a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// A number.
    Int(i64),
    /// Numbers.
    Dims(Dims),
    /// A type.
    Type(TypeId),
    /// A truth value.
    Bool(bool),
}

/// What a field holds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum PartKind {
    Int,
    Dims,
    Type,
    Bool,
}

/// Names and kinds of the fields.
pub(crate) type Fields = &'static [(&'static str, PartKind)];

/// The values of the fields, in the same order.
pub(crate) type Parts = SmallVec<[Part; 9]>;

/// The fields that an attribute of `kind` is written as; none for attributes that are written whole.
pub(crate) fn fields(kind: AttrKind, presence: Presence) -> Option<Fields> {
    use PartKind::{Bool, Dims, Int, Type};
    Some(match kind {
        AttrKind::ConvDimensionNumbers => &[
            ("input_batch_dimension", Int),
            ("input_feature_dimension", Int),
            ("input_spatial_dimensions", Dims),
            ("kernel_input_feature_dimension", Int),
            ("kernel_output_feature_dimension", Int),
            ("kernel_spatial_dimensions", Dims),
            ("output_batch_dimension", Int),
            ("output_feature_dimension", Int),
            ("output_spatial_dimensions", Dims),
        ],
        AttrKind::DotDimensionNumbers => &[
            ("lhs_batching_dimensions", Dims),
            ("rhs_batching_dimensions", Dims),
            ("lhs_contracting_dimensions", Dims),
            ("rhs_contracting_dimensions", Dims),
        ],
        AttrKind::DotAlgorithm => &[
            ("lhs_precision_type", Type),
            ("rhs_precision_type", Type),
            ("accumulation_type", Type),
            ("lhs_component_count", Int),
            ("rhs_component_count", Int),
            ("num_primitive_operations", Int),
            ("allow_imprecise_accumulation", Bool),
        ],
        AttrKind::GatherDimensionNumbers => &[
            ("offset_dims", Dims),
            ("collapsed_slice_dims", Dims),
            ("operand_batching_dims", Dims),
            ("start_indices_batching_dims", Dims),
            ("start_index_map", Dims),
            ("index_vector_dim", Int),
        ],
        AttrKind::ScatterDimensionNumbers => &[
            ("update_window_dims", Dims),
            ("inserted_window_dims", Dims),
            ("input_batching_dims", Dims),
            ("scatter_indices_batching_dims", Dims),
            ("scatter_dims_to_operand_dims", Dims),
            ("index_vector_dim", Int),
        ],
        // Where a channel must be named its type matters as well.
        AttrKind::ChannelHandle if presence == Presence::Required => &[("channel_id", Int), ("channel_type", Int)],
        AttrKind::ChannelHandle => &[("channel_id", Int)],
        _ => return None,
    })
}

/// Takes an attribute apart; none when it is not of a kind that has fields.
pub(crate) fn take_apart(attr: &Attribute, fields: Fields) -> Option<Parts> {
    let dims = |dims: &Dims| Part::Dims(dims.clone());
    let parts: Parts = match attr {
        Attribute::ConvDimensionNumbers(n) => SmallVec::from([
            Part::Int(n.input_batch_dimension),
            Part::Int(n.input_feature_dimension),
            dims(&n.input_spatial_dimensions),
            Part::Int(n.kernel_input_feature_dimension),
            Part::Int(n.kernel_output_feature_dimension),
            dims(&n.kernel_spatial_dimensions),
            Part::Int(n.output_batch_dimension),
            Part::Int(n.output_feature_dimension),
            dims(&n.output_spatial_dimensions),
        ]),
        Attribute::DotDimensionNumbers(n) => SmallVec::from_iter([
            dims(&n.lhs_batching_dimensions),
            dims(&n.rhs_batching_dimensions),
            dims(&n.lhs_contracting_dimensions),
            dims(&n.rhs_contracting_dimensions),
        ]),
        Attribute::DotAlgorithm(algorithm) => SmallVec::from_iter([
            Part::Type(algorithm.lhs_precision_type),
            Part::Type(algorithm.rhs_precision_type),
            Part::Type(algorithm.accumulation_type),
            Part::Int(algorithm.lhs_component_count),
            Part::Int(algorithm.rhs_component_count),
            Part::Int(algorithm.num_primitive_operations),
            Part::Bool(algorithm.allow_imprecise_accumulation),
        ]),
        Attribute::GatherDimensionNumbers(n) => SmallVec::from_iter([
            dims(&n.offset_dims),
            dims(&n.collapsed_slice_dims),
            dims(&n.operand_batching_dims),
            dims(&n.start_indices_batching_dims),
            dims(&n.start_index_map),
            Part::Int(n.index_vector_dim),
        ]),
        Attribute::ScatterDimensionNumbers(n) => SmallVec::from_iter([
            dims(&n.update_window_dims),
            dims(&n.inserted_window_dims),
            dims(&n.input_batching_dims),
            dims(&n.scatter_indices_batching_dims),
            dims(&n.scatter_dims_to_operand_dims),
            Part::Int(n.index_vector_dim),
        ]),
        Attribute::ChannelHandle { handle, ty } => {
            [Part::Int(*handle), Part::Int(*ty)].into_iter().take(fields.len()).collect()
        }
        _ => return None,
    };
    (parts.len() == fields.len()).then_some(parts)
}

/// The inverse of [`take_apart`]; none when the parts do not fit the kind.
pub(crate) fn put_together(kind: AttrKind, parts: Parts) -> Option<Attribute> {
    let mut parts = Reader(parts.into_iter());
    Some(match kind {
        AttrKind::ConvDimensionNumbers => Attribute::ConvDimensionNumbers(Box::new(ConvDimensionNumbers {
            input_batch_dimension: parts.int()?,
            input_feature_dimension: parts.int()?,
            input_spatial_dimensions: parts.dims()?,
            kernel_input_feature_dimension: parts.int()?,
            kernel_output_feature_dimension: parts.int()?,
            kernel_spatial_dimensions: parts.dims()?,
            output_batch_dimension: parts.int()?,
            output_feature_dimension: parts.int()?,
            output_spatial_dimensions: parts.dims()?,
        })),
        AttrKind::DotDimensionNumbers => Attribute::DotDimensionNumbers(Box::new(DotDimensionNumbers {
            lhs_batching_dimensions: parts.dims()?,
            rhs_batching_dimensions: parts.dims()?,
            lhs_contracting_dimensions: parts.dims()?,
            rhs_contracting_dimensions: parts.dims()?,
        })),
        AttrKind::DotAlgorithm => Attribute::DotAlgorithm(DotAlgorithm {
            lhs_precision_type: parts.ty()?,
            rhs_precision_type: parts.ty()?,
            accumulation_type: parts.ty()?,
            lhs_component_count: parts.int()?,
            rhs_component_count: parts.int()?,
            num_primitive_operations: parts.int()?,
            allow_imprecise_accumulation: parts.bool()?,
        }),
        AttrKind::GatherDimensionNumbers => Attribute::GatherDimensionNumbers(Box::new(GatherDimensionNumbers {
            offset_dims: parts.dims()?,
            collapsed_slice_dims: parts.dims()?,
            operand_batching_dims: parts.dims()?,
            start_indices_batching_dims: parts.dims()?,
            start_index_map: parts.dims()?,
            index_vector_dim: parts.int()?,
        })),
        AttrKind::ScatterDimensionNumbers => Attribute::ScatterDimensionNumbers(Box::new(ScatterDimensionNumbers {
            update_window_dims: parts.dims()?,
            inserted_window_dims: parts.dims()?,
            input_batching_dims: parts.dims()?,
            scatter_indices_batching_dims: parts.dims()?,
            scatter_dims_to_operand_dims: parts.dims()?,
            index_vector_dim: parts.int()?,
        })),
        AttrKind::ChannelHandle => {
            Attribute::ChannelHandle { handle: parts.int()?, ty: parts.int().unwrap_or_default() }
        }
        _ => return None,
    })
}

/// Hands parts out by kind.
struct Reader(smallvec::IntoIter<[Part; 9]>);

impl Reader {
    fn int(&mut self) -> Option<i64> {
        match self.0.next()? {
            Part::Int(value) => Some(value),
            _ => None,
        }
    }

    fn dims(&mut self) -> Option<Dims> {
        match self.0.next()? {
            Part::Dims(value) => Some(value),
            _ => None,
        }
    }

    fn ty(&mut self) -> Option<TypeId> {
        match self.0.next()? {
            Part::Type(value) => Some(value),
            _ => None,
        }
    }

    fn bool(&mut self) -> Option<bool> {
        match self.0.next()? {
            Part::Bool(value) => Some(value),
            _ => None,
        }
    }
}
