//! The StableHLO dialect.

use super::{Payload, array, attr_list, signed_list, type_list, unknown_code};
use crate::bytecode::error::{Error, Result};
use crate::bytecode::read::{Decoder, Stop};
use crate::bytecode::write::{AttrEntry, Encoder, Piece, TypeEntry};
use crate::ir::{
    AttrId, Attribute, ConvDimensionNumbers, Dims, DotAlgorithm, DotDimensionNumbers, EnumKind, EnumValue, F64,
    GatherDimensionNumbers, NameId, OutputOperandAlias, ResultAccuracy, ScatterDimensionNumbers, Type, TypeId,
};

/// Codes of attributes.
mod code {
    pub(super) const CHANNEL_HANDLE: u64 = 1;
    pub(super) const CONV_DIMENSION_NUMBERS: u64 = 4;
    pub(super) const DOT_DIMENSION_NUMBERS: u64 = 5;
    pub(super) const GATHER_DIMENSION_NUMBERS: u64 = 7;
    pub(super) const SCATTER_DIMENSION_NUMBERS: u64 = 11;
    pub(super) const BOUNDS: u64 = 13;
    pub(super) const OUTPUT_OPERAND_ALIAS: u64 = 14;
    pub(super) const DOT_ALGORITHM: u64 = 15;
    pub(super) const RESULT_ACCURACY: u64 = 17;
    pub(super) const REPLICA_GROUP_MESH_AXES: u64 = 18;
    pub(super) const SUB_AXIS_INFO: u64 = 19;
    pub(super) const AXIS_REF: u64 = 20;
    pub(super) const MESH_AXIS: u64 = 21;
    pub(super) const MESH: u64 = 22;
    /// A type.
    pub(super) const TOKEN: u64 = 0;
    /// A type.
    pub(super) const FUTURE: u64 = 1;
}

/// Enumerations by their codes.
const ENUMS: [(EnumKind, u64); 8] = [
    (EnumKind::ComparisonDirection, 2),
    (EnumKind::ComparisonType, 3),
    (EnumKind::FftType, 6),
    (EnumKind::Precision, 8),
    (EnumKind::RngAlgorithm, 9),
    (EnumKind::RngDistribution, 10),
    (EnumKind::Transpose, 12),
    (EnumKind::ResultAccuracyMode, 16),
];

/// Reads an attribute.
pub(super) fn read_attr(code: u64, d: &mut Decoder<'_, '_>) -> std::result::Result<Attribute, Stop> {
    Ok(match code {
        code::CHANNEL_HANDLE => {
            let handle = d.cursor.signed("the handle of a channel")?;
            Attribute::ChannelHandle { handle, ty: d.cursor.signed("the type of a channel")? }
        }
        code::CONV_DIMENSION_NUMBERS => Attribute::ConvDimensionNumbers(Box::new(ConvDimensionNumbers {
            input_batch_dimension: number(d)?,
            input_feature_dimension: number(d)?,
            input_spatial_dimensions: dims(d)?,
            kernel_input_feature_dimension: number(d)?,
            kernel_output_feature_dimension: number(d)?,
            kernel_spatial_dimensions: dims(d)?,
            output_batch_dimension: number(d)?,
            output_feature_dimension: number(d)?,
            output_spatial_dimensions: dims(d)?,
        })),
        code::DOT_DIMENSION_NUMBERS => Attribute::DotDimensionNumbers(Box::new(DotDimensionNumbers {
            lhs_batching_dimensions: dims(d)?,
            rhs_batching_dimensions: dims(d)?,
            lhs_contracting_dimensions: dims(d)?,
            rhs_contracting_dimensions: dims(d)?,
        })),
        code::GATHER_DIMENSION_NUMBERS => Attribute::GatherDimensionNumbers(Box::new(GatherDimensionNumbers {
            offset_dims: dims(d)?,
            collapsed_slice_dims: dims(d)?,
            operand_batching_dims: dims(d)?,
            start_indices_batching_dims: dims(d)?,
            start_index_map: dims(d)?,
            index_vector_dim: number(d)?,
        })),
        code::SCATTER_DIMENSION_NUMBERS => Attribute::ScatterDimensionNumbers(Box::new(ScatterDimensionNumbers {
            update_window_dims: dims(d)?,
            inserted_window_dims: dims(d)?,
            input_batching_dims: dims(d)?,
            scatter_indices_batching_dims: dims(d)?,
            scatter_dims_to_operand_dims: dims(d)?,
            index_vector_dim: number(d)?,
        })),
        code::BOUNDS => Attribute::Bounds(dims(d)?),
        code::OUTPUT_OPERAND_ALIAS => Attribute::OutputOperandAlias(Box::new(OutputOperandAlias {
            output_tuple_indices: dims(d)?,
            operand_index: number(d)?,
            operand_tuple_indices: dims(d)?,
        })),
        code::DOT_ALGORITHM => Attribute::DotAlgorithm(DotAlgorithm {
            lhs_precision_type: d.ty("the precision type of the left side")?,
            rhs_precision_type: d.ty("the precision type of the right side")?,
            accumulation_type: d.ty("the accumulation type")?,
            lhs_component_count: number(d)?,
            rhs_component_count: number(d)?,
            num_primitive_operations: number(d)?,
            allow_imprecise_accumulation: d.bool("whether imprecise accumulation is allowed")?,
        }),
        code::RESULT_ACCURACY => result_accuracy(d)?,
        code::REPLICA_GROUP_MESH_AXES..=code::MESH => return read_mesh_attr(code, d),
        _ => match ENUMS.iter().find(|(_, number)| *number == code) {
            Some((kind, _)) => read_enum(*kind, d)?,
            None => return Err(unknown_code("stablehlo", "attribute", code, d).into()),
        },
    })
}

