//! Float literals in text, printed and read exactly as MLIR does.
//!
//! Printing tries six significant digits in the form `1.234560e+02` and keeps them if they read back to the same bits;
//! else it tries as many digits as the type can hold, and falls back to the bits in hexadecimal where that text would
//! not be a float literal. NaN and infinity are always hexadecimal. The digits come from truncating divisions, not from
//! correct rounding, which shows in the output (`0.998 : f64` does not print with six digits); so they are made the
//! same way here.
//!
//! Reading rounds the decimal number once, to nearest even, however long it is.

mod bignum;
mod digits;
mod print;
mod read;

pub use print::print_float;
pub use read::{ParseFloatError, parse_decimal, parse_hex_bits};

#[cfg(test)]
mod tests;
