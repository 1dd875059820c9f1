//! Elements attributes: how constants are stored.
//!
//! A dense blob holds one element for a splat, else all of them in row-major order, ⌈bits/8⌉ bytes each. Only `i1` is packed:
//! eight elements in a byte, the lowest bit first, and a splat is a byte of all ones or zeros. Files of old versions have
//! one byte for each `i1`.

use super::attr_code as code;
use crate::bytecode::dialects::{Payload, signed_list};
use crate::bytecode::error::{Error, Result};
use crate::bytecode::read::{Decoder, Stop};
use crate::bytecode::write::{AttrEntry, Encoder, Piece, TypeEntry};
use crate::ir::{AttrId, Attribute, Blob, DYNAMIC, DenseElements, Module, Signedness, Type, TypeId};

/// How the elements of a type of static shape are stored.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Storage {
    /// Number of elements; as far as 64 bits reach.
    count: u64,
    /// Bytes of an element.
    width: u64,
    /// Elements are `i1`.
    is_bool: bool,
}

impl Storage {
    /// The storage of a tensor, vector or memref of static shape and plain elements.
    fn of(module: &Module, ty: TypeId) -> Option<Self> {
        let element = module.element_type(ty)?;
        let shape = module.shape(ty).filter(|shape| !shape.contains(&DYNAMIC))?;
        let sizes = shape.iter().map(|size| u64::try_from(*size).ok());
        let count = match shape.contains(&0) {
            true => 0,
            false => sizes.into_iter().try_fold(1u64, |product, size| product.checked_mul(size?)).unwrap_or(u64::MAX),
        };
        let is_bool = matches!(module.ty(element), Type::Integer { width: 1, .. });
        Some(Self { count, width: element_width(module, element)?, is_bool })
    }

    /// Bytes of all elements.
    fn bytes(self) -> Option<u64> {
        self.count.checked_mul(self.width)
    }
}

/// Bytes of an element of this type in constants.
fn element_width(module: &Module, element: TypeId) -> Option<u64> {
    match module.ty(element) {
        Type::Integer { width, .. } => Some(u64::from(width.div_ceil(8).max(1))),
        Type::Float(kind) => Some(u64::from(kind.format().bits.div_ceil(8))),
        Type::Index => Some(8),
        Type::Complex(part) => element_width(module, *part).map(|width| 2 * width),
        _ => None,
    }
}

/// Reads an elements attribute; none for other codes.
pub(super) fn read(code: u64, d: &mut Decoder<'_, '_>) -> Option<std::result::Result<Attribute, Stop>> {
    Some(match code {
        code::DENSE => dense(d),
        code::DENSE_STRINGS => dense_strings(d),
        code::DENSE_RESOURCE => dense_resource(d),
        code::SPARSE => sparse(d),
        _ => return None,
    })
}

fn dense(d: &mut Decoder<'_, '_>) -> std::result::Result<Attribute, Stop> {
    let ty = d.ty("the type of elements")?;
    let dense = dense_blob(ty, d)?;
    Ok(Attribute::DenseElements(dense))
}

/// Reads the blob of elements of type `ty`; it is shared with the file unless it is packed.
///
/// # Errors
/// `bytecode/invalid-elements` when the blob does not fit the type.
pub(crate) fn dense_blob(ty: TypeId, d: &mut Decoder<'_, '_>) -> Result<DenseElements> {
    let offset = d.cursor.offset();
    let Some(storage) = Storage::of(d.module, ty) else {
        let shown = d.module.display_type(ty);
        let message = format!("elements must have a static shape of numbers, found `{shown}`");
        return Err(Error::new("bytecode/invalid-elements", offset, message));
    };
    let blob = d.blob("the elements")?;
    let size = blob.len() as u64;
    if storage.is_bool
        && let Some((data, splat)) = booleans(&blob, storage.count)
    {
        return Ok(DenseElements { ty, data: data.unwrap_or(blob), splat });
    }
    // Elements without any may still be told as a splat.
    if size == storage.width {
        return Ok(DenseElements { ty, data: blob, splat: true });
    }
    if storage.bytes() == Some(size) {
        let width = storage.width as usize;
        let splat = size > 0 && blob[width..] == blob[..blob.len() - width];
        let data = if splat { Blob::new(blob.bytes().slice(..width)) } else { blob };
        return Ok(DenseElements { ty, data, splat });
    }
    let shown = d.module.display_type(ty);
    let message = match storage.bytes() {
        Some(bytes) => {
            format!("elements of `{shown}` take {bytes} bytes, or {} for a splat; found {size}", storage.width)
        }
        None => format!("elements of `{shown}` are more than there can be; found {size} bytes"),
    };
    Err(Error::new("bytecode/invalid-elements", offset, message))
}

