//! Quantized types.
//!
//! The scales and zero points of sub-channel quantization are tables, encoded as dense elements of the expressed and of the
//! storage type.

use super::{Payload, list, unknown_code, write_dense};
use crate::bytecode::error::{Error, Result};
use crate::bytecode::read::{Decoder, Stop};
use crate::bytecode::write::{AttrEntry, Encoder, Piece, TypeEntry};
use crate::ir::{
    AttrId, Attribute, Blob, F64, FloatKind, Module, QuantizationParameters, QuantizedType, ScaleZeroPoint,
    StorageType, Type, TypeId, element_count,
};

pub(super) mod code {
    pub(in super::super) const ANY: u64 = 1;
    pub(in super::super) const ANY_EXPRESSED: u64 = 2;
    pub(in super::super) const CALIBRATED: u64 = 3;
    pub(in super::super) const UNIFORM: u64 = 4;
    pub(in super::super) const PER_AXIS: u64 = 5;
    pub(in super::super) const SUB_CHANNEL: u64 = 6;
}

/// Reads a type.
pub(super) fn read_type(code: u64, d: &mut Decoder<'_, '_>) -> std::result::Result<Type, Stop> {
    Ok(match code {
        code::ANY | code::ANY_EXPRESSED => {
            let (signed, ty) = storage(d)?;
            let expressed = if code == code::ANY_EXPRESSED { Some(expressed(d)?) } else { None };
            let (min, max) = range(d)?;
            Type::AnyQuantized { storage: StorageType { ty, signed, min, max }, expressed }
        }
        code::CALIBRATED => {
            let expressed = expressed(d)?;
            let [min, max] = [d.cursor.double("the smallest value")?, d.cursor.double("the largest value")?];
            Type::CalibratedQuantized { expressed, min: F64::new(min), max: F64::new(max) }
        }
        code::UNIFORM => {
            let (signed, ty) = storage(d)?;
            let expressed = expressed(d)?;
            let scale = F64::new(d.cursor.double("a scale")?);
            let zero_point = d.cursor.signed("a zero point")?;
            let parameters = QuantizationParameters::PerTensor(ScaleZeroPoint { scale, zero_point });
            quantized(signed, ty, range(d)?, expressed, parameters)
        }
        code::PER_AXIS => per_axis(d)?,
        code::SUB_CHANNEL => sub_channel(d)?,
        _ => return Err(unknown_code("quant", "type", code, d).into()),
    })
}

fn quantized(
    signed: bool,
    ty: TypeId,
    (min, max): (i64, i64),
    expressed: TypeId,
    parameters: QuantizationParameters,
) -> Type {
    let storage = StorageType { ty, signed, min, max };
    Type::Quantized(Box::new(QuantizedType { storage, expressed, parameters }))
}

/// Flags, of which the lowest says that the storage is signed, and the storage type.
fn storage(d: &mut Decoder<'_, '_>) -> std::result::Result<(bool, TypeId), Stop> {
    let offset = d.cursor.offset();
    let flags = d.cursor.varint("the flags of a quantized type")?;
    let ty = d.ty("the storage type")?;
    match d.module.ty(ty) {
        Type::Integer { .. } | Type::Float(_) => Ok((flags & 1 == 1, ty)),
        _ => invalid(d, "the storage type is neither an integer nor a float", offset),
    }
}

fn expressed(d: &mut Decoder<'_, '_>) -> std::result::Result<TypeId, Stop> {
    let offset = d.cursor.offset();
    let ty = d.ty("the expressed type")?;
    match d.module.ty(ty) {
        Type::Float(_) => Ok(ty),
        _ => invalid(d, "the expressed type is not a float", offset),
    }
}

fn range(d: &mut Decoder<'_, '_>) -> Result<(i64, i64)> {
    Ok((d.cursor.signed("the smallest storage value")?, d.cursor.signed("the largest storage value")?))
}

#[cold]
fn invalid<T>(_: &Decoder<'_, '_>, message: &str, offset: u64) -> std::result::Result<T, Stop> {
    Err(Error::new("bytecode/invalid-type", offset, message).into())
}

