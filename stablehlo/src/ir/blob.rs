//! Raw bytes of constants, shared and never copied once read.

use bytes::Bytes;

/// Little-endian storage bytes, shared between clones.
///
/// Small blobs compare and hash by content, so that equal small constants are interned once; blobs above
/// [`Blob::BY_CONTENT`] bytes compare by identity, so a gigabyte is never hashed.
#[derive(Clone, Default)]
pub struct Blob(Bytes);

impl Blob {
    /// Largest size, in bytes, that is compared by content.
    pub const BY_CONTENT: usize = 256;

    /// Takes `bytes` over without copying them when they come from a vector or a static slice.
    pub fn new(bytes: impl Into<Bytes>) -> Self {
        Self(bytes.into())
    }

    /// The shared buffer.
    pub fn bytes(&self) -> &Bytes {
        &self.0
    }

    fn identity(&self) -> (usize, usize) {
        (self.0.as_ptr() as usize, self.0.len())
    }
}

impl std::ops::Deref for Blob {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl PartialEq for Blob {
    fn eq(&self, other: &Self) -> bool {
        if self.len().max(other.len()) <= Self::BY_CONTENT {
            self.0 == other.0
        } else {
            self.identity() == other.identity()
        }
    }
}

impl Eq for Blob {}

impl std::hash::Hash for Blob {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        if self.len() <= Self::BY_CONTENT { self.0.hash(state) } else { self.identity().hash(state) }
    }
}

impl std::fmt::Debug for Blob {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}
