//! Writing our types and attributes as VHLO's.
//!
//! What VHLO has no counterpart for is written in the encoding of its own dialect. Only artifacts that may mix dialects can
//! hold such things: [`requirements`](crate::vhlo::requirements) finds them.

use super::codes::{self, attribute_of, code, type_of};
use crate::bytecode::dialects::{Payload, list, signed_list, stored};
use crate::bytecode::write::{AttrEntry, Encoder, Piece, Result, TypeEntry};
use crate::ir::{
    AttrId, Attribute, Blob, EnumValue, QuantizationParameters, QuantizedType, RankedTensor, ResultAccuracy, Type,
    TypeId,
};

const DIALECT: &str = "vhlo";

/// The type as VHLO.
pub(crate) fn write_type(e: &mut Encoder<'_>, ty: TypeId) -> Result<TypeEntry> {
    let module = e.module;
    let Some(known) = type_of(module, ty) else {
        return Ok(e.ty(ty));
    };
    let payload = match module.ty(ty) {
        Type::Complex(element) | Type::UnrankedTensor { element } => {
            Payload::from_iter([Piece::Type(e.vhlo_ty(*element))])
        }
        Type::Tuple(types) | Type::Future(types) => types_of(e, types),
        Type::Function { inputs, results } => {
            let mut payload = types_of(e, inputs);
            payload.extend(types_of(e, results));
            payload
        }
        Type::RankedTensor(tensor) => tensor_payload(e, tensor),
        Type::MemRef { shape: Some(shape), element, .. } => {
            let mut payload = signed_list(shape);
            payload.push(Piece::Type(e.vhlo_ty(*element)));
            payload
        }
        Type::Quantized(quantized) => quantized_payload(e, quantized),
        _ => Payload::new(),
    };
    Ok(e.table.ty(DIALECT, known.code, payload))
}

fn types_of(e: &mut Encoder<'_>, types: &[TypeId]) -> Payload {
    list(types.iter().map(|ty| Piece::Type(e.vhlo_ty(*ty))))
}

fn tensor_payload(e: &mut Encoder<'_>, tensor: &RankedTensor) -> Payload {
    let mut payload = Payload::new();
    if let Some(encoding) = tensor.encoding {
        payload.push(Piece::Attr(e.vhlo_attr(encoding)));
    }
    payload.extend(signed_list(&tensor.shape));
    payload.push(Piece::Type(e.vhlo_ty(tensor.element)));
    payload
}

fn quantized_payload(e: &mut Encoder<'_>, quantized: &QuantizedType) -> Payload {
    let storage = quantized.storage;
    let mut payload = Payload::from_iter([
        Piece::Varint(u64::from(storage.signed)),
        Piece::Type(e.vhlo_ty(storage.ty)),
        Piece::Type(e.vhlo_ty(quantized.expressed)),
    ]);
    let range = [Piece::Signed(storage.min), Piece::Signed(storage.max)];
    match &quantized.parameters {
        QuantizationParameters::PerTensor(entry) => {
            payload.extend([Piece::double(entry.scale.get()), Piece::Signed(entry.zero_point)]);
            payload.extend(range);
        }
        QuantizationParameters::PerAxis { dimension, entries } => {
            payload.push(Piece::Varint(*dimension as u64));
            payload.extend(range);
            payload.extend(list(entries.iter().map(|entry| Piece::double(entry.scale.get()))));
            payload.extend(list(entries.iter().map(|entry| Piece::Signed(entry.zero_point))));
        }
        // Has no counterpart.
        QuantizationParameters::SubChannel { .. } => {}
    }
    payload
}

