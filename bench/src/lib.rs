//! Workloads that the benchmarks and the comparison with jaxlib share.

mod workloads;

use std::fmt::Write;

use rustix::time::{ClockId, clock_gettime};

pub use workloads::{Workload, workloads};

/// Processor time that all threads of this process have used, in seconds.
pub fn process_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

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
    let values = (0..elements).map(|element| (element as f32).to_bits());
    let ty = format!("tensor<{elements}xf32>");
    let constant = constant(&ty, elements, values);
    format!("func.func @main() -> {ty} {{\n  %cst = {constant}\n  return %cst : {ty}\n}}\n")
}

/// A constant op of `n_values` elements of 32 bits, in hex.
fn constant(ty: &str, n_values: usize, values: impl Iterator<Item = u32>) -> String {
    let mut text = String::with_capacity(n_values * 8 + 100);
    text.push_str("stablehlo.constant dense<\"0x");
    for value in values {
        let _ = write!(text, "{:08X}", value.swap_bytes());
    }
    let _ = write!(text, "\"> : {ty}");
    text
}

#[cfg(test)]
mod tests {
    use interpreter::{Config, Host};
    use stablehlo::syntax::parse;
    use stablehlo::verify::verify;

    #[test]
    fn texts_verify() {
        for text in [super::unrolled(20_000), super::hex_constant(20_000)] {
            let parsed = parse("-", &text);
            assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
            assert!(verify(&parsed.module, &text).is_ok());
        }
    }

    #[test]
    fn single_ops_run() {
        for workload in super::workloads() {
            for text in [workload.program(), workload.baseline()] {
                let parsed = parse("-", &text);
                let verified = verify(&parsed.module, &text).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
                let function = interpreter::entry(verified.module()).unwrap();
                let ran = interpreter::run(verified, function, vec![], &Config::default(), &mut Host::default());
                assert!(ran.is_ok(), "{:?}\n{text}", ran.err());
            }
        }
    }
}
