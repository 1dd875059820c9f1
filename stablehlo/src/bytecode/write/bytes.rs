//! Numbers as bytes, and the parts that a file is put together from.

use std::io;

use bytes::Bytes;

use crate::bytecode::SectionKind;

/// Appends an unsigned number in the shortest form: the zero bits at the low end of its first byte say how many bytes
/// follow.
#[inline]
pub(super) fn push_varint(out: &mut Vec<u8>, value: u64) {
    if value < 1 << 7 {
        out.push((value as u8) << 1 | 1);
        return;
    }
    let n_bytes = (64 - value.leading_zeros()).div_ceil(7);
    if n_bytes > 8 {
        out.push(0);
        out.extend_from_slice(&value.to_le_bytes());
        return;
    }
    let word = (value << 1 | 1) << (n_bytes - 1);
    out.extend_from_slice(&word.to_le_bytes()[..n_bytes as usize]);
}

/// Appends a signed number, zigzag.
pub(super) fn push_signed(out: &mut Vec<u8>, value: i64) {
    push_varint(out, ((value << 1) ^ (value >> 63)) as u64);
}

/// Appends a number with a flag in its lowest bit.
pub(super) fn push_flagged(out: &mut Vec<u8>, value: u64, flag: bool) {
    push_varint(out, value << 1 | u64::from(flag));
}

/// Bytecode as the pieces that it was put together from; large constants are shared with the module.
#[derive(Clone, Default, Debug)]
pub struct Encoded {
    chunks: Vec<Bytes>,
    size: u64,
}

impl Encoded {
    /// The pieces in order.
    pub fn chunks(&self) -> &[Bytes] {
        &self.chunks
    }

    /// How many bytes all of it takes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Writes everything.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        self.chunks.iter().try_for_each(|chunk| out.write_all(chunk))
    }

    /// Everything in one piece.
    pub fn into_bytes(self) -> Bytes {
        match <[Bytes; 1]>::try_from(self.chunks) {
            Ok([chunk]) => chunk,
            Err(chunks) => chunks.concat().into(),
        }
    }
}

/// Blobs of fewer bytes are copied.
const SHARE_FROM: usize = 4096;

/// The byte that fills up to an alignment.
const FILL: u8 = 0xCB;

/// A file or section while it is put together.
#[derive(Default, Debug)]
pub(super) struct Builder {
    chunks: Vec<Bytes>,
    /// Size of `chunks`.
    before: usize,
    /// What follows them.
    pub(super) tail: Vec<u8>,
    /// The largest alignment that something inside asks for.
    alignment: usize,
}

impl Builder {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self { tail: bytes, ..Self::default() }
    }

    pub(super) fn size(&self) -> usize {
        self.before + self.tail.len()
    }

    fn flush(&mut self) {
        if !self.tail.is_empty() {
            self.before += self.tail.len();
            self.chunks.push(std::mem::take(&mut self.tail).into());
        }
    }

    /// Bytes without their size; large ones are shared.
    pub(super) fn blob(&mut self, bytes: &Bytes) {
        if bytes.len() < SHARE_FROM {
            self.tail.extend_from_slice(bytes);
            return;
        }
        self.flush();
        self.before += bytes.len();
        self.chunks.push(bytes.clone());
    }

    /// Fills up to a multiple of `alignment`, which is 0 or a power of two.
    pub(super) fn align(&mut self, alignment: usize) {
        if alignment > 1 {
            let end = self.size().next_multiple_of(alignment);
            self.tail.resize(end - self.before, FILL);
            self.alignment = self.alignment.max(alignment);
        }
    }

    /// A section. Alignments inside it hold because it is aligned itself, here or by what this builder becomes a part of.
    pub(super) fn section(&mut self, kind: SectionKind, body: Builder) {
        let at = self.tail.len();
        self.tail.push(kind as u8);
        push_varint(&mut self.tail, body.size() as u64);
        if body.alignment > 1 {
            if self.size().is_multiple_of(body.alignment) {
                self.alignment = self.alignment.max(body.alignment);
            } else {
                self.tail[at] |= 0x80;
                push_varint(&mut self.tail, body.alignment as u64);
                self.align(body.alignment);
            }
        }
        for chunk in body.chunks {
            self.blob(&chunk);
        }
        self.blob(&body.tail.into());
    }

    pub(super) fn finish(mut self) -> Encoded {
        self.flush();
        Encoded { chunks: self.chunks, size: self.before as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytecode::cursor::Cursor;

    fn varint(value: u64) -> Vec<u8> {
        let mut out = Vec::new();
        push_varint(&mut out, value);
        out
    }

    // Expected values: the description of numbers in docs/bytecode.md, by hand.
    #[test]
    fn numbers_take_the_fewest_bytes() {
        assert_eq!(varint(0), [0x01]);
        assert_eq!(varint(127), [0xff]);
        assert_eq!(varint(128), [0x02, 0x02]);
        assert_eq!(varint((1 << 14) - 1), [0xfe, 0xff]);
        assert_eq!(varint(1 << 14), [0x04, 0x00, 0x02]);
        assert_eq!(varint((1 << 56) - 1), [0x80, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
        assert_eq!(varint(1 << 56), [0x00, 0, 0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(varint(u64::MAX), [0x00, 255, 255, 255, 255, 255, 255, 255, 255]);
    }

    #[test]
    fn numbers_read_back() {
        for shift in 0..64 {
            for value in [1u64 << shift, (1u64 << shift) - 1, u64::MAX >> shift] {
                let mut out = varint(value);
                push_signed(&mut out, value as i64);
                push_signed(&mut out, (value as i64).wrapping_neg());
                push_flagged(&mut out, value >> 1, true);
                let mut cursor = Cursor::new(&out, 0);
                assert_eq!(cursor.varint("n").unwrap(), value);
                assert_eq!(cursor.signed("n").unwrap(), value as i64);
                assert_eq!(cursor.signed("n").unwrap(), (value as i64).wrapping_neg());
                assert_eq!(cursor.flagged("n").unwrap(), (value >> 1, true));
                assert!(cursor.is_empty());
            }
        }
    }

    #[test]
    fn sections_are_aligned_in_the_file() {
        let mut body = Builder::default();
        body.tail.push(7);
        body.align(4);
        body.tail.push(8);
        let mut file = Builder::default();
        file.section(SectionKind::Resource, body);
        // Id with the flag, length 5, alignment 4, one byte of filling up to 4, the body with its own filling.
        assert_eq!(file.finish().into_bytes(), [0x85, 0x0b, 0x09, 0xcb, 7, 0xcb, 0xcb, 0xcb, 8][..]);
    }

    #[test]
    fn large_blobs_are_shared() {
        let blob = Bytes::from(vec![1; SHARE_FROM]);
        let mut body = Builder::default();
        body.tail.push(9);
        body.blob(&blob);
        let mut file = Builder::default();
        file.section(SectionKind::AttrType, body);
        let encoded = file.finish();
        // Kind, size in two bytes, the byte before the blob.
        assert_eq!(encoded.size(), 1 + 2 + 1 + SHARE_FROM as u64);
        assert!(encoded.chunks().iter().any(|chunk| chunk.as_ptr() == blob.as_ptr()));
    }
}
