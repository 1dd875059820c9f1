#!/usr/bin/env python3
"""Compares this toolkit with jaxlib in one run: text and bytecode of op-heavy modules and of a large constant, and evaluation of
single ops.

    cargo build --release -p bench --bin measure
    python3 bench/compare_jaxlib.py --measure target/release/measure [--text FILE...] [--skip-run]

Needs a Python with jax; the files for --text are any `.mlir` files. Prints one line per measurement with the ratio.
"""
import argparse, io, json, os, subprocess, tempfile, time

from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

CONTEXT = jax_mlir.make_ir_context()


def minimum(call, seconds=0.5):
    begin, best, n = time.perf_counter(), float('inf'), 0
    while n < 2 or (time.perf_counter() - begin < seconds and n < 100):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
        n += 1
    return best


def ours(measure, *arguments):
    return json.loads(subprocess.run([measure, *arguments], check=True, capture_output=True, text=True).stdout)


def compare_text(measure, path):
    text = open(path).read()
    with CONTEXT:
        read = minimum(lambda: ir.Module.parse(text))
        module = ir.Module.parse(text)
        write = minimum(lambda: module.operation.get_asm())
    mine = ours(measure, 'text', path)
    size = len(text) / 1e6
    for what, theirs, own in (('parse + verify', read, mine['parse_verify']), ('print', write, mine['print'])):
        print(f'{os.path.basename(path):24} {what:16} jaxlib {size / theirs:8.1f} MB/s   shlo {size / own:8.1f} MB/s   {theirs / own:8.1f} x')


def compare_bytecode(measure, path):
    """Serializing changes jaxlib's module in place, so each call gets a module of its own, whose making is not counted."""
    text, version = open(path).read(), stablehlo.get_current_version()

    def native(module):
        file = io.BytesIO()
        module.operation.write_bytecode(file)
        return file.getvalue()

    def best(call, make=lambda: None, rounds=3):
        times = []
        for _ in range(rounds):
            given = make()
            start = time.perf_counter()
            result = call(given)
            times.append(time.perf_counter() - start)
        return min(times), result

    with CONTEXT:
        module = ir.Module.parse(text)
        write_bytecode, bytecode = best(lambda _: native(module))
        read_bytecode, _ = best(lambda _: ir.Module.parse(bytecode))
        write_artifact, artifact = best(
            lambda fresh: stablehlo.serialize_portable_artifact(fresh, version), lambda: ir.Module.parse(bytecode))
        read_artifact, _ = best(lambda _: stablehlo.deserialize_portable_artifact(CONTEXT, artifact))
    theirs = dict(write_bytecode=write_bytecode, read_bytecode=read_bytecode, write_artifact=write_artifact,
                  read_artifact=read_artifact)
    mine = ours(measure, 'bytecode', version, path)
    for what, own in mine.items():
        print(f'{os.path.basename(path):24} {what:16} jaxlib {theirs[what] * 1e3:8.1f} ms     shlo {own * 1e3:8.1f} ms     {theirs[what] / own:8.1f} x')


def compare_run(measure, folder):
    """Single ops. jaxlib's time for the program without the op is taken off, ours stays whole: the ratio is a lower bound."""
    path = os.path.join(folder, 'program.mlir')
    for line in subprocess.run([measure, 'workloads'], check=True, capture_output=True, text=True).stdout.splitlines():
        workload = json.loads(line)
        with CONTEXT:
            program, baseline = (ir.Module.parse(workload[text]) for text in ('program', 'baseline'))
            theirs = minimum(lambda: stablehlo.eval_module(program, []), 0.2)
            theirs -= minimum(lambda: stablehlo.eval_module(baseline, []), 0.2)
        with open(path, 'w') as file:
            file.write(workload['program'])
        own = ours(measure, 'run', path)['run']
        units = workload['units']
        print(f'{workload["name"]:24} {"run":16} jaxlib {theirs / units * 1e9:8.1f} ns     shlo {own / units * 1e9:8.2f} ns     {theirs / own:8.0f} x', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--measure', required=True)
    parser.add_argument('--text', nargs='*', default=[])
    parser.add_argument('--skip-run', action='store_true')
    args = parser.parse_args()
    for path in args.text:
        compare_text(args.measure, path)
        compare_bytecode(args.measure, path)
    if not args.skip_run:
        with tempfile.TemporaryDirectory() as folder:
            compare_run(args.measure, folder)


if __name__ == '__main__':
    main()
