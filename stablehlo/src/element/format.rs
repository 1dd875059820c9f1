//! The bit layouts of floating-point formats, and exact decoding and rounding in terms of them.

/// Which bit patterns of a format are not finite numbers.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NonFinite {
    /// Largest exponent: infinity with a zero mantissa, NaN otherwise (IEEE 754).
    Ieee,
    /// No infinity; NaN has all exponent and mantissa bits set (`…FN`, and `f8E8M0FNU`).
    NanOnes,
    /// No infinity and no negative zero, whose bit pattern is the only NaN (`…FNUZ`).
    NanNegativeZero,
    /// Neither infinity nor NaN (`f4…FN`, `f6…FN`).
    Nothing,
}

/// A floating-point format: sign bit, exponent bits, mantissa bits from the top; the value of a normal pattern is
/// `±1.mantissa × 2^(exponent − bias)`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct FloatFormat {
    /// MLIR spelling of the type.
    pub name: &'static str,
    /// Width of the whole pattern.
    pub bits: u32,
    /// Width of the exponent field.
    pub exponent_bits: u32,
    /// Width of the fraction, not counting the leading bit, hidden or explicit.
    pub mantissa_bits: u32,
    /// What the exponent field is ahead of the exponent.
    pub bias: i32,
    /// Whether there is a sign bit.
    pub signed: bool,
    /// Whether exponent field 0 means zero and subnormals; without, it is an ordinary power of two (`f8E8M0FNU`).
    pub has_zero: bool,
    /// Whether the leading bit of the significand is stored (`f80` only).
    pub explicit_leading_bit: bool,
    /// The patterns that are infinities and NaNs.
    pub non_finite: NonFinite,
}

/// What a bit pattern means.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Decoded {
    /// Not a number.
    Nan {
        /// The sign bit, where the format's NaN has one.
        negative: bool,
    },
    /// An infinity.
    Infinity {
        /// The sign bit.
        negative: bool,
    },
    /// Zero or a finite number: `significand × 2^exponent`.
    Finite {
        /// The sign bit; zeros have one too.
        negative: bool,
        /// Zero for zeros, otherwise not normalised.
        significand: u128,
        /// Power of two of the significand's lowest bit.
        exponent: i32,
    },
}

const fn ieee_like(name: &'static str, exponent_bits: u32, mantissa_bits: u32) -> FloatFormat {
    FloatFormat {
        name,
        bits: 1 + exponent_bits + mantissa_bits,
        exponent_bits,
        mantissa_bits,
        bias: (1 << (exponent_bits - 1)) - 1,
        signed: true,
        has_zero: true,
        explicit_leading_bit: false,
        non_finite: NonFinite::Ieee,
    }
}

const fn with(base: FloatFormat, bias: i32, non_finite: NonFinite) -> FloatFormat {
    FloatFormat { bias, non_finite, ..base }
}

impl FloatFormat {
    /// 4 bits, largest value 6.
    pub const F4E2M1FN: FloatFormat = with(ieee_like("f4E2M1FN", 2, 1), 1, NonFinite::Nothing);
    /// 6 bits, largest value 7.5.
    pub const F6E2M3FN: FloatFormat = with(ieee_like("f6E2M3FN", 2, 3), 1, NonFinite::Nothing);
    /// 6 bits, largest value 28.
    pub const F6E3M2FN: FloatFormat = with(ieee_like("f6E3M2FN", 3, 2), 3, NonFinite::Nothing);
    /// 8 bits, IEEE-like, largest value 15.5.
    pub const F8E3M4: FloatFormat = ieee_like("f8E3M4", 3, 4);
    /// 8 bits, IEEE-like, largest value 240.
    pub const F8E4M3: FloatFormat = ieee_like("f8E4M3", 4, 3);
    /// 8 bits, bias 11, largest value 30.
    pub const F8E4M3B11FNUZ: FloatFormat = with(ieee_like("f8E4M3B11FNUZ", 4, 3), 11, NonFinite::NanNegativeZero);
    /// 8 bits, largest value 448.
    pub const F8E4M3FN: FloatFormat = with(ieee_like("f8E4M3FN", 4, 3), 7, NonFinite::NanOnes);
    /// 8 bits, bias 8, largest value 240.
    pub const F8E4M3FNUZ: FloatFormat = with(ieee_like("f8E4M3FNUZ", 4, 3), 8, NonFinite::NanNegativeZero);
    /// 8 bits, IEEE-like, largest value 57344.
    pub const F8E5M2: FloatFormat = ieee_like("f8E5M2", 5, 2);
    /// 8 bits, bias 16, largest value 57344.
    pub const F8E5M2FNUZ: FloatFormat = with(ieee_like("f8E5M2FNUZ", 5, 2), 16, NonFinite::NanNegativeZero);
    /// 8 bits, an unsigned power of two from 2^−127 to 2^127, no zero.
    pub const F8E8M0FNU: FloatFormat = FloatFormat {
        name: "f8E8M0FNU",
        bits: 8,
        exponent_bits: 8,
        mantissa_bits: 0,
        bias: 127,
        signed: false,
        has_zero: false,
        explicit_leading_bit: false,
        non_finite: NonFinite::NanOnes,
    };
    /// The upper half of `f32`.
    pub const BF16: FloatFormat = ieee_like("bf16", 8, 7);
    /// IEEE 754 binary16.
    pub const F16: FloatFormat = ieee_like("f16", 5, 10);
    /// 19 bits: the exponent of `f32` with the mantissa of `f16`. Not storable.
    pub const TF32: FloatFormat = ieee_like("tf32", 8, 10);
    /// IEEE 754 binary32.
    pub const F32: FloatFormat = ieee_like("f32", 8, 23);
    /// IEEE 754 binary64.
    pub const F64: FloatFormat = ieee_like("f64", 11, 52);
    /// The extended format of x87, whose leading significand bit is stored. Not a StableHLO type.
    pub const F80: FloatFormat = FloatFormat { bits: 80, explicit_leading_bit: true, ..ieee_like("f80", 15, 63) };
    /// IEEE 754 binary128. Not a StableHLO type.
    pub const F128: FloatFormat = ieee_like("f128", 15, 112);