/// The attribute as VHLO.
pub(crate) fn write_attr(e: &mut Encoder<'_>, attr: AttrId) -> Result<AttrEntry> {
    let module = e.module;
    let value = module.attr(attr);
    if let Attribute::Bounds(bounds) = value {
        return Ok(e.table.attr(DIALECT, code::TYPE_EXTENSIONS, signed_list(bounds)));
    }
    let Some(known) = attribute_of(module, value) else {
        return Ok(e.attr(attr));
    };
    let payload = match value {
        Attribute::Array(values) => attrs_of(e, values),
        Attribute::Integer { value, .. } if known.code == code::BOOL => {
            Payload::from_iter([Piece::Varint(u64::from(*value != 0))])
        }
        Attribute::Integer { ty, value } => {
            let width = match module.ty(*ty) {
                Type::Integer { width, .. } => *width,
                _ => 64,
            };
            std::iter::once(Piece::Type(e.vhlo_ty(*ty))).chain(Piece::integer(*value as u128, width)).collect()
        }
        Attribute::Float { ty, bits } => {
            let width = match module.ty(*ty) {
                Type::Float(kind) => kind.format().bits,
                _ => 64,
            };
            std::iter::once(Piece::Type(e.vhlo_ty(*ty))).chain(Piece::integer(*bits, width)).collect()
        }
        Attribute::String { value, .. } => return Ok(string_attr(e, value)),
        Attribute::SymbolRef { root, .. } => return Ok(string_attr(e, module.str(*root).as_bytes())),
        Attribute::Dictionary(entries) => {
            let mut payload = Payload::with_capacity(2 * entries.len() + 1);
            payload.push(Piece::Varint(entries.len() as u64));
            for (name, value) in entries {
                payload.push(Piece::Attr(string_attr(e, module.str(*name).as_bytes())));
                payload.push(Piece::Attr(e.vhlo_attr(*value)));
            }
            payload
        }
        Attribute::Type(ty) => Payload::from_iter([Piece::Type(e.vhlo_ty(*ty))]),
        Attribute::DenseElements(elements) => {
            let ty = e.vhlo_ty(elements.ty);
            return Ok(elements_attr(e, ty, stored(module, elements, false)));
        }
        Attribute::DenseI64Array(values) => return Ok(dims_attr(e, values)),
        Attribute::DenseBoolArray(values) => return Ok(bools_attr(e, values)),
        Attribute::Enum(value) => Payload::from_iter([Piece::Varint(u64::from(value.number()))]),
        Attribute::OutputOperandAlias(alias) => {
            let mut payload = signed_list(&alias.output_tuple_indices);
            payload.push(Piece::Signed(alias.operand_index));
            payload.extend(signed_list(&alias.operand_tuple_indices));
            payload
        }
        Attribute::ResultAccuracy(accuracy) => return Ok(accuracy_attr(e, accuracy)),
        other => mesh_payload(e, other),
    };
    Ok(e.table.attr(DIALECT, known.code, payload))
}

fn attrs_of(e: &mut Encoder<'_>, attrs: &[AttrId]) -> Payload {
    list(attrs.iter().map(|attr| Piece::Attr(e.vhlo_attr(*attr))))
}

fn mesh_payload(e: &mut Encoder<'_>, attr: &Attribute) -> Payload {
    let module = e.module;
    match attr {
        Attribute::SubAxisInfo { pre_size, size } => {
            Payload::from_iter([Piece::Signed(*pre_size), Piece::Signed(*size)])
        }
        Attribute::AxisRef { name, sub_axis_info } => {
            let name = string_attr(e, module.str(*name).as_bytes());
            let info = sub_axis_info.map(|info| Piece::Attr(e.vhlo_attr(info)));
            [Piece::Attr(name), Piece::Varint(u64::from(info.is_some()))].into_iter().chain(info).collect()
        }
        Attribute::ReplicaGroupMeshAxes { mesh, axes } => {
            Payload::from_iter([Piece::Attr(e.vhlo_attr(*mesh)), Piece::Attr(e.vhlo_attr(*axes))])
        }
        Attribute::MeshAxis { name, size } => {
            let name = string_attr(e, module.str(*name).as_bytes());
            Payload::from_iter([Piece::Attr(name), Piece::Signed(*size)])
        }
        Attribute::Mesh { axes, device_ids } => {
            let axes = attrs_of(e, axes);
            let axes = e.table.attr(DIALECT, code::ARRAY, axes);
            let ids = device_ids.map(|ids| e.vhlo_attr(ids));
            Payload::from_iter([Piece::Attr(axes), Piece::OptionalAttr(ids)])
        }
        _ => Payload::new(),
    }
}

/// Text.
pub(crate) fn string_attr(e: &mut Encoder<'_>, bytes: &[u8]) -> AttrEntry {
    let string = e.table.string(bytes);
    e.table.attr(DIALECT, code::STRING, [Piece::String(string)])
}

/// A truth value.
pub(crate) fn bool_attr(e: &mut Encoder<'_>, value: bool) -> AttrEntry {
    e.table.attr(DIALECT, code::BOOL, [Piece::Varint(u64::from(value))])
}

/// An i64.
pub(crate) fn int_attr(e: &mut Encoder<'_>, value: i64) -> AttrEntry {
    let ty = e.table.ty(DIALECT, code::I64, []);
    e.table.attr(DIALECT, code::INTEGER, [Piece::Type(ty), Piece::Signed(value)])
}

