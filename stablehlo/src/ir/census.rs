//! What a module is made of, counted.

use std::collections::BTreeMap;

use super::{AttrId, Attribute, Module, NameId, OpId};
use crate::ops::OpKind;

/// Counts of a module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Census {
    /// Full names of ops and how many of each there are, by name.
    pub ops: Vec<(String, u64)>,
    /// Names of functions in order, with their types.
    pub functions: Vec<(String, String)>,
    /// Constants in order: attributes of ops that hold tensors. One that many ops share is listed once.
    pub constants: Vec<Constant>,
}

/// A constant of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constant {
    /// The first op that has it.
    pub op: OpId,
    /// Its type.
    pub ty: String,
    /// What it takes, in bytes; a splat is one element.
    pub bytes: u64,
    /// How many ops share it.
    pub n_uses: u64,
    /// The key of the resource that holds it, if one does.
    pub resource: Option<String>,
}

impl Census {
    /// Counts what `module` consists of.
    pub fn of(module: &Module) -> Self {
        let mut counts = BTreeMap::new();
        let mut census = Census::default();
        let mut constants = BTreeMap::new();
        module.walk(module.top(), |op| {
            *counts.entry(module.op_name(op)).or_insert(0) += 1;
            if module.kind(op) == Some(OpKind::Func) {
                census.functions.extend(function(module, op));
            }
            for attr in module.properties(op).iter().copied().flatten() {
                let at = *constants.entry(attr).or_insert_with(|| {
                    let found = constant(module, op, attr);
                    found.map(|found| {
                        census.constants.push(found);
                        census.constants.len() - 1
                    })
                });
                if let Some(constant) = at.and_then(|at| census.constants.get_mut(at)) {
                    constant.n_uses += 1;
                }
            }
        });
        census.ops = counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
        census
    }
}

fn function(module: &Module, op: OpId) -> Option<(String, String)> {
    let name = module.property(op, "sym_name").and_then(|attr| module.string_attr(attr))?;
    let ty = module.property(op, "function_type")?;
    Some((name.to_owned(), module.display_attr(ty).to_string()))
}

fn constant(module: &Module, op: OpId, attr: AttrId) -> Option<Constant> {
    let (ty, bytes, resource) = match module.attr(attr) {
        Attribute::DenseElements(elements) => (elements.ty, elements.data.len(), None),
        Attribute::DenseResource { ty, key } => {
            let size = module.resources.get(key).map_or(0, |resource| resource.data.len());
            (*ty, size, Some::<NameId>(*key))
        }
        _ => return None,
    };
    let resource = resource.map(|key| module.str(key).to_owned());
    Some(Constant { op, ty: module.display_type(ty).to_string(), bytes: bytes as u64, n_uses: 0, resource })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse;

    #[test]
    fn ops_functions_and_constants_are_counted() {
        let text = r#"
func.func @f() -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %2 = stablehlo.constant dense<0.0> : tensor<1000xf64>
  %3 = stablehlo.constant dense_resource<big> : tensor<3xi16>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
func.func private @g(tensor<i1>)
{-# dialect_resources: { builtin: { big: "0x02000000010002000300" } } #-}
"#;
        let parsed = parse("a.mlir", text);
        assert!(parsed.is_ok(), "{:?}", parsed.diagnostics);
        let census = Census::of(&parsed.module);
        let ops: Vec<(&str, u64)> = census.ops.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        assert_eq!(ops, [("builtin.module", 1), ("func.func", 2), ("func.return", 1), ("stablehlo.constant", 4)],);
        let functions: Vec<(&str, &str)> =
            census.functions.iter().map(|(name, ty)| (name.as_str(), ty.as_str())).collect();
        assert_eq!(functions, [("f", "() -> (tensor<2xf32>, tensor<2xf32>)"), ("g", "(tensor<i1>) -> ()")]);
        let constants: Vec<(&str, u64, u64, Option<&str>)> =
            census.constants.iter().map(|it| (it.ty.as_str(), it.bytes, it.n_uses, it.resource.as_deref())).collect();
        assert_eq!(
            constants,
            [("tensor<2xf32>", 8, 2, None), ("tensor<1000xf64>", 8, 1, None), ("tensor<3xi16>", 6, 1, Some("big")),],
        );
    }
}
