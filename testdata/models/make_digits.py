"""Makes everything under `digits/`: trains a small convolutional network on 8x8 handwritten digits and lets JAX export it.

    pip install "jax==0.10.2" scikit-learn safetensors
    python make_digits.py            # a few seconds on a CPU; writes digits/ beside this file

The numbers depend on the version of XLA in a last place or two, so a rerun elsewhere does not give the same bytes.
"""

import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from safetensors.numpy import save_file
from sklearn.datasets import load_digits

# Locations in the exported programs name this file, not the folder it happened to lie in.
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")

OUT = pathlib.Path(__file__).parent / "digits"
SHOWN = 32  # images that are recorded with their results
BATCH = 64  # images of one training step
RATE, MOMENTUM, EPOCHS = 0.02, 0.9, 30


def data():
    """Training and held-out images [n, 8, 8, 1] in 0..1 and their labels [n], in one fixed random order."""
    images, labels = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(images))
    images = (images[order] / 16).astype(np.float32).reshape(-1, 8, 8, 1)
    labels = labels[order].astype(np.int32)
    return images[:1437], labels[:1437], images[1437:], labels[1437:]


def initial_weights():
    rng = np.random.default_rng(1)
    shapes = {"conv1": (3, 3, 1, 16), "conv2": (3, 3, 16, 32), "dense1": (128, 64), "dense2": (64, 10)}
    weights = {}
    for name, shape in shapes.items():
        fan_in = int(np.prod(shape[:-1]))
        weights[name + ".kernel"] = (rng.standard_normal(shape) * (2 / fan_in) ** 0.5).astype(np.float32)
        weights[name + ".bias"] = np.zeros(shape[-1], np.float32)
    return weights


def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def logits(w, x):
    for name in ("conv1", "conv2"):
        x = lax.conv_general_dilated(x, w[name + ".kernel"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        x = max_pool(jax.nn.relu(x + w[name + ".bias"]))
    x = x.reshape(x.shape[0], -1)
    x = jax.nn.relu(x @ w["dense1.kernel"] + w["dense1.bias"])
    return x @ w["dense2.kernel"] + w["dense2.bias"]


def classify(w, images):
    """Probabilities [n, 10] and the most probable digit [n]."""
    p = jax.nn.softmax(logits(w, images))
    return p, jnp.argmax(p, axis=-1).astype(jnp.int32)


def loss(w, images, labels):
    return -jnp.take_along_axis(jax.nn.log_softmax(logits(w, images)), labels[:, None], 1).mean()


def train_step(w, momentum, images, labels):
    """One step of stochastic gradient descent: new weights, new momentum, loss."""
    value, gradient = jax.value_and_grad(loss)(w, images, labels)
    momentum = jax.tree.map(lambda m, g: MOMENTUM * m + g, momentum, gradient)
    return jax.tree.map(lambda p, m: p - RATE * m, w, momentum), momentum, value


def export(path, fn, *args):
    """Writes what JAX exports for `fn`: text, and the portable artifact beside it."""
    exported = jax.export.export(fn)(*args)
    path.with_suffix(".mlir").write_text(exported.mlir_module())
    path.with_suffix(".mlirbc").write_bytes(exported.mlir_module_serialized)


def main():
    OUT.mkdir(exist_ok=True)
    train_images, train_labels, images, labels = data()
    step = jax.jit(train_step)
    w = initial_weights()
    momentum = jax.tree.map(np.zeros_like, w)
    first = (w, momentum, train_images[:BATCH], train_labels[:BATCH])
    rng = np.random.default_rng(2)
    for _ in range(EPOCHS):
        order = rng.permutation(len(train_images))
        for i in range(0, len(order) - BATCH + 1, BATCH):
            batch = order[i : i + BATCH]
            w, momentum, value = step(w, momentum, train_images[batch], train_labels[batch])
    w = jax.tree.map(np.asarray, w)
    _, digit = jax.jit(classify)(w, images)
    print("loss", float(value), "held-out accuracy", float((np.asarray(digit) == labels).mean()), "of", len(labels))

    shown = images[:SHOWN]

    @jax.jit
    def model(images):
        return classify(w, images)

    probabilities, digit = model(shown)
    export(OUT / "model", model, shown)
    export(OUT / "model_args", jax.jit(classify), w, shown)
    save_file(w, OUT / "weights.safetensors")
    (OUT / "weights.safetensors").chmod(0o644)
    np.save(OUT / "images.npy", shown)
    np.save(OUT / "labels.npy", labels[:SHOWN])
    np.save(OUT / "probabilities.npy", np.asarray(probabilities))
    np.save(OUT / "digit.npy", np.asarray(digit))

    donated = jax.jit(train_step, donate_argnums=(0, 1))
    export(OUT / "train_step", donated, *first)
    result = step(*first)
    flat_in, flat_out = jax.tree.leaves(first), jax.tree.leaves(result)
    record = {f"in_{i}": np.asarray(v) for i, v in enumerate(flat_in)}
    record |= {f"out_{i}": np.asarray(v) for i, v in enumerate(flat_out)}
    np.savez(OUT / "train_step.npz", **record)


if __name__ == "__main__":
    main()
