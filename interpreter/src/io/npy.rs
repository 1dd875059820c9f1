//! numpy's `.npy` files.
//!
//! Written here, in about 250 lines, because the crates for this format reject the element types that numpy knows only
//! through `ml_dtypes`: those are stored as raw bytes (`<V2` for bf16, `<V1` for every type of up to eight bits). Two raw
//! bytes are taken for bf16; one raw byte says nothing, so the reader must be told the element type.
//!
//! Files written here are read by numpy, and its `view` gives the `ml_dtypes` type back, for which every type of less
//! than a byte keeps one value per byte.

use stablehlo::element::ElementType;

use super::error::{InputError, Result};
use crate::tensor::{Dims, Tensor, n_bytes};

const MAGIC: &[u8] = b"\x93NUMPY";

/// The arrays that a file holds one after another; `element` is the type that raw bytes have.
///
/// # Errors
/// `input/npy` for a malformed file, `input/npy-type` for a type that tensors do not have or that is not known.
pub fn read_all(mut bytes: &[u8], element: Option<ElementType>) -> Result<Vec<Tensor>> {
    let mut tensors = Vec::new();
    while !bytes.is_empty() {
        tensors.push(read(&mut bytes, element)?);
    }
    Ok(tensors)
}

/// Reads one array from the front of `bytes`.
///
/// # Errors
/// As [`read_all`].
pub fn read(bytes: &mut &[u8], element: Option<ElementType>) -> Result<Tensor> {
    let header = Header::read(bytes)?;
    let format = Format::from_descr(&header.descr, element)?;
    let Some(size) = n_bytes(format.element, &header.shape) else {
        return Err(malformed(format!("shape {:?} is too large", header.shape)));
    };
    let Some((data, rest)) = bytes.split_at_checked(size) else {
        return Err(malformed(format!("{size} bytes of data are announced, {} are there", bytes.len())));
    };
    *bytes = rest;
    let mut data = data.to_vec();
    if format.is_big_endian {
        data.chunks_exact_mut(format.swapped).for_each(<[u8]>::reverse);
    }
    normalize(&mut data, format.element)?;
    let mut stored_shape = header.shape.clone();
    if header.is_fortran {
        stored_shape.reverse();
    }
    let stored = Tensor::new(format.element, &stored_shape, data).ok_or_else(|| malformed("sizes do not fit"))?;
    Ok(if header.is_fortran { reversed_dimensions(&stored, &header.shape) } else { stored })
}

/// Clears the bits that a type narrower than its byte does not have; anything but 0 and 1 is no boolean.
fn normalize(data: &mut [u8], element: ElementType) -> Result<()> {
    if element.is_boolean() && data.iter().any(|byte| *byte > 1) {
        return Err(malformed("a boolean is neither 0 nor 1"));
    }
    if element.bits() < 8 {
        data.iter_mut().for_each(|byte| *byte &= u8::MAX >> (8 - element.bits()));
    }
    Ok(())
}

/// A tensor that is stored with its first dimension varying fastest, in our order.
fn reversed_dimensions(stored: &Tensor, shape: &[usize]) -> Tensor {
    use crate::tensor::by_width;
    by_width!(stored.element(), W => {
        let words = stored.words::<W>().reversed_axes();
        debug_assert_eq!(words.shape(), shape);
        Tensor::from_words(stored.element(), words.as_standard_layout().into_owned())
    })
}

