//! Collectives that compute: `all_reduce`, `reduce_scatter`, `collective_reduce` and the old `cross-replica-sum`.

use crate::ops::classes::TENSOR;
use crate::ops::op;
use crate::ops::spec::{Numerics, Trait};

op! {
    /// A reduction over the processes of a group, everywhere.
    pub struct AllReduce = "stablehlo" "all_reduce";
    operands { many I1 operands: TENSOR; }
    attributes {
        required I2 replica_groups: ReplicaGroups;
        optional I3 channel_handle: ChannelHandle;
        optional I4 use_global_device_ids: Unit;
    }
    results { many results: TENSOR; }
    regions { one I5 computation; }
    spec {
        summary: "Reduces the operands of all processes of a group with `computation` and gives every process the result",
        anchor: "all_reduce",
        traits: &[Trait::SingleBlock],
        numerics: Numerics::Accumulation,
    }
}

op! {
    /// A reduction over the processes of a group, split among them.
    pub struct ReduceScatter = "stablehlo" "reduce_scatter";
    operands { one I1 operand: TENSOR; }
    attributes {
        required I2 scatter_dimension: I64;
        required I3 replica_groups: ReplicaGroups;
        optional I4 channel_handle: ChannelHandle;
        optional I5 use_global_device_ids: Unit;
    }
    results { one result: TENSOR; }
    regions { one I6 computation; }
    spec {
        summary: "Reduces the operands of all processes of a group with `computation` and splits the result among them along `scatter_dimension`",
        anchor: "reduce_scatter",
        numerics: Numerics::Accumulation,
    }
}

op! {
    /// A reduction over the processes of a group, at one of them.
    pub struct CollectiveReduce = "stablehlo" "collective_reduce";
    operands { many I1 operands: TENSOR; }
    attributes {
        required I2 replica_groups: ReplicaGroups;
        optional I3 channel_handle: ChannelHandle;
        optional _ use_global_device_ids: Unit;
        optional I4 has_dynamic_root: Unit;
    }
    results { many results: TENSOR; }
    regions { one I5 computation; }
    spec {
        summary: "Reduces the operands of all processes of a group with `computation` and gives the result to one of them",
        anchor: "collective_reduce",
        traits: &[Trait::SingleBlock],
        numerics: Numerics::Accumulation,
    }
}

op! {
    /// A sum over replicas.
    pub struct CrossReplicaSum = "stablehlo" "cross-replica-sum";
    operands { one _ operand: TENSOR; }
    attributes { required _ replica_groups: I64Elements; }
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Sums `operand` over the replicas of a group",
        traits: &[Trait::Pure],
        numerics: Numerics::Accumulation,
        deprecated: Some("write `stablehlo.all_reduce` with an addition instead"),
    }
}