/// The `count` elements of an `i1` blob, and whether one stands for all; no bytes where those of the blob are right as they
/// are, and nothing when it does not fit.
fn booleans(blob: &Blob, count: u64) -> Option<(Option<Blob>, bool)> {
    let size = blob.len() as u64;
    let splat = |value: bool| Some((Some(Blob::new(if value { &[1u8][..] } else { &[0][..] })), true));
    match **blob {
        [0xFF] => return splat(true),
        // Packed, one element, or a splat of an old file: 0 is always the same.
        [0] => return splat(false),
        [byte] if count <= 1 || count > 8 => return splat(byte != 0),
        _ => {}
    }
    if count == 0 {
        return match size {
            0 => Some((None, false)),
            // A splat without elements.
            1 => Some((Some(Blob::new(if blob[0] == 0 { &[0u8][..] } else { &[1][..] })), true)),
            _ => None,
        };
    }
    if size == count.div_ceil(8) {
        let count = usize::try_from(count).ok()?;
        let bit = |index: usize| blob[index / 8] >> (index % 8) & 1;
        let first = bit(0);
        if (1..count).all(|index| bit(index) == first) {
            return splat(first == 1);
        }
        return Some((Some(Blob::new((0..count).map(bit).collect::<Vec<u8>>())), false));
    }
    if size != count {
        return None;
    }
    let first = blob[0] != 0;
    if blob.iter().all(|byte| (*byte != 0) == first) {
        return splat(first);
    }
    let plain = blob.iter().all(|byte| *byte <= 1);
    let bytes = (!plain).then(|| Blob::new(blob.iter().map(|byte| u8::from(*byte != 0)).collect::<Vec<u8>>()));
    Some((bytes, false))
}

fn dense_strings(d: &mut Decoder<'_, '_>) -> std::result::Result<Attribute, Stop> {
    let offset = d.cursor.offset();
    let ty = d.ty("the type of elements")?;
    let splat = d.small::<u8>("whether one string stands for all")? != 0;
    let shape = d.module.shape(ty).filter(|shape| !shape.contains(&DYNAMIC));
    let count =
        shape.and_then(|shape| shape.iter().try_fold(1u64, |n, size| n.checked_mul(u64::try_from(*size).ok()?)));
    let Some(count) = count else {
        let message = format!("elements must have a static shape, found `{}`", d.module.display_type(ty));
        return Err(Error::new("bytecode/invalid-elements", offset, message).into());
    };
    let count = d.cursor.fits(if splat { 1 } else { count }, "the number of strings", offset)?;
    let values = (0..count).map(|_| Ok(d.string("a string element")?.into())).collect::<Result<_>>()?;
    Ok(Attribute::DenseStringElements { ty, values, splat })
}

fn dense_resource(d: &mut Decoder<'_, '_>) -> std::result::Result<Attribute, Stop> {
    let ty = d.ty("the type of elements")?;
    let offset = d.cursor.offset();
    let key = d.resource("the key of a resource")?;
    if d.module.shape(ty).is_none() {
        let message = format!("a resource must have a shaped type, found `{}`", d.module.display_type(ty));
        return Err(Error::new("bytecode/invalid-elements", offset, message).into());
    }
    Ok(Attribute::DenseResource { key, ty })
}

fn sparse(d: &mut Decoder<'_, '_>) -> std::result::Result<Attribute, Stop> {
    let ty = d.ty("the type of elements")?;
    let offset = d.cursor.offset();
    let [indices, values] = [d.attr("the indices of elements")?, d.attr("the values of elements")?];
    d.complete()?;
    let are_elements = matches!(d.module.attr(indices), Attribute::DenseElements(_))
        && matches!(d.module.attr(values), Attribute::DenseElements(_) | Attribute::DenseStringElements { .. });
    match are_elements {
        true => Ok(Attribute::SparseElements { ty, indices, values }),
        false => {
            let message = "indices and values of sparse elements must be dense elements";
            Err(Error::new("bytecode/invalid-elements", offset, message).into())
        }
    }
}