    /// Whether the format has a NaN.
    pub const fn has_nan(&self) -> bool {
        !matches!(self.non_finite, NonFinite::Nothing)
    }

    /// Significand bits with the leading one.
    pub const fn precision(&self) -> u32 {
        self.mantissa_bits + 1
    }

    /// All bits of a pattern set.
    pub const fn bit_mask(&self) -> u128 {
        u128::MAX >> (128 - self.bits)
    }

    /// The sign bit alone; 0 in a format without sign.
    pub const fn sign_bit(&self) -> u128 {
        if self.signed { 1 << (self.bits - 1) } else { 0 }
    }

    /// The smallest positive number.
    pub const fn min_positive(&self) -> u128 {
        self.has_zero as u128
    }

    /// Power of two of the lowest bit of the smallest positive number.
    pub const fn min_exponent(&self) -> i32 {
        if self.has_zero { 1 - self.bias - self.mantissa_bits as i32 } else { -self.bias }
    }

    /// The *code* of the largest finite number. A code is a pattern without sign and without an explicit leading bit;
    /// codes are ordered as the numbers are.
    const fn max_finite_code(&self) -> u128 {
        let end = 1u128 << (self.exponent_bits + self.mantissa_bits);
        match self.non_finite {
            NonFinite::Ieee => end - (1 << self.mantissa_bits) - 1,
            NonFinite::NanOnes => end - 2,
            NonFinite::NanNegativeZero | NonFinite::Nothing => end - 1,
        }
    }

    /// The pattern with this code and sign.
    const fn pattern(&self, negative: bool, code: u128) -> u128 {
        let sign = if negative { self.sign_bit() } else { 0 };
        if !self.explicit_leading_bit {
            return sign | code;
        }
        let exponent = code >> self.mantissa_bits;
        let fraction = code & ((1 << self.mantissa_bits) - 1);
        let leading = if exponent != 0 { 1u128 << self.mantissa_bits } else { 0 };
        sign | (exponent << (self.mantissa_bits + 1)) | leading | fraction
    }

    /// The largest finite number with this sign.
    pub const fn max_finite(&self, negative: bool) -> u128 {
        self.pattern(negative, self.max_finite_code())
    }

    /// The zero with this sign; `FNUZ` formats have one zero only, and `f8E8M0FNU` answers with its smallest number.
    pub const fn zero(&self, negative: bool) -> u128 {
        self.pattern(negative && !matches!(self.non_finite, NonFinite::NanNegativeZero), 0)
    }

    /// The infinity with this sign, if there is one.
    pub const fn infinity(&self, negative: bool) -> Option<u128> {
        match self.non_finite {
            NonFinite::Ieee => Some(self.pattern(negative, self.max_finite_code() + 1)),
            _ => None,
        }
    }

    /// The quiet NaN. Where there is none the answer is the sign bit alone, the negative zero that stands in for it.
    pub const fn nan(&self, negative: bool) -> u128 {
        match self.non_finite {
            NonFinite::Ieee => {
                let quiet = 1u128 << (self.mantissa_bits - 1);
                self.pattern(negative, (self.max_finite_code() + 1) | quiet)
            }
            NonFinite::NanOnes => self.pattern(negative, self.max_finite_code() + 1),
            NonFinite::NanNegativeZero | NonFinite::Nothing => self.sign_bit(),
        }
    }

    /// What becomes of a finite number beyond the largest one: infinity, else NaN, else the largest number.
    pub const fn overflow(&self, negative: bool) -> u128 {
        match self.non_finite {
            NonFinite::Ieee => self.pattern(negative, self.max_finite_code() + 1),
            NonFinite::NanOnes | NonFinite::NanNegativeZero => self.nan(negative),
            NonFinite::Nothing => self.max_finite(negative),
        }
    }

