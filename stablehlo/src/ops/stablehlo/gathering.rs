//! Collectives that move whole slices between processes: `all_gather`, `all_to_all`, `collective_broadcast`,
//! `collective_permute`.

use crate::ops::classes::TENSOR;
use crate::ops::op;

op! {
    /// The operands of all processes of a group, one after the other.
    pub struct AllGather = "stablehlo" "all_gather";
    operands { many I1 operands: TENSOR; }
    attributes {
        required I2 all_gather_dim: I64;
        required I3 replica_groups: ReplicaGroups;
        optional I4 channel_handle: ChannelHandle;
        optional I5 use_global_device_ids: Unit;
    }
    results { many results: TENSOR; }
    regions {}
    spec {
        summary: "Concatenates the operands of all processes of a group along `all_gather_dim`",
        anchor: "all_gather",
    }
}

op! {
    /// Every process sends a part to every other one of its group.
    pub struct AllToAll = "stablehlo" "all_to_all";
    operands { many I1 operands: TENSOR; }
    attributes {
        required I2 split_dimension: I64;
        required I3 concat_dimension: I64;
        required I4 split_count: I64;
        required I5 replica_groups: ReplicaGroups;
        optional I6 channel_handle: ChannelHandle;
    }
    results { many results: TENSOR; }
    regions {}
    spec {
        summary: "Splits the operands along `split_dimension`, exchanges the parts inside a group and concatenates them along `concat_dimension`",
        anchor: "all_to_all",
    }
}

op! {
    /// One process's operands for all of its group.
    pub struct CollectiveBroadcast = "stablehlo" "collective_broadcast";
    operands { many I1 operands: TENSOR; }
    attributes {
        required I2 replica_groups: ReplicaGroups;
        optional I3 channel_handle: ChannelHandle;
        optional I4 has_dynamic_root: Unit;
    }
    results { many results: TENSOR; }
    regions {}
    spec {
        summary: "Gives all processes of a group the operands of one of them",
        anchor: "collective_broadcast",
    }
}

op! {
    /// Operands handed on from source to target processes.
    pub struct CollectivePermute = "stablehlo" "collective_permute";
    operands { one I1 operand: TENSOR; }
    attributes {
        required I2 source_target_pairs: I64Elements;
        optional I3 channel_handle: ChannelHandle;
    }
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Sends `operand` from each source process to its target; processes that receive nothing get zeros",
        anchor: "collective_permute",
    }
}
