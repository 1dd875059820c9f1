//! Writing text, to the byte as upstream's tools write it.
//!
//! A [`Printer`] owns the text that is being made; everything that can stand in it has a method that appends it. Ops write
//! themselves by their declared [`Syntax`](crate::ops::spec::Syntax), else in the generic form.
//!
//! Upstream's printer has a few bugs. What it prints wrongly but readably is printed the same here; where its text could not
//! be read back, the nearest readable text is printed instead: the generic form of a `while` whose iteration types differ from
//! its operands', no stray comma in a rank-0 `dynamic_slice`, `@""` for an empty symbol.

mod affine;
mod aliases;
mod attributes;
mod dialects;
mod elements;
mod foreign;
mod forms;
pub(crate) mod functions;
mod locations;
mod names;
mod operations;
mod quant;
mod resources;
mod sources;
mod types;
pub mod write;

use std::fmt;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::arena::SideMap;
use crate::ir::{AttrId, Location, Module, NameId, OpId, OpSource, TypeId};
use aliases::{Aliases, Collector};
use locations::LocKey;
use names::{Names, Naming, name_values};
use types::TypeTexts;

pub use sources::print_with_sources;

/// How deep types, attributes, locations and ops may be nested; what is deeper prints as `...`. Readers accept less.
const MAX_DEPTH: u32 = 1024;

/// How to print.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PrintOptions {
    /// Generic form for every op.
    pub generic: bool,
    /// Print locations.
    pub locations: bool,
    /// Print constants with more elements than this as `dense_resource<__elided__>`.
    pub elide_larger_than: Option<u64>,
    /// Leave out resources that have more bytes than this.
    pub elide_resources_larger_than: Option<u64>,
    /// Print constants with more elements than this in hexadecimal; never when absent.
    pub hex_larger_than: Option<u64>,
    /// Print without aliases, resources and the final newline.
    pub local_scope: bool,
    /// Name values after the names in their locations.
    pub names_from_locations: bool,
}

impl Default for PrintOptions {
    fn default() -> Self {
        Self {
            generic: false,
            locations: false,
            elide_larger_than: None,
            elide_resources_larger_than: None,
            hex_larger_than: Some(100),
            local_scope: false,
            names_from_locations: false,
        }
    }
}

/// The state of printing.
pub struct Printer<'m> {
    /// What is printed.
    pub module: &'m Module,
    /// The text so far.
    pub out: String,
    /// How.
    pub options: PrintOptions,
    names: Names,
    aliases: Aliases,
    /// There while aliases are being collected.
    collector: Option<Collector>,
    type_texts: TypeTexts,
    /// Locations of ops that have none of their own; found once, asked for twice.
    implied_keys: SideMap<OpId, Option<LocKey>>,
    /// Implied locations, numbered after the module's own.
    extra_locations: IndexSet<Location, FxBuildHasher>,
    /// Printed number of `distinct` attributes.
    distinct_numbers: FxHashMap<u32, u32>,
    /// Keys of resources in order of their first mention.
    used_resources: IndexSet<NameId, FxBuildHasher>,
    /// Where the ops stand in the text, when somebody asked.
    sources: Option<Vec<OpSource>>,
    /// The dialect whose ops stand without its name here.
    default_dialect: &'static str,
    indent: usize,
    depth: u32,
    gave_up: bool,
}

/// Writes what follows the name of an op with a custom syntax.
///
/// The op may be malformed: where it does not have the parts that the form shows, the function calls
/// [`Printer::give_up`] and the op is written in the generic form.
pub type PrintFn = fn(&mut Printer<'_>, OpId);

/// The text of a module.
pub fn print(module: &Module, options: PrintOptions) -> String {
    print_op(module, module.top(), options)
}

/// The text of one op, as [`print()`] writes modules. Values defined outside of it print as `%<<unknown>>`.
pub fn print_op(module: &Module, op: OpId, options: PrintOptions) -> String {
    printed(Printer::new(module, options), op).out
}

/// Prints `op` with a new printer.
fn printed(mut printer: Printer<'_>, op: OpId) -> Printer<'_> {
    let (module, options) = (printer.module, printer.options);
    let naming = Naming { generic: options.generic, by_location: options.names_from_locations };
    printer.names = name_values(module, op, naming);
    printer.default_dialect = "builtin";
    if options.local_scope {
        printer.op(op);
        return printer;
    }
    if options.locations || aliases::has_candidates(module) {
        printer.collector = Some(Collector::default());
        printer.op(op);
        printer.finish_collecting();
    }
    printer.out.reserve(module.n_ops().saturating_mul(80));
    printer.alias_definitions(false);
    printer.op(op);
    printer.out.push('\n');
    printer.alias_definitions(true);
    printer.resource_section();
    printer
}

impl<'m> Printer<'m> {
    fn new(module: &'m Module, options: PrintOptions) -> Self {
        Self {
            module,
            out: String::new(),
            options,
            names: Names::default(),
            aliases: Aliases::default(),
            collector: None,
            type_texts: TypeTexts::default(),
            implied_keys: SideMap::default(),
            extra_locations: IndexSet::default(),
            distinct_numbers: FxHashMap::default(),
            used_resources: IndexSet::default(),
            sources: None,
            default_dialect: "",
            indent: 0,
            depth: 0,
            gave_up: false,
        }
    }

    /// Goes one level of nesting deeper; false, with `...` written, when that is too deep.
    fn enter(&mut self) -> bool {
        if self.depth == MAX_DEPTH {
            self.out.push_str("...");
            return false;
        }
        self.depth += 1;
        true
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }
}

impl Module {
    /// A type as the text writes it, without aliases.
    pub fn display_type(&self, ty: TypeId) -> impl fmt::Display + '_ {
        self.display(move |printer| printer.ty(ty))
    }

    /// An attribute as the text writes it, without aliases.
    pub fn display_attr(&self, attr: AttrId) -> impl fmt::Display + '_ {
        self.display(move |printer| printer.attr(attr))
    }

    /// What `write` writes, as something that can be written with `{}`.
    fn display<'m>(&'m self, write: impl Fn(&mut Printer<'m>)) -> impl fmt::Display {
        fmt::from_fn(move |f| {
            let mut printer = Printer::new(self, PrintOptions::default());
            write(&mut printer);
            f.pad(&printer.out)
        })
    }
}
