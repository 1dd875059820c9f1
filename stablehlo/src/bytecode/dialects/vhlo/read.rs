//! Reading VHLO's types and attributes as ours.

use super::codes::{ENUMS, code, plain_types};
use crate::bytecode::dialects::stablehlo::read_enum;
use crate::bytecode::dialects::{builtin, dense_blob, dictionary_of, quant, unknown_code};
use crate::bytecode::error::{Error, Result};
use crate::bytecode::read::{Decoder, Stop};
use crate::ir::{AttrId, Attribute, EnumValue, F64, NameId, OutputOperandAlias, ResultAccuracy, Signedness, Type};

type Read<T> = std::result::Result<T, Stop>;

/// Reads a type.
pub(in super::super) fn read_type(code: u64, d: &mut Decoder<'_, '_>) -> Read<Type> {
    Ok(match code {
        code::COMPLEX => builtin::read_complex(d)?,
        code::FUNCTION => {
            let inputs = d.types("an input of a function type");
            let results = d.types("a result of a function type")?;
            Type::Function { inputs: inputs?.into(), results: results.into() }
        }
        code::TENSOR => builtin::read_tensor(None, d)?,
        code::TENSOR_WITH_ENCODING => {
            let encoding = d.attr("the encoding of a tensor type")?;
            builtin::read_tensor(Some(encoding), d)?
        }
        code::UNRANKED_TENSOR => Type::UnrankedTensor { element: builtin::read_element(d)? },
        code::BUFFER => {
            let shape = builtin::read_shape(d)?;
            let element = d.ty("the element type of a buffer type")?;
            Type::MemRef { shape: Some(shape), element, layout: None, memory_space: None }
        }
        code::TUPLE => Type::Tuple(d.types("a type of a tuple")?.into()),
        code::FUTURE => Type::Future(d.types("a type of a future")?.into()),
        code::QUANTIZED => quant::read_type(quant::code::UNIFORM, d)?,
        code::QUANTIZED_PER_AXIS => quant::read_type(quant::code::PER_AXIS, d)?,
        code::WITNESS => Type::Opaque { dialect: d.module.name("shape"), body: "witness".into() },
        _ => match plain_types().find(|(plain, _)| *plain == code) {
            Some((_, ty)) => ty,
            None => return Err(newer(unknown_code("vhlo", "type", code, d))),
        },
    })
}

/// Codes that are not known come with versions that are not known.
fn newer(mut error: Error) -> Stop {
    error.message.push_str("; the artifact may be of a newer version than is known here");
    error.into()
}

/// Reads an attribute.
pub(in super::super) fn read_attr(code: u64, d: &mut Decoder<'_, '_>) -> Read<Attribute> {
    Ok(match code {
        code::ARRAY => Attribute::Array(d.attrs("an element of an array")?.into()),
        code::BOOL => bool(d)?,
        code::API_VERSION => api_version(d)?,
        code::DICTIONARY => dictionary(d)?,
        code::FLOAT => builtin::read_float(d)?,
        code::INTEGER => builtin::read_integer(d)?,
        code::OUTPUT_OPERAND_ALIAS => Attribute::OutputOperandAlias(Box::new(OutputOperandAlias {
            output_tuple_indices: d.signed_list("an index into a tuple")?,
            operand_index: d.cursor.signed("the number of an operand")?,
            operand_tuple_indices: d.signed_list("an index into a tuple")?,
        })),
        code::STRING => Attribute::String { value: d.string("a string")?.into(), ty: None },
        code::TENSOR_VALUE => {
            let ty = d.ty("the type of elements")?;
            Attribute::DenseElements(dense_blob(ty, d)?)
        }
        code::TYPE => Attribute::Type(d.ty("a type attribute")?),
        code::TYPE_EXTENSIONS => Attribute::Bounds(d.signed_list("a bound")?),
        code::RESULT_ACCURACY => result_accuracy(d)?,
        code::SUB_AXIS_INFO..=code::MESH => mesh_attr(code, d)?,
        _ => match ENUMS.iter().find(|(known, _)| *known == code) {
            Some((_, kind)) => read_enum(*kind, d)?,
            None => return Err(newer(unknown_code("vhlo", "attribute", code, d))),
        },
    })
}

fn integer(width: u32, value: i128, d: &mut Decoder<'_, '_>) -> Attribute {
    let ty = d.module.intern_type(Type::Integer { width, signedness: Signedness::Signless });
    Attribute::Integer { ty, value }
}

