//! Operations, regions and blocks; the generic form.

use smallvec::SmallVec;

use super::Printer;
use super::write::push_u64;
use crate::ir::{AttrId, Attribute, BlockId, OpId, OpName, RegionId, ValueId};
use crate::ops::spec::{OpSpec, Presence, Syntax, Trait};

/// Attributes by name, in the order of printing.
pub(super) type Entries<'m> = SmallVec<[(&'m str, AttrId); 8]>;

impl<'m> Printer<'m> {
    /// Writes an op on a line of its own.
    fn op_line(&mut self, op: OpId) {
        self.indentation();
        self.op(op);
        self.out.push('\n');
        if self.collecting() {
            self.out.clear();
        }
    }

    /// Writes an op: results, form, location.
    pub(super) fn op(&mut self, op: OpId) {
        if !self.enter() {
            return;
        }
        if self.collecting() {
            if self.options.locations {
                let location = self.op_location(op);
                self.visit_location(location, true);
            }
            self.form(op);
        } else {
            let start = self.out.len();
            self.result_names(op);
            let name = self.out.len();
            self.form(op);
            self.op_location_suffix(op);
            self.note_source(op, start, name);
        }
        self.leave();
    }

    /// `%0:2 = `, `%a, %b = `
    fn result_names(&mut self, op: OpId) {
        let module = self.module;
        let results = module.results(op);
        let Some(first) = results.get(0) else { return };
        self.names.push_value(module, first, false, &mut self.out);
        if results.len() > 1 {
            if self.names.is_group(first) {
                self.out.push(':');
                push_u64(&mut self.out, results.len() as u64);
            } else {
                for value in results.iter().skip(1) {
                    self.out.push_str(", ");
                    self.names.push_value(module, value, false, &mut self.out);
                }
            }
        }
        self.out.push_str(" = ");
    }

    /// The op without results: pretty where it has a pretty form.
    fn form(&mut self, op: OpId) {
        let start = self.out.len();
        match self.module.op(op).name() {
            OpName::Opaque(_) if self.options.generic || !self.foreign_form(op) => self.generic_form(op),
            OpName::Opaque(_) => {}
            OpName::Known(_) if self.options.generic => self.generic_form(op),
            OpName::Known(kind) => {
                let spec = kind.spec();
                match spec.syntax {
                    Syntax::Generic => return self.generic_form(op),
                    Syntax::Form(form) => {
                        self.op_name(spec);
                        self.declared_form(op, kind, form);
                    }
                    Syntax::Custom { print, .. } => {
                        self.op_name(spec);
                        print(self, op);
                    }
                }
                if std::mem::take(&mut self.gave_up) {
                    self.out.truncate(start);
                    self.generic_form(op);
                }
            }
        }
    }

    /// The name, without the dialect that its surroundings imply.
    fn op_name(&mut self, spec: &'static OpSpec) {
        let name = if spec.dialect == self.default_dialect { spec.mnemonic } else { spec.name };
        self.out.push_str(name);
    }

    /// Says that the op has no readable pretty form; the generic form is written instead of what was written so far.
    pub fn give_up(&mut self) {
        self.gave_up = true;
    }

    // ---------------------------------------------------------------- generic form

    /// `"dialect.op"(%a)[^bb1] <{…}> ({…}) {…} : (T) -> U`
    fn generic_form(&mut self, op: OpId) {
        if self.collecting() {
            return self.collect_generic_form(op);
        }
        let module = self.module;
        self.string(module.op_name(op).as_bytes());
        self.out.push('(');
        self.values(module.operands(op));
        self.out.push(')');
        self.successors(module.successors(op));
        self.properties(op);
        let regions = module.regions(op);
        if !regions.is_empty() {
            self.out.push_str(" (");
            for (index, region) in regions.iter().enumerate() {
                self.out.push_str(if index > 0 { ", " } else { "" });
                self.region(*region, true, true);
            }
            self.out.push(')');
        }
        self.discardable_attrs(op);
        self.out.push_str(" : ");
        self.op_function_type(op);
    }

    fn collect_generic_form(&mut self, op: OpId) {
        let module = self.module;
        for region in module.regions(op) {
            self.region(*region, true, true);
        }
        self.op_function_type(op);
        match module.op(op).name() {
            OpName::Known(_) => {
                for (_, attr) in self.entries(op, &[], false) {
                    self.attr(attr);
                }
            }
            OpName::Opaque(_) => {
                let dictionaries = module.properties(op).iter().copied().flatten().chain(module.op(op).attributes());
                for attr in dictionaries {
                    self.attr(attr);
                }
            }
        }
    }

