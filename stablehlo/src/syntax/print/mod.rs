//! Writing text, to the byte as upstream's tools write it.

use std::fmt;

use crate::ir::{AttrId, Module, OpId, TypeId};

/// How to print.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct PrintOptions {
    /// Generic form for every op.
    pub generic: bool,
    /// Print locations.
    pub locations: bool,
    /// Print constants with more elements than this as `dense_resource<__elided__>`.
    pub elide_larger_than: Option<u64>,
    /// Print without aliases, resources and the final newline.
    pub local_scope: bool,
}

/// The state of printing.
pub struct Printer<'m> {
    /// What is printed.
    pub module: &'m Module,
    /// The text so far.
    pub out: String,
    /// How.
    pub options: PrintOptions,
}

/// Writes what follows the name of an op with a custom syntax.
pub type PrintFn = fn(&mut Printer<'_>, OpId);

/// The text of a module.
pub fn print(module: &Module, options: PrintOptions) -> String {
    let _ = (module, options);
    String::new()
}

/// A type that can be written with `{}`.
pub struct DisplayType<'m> {
    module: &'m Module,
    ty: TypeId,
}

impl fmt::Display for DisplayType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.module.ty(self.ty))
    }
}

/// An attribute that can be written with `{}`.
pub struct DisplayAttr<'m> {
    module: &'m Module,
    attr: AttrId,
}

impl fmt::Display for DisplayAttr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.module.attr(self.attr))
    }
}

impl Module {
    /// A type as the text writes it, without aliases.
    pub fn display_type(&self, ty: TypeId) -> DisplayType<'_> {
        DisplayType { module: self, ty }
    }

    /// An attribute as the text writes it, without aliases.
    pub fn display_attr(&self, attr: AttrId) -> DisplayAttr<'_> {
        DisplayAttr { module: self, attr }
    }
}
