//! Builtin attributes, and which spelling they take where.

use super::Printer;
use super::locations::LocKey;
use super::write::{
    push_dialect_symbol, push_dimension, push_i64_list, push_i128, push_key, push_string, push_symbol, push_u64,
};
use crate::element::print_float;
use crate::ir::{AttrId, Attribute, NameId, Signedness, Type, TypeId};

/// Whether an attribute writes its type.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum TypeSuffix {
    /// Always.
    Full,
    /// Except the types that numbers have by default: i64 and f64.
    ElideDefault,
    /// Never: the reader knows it.
    Omit,
}

impl Printer<'_> {
    /// Writes an attribute with its type, by its alias where it has one.
    pub fn attr(&mut self, attr: AttrId) {
        self.attribute(attr, TypeSuffix::Full);
    }

    /// Writes an attribute without its type, for places where the type is known.
    pub fn attr_without_type(&mut self, attr: AttrId) {
        self.attribute(attr, TypeSuffix::Omit);
    }

    /// Writes an attribute as inside `[…]`: without `: i64` and `: f64`.
    pub fn attr_eliding_default_type(&mut self, attr: AttrId) {
        self.attribute(attr, TypeSuffix::ElideDefault);
    }

    fn attribute(&mut self, attr: AttrId, suffix: TypeSuffix) {
        if self.collecting() {
            return self.visit_attr(attr, suffix == TypeSuffix::Omit);
        }
        if !self.attr_alias(attr) {
            self.attr_in_full(attr, suffix);
        }
    }

    /// Writes `{a, b = 1 : i64}`; the entries must be sorted.
    pub fn dictionary(&mut self, entries: &[(NameId, AttrId)]) {
        self.out.push('{');
        for (index, (name, attr)) in entries.iter().enumerate() {
            self.out.push_str(if index > 0 { ", " } else { "" });
            self.named_attr(self.module.str(*name), *attr);
        }
        self.out.push('}');
    }

    /// Writes `key = value`, or the key alone for `unit`.
    pub fn named_attr(&mut self, name: &str, attr: AttrId) {
        push_key(&mut self.out, name);
        if !matches!(self.module.attr(attr), Attribute::Unit) {
            self.out.push_str(" = ");
            self.attr(attr);
        }
    }

    /// Writes `[1, 2]`.
    pub fn i64_list(&mut self, numbers: &[i64]) {
        self.out.push('[');
        push_i64_list(&mut self.out, numbers);
        self.out.push(']');
    }

    /// Writes a string literal.
    pub fn string(&mut self, bytes: &[u8]) {
        push_string(&mut self.out, bytes);
    }

    /// Writes an attribute in full; its parts may be aliases.
    pub(super) fn attr_in_full(&mut self, attr: AttrId, suffix: TypeSuffix) {
        if !self.enter() {
            return;
        }
        let module = self.module;
        match module.attr(attr) {
            Attribute::Unit => self.out.push_str("unit"),
            Attribute::Integer { ty, value } => self.integer(*ty, *value, suffix),
            Attribute::Float { ty, bits } => self.float(*ty, *bits, suffix),
            Attribute::String { value, ty } => {
                push_string(&mut self.out, value);
                self.optional_type_suffix(*ty, suffix);
            }
            Attribute::Type(ty) => self.ty(*ty),
            Attribute::Array(values) => self.array(values),
            Attribute::DenseI64Array(values) => {
                self.out.push_str(if values.is_empty() { "array<i64" } else { "array<i64: " });
                push_i64_list(&mut self.out, values);
                self.out.push('>');
            }
            Attribute::DenseBoolArray(values) => self.dense_bool_array(values),
            Attribute::DenseArray { element, bytes } => self.dense_array(*element, bytes),
            Attribute::Dictionary(entries) => self.dictionary(entries),
            Attribute::SymbolRef { root, nested } => self.symbol_reference(*root, nested),
            Attribute::DenseElements(dense) => {
                self.dense_elements(dense);
                self.type_suffix(dense.ty, suffix);
            }
            Attribute::DenseStringElements { ty, values, splat } => {
                self.dense_strings(*ty, values, *splat);
                self.type_suffix(*ty, suffix);
            }
            Attribute::DenseResource { key, ty } => {
                self.dense_resource(*key, *ty);
                self.type_suffix(*ty, suffix);
            }
            Attribute::SparseElements { ty, indices, values } => {
                self.sparse_elements(*indices, *values);
                self.type_suffix(*ty, suffix);
            }
            Attribute::AffineMap(map) => self.affine_map(map),
            Attribute::IntegerSet(set) => self.integer_set(set),
            Attribute::StridedLayout { offset, strides } => self.strided_layout(*offset, strides),
            Attribute::Distinct { id, value } => self.distinct(*id, *value),
            Attribute::Location(location) => self.location_in_full(LocKey::written(*location)),
            Attribute::Opaque { dialect, body, ty } => {
                self.out.push('#');
                push_dialect_symbol(&mut self.out, module.str(*dialect), body);
                self.optional_type_suffix(*ty, suffix);
            }
            other => self.dialect_attribute(other),
        }
        self.leave();
    }

    /// ` : T` unless the reader knows it.
    pub(super) fn type_suffix(&mut self, ty: TypeId, suffix: TypeSuffix) {
        if suffix != TypeSuffix::Omit && !matches!(self.module.ty(ty), Type::None) {
            self.out.push_str(" : ");
            self.ty(ty);
        }
    }

    fn optional_type_suffix(&mut self, ty: Option<TypeId>, suffix: TypeSuffix) {
        if let Some(ty) = ty {
            self.type_suffix(ty, suffix);
        }
    }

    /// `3 : i32`; booleans are words and never have a type.
    fn integer(&mut self, ty: TypeId, value: i128, suffix: TypeSuffix) {
        if let Type::Integer { width, signedness: Signedness::Signless } = *self.module.ty(ty) {
            if width == 1 {
                return self.out.push_str(if value == 0 { "false" } else { "true" });
            }
            if width == 64 && suffix == TypeSuffix::ElideDefault {
                return push_i128(&mut self.out, value);
            }
        }
        push_i128(&mut self.out, value);
        self.type_suffix(ty, suffix);
    }

    /// `1.000000e+00 : f32`
    fn float(&mut self, ty: TypeId, bits: u128, suffix: TypeSuffix) {
        let start = self.out.len();
        self.float_value(ty, bits);
        let is_hex = self.out[start..].starts_with("0x");
        let is_f64 = matches!(self.module.ty(ty), Type::Float(crate::ir::FloatKind::F64));
        if suffix != TypeSuffix::ElideDefault || !is_f64 || is_hex {
            self.type_suffix(ty, suffix);
        }
    }

    /// A number of float type `ty`.
    pub(super) fn float_value(&mut self, ty: TypeId, bits: u128) {
        match self.module.ty(ty) {
            Type::Float(kind) => print_float(bits, kind.format(), &mut self.out),
            // Not a float: malformed, but still to be shown.
            _ => push_i128(&mut self.out, bits as i128),
        }
    }

    fn array(&mut self, values: &[AttrId]) {
        self.out.push('[');
        for (index, value) in values.iter().enumerate() {
            self.out.push_str(if index > 0 { ", " } else { "" });
            self.attr_eliding_default_type(*value);
        }
        self.out.push(']');
    }

    fn dense_bool_array(&mut self, values: &[bool]) {
        self.out.push_str("array<i1");
        for (index, value) in values.iter().enumerate() {
            self.out.push_str(if index > 0 { ", " } else { ": " });
            self.out.push_str(if *value { "true" } else { "false" });
        }
        self.out.push('>');
    }

    /// `array<i8: 1, 2>`
    fn dense_array(&mut self, element: TypeId, bytes: &[u8]) {
        self.out.push_str("array<");
        self.ty(element);
        let width = match self.module.ty(element) {
            Type::Integer { width, .. } => width.div_ceil(8) as usize,
            Type::Float(kind) => kind.format().bits.div_ceil(8) as usize,
            _ => bytes.len(),
        };
        for (index, bytes) in bytes.chunks(width.max(1)).enumerate() {
            self.out.push_str(if index > 0 { ", " } else { ": " });
            self.element(element, bytes);
        }
        self.out.push('>');
    }

    /// `@a::@b`
    fn symbol_reference(&mut self, root: NameId, nested: &[NameId]) {
        push_symbol(&mut self.out, self.module.str(root));
        for name in nested {
            self.out.push_str("::");
            push_symbol(&mut self.out, self.module.str(*name));
        }
    }

    /// `strided<[1, ?], offset: 2>`
    fn strided_layout(&mut self, offset: i64, strides: &[i64]) {
        self.out.push_str("strided<[");
        for (index, stride) in strides.iter().enumerate() {
            self.out.push_str(if index > 0 { ", " } else { "" });
            push_dimension(&mut self.out, *stride);
        }
        self.out.push(']');
        if offset != 0 {
            self.out.push_str(", offset: ");
            push_dimension(&mut self.out, offset);
        }
        self.out.push('>');
    }

    /// `distinct[0]<value>`: identities are numbered in the order in which they are printed.
    fn distinct(&mut self, id: u32, value: AttrId) {
        let next = self.distinct_numbers.len() as u32;
        let number = *self.distinct_numbers.entry(id).or_insert(next);
        self.out.push_str("distinct[");
        push_u64(&mut self.out, u64::from(number));
        self.out.push_str("]<");
        if !matches!(self.module.attr(value), Attribute::Unit) {
            self.attr(value);
        }
        self.out.push('>');
    }
}
