//! Pretty forms that are described as data.

use std::sync::LazyLock;

use super::Printer;
use crate::ir::{AttrId, Attribute, Module, OpId, Type, TypeId};
use crate::ops::OpKind;
use crate::ops::spec::{OpSpec, Presence, Syntax};
use crate::syntax::{Form, TypeForm};

/// Which inherent attributes of an op its form shows, one bit for each of the first 64.
fn shown(kind: OpKind) -> u64 {
    static SHOWN: LazyLock<Vec<u64>> = LazyLock::new(|| {
        let of = |kind: &OpKind| match kind.spec().syntax {
            Syntax::Form(form) => shown_by(kind.spec(), form),
            _ => 0,
        };
        OpKind::ALL.iter().map(of).collect()
    });
    SHOWN.get(kind as usize).copied().unwrap_or(0)
}

fn shown_by(spec: &OpSpec, form: &[Form]) -> u64 {
    let bit = |name| spec.attribute_slot(name).map_or(0, |slot| 1u64.checked_shl(slot as u32).unwrap_or(0));
    let segments = spec.attributes.iter().filter(|attr| super::operations::is_segment_sizes(spec, attr.name));
    let of_parts = form.iter().map(|part| match part {
        Form::Slot(name) => bit(name),
        Form::Optional(name, parts) => bit(name) | shown_by(spec, parts),
        _ => 0,
    });
    of_parts.chain(segments.map(|attr| bit(attr.name))).fold(0, |bits, bit| bits | bit)
}