    fn successors(&mut self, successors: &[BlockId]) {
        if successors.is_empty() {
            return;
        }
        self.out.push('[');
        for (index, block) in successors.iter().enumerate() {
            self.out.push_str(if index > 0 { ", " } else { "" });
            self.names.push_block(*block, &mut self.out);
        }
        self.out.push(']');
    }

    /// ` <{…}>`
    fn properties(&mut self, op: OpId) {
        let module = self.module;
        match module.op(op).name() {
            OpName::Opaque(_) => {
                if let Some(attr) = module.properties(op).first().copied().flatten() {
                    self.out.push_str(" <");
                    self.attr(attr);
                    self.out.push('>');
                }
            }
            OpName::Known(kind) => {
                let spec = kind.spec();
                let mut entries = Entries::new();
                for (declared, attr) in spec.attributes.iter().zip(module.properties(op)) {
                    entries.extend(attr.map(|attr| (declared.name, attr)));
                }
                if entries.is_empty() {
                    return;
                }
                entries.sort_unstable_by_key(|(name, _)| *name);
                self.out.push_str(" <{");
                for (index, (name, attr)) in entries.into_iter().enumerate() {
                    self.out.push_str(if index > 0 { ", " } else { "" });
                    self.inherent_attr(spec, name, attr);
                }
                self.out.push_str("}>");
            }
        }
    }

    /// `key = value`; sizes of segments are 32-bit numbers.
    fn inherent_attr(&mut self, spec: &OpSpec, name: &str, attr: AttrId) {
        match self.module.attr(attr) {
            Attribute::DenseI64Array(sizes) if is_segment_sizes(spec, name) => {
                self.out.push_str(name);
                self.out.push_str(if sizes.is_empty() { " = array<i32" } else { " = array<i32: " });
                super::write::push_i64_list(&mut self.out, sizes);
                self.out.push('>');
            }
            _ => self.named_attr(name, attr),
        }
    }

    /// ` {…}`: discardable attributes only.
    fn discardable_attrs(&mut self, op: OpId) {
        let module = self.module;
        if let Some(attr) = module.op(op).attributes()
            && let Attribute::Dictionary(entries) = module.attr(attr)
            && !entries.is_empty()
        {
            self.out.push(' ');
            self.dictionary(entries);
        }
    }

    /// `(operand types) -> result types`
    pub fn op_function_type(&mut self, op: OpId) {
        let module = self.module;
        let operands = module.operands(op).iter().map(|operand| module.value_type(*operand));
        let results = module.results(op).iter().map(|result| module.value_type(result));
        self.function_type(operands, results);
    }

    // ---------------------------------------------------------------- parts for forms