fn number(d: &mut Decoder<'_, '_>) -> Result<i64> {
    d.cursor.signed("a dimension number")
}

fn dims(d: &mut Decoder<'_, '_>) -> Result<Dims> {
    d.signed_list("a list of dimension numbers")
}

/// Reads a word of an enumeration by its number.
pub(super) fn read_enum(kind: EnumKind, d: &mut Decoder<'_, '_>) -> Result<Attribute> {
    let offset = d.cursor.offset();
    let (dialect, mnemonic) = kind.mnemonic();
    let number = d.cursor.varint(mnemonic)?;
    let mut values = kind.words().into_iter().filter_map(|word| kind.value(word));
    match values.find(|value| u64::from(value.number()) == number) {
        Some(value) => Ok(Attribute::Enum(value)),
        None => {
            let message = format!("`{dialect}.{mnemonic}` has no word with the number {number}");
            Err(Error::new("bytecode/invalid-enum", offset, message))
        }
    }
}

fn result_accuracy(d: &mut Decoder<'_, '_>) -> std::result::Result<Attribute, Stop> {
    let atol = F64::new(d.cursor.double("an absolute tolerance")?);
    let rtol = F64::new(d.cursor.double("a relative tolerance")?);
    let ulps = d.cursor.signed("a number of units in the last place")?;
    let offset = d.cursor.offset();
    let mode = d.attr("the mode of a result accuracy")?;
    d.complete()?;
    match *d.module.attr(mode) {
        Attribute::Enum(EnumValue::ResultAccuracyMode(mode)) => {
            Ok(Attribute::ResultAccuracy(ResultAccuracy { atol, rtol, ulps, mode }))
        }
        _ => Err(invalid("the mode of a result accuracy is not one", offset)),
    }
}

#[cold]
fn invalid(message: &str, offset: u64) -> Stop {
    Error::new("bytecode/invalid-attribute", offset, message).into()
}

/// Attributes that name devices by mesh axes.
fn read_mesh_attr(code: u64, d: &mut Decoder<'_, '_>) -> std::result::Result<Attribute, Stop> {
    Ok(match code {
        code::REPLICA_GROUP_MESH_AXES => {
            let mesh = d.attr("the mesh of replica groups")?;
            let axes = d.attrs("an axis of replica groups")?;
            d.complete()?;
            Attribute::ReplicaGroupMeshAxes { mesh, axes: d.module.intern_attr(Attribute::Array(axes.into())) }
        }
        code::SUB_AXIS_INFO => Attribute::SubAxisInfo { pre_size: number(d)?, size: number(d)? },
        code::AXIS_REF => {
            let name = axis_name(d)?;
            let has_info = d.bool("whether a part of an axis is meant")?;
            let offset = d.cursor.offset();
            let sub_axis_info = if has_info { Some(d.attr("the part of an axis")?) } else { None };
            d.complete()?;
            match sub_axis_info.map(|info| d.module.attr(info)) {
                None | Some(Attribute::SubAxisInfo { .. }) => Attribute::AxisRef { name, sub_axis_info },
                Some(_) => return Err(invalid("the part of an axis is not a sub_axis_info", offset)),
            }
        }
        code::MESH_AXIS => Attribute::MeshAxis { name: axis_name(d)?, size: d.cursor.signed("the size of an axis")? },
        _ => {
            let offset = d.cursor.offset();
            let axes = d.attr("the axes of a mesh")?;
            let has_ids = d.bool("whether a mesh has device ids")?;
            let device_ids = if has_ids { Some(d.attr("the device ids of a mesh")?) } else { None };
            d.complete()?;
            let is_axis = |axis: &AttrId| matches!(d.module.attr(*axis), Attribute::MeshAxis { .. });
            let Attribute::Array(axes) = d.module.attr(axes) else {
                return Err(invalid("the axes of a mesh are not an array", offset));
            };
            if !axes.iter().all(is_axis) {
                return Err(invalid("an axis of a mesh is not a mesh_axis", offset));
            }
            if !device_ids.is_none_or(|ids| matches!(d.module.attr(ids), Attribute::DenseElements(_))) {
                return Err(invalid("the device ids of a mesh are not elements", offset));
            }
            let axes = axes.clone();
            d.charge(axes.len())?;
            Attribute::Mesh { axes, device_ids }
        }
    })
}

