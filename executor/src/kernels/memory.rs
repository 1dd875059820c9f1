//! Where the values of a run stand.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::Cell;
use std::ptr::NonNull;

/// Alignment of every buffer: a cache line and the widest vector.
pub const ALIGN: usize = 64;

/// Storage of a fixed size, aligned for vectors.
#[derive(Debug)]
pub struct Buffer {
    at: NonNull<u8>,
    len: usize,
}

// SAFETY: a buffer owns its storage, like a boxed slice.
unsafe impl Send for Buffer {}
// SAFETY: shared access only reads.
unsafe impl Sync for Buffer {}

impl Buffer {
    fn layout(len: usize) -> Layout {
        Layout::from_size_align(len.max(1), ALIGN).expect("plans check that sizes fit isize")
    }

    /// Storage of `len` bytes; its contents are zero.
    pub fn new(len: usize) -> Self {
        Self::try_new(len).unwrap_or_else(|| handle_alloc_error(Self::layout(len)))
    }

    /// Storage of `len` bytes, zero, or none when the system has not as many.
    pub fn try_new(len: usize) -> Option<Self> {
        // SAFETY: the layout is not empty.
        let at = unsafe { std::alloc::alloc_zeroed(Self::layout(len)) };
        Some(Self { at: NonNull::new(at)?, len })
    }

    /// A copy of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        let layout = Self::layout(bytes.len());
        // SAFETY: the layout is not empty.
        let at = unsafe { alloc(layout) };
        let at = NonNull::new(at).unwrap_or_else(|| handle_alloc_error(layout));
        // SAFETY: both are readable and writable for that many bytes and distinct.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), at.as_ptr(), bytes.len()) };
        Self { at, len: bytes.len() }
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: every byte was written when the buffer was made.
        unsafe { std::slice::from_raw_parts(self.at.as_ptr(), self.len) }
    }

    /// Its bytes, to be written.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.at.as_ptr(), self.len) }
    }

    /// Where it begins.
    pub fn as_ptr(&self) -> *mut u8 {
        self.at.as_ptr()
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: made with this layout.
        unsafe { dealloc(self.at.as_ptr(), Self::layout(self.len)) };
    }
}

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        self.bytes()
    }
}

/// Index of a value that is stored.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SlotId(pub u32);

/// The addresses of all slots during a run.
///
/// A plan gives every slot a place of its own for as long as it is needed; that makes the accesses below sound.
#[derive(Debug)]
pub struct Memory {
    addresses: Vec<Cell<*mut u8>>,
    sizes: Vec<usize>,
}

impl Memory {
    /// Addresses and sizes by slot.
    pub fn new(slots: impl Iterator<Item = (*mut u8, usize)>) -> Self {
        let (addresses, sizes) = slots.map(|(at, size)| (Cell::new(at), size)).unzip();
        Self { addresses, sizes }
    }

    /// Where a slot stands.
    pub fn address(&self, slot: SlotId) -> *mut u8 {
        self.addresses[slot.0 as usize].get()
    }

    /// Exchanges the places of two slots of one size.
    pub fn swap(&self, a: SlotId, b: SlotId) {
        debug_assert_eq!(self.sizes[a.0 as usize], self.sizes[b.0 as usize]);
        self.addresses[a.0 as usize].swap(&self.addresses[b.0 as usize]);
    }

    /// The bytes of a slot.
    pub fn bytes(&self, slot: SlotId) -> &[u8] {
        // SAFETY: the slot's place is readable for its size while the run lasts, and steps write only slots that they own.
        unsafe { std::slice::from_raw_parts(self.address(slot), self.sizes[slot.0 as usize]) }
    }

    /// The elements of a slot.
    pub fn elements<T: Plain>(&self, slot: SlotId) -> &[T] {
        let bytes = self.bytes(slot);
        debug_assert!(bytes.as_ptr().cast::<T>().is_aligned());
        // SAFETY: places are aligned for every element type, and any bytes are a `T`.
        unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / size_of::<T>()) }
    }

    /// The elements of a slot that the step which asks writes.
    #[expect(clippy::mut_from_ref, reason = "a plan has one writer per slot at a time")]
    pub fn elements_mut<T: Plain>(&self, slot: SlotId) -> &mut [T] {
        let at = self.address(slot).cast::<T>();
        debug_assert!(at.is_aligned());
        // SAFETY: as above; the plan has one step at work, and that step writes this slot and reads it nowhere else.
        unsafe { std::slice::from_raw_parts_mut(at, self.sizes[slot.0 as usize] / size_of::<T>()) }
    }

    /// The bytes of a slot that the step which asks writes.
    pub fn bytes_mut(&self, slot: SlotId) -> &mut [u8] {
        self.elements_mut(slot)
    }

    /// Size of a slot in bytes.
    pub fn size(&self, slot: SlotId) -> usize {
        self.sizes[slot.0 as usize]
    }
}

/// Types of which any bytes are a value.
pub trait Plain: Copy + Send + Sync + 'static {}

macro_rules! plain {
    ($($T:ty),*) => { $(impl Plain for $T {})* };
}
plain!(i8, i16, i32, i64, u8, u16, u32, u64, u128, f32, f64, interpreter::element::bf16, interpreter::element::f16);

impl<T: Plain, const N: usize> Plain for [T; N] {}
