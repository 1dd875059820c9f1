//! safetensors files.

use safetensors::tensor::{Dtype, TensorView};
use safetensors::{SafeTensors, serialize};
use stablehlo::element::ElementType;

use super::error::{InputError, Result};
use crate::tensor::Tensor;

/// Names of the tensors in order.
///
/// # Errors
/// `input/safetensors` for a malformed file.
pub fn names(bytes: &[u8]) -> Result<Vec<String>> {
    let file = SafeTensors::deserialize(bytes).map_err(malformed)?;
    let mut names: Vec<String> = file.names().into_iter().map(str::to_owned).collect();
    names.sort();
    Ok(names)
}

/// The tensor of that name. A byte may hold one element of a narrower type, if `element` says so.
///
/// # Errors
/// `input/safetensors` for a malformed file, a missing name or a type that tensors do not have.
pub fn read(bytes: &bytes::Bytes, name: &str, element: Option<ElementType>) -> Result<Tensor> {
    let file = SafeTensors::deserialize(bytes).map_err(malformed)?;
    let view = file.tensor(name).map_err(|_| {
        let names = names(bytes).unwrap_or_default().join(", ");
        InputError::new("input/safetensors", format!("there is no tensor {name}; there are: {names}"))
    })?;
    let found = of_dtype(view.dtype()).ok_or_else(|| {
        InputError::new("input/safetensors", format!("{name} has type {:?}, which tensors do not have", view.dtype()))
    })?;
    let element = match (found, element) {
        (ElementType::I8 | ElementType::UI8, Some(narrow)) if narrow.byte_width() == 1 && narrow.bits() < 8 => narrow,
        _ => found,
    };
    // The file's own memory, shared.
    Tensor::new(element, view.shape(), bytes.slice_ref(view.data()))
        .ok_or_else(|| malformed(format!("{name} has another size than its shape says")))
}

/// A file of these tensors. Types that the format does not have are stored as bytes, one element each, and named in
/// the metadata under `element_type.<name>`.
///
/// # Errors
/// `input/safetensors` when the file cannot be made.
pub fn write(tensors: &[(String, Tensor)]) -> Result<Vec<u8>> {
    let mut whole = Vec::new();
    let mut metadata = std::collections::HashMap::new();
    for (name, tensor) in tensors {
        let dtype = to_dtype(tensor.element());
        if dtype.is_none() && tensor.element().byte_width() != 1 {
            return Err(malformed(format!("the format has no type for {}", tensor.element())));
        }
        if dtype.is_none() {
            metadata.insert(format!("element_type.{name}"), tensor.element().name().to_owned());
        }
        let bytes = tensor.clone().into_bytes_mut().freeze();
        whole.push((name.as_str(), dtype.unwrap_or(Dtype::U8), tensor.shape().to_vec(), bytes));
    }
    let views: Vec<(&str, TensorView<'_>)> = whole
        .iter()
        .map(|(name, dtype, shape, bytes)| {
            Ok((*name, TensorView::new(*dtype, shape.clone(), bytes).map_err(malformed)?))
        })
        .collect::<Result<_>>()?;
    let metadata = (!metadata.is_empty()).then_some(metadata);
    serialize(views, metadata).map_err(malformed)
}

fn of_dtype(dtype: Dtype) -> Option<ElementType> {
    ElementType::ALL.iter().copied().find(|element| to_dtype(*element) == Some(dtype))
}

fn to_dtype(element: ElementType) -> Option<Dtype> {
    use ElementType::*;
    Some(match element {
        I1 => Dtype::BOOL,
        I8 => Dtype::I8,
        I16 => Dtype::I16,
        I32 => Dtype::I32,
        I64 => Dtype::I64,
        UI8 => Dtype::U8,
        UI16 => Dtype::U16,
        UI32 => Dtype::U32,
        UI64 => Dtype::U64,
        F8E4M3FN => Dtype::F8_E4M3,
        F8E5M2 => Dtype::F8_E5M2,
        F8E8M0FNU => Dtype::F8_E8M0,
        BF16 => Dtype::BF16,
        F16 => Dtype::F16,
        F32 => Dtype::F32,
        F64 => Dtype::F64,
        ComplexF32 => Dtype::C64,
        _ => return None,
    })
}

fn malformed(why: impl std::fmt::Display) -> InputError {
    InputError::new("input/safetensors", format!("not a usable safetensors file: {why}"))
}