impl Printer<'_> {
    /// An op's form, after its name.
    pub(super) fn declared_form(&mut self, op: OpId, kind: OpKind, form: &[Form]) {
        let (front, rest) = form.split_at(usize::from(matches!(form.first(), Some(Form::AttrDict))));
        self.form_parts(op, kind, front);
        let wants_space = match rest.first() {
            None | Some(Form::AttrDict | Form::Types(_)) => false,
            Some(Form::Text(text)) => !text.starts_with('('),
            Some(Form::Operands) => front.is_empty() || !self.module.operands(op).is_empty(),
            Some(_) => true,
        };
        if wants_space {
            self.out.push(' ');
        }
        self.form_parts(op, kind, rest);
    }

    fn form_parts(&mut self, op: OpId, kind: OpKind, form: &[Form]) {
        let spec = kind.spec();
        for part in form {
            match part {
                Form::Operands => self.values(self.module.operands(op)),
                Form::Text(text) => self.out.push_str(text),
                Form::Slot(name) => match self.slot(op, spec, name) {
                    Some(attr) => self.bare_attr(attr),
                    None => self.give_up(),
                },
                Form::Optional(name, parts) => {
                    if self.slot(op, spec, name).is_some_and(|attr| !self.is_default(spec, name, attr)) {
                        self.form_parts(op, kind, parts);
                    }
                }
                Form::AttrDict => self.unshown_attrs(op, kind),
                Form::Types(form) => self.form_types(op, *form),
            }
        }
    }

    fn slot(&self, op: OpId, spec: &OpSpec, name: &str) -> Option<AttrId> {
        self.module.properties(op).get(spec.attribute_slot(name)?).copied().flatten()
    }

    fn is_default(&self, spec: &OpSpec, name: &str, attr: AttrId) -> bool {
        spec.attributes.iter().any(|declared| {
            declared.name == name
                && matches!(declared.presence, Presence::Default(value) if value.is(self.module, attr))
        })
    }

    /// The attributes that no part shows.
    fn unshown_attrs(&mut self, op: OpId, kind: OpKind) {
        let module = self.module;
        let shown = shown(kind);
        let is_shown = |slot: usize| slot < 64 && shown >> slot & 1 == 1;
        let has_unshown =
            module.properties(op).iter().enumerate().any(|(slot, attr)| attr.is_some() && !is_shown(slot));
        if !has_unshown && module.op(op).attributes().is_none() {
            return;
        }
        let declared = kind.spec().attributes.iter().enumerate();
        let names: Vec<&str> = declared.filter(|(slot, _)| is_shown(*slot)).map(|(_, attr)| attr.name).collect();
        self.attr_dict(op, &names);
    }

    /// Writes an attribute in the bare spelling that forms use: `[1, 2]`, `0`, `LT`, `"text"`, `@name`.
    pub fn bare_attr(&mut self, attr: AttrId) {
        let module = self.module;
        match module.attr(attr) {
            Attribute::DenseI64Array(values) => self.i64_list(values),
            Attribute::DenseBoolArray(values) => {
                for (index, value) in values.iter().enumerate() {
                    self.out.push_str(if index > 0 { ", " } else { "[" });
                    self.out.push_str(if *value { "true" } else { "false" });
                }
                self.out.push_str(if values.is_empty() { "[]" } else { "]" });
            }
            Attribute::Enum(value) => self.out.push_str(value.word()),
            Attribute::Array(values) => {
                self.out.push('[');
                for (index, value) in values.iter().enumerate() {
                    self.out.push_str(if index > 0 { ", " } else { "" });
                    self.bare_attr(*value);
                }
                self.out.push(']');
            }
            Attribute::ConvDimensionNumbers(dims) => self.conv_dimension_numbers(dims),
            Attribute::DotAlgorithm(algorithm) => self.dot_algorithm(algorithm),
            _ => self.attr_without_type(attr),
        }
    }

    /// Writes ` : ` and types as `form` says.
    pub fn form_types(&mut self, op: OpId, form: TypeForm) {
        let module = self.module;
        let operands = module.operands(op).iter().map(|operand| module.value_type(*operand));
        let results = module.results(op).iter().map(|result| module.value_type(result));
        let one = match form {
            TypeForm::Same => same_type(operands.clone().chain(results.clone())),
            TypeForm::Complex => complex_type(module, op),
            TypeForm::Select => return self.select_types(op),
            TypeForm::Operands if operands.len() == 0 => return,
            TypeForm::Operands => {
                self.out.push_str(" : ");
                return self.types(operands);
            }
            TypeForm::Results => {
                self.out.push_str(" : ");
                return self.types(results);
            }
            TypeForm::Bare => {
                self.out.push_str(" : ");
                self.types(operands);
                self.out.push_str(" -> ");
                return self.result_types(results);
            }
            TypeForm::Function => None,
        };
        self.out.push_str(" : ");
        match one {
            Some(ty) => self.ty(ty),
            None => self.op_function_type(op),
        }
    }

    fn select_types(&mut self, op: OpId) {
        let module = self.module;
        self.out.push_str(" : ");
        match (module.operands(op), module.result(op)) {
            ([pred, on_true, on_false], Some(result))
                if module.value_type(*on_true) == module.value_type(result)
                    && module.value_type(*on_false) == module.value_type(result) =>
            {
                self.types([module.value_type(*pred), module.value_type(result)]);
            }
            _ => self.op_function_type(op),
        }
    }
}

/// The type that all of them are.
fn same_type(mut types: impl Iterator<Item = TypeId>) -> Option<TypeId> {
    let first = types.next()?;
    types.all(|ty| ty == first).then_some(first)
}

/// The result's type, when both operands have its real counterpart.
fn complex_type(module: &Module, op: OpId) -> Option<TypeId> {
    let [lhs, rhs] = *module.operands(op) else { return None };
    let result = module.value_type(module.result(op)?);
    let lhs = module.value_type(lhs);
    let (complex, real) = (module.tensor(result)?, module.tensor(lhs)?);
    let is_counterpart = lhs == module.value_type(rhs)
        && real.shape == complex.shape
        && real.encoding == complex.encoding
        && matches!(module.ty(complex.element), Type::Complex(part) if *part == real.element);
    is_counterpart.then_some(result)
}
