//! Ops that name code elsewhere: `custom_call` and `composite`.

use crate::ops::op;
use crate::ops::spec::DefaultValue;
use crate::ops::value_classes::{ANY_TENSOR_TOKEN_OR_TUPLE, CUSTOM_CALL_VALUE};

op! {
    /// A call of something that only the backend knows.
    pub struct CustomCall = "stablehlo" "custom_call";
    operands { many I1 inputs: CUSTOM_CALL_VALUE; }
    attributes {
        required I2 call_target_name: Str;
        default I3 has_side_effect: Bool = DefaultValue::Bool(false);
        optional I4 backend_config: StringOrDictionary;
        default I5 api_version: I32 = DefaultValue::I32(1);
        default I6 called_computations: SymbolArray = DefaultValue::EmptyArray;
        optional _ operand_layouts: LayoutArray;
        optional _ result_layouts: LayoutArray;
        default I7 output_operand_aliases: OutputOperandAliases = DefaultValue::EmptyArray;
        optional _ result_tilings: TilingArray;
    }
    results { many results: CUSTOM_CALL_VALUE; }
    regions {}
    spec {
        summary: "Calls the implementation-defined operation `call_target_name`",
        anchor: "custom_call",
    }
}

op! {
    /// An op made of other ops, with a name that backends may know.
    pub struct Composite = "stablehlo" "composite";
    operands { many I1 inputs: ANY_TENSOR_TOKEN_OR_TUPLE; }
    attributes {
        required I2 name: Str;
        default I3 composite_attributes: Dictionary = DefaultValue::EmptyDictionary;
        required I4 decomposition: Symbol;
        default I5 version: I32 = DefaultValue::I32(0);
    }
    results { many results: ANY_TENSOR_TOKEN_OR_TUPLE; }
    regions { many I6 regions; }
    spec {
        summary: "Stands for the function `decomposition`, under a name that backends may implement directly",
        anchor: "composite",
    }
}
