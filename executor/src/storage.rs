//! Memory that is used again by the next run.
//!
//! The system hands out fresh memory page by page as it is touched, which costs more than writing it. Results and arenas of
//! some size are therefore kept when they are dropped, and given to the next run that needs as much.

use std::sync::{Arc, Mutex, PoisonError};

use interpreter::EvalError;

use crate::kernels::memory::Buffer;

/// Buffers below this size come from the allocator, which keeps them itself.
const SMALL: usize = 1 << 16;
/// How many buffers are kept, and how many bytes: no more than a run of a large model needs.
const MAX_IDLE: usize = 64;
const MAX_IDLE_BYTES: usize = 1 << 30;

/// Idle buffers, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Storage(Mutex<Vec<Buffer>>);

/// A buffer that goes back to its storage when it is dropped; its contents are whatever the last user left.
#[derive(Debug)]
pub(crate) struct Recycled {
    buffer: Option<Buffer>,
    len: usize,
    home: Arc<Storage>,
}

impl Storage {
    /// A buffer of `bytes` bytes.
    ///
    /// # Errors
    /// `exec/memory-limit` when the system refuses.
    pub fn take(self: &Arc<Self>, bytes: usize) -> Result<Recycled, EvalError> {
        let buffer = match self.idle(bytes) {
            Some(buffer) => buffer,
            None => Buffer::try_new(bytes).ok_or_else(|| {
                EvalError::resource("exec/memory-limit", format!("the system has no {bytes} bytes of memory left"))
            })?,
        };
        Ok(Recycled { buffer: Some(buffer), len: bytes, home: Arc::clone(self) })
    }

    /// The idle buffer that fits best, if it is not much too large.
    fn idle(&self, bytes: usize) -> Option<Buffer> {
        if bytes < SMALL {
            return None;
        }
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let size = |buffer: &Buffer| buffer.bytes().len();
        let fits = |buffer: &Buffer| size(buffer) >= bytes && size(buffer) / 2 <= bytes;
        let best = idle.iter().enumerate().filter(|(_, buffer)| fits(buffer)).min_by_key(|(_, buffer)| size(buffer));
        let at = best?.0;
        Some(idle.remove(at))
    }

    fn keep(&self, buffer: Buffer) {
        let size = buffer.bytes().len();
        if !(SMALL..=MAX_IDLE_BYTES).contains(&size) {
            return;
        }
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(buffer);
        let mut total: usize = idle.iter().map(|buffer| buffer.bytes().len()).sum();
        while idle.len() > MAX_IDLE || total > MAX_IDLE_BYTES {
            total -= idle.remove(0).bytes().len();
        }
    }

    /// Frees what is idle.
    pub fn trim(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl Recycled {
    /// Where it begins.
    pub fn as_ptr(&self) -> *mut u8 {
        self.buffer.as_ref().map_or(std::ptr::null_mut(), Buffer::as_ptr)
    }

    /// Its bytes, to be written.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        let len = self.len;
        self.buffer.as_mut().map_or(&mut [], |buffer| &mut buffer.bytes_mut()[..len])
    }
}

impl AsRef<[u8]> for Recycled {
    fn as_ref(&self) -> &[u8] {
        self.buffer.as_ref().map_or(&[], |buffer| &buffer.bytes()[..self.len])
    }
}

impl Drop for Recycled {
    fn drop(&mut self) {
        if let Some(buffer) = self.buffer.take() {
            self.home.keep(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropped_buffers_are_used_again() {
        let storage = Arc::new(Storage::default());
        let first = storage.take(1 << 20).unwrap();
        let at = first.as_ptr();
        assert_eq!(first.as_ref().len(), 1 << 20);
        drop(first);
        // Far too large for this.
        let small = storage.take(1 << 17).unwrap();
        assert_ne!(small.as_ptr(), at);
        let second = storage.take((1 << 20) - 64).unwrap();
        assert_eq!((second.as_ptr(), second.as_ref().len()), (at, (1 << 20) - 64));
        drop(second);
        storage.trim();
        assert!(storage.0.lock().unwrap().is_empty());
        assert!(storage.take(0).unwrap().as_ref().is_empty());
    }

    #[test]
    fn what_the_system_does_not_have_is_an_error() {
        let error = Arc::new(Storage::default()).take(isize::MAX as usize - 63).unwrap_err();
        assert_eq!(error.code(), "exec/memory-limit");
    }
}
