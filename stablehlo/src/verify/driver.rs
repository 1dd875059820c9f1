//! The walk over a module, and how complaints become diagnostics.

use super::dialects::{Standing, standing};
use super::fault::{Fault, Place, Verdict};
use super::order::Order;
use super::place::Places;
use super::ssa::{Dominance, Misuse};
use super::symbols::{Symbols, is_symbol_table, symbol_name};
use super::types::TypeRules;
use super::{Cx, VerifyOptions, structure};
use crate::arena::SideMap;
use crate::diag::Diagnostic;
use crate::ir::{Module, OpId, ValueId};
use crate::ops::OpKind;
use crate::ops::spec::{Check, OpSpec};

/// After this many complaints nobody reads on.
const MOST: usize = 1000;

/// Looks at everything and returns the complaints, sorted by place.
pub(super) fn run(module: &Module, text: &str, options: VerifyOptions) -> Vec<Diagnostic> {
    let order = Order::new(module);
    let mut report =
        Report { module, places: Places::new(module, text), diagnostics: Vec::new(), failed: SideMap::new(false) };
    let symbols = enter_symbols(module, &order, &mut report);
    check_structure(module, &order, options, &mut report);
    check_uses(module, &order, &mut report);
    check_rules(module, &order, &symbols, &mut report);
    report.finish()
}

/// Collects complaints.
struct Report<'m> {
    module: &'m Module,
    places: Places<'m>,
    diagnostics: Vec<Diagnostic>,
    /// Ops whose rules must not be looked at: something in them is malformed.
    failed: SideMap<OpId, bool>,
}

impl Report<'_> {
    fn is_full(&self) -> bool {
        self.diagnostics.len() >= MOST
    }

    /// Turns a fault of `op` into a diagnostic. The place that counts stays on the line of the op's name, which is where
    /// MLIR's tools report; a part on another line becomes a label.
    fn fault(&mut self, op: OpId, code: impl FnOnce() -> String, fault: Fault) {
        if self.is_full() {
            return;
        }
        let fault = *fault.0;
        let name = self.places.name(op);
        let part = self.places.of(op, fault.place);
        let other_line = matches!(fault.place, Place::Other(_)) || !self.places.same_line(name, part);
        let span = if other_line { name } else { part };
        let mut diagnostic = Diagnostic::error(fault.code.unwrap_or_else(code), span, fault.message);
        if other_line {
            diagnostic = diagnostic.with_label(part, words(fault.place));
        }
        for (place, message) in fault.labels {
            let at = self.places.of(op, place);
            diagnostic = diagnostic.with_label(at, message);
        }
        diagnostic.help = fault.help;
        self.diagnostics.push(diagnostic);
    }

    /// Marks `op` and the ops around it: rules that look into regions rely on what is in them. Functions and modules do not.
    fn malformed(&mut self, op: OpId) {
        self.failed.set(op, true);
        let mut at = op;
        while let Some(around) = self.module.parent_op(at) {
            if matches!(self.module.kind(around), Some(OpKind::Func | OpKind::Module)) {
                break;
            }
            self.failed.set(around, true);
            at = around;
        }
    }

    fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end));
        self.diagnostics.dedup();
        self.diagnostics
    }
}

/// What a label at a place says when there is nothing more to say.
fn words(place: Place) -> String {
    match place {
        Place::Op | Place::Other(_) => "this op".to_owned(),
        Place::Operand(index) => format!("operand #{index}"),
        Place::Result(index) => format!("result #{index}"),
        Place::Attr(name) => format!("attribute `{name}`"),
        Place::Region(index) => format!("region #{index}"),
    }
}

fn enter_symbols<'m>(module: &'m Module, order: &Order, report: &mut Report<'m>) -> Symbols<'m> {
    let mut symbols = Symbols::default();
    for &op in &order.ops {
        let Some(name) = symbol_name(module, op) else {
            continue;
        };
        let Some(around) = module.parent_op(op) else {
            continue;
        };
        if !is_symbol_table(module, around) {
            if module.kind(op).is_some() && module.kind(around).is_some() {
                let message = format!("`{}` must stand directly in a module", module.op_name(op));
                report.fault(op, || "symbol/outside-table".to_owned(), Fault::new(message));
            }
            continue;
        }
        if let Some(first) = symbols.enter(around, name, op) {
            let message = format!("the symbol `@{}` is defined twice", String::from_utf8_lossy(name));
            let fault = Fault::new(message).label(Place::Other(first), "first defined here");
            report.fault(op, || "symbol/redefinition".to_owned(), fault);
        }
    }
    symbols
}

