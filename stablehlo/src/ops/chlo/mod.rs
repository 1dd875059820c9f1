//! The `chlo` dialect: ops that frameworks write and that are lowered to `stablehlo`.

pub mod binary;
pub mod broadcast;
pub mod constants;
pub mod ragged_dot;
pub mod scan;
mod shapes;
pub mod top_k;
pub mod unary;
