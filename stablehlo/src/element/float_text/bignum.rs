//! Natural numbers of any size, with the four operations that decimal conversion needs.

use smallvec::SmallVec;

/// 5^27, the largest power of five below 2^64.
const FIVE_POW_27: u64 = 7_450_580_596_923_828_125;

/// A natural number: 64-bit limbs, lowest first, no zero limb at the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Natural {
    limbs: SmallVec<[u64; 8]>,
}

impl Natural {
    pub(super) fn new(value: u128) -> Natural {
        let mut natural = Natural { limbs: SmallVec::new() };
        natural.limbs.extend([value as u64, (value >> 64) as u64]);
        natural.trim();
        natural
    }

    fn trim(&mut self) {
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
    }

    /// Number of bits up to the highest one set.
    pub(super) fn bit_length(&self) -> u64 {
        match self.limbs.last() {
            Some(top) => self.limbs.len() as u64 * 64 - u64::from(top.leading_zeros()),
            None => 0,
        }
    }

    /// `self * factor + addend`.
    pub(super) fn multiply_add(&mut self, factor: u64, addend: u64) {
        let mut carry = addend;
        for limb in &mut self.limbs {
            let product = u128::from(*limb) * u128::from(factor) + u128::from(carry);
            *limb = product as u64;
            carry = (product >> 64) as u64;
        }
        if carry != 0 {
            self.limbs.push(carry);
        }
    }

    /// Divides, rounding down; true if there was a remainder.
    fn divide(&mut self, divisor: u64) -> bool {
        let mut rest = 0u64;
        for limb in self.limbs.iter_mut().rev() {
            let part = (u128::from(rest) << 64) | u128::from(*limb);
            *limb = (part / u128::from(divisor)) as u64;
            rest = (part % u128::from(divisor)) as u64;
        }
        self.trim();
        rest != 0
    }

    /// `self * 5^power`.
    pub(super) fn multiply_pow5(&mut self, power: u32) {
        for _ in 0..power / 27 {
            self.multiply_add(FIVE_POW_27, 0);
        }
        self.multiply_add(5u64.pow(power % 27), 0);
    }

    /// `self / 5^power` rounded down; true if there was a remainder.
    pub(super) fn divide_pow5(&mut self, power: u32) -> bool {
        let mut inexact = false;
        for _ in 0..power / 27 {
            inexact |= self.divide(FIVE_POW_27);
        }
        inexact | self.divide(5u64.pow(power % 27))
    }

    /// `self * 2^count`.
    pub(super) fn shift_left(&mut self, count: u32) {
        if self.limbs.is_empty() {
            return;
        }
        self.multiply_add(1 << (count % 64), 0);
        let limbs = (count / 64) as usize;
        self.limbs.insert_many(0, std::iter::repeat_n(0, limbs));
    }

    /// `self / 2^count` rounded down, and whether there was a remainder.
    pub(super) fn shift_right(&mut self, count: u64) -> bool {
        let limbs = ((count / 64) as usize).min(self.limbs.len());
        let mut inexact = self.limbs.drain(..limbs).any(|limb| limb != 0);
        let bits = (count % 64) as u32;
        if bits != 0 {
            inexact |= self.limbs.first().is_some_and(|low| low << (64 - bits) != 0);
            let mut above = 0;
            for limb in self.limbs.iter_mut().rev() {
                let low = *limb;
                *limb = (low >> bits) | above;
                above = low << (64 - bits);
            }
        }
        self.trim();
        inexact
    }

    /// The lowest 128 bits.
    pub(super) fn low_u128(&self) -> u128 {
        let limb = |at: usize| u128::from(self.limbs.get(at).copied().unwrap_or(0));
        limb(0) | (limb(1) << 64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_five_go_in_and_out() {
        let mut n = Natural::new(123_456_789);
        n.multiply_pow5(200);
        assert_eq!(n.bit_length(), 492); // 26.88 + 200 × 2.3219 = 491.3
        n.shift_left(77);
        assert_eq!(n.bit_length(), 569);
        assert!(!n.divide_pow5(200));
        assert!(!n.shift_right(77));
        assert_eq!(n.low_u128(), 123_456_789);
        assert!(n.shift_right(3));
        assert_eq!(n.low_u128(), 123_456_789 / 8);
        assert!(n.divide_pow5(1));
        assert_eq!(n.low_u128(), 123_456_789 / 40);
    }

    #[test]
    fn shifting_everything_out_leaves_nothing() {
        let mut n = Natural::new(1 << 100);
        assert!(n.shift_right(400));
        assert_eq!(n.bit_length(), 0);
        n.shift_left(64);
        assert_eq!(n, Natural::new(0));
    }
}
