//! Reading, verifying and writing text.

#![allow(missing_docs, reason = "the macros of criterion make public items")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use stablehlo::syntax::{PrintOptions, parse, print};
use stablehlo::verify::verify;

fn text(c: &mut Criterion) {
    for (name, bytes) in [("5MB", 5_000_000), ("50MB", 50_000_000)] {
        let source = bench::unrolled(bytes);
        let mut group = c.benchmark_group(format!("unrolled/{name}"));
        group.sample_size(10).throughput(Throughput::Bytes(source.len() as u64));
        group.bench_function("parse", |b| b.iter(|| parse("-", black_box(&source))));
        let parsed = parse("-", &source);
        group.bench_function("verify", |b| b.iter(|| verify(black_box(&parsed.module), &source).is_ok()));
        group.bench_function("print", |b| b.iter(|| print(black_box(&parsed.module), PrintOptions::default())));
        group.finish();
    }
    let source = bench::hex_constant(100_000_000);
    let mut group = c.benchmark_group("hex_constant/100MB");
    group.sample_size(10).throughput(Throughput::Bytes(source.len() as u64));
    group.bench_function("parse", |b| b.iter(|| parse("-", black_box(&source))));
    let parsed = parse("-", &source);
    group.bench_function("print", |b| b.iter(|| print(black_box(&parsed.module), PrintOptions::default())));
    group.finish();
}

criterion_group!(benches, text);
criterion_main!(benches);
