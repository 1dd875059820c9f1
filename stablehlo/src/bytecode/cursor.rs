//! Reading numbers, strings and blobs from bytes, never beyond their end.

use super::error::{Error, Result};

/// A place in a part of a file.
///
/// Everything that is read says what it is, in the words of an error message: "the number of operands".
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where `bytes` begins in the file.
    base: u64,
}

impl<'a> Cursor<'a> {
    /// The beginning of `bytes`, which stand at byte `base` of the file.
    pub(crate) fn new(bytes: &'a [u8], base: u64) -> Self {
        Self { bytes, at: 0, base }
    }

    /// Where the cursor stands in the file.
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    /// How many bytes are left.
    pub(crate) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.left() == 0
    }

    /// An error where the cursor stands.
    pub(crate) fn error(&self, code: &'static str, message: impl Into<String>) -> Error {
        Error::new(code, self.offset(), message)
    }

    #[cold]
    fn truncated(&self, what: &str, wanted: u64) -> Error {
        let left = self.left();
        self.error("bytecode/truncated", format!("the bytes end inside {what}: {wanted} needed, {left} left"))
    }

    pub(crate) fn byte(&mut self, what: &str) -> Result<u8> {
        let byte = *self.bytes.get(self.at).ok_or_else(|| self.truncated(what, 1))?;
        self.at += 1;
        Ok(byte)
    }

    /// The next `n` bytes.
    pub(crate) fn take(&mut self, n: u64, what: &str) -> Result<&'a [u8]> {
        let end = usize::try_from(n).ok().and_then(|n| self.at.checked_add(n));
        let taken = end.and_then(|end| self.bytes.get(self.at..end)).ok_or_else(|| self.truncated(what, n))?;
        self.at += taken.len();
        Ok(taken)
    }

    /// A part of `n` bytes with a cursor of its own.
    pub(crate) fn part(&mut self, n: u64, what: &str) -> Result<Cursor<'a>> {
        let base = self.offset();
        Ok(Cursor::new(self.take(n, what)?, base))
    }

    /// An unsigned number: the zero bits at the low end of its first byte say how many bytes follow.
    pub(crate) fn varint(&mut self, what: &str) -> Result<u64> {
        let first = *self.bytes.get(self.at).ok_or_else(|| self.truncated(what, 1))?;
        if first & 1 == 1 {
            self.at += 1;
            return Ok(u64::from(first >> 1));
        }
        let extra = first.trailing_zeros() as usize;
        let bytes =
            self.bytes.get(self.at..self.at + 1 + extra).ok_or_else(|| self.truncated(what, extra as u64 + 1))?;
        self.at += 1 + extra;
        let mut word = [0; 8];
        if first == 0 {
            word.copy_from_slice(&bytes[1..]);
            return Ok(u64::from_le_bytes(word));
        }
        word[..=extra].copy_from_slice(bytes);
        Ok(u64::from_le_bytes(word) >> (extra + 1))
    }

    /// A signed number, zigzag.
    pub(crate) fn signed(&mut self, what: &str) -> Result<i64> {
        let raw = self.varint(what)?;
        Ok((raw >> 1) as i64 ^ -((raw & 1) as i64))
    }

    /// A number with a flag in its lowest bit.
    pub(crate) fn flagged(&mut self, what: &str) -> Result<(u64, bool)> {
        let raw = self.varint(what)?;
        Ok((raw >> 1, raw & 1 == 1))
    }

    /// An index that may be absent: a flagged number, 0 without the flag for "none".
    pub(crate) fn optional(&mut self, what: &str) -> Result<Option<u64>> {
        let offset = self.offset();
        match self.flagged(what)? {
            (index, true) => Ok(Some(index)),
            (0, false) => Ok(None),
            (index, false) => {
                let message = format!("{what} is absent, yet has number {index}");
                Err(Error::new("bytecode/invalid-number", offset, message))
            }
        }
    }

    /// The number of things that follow, each of which takes at least one byte: never more than there are bytes.
    pub(crate) fn count(&mut self, what: &str) -> Result<usize> {
        let offset = self.offset();
        let n = self.varint(what)?;
        self.fits(n, what, offset)
    }

    /// Checks that `n` things of at least one byte each can follow.
    pub(crate) fn fits(&self, n: u64, what: &str, offset: u64) -> Result<usize> {
        match usize::try_from(n) {
            Ok(n) if n <= self.left() => Ok(n),
            _ => {
                let left = self.left();
                let message = format!("{what} is {n}, but only {left} bytes follow");
                Err(Error::new("bytecode/truncated", offset, message))
            }
        }
    }

    /// Skips the padding (bytes 0xCB) up to a multiple of `alignment` in the file, which must be a power of two.
    pub(crate) fn align(&mut self, alignment: u64, what: &str) -> Result<()> {
        if !alignment.is_power_of_two() {
            let message = format!("the alignment of {what} is no power of two but {alignment}");
            return Err(self.error("bytecode/invalid-alignment", message));
        }
        let offset = self.offset();
        let padding = self.take(offset.wrapping_neg() & (alignment - 1), what)?;
        match padding.iter().position(|byte| *byte != 0xcb) {
            None => Ok(()),
            Some(at) => {
                let message = format!("padding in front of {what} must be bytes 0xcb, got {:#04x}", padding[at]);
                Err(Error::new("bytecode/invalid-padding", offset + at as u64, message))
            }
        }
    }

    /// A size and that many bytes.
    pub(crate) fn blob(&mut self, what: &str) -> Result<&'a [u8]> {
        let size = self.varint(what)?;
        self.take(size, what)
    }

    /// Bytes up to a NUL, which is skipped.
    pub(crate) fn c_string(&mut self, what: &str) -> Result<&'a [u8]> {
        let rest = &self.bytes[self.at..];
        let end = memchr::memchr(0, rest).ok_or_else(|| self.truncated(what, rest.len() as u64 + 1))?;
        self.at += end + 1;
        Ok(&rest[..end])
    }

    /// An integer of a known width in bits, zero-extended: one byte up to 8 bits, one signed number up to 64, else a count
    /// of 64-bit words and each as a signed number, lowest first.
    pub(crate) fn integer(&mut self, width: u32, what: &str) -> Result<u128> {
        let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        let raw = match width {
            0..=8 => u128::from(self.byte(what)?),
            9..=64 => u128::from(self.signed(what)? as u64),
            65..=128 => {
                let offset = self.offset();
                let mut value = 0;
                for word in 0..self.count(what)? {
                    let bits = u128::from(self.signed(what)? as u64);
                    match word {
                        0 | 1 => value |= bits << (64 * word),
                        _ if bits == 0 => {}
                        _ => {
                            return Err(Error::new(
                                "bytecode/invalid-number",
                                offset,
                                format!("{what} has more than 128 bits"),
                            ));
                        }
                    }
                }
                value
            }
            _ => {
                return Err(
                    self.error("bytecode/unsupported", format!("{what} has {width} bits; at most 128 are supported"))
                );
            }
        };
        Ok(raw & mask)
    }

    /// An f64 by its bits.
    pub(crate) fn double(&mut self, what: &str) -> Result<f64> {
        Ok(f64::from_bits(self.integer(64, what)? as u64))
    }

    /// An error unless everything was read.
    pub(crate) fn finish(&self, what: &str) -> Result<()> {
        match self.left() {
            0 => Ok(()),
            n => Err(self.error("bytecode/trailing-bytes", format!("{n} unread bytes at the end of {what}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cursor(bytes: &[u8]) -> Cursor<'_> {
        Cursor::new(bytes, 100)
    }

    // Expected values: section 1 of the format's description in docs/bytecode.md, by hand.
    #[test]
    fn numbers() {
        assert_eq!(cursor(&[0x01]).varint("n").unwrap(), 0);
        assert_eq!(cursor(&[0xff]).varint("n").unwrap(), 127);
        assert_eq!(cursor(&[0x02, 0x02]).varint("n").unwrap(), 128);
        assert_eq!(cursor(&[0, 255, 255, 255, 255, 255, 255, 255, 255]).varint("n").unwrap(), u64::MAX);
        assert_eq!(cursor(&[0x80, 1, 0, 0, 0, 0, 0, 0]).varint("n").unwrap(), 1);
        assert_eq!(cursor(&[0x01]).signed("n").unwrap(), 0);
        assert_eq!(cursor(&[0x03]).signed("n").unwrap(), -1);
        assert_eq!(cursor(&[0x05]).signed("n").unwrap(), 1);
        assert_eq!(cursor(&[0x07]).flagged("n").unwrap(), (1, true));
        // i32 -1 and i64 -1 as the format writes them.
        assert_eq!(cursor(&[0xd0, 0xff, 0xff, 0xff, 0x3f]).integer(32, "n").unwrap(), 0xffff_ffff);
        assert_eq!(cursor(&[0x03]).integer(64, "n").unwrap(), u128::from(u64::MAX));
        assert_eq!(cursor(&[0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x80]).double("n").unwrap(), -1.5);
    }

    #[test]
    fn ends_are_errors_with_their_place() {
        for bytes in [&[][..], &[0x02], &[0x00, 1, 2, 3]] {
            let error = cursor(bytes).varint("the number").unwrap_err();
            assert_eq!((error.code, error.offset), ("bytecode/truncated", 100));
        }
        assert_eq!(cursor(&[0x09, 1, 2]).blob("the blob").unwrap_err().offset, 101);
        assert_eq!(cursor(b"abc").c_string("the producer").unwrap_err().code, "bytecode/truncated");
        assert_eq!(cursor(&[0xff]).count("the number of ops").unwrap_err().code, "bytecode/truncated");
        assert_eq!(cursor(&[1]).finish("the section").unwrap_err().code, "bytecode/trailing-bytes");
    }
}