fn axis_name(d: &mut Decoder<'_, '_>) -> Result<NameId> {
    d.name_id("the name of an axis")
}

/// Reads a type.
pub(super) fn read_type(code: u64, d: &mut Decoder<'_, '_>) -> std::result::Result<Type, Stop> {
    match code {
        code::TOKEN => Ok(Type::Token),
        code::FUTURE => Ok(Type::Future(d.types("a type of a future")?.into())),
        _ => Err(unknown_code("stablehlo", "type", code, d).into()),
    }
}

/// The form of a type; none when it is another dialect's.
pub(super) fn write_type(e: &mut Encoder<'_>, ty: TypeId) -> Option<TypeEntry> {
    match e.module.ty(ty) {
        Type::Token => Some(e.table.ty("stablehlo", code::TOKEN, [])),
        Type::Future(types) => {
            let types = type_list(e, types);
            Some(e.table.ty("stablehlo", code::FUTURE, types))
        }
        _ => None,
    }
}

/// The form of an attribute; none when it is another dialect's.
pub(super) fn write_attr(e: &mut Encoder<'_>, attr: AttrId) -> Option<AttrEntry> {
    let (code, payload) = match e.module.attr(attr) {
        Attribute::Enum(value) => {
            let (_, code) = ENUMS.iter().find(|(kind, _)| *kind == value.kind())?;
            (*code, [Piece::Varint(u64::from(value.number()))].into_iter().collect())
        }
        Attribute::ChannelHandle { handle, ty } => {
            (code::CHANNEL_HANDLE, [Piece::Signed(*handle), Piece::Signed(*ty)].into_iter().collect())
        }
        Attribute::ConvDimensionNumbers(dims) => {
            let fields = [
                Field::Number(dims.input_batch_dimension),
                Field::Number(dims.input_feature_dimension),
                Field::List(&dims.input_spatial_dimensions),
                Field::Number(dims.kernel_input_feature_dimension),
                Field::Number(dims.kernel_output_feature_dimension),
                Field::List(&dims.kernel_spatial_dimensions),
                Field::Number(dims.output_batch_dimension),
                Field::Number(dims.output_feature_dimension),
                Field::List(&dims.output_spatial_dimensions),
            ];
            (code::CONV_DIMENSION_NUMBERS, pieces(&fields))
        }
        Attribute::DotDimensionNumbers(dims) => {
            let fields = [
                Field::List(&dims.lhs_batching_dimensions),
                Field::List(&dims.rhs_batching_dimensions),
                Field::List(&dims.lhs_contracting_dimensions),
                Field::List(&dims.rhs_contracting_dimensions),
            ];
            (code::DOT_DIMENSION_NUMBERS, pieces(&fields))
        }
        Attribute::GatherDimensionNumbers(dims) => {
            let fields = [
                Field::List(&dims.offset_dims),
                Field::List(&dims.collapsed_slice_dims),
                Field::List(&dims.operand_batching_dims),
                Field::List(&dims.start_indices_batching_dims),
                Field::List(&dims.start_index_map),
                Field::Number(dims.index_vector_dim),
            ];
            (code::GATHER_DIMENSION_NUMBERS, pieces(&fields))
        }
        Attribute::ScatterDimensionNumbers(dims) => {
            let fields = [
                Field::List(&dims.update_window_dims),
                Field::List(&dims.inserted_window_dims),
                Field::List(&dims.input_batching_dims),
                Field::List(&dims.scatter_indices_batching_dims),
                Field::List(&dims.scatter_dims_to_operand_dims),
                Field::Number(dims.index_vector_dim),
            ];
            (code::SCATTER_DIMENSION_NUMBERS, pieces(&fields))
        }
        Attribute::Bounds(bounds) => (code::BOUNDS, pieces(&[Field::List(bounds)])),
        Attribute::OutputOperandAlias(alias) => {
            let fields = [
                Field::List(&alias.output_tuple_indices),
                Field::Number(alias.operand_index),
                Field::List(&alias.operand_tuple_indices),
            ];
            (code::OUTPUT_OPERAND_ALIAS, pieces(&fields))
        }
        Attribute::DotAlgorithm(algorithm) => (code::DOT_ALGORITHM, write_dot_algorithm(e, algorithm)),
        Attribute::ResultAccuracy(accuracy) => (code::RESULT_ACCURACY, write_result_accuracy(e, accuracy)),
        other => write_mesh_attr(e, other)?,
    };
    Some(e.table.attr("stablehlo", code, payload))
}

