//! Values as text and files: the notations of MLIR and IREE, numpy's files, safetensors.
//!
//! Nothing here opens a file by itself: readers take bytes, writers give them.

pub mod mlir;
