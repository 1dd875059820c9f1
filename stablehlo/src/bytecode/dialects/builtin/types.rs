//! Types.

use smallvec::SmallVec;

use super::type_code as code;
use crate::bytecode::dialects::{Payload, signed_list, type_list, unknown_code};
use crate::bytecode::error::Error;
use crate::bytecode::read::{Decoder, Stop};
use crate::bytecode::write::{AttrEntry, Encoder, Piece, TypeEntry};
use crate::ir::{
    AffineExpr, AttrId, Attribute, DYNAMIC, FloatKind, Module, RankedTensor, Shape, Signedness, Type, TypeId,
};

/// The widest integer type, in bits.
const MAX_INTEGER_WIDTH: u64 = (1 << 24) - 1;

/// Codes of floating-point types.
const FLOATS: [(FloatKind, u64); 18] = [
    (FloatKind::BF16, 3),
    (FloatKind::F16, 4),
    (FloatKind::F32, 5),
    (FloatKind::F64, 6),
    (FloatKind::F80, 7),
    (FloatKind::F128, 8),
    (FloatKind::TF32, 21),
    (FloatKind::F8E5M2, 22),
    (FloatKind::F8E4M3, 23),
    (FloatKind::F8E4M3FN, 24),
    (FloatKind::F8E5M2FNUZ, 25),
    (FloatKind::F8E4M3FNUZ, 26),
    (FloatKind::F8E4M3B11FNUZ, 27),
    (FloatKind::F8E3M4, 28),
    (FloatKind::F4E2M1FN, 29),
    (FloatKind::F6E2M3FN, 30),
    (FloatKind::F6E3M2FN, 31),
    (FloatKind::F8E8M0FNU, 32),
];

/// Reads a type.
pub(in super::super) fn read_type(code: u64, d: &mut Decoder<'_, '_>) -> Result<Type, Stop> {
    Ok(match code {
        code::INTEGER => integer(d)?,
        code::INDEX => Type::Index,
        code::NONE => Type::None,
        code::FUNCTION => {
            let inputs = d.types("an input type of a function")?.into();
            Type::Function { inputs, results: d.types("a result type of a function")?.into() }
        }
        code::COMPLEX => complex(d)?,
        code::TUPLE => Type::Tuple(d.types("a part of a tuple type")?.into()),
        code::TENSOR => ranked_tensor(None, d)?,
        code::ENCODED_TENSOR => {
            let encoding = d.attr("the encoding of a tensor type")?;
            ranked_tensor(Some(encoding), d)?
        }
        code::UNRANKED_TENSOR => Type::UnrankedTensor { element: element(d)? },
        code::MEMREF => memref(None, d)?,
        code::MEMREF_IN_SPACE => {
            let space = d.attr("the memory space of a memref type")?;
            memref(Some(space), d)?
        }
        code::UNRANKED_MEMREF => unranked_memref(None, d)?,
        code::UNRANKED_MEMREF_IN_SPACE => {
            let space = d.attr("the memory space of a memref type")?;
            unranked_memref(Some(space), d)?
        }
        code::VECTOR => {
            let shape = vector_shape(d)?;
            let scalable = SmallVec::from_elem(false, shape.len());
            Type::Vector { shape, scalable, element: d.ty("the element type of a vector")? }
        }
        code::SCALABLE_VECTOR => scalable_vector(d)?,
        _ => match FLOATS.iter().find(|(_, number)| *number == code) {
            Some((kind, _)) => Type::Float(*kind),
            None => return Err(unknown_code("builtin", "type", code, d).into()),
        },
    })
}

/// Width and signedness in one number.
fn integer(d: &mut Decoder<'_, '_>) -> Result<Type, Error> {
    let offset = d.cursor.offset();
    let number = d.cursor.varint("an integer type")?;
    let signedness = match number & 3 {
        0 => Signedness::Signless,
        1 => Signedness::Signed,
        2 => Signedness::Unsigned,
        _ => return Err(Error::new("bytecode/invalid-type", offset, "an integer type has signedness 3; 0 to 2 exist")),
    };
    match number >> 2 {
        width @ ..=MAX_INTEGER_WIDTH => Ok(Type::Integer { width: width as u32, signedness }),
        width => {
            let message = format!("an integer type has {width} bits; at most {MAX_INTEGER_WIDTH} are possible");
            Err(Error::new("bytecode/invalid-type", offset, message))
        }
    }
}

/// A complex type.
pub(in super::super) fn complex(d: &mut Decoder<'_, '_>) -> Result<Type, Stop> {
    let offset = d.cursor.offset();
    let part = d.ty("the part of a complex type")?;
    match d.module.ty(part) {
        Type::Integer { .. } | Type::Float(_) => Ok(Type::Complex(part)),
        _ => invalid(d.module, part, "complex parts must be integers or floats", offset),
    }
}

