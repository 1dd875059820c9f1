//! The parser: what it accepts, where it complains and how it goes on.
//!
//! What is printed again is covered by the tests of the printer, which read the same language.

use proptest::prelude::*;
use stablehlo::diag::Diagnostic;
use stablehlo::ir::{Attribute, LineIndex, Module, OpId};
use stablehlo::syntax::parse::parse_bytes;
use stablehlo::syntax::{PrintOptions, parse, print};
use stablehlo::verify::verify;

/// `code line:column` of each complaint.
fn complaints(text: &str) -> Vec<String> {
    let lines = LineIndex::new(text.as_bytes());
    let place = |diagnostic: &Diagnostic| {
        let at = lines.line_column(diagnostic.span.start);
        format!("{} {}:{}", diagnostic.code, at.line, at.column)
    };
    parse("t", text).diagnostics.iter().map(place).collect()
}

fn accepted(text: &str) -> Module {
    let parsed = parse("t", text);
    assert!(parsed.is_ok(), "{text}\n{:#?}", parsed.diagnostics);
    parsed.module
}

/// All ops in the order of the text.
fn ops(module: &Module) -> Vec<OpId> {
    let mut ops = Vec::new();
    module.walk(module.top(), |op| ops.push(op));
    ops
}

fn names(module: &Module) -> Vec<&str> {
    ops(module).iter().map(|op| module.op_name(*op)).collect()
}

/// The attribute `a` of the only op in `text`.
fn attribute(text: &str) -> String {
    let module = accepted(&format!("\"t.t\"() {{a = {text}}} : () -> ()"));
    let op = ops(&module)[1];
    let attr = module.discardable(op, "a").unwrap();
    module.display_attr(attr).to_string()
}

#[test]
fn tokens() {
    // Comments, NUL as space, keywords that are names, names that begin oddly.
    accepted("// only a comment");
    accepted("\"t.t\"()\0: /**/ () -> ()".replace("/**/", "// note\n").as_str());
    accepted("%a-b$1.x = \"t.t\"() : () -> i1\n\"t.t\"(%a-b$1.x) {true, i32 = 5, \"1a\"} : (i1) -> ()");
    accepted("%- = \"t.t\"() : () -> i1\n%$ = \"t.t\"() : () -> i1\n\"t.t\"(%-, %$) : (i1, i1) -> ()");
    // `%0a` is two tokens.
    assert_eq!(complaints("%0a = \"t.t\"() : () -> i1"), ["parse/expected-punctuation 1:3"]);
    assert_eq!(complaints("/ \"t.t\"() : () -> ()"), ["parse/expected-operation 1:1"]);
    assert_eq!(complaints("é"), ["parse/expected-operation 1:1"]);
    // Bytes beyond ASCII are fine in strings and comments.
    assert_eq!(attribute("\"é\" // é\n"), "\"\\C3\\A9\"");
    assert_eq!(complaints("\"t.t\"() {a = \"x\\y\"} : () -> ()"), ["parse/unknown-escape 1:16"]);
    assert_eq!(complaints("\"t.t\"() {a = \"x\ny\"} : () -> ()"), ["parse/unterminated-string 1:14"]);
    assert_eq!(complaints("\"t.t\"() {a = \"x"), ["parse/unterminated-string 1:14"]);
}

#[test]
fn dimensions_and_spaces() {
    assert_eq!(attribute("tensor<2 x 3xf32>"), "tensor<2x3xf32>");
    assert_eq!(attribute("tensor<0xi32>"), "tensor<0xi32>");
    assert_eq!(attribute("tensor < * x f32 >"), "tensor<*xf32>");
    assert_eq!(attribute("vector<2x[4]xf32>"), "vector<2x[4]xf32>");
    assert_eq!(attribute("( i32 )->( )"), "(i32) -> ()");
    let wrong = |ty: &str| complaints(&format!("\"t.t\"() {{a = {ty}}} : () -> ()"));
    assert_eq!(wrong("tensor<1x0xFF>"), ["parse/expected-type 1:25"]);
    assert_eq!(wrong("tensor<2>"), ["parse/expected-dimension 1:22"]);
    assert_eq!(wrong("tensor<99999999999999999999xf32>"), ["parse/invalid-dimension 1:21"]);
    assert_eq!(wrong("tensor<2xtuple<i32>>"), ["parse/invalid-element-type 1:14"]);
    assert_eq!(wrong("tensor<2x?xf32, #stablehlo.bounds<3, ?>>"), ["parse/invalid-bounds 1:30"]);
    assert_eq!(wrong("tensor<2xf32, #stablehlo.bounds<?, ?>>"), ["parse/invalid-bounds 1:28"]);
    assert_eq!(wrong("i16777216"), ["parse/integer-width 1:14"]);
    assert_eq!(wrong("complex<index>"), ["parse/invalid-element-type 1:14"]);
    assert_eq!(wrong("!stablehlo.tokn"), ["parse/unknown-type 1:14"]);
    assert_eq!(wrong("vector<0xf32>"), ["parse/invalid-dimension 1:21"]);
    assert_eq!(wrong("!quant.uniform<i8:f32, 1>"), ["parse/expected-float 1:37"]);
    assert_eq!(wrong("!quant.uniform<i8:f32, -1.0>"), ["parse/invalid-quantized-type 1:37"]);
    assert_eq!(wrong("!quant.uniform<i8:f32:{0:1}, {{1.0, 2.0}, {1.0}}>"), ["parse/invalid-quantized-type 1:56"]);
}

