//! The `stablehlo` dialect, one file per op; families of like ops share a file.

pub mod elementwise;
pub mod pad;