/// An element type of a tensor.
pub(in super::super) fn element(d: &mut Decoder<'_, '_>) -> Result<TypeId, Stop> {
    let offset = d.cursor.offset();
    let element = d.ty("the element type of a tensor")?;
    match d.module.ty(element) {
        Type::None
        | Type::Tuple(_)
        | Type::Function { .. }
        | Type::RankedTensor(_)
        | Type::UnrankedTensor { .. }
        | Type::MemRef { .. }
        | Type::BuiltinToken => invalid(d.module, element, "it cannot be the element type of a tensor", offset),
        _ => Ok(element),
    }
}

#[cold]
fn invalid<T>(module: &Module, ty: TypeId, why: &str, offset: u64) -> Result<T, Stop> {
    let message = format!("found the type `{}`, but {why}", module.display_type(ty));
    Err(Error::new("bytecode/invalid-type", offset, message).into())
}

/// Sizes of a tensor or memref.
pub(in super::super) fn shape(d: &mut Decoder<'_, '_>) -> Result<Shape, Error> {
    let offset = d.cursor.offset();
    let shape: Shape = d.signed_list("the shape of a type")?;
    match shape.iter().find(|size| **size < 0 && **size != DYNAMIC) {
        Some(size) => Err(Error::new("bytecode/invalid-type", offset, format!("a dimension has the size {size}"))),
        None => Ok(shape),
    }
}

/// A ranked tensor type, behind its encoding.
pub(in super::super) fn ranked_tensor(encoding: Option<AttrId>, d: &mut Decoder<'_, '_>) -> Result<Type, Stop> {
    let offset = d.cursor.offset();
    let shape = shape(d)?;
    let element = element(d)?;
    if let Some(encoding) = encoding
        && let Attribute::Bounds(bounds) = d.module.attr(encoding)
    {
        let misplaced = bounds.iter().zip(&shape).any(|(bound, size)| *bound != DYNAMIC && *size != DYNAMIC);
        if bounds.len() != shape.len() || misplaced {
            let message = "bounds of a tensor type must have one entry per dimension, `?` for static ones";
            return Err(Error::new("bytecode/invalid-type", offset, message).into());
        }
    }
    Ok(Type::RankedTensor(RankedTensor { shape, element, encoding }))
}

fn memref(memory_space: Option<AttrId>, d: &mut Decoder<'_, '_>) -> Result<Type, Stop> {
    let shape = shape(d)?;
    let element = d.ty("the element type of a memref")?;
    let layout = d.attr("the layout of a memref type")?;
    d.complete()?;
    let is_identity = matches!(d.module.attr(layout), Attribute::AffineMap(map)
        if map.symbols == 0
            && map.results.len() == map.dims as usize
            && map.results.iter().zip(0..).all(|(result, dim)| *result == AffineExpr::Dim(dim)));
    let layout = if is_identity { None } else { Some(layout) };
    Ok(Type::MemRef { shape: Some(shape), element, layout, memory_space })
}

fn unranked_memref(memory_space: Option<AttrId>, d: &mut Decoder<'_, '_>) -> Result<Type, Stop> {
    let element = d.ty("the element type of a memref")?;
    Ok(Type::MemRef { shape: None, element, layout: None, memory_space })
}

fn vector_shape(d: &mut Decoder<'_, '_>) -> Result<Shape, Error> {
    let offset = d.cursor.offset();
    let shape: Shape = d.signed_list("the shape of a vector type")?;
    match shape.iter().find(|size| **size <= 0) {
        Some(size) => Err(Error::new("bytecode/invalid-type", offset, format!("a vector has the size {size}"))),
        None => Ok(shape),
    }
}

/// Which dimensions are scalable, then shape and element type. Old files say only how many dimensions are, namely the last
/// ones; what is written is then told by what fits.
fn scalable_vector(d: &mut Decoder<'_, '_>) -> Result<Type, Stop> {
    let start = d.cursor.clone();
    if let Ok(scalable) = scalable_flags(d)
        && let Ok(shape) = vector_shape(d)
        && shape.len() == scalable.len()
    {
        return Ok(Type::Vector { shape, scalable, element: d.ty("the element type of a vector")? });
    }
    d.cursor = start;
    let offset = d.cursor.offset();
    let n = d.cursor.varint("the number of scalable dimensions")?;
    let shape = vector_shape(d)?;
    let Some(first) = usize::try_from(n).ok().and_then(|n| shape.len().checked_sub(n)) else {
        let message = format!("a vector of {} dimensions has {n} scalable ones", shape.len());
        return Err(Error::new("bytecode/invalid-type", offset, message).into());
    };
    let scalable = (0..shape.len()).map(|dim| dim >= first).collect();
    Ok(Type::Vector { shape, scalable, element: d.ty("the element type of a vector")? })
}