fn per_axis(d: &mut Decoder<'_, '_>) -> std::result::Result<Type, Stop> {
    let (signed, ty) = storage(d)?;
    let expressed = expressed(d)?;
    let dimension = d.small("the quantization dimension")?;
    let range = range(d)?;
    let offset = d.cursor.offset();
    let n = d.cursor.count("the number of scales")?;
    let scales = (0..n).map(|_| d.cursor.double("a scale")).collect::<Result<Vec<f64>>>()?;
    let zero_points: Vec<i64> = d.signed_list("a zero point")?;
    if zero_points.len() != n {
        let message = format!("{n} scales, but {} zero points", zero_points.len());
        return Err(Error::new("bytecode/invalid-type", offset, message).into());
    }
    let entries = scales.into_iter().zip(zero_points);
    let entries = entries.map(|(scale, zero_point)| ScaleZeroPoint { scale: F64::new(scale), zero_point }).collect();
    let parameters = QuantizationParameters::PerAxis { dimension, entries };
    Ok(quantized(signed, ty, range, expressed, parameters))
}

fn sub_channel(d: &mut Decoder<'_, '_>) -> std::result::Result<Type, Stop> {
    let (signed, ty) = storage(d)?;
    let expressed = expressed(d)?;
    let range = range(d)?;
    let offset = d.cursor.offset();
    let axes: Vec<i64> = d.signed_list("a quantization dimension")?;
    let sizes: Vec<i64> = d.signed_list("a block size")?;
    let [scales, zero_points] = [d.attr("the scales")?, d.attr("the zero points")?];
    d.complete()?;
    let axes = axes.into_iter().map(|axis| i32::try_from(axis).ok()).collect::<Option<Vec<i32>>>();
    let Some(axes) = axes.filter(|axes| axes.len() == sizes.len()) else {
        return invalid(d, "dimensions and block sizes do not belong together", offset);
    };
    let element = |attr| d.module.element_type(d.module.attr_type(attr)?);
    if element(scales) != Some(expressed) || element(zero_points) != Some(ty) {
        return invalid(d, "scales are not of the expressed type, or zero points not of the storage type", offset);
    }
    let count = n_elements(d.module, scales).unwrap_or(usize::MAX);
    d.charge(count.saturating_mul(size_of::<ScaleZeroPoint>()))?;
    let Some((shape, entries)) = table(d.module, scales, zero_points) else {
        return invalid(d, "scales and zero points are not tables of one shape, or too large", offset);
    };
    let blocks = axes.into_iter().zip(sizes).collect();
    let parameters = QuantizationParameters::SubChannel { blocks, shape, entries };
    Ok(quantized(signed, ty, range, expressed, parameters))
}

/// Number of elements of a dense attribute.
fn n_elements(module: &Module, attr: AttrId) -> Option<usize> {
    let sizes = module.shape(module.attr_type(attr)?)?.iter().map(|size| usize::try_from(*size).ok());
    element_count(&sizes.collect::<Option<Vec<_>>>()?)
}

/// Sizes and entries, row-major.
type Table = (Box<[i64]>, Box<[ScaleZeroPoint]>);

/// The entries of two dense attributes of one shape.
fn table(module: &Module, scale_attr: AttrId, zero_points: AttrId) -> Option<Table> {
    let (Attribute::DenseElements(scales), Attribute::DenseElements(zeros)) =
        (module.attr(scale_attr), module.attr(zero_points))
    else {
        return None;
    };
    let shape = module.shape(scales.ty).filter(|shape| Some(*shape) == module.shape(zeros.ty))?;
    let count = n_elements(module, scale_attr).filter(|count| *count > 0)?;
    let Type::Float(kind) = *module.ty(module.element_type(scales.ty)?) else { return None };
    let Type::Integer { width, .. } = *module.ty(module.element_type(zeros.ty)?) else { return None };
    let nth = |bytes: &[u8], width: u32, splat: bool, index: usize| {
        let size = width.div_ceil(8) as usize;
        let at = if splat { 0 } else { index * size };
        let bytes = bytes.get(at..at + size)?;
        Some(bytes.iter().take(16).rev().fold(0u128, |bits, byte| bits << 8 | u128::from(*byte)))
    };
    let entry = |index: usize| {
        let bits = nth(&scales.data, kind.format().bits, scales.splat, index)?;
        let scale = f64::from_bits(FloatKind::F64.format().convert(bits, kind.format()) as u64);
        let zero = nth(&zeros.data, width, zeros.splat, index)?;
        let zero_point = match width {
            1..=63 => ((zero as u64) << (64 - width)) as i64 >> (64 - width),
            _ => zero as u64 as i64,
        };
        Some(ScaleZeroPoint { scale: F64::new(scale), zero_point })
    };
    let entries = (0..count).map(entry).collect::<Option<Vec<_>>>()?;
    Some((shape.into(), entries.into()))
}

