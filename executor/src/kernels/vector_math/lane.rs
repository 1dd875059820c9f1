//! Floats of 16 and 32 bits as lanes of `f32`.

/// A float in storage form that is computed with as an `f32`.
pub trait Lane: Copy + Send + Sync + 'static {
    /// The value, exactly.
    fn widen(self) -> f32;
    /// The nearest value, ties to even.
    fn narrow(value: f32) -> Self;
    /// The same for what has been computed: NaN is the interpreter's.
    fn result(value: f32) -> Self;
}

impl Lane for f32 {
    #[inline(always)]
    fn widen(self) -> f32 {
        self
    }
    #[inline(always)]
    fn narrow(value: f32) -> Self {
        value
    }
    #[inline(always)]
    fn result(value: f32) -> Self {
        // Where the compiler knows of another NaN, it may leave that.
        if value.is_nan() { f32::NAN } else { value }
    }
}

/// The bits of a `bf16`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Bf16(pub u16);

impl Lane for Bf16 {
    #[inline(always)]
    fn widen(self) -> f32 {
        f32::from_bits(u32::from(self.0) << 16)
    }
    #[inline(always)]
    fn narrow(value: f32) -> Self {
        let bits = value.to_bits();
        let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1));
        // NaN keeps its sign and nothing else.
        let bits = if value.is_nan() { (bits & 0x8000_0000) | 0x7fc0_0000 } else { rounded };
        Bf16((bits >> 16) as u16)
    }
    #[inline(always)]
    fn result(value: f32) -> Self {
        let bits = value.to_bits();
        let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1));
        Bf16((if value.is_nan() { 0x7fc0_0000 } else { rounded } >> 16) as u16)
    }
}

/// The bits of an `f16`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct F16(pub u16);

impl Lane for F16 {
    #[inline(always)]
    fn widen(self) -> f32 {
        let sign = (u32::from(self.0) & 0x8000) << 16;
        let magnitude = (u32::from(self.0) & 0x7fff) << 13;
        // As bits of an f32 the number is 2^112 times too small; subnormal ones come right by the same product.
        let scaled = f32::from_bits(magnitude) * f32::from_bits((112 + 127) << 23);
        let bits = if magnitude >= 0x0f80_0000 { magnitude | 0x7f80_0000 } else { scaled.to_bits() };
        f32::from_bits(sign | bits)
    }
    #[inline(always)]
    fn narrow(value: f32) -> Self {
        let bits = value.to_bits();
        let sign = (bits >> 16) & 0x8000;
        let magnitude = bits & 0x7fff_ffff;
        let is_nan = magnitude > 0x7f80_0000;
        // Beyond 2^16 all is infinite; the largest numbers below carry into infinity by themselves.
        let limited = if magnitude > 0x4780_0000 { 0x4780_0000 } else { magnitude };
        let normal = limited.wrapping_add(0xfff + ((limited >> 13) & 1)).wrapping_sub((127 - 15) << 23) >> 13;
        // Beside one half the lowest bit of an f32 has the place of f16's lowest subnormal bit.
        let subnormal = (f32::from_bits(limited) + 0.5).to_bits().wrapping_sub(0.5f32.to_bits());
        let rounded = if limited < 0x3880_0000 { subnormal } else { normal };
        F16((sign | if is_nan { 0x7e00 } else { rounded }) as u16)
    }
    #[inline(always)]
    fn result(value: f32) -> Self {
        F16(if value.is_nan() { 0x7e00 } else { F16::narrow(value).0 })
    }
}