/// A field of an attribute that is made of numbers.
enum Field<'a> {
    Number(i64),
    List(&'a [i64]),
}

fn pieces(fields: &[Field<'_>]) -> Payload {
    let mut payload = Payload::new();
    for field in fields {
        match field {
            Field::Number(number) => payload.push(Piece::Signed(*number)),
            Field::List(numbers) => payload.extend(signed_list(numbers)),
        }
    }
    payload
}

fn write_dot_algorithm(e: &mut Encoder<'_>, algorithm: &DotAlgorithm) -> Payload {
    let types = [algorithm.lhs_precision_type, algorithm.rhs_precision_type, algorithm.accumulation_type];
    let mut payload: Payload = types.into_iter().map(|ty| Piece::Type(e.ty(ty))).collect();
    payload.push(Piece::Signed(algorithm.lhs_component_count));
    payload.push(Piece::Signed(algorithm.rhs_component_count));
    payload.push(Piece::Signed(algorithm.num_primitive_operations));
    payload.push(Piece::Byte(u8::from(algorithm.allow_imprecise_accumulation)));
    payload
}

fn write_result_accuracy(e: &mut Encoder<'_>, accuracy: &ResultAccuracy) -> Payload {
    let mode = EnumValue::from(accuracy.mode);
    let code = ENUMS.iter().find(|(kind, _)| *kind == mode.kind()).map_or(0, |(_, code)| *code);
    let mode = e.table.attr("stablehlo", code, [Piece::Varint(u64::from(mode.number()))]);
    let [atol, rtol] = [accuracy.atol, accuracy.rtol].map(|tolerance| Piece::double(tolerance.get()));
    [atol, rtol, Piece::Signed(accuracy.ulps), Piece::Attr(mode)].into_iter().collect()
}

fn write_mesh_attr(e: &mut Encoder<'_>, attr: &Attribute) -> Option<(u64, Payload)> {
    let module = e.module;
    Some(match attr {
        Attribute::ReplicaGroupMeshAxes { mesh, axes } => {
            let Attribute::Array(axes) = module.attr(*axes) else { return None };
            let mut payload: Payload = [Piece::Attr(e.attr(*mesh))].into_iter().collect();
            payload.extend(attr_list(e, axes));
            (code::REPLICA_GROUP_MESH_AXES, payload)
        }
        Attribute::SubAxisInfo { pre_size, size } => {
            (code::SUB_AXIS_INFO, [Piece::Signed(*pre_size), Piece::Signed(*size)].into_iter().collect())
        }
        Attribute::AxisRef { name, sub_axis_info } => {
            let name = e.table.string(module.str(*name).as_bytes());
            let has_info = Piece::Byte(u8::from(sub_axis_info.is_some()));
            let info = sub_axis_info.map(|info| Piece::Attr(e.attr(info)));
            (code::AXIS_REF, [Piece::String(name), has_info].into_iter().chain(info).collect())
        }
        Attribute::MeshAxis { name, size } => {
            let name = e.table.string(module.str(*name).as_bytes());
            (code::MESH_AXIS, [Piece::String(name), Piece::Signed(*size)].into_iter().collect())
        }
        Attribute::Mesh { axes, device_ids } => {
            let axes = attr_list(e, axes);
            let axes = array(e, axes);
            let has_ids = Piece::Byte(u8::from(device_ids.is_some()));
            let ids = device_ids.map(|ids| Piece::Attr(e.attr(ids)));
            (code::MESH, [Piece::Attr(axes), has_ids].into_iter().chain(ids).collect())
        }
        _ => return None,
    })
}
