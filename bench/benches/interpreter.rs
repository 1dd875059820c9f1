//! Single ops in the reference interpreter.

#![allow(missing_docs, reason = "the macros of criterion make public items")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use interpreter::{Config, Host};
use stablehlo::syntax::parse;
use stablehlo::verify::verify;

fn ops(c: &mut Criterion) {
    let mut group = c.benchmark_group("run");
    for workload in bench::workloads() {
        let text = workload.program();
        let parsed = parse("-", &text);
        let verified = verify(&parsed.module, &text).expect("a test verifies all workloads");
        let function = interpreter::entry(verified.module()).expect("all workloads have a function main");
        group.throughput(Throughput::Elements(workload.units));
        group.bench_function(workload.name, |b| {
            b.iter(|| interpreter::run(verified, function, Vec::new(), &Config::default(), &mut Host::default()))
        });
    }
    group.finish();
}

criterion_group!(benches, ops);
criterion_main!(benches);
