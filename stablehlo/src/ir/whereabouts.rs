//! Where the source of an op stands, in words; and forgetting it.

use super::{LocId, Location, Module, OpId, Span};

/// How many parts of a location are looked at: parts are shared, so that a short text can make more of them than there is
/// time for.
const MAX_PARTS: usize = 64;

impl Module {
    /// The first file position and the names around it, `jit(f)/add (model.py:12:3)`; none when the location has neither.
    pub fn describe_location(&self, location: LocId) -> Option<String> {
        self.describe_part(location, &mut MAX_PARTS.clone())
    }

    fn describe_part(&self, location: LocId, left: &mut usize) -> Option<String> {
        *left = left.checked_sub(1)?;
        let mut next = |location: &LocId| self.describe_part(*location, left);
        match self.location(location) {
            Location::Unknown => None,
            Location::File(range) => Some(format!("{}:{}:{}", self.str(range.file), range.line, range.column)),
            Location::Name { name, child } => {
                let name = String::from_utf8_lossy(name);
                Some(match next(child) {
                    Some(child) => format!("{name} ({child})"),
                    None => name.into_owned(),
                })
            }
            Location::CallSite { callee, caller } => [callee, caller].into_iter().find_map(next),
            Location::Fused { locations, .. } => locations.iter().find_map(next),
        }
    }

    /// Where an op comes from: what its location says, else its line in the text, else nothing.
    pub fn describe_origin(&self, op: OpId) -> Option<String> {
        let location = self.op(op).location().and_then(|location| self.describe_location(location));
        location.or_else(|| {
            let source = self.source(op);
            (source.end > 0).then(|| format!("line {}", self.lines.line_column(source.name).line))
        })
    }

    /// The op's name in the source text, where MLIR's tools point.
    pub fn name_span(&self, op: OpId) -> Span {
        let source = self.source(op);
        let length = u32::try_from(self.op_name(op).len()).unwrap_or(0);
        Span::new(source.name, source.name.saturating_add(length).min(source.end))
    }

    /// Whether an op of the module says where it came from.
    pub fn has_locations(&self) -> bool {
        let mut found = false;
        self.walk(self.top(), |op| {
            let location = self.op(op).location().filter(|_| op != self.top());
            found |= location.is_some_and(|location| *self.location(location) != Location::Unknown);
        });
        found
    }

    /// Makes every location unknown.
    pub fn strip_locations(&mut self) {
        let unknown = Some(self.intern_location(Location::Unknown));
        let mut ops = Vec::new();
        self.walk(self.top(), |op| ops.push(op));
        for op in ops {
            self.set_location(op, unknown);
            for region in 0..self.regions(op).len() {
                let region = self.regions(op)[region];
                for block in 0..self.blocks(region).len() {
                    let block = self.blocks(region)[block];
                    for index in 0..self.block(block).arguments.len() {
                        self.set_argument_location(block, index, unknown);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::{PrintOptions, parse, print};

    const PROGRAM: &str = r#"
func.func @f(%arg0: tensor<f32> loc("x")) -> tensor<f32> {
  %0 = stablehlo.abs %arg0 : tensor<f32> loc(callsite(unknown at fused["abs"("m.py":12:3)]))
  return %0 : tensor<f32>
}
"#;

    #[test]
    fn origins_are_locations_or_lines() {
        let module = parse("a.mlir", PROGRAM).module;
        let mut origins = Vec::new();
        module.walk(module.top(), |op| origins.push(module.describe_origin(op)));
        let origins: Vec<Option<&str>> = origins.iter().map(Option::as_deref).collect();
        assert_eq!(origins[1..], [Some("line 2"), Some("abs (m.py:12:3)"), Some("line 4")]);
        assert!(module.has_locations());
    }

    #[test]
    fn stripped_locations_are_unknown() {
        let mut module = parse("a.mlir", PROGRAM).module;
        module.strip_locations();
        let text = print(&module, PrintOptions { locations: true, ..PrintOptions::default() });
        let expected = "#loc = loc(unknown)
module {
  func.func @f(%arg0: tensor<f32> loc(unknown)) -> tensor<f32> {
    %0 = stablehlo.abs %arg0 : tensor<f32> loc(#loc)
    return %0 : tensor<f32> loc(#loc)
  } loc(#loc)
} loc(#loc)
";
        assert_eq!(text, expected);
        assert!(!module.has_locations());
    }
}