#[test]
fn attributes_where_mlir_complains() {
    let wrong = |attr: &str| complaints(&format!("\"t.t\"() {{a = {attr}}} : () -> ()"));
    assert_eq!(wrong("256 : i8"), ["parse/integer-range 1:14"]);
    assert_eq!(wrong("-0"), ["parse/integer-range 1:14"]);
    assert_eq!(wrong("1 : f32"), ["parse/expected-float 1:14"]);
    assert_eq!(wrong("1.0 : i32"), ["parse/expected-integer 1:14"]);
    assert_eq!(wrong("0x1FFFFFFFF : f32"), ["parse/invalid-float 1:14"]);
    assert_eq!(wrong("-0x1 : f32"), ["parse/invalid-float 1:14"]);
    assert_eq!(wrong(".5"), ["parse/expected-attribute 1:14"]);
    assert_eq!(wrong("1e5"), ["parse/expected-punctuation 1:15"]);
    assert_eq!(wrong("{b = 1, b = 2}"), ["parse/duplicate-key 1:22"]);
    assert_eq!(wrong("{\"\" = 1}"), ["parse/expected-attribute-name 1:15"]);
    assert_eq!(wrong("@1"), ["parse/expected-symbol 1:14"]);
    assert_eq!(wrong("[1, 2,]"), ["parse/expected-attribute 1:20"]);
    assert_eq!(wrong("array<i4: 1>"), ["parse/invalid-element-type 1:20"]);
    assert_eq!(wrong("array<i1: 1>"), ["parse/expected-bool 1:24"]);
    assert_eq!(wrong("dense<[1, 2,]> : tensor<2xi32>"), ["parse/expected-element 1:26"]);
    assert_eq!(wrong("dense<[1, [2]]> : tensor<2xi32>"), ["parse/invalid-elements 1:25"]);
    assert_eq!(wrong("dense<[1, 2]> : tensor<3xi32>"), ["parse/invalid-elements 1:14"]);
    assert_eq!(wrong("dense<1> : tensor<?xi32>"), ["parse/invalid-elements 1:14"]);
    assert_eq!(wrong("dense<\"0x0\"> : tensor<i8>"), ["parse/invalid-hex 1:20"]);
    assert_eq!(wrong("dense<\"0x0000\"> : tensor<3xi8>"), ["parse/invalid-elements 1:14"]);
    assert_eq!(wrong("dense<[(1.0, 2.0), 3.0]> : tensor<2xcomplex<f32>>"), ["parse/invalid-elements 1:33"]);
    assert_eq!(wrong("#foo"), ["parse/undefined-alias 1:14"]);
    assert_eq!(wrong("#foo.bar<(>"), ["parse/unbalanced 1:24"]);
    assert_eq!(wrong("#stablehlo.precision<DEFAULT>"), ["parse/expected-keyword 1:34"]);
    assert_eq!(wrong("#stablehlo<precision SOME>"), ["parse/invalid-enum 1:35"]);
    assert_eq!(wrong("#stablehlo.gather<offset = [1]>"), ["parse/unknown-field 1:32"]);
    assert_eq!(wrong("#stablehlo.channel_handle<handle = 1>"), ["parse/missing-field 1:39"]);
    assert_eq!(wrong("#stablehlo.conv<[b, 1, f]x[i, o]->[b, f]>"), ["parse/convolution-dimensions 1:30"]);
    let raw = "#stablehlo.conv<raw input_batch_dimension = 0, input_batch_dimension = 0>";
    assert_eq!(wrong(raw), ["parse/duplicate-key 1:61"]);
    assert_eq!(wrong("#stablehlo.conv<raw input_batch = 0>"), ["parse/unknown-field 1:34"]);
    assert_eq!(wrong("loc(\"a\"(#x))"), ["parse/undefined-alias 1:22"]);
    assert_eq!(wrong("affine_map<(d0) -> (d0 * d0)>"), ["parse/not-affine 1:39"]);
    assert_eq!(wrong("[distinct[0]<1>, distinct[0]<2>]"), ["parse/distinct-mismatch 1:40"]);
}

#[test]
fn spellings_that_print_otherwise() {
    assert_eq!(attribute("dense<tensor<2xi32> : [1 : i32, 2 : i32]>"), "dense<[1, 2]> : tensor<2xi32>");
    assert_eq!(attribute("dense<[[1, 1], [1, 1]]> : tensor<2x2xi32>"), "dense<1> : tensor<2x2xi32>");
    assert_eq!(attribute("dense<\"0x07F8\"> : tensor<2xi4>"), "dense<[7, -8]> : tensor<2xi4>");
    assert_eq!(attribute("array<i64: -1, 0x10>"), "array<i64: -1, 16>");
    assert_eq!(attribute("#stablehlo.type_extensions<bounds = [4, ?]>"), "#stablehlo.bounds<4, ?>");
    assert_eq!(attribute("18446744073709551615"), "-1 : i64");
    assert_eq!(attribute("loc(fused[unknown, \"a\", \"a\"])"), "loc(\"a\")");
    assert_eq!(
        attribute("affine_map<(d0)[s0] -> (1 + d0, d0 - s0, 3 * d0 * 2)>"),
        "affine_map<(d0)[s0] -> (d0 + 1, d0 - s0, d0 * 6)>"
    );
    assert_eq!(attribute("affine_set<(d0) : (d0 <= 5, d0 == 3)>"), "affine_set<(d0) : (-d0 + 5 >= 0, d0 - 3 == 0)>");
    assert_eq!(attribute("#sdy.sharding<@m,[{\"a\"},{ }]>"), "#sdy.sharding<@m, [{\"a\"}, {}]>");
}

