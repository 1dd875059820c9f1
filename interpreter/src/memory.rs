//! The memory budget of a run: storage of live tensors, counted where it is made and given back where it is dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use stablehlo::element::ElementType;

use crate::error::{EvalError, Result};
use crate::tensor::{Tensor, n_bytes, show};

/// Tensors below this size are not worth counting.
const SMALL: usize = 4096;

/// How much storage a run may use and uses.
#[derive(Debug)]
pub struct Memory {
    limit: usize,
    live: Arc<AtomicUsize>,
    peak: AtomicUsize,
}

/// Storage that is counted; dropping it gives the bytes back.
#[derive(Debug)]
pub(crate) struct Lease {
    bytes: usize,
    live: Arc<AtomicUsize>,
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.live.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

impl Memory {
    /// A budget of `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { limit, live: Arc::default(), peak: AtomicUsize::new(0) }
    }

    /// Bytes in use.
    pub fn live(&self) -> usize {
        self.live.load(Ordering::Relaxed)
    }

    /// Most bytes that were in use at once.
    pub fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }

    /// The number of elements of a tensor that is about to be made.
    ///
    /// # Errors
    /// `exec/memory-limit` when its elements cannot be addressed or would exceed the budget.
    pub fn check(&self, element: ElementType, shape: &[usize]) -> Result<usize> {
        let Some(bytes) = n_bytes(element, shape) else {
            let message = format!("a tensor of shape {} and type {element} is too large to address", show(shape));
            return Err(EvalError::resource("exec/memory-limit", message));
        };
        self.check_bytes(bytes)?;
        Ok(bytes / element.byte_width())
    }

    /// The same for a number of bytes.
    ///
    /// # Errors
    /// `exec/memory-limit` when they would exceed the budget.
    pub fn check_bytes(&self, bytes: usize) -> Result<()> {
        let live = self.live();
        if bytes > self.limit.saturating_sub(live) {
            let message =
                format!("{bytes} bytes are needed, {live} are in use, and the memory limit is {} bytes", self.limit);
            return Err(EvalError::resource("exec/memory-limit", message));
        }
        Ok(())
    }

    /// Counts the storage of `tensor` from now on until its last clone is dropped.
    pub(crate) fn count(&self, tensor: &mut Tensor) {
        let bytes = tensor.n_stored_bytes();
        if bytes < SMALL || tensor.lease().is_some() {
            return;
        }
        let live = self.live.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(live, Ordering::Relaxed);
        tensor.set_lease(Arc::new(Lease { bytes, live: Arc::clone(&self.live) }));
    }
}
