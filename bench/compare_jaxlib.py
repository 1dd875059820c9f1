#!/usr/bin/env python3
"""Compares this toolkit with jaxlib in one run: text of op-heavy modules and of a large constant, and evaluation of single ops.

    cargo build --release -p bench --bin measure
    python3 bench/compare_jaxlib.py --measure target/release/measure [--text FILE...] [--skip-run]

Needs a Python with jax; the files for --text are any `.mlir` files. Prints one line per measurement with the ratio.
"""
import argparse, json, os, subprocess, tempfile, time

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


def ours(measure, mode, path):
    return json.loads(subprocess.run([measure, mode, path], check=True, capture_output=True, text=True).stdout)


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


def iota(name, shape, element):
    """A tensor of small numbers that are not all the same."""
    dims = 'x'.join(map(str, shape))
    count = 1
    for size in shape:
        count *= size
    return (f'  %{name}f = stablehlo.iota dim = 0 : tensor<{count}xi32>\n'
            f'  %{name}m = stablehlo.constant dense<127> : tensor<{count}xi32>\n'
            f'  %{name}a = stablehlo.and %{name}f, %{name}m : tensor<{count}xi32>\n'
            f'  %{name}c = stablehlo.convert %{name}a : (tensor<{count}xi32>) -> tensor<{count}x{element}>\n'
            f'  %{name} = stablehlo.reshape %{name}c : (tensor<{count}x{element}>) -> tensor<{dims}x{element}>\n')


def program(body, result):
    return f'func.func @main() -> {result} {{\n{body}  return %r : {result}\n}}\n'


def programs():
    """Name, setup, op, result type, elements (or multiply-adds) of work."""
    def unary(op, element='f32'):
        t = f'tensor<64x64x{element}>'
        return iota('x', (64, 64), element), f'  %r = stablehlo.{op} %x : {t}\n', t, 4096

    def binary(op, element='f32'):
        t = f'tensor<64x64x{element}>'
        return iota('x', (64, 64), element), f'  %r = stablehlo.{op} %x, %x : {t}\n', t, 4096

    for op in ('add', 'multiply', 'divide', 'maximum', 'power'):
        yield (op, *binary(op))
    for op in ('exponential', 'tanh', 'log', 'sine', 'sqrt', 'negate'):
        yield (op, *unary(op))
    yield ('add i32', *binary('add', 'i32'))
    yield ('transpose', iota('x', (64, 64), 'f32'),
           '  %r = stablehlo.transpose %x, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>\n', 'tensor<64x64xf32>', 4096)
    yield ('reduce', iota('x', (64, 64), 'f32'),
           '  %z = stablehlo.constant dense<0.0> : tensor<f32>\n'
           '  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>\n',
           'tensor<64xf32>', 4096)
    yield ('gather', iota('x', (4096,), 'f32') + iota('i', (4096, 1), 'i32'),
           '  %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], '
           'index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<4096xf32>, tensor<4096x1xi32>) -> tensor<4096xf32>\n',
           'tensor<4096xf32>', 4096)
    yield ('sort', iota('x', (4096,), 'f32'),
           '  %r = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n'
           '    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n    stablehlo.return %c : tensor<i1>\n'
           '  }) : (tensor<4096xf32>) -> tensor<4096xf32>\n', 'tensor<4096xf32>', 4096)
    yield ('convolution', iota('x', (1, 16, 16, 4), 'f32') + iota('w', (3, 3, 4, 8), 'f32'),
           '  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} '
           '{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x16x16x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x16x16x8xf32>\n',
           'tensor<1x16x16x8xf32>', 16 * 16 * 8 * 36)
    for n in (64, 256):
        t = f'tensor<{n}x{n}xf32>'
        yield (f'dot_general {n}', iota('x', (n, n), 'f32'),
               f'  %r = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : ({t}, {t}) -> {t}\n', t, n ** 3)


def compare_run(measure, folder):
    for name, setup, op, result, work in programs():
        times = {}
        # The setup is timed by itself and taken off, so that the ratio is that of the op.
        for part, body in (('with', setup + op), ('without', setup)):
            last = body if part == 'with' else body + f'  %r = stablehlo.optimization_barrier %x : {type_of_x(setup)}\n'
            text = program(last, result if part == 'with' else type_of_x(setup))
            path = os.path.join(folder, 'program.mlir')
            open(path, 'w').write(text)
            with CONTEXT:
                module = ir.Module.parse(text)
                times[part, 'jaxlib'] = minimum(lambda: stablehlo.eval_module(module, []), 0.2)
            times[part, 'shlo'] = ours(measure, 'run', path)['run']
        theirs, own = (max(times['with', who] - times['without', who], 1e-9) for who in ('jaxlib', 'shlo'))
        print(f'{name:24} {"run":16} jaxlib {theirs / work * 1e9:8.1f} ns     shlo {own / work * 1e9:8.2f} ns     {theirs / own:8.0f} x', flush=True)


def type_of_x(setup):
    line = [line for line in setup.splitlines() if line.startswith('  %x = ')][0]
    return line.rsplit(' -> ', 1)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--measure', required=True)
    parser.add_argument('--text', nargs='*', default=[])
    parser.add_argument('--skip-run', action='store_true')
    args = parser.parse_args()
    for path in args.text:
        compare_text(args.measure, path)
    if not args.skip_run:
        with tempfile.TemporaryDirectory() as folder:
            compare_run(args.measure, folder)


if __name__ == '__main__':
    main()