/// The form of an elements attribute; none for other attributes.
pub(super) fn write(e: &mut Encoder<'_>, attr: AttrId) -> Option<AttrEntry> {
    let module = e.module;
    let (code, payload): (u64, Payload) = match module.attr(attr) {
        Attribute::DenseElements(dense) => {
            let pieces = [Piece::Type(e.ty(dense.ty)), Piece::Blob(stored(module, dense, true))];
            (code::DENSE, pieces.into_iter().collect())
        }
        Attribute::DenseStringElements { ty, values, splat } => {
            // How many strings follow is known from the type.
            let mut payload: Payload = [Piece::Type(e.ty(*ty)), Piece::Varint(u64::from(*splat))].into_iter().collect();
            payload.extend(values.iter().map(|value| Piece::String(e.table.string(value))));
            (code::DENSE_STRINGS, payload)
        }
        Attribute::DenseResource { key, ty } => {
            let key = e.table.string(module.str(*key).as_bytes());
            (code::DENSE_RESOURCE, [Piece::Type(e.ty(*ty)), Piece::Resource(key)].into_iter().collect())
        }
        Attribute::SparseElements { ty, indices, values } => {
            let pieces = [Piece::Type(e.ty(*ty)), Piece::Attr(e.attr(*indices)), Piece::Attr(e.attr(*values))];
            (code::SPARSE, pieces.into_iter().collect())
        }
        _ => return None,
    };
    Some(e.table.attr("builtin", code, payload))
}

/// The entry of dense elements of a tensor of this shape and element type.
pub(crate) fn write_dense(e: &mut Encoder<'_>, shape: &[i64], element: TypeEntry, data: Blob) -> AttrEntry {
    let shape = signed_list(shape).into_iter().chain([Piece::Type(element)]);
    let ty = e.table.ty("builtin", super::type_code::TENSOR, shape);
    e.table.attr("builtin", code::DENSE, [Piece::Type(ty), Piece::Blob(data)])
}

/// The blob of dense elements: their bytes as they are, but `i1` is packed. Whether one lone `i1` counts as a splat depends
/// on the dialect.
pub(crate) fn stored(module: &Module, dense: &DenseElements, one_is_splat: bool) -> Blob {
    let Some(storage) = Storage::of(module, dense.ty).filter(|storage| storage.is_bool) else {
        return dense.data.clone();
    };
    if storage.count == 0 && !one_is_splat {
        return Blob::default();
    }
    let first = dense.data.first().is_some_and(|byte| *byte != 0);
    if storage.count > 1 && dense.splat || storage.count == 1 && one_is_splat {
        return Blob::new(if first { &[0xFF][..] } else { &[0][..] });
    }
    let packed = dense.data.chunks(8).map(|bytes| {
        let bits = bytes.iter().enumerate();
        bits.fold(0, |packed, (index, byte)| packed | u8::from(*byte != 0) << index)
    });
    Blob::new(packed.collect::<Vec<u8>>())
}

/// Reads `array<T: …>`.
pub(super) fn read_dense_array(d: &mut Decoder<'_, '_>) -> std::result::Result<Attribute, Stop> {
    let offset = d.cursor.offset();
    let element = d.ty("the element type of an array")?;
    let count = d.cursor.varint("the number of elements of an array")?;
    let bytes = d.cursor.blob("the elements of an array")?;
    let width = match *d.module.ty(element) {
        Type::Integer { width, .. } => width,
        Type::Float(kind) => kind.format().bits,
        _ => 0,
    };
    if width != 1 && (width == 0 || width % 8 != 0) {
        let message = format!("an array cannot have elements of type `{}`", d.module.display_type(element));
        return Err(Error::new("bytecode/invalid-elements", offset, message).into());
    }
    let wanted = count.checked_mul(u64::from(width.div_ceil(8)));
    if wanted != Some(bytes.len() as u64) {
        let message = format!("{count} elements of {width} bits do not fit {} bytes", bytes.len());
        return Err(Error::new("bytecode/invalid-elements", offset, message).into());
    }
    Ok(match *d.module.ty(element) {
        Type::Integer { width: 64, signedness: Signedness::Signless } => {
            let words = bytes.chunks_exact(8).map(|bytes| i64::from_le_bytes(bytes.try_into().unwrap_or_default()));
            Attribute::DenseI64Array(words.collect())
        }
        Type::Integer { width: 1, .. } => Attribute::DenseBoolArray(bytes.iter().map(|byte| *byte != 0).collect()),
        _ => Attribute::DenseArray { element, bytes: bytes.into() },
    })
}
