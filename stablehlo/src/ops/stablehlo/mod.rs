//! The `stablehlo` dialect, one file per op; families of like ops share a file.

pub mod batch_norm_grad;
pub mod batch_norm_inference;
pub mod batch_norm_training;
pub mod cholesky;
pub mod convolution;
pub mod dot;
pub mod dot_general;
pub mod dynamic_conv;
pub mod dynamic_gather;
pub mod elementwise;
pub mod fft;
pub mod gather;
pub mod map;
pub mod pad;
pub mod reduce;
pub mod reduce_window;
pub mod rng;
pub mod rng_bit_generator;
pub mod scatter;
pub mod select_and_scatter;
pub mod sort;
pub mod triangular_solve;
