//! Syntaxes of single ops that are not expressible as data: two functions for each, named in the op's declaration.

pub(crate) mod composite;
pub(crate) mod constant;
pub(crate) mod convolution;
pub(crate) mod custom_call;
pub(crate) mod dot_general;
pub(crate) mod expect_const;
pub(crate) mod optimization_barrier;
pub(crate) mod reduce;
pub(crate) mod reduce_precision;
pub(crate) mod scan;
pub(crate) mod slice;
pub(crate) mod while_loop;
