//! Results as text and files.

use std::path::Path;

use super::error::{InputError, Result};
use super::{iree, mlir, npy, npz, weights};
use crate::tensor::Tensor;

/// A form of results.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Format {
    /// `2xf32=1 2`, one line per result.
    Iree,
    /// `dense<…> : tensor<…>`, one line per result.
    Mlir,
    /// `.npy`, one array after another.
    Npy,
    /// `.npz`
    Npz,
    /// Raw little-endian elements, one result after another.
    Raw,
    /// `.safetensors`
    SafeTensors,
}

impl Format {
    /// The form that the end of a file's name asks for.
    pub fn of_path(path: &Path) -> Option<Self> {
        Some(match path.extension()?.to_str()? {
            "txt" => Self::Iree,
            "mlir" => Self::Mlir,
            "npy" => Self::Npy,
            "npz" => Self::Npz,
            "bin" | "raw" => Self::Raw,
            "safetensors" => Self::SafeTensors,
            _ => return None,
        })
    }

    /// Whether results can be put behind those that a file already has.
    pub fn can_append(self) -> bool {
        !matches!(self, Self::Npz | Self::SafeTensors)
    }
}

/// Results, each with the name it has where a form has names.
///
/// # Errors
/// When the form cannot hold them.
pub fn render(results: &[(String, Tensor)], format: Format) -> Result<Vec<u8>> {
    let lines = |print: fn(&Tensor) -> String| {
        results.iter().map(|(_, tensor)| print(tensor) + "\n").collect::<String>().into_bytes()
    };
    Ok(match format {
        Format::Iree => lines(iree::print),
        Format::Mlir => lines(mlir::print),
        Format::Npy => results.iter().flat_map(|(_, tensor)| npy::write(tensor)).collect(),
        Format::Raw => results.iter().flat_map(|(_, tensor)| tensor.clone().into_bytes_mut()).collect(),
        Format::Npz => npz::write(results, false)?,
        Format::SafeTensors => weights::write(results)?,
    })
}

/// Whether results can be appended to a file of this form.
///
/// # Errors
/// `input/append` for archives, which cannot be continued.
pub fn check_append(format: Format) -> Result<()> {
    if format.can_append() {
        return Ok(());
    }
    Err(InputError::new("input/append", "archives cannot be appended to; name the file with @ instead of +"))
}
