//! What the verifier says about structure, values, symbols and dialects: the files `testdata/verify/*.mlir`, whose
//! comments say what they expect.

use stablehlo::syntax::{Split, parse, sections};
use stablehlo::verify::expected::compare;
use stablehlo::verify::verify;

use crate::diagnostics;

/// Differences between what a section expects and what is reported.
fn differences(text: &str) -> Vec<String> {
    compare(text, &diagnostics(text)).iter().map(|one| one.to_diagnostic().message).collect()
}

#[test]
fn comments_are_met() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/verify");
    let mut failures = Vec::new();
    let mut n_sections = 0;
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        for section in sections(&text, Split::MarkerLines) {
            n_sections += 1;
            let line = text[..section.start].lines().count() + 1;
            let found = differences(&text[section]);
            failures.extend(found.iter().map(|it| format!("{}, section at line {line}: {it}", path.display())));
        }
    }
    assert!(failures.is_empty(), "{} differences:\n{}", failures.len(), failures.join("\n"));
    assert!(n_sections >= 20, "the files are found");
}

/// With several inputs the indices of a scatter are not operand number 1.
#[test]
fn labels_of_a_scatter_point_at_its_indices() {
    let text = r#"
func.func @scatter(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>, %i: tensor<3x1xi32>, %u: tensor<3x5xf32>) {
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) : (tensor<4x5xf32>, tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>, tensor<3x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>)
  return
}
"#;
    let parsed = parse("test.mlir", text);
    let diagnostics = verify(&parsed.module, text).err().unwrap_or_default();
    let [fault] = &diagnostics[..] else { panic!("expected one complaint, got {diagnostics:?}") };
    assert_eq!(fault.code, "scatter_c22");
    let label = fault.labels.first().expect("the indices are shown");
    assert_eq!(&text[label.span.start as usize..label.span.end as usize], "%i");
    assert_eq!(label.message, "has rank 2");
}

/// A region of several blocks, which no StableHLO op has but functions may.
#[test]
fn dominance_across_blocks() {
    let text = r#"
func.func @f(%x: tensor<f32>) {
  "cf.cond_br"(%x)[^left, ^right] : (tensor<f32>) -> ()
^left:
  %a = stablehlo.negate %x : tensor<f32>
  "cf.br"()[^join] : () -> ()
^right:
  // expected-error[ssa/use-before-definition]@+1
  %b = stablehlo.negate %a : tensor<f32>
  "cf.br"()[^join] : () -> ()
^join:
  %c = stablehlo.negate %x : tensor<f32>
  "cf.br"()[^last] : () -> ()
^last:
  %d = stablehlo.add %c, %x : tensor<f32>
  return
^unreachable:
  %e = stablehlo.add %d, %a : tensor<f32>
  return
}
"#;
    assert_eq!(differences(text), Vec::<String>::new());
}

/// Texts can name values of other functions only before they are defined; edits of a module can do it anywhere.
#[test]
fn isolation() {
    let text = "func.func @f(%x: tensor<f32>) {\n  return\n}\nfunc.func @g(%y: tensor<f32>) {\n  %0 = stablehlo.negate %y : tensor<f32>\n  return\n}\n";
    let mut module = parse("test.mlir", text).module;
    let argument = |name| module.block(module.entry_block(module.function(name).unwrap(), 0).unwrap()).arguments[0];
    let (foreign, own) = (argument("f"), argument("g"));
    let body = module.entry_block(module.function("g").unwrap(), 0).unwrap();
    let negate = module.block(body).ops[0];
    assert_eq!(module.operands(negate), [own]);
    module.set_operand(negate, 0, foreign);
    let found = verify(&module, text).unwrap_err();
    assert_eq!(found.iter().map(|one| one.code.as_str()).collect::<Vec<_>>(), ["ssa/out-of-scope"]);

    let mut module = parse("test.mlir", text).module;
    let result = module.result(negate).unwrap();
    module.detach_op(negate);
    let f = module.entry_block(module.function("f").unwrap(), 0).unwrap();
    let end = module.terminator(f).unwrap();
    module.set_operands(end, &[result]);
    let found = verify(&module, text).unwrap_err();
    assert_eq!(found[0].code, "ssa/out-of-scope", "the definition is nowhere");
}

/// A thousand complaints are enough, and they come in order.
#[test]
fn many_errors() {
    let mut text = String::from("func.func @f(%x: tensor<f32>, %i: tensor<i32>) {\n");
    for index in 0..1500 {
        text += &format!("  %{index} = \"stablehlo.add\"(%x, %i) : (tensor<f32>, tensor<i32>) -> tensor<f32>\n");
    }
    text += "  return\n}\n";
    let parsed = parse("test.mlir", &text);
    let found = verify(&parsed.module, &text).unwrap_err();
    assert_eq!(found.len(), 1000);
    assert!(found.windows(2).all(|pair| pair[0].span.start < pair[1].span.start));
}

/// Aliases of aliases that double their size with every line, and chains that nest deeper than a stack.
#[test]
fn aliases_do_not_explode() {
    let doubling = |sigil: &str, first: &str, open: &str, close: &str| {
        let alias = |index: u32| format!("{sigil}a{index}");
        let mut text = format!("{} = {first}\n", alias(0));
        for index in 1..60 {
            text += &format!("{} = {open}{1}, {1}{close}\n", alias(index), alias(index - 1));
        }
        text
    };
    for (text, code) in [
        (doubling("!", "tensor<f32>", "tuple<", ">"), "parse/alias-expansion"),
        (doubling("#", "1 : i32", "[", "]"), "parse/alias-expansion"),
        (
            (1..5000).fold("#a0 = []\n".to_owned(), |text, n| text + &format!("#a{n} = [#a{}]\n", n - 1)),
            "parse/too-deep",
        ),
    ] {
        let found = parse("test.mlir", &text).diagnostics;
        assert_eq!(found.first().map(|one| one.code.as_str()), Some(code));
    }
}

/// The least number of `f8E8M0FNU` is its pattern 0, 2^-127.
#[test]
fn scales_reach_to_the_end_of_their_type() {
    let program =
        |scale: &str| format!("func.func @f(%x: tensor<2x!quant.uniform<i8:f8E8M0FNU, {scale}>>) {{\n  return\n}}\n");
    assert_eq!(diagnostics(&program("5.877471754111438e-39")), []);
    let found = diagnostics(&program("5.8774717541114e-39"));
    assert_eq!(found.iter().map(|one| one.code.as_str()).collect::<Vec<_>>(), ["parse/invalid-quantized-type"]);
}