/// A calling convention of custom calls.
pub(crate) fn api_version_attr(e: &mut Encoder<'_>, version: u64) -> AttrEntry {
    e.table.attr(DIALECT, code::API_VERSION, [Piece::Varint(version)])
}

/// A word of an enumeration that is not CHLO's.
pub(crate) fn enum_attr(e: &mut Encoder<'_>, value: EnumValue) -> AttrEntry {
    let code = codes::enum_code(value.kind()).unwrap_or(code::PRECISION);
    e.table.attr(DIALECT, code, [Piece::Varint(u64::from(value.number()))])
}

/// An array of attributes that are written already.
pub(crate) fn array_attr(e: &mut Encoder<'_>, values: &[AttrEntry]) -> AttrEntry {
    e.table.attr(DIALECT, code::ARRAY, list(values.iter().map(|value| Piece::Attr(*value))))
}

/// `{}`
pub(crate) fn empty_dictionary(e: &mut Encoder<'_>) -> AttrEntry {
    e.table.attr(DIALECT, code::DICTIONARY, [Piece::Varint(0)])
}

/// A type.
pub(crate) fn type_attr(e: &mut Encoder<'_>, ty: TypeEntry) -> AttrEntry {
    e.table.attr(DIALECT, code::TYPE, [Piece::Type(ty)])
}

/// The type `none`, which stands for a field that is not there.
pub(crate) fn none_attr(e: &mut Encoder<'_>) -> AttrEntry {
    let none = e.table.ty(DIALECT, code::NONE, []);
    type_attr(e, none)
}

/// An accuracy.
pub(crate) fn accuracy_attr(e: &mut Encoder<'_>, accuracy: &ResultAccuracy) -> AttrEntry {
    let mode = enum_attr(e, accuracy.mode.into());
    let [atol, rtol] = [accuracy.atol, accuracy.rtol].map(|tolerance| Piece::double(tolerance.get()));
    e.table.attr(DIALECT, code::RESULT_ACCURACY, [atol, rtol, Piece::Signed(accuracy.ulps), Piece::Attr(mode)])
}

/// A list of i64.
pub(crate) fn dims_attr(e: &mut Encoder<'_>, values: &[i64]) -> AttrEntry {
    let bytes = match values {
        [first, rest @ ..] if rest.iter().all(|value| value == first) => first.to_le_bytes().to_vec(),
        values => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
    };
    let ty = i64_tensor(e, &[values.len() as i64]);
    elements_attr(e, ty, Blob::new(bytes))
}

/// `n` pairs of zeros, a matrix.
pub(crate) fn zero_pairs_attr(e: &mut Encoder<'_>, n: usize) -> AttrEntry {
    let bytes = if n == 0 { Vec::new() } else { vec![0; 8] };
    let ty = i64_tensor(e, &[n as i64, 2]);
    elements_attr(e, ty, Blob::new(bytes))
}

/// A list of truth values.
pub(crate) fn bools_attr(e: &mut Encoder<'_>, values: &[bool]) -> AttrEntry {
    let splat = values.len() > 1 && values.iter().all(|value| value == &values[0]);
    let data: Vec<u8> =
        values.iter().map(|value| u8::from(*value)).take(if splat { 1 } else { values.len() }).collect();
    let element = e.table.ty(DIALECT, code::BOOLEAN, []);
    let ty = tensor(e, &[values.len() as i64], element);
    elements_attr(e, ty, packed(&data, splat))
}

/// Booleans as blobs have them: eight in a byte, or a byte of equal bits for all.
fn packed(data: &[u8], splat: bool) -> Blob {
    let pack = |bytes: &[u8]| bytes.iter().enumerate().fold(0, |byte, (bit, value)| byte | value << bit);
    match (data, splat) {
        ([first], true) => Blob::new(vec![0u8.wrapping_sub(*first)]),
        _ => Blob::new(data.chunks(8).map(pack).collect::<Vec<u8>>()),
    }
}

fn i64_tensor(e: &mut Encoder<'_>, shape: &[i64]) -> TypeEntry {
    let element = e.table.ty(DIALECT, code::I64, []);
    tensor(e, shape, element)
}

fn tensor(e: &mut Encoder<'_>, shape: &[i64], element: TypeEntry) -> TypeEntry {
    let mut payload = signed_list(shape);
    payload.push(Piece::Type(element));
    e.table.ty(DIALECT, code::TENSOR, payload)
}

fn elements_attr(e: &mut Encoder<'_>, ty: TypeEntry, blob: Blob) -> AttrEntry {
    e.table.attr(DIALECT, code::TENSOR_VALUE, [Piece::Type(ty), Piece::Blob(blob)])
}
