//! Workloads that the benchmarks and the comparison with jaxlib share.

use std::fmt::Write;

/// An op-heavy module of about `bytes` bytes of text: layers of a small transformer, unrolled.
///
/// Most lines are broadcasts, elementwise ops, contractions and reductions of small tensors, as in real exports.
pub fn unrolled(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 4096);
    text.push_str("module @unrolled {\n  func.func public @main(%arg0: tensor<32x64xf32>, %arg1: tensor<64x64xf32>, ");
    text.push_str("%arg2: tensor<64xf32>) -> tensor<32x64xf32> {\n");
    text.push_str("    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>\n");
    text.push_str("    %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>\n");
    let mut x = "arg0".to_owned();
    let mut next = 0;
    while text.len() < bytes {
        let n = next;
        let _ = write!(
            text,
            "    %{0} = stablehlo.dot_general %{x}, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : \
             (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>\n    \
             %{1} = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<64xf32>) -> tensor<32x64xf32>\n    \
             %{2} = stablehlo.add %{0}, %{1} : tensor<32x64xf32>\n    \
             %{3} = stablehlo.reduce(%{2} init: %cst) applies stablehlo.add across dimensions = [1] : \
             (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>\n    \
             %{4} = stablehlo.broadcast_in_dim %{3}, dims = [0] : (tensor<32xf32>) -> tensor<32x64xf32>\n    \
             %{5} = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32x64xf32>\n    \
             %{6} = stablehlo.divide %{4}, %{5} : tensor<32x64xf32>\n    \
             %{7} = stablehlo.subtract %{2}, %{6} : tensor<32x64xf32>\n    \
             %{8} = stablehlo.tanh %{7} : tensor<32x64xf32>\n",
            n,
            n + 1,
            n + 2,
            n + 3,
            n + 4,
            n + 5,
            n + 6,
            n + 7,
            n + 8,
        );
        next += 9;
        x = (next - 1).to_string();
    }
    let _ = write!(text, "    return %{x} : tensor<32x64xf32>\n  }}\n}}\n");
    text
}

/// A module with one f32 constant whose hex text has about `bytes` bytes.
pub fn hex_constant(bytes: usize) -> String {
    let elements = bytes / 8;
    let mut text = String::with_capacity(bytes + 256);
    text.push_str("func.func @main() -> tensor<");
    let _ = write!(text, "{elements}xf32> {{\n  %cst = stablehlo.constant dense<\"0x");
    for element in 0..elements {
        let _ = write!(text, "{:08X}", (element as f32).to_bits().swap_bytes());
    }
    let _ = write!(text, "\"> : tensor<{elements}xf32>\n  return %cst : tensor<{elements}xf32>\n}}\n");
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn workloads_verify() {
        for text in [super::unrolled(20_000), super::hex_constant(20_000)] {
            let parsed = stablehlo::syntax::parse("-", &text);
            assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
            assert!(stablehlo::verify::verify(&parsed.module, &text).is_ok());
        }
    }
}
