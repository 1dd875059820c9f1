//! The `quant` dialect's types.

use smallvec::SmallVec;

use super::error::{Checked, PResult, SyntaxError, fault};
use super::lexical::{self, Input, accept, int64, separated, separated_until, skip};
use super::numbers::{accept_signed_number, f64_literal, float_literal};
use super::{Parser, punct};
use crate::element::FloatFormat;
use crate::ir::{F64, QuantizationParameters, QuantizedType, ScaleZeroPoint, Signedness, StorageType, Type, TypeId};

impl<'s> Parser<'s> {
    /// quant-type: `uniform<…> | any<…> | calibrated<…>`, after `!quant.`
    pub(super) fn quant_type(&mut self, i: Input<'s>, at: Input<'s>) -> PResult<'s, TypeId> {
        let (i, name) = lexical::bare_id(i)?;
        match name {
            b"uniform" => self.uniform_type(i, at),
            b"any" => self.any_quantized_type(i),
            b"calibrated" => self.calibrated_type(i),
            _ => {
                let message = format!("unknown type `{}` in dialect `quant`", String::from_utf8_lossy(name));
                Err(fault(at, "parse/unknown-type", message))
            }
        }
    }

    /// any-type: `any '<' storage (':' expressed)? '>'`
    fn any_quantized_type(&mut self, i: Input<'s>) -> PResult<'s, TypeId> {
        let (i, ()) = punct!(i, "<")?;
        let (mut i, storage) = self.storage_type(i)?;
        let mut expressed = None;
        if let Some(rest) = accept(i, ":") {
            let (rest, ty) = self.expressed_type(rest)?;
            expressed = Some(ty);
            i = rest;
        }
        let (i, ()) = punct!(i, ">")?;
        Ok((i, self.module.intern_type(Type::AnyQuantized { storage, expressed })))
    }

    /// calibrated-type: `calibrated '<' expressed '<' min ':' max '>' '>'`
    fn calibrated_type(&mut self, i: Input<'s>) -> PResult<'s, TypeId> {
        let (i, ()) = punct!(i, "<")?;
        let (i, expressed) = self.expressed_type(i)?;
        let (i, ()) = punct!(i, "<")?;
        let at = i;
        let (i, min) = f64_literal(i)?;
        let (i, ()) = punct!(i, ":")?;
        let (i, max) = f64_literal(i)?;
        let (i, ()) = punct!(i, ">")?;
        let (i, ()) = punct!(i, ">")?;
        if min > max {
            return Err(fault(at, "parse/invalid-quantized-type", format!("illegal min and max: ({min}:{max})")));
        }
        let ty = Type::CalibratedQuantized { expressed, min: F64::new(min), max: F64::new(max) };
        Ok((i, self.module.intern_type(ty)))
    }

    /// storage-type: `(i | u | si | ui) width ('<' min ':' max '>')?`, or a small float.
    fn storage_type(&mut self, i: Input<'s>) -> PResult<'s, StorageType> {
        let at = skip(i);
        let (i, word) = lexical::bare_id(at)?;
        let unsigned_short = match word {
            [b'u', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => Some(digits),
            _ => None,
        };
        let (i, ty, signed) = match unsigned_short.and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok()) {
            Some(width) => {
                let ty = self.module.intern_type(Type::Integer { width, signedness: Signedness::Signless });
                (i, ty, false)
            }
            None => {
                let (i, ty) = self.non_function_type(at)?;
                let unsigned = matches!(self.module.ty(ty), Type::Integer { signedness: Signedness::Unsigned, .. });
                (i, ty, !unsigned)
            }
        };
        let (low, high) = match self.module.ty(ty) {
            Type::Integer { width: 0, .. } | Type::Integer { width: 33.., .. } => {
                return Err(fault(at, "parse/invalid-quantized-type", "illegal storage type size"));
            }
            Type::Integer { .. } => self.module.storage_range(ty, signed),
            Type::Float(kind) if kind.format().bits <= 8 => self.module.storage_range(ty, signed),
            _ => None,
        }
        .ok_or_else(|| fault(at, "parse/invalid-quantized-type", "illegal storage type"))?;
        let mut storage = StorageType { ty, signed, min: low, max: high };
        let Some(rest) = accept(i, "<") else {
            return Ok((i, storage));
        };
        let range_at = rest;
        let (rest, min) = int64(rest)?;
        let (rest, ()) = punct!(rest, ":")?;
        let (rest, max) = int64(rest)?;
        let (rest, ()) = punct!(rest, ">")?;
        if min < low || max > high || min >= max {
            let message = format!("illegal storage range {min}:{max}, the type holds {low} to {high}");
            return Err(fault(range_at, "parse/invalid-quantized-type", message));
        }
        (storage.min, storage.max) = (min, max);
        Ok((rest, storage))
    }

    /// expressed-type: a float.
    fn expressed_type(&mut self, i: Input<'s>) -> PResult<'s, TypeId> {
        let at = i;
        let (i, ty) = self.non_function_type(i)?;
        match self.module.ty(ty) {
            Type::Float(_) => Ok((i, ty)),
            _ => Err(fault(at, "parse/invalid-quantized-type", "expressed type must be a float type")),
        }
    }

    /// uniform-type: `uniform '<' storage ':' expressed (':' axis-spec)? ',' scales '>'`
    fn uniform_type(&mut self, i: Input<'s>, at: Input<'s>) -> PResult<'s, TypeId> {
        let (i, ()) = punct!(i, "<")?;
        let (i, storage) = self.storage_type(i)?;
        let (i, ()) = punct!(i, ":")?;
        let (i, expressed) = self.expressed_type(i)?;
        let format = match self.module.ty(expressed) {
            Type::Float(kind) => kind.format(),
            _ => return Err(fault(at, "parse/invalid-quantized-type", "expressed type must be a float type")),
        };
        let (i, parameters) = match accept(i, ":") {
            None => {
                let (i, ()) = punct!(i, ",")?;
                let (i, entry) = scale_and_zero_point(i, format)?;
                (i, QuantizationParameters::PerTensor(entry))
            }
            Some(rest) if lexical::peek(rest) == b'{' => sub_channel(rest, format)?,
            Some(rest) => per_axis(rest, format)?,
        };
        let (i, ()) = punct!(i, ">")?;
        let ty = QuantizedType { storage, expressed, parameters };
        Ok((i, self.module.intern_type(Type::Quantized(Box::new(ty)))))
    }
}

/// `axis, {scale:zero, …}`
fn per_axis<'s>(i: Input<'s>, format: &FloatFormat) -> PResult<'s, QuantizationParameters> {
    let at = i;
    let (i, dimension) = int64(i)?;
    let Ok(dimension) = i32::try_from(dimension) else {
        return Err(fault(at, "parse/invalid-quantized-type", "quantized dimension does not fit 32 bits"));
    };
    let (i, ()) = punct!(i, ",")?;
    let (i, ()) = punct!(i, "{")?;
    let mut entries = Vec::new();
    let (i, ()) = separated(i, |i| {
        let (i, entry) = scale_and_zero_point(i, format)?;
        entries.push(entry);
        Ok((i, ()))
    })?;
    let (i, ()) = punct!(i, "}")?;
    Ok((i, QuantizationParameters::PerAxis { dimension, entries: entries.into() }))
}