/// The tensor as a file.
pub fn write(tensor: &Tensor) -> Vec<u8> {
    let shape = match tensor.shape() {
        [size] => format!("({size},)"),
        sizes => format!("({})", sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    };
    let descr = descr(tensor.element());
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    // The data begins at a multiple of 64 bytes.
    let length = (MAGIC.len() + 4 + header.len() + 1).next_multiple_of(64) - MAGIC.len() - 4;
    header.extend(std::iter::repeat_n(' ', length - header.len() - 1));
    header.push('\n');
    let mut file = MAGIC.to_vec();
    file.extend_from_slice(&[1, 0]);
    file.extend_from_slice(&(length as u16).to_le_bytes());
    file.extend_from_slice(header.as_bytes());
    let whole = tensor.len() * tensor.element().byte_width();
    if tensor.data().len() == whole {
        file.extend_from_slice(tensor.data());
    } else {
        file.extend(tensor.data().iter().cycle().take(whole));
    }
    file
}

/// numpy's name of an element type; raw bytes where numpy itself has none.
fn descr(element: ElementType) -> String {
    let width = element.byte_width();
    let letter = match element {
        ElementType::I1 => return "|b1".into(),
        ElementType::F16 | ElementType::F32 | ElementType::F64 => 'f',
        element if element.is_complex() => 'c',
        element if element.is_signed() && element.bits() >= 8 => 'i',
        element if element.is_unsigned() && element.bits() >= 8 => 'u',
        _ => 'V',
    };
    format!("{}{letter}{width}", if width == 1 { '|' } else { '<' })
}

/// How elements are stored.
struct Format {
    element: ElementType,
    is_big_endian: bool,
    /// Bytes of a part whose order may be swapped.
    swapped: usize,
}

impl Format {
    fn from_descr(descr: &str, expected: Option<ElementType>) -> Result<Self> {
        let unknown = |why: &str| InputError::new("input/npy-type", format!("element type {descr:?} {why}"));
        let named = |element: ElementType| Self { element, is_big_endian: false, swapped: element.byte_width() };
        // Some writers put the name in place of the code.
        if let Some(element) = element_by_name(descr) {
            return Ok(named(element));
        }
        let (order, code) = match descr.chars().next() {
            Some(order @ ('<' | '>' | '|' | '=')) => (order, &descr[1..]),
            _ => ('=', descr),
        };
        use ElementType::*;
        let element = match code {
            "b1" | "?" => I1,
            "i1" => I8,
            "i2" => I16,
            "i4" => I32,
            "i8" => I64,
            "u1" => UI8,
            "u2" => UI16,
            "u4" => UI32,
            "u8" => UI64,
            "f2" => F16,
            "f4" => F32,
            "f8" => F64,
            "c8" => ComplexF32,
            "c16" => ComplexF64,
            "V2" => match expected {
                Some(element) if element.byte_width() == 2 => element,
                _ => BF16,
            },
            "V1" => expected
                .filter(|element| element.byte_width() == 1)
                .ok_or_else(|| unknown("does not say which type of one byte it is"))?,
            _ => return Err(unknown("is not that of a tensor")),
        };
        // A container of whole bytes for a narrower type that the program expects.
        let element = match (element, expected) {
            (I8, Some(narrow @ (I2 | I4))) | (UI8, Some(narrow @ (UI2 | UI4))) => narrow,
            (element, _) => element,
        };
        let part = element.complex_part().unwrap_or(element);
        Ok(Self { element, is_big_endian: order == '>', swapped: part.byte_width() })
    }
}

/// The element type that `ml_dtypes` or MLIR calls so.
pub(super) fn element_by_name(name: &str) -> Option<ElementType> {
    ElementType::from_name(name).or_else(|| {
        let name = match name {
            "bfloat16" => "bf16",
            "bool" => "i1",
            name => {
                let same = |element: &&ElementType| {
                    let Some(format) = element.float_format() else { return false };
                    let spelled = format.name.to_ascii_lowercase();
                    // float8_e4m3fn for f8E4M3FN
                    spelled.len() > 2 && format!("float{}_{}", &spelled[1..2], &spelled[2..]) == name
                };
                let integer = name.strip_prefix("uint").map(|width| format!("ui{width}"));
                let integer = integer.or_else(|| name.strip_prefix("int").map(|width| format!("i{width}")));
                return ElementType::ALL
                    .iter()
                    .find(same)
                    .copied()
                    .or_else(|| ElementType::from_name(&integer?).filter(|element| !element.is_boolean()));
            }
        };
        ElementType::from_name(name)
    })
}

/// What stands before the data.
struct Header {
    descr: String,
    is_fortran: bool,
    shape: Dims,
}

impl Header {
    fn read(bytes: &mut &[u8]) -> Result<Self> {
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| malformed("it does not begin as such a file does"))?;
        let (version, rest) = rest.split_first_chunk::<2>().ok_or_else(|| malformed("it ends in its header"))?;
        let wide = match version[0] {
            1 => false,
            2 | 3 => true,
            other => return Err(malformed(format!("version {other} is not known"))),
        };
        let (length, rest) = match wide {
            false => rest.split_first_chunk::<2>().map(|(length, rest)| (u16::from_le_bytes(*length) as usize, rest)),
            true => rest.split_first_chunk::<4>().map(|(length, rest)| (u32::from_le_bytes(*length) as usize, rest)),
        }
        .ok_or_else(|| malformed("it ends in its header"))?;
        let (header, rest) = rest.split_at_checked(length).ok_or_else(|| malformed("it ends in its header"))?;
        *bytes = rest;
        let header = std::str::from_utf8(header).map_err(|_| malformed("the header is not text"))?;
        Self::parse(header)
    }

    /// Reads the Python dictionary `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`.
    fn parse(text: &str) -> Result<Self> {
        let value = |key: &str| {
            let quoted = [format!("'{key}'"), format!("\"{key}\"")];
            let at = quoted.iter().find_map(|quoted| Some(text.find(quoted.as_str())? + quoted.len()));
            let rest = at.and_then(|at| text[at..].trim_start().strip_prefix(':')).map(str::trim_start);
            rest.ok_or_else(|| malformed(format!("the header has no {key}")))
        };
        let is_fortran = value("fortran_order")?.starts_with("True");
        let inside = value("shape")?.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let (inside, _) = inside.ok_or_else(|| malformed("the shape is not a tuple"))?;
        let sizes = inside.split(',').map(str::trim).filter(|size| !size.is_empty());
        let shape = sizes.map(|size| size.trim_end_matches('L').parse::<usize>());
        let shape = shape.collect::<std::result::Result<Dims, _>>().map_err(|_| malformed("a size is not a number"))?;
        Ok(Self { descr: descr_of(value("descr")?)?, is_fortran, shape })
    }
}

/// The type code: a string, or the only field of a record: `[('bfloat16', '<V2')]`.
fn descr_of(text: &str) -> Result<String> {
    let string = |text: &str| {
        let quote = text.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
        text[1..].split_once(quote).map(|(inside, rest)| (inside.to_owned(), rest.trim_start().to_owned()))
    };
    let bad = || malformed("the type is neither a string nor a record of one field");
    let Some(record) = text.strip_prefix('[') else {
        return string(text).map(|(code, _)| code).ok_or_else(bad);
    };
    let record = record.split_once(']').map(|(inside, _)| inside.trim()).ok_or_else(bad)?;
    let field = record.trim_end_matches(',').trim().strip_prefix('(').and_then(|field| field.strip_suffix(')'));
    let (name, rest) = field.and_then(|field| string(field.trim())).ok_or_else(bad)?;
    let (code, rest) = rest.strip_prefix(',').and_then(|rest| string(rest.trim())).ok_or_else(bad)?;
    if !rest.trim_matches([',', ' ']).is_empty() {
        return Err(bad());
    }
    Ok(if element_by_name(&name).is_some() { name } else { code })
}

fn malformed(why: impl std::fmt::Display) -> InputError {
    InputError::new("input/npy", format!("not a readable .npy file: {why}"))
}