fn check_structure(module: &Module, order: &Order, options: VerifyOptions, report: &mut Report<'_>) {
    let mut types = TypeRules::default();
    for &op in &order.ops {
        if report.is_full() {
            return;
        }
        let types = types.check_op(module, op);
        let kind = module.kind(op);
        let cx = Cx::new(module, op);
        let structure = kind.map_or(Ok(()), |kind| structure::check(&cx, kind.spec()));
        if structure.is_err() {
            report.malformed(op);
        }
        if let Err(fault) = types.and(structure) {
            report.fault(op, || "structure/op".to_owned(), fault);
            report.failed.set(op, true);
            continue;
        }
        match kind {
            Some(kind) => {
                if let Err(fault) = structure::check_types(&cx, kind.spec()) {
                    report.fault(op, || "structure/op".to_owned(), fault);
                    report.failed.set(op, true);
                }
            }
            None => {
                if let Err(fault) = check_dialect(module.op_name(op), options) {
                    report.fault(op, || "dialect/unregistered".to_owned(), fault);
                    report.malformed(op);
                }
            }
        }
    }
}

/// Ops of unknown name: fine if their dialect is one that others take care of.
fn check_dialect(name: &str, options: VerifyOptions) -> Verdict {
    let Some((dialect, _)) = name.split_once('.') else {
        return if options.allow_unregistered { Ok(()) } else { Err(unregistered(name, name)) };
    };
    match standing(dialect) {
        Standing::Foreign => Ok(()),
        Standing::Unknown if options.allow_unregistered => Ok(()),
        Standing::Unknown => Err(unregistered(name, dialect)),
        Standing::Registered => {
            Err(Fault::new(format!("the dialect `{dialect}` has no op `{name}`")).code("parse/unknown-op"))
        }
    }
}

fn unregistered(name: &str, dialect: &str) -> Fault {
    Fault::new(format!("`{name}` belongs to the unknown dialect `{dialect}`"))
        .help("allow unregistered dialects to keep such ops as they are, unchecked")
}

fn check_uses<'m>(module: &'m Module, order: &'m Order, report: &mut Report<'_>) {
    let mut dominance = Dominance::new(module, order);
    for &op in &order.ops {
        if report.is_full() {
            return;
        }
        let operands = module.operands(op);
        if operands.is_empty() || !module.op(op).parent().is_some_and(|block| dominance.is_reachable(block)) {
            continue;
        }
        for (index, value) in operands.iter().enumerate() {
            if let Err(misuse) = dominance.check(op, *value) {
                let (code, fault) = misuse_fault(module, index, *value, misuse);
                report.fault(op, || code.to_owned(), fault);
                report.failed.set(op, true);
                break;
            }
        }
    }
}

fn misuse_fault(module: &Module, index: usize, value: ValueId, misuse: Misuse) -> (&'static str, Fault) {
    let (code, message) = match misuse {
        Misuse::NotDominated => ("ssa/use-before-definition", format!("operand #{index} is used before it is defined")),
        Misuse::OutOfScope => {
            ("ssa/out-of-scope", format!("operand #{index} is defined in a region that does not reach here"))
        }
        Misuse::Isolated(around) => (
            "ssa/not-isolated",
            format!(
                "operand #{index} is defined outside of a `{}`, which sees no outer values",
                module.op_name(around)
            ),
        ),
    };
    let mut fault = Fault::new(message).at(Place::Operand(index));
    if let Some(definition) = module.defining_op(value) {
        fault = fault.label(Place::Other(definition), "defined here");
    }
    if let Misuse::Isolated(around) = misuse {
        fault = fault.label(Place::Other(around), "nothing inside sees values from outside");
    }
    (code, fault)
}

fn check_rules(module: &Module, order: &Order, symbols: &Symbols<'_>, report: &mut Report<'_>) {
    for &op in &order.ops {
        let Some(kind) = module.kind(op) else {
            continue;
        };
        let spec = kind.spec();
        if spec.constraints.is_empty() || report.failed[op] {
            continue;
        }
        if report.is_full() {
            return;
        }
        let cx = Cx::with_symbols(module, op, symbols);
        if let Some((label, fault)) = first_broken(&cx, spec) {
            report.fault(op, || spec.rule_code(label), fault);
        }
    }
}

/// The first rule that does not hold.
fn first_broken(cx: &Cx<'_>, spec: &OpSpec) -> Option<(&'static str, Fault)> {
    spec.constraints.iter().find_map(|constraint| match constraint.check {
        Check::Fn(check) => check(cx).err().map(|fault| (constraint.label, fault)),
        Check::Class(_) | Check::With(_) | Check::Runtime(_) => None,
    })
}
