//! Decimal digits of a binary number, cut the way MLIR's printer cuts them.

use super::bignum::Natural;

/// Up to 40 decimal digits, `0.d₀d₁… × 10^(exponent + len)`, that is: `exponent` belongs to the last digit.
pub(super) struct Digits {
    buffer: [u8; 40],
    start: usize,
    end: usize,
    /// Power of ten of the last digit.
    pub(super) exponent: i32,
}

impl Digits {
    /// ASCII digits, most significant first; neither the first nor the last is `0`.
    pub(super) fn text(&self) -> &str {
        str::from_utf8(&self.buffer[self.start..self.end]).unwrap_or_default()
    }

    fn new(number: u128, exponent: i32, n: u32) -> Digits {
        let mut digits = Digits { buffer: [0; 40], start: 40, end: 40, exponent };
        digits.fill(number);
        digits.strip_zeros();
        if digits.len() > n as usize {
            digits.round_half_up(n as usize);
        }
        digits
    }

    fn len(&self) -> usize {
        self.end - self.start
    }

    fn fill(&mut self, mut number: u128) {
        while number > u128::from(u64::MAX) {
            self.push_front((number % 10) as u8);
            number /= 10;
        }
        let mut number = number as u64;
        while number > 0 {
            self.push_front((number % 10) as u8);
            number /= 10;
        }
    }

    fn push_front(&mut self, digit: u8) {
        self.start -= 1;
        self.buffer[self.start] = b'0' + digit;
    }

    fn drop_last(&mut self) {
        self.end -= 1;
        self.exponent += 1;
    }

    fn strip_zeros(&mut self) {
        while self.len() > 1 && self.buffer[self.end - 1] == b'0' {
            self.drop_last();
        }
    }

    fn round_half_up(&mut self, n: usize) {
        while self.len() > n + 1 {
            self.drop_last();
        }
        let up = self.buffer[self.end - 1] >= b'5';
        self.drop_last();
        if up {
            // Nines become zeros, which would be stripped.
            while self.len() > 0 && self.buffer[self.end - 1] == b'9' {
                self.drop_last();
            }
            if self.len() > 0 {
                self.buffer[self.end - 1] += 1;
            } else {
                self.buffer[self.end] = b'1';
                self.end += 1;
            }
        }
        self.strip_zeros();
    }
}

/// A binary number as a whole number times a power of ten, cut to about as many digits as will be asked for.
pub(super) struct Scaled {
    number: u128,
    /// Power of ten of `number`.
    exponent: i32,
    /// Bits before anything was cut.
    bits: u64,
    /// Decimal digits that were cut.
    tens: u32,
}

/// How many decimal digits a number of this many bits has to lose for `n` digits to remain, or a few more.
fn tens_beyond(bits: u64, n: u32) -> u32 {
    let wanted = u64::from((n * 196).div_ceil(59));
    (bits.saturating_sub(wanted) * 59 / 196) as u32
}

impl Scaled {
    /// `significand × 2^exponent`, not zero, for at most `most` digits, at most 36.
    pub(super) fn new(significand: u128, exponent: i32, most: u32) -> Scaled {
        let twos = significand.trailing_zeros();
        let (odd, exponent) = (significand >> twos, exponent + twos as i32);
        if exponent < 0 {
            // The common case, in one machine word pair: every f32 above 2^-21 and shorter types.
            let five = 5u128.checked_pow(exponent.unsigned_abs());
            if let Some(number) = five.and_then(|five| five.checked_mul(odd)) {
                let bits = u64::from(128 - number.leading_zeros());
                return Scaled { number, exponent, bits, tens: 0 };
            }
        }
        let mut number = Natural::new(odd);
        if exponent > 0 {
            number.shift_left(exponent.unsigned_abs());
        } else {
            number.multiply_pow5(exponent.unsigned_abs());
        }
        let bits = number.bit_length();
        let tens = tens_beyond(bits, most);
        number.shift_right(u64::from(tens));
        number.divide_pow5(tens);
        Scaled { number: number.low_u128(), exponent: exponent.min(0) + tens as i32, bits, tens }
    }

    /// The shortest digits with at most `n` of them. Whole decimal digits beyond about `n` are cut off first; what is
    /// still too long is rounded half up.
    pub(super) fn digits(&self, n: u32) -> Digits {
        let tens = tens_beyond(self.bits, n).saturating_sub(self.tens);
        let divisor = 10u128.pow(tens);
        let number = match (u64::try_from(self.number), u64::try_from(divisor)) {
            (Ok(number), Ok(divisor)) => u128::from(number / divisor),
            _ => self.number / divisor,
        };
        Digits::new(number, self.exponent + tens as i32, n)
    }
}
