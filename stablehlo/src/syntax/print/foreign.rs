//! Ops of dialects that are kept opaque, in the forms of the table [`FORMS`](crate::syntax::parse::foreign::FORMS).

use super::Printer;
use super::write::{push_i64, push_symbol};
use crate::ir::{AttrId, Attribute, Module, OpId, RegionId, Type};
use crate::syntax::parse::foreign::{Part, find_form};
use crate::verify::Integers;

impl Printer<'_> {
    /// Writes an opaque op in its dialect's pretty form. Not when the op has none or does not have the parts that it shows.
    pub(super) fn foreign_form(&mut self, op: OpId) -> bool {
        let module = self.module;
        let name = module.op_name(op);
        let Some(parts) = find_form(name) else { return false };
        if !covers(module, op, parts) {
            return false;
        }
        let start = self.out.len();
        self.out.push_str(name);
        if self.foreign_parts(op, parts).is_none() {
            self.out.truncate(start);
            return false;
        }
        true
    }

    /// Everything after the name; none when a part is missing.
    fn foreign_parts(&mut self, op: OpId, parts: &[Part]) -> Option<()> {
        let module = self.module;
        let (front, rest) = parts.split_at(usize::from(matches!(parts.first(), Some(Part::AttrDict))));
        for part in front {
            self.foreign_part(op, *part)?;
        }
        let wants_space = match rest.first()? {
            Part::Text(_) | Part::AttrDict => false,
            Part::Operands => front.is_empty() || !module.operands(op).is_empty(),
            _ => true,
        };
        self.out.push_str(if wants_space { " " } else { "" });
        let mut operands = module.operands(op);
        let mut lists = parts.iter().filter(|part| **part == Part::Operands).count();
        for part in rest {
            if *part == Part::Operands {
                // Where there are two lists, the first has one operand.
                let (now, later) = operands.split_at_checked(if lists > 1 { 1 } else { operands.len() })?;
                self.values(now);
                operands = later;
                lists -= 1;
            } else {
                self.foreign_part(op, *part)?;
            }
        }
        Some(())
    }

    fn foreign_part(&mut self, op: OpId, part: Part) -> Option<()> {
        let module = self.module;
        match part {
            Part::Operands => {}
            Part::Text(text) => self.out.push_str(text),
            Part::Symbol(name) => push_symbol(&mut self.out, module.string_attr(module.property(op, name)?)?),
            Part::String(name) => self.string(module.string_bytes(module.property(op, name)?)?),
            Part::I64(name) => push_i64(&mut self.out, module.integer_attr(module.property(op, name)?)?),
            Part::Value(name) => {
                let value = module.property(op, name)?;
                (module.attr_type(value)? == module.value_type(module.result(op)?)).then_some(())?;
                self.attr(value);
            }
            Part::Elements(name) => {
                let numbers = index_elements(module, module.property(op, name)?)?;
                self.i64_list(&numbers);
                self.out.push_str(" : ");
                self.ty(module.value_type(module.result(op)?));
            }
            Part::Body(name, pattern) => self.out.push_str(shown_body(module, op, name, pattern)?),
            Part::Word(name, words) => {
                let number = module.integer_attr(module.property(op, name)?)?;
                self.out.push_str(words.get(usize::try_from(number).ok()?)?);
            }
            Part::OptionalBody(text, name, pattern) => {
                if module.property(op, name).is_some() {
                    self.out.push_str(text);
                    self.out.push_str(shown_body(module, op, name, pattern)?);
                }
            }
            Part::Filled(name, body) => (shown_body(module, op, name, "*")? == body).then_some(())?,
            Part::AttrDict => self.attr_dict(op, &[]),
            Part::Region => {
                let [region] = *module.regions(op) else { return None };
                self.region_with_arguments(region)?;
            }
            Part::Branch => self.branch(op)?,
            Part::Types(form) => self.form_types(op, form),
            Part::Cast | Part::ElementsOf | Part::Indexed(_) | Part::Gives(_) => self.foreign_types(op, part)?,
        }
        Some(())
    }

    fn foreign_types(&mut self, op: OpId, part: Part) -> Option<()> {
        let module = self.module;
        let operands = module.operands(op).iter().map(|operand| module.value_type(*operand));
        let results = module.results(op).iter().map(|result| module.value_type(result));
        self.out.push_str(" : ");
        match part {
            Part::Cast => {
                self.types(operands);
                self.out.push_str(" to ");
                self.types(results);
            }
            Part::ElementsOf => self.ty(results.clone().next()?),
            Part::Indexed(_) => self.ty(operands.clone().next()?),
            _ => self.types(operands),
        }
        Some(())
    }

    /// `(%arg0: T) {…}`
    fn region_with_arguments(&mut self, region: RegionId) -> Option<()> {
        let module = self.module;
        let block = *module.blocks(region).first()?;
        self.out.push('(');
        for (index, argument) in module.block(block).arguments.iter().enumerate() {
            self.out.push_str(if index > 0 { ", " } else { "" });
            self.block_argument(block, index, *argument);
        }
        self.out.push_str(") ");
        self.region(region, false, false);
        Some(())
    }

    /// `^bb1(%a : T)`
    fn branch(&mut self, op: OpId) -> Option<()> {
        let module = self.module;
        let [block] = *module.successors(op) else { return None };
        self.names.push_block(block, &mut self.out);
        let operands = module.operands(op);
        if !operands.is_empty() {
            self.out.push('(');
            self.values(operands);
            self.out.push_str(" : ");
            self.types(operands.iter().map(|operand| module.value_type(*operand)));
            self.out.push(')');
        }
        Some(())
    }
}

/// Whether the form shows all inherent attributes of the op, all its regions and its successors.
fn covers(module: &Module, op: OpId, parts: &[Part]) -> bool {
    let shows = |name: &str| {
        parts.iter().any(|part| match part {
            Part::Symbol(shown)
            | Part::String(shown)
            | Part::I64(shown)
            | Part::Value(shown)
            | Part::Elements(shown)
            | Part::Body(shown, _)
            | Part::OptionalBody(_, shown, _)
            | Part::Word(shown, _)
            | Part::Filled(shown, _) => *shown == name,
            _ => false,
        })
    };
    let count = |wanted| parts.iter().filter(|part| **part == wanted).count();
    let all_shown = match module.properties(op).first().copied().flatten().map(|attr| module.attr(attr)) {
        None => true,
        Some(Attribute::Dictionary(entries)) => entries.iter().all(|(name, _)| shows(module.str(*name))),
        Some(_) => false,
    };
    all_shown && module.regions(op).len() == count(Part::Region) && module.successors(op).len() == count(Part::Branch)
}

/// The text of an opaque attribute that stands for `*` in the pattern.
fn shown_body<'m>(module: &'m Module, op: OpId, name: &str, pattern: &str) -> Option<&'m str> {
    let Attribute::Opaque { body, ty: None, .. } = module.attr(module.property(op, name)?) else { return None };
    let (before, after) = pattern.split_once('*')?;
    body.strip_prefix(before)?.strip_suffix(after)
}

/// The numbers of dense elements of type `index`.
fn index_elements(module: &Module, attr: AttrId) -> Option<Vec<i64>> {
    let is_index = matches!(module.ty(module.element_type(module.attr_type(attr)?)?), Type::Index);
    is_index.then(|| Integers::of(module, attr)?.to_vec(4096))?
}
