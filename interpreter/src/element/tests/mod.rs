//! Tests of element arithmetic: recorded vectors, whole small types, laws.

mod complex;
mod exhaustive;
mod single;
mod special;
mod vectors;

use super::*;

/// All bit patterns of a type of at most 16 bits.
fn all<T: Element>() -> Vec<T> {
    (0..1u32 << T::TYPE.bits()).map(|bits| T::read_le(&bits.to_le_bytes())).collect()
}

/// The storage form.
fn bytes<T: Element>(value: T) -> Vec<u8> {
    write_all(&[value])
}
