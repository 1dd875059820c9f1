"""Prints what MLIR prints for programs: a JSON list of texts on standard input, on standard output a JSON list of their
pretty and generic forms, null for what it rejects. Needs jaxlib."""

import json
import sys

from jax._src.interpreters import mlir
from jaxlib.mlir import ir


def printed(text):
    try:
        module = ir.Module.parse(text)
    except ir.MLIRError:
        return None
    return [module.operation.get_asm(print_generic_op_form=generic) for generic in (False, True)]


with mlir.make_ir_context():
    json.dump([printed(text) for text in json.load(sys.stdin)], sys.stdout)
