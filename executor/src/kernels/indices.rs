//! Indices that a program computes.

use interpreter::dispatch_integer;
use interpreter::element::{Element, Exact};
use stablehlo::element::ElementType;

/// Reads an element as a number; numbers beyond `i64` become the nearest.
///
/// # Safety
/// The address is readable for an element of the type, the number of elements further on.
pub type ReadIndex = unsafe fn(*const u8, usize) -> i64;

/// How numbers of type `element` are read; none for types that are not integers.
pub fn reader(element: ElementType) -> Option<ReadIndex> {
    match element {
        ElementType::I32 => Some(read_i32),
        ElementType::I64 => Some(read_i64),
        _ => dispatch_integer!(element, T => read::<T> as ReadIndex),
    }
}

unsafe fn read_i32(at: *const u8, index: usize) -> i64 {
    // SAFETY: the caller's promise.
    i64::from(unsafe { at.cast::<i32>().add(index).read_unaligned() })
}

unsafe fn read_i64(at: *const u8, index: usize) -> i64 {
    // SAFETY: the caller's promise.
    unsafe { at.cast::<i64>().add(index).read_unaligned() }
}

unsafe fn read<T: Element>(at: *const u8, index: usize) -> i64 {
    // SAFETY: the caller's promise; a slice of the element's own bytes.
    match T::read_le(unsafe { std::slice::from_raw_parts(at.add(index * T::WIDTH), T::WIDTH) }).to_exact() {
        Exact::Integer(value) => value.clamp(i64::MIN.into(), i64::MAX.into()) as i64,
        _ => 0,
    }
}