#[test]
fn elements_are_kept_as_bytes() {
    let data = |text: &str| {
        let module = accepted(&format!("\"t.t\"() {{a = {text}}} : () -> ()"));
        let attr = module.discardable(ops(&module)[1], "a").unwrap();
        match module.attr(attr) {
            Attribute::DenseElements(dense) => (dense.data.to_vec(), dense.splat),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(data("dense<[1, -1]> : tensor<2xi16>"), (vec![1, 0, 0xff, 0xff], false));
    assert_eq!(data("dense<[7, -8]> : tensor<2xi4>"), (vec![0x07, 0x08], false));
    assert_eq!(data("dense<[true, false]> : tensor<2xi1>"), (vec![1, 0], false));
    let wide = [vec![1], vec![0; 16], vec![0xff; 17]].concat();
    assert_eq!(data("dense<[1, -1]> : tensor<2xi136>"), (wide, false));
    assert_eq!(data("dense<(1.0, -2.0)> : tensor<complex<f32>>"), (vec![0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0], true));
    assert_eq!(data("dense<\"0x0000803F0000803F\"> : tensor<2xf32>"), (vec![0, 0, 0x80, 0x3f], true));
    assert_eq!(data("dense<[1, 2]> : tensor<2xindex>"), (vec![1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0], false));
    assert_eq!(data("dense<[0xBF80, 1.0]> : tensor<2xbf16>"), (vec![0x80, 0xbf, 0x80, 0x3f], false));
    // A splat stays one element, however large its type.
    assert_eq!(data("dense<1.0> : tensor<1048576x1048576xf32>"), (vec![0, 0, 0x80, 0x3f], true));
    assert_eq!(data("dense<> : tensor<0x4xf32>"), (vec![], false));
    assert_eq!(data("dense<1.0> : tensor<0xf32>"), (vec![0, 0, 0x80, 0x3f], true));
}

#[test]
fn top_level() {
    assert_eq!(names(&accepted("")), ["builtin.module"]);
    assert_eq!(names(&accepted("module {}")), ["builtin.module"]);
    assert_eq!(names(&accepted("module {} module @a {}")), ["builtin.module"; 3]);
    assert_eq!(names(&accepted("module { module {} }")), ["builtin.module"; 2]);
    accepted("!t = tensor<2xf32>\n#0 = 1 : i32\n\"t.t\"() {a = #0} : () -> !t");
    assert_eq!(complaints("#a = 1\n#a = 2"), ["parse/alias-redefinition 2:1"]);
    assert_eq!(complaints("#a.b = 1"), ["parse/invalid-alias 1:1"]);
    assert_eq!(complaints("\"t.t\"() {a = #x} : () -> ()\n#x = 1"), ["parse/undefined-alias 1:14"]);
    // Only a trailing location may name an alias that comes later.
    accepted("\"t.t\"() : () -> () loc(#x)\n#x = loc(\"f\":1:2)");
    assert_eq!(complaints("\"t.t\"() : () -> () loc(#x)"), ["parse/undefined-alias 1:24"]);
    assert_eq!(complaints("\"t.t\"() : () -> () loc(#x)\n#x = 1"), ["parse/expected-location 1:24"]);
    assert_eq!(complaints("module {"), ["parse/expected-punctuation 1:8"]);
    assert_eq!(complaints("module {}\n}"), ["parse/expected-operation 1:10"]);
}

#[test]
fn resources() {
    let module = accepted(
        "\"t.t\"() {a = dense_resource<k> : tensor<1xf32>} : () -> ()
{-# dialect_resources: { builtin: { k: \"0x040000000000803F\" } }, external_resources: { g: { x: true, y: \"s\" } } #-}",
    );
    let key = module.find_name("k").unwrap();
    let resource = &module.resources[&key];
    assert_eq!((resource.alignment, &resource.data[..]), (4, &[0, 0, 0x80, 0x3f][..]));
    assert_eq!(module.external_resources.len(), 1);
    let blob = |text: &str| complaints(&format!("{{-# dialect_resources: {{builtin: {{k: {text}}}}} #-}}"));
    assert_eq!(blob("\"0x03000000\""), ["parse/invalid-blob 1:38"]);
    assert_eq!(blob("\"0x0400\""), ["parse/invalid-blob 1:38"]);
    assert_eq!(blob("\"0x040000000\""), ["parse/invalid-hex 1:38"]);
    assert_eq!(complaints("{-# dialect_resources: {foo: {}} #-}"), ["parse/unknown-dialect 1:25"]);
    assert_eq!(complaints("{-# other: {} #-}"), ["parse/unknown-field 1:5"]);
    accepted("{-# #-}");
    accepted("{-# dialect_resources: {builtin: {}} #-}");
}

#[test]
fn results_and_uses() {
    accepted("%a, %b:2 = \"t.t\"() : () -> (i1, i2, i3)\n\"t.u\"(%a, %b#0, %b#1, %b) : (i1, i2, i3, i2) -> ()");
    assert_eq!(complaints("%a = \"t.t\"() : () -> ()"), ["parse/result-count 1:6"]);
    assert_eq!(complaints("%a:2 = \"t.t\"() : () -> i1"), ["parse/result-count 1:8"]);
    assert_eq!(complaints("%a:0 = \"t.t\"() : () -> i1"), ["parse/result-count 1:3"]);
    assert_eq!(complaints("%a = \"t.t\"() : () -> i1\n\"t.t\"(%a#1) : (i1) -> ()"), ["ssa/invalid-result-number 2:7"]);
    assert_eq!(complaints("%a = \"t.t\"() : () -> i1\n\"t.t\"(%a) : (i2) -> ()"), ["ssa/type-mismatch 2:7"]);
    assert_eq!(complaints("\"t.t\"(%a) : () -> ()"), ["parse/operand-count 1:1"]);
    assert_eq!(complaints("\"t.t\"(%a) : (i1) -> ()"), ["ssa/undefined-value 1:7"]);
    assert_eq!(complaints("%a = \"t.t\"() : () -> i1\n%a = \"t.t\"() : () -> i1"), ["ssa/redefinition 2:1"]);
}

#[test]
fn uses_before_definitions() {
    // In graph regions they are legal; in functions dominance is the verifier's business.
    let module = accepted(
        "\"t.t\"(%a#1, %b) : (i2, i1) -> ()\n%a:2 = \"t.u\"() : () -> (i1, i2)\n%b = \"t.v\"(%b) : (i1) -> i1",
    );
    let all = ops(&module);
    let results = |op: OpId| module.results(op).iter().collect::<Vec<_>>();
    let operands = |op: OpId| module.operands(op).to_vec();
    assert_eq!(operands(all[1]), [results(all[2])[1], results(all[3])[0]]);
    assert_eq!(operands(all[3]), results(all[3]));
    // A use inside a region of a value that is defined later outside.
    let module = accepted("\"t.t\"() ({ \"t.u\"(%a) : (i1) -> () }) : () -> ()\n%a = \"t.v\"() : () -> i1");
    let all = ops(&module);
    assert_eq!(operands_of(&module, all[2]), module.results(all[3]).iter().collect::<Vec<_>>());
    assert_eq!(complaints("\"t.t\"(%a) : (i2) -> ()\n%a = \"t.u\"() : () -> i1"), ["ssa/type-mismatch 2:1"]);
    assert_eq!(complaints("\"t.t\"(%a#1) : (i1) -> ()\n%a = \"t.u\"() : () -> i1"), ["ssa/undefined-value 1:7"]);
}

fn operands_of(module: &Module, op: OpId) -> Vec<stablehlo::ir::ValueId> {
    module.operands(op).to_vec()
}

#[test]
fn scopes() {
    // Visible in its region and in nested ones, not outside, reusable in siblings.
    accepted(
        "\"t.t\"() ({ %x = \"t.u\"() : () -> i1 \"t.t\"() ({ \"t.v\"(%x) : (i1) -> () }) : () -> () }, { %x = \"t.u\"() : () -> i2 }) : () -> ()",
    );
    assert_eq!(
        complaints("\"t.t\"() ({ %x = \"t.u\"() : () -> i1 }) : () -> ()\n\"t.v\"(%x) : (i1) -> ()"),
        ["ssa/undefined-value 2:7"]
    );
    // No shadowing, not even of module-level values by arguments of functions in the pretty form.
    assert_eq!(complaints("%x = \"t.u\"() : () -> i1\nfunc.func @f(%x: i1) {\n  return\n}"), ["ssa/redefinition 2:14"]);
    // The generic form of an isolated op sees nothing from outside, and may use the names again.
    accepted(
        "%x = \"t.u\"() : () -> i1\n\"func.func\"() <{function_type = (i2) -> (), sym_name = \"f\"}> ({\n^bb0(%x: i2):\n  \"func.return\"() : () -> ()\n}) : () -> ()\n\"t.v\"(%x) : (i1) -> ()",
    );
    assert_eq!(
        complaints(
            "%x = \"t.u\"() : () -> i1\n\"func.func\"() <{function_type = () -> (), sym_name = \"f\"}> ({\n  \"t.v\"(%x) : (i1) -> ()\n  \"func.return\"() : () -> ()\n}) : () -> ()"
        ),
        ["ssa/undefined-value 3:9"]
    );
    // A use before the definition inside an isolated region, in a nested region of it.
    accepted(
        "%x = \"t.u\"() : () -> i1\n\"builtin.module\"() ({\n  \"t.t\"() ({ \"t.v\"(%x) : (i2) -> () }) : () -> ()\n  %x = \"t.u\"() : () -> i2\n}) : () -> ()\n\"t.v\"(%x) : (i1) -> ()",
    );
}

#[test]
fn blocks() {
    let module = accepted(
        "\"t.t\"() ({\n  \"t.br\"()[^b, ^c] : () -> ()\n^c:\n  \"t.x\"() : () -> ()\n^b(%a: i1 loc(\"l\")):\n  \"t.y\"(%a)[^c] : (i1) -> ()\n}) : () -> ()",
    );
    let outer = ops(&module)[1];
    let blocks = module.blocks(module.regions(outer)[0]).to_vec();
    assert_eq!(blocks.len(), 3);
    let branch = module.block(blocks[0]).ops[0];
    assert_eq!(module.successors(branch), [blocks[2], blocks[1]]);
    assert_eq!(module.block(blocks[2]).arguments.len(), 1);
    let wrong = |body: &str| complaints(&format!("\"t.t\"() ({{\n{body}\n}}) : () -> ()"));
    assert_eq!(wrong("\"t.br\"()[^b] : () -> ()"), ["ssa/undefined-block 2:10"]);
    assert_eq!(wrong("^b:\n\"t.x\"() : () -> ()\n^b:\n\"t.x\"() : () -> ()"), ["ssa/block-redefinition 4:1"]);
    assert_eq!(complaints("\"t.br\"()[^b] : () -> ()"), ["ssa/undefined-block 1:10"]);
    assert_eq!(complaints("func.func @f(%a: i1) {\n^bb0:\n  return\n}"), ["parse/unexpected-label 2:1"]);
}

#[test]
fn functions() {
    accepted("func.func private @f(i32 {a.b}, tensor<2xf32>) -> (i32 {c.d = 1}, i1) attributes {e.f}");
    accepted("func.func private @\"odd name\"() -> ()");
    accepted("func.func @f(i32) {\n^bb0(%a: i32):\n  return\n}");
    let module = accepted(
        "func.func public @f(%a: i32) -> i32 {\n  %0 = call @f(%a) {x} : (i32) -> i32\n  %g = constant @f : (i32) -> i32\n  %1 = call_indirect %g(%0) : (i32) -> i32\n  return {y} %1 : i32\n}",
    );
    assert_eq!(names(&module)[2..], ["func.call", "func.constant", "func.call_indirect", "func.return"]);
    // The short names mean functions' ops also inside generic ops, but not inside ops with a pretty form.
    accepted("func.func @f() {\n  \"t.t\"() ({ call @f() : () -> () }) : () -> ()\n  return\n}");
    assert_eq!(
        complaints(
            "func.func @f(%p: tensor<i1>) {\n  stablehlo.while() cond {\n    call @f() : () -> ()\n    stablehlo.return %p : tensor<i1>\n  } do {\n    stablehlo.return\n  }\n  return\n}"
        ),
        ["parse/unknown-custom-form 3:5"]
    );
    assert_eq!(complaints("return"), ["parse/unknown-custom-form 1:1"]);
    assert_eq!(complaints("func.func hidden @f()"), ["parse/expected-symbol 1:11"]);
    assert_eq!(complaints("func.func @f(%a: i32, i32)"), ["parse/expected-value 1:23"]);
    assert_eq!(complaints("func.func @f(i32, %a: i32)"), ["parse/expected-type 1:19"]);
    assert_eq!(complaints("func.func @f() {\n}"), ["parse/expected-body 1:16"]);
    assert_eq!(complaints("func.func private @f() attributes {sym_name = \"g\"}"), ["parse/inferred-attribute 1:35"]);
}

#[test]
fn forms() {
    let wrap = |op: &str| {
        format!(
            "func.func @f(%a: tensor<2xf32>, %p: tensor<2xi1>, %c: tensor<2xcomplex<f32>>) {{\n  {op}\n  return\n}}"
        )
    };
    for op in [
        "%0 = stablehlo.add %a, %a {x} : tensor<2xf32>",
        "%0 = stablehlo.add %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>",
        "%0 = stablehlo.complex %a, %a : tensor<2xcomplex<f32>>",
        "%0 = stablehlo.select %p, %a, %a : tensor<2xi1>, tensor<2xf32>",
        "%0 = stablehlo.compare LT, %a, %a, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>",
        "%0 = stablehlo.compare #stablehlo<comparison_direction LT>, %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>",
        "%0 = stablehlo.iota dim=0 : tensor<4xi32>",
        "%0 = stablehlo.tuple %a, %p : tuple<tensor<2xf32>, tensor<2xi1>>",
        "%0 = chlo.zeta %a, %a : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>",
        "%0 = builtin.unrealized_conversion_cast %a : tensor<2xf32> to tensor<?xf32>",
    ] {
        accepted(&wrap(op));
    }
    let wrong = |op: &str| complaints(&wrap(op));
    assert_eq!(wrong("%0 = stablehlo.add %a, %a"), ["parse/expected-punctuation 2:28"]);
    assert_eq!(wrong("%0 = stablehlo.iota dims = 0 : tensor<4xi32>"), ["parse/expected-text 2:23"]);
    assert_eq!(wrong("%0 = stablehlo.complex %a, %a : tensor<2xf32>"), ["parse/expected-type 2:35"]);
    assert_eq!(wrong("%0 = stablehlo.addd %a, %a : tensor<2xf32>"), ["parse/unknown-op 2:8"]);
    assert_eq!(wrong("%0 = \"stablehlo.addd\"(%a) : (tensor<2xf32>) -> i1"), ["parse/unknown-op 2:8"]);
    assert_eq!(wrong("%0 = stablehlo.sort %a : tensor<2xf32>"), ["parse/no-custom-form 2:8"]);
    assert_eq!(wrong("%0 = foo.bar %a : tensor<2xf32>"), ["parse/unknown-custom-form 2:8"]);
    assert_eq!(wrong("%0 = stablehlo.add (%a, %a) : tensor<2xf32>"), ["parse/expected-punctuation 2:22"]);
}

#[test]
fn properties_and_dictionaries() {
    let slot = |text: &str| {
        let module = accepted(text);
        let op = ops(&module)[1];
        let value = module.property(op, "iota_dimension").map(|attr| module.display_attr(attr).to_string());
        (value, module.op(op).attributes().map(|attr| module.display_attr(attr).to_string()))
    };
    let written = Some("1 : i64".to_owned());
    assert_eq!(
        slot("%0 = \"stablehlo.iota\"() <{iota_dimension = 1 : i64}> : () -> tensor<4x4xf32>"),
        (written.clone(), None)
    );
    assert_eq!(
        slot("%0 = \"stablehlo.iota\"() {iota_dimension = 1 : i64} : () -> tensor<4x4xf32>"),
        (written.clone(), None)
    );
    // Properties win silently, unknown ones vanish.
    assert_eq!(
        slot(
            "%0 = \"stablehlo.iota\"() <{iota_dimension = 1 : i64, foo}> {iota_dimension = 0 : i64, x = 1 : i8} : () -> tensor<4x4xf32>"
        ),
        (written, Some("{x = 1 : i8}".to_owned()))
    );
    // What is always there is filled in.
    let module = accepted(
        "func.func @f(%t: !stablehlo.token) {\n  %0:2 = \"stablehlo.infeed\"(%t) : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)\n  return\n}",
    );
    let infeed = ops(&module)[2];
    assert_eq!(module.property(infeed, "infeed_config").and_then(|attr| module.string_attr(attr)), Some(""));
}

#[test]
fn foreign_dialects() {
    let text = "sdy.mesh @m = <[\"a\"=2], device_ids=[1,0]>
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.sharding_constraint %x <@m, [{\"a\"}]> : tensor<8xf32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@m, [{\"a\"}]>] out_shardings=[<@m, [{\"a\"}]>] manual_axes={\"a\"} (%y: tensor<4xf32>) {
    sdy.return %y : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %c = arith.constant dense<1.0> : tensor<8xf32>
  %n = arith.constant 1 : index
  %d = tensor.dim %1, %n : tensor<8xf32>
  %f = arith.addf %c, %c : tensor<8xf32>
  %s = shape.shape_of %1 : tensor<8xf32> -> tensor<1xindex>
  %w = shape.cstr_broadcastable %s, %s : tensor<1xindex>, tensor<1xindex>
  return %1 : tensor<8xf32>
}";
    let module = accepted(text);
    let mesh = ops(&module)[1];
    assert_eq!(module.op_name(mesh), "sdy.mesh");
    let property = |name: &str| module.property(mesh, name).map(|attr| module.display_attr(attr).to_string());
    assert_eq!(property("sym_name").as_deref(), Some("\"m\""));
    assert_eq!(property("mesh").as_deref(), Some("#sdy.mesh<[\"a\"=2], device_ids=[1, 0]>"));
    // The generic form of the same op is the same op.
    let generic = print(&module, PrintOptions { generic: true, ..PrintOptions::default() });
    let again = accepted(&generic);
    assert_eq!(names(&module), names(&again));
    assert_eq!(print(&module, PrintOptions::default()), print(&again, PrintOptions::default()));
}

#[test]
fn branches() {
    let text = "func.func @f(%arg0: tensor<f32>) -> tensor<f32> {
  cf.br ^bb1
^bb1:  // pred: ^bb0
  cf.br ^bb2(%arg0, %arg0 : tensor<f32>, tensor<f32>) {a = 1 : i64}
^bb2(%0: tensor<f32>, %1: tensor<f32>):  // pred: ^bb1
  return %1 : tensor<f32>
}";
    let printed = print(&accepted(text), PrintOptions::default());
    let branches =
        |text: &str| text.lines().map(str::trim).filter(|line| line.starts_with("cf.br")).map(String::from).collect();
    let (wanted, found): (Vec<String>, Vec<String>) = (branches(text), branches(&printed));
    assert_eq!(found, wanted);
    assert_eq!(wanted.len(), 2);
}

#[test]
fn one_run_reports_everything() {
    let text = "func.func @f(%a: tensor<2xf32>) {
  %0 = stablehlo.addd %a, %a : tensor<2xf32>
  %1 = stablehlo.add %0, %0 : tensor<2xf32>
  %2 = stablehlo.add %1, ] : tensor<2xf32>
  %3 = \"t.t\"(%2) ({
    %4 = stablehlo.abs %2 : tensr<2xf32>
    %5 = stablehlo.abs %nope : tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  %6 = stablehlo.transpose %3, dims = [0, : (tensor<2xf32>) -> tensor<2xf32>
  return
}
func.func @g() {
  %0 = stablehlo.iota dim = x : tensor<4xi32>
  return
";
    assert_eq!(
        complaints(text),
        [
            "parse/unknown-op 2:8",
            "parse/expected-punctuation 4:24",
            "parse/expected-type 6:29",
            "ssa/undefined-value 7:24",
            "parse/expected-integer 9:43",
            "parse/expected-integer 13:29",
            "parse/expected-punctuation 14:9",
        ]
    );
}

#[test]
fn a_lost_brace_ends_at_the_next_function() {
    let text = "module {
  func.func @f(%a: i1) {
    \"t.t\"() ({
      %0 = stablehlo.add %a %a : tensor<2xf32>
  func.func @g() {
    return
  }
  func.func @h() {
    %0 = stablehlo.oops : i1
    return
  }
}";
    let found = complaints(text);
    assert_eq!(found, ["parse/expected-punctuation 4:29", "parse/unknown-op 9:10"]);
    let module = parse("t", text).module;
    assert!(module.function("g").is_some() && module.function("h").is_some());
}

#[test]
fn wrong_tokens_at_the_beginning_of_a_line_are_missed_on_the_line_before() {
    assert_eq!(complaints("func.func @f()\n  // note\n\n  attributes 1"), ["parse/expected-punctuation 4:14"]);
    assert_eq!(complaints("\"t.t\"()  // note\n\n\"t.u\"() : () -> ()"), ["parse/expected-punctuation 1:8"]);
}

#[test]
fn deep_nesting_is_an_error_and_no_crash() {
    for text in [
        "\"t.t\"() {a = ".to_owned() + &"[".repeat(100_000),
        "\"t.t\"() {a = ".to_owned() + &"{a = ".repeat(100_000),
        "\"t.t\"() {a = ".to_owned() + &"(".repeat(100_000),
        "\"t.t\"() : () -> ".to_owned() + &"tuple<".repeat(100_000),
        "\"t.t\"() : () -> ".to_owned() + &"complex<".repeat(100_000),
        "\"t.t\"() ({ ".repeat(100_000),
        "module { ".repeat(100_000),
        "\"t.t\"() {a = dense<".to_owned() + &"[".repeat(100_000),
        "\"t.t\"() {a = affine_map<() -> (".to_owned() + &"(".repeat(100_000),
        "\"t.t\"() {a = affine_map<() -> (".to_owned() + &"-".repeat(100_000),
        "\"t.t\"() {a = affine_map<() -> (1".to_owned() + &" + 1".repeat(100_000),
        "\"t.t\"() : () -> () loc(".to_owned() + &"callsite(".repeat(100_000),
        "\"t.t\"() : () -> !quant.uniform<i8:f32:{}, ".to_owned() + &"{".repeat(100_000),
    ] {
        let parsed = parse("t", &text);
        assert!(parsed.diagnostics.iter().any(|diagnostic| diagnostic.code == "parse/too-deep"), "{}", &text[..40]);
    }
    // Not even by way of aliases.
    for (first, next) in [
        ("#a0 = 1", "#aN = [#aM]"),
        ("#a0 = 1", "#aN = {z = #aM, y = 2}"),
        ("!a0 = i32", "!aN = tuple<!aM>"),
        ("#a0 = loc(\"x\")", "#aN = loc(\"n\"(#aM))"),
    ] {
        let mut text = format!("{first}\n");
        for n in 1..10_000 {
            text += &next.replace('N', &n.to_string()).replace('M', &(n - 1).to_string());
            text.push('\n');
        }
        let parsed = parse("t", &text);
        // Locations may be deep, but a chain of them stands for ever more text.
        let codes = ["parse/too-deep", "parse/alias-expansion"];
        assert!(parsed.diagnostics.iter().any(|diagnostic| codes.contains(&diagnostic.code.as_str())), "{next}");
    }
    let inner = "(".repeat(100) + "d0" + &(" + d0 * 2".repeat(60) + ")").repeat(100);
    assert_eq!(complaints(&format!("\"t.t\"() {{a = affine_map<(d0) -> ({inner})>}} : () -> ()")).len(), 1);
    // Bodies of opaque attributes are not read recursively.
    let text = format!("\"t.t\"() {{a = #d.x<{}{}>}} : () -> ()", "[".repeat(50_000), "]".repeat(50_000));
    accepted(&text);
}

#[test]
fn hostile_texts_take_linear_time() {
    for text in [
        "\"\\".repeat(500_000),
        "\"t.t\"() {a = \"\n".repeat(50_000),
        "\"t.t\"() {a = #d<\n".repeat(50_000),
        "%a = \"t.t\"( {\n".repeat(50_000),
        "\n".repeat(1_000_000) + "}",
        "/+".repeat(500_000),
        "tensor<".repeat(100_000),
    ] {
        assert!(!parse("t", &text).is_ok());
        assert!(stablehlo::syntax::lex::tokens(text.as_bytes()).count() <= text.len());
    }
}

#[test]
fn many_faults_are_cut_off() {
    let text = "\"t.t\"(%x) : () -> ()\n".repeat(5000);
    assert_eq!(parse("t", &text).diagnostics.len(), 1000);
}

#[test]
fn large_numbers_take_no_memory() {
    accepted(
        "%999999999 = \"t.t\"() : () -> i1\n%99999999999999999999 = \"t.t\"() : () -> i1\n\"t.u\"(%999999999, %99999999999999999999) : (i1, i1) -> ()",
    );
    assert_eq!(complaints("%0:4000000000 = \"t.t\"() : () -> i1"), ["parse/result-count 1:17"]);
    accepted("\"t.t\"() : () -> tensor<9223372036854775807x9223372036854775807xf32>");
}

#[test]
fn numbers_of_very_wide_types_take_bounded_memory() {
    let wrong = |attr: &str| complaints(&format!("\"t.t\"() {{a = {attr}}} : () -> ()"));
    // 2 MB for each of them.
    let items = |n: usize| (0..n).map(|item| item.to_string()).collect::<Vec<_>>().join(", ");
    assert_eq!(wrong(&format!("dense<[{}]> : tensor<50000xi16777215>", items(50_000))), ["parse/too-large 1:14"]);
    // 64 bytes for each of 339 k of text and 16 MiB are 18 numbers: the one that begins at 31 + 10 × 3 + 8 × 4 is too much.
    assert_eq!(wrong(&format!("array<i16777208: {}>", items(50_000))), ["parse/too-large 1:93"]);
    let one_each: Vec<_> = (0..50_000).map(|item| format!("dense<{item}> : tensor<i16777215>")).collect();
    assert_eq!(wrong(&format!("[{}]", one_each.join(", "))).len(), 1);
    assert_eq!(wrong(&format!("dense<[{}]> : tensor<1000xi1024>", items(1000))), [""; 0]);
}

#[test]
fn text_that_is_not_utf8() {
    let parsed = parse_bytes("t", b"// \xff\n\"t.t\"() {a = \"\xff\"} : () -> ()");
    assert!(parsed.is_ok());
    let codes = |text: &[u8]| parse_bytes("t", text).diagnostics.iter().map(|d| d.code.clone()).collect::<Vec<_>>();
    assert_eq!(codes(b"\"t.\xff\"() : () -> ()"), ["parse/invalid-operation-name"]);
    assert_eq!(codes(b"\"t.t\"() {a = @\"\xff\"} : () -> ()"), ["parse/invalid-name"]);
    assert_eq!(codes(b"\"t.t\"() {a = #d<\xff>} : () -> ()"), ["parse/invalid-name"]);
    assert_eq!(codes(b"\xff\xfe"), ["parse/expected-operation"]);
}

#[test]
fn places_of_ops() {
    let text = "  %a, %b = \"t.t\"() : () -> (i1, i1) loc(\"x\")  \n";
    let module = accepted(text);
    let source = module.source(ops(&module)[1]);
    let part = |start: u32, end: u32| &text[start as usize..end as usize];
    assert_eq!(part(source.start, source.end), "%a, %b = \"t.t\"() : () -> (i1, i1) loc(\"x\")");
    assert!(text[source.name as usize..].starts_with("\"t.t\""));
}

/// Programs that mutations start from.
const SEEDS: &[&str] = &[
    "module @m attributes {a.b = 1 : i32} {\n  func.func public @main(%arg0: tensor<2x3xf32> {x.y}, %arg1: tensor<f32>) -> (tensor<2xf32> {z.w = \"s\"}) {\n    %cst = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>\n    %0 = stablehlo.add %arg0, %cst : tensor<2x3xf32> loc(#loc1)\n    %1 = stablehlo.reduce(%0 init: %arg1) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>\n    return %1 : tensor<2xf32>\n  }\n}\n#loc1 = loc(\"f\":1:2)\n",
    "%0:2 = \"stablehlo.while\"(%a, %a) ({\n^bb0(%x: tensor<i1>, %y: tensor<i1>):\n  stablehlo.return %x : tensor<i1>\n}, {\n^bb0(%x: tensor<i1>, %y: tensor<i1>):\n  \"stablehlo.return\"(%x, %y) : (tensor<i1>, tensor<i1>) -> ()\n}) : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>)\n%a = \"x.y\"()[] <{p = #d.e<f>}> : () -> tensor<i1>\n",
    "!t = !quant.uniform<i8<-127:127>:f32:0, {0.1:3, 0.2}>\n#m = affine_map<(d0, d1)[s0] -> (d0 + d1 * 2 - s0 mod 3)>\n\"t.t\"() {a = dense<\"0x0001\"> : tensor<2xi8>, b = [#m, @a::@b, 1.5e3 : f16, array<i8: 1, 2>], c = loc(fused<1>[\"a\", \"b\":1:2 to :5])} : () -> tensor<?x!t, #stablehlo.bounds<4>>\n{-# dialect_resources: {builtin: {k: \"0x04000000FF\"}} #-}\n",
    "sdy.mesh @m = <[\"a\"=2]>\nfunc.func @f(%x: tensor<8xf32>) {\n  %0 = stablehlo.convolution(%x, %x) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>\n  %1 = sdy.sharding_constraint %x <@m, [{\"a\"}]> : tensor<8xf32>\n  %2 = stablehlo.custom_call @\"a b\"(%x) {backend_config = \"\"} : (tensor<8xf32>) -> tensor<8xf32>\n  %3 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0], precision = [DEFAULT, HIGH] : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>\n  return\n}\n",
];

/// Pieces of text that mutations insert.
const PIECES: &[&str] = &[
    "%",
    "#",
    "!",
    "^",
    "@",
    "\"",
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    "[",
    "]",
    "->",
    ":",
    ",",
    "=",
    "-",
    "0x",
    "1",
    ".",
    "//",
    "\n",
    " loc(",
    "dense<",
    "tensor<",
    "{-#",
    "#-}",
    "func.func @g() {",
    "return",
    "%0",
    "stablehlo.add",
    "\u{e9}",
    "\0",
    "?x",
    "9999999999",
];

fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let edit = (any::<prop::sample::Index>(), 0..4usize, any::<prop::sample::Index>(), 0..24usize);
    (prop::sample::select(SEEDS), prop::collection::vec(edit, 1..6)).prop_map(|(seed, edits)| {
        let mut text = seed.as_bytes().to_vec();
        for (place, what, other, length) in edits {
            let at = place.index(text.len() + 1);
            let end = (at + length).min(text.len());
            match what {
                0 => drop(text.drain(at..end)),
                1 => drop(text.splice(at..at, PIECES[other.index(PIECES.len())].bytes())),
                2 => {
                    let copy = text[at..end].to_vec();
                    let to = other.index(text.len() + 1);
                    drop(text.splice(to..to, copy));
                }
                _ => text.truncate(at.max(1)),
            }
        }
        text
    })
}

fn check_any(text: &[u8]) {
    let parsed = parse_bytes("t", text);
    for diagnostic in &parsed.diagnostics {
        assert!(diagnostic.span.end as usize <= text.len(), "{diagnostic:?}");
        assert!(!diagnostic.code.starts_with("bug/"), "{diagnostic:?}");
    }
    assert!(parsed.diagnostics.is_sorted_by_key(|diagnostic| diagnostic.span.start));
    // What was understood can be printed and has only ops with places inside the text.
    let printed = print(&parsed.module, PrintOptions { generic: true, ..PrintOptions::default() });
    assert!(!printed.is_empty());
    parsed.module.walk(parsed.module.top(), |op| {
        let source = parsed.module.source(op);
        assert!(source.start <= source.name && source.name <= source.end && source.end as usize <= text.len());
    });
    // Uses that no definition dominates are the verifier's business, and may print as text that cannot be read.
    if parsed.is_ok() && verify(&parsed.module, "").is_ok() {
        let again = parse("t", &printed);
        assert!(again.is_ok(), "{printed}\n{:?}", again.diagnostics);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_bytes(text in prop::collection::vec(any::<u8>(), 0..200)) {
        check_any(&text);
    }

    #[test]
    fn any_tokens(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        check_any(pieces.concat().as_bytes());
    }

    #[test]
    fn mutated_programs(text in mutated()) {
        check_any(&text);
    }
}