fn scalable_flags(d: &mut Decoder<'_, '_>) -> Result<SmallVec<[bool; 4]>, Error> {
    let n = d.cursor.count("the number of dimensions")?;
    (0..n).map(|_| d.bool("whether a dimension is scalable")).collect()
}

/// The form of a builtin type; none when it has no encoding, or is another dialect's.
pub(in super::super) fn write_type(e: &mut Encoder<'_>, ty: TypeId) -> Option<TypeEntry> {
    let module = e.module;
    let (code, payload): (u64, Payload) = match module.ty(ty) {
        Type::Integer { width, signedness } => {
            let sign = match signedness {
                Signedness::Signless => 0,
                Signedness::Signed => 1,
                Signedness::Unsigned => 2,
            };
            (code::INTEGER, [Piece::Varint(u64::from(*width) << 2 | sign)].into_iter().collect())
        }
        Type::Float(kind) => (FLOATS.iter().find(|(of, _)| of == kind)?.1, Payload::new()),
        Type::Index => (code::INDEX, Payload::new()),
        Type::None => (code::NONE, Payload::new()),
        Type::Complex(part) => (code::COMPLEX, [Piece::Type(e.ty(*part))].into_iter().collect()),
        Type::Tuple(types) => (code::TUPLE, type_list(e, types)),
        Type::Function { inputs, results } => {
            let mut payload = type_list(e, inputs);
            payload.extend(type_list(e, results));
            (code::FUNCTION, payload)
        }
        Type::RankedTensor(tensor) => {
            let encoding = tensor.encoding.map(|encoding| Piece::Attr(e.attr(encoding)));
            let code = if encoding.is_some() { code::ENCODED_TENSOR } else { code::TENSOR };
            let mut payload: Payload = encoding.into_iter().chain(signed_list(&tensor.shape)).collect();
            payload.push(Piece::Type(e.ty(tensor.element)));
            (code, payload)
        }
        Type::UnrankedTensor { element } => {
            (code::UNRANKED_TENSOR, [Piece::Type(e.ty(*element))].into_iter().collect())
        }
        Type::Vector { shape, scalable, element } => write_vector(e, shape, scalable, *element),
        Type::MemRef { shape, element, layout, memory_space } => {
            write_memref(e, shape.as_deref(), *element, *layout, *memory_space)
        }
        _ => return None,
    };
    Some(e.table.ty("builtin", code, payload))
}

fn write_vector(e: &mut Encoder<'_>, shape: &[i64], scalable: &[bool], element: TypeId) -> (u64, Payload) {
    let is_scalable = scalable.contains(&true);
    let flags = is_scalable.then(|| {
        let bytes: Box<[u8]> = scalable.iter().map(|flag| u8::from(*flag)).collect();
        [Piece::Varint(scalable.len() as u64), Piece::Raw(bytes)]
    });
    let mut payload: Payload = flags.into_iter().flatten().chain(signed_list(shape)).collect();
    payload.push(Piece::Type(e.ty(element)));
    (if is_scalable { code::SCALABLE_VECTOR } else { code::VECTOR }, payload)
}

fn write_memref(
    e: &mut Encoder<'_>,
    shape: Option<&[i64]>,
    element: TypeId,
    layout: Option<AttrId>,
    space: Option<AttrId>,
) -> (u64, Payload) {
    let space = space.map(|space| Piece::Attr(e.attr(space)));
    let in_space = space.is_some();
    let mut payload: Payload = space.into_iter().collect();
    let code = match shape {
        Some(shape) => {
            payload.extend(signed_list(shape));
            payload.push(Piece::Type(e.ty(element)));
            payload.push(Piece::Attr(match layout {
                Some(layout) => e.attr(layout),
                None => identity_layout(e, shape.len()),
            }));
            if in_space { code::MEMREF_IN_SPACE } else { code::MEMREF }
        }
        None => {
            payload.push(Piece::Type(e.ty(element)));
            if in_space { code::UNRANKED_MEMREF_IN_SPACE } else { code::UNRANKED_MEMREF }
        }
    };
    (code, payload)
}

/// `affine_map<(d0, d1) -> (d0, d1)>`: a memref without a layout has this one.
fn identity_layout(e: &mut Encoder<'_>, rank: usize) -> AttrEntry {
    let dims: Vec<String> = (0..rank).map(|dim| format!("d{dim}")).collect();
    let dims = dims.join(", ");
    e.table.text_attr("builtin", &format!("affine_map<({dims}) -> ({dims})>"))
}
