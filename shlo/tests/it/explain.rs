//! `shlo explain`.

use crate::shlo;

#[test]
fn a_rule() {
    let ran = shlo(&["explain", "pad_c1"]);
    let (explanation, examples) = ran.out.split_once("\nAccepted:\n\n").unwrap();
    insta::assert_snapshot!(explanation);
    let (accepted, rejected) = examples.split_once("\nRejected:\n\n").unwrap();
    assert!(accepted.starts_with("    func.func @") && rejected.starts_with("    func.func @"), "{examples}");
    assert!(rejected.contains("expected-error@+1 {{[pad_c1]"), "{rejected}");
}

#[test]
fn an_op() {
    let ran = shlo(&["explain", "pad"]);
    let (explanation, example) = ran.out.split_once("\nExample:\n\n").unwrap();
    insta::assert_snapshot!(explanation);
    assert!(example.starts_with("    func.func @"), "{example}");
}

#[test]
fn a_point_of_the_semantics() {
    insta::assert_snapshot!(shlo(&["explain", "divide-by-zero"]).everything());
}

#[test]
fn a_code_that_is_no_rule() {
    assert_eq!(shlo(&["explain", "parse/unknown-op"]).out, "parse/unknown-op: The dialect has no op of this name.\n");
    assert_eq!(shlo(&["explain", "io/unreadable"]).code, 0);
}

/// Rules for types stand beside the ops; their examples are shown too.
#[test]
fn a_rule_about_types() {
    let ran = shlo(&["explain", "quantized_tensor_type_c7"]);
    let (_, examples) = ran.out.split_once("\nAccepted:\n\n").unwrap();
    let (accepted, rejected) = examples.split_once("\nRejected:\n\n").unwrap();
    assert!(
        accepted.contains("u8:f32") && rejected.contains("expected-error@+1 {{[quantized_tensor_type_c7]"),
        "{examples}"
    );
}

#[test]
fn spellings() {
    let plain = shlo(&["explain", "pad_c1"]).out;
    assert_eq!(shlo(&["explain", "PAD_C1"]).out, plain);
    assert_eq!(shlo(&["explain", "[pad_c1]"]).out, plain);
    assert_eq!(shlo(&["explain", "stablehlo.pad"]).out, shlo(&["explain", "pad"]).out);
}

#[test]
fn unknown_names_get_suggestions() {
    let ran = shlo(&["explain", "pad_c33"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("did you mean pad_c3"), "{}", ran.err);
    let ran = shlo(&["explain", "stablehlo.dot_generall"]);
    assert!(ran.err.contains("did you mean stablehlo.dot_general"), "{}", ran.err);
    let ran = shlo(&["explain", "nothing like anything"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--list"), "{}", ran.err);
}

#[test]
fn the_list() {
    let text = shlo(&["explain", "--list"]);
    assert_eq!(text.code, 0);
    assert!(text.out.lines().any(|line| line.starts_with("pad_c2 ")));
    assert!(text.out.lines().any(|line| line.starts_with("stablehlo.pad ")));
    let json = shlo(&["explain", "--list", "--format", "json"]).json();
    let rules = json["rules"].as_array().unwrap();
    assert!(rules.len() > 300, "{} rules", rules.len());
    let pad_c1 = rules.iter().find(|rule| rule["code"] == "pad_c1").unwrap();
    assert_eq!(pad_c1["op"], "stablehlo.pad");
    assert_eq!(pad_c1["link"], "https://github.com/openxla/stablehlo/blob/main/docs/spec.md#pad");
    assert!(pad_c1["rejected"].as_str().unwrap().contains("[pad_c1]"));
    assert!(!json["ops"].as_array().unwrap().is_empty());
    assert!(json["points"].as_array().unwrap().iter().any(|point| point["id"] == "divide-by-zero"));
}

#[test]
fn every_name_in_the_list_can_be_explained() {
    let list = shlo(&["explain", "--list"]).out;
    let names: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let ran = shlo(&[&["explain"], names.as_slice()].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
}