    /// What a bit pattern means. Bits above the format's width are ignored.
    pub const fn decode(&self, bits: u128) -> Decoded {
        let bits = bits & self.bit_mask();
        let negative = bits & self.sign_bit() != 0;
        let magnitude = bits & !self.sign_bit();
        let mantissa_mask = (1u128 << self.mantissa_bits) - 1;
        let mantissa = magnitude & mantissa_mask;
        let exponent_shift = self.mantissa_bits + self.explicit_leading_bit as u32;
        let exponent = (magnitude >> exponent_shift) as i32;
        let max_exponent = (1 << self.exponent_bits) - 1;
        let is_max = exponent == max_exponent;
        match self.non_finite {
            NonFinite::Ieee if is_max && mantissa == 0 => return Decoded::Infinity { negative },
            NonFinite::Ieee if is_max => return Decoded::Nan { negative },
            NonFinite::NanOnes if is_max && mantissa == mantissa_mask => {
                return Decoded::Nan { negative };
            }
            NonFinite::NanNegativeZero if negative && magnitude == 0 => {
                return Decoded::Nan { negative: false };
            }
            _ => {}
        }
        let min_exponent = self.min_exponent();
        if !self.has_zero {
            return Decoded::Finite { negative, significand: 1, exponent: min_exponent + exponent };
        }
        let leading = if self.explicit_leading_bit {
            magnitude & (1 << self.mantissa_bits)
        } else if exponent == 0 {
            0
        } else {
            1 << self.mantissa_bits
        };
        let above = if exponent > 0 { exponent - 1 } else { 0 };
        Decoded::Finite { negative, significand: leading | mantissa, exponent: min_exponent + above }
    }

    /// The number `±significand × 2^exponent` rounded once, to nearest and ties to even (in `f8E8M0FNU` that is: ties
    /// up). Too large numbers give [`FloatFormat::overflow`], too small ones a zero or, where there is no zero, the
    /// smallest number. `sticky` says that the exact number lies strictly between this significand and the next; the
    /// significand must then have at least two bits more than [`FloatFormat::precision`]. A format without sign
    /// ignores `negative`.
    pub const fn round(&self, negative: bool, significand: u128, exponent: i32, sticky: bool) -> u128 {
        if significand == 0 {
            return self.zero(negative);
        }
        let length = (128 - significand.leading_zeros()) as i32;
        let min_unit = self.min_exponent();
        // Power of two of the result's lowest bit. 64-bit so that no exponent can overflow.
        let natural = exponent as i64 + (length - self.precision() as i32) as i64;
        let unit = if natural > min_unit as i64 { natural } else { min_unit as i64 };
        let shift = unit - exponent as i64;
        let mut quotient = shift_right_nearest_even(significand, shift, sticky);
        if !self.has_zero {
            quotient = if quotient == 0 { 0 } else { quotient - 1 };
        }
        let steps = unit - min_unit as i64;
        if steps > 1 << self.exponent_bits {
            return self.overflow(negative);
        }
        // A carry out of the mantissa moves into the exponent by itself.
        self.encode(negative, ((steps as u128) << self.mantissa_bits) + quotient)
    }

    /// The pattern of a rounded number: its code, if that is one of a number, else what overflow gives.
    #[inline]
    pub(super) const fn encode(&self, negative: bool, code: u128) -> u128 {
        if code > self.max_finite_code() {
            self.overflow(negative)
        } else if code == 0 {
            self.zero(negative)
        } else {
            self.pattern(negative, code)
        }
    }

    /// What the pattern `bits` of the format `from` means, rounded once to this format. Infinities become
    /// [`FloatFormat::overflow`], NaN keeps its sign where it can.
    pub const fn convert(&self, bits: u128, from: &FloatFormat) -> u128 {
        match from.decode(bits) {
            Decoded::Nan { negative } => self.nan(negative),
            Decoded::Infinity { negative } => self.overflow(negative),
            Decoded::Finite { negative, significand, exponent } => self.round(negative, significand, exponent, false),
        }
    }

    /// What a bit pattern means as f64, rounded where the format is wider.
    pub const fn to_f64(&self, bits: u128) -> f64 {
        f64::from_bits(FloatFormat::F64.convert(bits, self) as u64)
    }
}

/// `value × 2^−shift` to the nearest integer, ties to even; a negative shift goes left and must fit.
const fn shift_right_nearest_even(value: u128, shift: i64, sticky: bool) -> u128 {
    if shift <= 0 {
        return value << -shift;
    }
    if shift > 128 {
        return 0;
    }
    let quotient = if shift == 128 { 0 } else { value >> shift };
    let half = 1u128 << (shift - 1);
    let rest = value & (half | (half - 1));
    let above = rest > half || (rest == half && (sticky || quotient & 1 == 1));
    quotient + above as u128
}