    /// All attributes of an op but those named in `shown`, sorted by name; without those that have their default value
    /// when `elide_defaults`.
    pub(super) fn entries(&self, op: OpId, shown: &[&str], elide_defaults: bool) -> Entries<'m> {
        let module = self.module;
        let mut entries = Entries::new();
        if let Some(attr) = module.op(op).attributes()
            && let Attribute::Dictionary(discardable) = module.attr(attr)
        {
            let named = discardable.iter().map(|(name, attr)| (module.str(*name), *attr));
            entries.extend(named.filter(|(name, _)| !shown.contains(name)));
        }
        if let OpName::Known(kind) = module.op(op).name() {
            let spec = kind.spec();
            for (declared, attr) in spec.attributes.iter().zip(module.properties(op)) {
                let Some(attr) = *attr else { continue };
                let is_default = match declared.presence {
                    Presence::Default(value) if elide_defaults => value.is(module, attr),
                    _ => false,
                };
                if !is_default && !shown.contains(&declared.name) {
                    entries.push((declared.name, attr));
                }
            }
        }
        entries.sort_by_key(|(name, _)| *name);
        entries
    }

    /// Writes ` {…}`: discardable attributes and the inherent ones that are not `shown`, merged and sorted, defaults left
    /// out; nothing when there are none.
    pub fn attr_dict(&mut self, op: OpId, shown: &[&str]) {
        let entries = self.entries(op, shown, true);
        self.attr_entries(" ", &entries);
    }

    /// The same, after the keyword: ` attributes {…}`.
    pub fn attr_dict_with_keyword(&mut self, op: OpId, shown: &[&str]) {
        let entries = self.entries(op, shown, true);
        self.attr_entries(" attributes ", &entries);
    }

    pub(super) fn attr_entries(&mut self, before: &str, entries: &[(&'m str, AttrId)]) {
        if entries.is_empty() {
            return;
        }
        self.out.push_str(before);
        self.out.push('{');
        for (index, (name, attr)) in entries.iter().enumerate() {
            self.out.push_str(if index > 0 { ", " } else { "" });
            self.named_attr(name, *attr);
        }
        self.out.push('}');
    }

    /// Writes the use of a value: `%3`, `%3#1`.
    pub fn value(&mut self, value: ValueId) {
        if !self.collecting() {
            self.names.push_value(self.module, value, true, &mut self.out);
        }
    }

    /// Writes values separated by commas.
    pub fn values(&mut self, values: &[ValueId]) {
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.value(*value);
        }
    }

    // ---------------------------------------------------------------- regions and blocks

    /// Writes `{ … }`. The label of the first block is written when it has arguments and `with_arguments` is on, and when
    /// it is empty and `label_if_empty` is on.
    pub fn region(&mut self, region: RegionId, with_arguments: bool, label_if_empty: bool) {
        let module = self.module;
        let around = module.region_parent(region).and_then(|op| module.kind(op));
        let default_dialect = around.map_or("", |kind| kind.spec().default_dialect);
        let outer_dialect = std::mem::replace(&mut self.default_dialect, default_dialect);
        self.out.push_str("{\n");
        let blocks = module.blocks(region);
        let predecessors = if blocks.len() > 1 { self.predecessors(blocks) } else { Vec::new() };
        for (index, block) in blocks.iter().enumerate() {
            let data = module.block(*block);
            let with_label =
                index > 0 || (with_arguments && !data.arguments.is_empty()) || (label_if_empty && data.ops.is_empty());
            if with_label {
                self.label(*block, index > 0, predecessors.get(index).map_or(&[], Vec::as_slice));
            }
            self.indent += 2;
            for op in &data.ops {
                self.op_line(*op);
            }
            self.indent -= 2;
        }
        self.default_dialect = outer_dialect;
        self.indentation();
        self.out.push('}');
    }

    /// Position of every block that can lead to a block, in order, for all `blocks`.
    fn predecessors(&self, blocks: &[BlockId]) -> Vec<Vec<u32>> {
        let module = self.module;
        let mut predecessors = vec![Vec::new(); blocks.len()];
        for (number, block) in blocks.iter().enumerate() {
            let successors = module.block(*block).ops.iter().flat_map(|op| module.successors(*op));
            for successor in successors {
                if let Some(list) = predecessors.get_mut(self.names.block_number(*successor) as usize) {
                    list.push(number as u32);
                }
            }
        }
        predecessors
    }

    /// `^bb1(%0: T):  // pred: ^bb0`
    fn label(&mut self, block: BlockId, say_none: bool, predecessors: &[u32]) {
        self.indentation();
        self.names.push_block(block, &mut self.out);
        let arguments = &self.module.block(block).arguments;
        if !arguments.is_empty() {
            self.out.push('(');
            for (index, argument) in arguments.iter().enumerate() {
                self.out.push_str(if index > 0 { ", " } else { "" });
                self.block_argument(block, index, *argument);
            }
            self.out.push(')');
        }
        self.out.push(':');
        match predecessors {
            [] if say_none => self.out.push_str("  // no predecessors"),
            [] => {}
            [_] => self.out.push_str("  // pred: "),
            _ => {
                self.out.push_str("  // ");
                push_u64(&mut self.out, predecessors.len() as u64);
                self.out.push_str(" preds: ");
            }
        }
        for (index, number) in predecessors.iter().enumerate() {
            self.out.push_str(if index > 0 { ", ^bb" } else { "^bb" });
            push_u64(&mut self.out, u64::from(*number));
        }
        self.out.push('\n');
    }

    /// `%arg0: T`, with its location when locations are printed.
    pub fn block_argument(&mut self, block: BlockId, index: usize, argument: ValueId) {
        self.value(argument);
        self.out.push_str(": ");
        self.ty(self.module.value_type(argument));
        self.argument_location_suffix(block, index);
    }

    /// Writes spaces up to the column of the current nesting.
    pub fn indentation(&mut self) {
        const SPACES: &str = "                                                                ";
        let mut left = self.indent;
        while left > 0 {
            let now = left.min(SPACES.len());
            self.out.push_str(&SPACES[..now]);
            left -= now;
        }
    }
}

/// Whether this inherent attribute holds the sizes of operand or result segments.
pub(super) fn is_segment_sizes(spec: &OpSpec, name: &str) -> bool {
    (name == "operandSegmentSizes" && spec.has(Trait::OperandSegments))
        || (name == "resultSegmentSizes" && spec.has(Trait::ResultSegments))
}
