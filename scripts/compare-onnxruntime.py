#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the results of a quantised ONNX model on a chip with those of onnxruntime.

  scripts/compare-onnxruntime.py NESTOR MODEL.onnx --arch CHIP [--images X.npy] [--count N]

Compiles MODEL, executes the program in integers on the images, and runs the model in onnxruntime. X.npy has the shape
[images, input dims]; without --images, N seeded images are used. Integer outputs are compared element by element, float
outputs by the class of each image. Status 0: equal except for one unit of rounding, or the same classes; 1: different;
77: onnxruntime or NumPy is missing.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy
    import onnxruntime
except ImportError as missing:
    print(f"{missing.name} is not installed: python3 -m pip install onnxruntime numpy", file=sys.stderr)
    sys.exit(77)

TYPES = {"tensor(float)": numpy.float32, "tensor(uint8)": numpy.uint8, "tensor(int8)": numpy.int8}


def images_of(asked, path, count):
    """Returns the images in the type of the model's input; seeded images if there is no file."""
    kind = TYPES.get(asked.type)
    if kind is None:
        sys.exit(f"input '{asked.name}' has the type {asked.type}, expected one of {', '.join(TYPES)}")
    if path:
        return numpy.load(path).astype(kind)
    shape = [count] + [d for d in asked.shape[1:]]
    if not all(isinstance(d, int) for d in shape):
        sys.exit(f"input '{asked.name}' has open dimensions {asked.shape}: give --images")
    random = numpy.random.default_rng(1)
    if kind == numpy.float32:
        return random.uniform(-1, 1, shape).astype(kind)
    return random.integers(numpy.iinfo(kind).min, numpy.iinfo(kind).max + 1, shape).astype(kind)


def on_chip(nestor, model, arch, images):
    """Returns the integers of the first output, with one row per image."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        numpy.save(path / "images.npy", images)
        program = ["-o", str(path / "program.txt"), "-q"]
        if images.dtype == numpy.float32:
            program += ["--calibrate", str(path / "images.npy")]
        subprocess.run([nestor, "compile", model, "--arch", arch, *program], check=True)
        run = ["--functional", "--arch", arch, "--input", str(path / "images.npy"), "--output", str(path / "out.npy")]
        subprocess.run([nestor, "simulate", str(path / "program.txt"), *run, "-q"], check=True)
        return numpy.load(path / "out.npy").reshape(len(images), -1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nestor")
    parser.add_argument("model")
    parser.add_argument("--arch", required=True)
    parser.add_argument("--images")
    parser.add_argument("--count", type=int, default=8)
    arguments = parser.parse_args()
    session = onnxruntime.InferenceSession(arguments.model, providers=["CPUExecutionProvider"])
    asked = session.get_inputs()[0]
    images = images_of(asked, arguments.images, arguments.count)
    expected = numpy.stack([session.run(None, {asked.name: image[None]})[0].reshape(-1) for image in images])
    made = on_chip(arguments.nestor, arguments.model, arguments.arch, images)
    if made.shape != expected.shape:
        sys.exit(f"the chip made {made.shape[1]} elements an image, onnxruntime {expected.shape[1]}")
    if numpy.issubdtype(expected.dtype, numpy.floating):
        same = int((made.argmax(axis=1) == expected.argmax(axis=1)).sum())
        print(f"{same} of {len(images)} images have the same class")
        return 0 if same == len(images) else 1
    lowered = expected.astype(numpy.int64) - (128 if expected.dtype == numpy.uint8 else 0)
    apart = numpy.abs(lowered - made)
    print(f"{apart.size} elements: {int((apart == 0).sum())} equal, at most {int(apart.max())} apart")
    return 0 if apart.max() <= 1 else 1


if __name__ == "__main__":
    sys.exit(main())