/// `{axis:block, …}, {{scale:zero, …}, …}`: the table is nested once per level of brackets.
fn sub_channel<'s>(i: Input<'s>, format: &FloatFormat) -> PResult<'s, QuantizationParameters> {
    let (i, ()) = punct!(i, "{")?;
    let mut blocks = Vec::new();
    let (i, ()) = separated_until(i, "}", "`}`", |at| {
        let (i, axis) = int64(at)?;
        let (i, ()) = punct!(i, ":")?;
        let (i, block) = int64(i)?;
        match i32::try_from(axis) {
            Ok(axis) if axis >= 0 && block > 0 => blocks.push((axis, block)),
            _ => {
                let message = "block sizes must be positive, axes not negative";
                return Err(fault(at, "parse/invalid-quantized-type", message));
            }
        }
        Ok((i, ()))
    })?;
    let (i, ()) = punct!(i, ",")?;
    let mut table = Table { shape: SmallVec::new(), entries: Vec::new() };
    let (i, ()) = table.level(i, format, 0)?;
    let shape = table.shape.iter().map(|size| size.unwrap_or(0)).collect();
    Ok((i, QuantizationParameters::SubChannel { blocks: blocks.into(), shape, entries: table.entries.into() }))
}

/// The nested braces of scales.
struct Table {
    /// Sizes as far as known, by level.
    shape: SmallVec<[Option<i64>; 4]>,
    entries: Vec<ScaleZeroPoint>,
}

