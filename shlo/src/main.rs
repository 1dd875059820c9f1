//! `shlo`, the StableHLO toolkit.

fn main() {}
