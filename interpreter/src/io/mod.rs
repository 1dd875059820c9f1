//! Values as text and files: the notations of MLIR and IREE, numpy's files, safetensors.
//!
//! Readers take bytes and writers give them. Nothing here touches the file system; [`inputs::read_inputs`] asks the
//! function it is given for the bytes of a file.
//!
//! **Invariant:** sizes are checked before memory is taken, whatever a file announces.

mod error;
pub mod generate;
pub mod inputs;
pub mod iree;
pub mod mlir;
mod notation;
pub mod npy;
pub mod npz;
pub mod outputs;
pub mod signature;
pub mod weights;

#[cfg(test)]
mod tests;

pub use error::InputError;