/// Deepest nesting of a table of scales.
const MAX_TABLE_RANK: usize = 64;

impl Table {
    fn level<'s>(&mut self, i: Input<'s>, format: &FloatFormat, level: usize) -> PResult<'s, ()> {
        let at = i;
        let (mut i, ()) = punct!(i, "{")?;
        if level >= MAX_TABLE_RANK {
            return Err(fault(at, "parse/too-deep", "too many levels of scales"));
        }
        if self.shape.len() == level {
            self.shape.push(None);
        }
        let mut size = 0;
        loop {
            if lexical::peek(i) == b'{' {
                if level + 1 == self.shape.len() && !self.entries.is_empty() {
                    return Err(ragged(i));
                }
                (i, ()) = self.level(i, format, level + 1)?;
            } else {
                if level + 1 != self.shape.len() {
                    return Err(ragged(i));
                }
                let (rest, entry) = rounded_scale_and_zero_point(i, format)?;
                self.entries.push(entry);
                i = rest;
            }
            size += 1;
            match accept(i, ",") {
                Some(rest) => i = rest,
                None => break,
            }
        }
        match self.shape[level] {
            Some(known) if known != size => return Err(ragged(at)),
            _ => self.shape[level] = Some(size),
        }
        punct!(i, "}")
    }
}

fn ragged(at: Input<'_>) -> nom::Err<SyntaxError<'_>> {
    fault(at, "parse/invalid-quantized-type", "the table of scales must be rectangular")
}

/// scale-and-zero-point: `scale (':' zero-point)?`, the scale in f64 and in the range of the expressed type.
fn scale_and_zero_point<'s>(i: Input<'s>, format: &FloatFormat) -> PResult<'s, ScaleZeroPoint> {
    let at = skip(i);
    let (i, scale) = f64_literal(i)?;
    check_scale(at, scale, format)?;
    zero_point(i, scale)
}

/// scale-and-zero-point whose scale is rounded to the expressed type.
fn rounded_scale_and_zero_point<'s>(i: Input<'s>, format: &FloatFormat) -> PResult<'s, ScaleZeroPoint> {
    let at = skip(i);
    let (rest, exact) = f64_literal(at)?;
    check_scale(at, exact, format)?;
    let bits = match accept_signed_number(at) {
        // A bit pattern is one of f64.
        Some((_, _, lexical::Number::Integer(_))) => format.convert(u128::from(exact.to_bits()), &FloatFormat::F64),
        _ => float_literal(at, format)?.1,
    };
    zero_point(rest, format.to_f64(bits))
}

fn zero_point(i: Input<'_>, scale: f64) -> PResult<'_, ScaleZeroPoint> {
    let (i, zero_point) = match accept(i, ":") {
        Some(rest) => int64(rest)?,
        None => (i, 0),
    };
    Ok((i, ScaleZeroPoint { scale: F64::new(scale), zero_point }))
}

/// Scales lie between the smallest and the largest positive number of the expressed type.
fn check_scale<'s>(at: Input<'s>, scale: f64, format: &FloatFormat) -> Checked<'s, ()> {
    let smallest = format.to_f64(format.min_positive());
    let largest = format.to_f64(format.max_finite(false));
    if scale >= smallest && scale <= largest {
        return Ok(());
    }
    let message = format!("scale {scale:e} out of expressed type range [{smallest:e}, {largest:e}]");
    Err(fault(at, "parse/invalid-quantized-type", message))
}
