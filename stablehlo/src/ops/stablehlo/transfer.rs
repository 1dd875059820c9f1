//! Values in and out: `infeed`, `outfeed`, `send` and `recv`.

use crate::ops::classes::ANY_TENSOR;
use crate::ops::op;
use crate::ops::spec::DefaultValue;
use crate::ops::value_classes::{STATIC_TENSOR_OR_TOKEN, TOKEN};

op! {
    /// Values from the infeed.
    pub struct Infeed = "stablehlo" "infeed";
    operands { one I1 token: TOKEN; }
    attributes {
        filled I2 infeed_config: Str = DefaultValue::EmptyString;
        optional _ layout: Array;
    }
    results { many results: STATIC_TENSOR_OR_TOKEN; }
    regions {}
    spec {
        summary: "Reads the next values from the infeed",
        anchor: "infeed",
    }
}

op! {
    /// Values into the outfeed.
    pub struct Outfeed = "stablehlo" "outfeed";
    operands { many I1 inputs: ANY_TENSOR; one I2 token: TOKEN; }
    attributes { filled I3 outfeed_config: Str = DefaultValue::EmptyString; }
    results { one result: TOKEN; }
    regions {}
    spec {
        summary: "Writes `inputs` to the outfeed",
        anchor: "outfeed",
    }
}

op! {
    /// Values through a channel, this end.
    pub struct Send = "stablehlo" "send";
    operands { many I1 inputs: ANY_TENSOR; one I2 token: TOKEN; }
    attributes {
        required I3 channel_handle: ChannelHandle;
        default I5 is_host_transfer: Bool = DefaultValue::Bool(false);
        optional I6 source_target_pairs: I64Elements;
    }
    results { one result: TOKEN; }
    regions {}
    spec {
        summary: "Sends `inputs` to the channel of `channel_handle`",
        anchor: "send",
    }
}

op! {
    /// Values through a channel, the other end.
    pub struct Recv = "stablehlo" "recv";
    operands { one I1 token: TOKEN; }
    attributes {
        required I2 channel_handle: ChannelHandle;
        default I4 is_host_transfer: Bool = DefaultValue::Bool(false);
        optional I5 source_target_pairs: I64Elements;
    }
    results { many results: STATIC_TENSOR_OR_TOKEN; }
    regions {}
    spec {
        summary: "Receives values from the channel of `channel_handle`",
        anchor: "recv",
    }
}
