//! numpy's `.npz` files: `.npy` files in a zip archive.

use std::io::{Cursor, Read, Write};

use stablehlo::element::ElementType;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::error::{InputError, Result};
use super::npy;
use crate::tensor::Tensor;

/// The names of the arrays, in the order of the archive.
///
/// # Errors
/// `input/npz` for a malformed archive.
pub fn names(bytes: &[u8]) -> Result<Vec<String>> {
    let archive = ZipArchive::new(Cursor::new(bytes)).map_err(malformed)?;
    let names = archive.file_names().map(|name| {
        let name = name.map_err(malformed)?;
        Ok(name.strip_suffix(".npy").unwrap_or(&name).to_owned())
    });
    names.collect()
}

/// The array of that name; `element` is the type that raw bytes have, and `max_bytes` the most it may take unpacked.
///
/// # Errors
/// `input/npz` for a malformed archive or a missing name, and those of [`npy::read`].
pub fn read(bytes: &[u8], name: &str, element: Option<ElementType>, max_bytes: u64) -> Result<Tensor> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(malformed)?;
    let file_name = format!("{name}.npy");
    let file_name = if archive.index_for_name(&file_name).is_some() { file_name } else { name.to_owned() };
    let Some(index) = archive.index_for_name(&file_name) else {
        let names = names(bytes)?.join(", ");
        return Err(InputError::new("input/npz", format!("there is no array {name}; there are: {names}")));
    };
    let mut unpacked = Vec::new();
    let file = archive.by_index(index).map_err(malformed)?;
    // One byte more than allowed tells too much from just enough; the announced size is not to be trusted.
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut unpacked).map_err(malformed)?;
    if unpacked.len() as u64 > max_bytes {
        return Err(InputError::new("input/too-large", format!("{name} takes more than {max_bytes} bytes unpacked")));
    }
    npy::read(&mut &unpacked[..], element).map_err(|error| error.about(name))
}

/// An archive of these arrays, compressed if asked.
///
/// # Errors
/// `input/npz` when the archive cannot be made, for example for a name given twice.
pub fn write(arrays: &[(String, Tensor)], compress: bool) -> Result<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let method = if compress { CompressionMethod::Deflated } else { CompressionMethod::Stored };
    // No time of day, so that equal results are equal files.
    let options = SimpleFileOptions::default().compression_method(method).large_file(true);
    for (name, tensor) in arrays {
        archive.start_file(format!("{name}.npy"), options).map_err(malformed)?;
        archive.write_all(&npy::write(tensor)).map_err(malformed)?;
    }
    Ok(archive.finish().map_err(malformed)?.into_inner())
}

fn malformed(why: impl std::fmt::Display) -> InputError {
    InputError::new("input/npz", format!("not a usable .npz file: {why}"))
}
