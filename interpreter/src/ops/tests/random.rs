//! `rng_bit_generator`, `rng`.

use crate::eval::Config;
use crate::ops::testing::{outcome_of, result_of, results_of};
use crate::semantics::RNG_EXAMPLES;

/// The examples of the definition, which were recorded from XLA.
#[test]
fn bits_are_those_of_the_definition() {
    for example in RNG_EXAMPLES {
        let state: Vec<String> = example.state.iter().map(u64::to_string).collect();
        let state_ty = format!("tensor<{}xui64>", state.len());
        let shape: String = example.shape.iter().map(|size| format!("{size}x")).collect();
        let ty = format!("tensor<{shape}ui{}>", example.bits);
        let text = format!(
            "func.func @main() -> ({state_ty}, {ty}) {{
               %s = stablehlo.constant dense<[{}]> : {state_ty}
               %r:2 = stablehlo.rng_bit_generator %s, algorithm = {} : ({state_ty}) -> ({state_ty}, {ty})
               return %r#0, %r#1 : {state_ty}, {ty}
             }}",
            state.join(", "),
            example.algorithm
        );
        let results = results_of(&text).unwrap();
        assert_eq!(results[0].to_vec::<u64>(), example.output_state, "{example:?}");
        let values: Vec<u64> = results[1].integers().iter().map(|value| *value as u64).collect();
        assert_eq!(values, example.output, "{example:?}");
    }
}

fn rng(a: &str, b: &str, element: &str, distribution: &str) -> String {
    format!(
        "func.func @main() -> (tensor<1000x{element}>, tensor<1000x{element}>) {{
           %a = stablehlo.constant dense<{a}> : tensor<{element}>
           %b = stablehlo.constant dense<{b}> : tensor<{element}>
           %n = stablehlo.constant dense<1000> : tensor<1xi64>
           %r = stablehlo.rng %a, %b, %n, distribution = {distribution}
             : (tensor<{element}>, tensor<{element}>, tensor<1xi64>) -> tensor<1000x{element}>
           %s = stablehlo.rng %a, %b, %n, distribution = {distribution}
             : (tensor<{element}>, tensor<{element}>, tensor<1xi64>) -> tensor<1000x{element}>
           return %r, %s : tensor<1000x{element}>, tensor<1000x{element}>
         }}"
    )
}

#[test]
fn uniform_numbers_fill_their_range() {
    let results = results_of(&rng("-2.0", "3.0", "f32", "UNIFORM")).unwrap();
    let values = results[0].to_vec::<f32>();
    assert!(values.iter().all(|x| (-2.0..3.0).contains(x)));
    // The mean of a thousand is within five standard errors: 5 · (5/√12)/√1000 ≈ 0.23.
    assert!((values.iter().sum::<f32>() / 1000.0 - 0.5).abs() < 0.23);
    assert_ne!(values, results[1].to_vec::<f32>(), "a second call draws other numbers");
    assert_eq!(values, results_of(&rng("-2.0", "3.0", "f32", "UNIFORM")).unwrap()[0].to_vec::<f32>());
    let config = Config { seed: 1, ..Config::default() };
    let seeded = outcome_of(&rng("-2.0", "3.0", "f32", "UNIFORM"), &config).unwrap();
    assert_ne!(seeded.results[0].tensor().unwrap().to_vec::<f32>(), values);

    let values = result_of(&rng("-3", "4", "i8", "UNIFORM")).to_vec::<i8>();
    assert!((-3..4).all(|wanted| values.contains(&wanted)) && values.iter().all(|x| (-3..4).contains(x)));
    let values = result_of(&rng("-128", "127", "i8", "UNIFORM")).to_vec::<i8>();
    assert!(values.iter().any(|x| *x < -100) && values.iter().any(|x| *x > 100));
}

#[test]
fn normal_numbers_have_mean_and_deviation() {
    let values = result_of(&rng("10.0", "2.0", "f64", "NORMAL")).to_vec::<f64>();
    let mean = values.iter().sum::<f64>() / 1000.0;
    let variance = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 1000.0;
    // Five standard errors of the mean, and of the variance: 5 · 2/√1000 and 5 · 4 · √(2/1000).
    assert!((mean - 10.0).abs() < 0.32 && (variance - 4.0).abs() < 0.9, "{mean} {variance}");
    assert_eq!(result_of(&rng("10.0", "0.0", "f32", "NORMAL")).to_vec::<f32>(), vec![10.0; 1000]);
}

#[test]
fn bounds_must_make_sense() {
    for (a, b, element, distribution) in
        [("5", "5", "i32", "UNIFORM"), ("2.0", "1.0", "f32", "UNIFORM"), ("0.0", "-1.0", "f32", "NORMAL")]
    {
        assert_eq!(results_of(&rng(a, b, element, distribution)).unwrap_err().code(), "exec/rng-bounds");
    }
    assert_eq!(result_of(&rng("5.0", "5.0", "f32", "UNIFORM")).to_vec::<f32>(), vec![5.0; 1000]);
}
