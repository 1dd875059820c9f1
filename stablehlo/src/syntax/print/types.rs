//! Types.

use super::Printer;
use super::write::{push_dialect_symbol, push_dimension, push_i64, push_u64};
use crate::arena::SideMap;
use crate::ir::{AttrId, RankedTensor, Signedness, Type, TypeId};

/// Texts of types that were printed before: most types of a program occur many times.
#[derive(Clone, Debug, Default)]
pub(super) struct TypeTexts {
    pool: String,
    /// Range in `pool` by type; empty where the type has not been printed yet.
    ranges: SideMap<TypeId, (u32, u32)>,
}

impl TypeTexts {
    fn get(&self, ty: TypeId) -> Option<&str> {
        let (start, end) = self.ranges[ty];
        (end > start).then(|| &self.pool[start as usize..end as usize])
    }

    fn set(&mut self, ty: TypeId, text: &str) {
        let start = self.pool.len();
        let (Ok(from), Ok(to)) = (u32::try_from(start), u32::try_from(start + text.len())) else { return };
        self.ranges.set(ty, (from, to));
        self.pool.push_str(text);
    }
}

impl Printer<'_> {
    /// Writes a type, by its alias where it has one.
    pub fn ty(&mut self, ty: TypeId) {
        if self.collecting() {
            return self.visit_type(ty);
        }
        match self.type_texts.get(ty) {
            Some(text) => self.out.push_str(text),
            None => {
                let start = self.out.len();
                if !self.type_alias(ty) {
                    self.type_in_full(ty);
                }
                self.type_texts.set(ty, &self.out[start..]);
            }
        }
    }

    /// Writes types separated by commas.
    pub fn types(&mut self, types: impl IntoIterator<Item = TypeId>) {
        for (index, ty) in types.into_iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.ty(ty);
        }
    }

    /// Writes `(T, U) -> V`; results as [`Printer::result_types`] does.
    pub fn function_type(
        &mut self,
        inputs: impl IntoIterator<Item = TypeId>,
        results: impl ExactSizeIterator<Item = TypeId>,
    ) {
        self.out.push('(');
        self.types(inputs);
        self.out.push_str(") -> ");
        self.result_types(results);
    }

    /// Writes result types: one bare unless it is a function type, all else in parentheses.
    pub fn result_types(&mut self, mut results: impl ExactSizeIterator<Item = TypeId>) {
        if results.len() == 1
            && let Some(only) = results.next()
        {
            let is_function = matches!(self.module.ty(only), Type::Function { .. });
            return if is_function { self.in_parentheses([only]) } else { self.ty(only) };
        }
        self.in_parentheses(results);
    }

    fn in_parentheses(&mut self, types: impl IntoIterator<Item = TypeId>) {
        self.out.push('(');
        self.types(types);
        self.out.push(')');
    }

    /// Writes a type in full; its parts may be aliases.
    pub(super) fn type_in_full(&mut self, ty: TypeId) {
        if !self.enter() {
            return;
        }
        let module = self.module;
        match module.ty(ty) {
            Type::Integer { width, signedness } => {
                self.out.push_str(match signedness {
                    Signedness::Signless => "i",
                    Signedness::Signed => "si",
                    Signedness::Unsigned => "ui",
                });
                push_u64(&mut self.out, u64::from(*width));
            }
            Type::Float(kind) => self.out.push_str(kind.name()),
            Type::Index => self.out.push_str("index"),
            Type::None => self.out.push_str("none"),
            Type::Complex(part) => self.parametric("complex<", [*part]),
            Type::Tuple(types) => self.parametric("tuple<", types.iter().copied()),
            Type::Function { inputs, results } => {
                self.function_type(inputs.iter().copied(), results.iter().copied());
            }
            Type::RankedTensor(tensor) => self.tensor_type(tensor),
            Type::UnrankedTensor { element } => self.parametric("tensor<*x", [*element]),
            Type::Vector { shape, scalable, element } => self.vector_type(shape, scalable, *element),
            Type::MemRef { shape, element, layout, memory_space } => {
                self.memref_type(shape.as_deref(), *element, *layout, *memory_space);
            }
            Type::BuiltinToken => self.out.push_str("token"),
            Type::Token => self.out.push_str("!stablehlo.token"),
            Type::Future(types) => self.parametric("!stablehlo.future<", types.iter().copied()),
            Type::Quantized(quantized) => self.quantized_type(quantized),
            Type::AnyQuantized { storage, expressed } => self.any_quantized_type(storage, *expressed),
            Type::CalibratedQuantized { expressed, min, max } => {
                self.calibrated_type(*expressed, min.get(), max.get());
            }
            Type::Opaque { dialect, body } => {
                self.out.push('!');
                push_dialect_symbol(&mut self.out, module.str(*dialect), body);
            }
        }
        self.leave();
    }

    /// `open` types `>`
    fn parametric(&mut self, open: &str, types: impl IntoIterator<Item = TypeId>) {
        self.out.push_str(open);
        self.types(types);
        self.out.push('>');
    }

    fn tensor_type(&mut self, tensor: &RankedTensor) {
        self.out.push_str("tensor<");
        self.dimensions(&tensor.shape);
        self.ty(tensor.element);
        if let Some(encoding) = tensor.encoding {
            self.out.push_str(", ");
            self.attr(encoding);
        }
        self.out.push('>');
    }

    /// `2x?x`
    fn dimensions(&mut self, shape: &[i64]) {
        for size in shape {
            push_dimension(&mut self.out, *size);
            self.out.push('x');
        }
    }

    fn vector_type(&mut self, shape: &[i64], scalable: &[bool], element: TypeId) {
        self.out.push_str("vector<");
        for (dim, size) in shape.iter().enumerate() {
            let in_brackets = scalable.get(dim).copied().unwrap_or(false);
            self.out.push_str(if in_brackets { "[" } else { "" });
            push_i64(&mut self.out, *size);
            self.out.push_str(if in_brackets { "]x" } else { "x" });
        }
        self.ty(element);
        self.out.push('>');
    }

    fn memref_type(&mut self, shape: Option<&[i64]>, element: TypeId, layout: Option<AttrId>, space: Option<AttrId>) {
        self.out.push_str("memref<");
        match shape {
            Some(shape) => self.dimensions(shape),
            None => self.out.push_str("*x"),
        }
        self.ty(element);
        if let Some(layout) = layout {
            self.out.push_str(", ");
            self.attr(layout);
        }
        if let Some(space) = space {
            self.out.push_str(", ");
            self.attr_eliding_default_type(space);
        }
        self.out.push('>');
    }
}
