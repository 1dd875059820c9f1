//! Quantized types.

use super::Printer;
use super::write::push_i64;
use crate::element::{FloatFormat, print_float};
use crate::ir::{
    FloatKind, QuantizationParameters, QuantizedType, ScaleZeroPoint, Signedness, StorageType, Type, TypeId,
};

impl Printer<'_> {
    /// `!quant.uniform<S:E, …>`
    pub(super) fn quantized_type(&mut self, quantized: &QuantizedType) {
        self.out.push_str("!quant.uniform<");
        self.storage_type(&quantized.storage);
        self.out.push(':');
        self.ty(quantized.expressed);
        match &quantized.parameters {
            QuantizationParameters::PerTensor(entry) => {
                self.out.push_str(", ");
                self.scale_and_zero_point(*entry, None);
            }
            QuantizationParameters::PerAxis { dimension, entries } => {
                self.out.push(':');
                push_i64(&mut self.out, i64::from(*dimension));
                self.out.push_str(", {");
                for (index, entry) in entries.iter().enumerate() {
                    self.out.push_str(if index > 0 { "," } else { "" });
                    self.scale_and_zero_point(*entry, None);
                }
                self.out.push('}');
            }
            QuantizationParameters::SubChannel { blocks, shape, entries } => {
                self.out.push_str(":{");
                for (index, (dimension, size)) in blocks.iter().enumerate() {
                    self.out.push_str(if index > 0 { ", " } else { "" });
                    push_i64(&mut self.out, i64::from(*dimension));
                    self.out.push(':');
                    push_i64(&mut self.out, *size);
                }
                self.out.push_str("}, ");
                self.sub_channel_table(shape, entries, quantized.expressed);
            }
        }
        self.out.push('>');
    }

    /// Nested braces over a row-major table.
    fn sub_channel_table(&mut self, shape: &[i64], entries: &[ScaleZeroPoint], expressed: TypeId) {
        let format = match self.module.ty(expressed) {
            Type::Float(kind) => Some(*kind),
            _ => None,
        };
        let steps = super::elements::steps(shape);
        // A scalar table (of a scale without dimensions) has braces too.
        let rank = shape.len().max(1);
        for (index, entry) in entries.iter().enumerate() {
            let opened = if index == 0 { rank } else { super::elements::completed(&steps, index) };
            if index > 0 {
                self.repeat("}", opened);
                self.out.push_str(", ");
            }
            self.repeat("{", opened);
            self.scale_and_zero_point(*entry, format);
        }
        if entries.is_empty() {
            self.repeat("{", rank);
        }
        self.repeat("}", rank);
    }

    /// `0.1:-3`, without the zero point when it is 0; a scale prints as a number of `format`, else as f64.
    fn scale_and_zero_point(&mut self, entry: ScaleZeroPoint, format: Option<FloatKind>) {
        let start = self.out.len();
        let bits = u128::from(entry.scale.get().to_bits());
        if let Some(format) = format.map(FloatKind::format)
            && entry.scale.get().is_finite()
        {
            print_float(format.convert(bits, &FloatFormat::F64), format, &mut self.out);
        }
        // Bits in hexadecimal are read as those of an f64, so only those would be understood.
        if self.out[start..].is_empty() || self.out[start..].starts_with("0x") {
            self.out.truncate(start);
            print_float(bits, &FloatFormat::F64, &mut self.out);
        }
        if entry.zero_point != 0 {
            self.out.push(':');
            push_i64(&mut self.out, entry.zero_point);
        }
    }

    /// `!quant.any<S[:E]>`
    pub(super) fn any_quantized_type(&mut self, storage: &StorageType, expressed: Option<TypeId>) {
        self.out.push_str("!quant.any<");
        self.storage_type(storage);
        if let Some(expressed) = expressed {
            self.out.push(':');
            self.ty(expressed);
        }
        self.out.push('>');
    }

    /// `!quant.calibrated<E<min:max>>`
    pub(super) fn calibrated_type(&mut self, expressed: TypeId, min: f64, max: f64) {
        self.out.push_str("!quant.calibrated<");
        self.ty(expressed);
        self.out.push('<');
        print_float(u128::from(min.to_bits()), &FloatFormat::F64, &mut self.out);
        self.out.push(':');
        print_float(u128::from(max.to_bits()), &FloatFormat::F64, &mut self.out);
        self.out.push_str(">>");
    }

    /// `i8`, `u8`, `si8`, `i8<-127:127>`, `f8E4M3FN`; the range only when it is not all that the type can hold.
    fn storage_type(&mut self, storage: &StorageType) {
        match self.module.ty(storage.ty) {
            Type::Integer { width, signedness: Signedness::Signless } if !storage.signed => {
                self.out.push('u');
                push_i64(&mut self.out, i64::from(*width));
            }
            _ => self.ty(storage.ty),
        }
        let full = self.module.storage_range(storage.ty, storage.signed);
        // Readers that give floats no range leave it at 0.
        let given = (storage.min, storage.max);
        if full.is_some_and(|full| full != given) && given != (0, 0) {
            self.out.push('<');
            push_i64(&mut self.out, storage.min);
            self.out.push(':');
            push_i64(&mut self.out, storage.max);
            self.out.push('>');
        }
    }
}