/// A number that is at most `largest`.
fn choice(largest: u64, what: &str, d: &mut Decoder<'_, '_>) -> Result<u64> {
    let offset = d.cursor.offset();
    match d.cursor.varint(what)? {
        number if number <= largest => Ok(number),
        number => {
            let message = format!("{what} is a number from 0 to {largest}, got {number}");
            Err(Error::new("bytecode/invalid-number", offset, message))
        }
    }
}

fn bool(d: &mut Decoder<'_, '_>) -> Read<Attribute> {
    let value = choice(1, "a truth value", d)?;
    Ok(integer(1, i128::from(value), d))
}

/// VHLO has an enumeration for what is an i32 in StableHLO.
fn api_version(d: &mut Decoder<'_, '_>) -> Read<Attribute> {
    let value = choice(4, "the calling convention of a custom call", d)?;
    Ok(integer(32, i128::from(value), d))
}

fn dictionary(d: &mut Decoder<'_, '_>) -> Read<Attribute> {
    let offset = d.cursor.offset();
    let n = d.cursor.count("the number of entries of a dictionary")?;
    let mut pairs = Vec::with_capacity(n);
    for _ in 0..n {
        pairs.push((d.attr("a key of a dictionary")?, d.attr("a value of a dictionary")?));
    }
    d.complete()?;
    let mut entries = Vec::with_capacity(n);
    for (key, value) in pairs {
        entries.push((d.name_of(key, "a key of a dictionary", offset)?, value));
    }
    dictionary_of(entries, d, offset)
}

fn result_accuracy(d: &mut Decoder<'_, '_>) -> Read<Attribute> {
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
fn mesh_attr(code: u64, d: &mut Decoder<'_, '_>) -> Read<Attribute> {
    let offset = d.cursor.offset();
    Ok(match code {
        code::SUB_AXIS_INFO => Attribute::SubAxisInfo {
            pre_size: d.cursor.signed("the size before a part of an axis")?,
            size: d.cursor.signed("the size of a part of an axis")?,
        },
        code::AXIS_REF => {
            let name = d.attr("the name of an axis")?;
            let has_info = choice(1, "whether a part of an axis is meant", d)? == 1;
            let sub_axis_info = if has_info { Some(d.attr("the part of an axis")?) } else { None };
            d.complete()?;
            let name = d.name_of(name, "the name of an axis", offset)?;
            match sub_axis_info.map(|info| d.module.attr(info)) {
                None | Some(Attribute::SubAxisInfo { .. }) => Attribute::AxisRef { name, sub_axis_info },
                Some(_) => return Err(invalid("the part of an axis is not a sub_axis_info", offset)),
            }
        }
        code::REPLICA_GROUP_MESH_AXES => {
            let mesh = d.attr("the mesh of replica groups")?;
            let axes = d.attr("the axes of replica groups")?;
            d.complete()?;
            if !matches!(d.module.attr(axes), Attribute::Array(_)) {
                return Err(invalid("the axes of replica groups are not an array", offset));
            }
            Attribute::ReplicaGroupMeshAxes { mesh: symbol_or_mesh(mesh, d, offset)?, axes }
        }
        code::MESH_AXIS => {
            let name = d.attr("the name of an axis")?;
            let size = d.cursor.signed("the size of an axis")?;
            d.complete()?;
            Attribute::MeshAxis { name: d.name_of(name, "the name of an axis", offset)?, size }
        }
        _ => mesh(d, offset)?,
    })
}

/// The name of a mesh is the symbol of that name.
fn symbol_or_mesh(mesh: AttrId, d: &mut Decoder<'_, '_>, offset: u64) -> Read<AttrId> {
    match d.module.attr(mesh) {
        Attribute::String { .. } => {
            let root: NameId = d.name_of(mesh, "the name of a mesh", offset)?;
            Ok(d.module.intern_attr(Attribute::SymbolRef { root, nested: [].into() }))
        }
        _ => Ok(mesh),
    }
}

fn mesh(d: &mut Decoder<'_, '_>, offset: u64) -> Read<Attribute> {
    let axes = d.attr("the axes of a mesh")?;
    let device_ids = d.optional_attr("the device ids of a mesh")?;
    d.complete()?;
    let Attribute::Array(axes) = d.module.attr(axes) else {
        return Err(invalid("the axes of a mesh are not an array", offset));
    };
    if !axes.iter().all(|axis| matches!(d.module.attr(*axis), Attribute::MeshAxis { .. })) {
        return Err(invalid("an axis of a mesh is not a mesh_axis", offset));
    }
    if !device_ids.is_none_or(|ids| matches!(d.module.attr(ids), Attribute::DenseElements(_))) {
        return Err(invalid("the device ids of a mesh are not elements", offset));
    }
    let axes = axes.clone();
    d.charge(axes.len())?;
    Ok(Attribute::Mesh { axes, device_ids })
}
