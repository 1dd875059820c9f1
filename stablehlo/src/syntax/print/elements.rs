//! Elements attributes: `dense`, `dense_resource`, `sparse`.

use super::Printer;
use super::write::{push_hex, push_i128, push_string};
use crate::ir::{AttrId, Attribute, DYNAMIC, DenseElements, NameId, Signedness, Type, TypeId};

/// After how many elements the dimensions of `shape` are complete, innermost first: `[4, 12]` for `[3, 4]`.
pub(super) fn steps(shape: &[i64]) -> Vec<usize> {
    let mut step = 1usize;
    let product = |size: &i64| {
        step = step.saturating_mul(usize::try_from(*size).unwrap_or(0));
        step
    };
    shape.iter().rev().map(product).collect()
}

/// How many dimensions are complete in front of element `index`.
pub(super) fn completed(steps: &[usize], index: usize) -> usize {
    steps.iter().take_while(|step| **step != 0 && index.is_multiple_of(**step)).count()
}

impl Printer<'_> {
    /// Number of elements of a type of static shape.
    fn n_elements(&self, ty: TypeId) -> u64 {
        let Some(shape) = self.module.shape(ty) else { return 0 };
        shape.iter().fold(1u64, |product, size| match *size {
            DYNAMIC => 0,
            size => product.saturating_mul(u64::try_from(size).unwrap_or(0)),
        })
    }

    fn is_elided(&self, count: u64) -> bool {
        self.options.elide_larger_than.is_some_and(|limit| count > limit)
    }

    fn elided(&mut self) {
        self.out.push_str("dense_resource<__elided__>");
    }

    /// `dense<…>`
    pub(super) fn dense_elements(&mut self, dense: &DenseElements) {
        let count = self.n_elements(dense.ty);
        if self.is_elided(count) && !is_splat(dense, count) {
            return self.elided();
        }
        self.out.push_str("dense<");
        self.dense_values(dense, true);
        self.out.push('>');
    }

    /// What stands inside `dense<…>`.
    fn dense_values(&mut self, dense: &DenseElements, allow_hex: bool) {
        let count = self.n_elements(dense.ty);
        let element = self.module.element_type(dense.ty).unwrap_or(dense.ty);
        if is_splat(dense, count) {
            let width = if dense.splat { dense.data.len() } else { width(dense, count) };
            return self.element(element, dense.data.get(..width).unwrap_or_default());
        }
        if allow_hex && self.options.hex_larger_than.is_some_and(|limit| count > limit) {
            self.out.push_str("\"0x");
            push_hex(&mut self.out, &dense.data);
            return self.out.push('"');
        }
        let width = width(dense, count).max(1);
        let elements = dense.data.chunks_exact(width);
        self.nested(dense.ty, elements, |printer, bytes| printer.element(element, bytes));
    }

    /// `[[1, 2], [3, 4]]`; nothing when there are no values.
    fn nested<T>(&mut self, ty: TypeId, values: impl Iterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        let shape = self.module.shape(ty).unwrap_or_default();
        let steps = steps(shape);
        let mut any = false;
        for (index, value) in values.enumerate() {
            let opened = if index == 0 { steps.len() } else { completed(&steps, index) };
            if index > 0 {
                self.repeat("]", opened);
                self.out.push_str(", ");
            }
            self.repeat("[", opened);
            write(self, value);
            any = true;
        }
        self.repeat("]", if any { steps.len() } else { 0 });
    }

    pub(super) fn repeat(&mut self, text: &str, times: usize) {
        for _ in 0..times {
            self.out.push_str(text);
        }
    }

    /// One stored element.
    pub(super) fn element(&mut self, ty: TypeId, bytes: &[u8]) {
        let module = self.module;
        match module.ty(ty) {
            Type::Integer { width: 1, signedness: Signedness::Signless } => {
                self.out.push_str(if bytes.first().is_none_or(|byte| *byte == 0) { "false" } else { "true" });
            }
            Type::Integer { width, signedness } => {
                let bits = little_endian(bytes);
                let is_signed = *signedness != Signedness::Unsigned;
                push_i128(&mut self.out, if is_signed { sign_extend(bits, *width) } else { bits as i128 });
            }
            Type::Float(_) => self.float_value(ty, little_endian(bytes)),
            Type::Complex(part) => {
                let (re, im) = bytes.split_at(bytes.len() / 2);
                self.out.push('(');
                self.element(*part, re);
                self.out.push(',');
                self.element(*part, im);
                self.out.push(')');
            }
            _ => push_i128(&mut self.out, sign_extend(little_endian(bytes), 8 * bytes.len() as u32)),
        }
    }

    /// `dense<["a", "b"]>`
    pub(super) fn dense_strings(&mut self, ty: TypeId, values: &[Box<[u8]>], splat: bool) {
        let count = self.n_elements(ty);
        let all_same = values.windows(2).all(|pair| pair[0] == pair[1]);
        let is_splat = splat || (!values.is_empty() && all_same);
        if self.is_elided(count) && !is_splat {
            return self.elided();
        }
        self.out.push_str("dense<");
        match values.first() {
            Some(value) if is_splat => push_string(&mut self.out, value),
            _ => self.nested(ty, values.iter(), |printer, value| push_string(&mut printer.out, value)),
        }
        self.out.push('>');
    }

    /// `dense_resource<key>`
    pub(super) fn dense_resource(&mut self, key: NameId, ty: TypeId) {
        if self.is_elided(self.n_elements(ty)) {
            return self.elided();
        }
        self.out.push_str("dense_resource<");
        super::write::push_key(&mut self.out, self.module.str(key));
        self.out.push('>');
        self.used_resources.insert(key);
    }

    /// `sparse<indices, values>`
    pub(super) fn sparse_elements(&mut self, indices: AttrId, values: AttrId) {
        self.out.push_str("sparse<");
        if let Attribute::DenseElements(indices) = self.module.attr(indices)
            && self.n_elements(indices.ty) > 0
        {
            self.dense_values(indices, false);
            self.out.push_str(", ");
            match self.module.attr(values) {
                Attribute::DenseElements(values) => self.dense_values(values, true),
                Attribute::DenseStringElements { ty, values, splat } => {
                    let start = self.out.len();
                    self.dense_strings(*ty, values, *splat);
                    // Only what stands inside `dense<…>`.
                    let inside = self.out[start..].strip_prefix("dense<").and_then(|text| text.strip_suffix('>'));
                    if let Some(inside) = inside.map(str::to_owned) {
                        self.out.truncate(start);
                        self.out.push_str(&inside);
                    }
                }
                _ => {}
            }
        }
        self.out.push('>');
    }
}

/// Whether all elements are bit-identical, or there is only one.
fn is_splat(dense: &DenseElements, count: u64) -> bool {
    if dense.splat || count == 1 {
        return true;
    }
    let width = width(dense, count);
    width > 0 && dense.data.len() > width && dense.data[width..] == dense.data[..dense.data.len() - width]
}

/// Bytes of one element of elements that are not a splat.
fn width(dense: &DenseElements, count: u64) -> usize {
    usize::try_from(count).ok().and_then(|count| dense.data.len().checked_div(count)).unwrap_or(0)
}

fn little_endian(bytes: &[u8]) -> u128 {
    bytes.iter().take(16).rev().fold(0, |bits, byte| bits << 8 | u128::from(*byte))
}

fn sign_extend(bits: u128, width: u32) -> i128 {
    match width {
        1..=127 => (bits << (128 - width)) as i128 >> (128 - width),
        _ => bits as i128,
    }
}