/// The entry of a type; none when it is another dialect's.
pub(super) fn write_type(e: &mut Encoder<'_>, ty: TypeId) -> Option<TypeEntry> {
    let module = e.module;
    let (code, payload) = match module.ty(ty) {
        Type::AnyQuantized { storage, expressed } => {
            let mut payload = write_storage(e, storage);
            payload.extend(expressed.map(|expressed| Piece::Type(e.ty(expressed))));
            payload.extend(write_range(storage));
            (if expressed.is_some() { code::ANY_EXPRESSED } else { code::ANY }, payload)
        }
        Type::CalibratedQuantized { expressed, min, max } => {
            let [min, max] = [min, max].map(|bound| Piece::double(bound.get()));
            (code::CALIBRATED, Payload::from_iter([Piece::Type(e.ty(*expressed)), min, max]))
        }
        Type::Quantized(quantized) => write_quantized(e, quantized)?,
        _ => return None,
    };
    Some(e.table.ty("quant", code, payload))
}

fn write_storage(e: &mut Encoder<'_>, storage: &StorageType) -> Payload {
    Payload::from_iter([Piece::Varint(u64::from(storage.signed)), Piece::Type(e.ty(storage.ty))])
}

fn write_range(storage: &StorageType) -> [Piece; 2] {
    [Piece::Signed(storage.min), Piece::Signed(storage.max)]
}

/// The code and payload; none for tables whose elements have no encoding, such as zero points of float storage.
fn write_quantized(e: &mut Encoder<'_>, quantized: &QuantizedType) -> Option<(u64, Payload)> {
    let mut payload = write_storage(e, &quantized.storage);
    payload.push(Piece::Type(e.ty(quantized.expressed)));
    let range = write_range(&quantized.storage);
    Some(match &quantized.parameters {
        QuantizationParameters::PerTensor(entry) => {
            payload.extend([Piece::double(entry.scale.get()), Piece::Signed(entry.zero_point)]);
            payload.extend(range);
            (code::UNIFORM, payload)
        }
        QuantizationParameters::PerAxis { dimension, entries } => {
            payload.push(Piece::Varint(*dimension as u64));
            payload.extend(range);
            payload.extend(list(entries.iter().map(|entry| Piece::double(entry.scale.get()))));
            payload.extend(list(entries.iter().map(|entry| Piece::Signed(entry.zero_point))));
            (code::PER_AXIS, payload)
        }
        QuantizationParameters::SubChannel { blocks, shape, entries } => {
            payload.extend(range);
            payload.extend(list(blocks.iter().map(|(axis, _)| Piece::Signed(i64::from(*axis)))));
            payload.extend(list(blocks.iter().map(|(_, size)| Piece::Signed(*size))));
            let Type::Float(kind) = *e.module.ty(quantized.expressed) else { return None };
            let Type::Integer { width, .. } = *e.module.ty(quantized.storage.ty) else { return None };
            let scale = |entry: &ScaleZeroPoint| {
                kind.format().convert(u128::from(entry.scale.get().to_bits()), FloatKind::F64.format())
            };
            let scales = entries.iter().map(scale);
            payload.push(Piece::Attr(write_table(e, shape, quantized.expressed, kind.format().bits, scales)));
            let zero_points = entries.iter().map(|entry| entry.zero_point as u128);
            payload.push(Piece::Attr(write_table(e, shape, quantized.storage.ty, width, zero_points)));
            (code::SUB_CHANNEL, payload)
        }
    })
}

/// Dense elements of a tensor of this shape; `values` are the bits of its elements.
fn write_table(
    e: &mut Encoder<'_>,
    shape: &[i64],
    element: TypeId,
    width: u32,
    values: impl Iterator<Item = u128>,
) -> AttrEntry {
    let element = e.ty(element);
    let size = width.div_ceil(8) as usize;
    let mask = if width < 128 { (1 << width) - 1 } else { u128::MAX };
    let mut bytes = Vec::new();
    for value in values {
        bytes.extend_from_slice(&(value & mask).to_le_bytes()[..size.min(16)]);
    }
    // Elements that are all the same are told once.
    if bytes.len() > size && bytes[size..] == bytes[..bytes.len() - size] {
        bytes.truncate(size);
    }
    write_dense(e, shape, element, Blob::new(bytes))
}
