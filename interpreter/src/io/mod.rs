//! Values as text and files: the notations of MLIR and IREE, numpy's files, safetensors.
//!
//! Readers take bytes and writers give them. The only functions that touch the file system are told so by their callers:
//! [`inputs::read_inputs`] through the function it is given, [`outputs::write_file`] at the path it is given.
//!
//! **Invariant:** sizes are checked before memory is taken, whatever a file announces.

mod error;
pub mod generate;
pub mod inputs;
pub mod iree;
pub mod mlir;
pub mod npy;
pub mod npz;
pub mod outputs;
pub mod signature;
pub mod weights;

#[cfg(test)]
mod tests;

pub use error::InputError;
