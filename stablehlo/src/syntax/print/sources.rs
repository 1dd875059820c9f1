//! Where ops stand in the text that is printed, so that complaints about modules that were never text can point into one.

use super::{PrintOptions, Printer, printed};
use crate::arena::Entity;
use crate::ir::{Module, OpId, OpSource};

/// The text of a module, and for every op where it stands in it, by number; for [`Module::set_text`].
///
/// Ops that the text only implies, such as the body of a compact `reduce`, stand where the op around them does. Texts of
/// 4 GiB and more have no places.
pub fn print_with_sources(module: &Module, options: PrintOptions) -> (String, Vec<OpSource>) {
    let mut printer = Printer::new(module, options);
    printer.sources = Some(vec![OpSource::default(); module.n_ops()]);
    let printer = printed(printer, module.top());
    let mut sources = printer.sources.unwrap_or_default();
    if u32::try_from(printer.out.len()).is_err() {
        sources.fill(OpSource::default());
    }
    place_implied(module, &mut sources);
    (printer.out, sources)
}

/// Gives ops that were not written the place of the op around them.
fn place_implied(module: &Module, sources: &mut [OpSource]) {
    let mut left = vec![module.top()];
    while let Some(op) = left.pop() {
        let around_it = sources[op.index()];
        let place = OpSource { start: around_it.name, ..around_it };
        let blocks = module.regions(op).iter().flat_map(|region| module.blocks(*region));
        for inner in blocks.flat_map(|block| &module.block(*block).ops) {
            let source = &mut sources[inner.index()];
            if source.end == 0 {
                *source = place;
            }
            if !module.regions(*inner).is_empty() {
                left.push(*inner);
            }
        }
    }
}

impl Printer<'_> {
    /// Notes that `op`, which was just written, begins at `start` and has its name at `name`. What is written once more
    /// because a form was given up is noted once more.
    pub(super) fn note_source(&mut self, op: OpId, start: usize, name: usize) {
        if let Some(sources) = &mut self.sources {
            let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            sources[op.index()] = OpSource { start: offset(start), name: offset(name), end: offset(self.out.len()) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{parse, print};
    use crate::verify::verify;

    const PROGRAM: &str = "\
module @m {
  func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<2xf32>, tensor<f32>
    %1 = stablehlo.reduce(%0#0 init: %0#1) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
}
";

    /// Printing finds the places that reading the text finds.
    #[test]
    fn places_are_those_that_the_parser_notes() {
        for options in [PrintOptions::default(), PrintOptions { generic: true, ..PrintOptions::default() }] {
            let mut text = PROGRAM.to_owned();
            for _ in 0..2 {
                let parsed = parse("a.mlir", &text);
                assert!(parsed.is_ok(), "{:?}", parsed.diagnostics);
                let (printed, sources) = print_with_sources(&parsed.module, options);
                assert_eq!(printed, print(&parsed.module, options));
                if printed == text {
                    for (index, source) in sources.iter().enumerate().filter(|(_, source)| source.end > 0) {
                        let op = OpId::from_index(index);
                        assert_eq!(*source, parsed.module.source(op), "{}", parsed.module.op_name(op));
                    }
                }
                text = printed;
            }
        }
    }

    #[test]
    fn complaints_about_a_module_without_text_point_into_its_text() {
        let wrong = "func.func @f(%arg0: tensor<2xf16>, %arg1: tensor<f16>) -> tensor<2xf16> {\n  %0 = stablehlo.pad %arg0, %arg1, low = [0], high = [0], interior = [-1] : (tensor<2xf16>, tensor<f16>) -> tensor<2xf16>\n  return %0 : tensor<2xf16>\n}\n";
        let mut module = parse("a.mlir", wrong).module;
        module.set_text(b"", Vec::new());
        let (text, sources) = print_with_sources(&module, PrintOptions::default());
        module.set_text(text.as_bytes(), sources);
        let complaints = verify(&module, &text).unwrap_err();
        let span = complaints[0].span;
        assert_eq!(complaints[0].code, "pad_c3");
        assert!(text[span.start as usize..span.end as usize].contains("-1"), "{}", &text[span.start as usize..]);
    }
}
