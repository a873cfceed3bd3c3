#!/usr/bin/env python3
"""Errors of PIM Optimizer's hybrid row formulas on the mappings that they predict to be best.

    bench/hybrid_errors.py NESTOR [--networks A,B] [--archs A,B] [--objective O]

The protocol of the paper: each layer is mapped with `row_model: hybrid`. The row activations that the formulas
predict for the optimal mapping are compared with the exact number for its accesses. The script prints, per network,
machine and operand, the number of layers whose operand opens rows (each shape once), the median and largest errors,
and the share of layers within 5 %. It prints the same figures for cycles. If a layer is not proved optimal within
5 s, its best mapping so far is used.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: {done.stderr}")


def error(formula, exact):
    return abs(formula - exact) / exact


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nestor")
    parser.add_argument("--networks", default="resnet18,vgg16,mobilenetv2,bert-base-128")
    parser.add_argument("--archs", default="pim-default")
    parser.add_argument("--objective", default="latency")
    asked = parser.parse_args()
    print("| network | machine | figure | layers | median error | largest | within 5 % |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        result, evaluated = os.path.join(folder, "r.json"), os.path.join(folder, "e.json")
        for arch in asked.archs.split(","):
            for network in asked.networks.split(","):
                run([asked.nestor, "map", network, "--arch", arch, "--set", "row_model=hybrid", "--objective",
                     asked.objective, "--json", result, "--layer-time-limit", "5"])
                run([asked.nestor, "evaluate", result, "--json", evaluated])
                with open(result) as file:
                    layers = json.load(file)["layers"]
                shapes = [json.dumps([layer["dims"], layer["stride"], layer["dilation"], layer["bits"]]) for layer in layers]
                with open(evaluated) as file:
                    layers = list({s: l for s, l in zip(shapes, json.load(file)["layers"])}.values())
                errors = {}
                for models in (layer["row_models"] for layer in layers if "row_models" in layer):
                    exact, hybrid = models["exact"], models["hybrid"]
                    for operand, rows in exact["row_activations"].items():
                        if rows:
                            errors.setdefault(f"rows of {operand}", []).append(
                                error(hybrid["row_activations"][operand], rows))
                    errors.setdefault("cycles", []).append(error(hybrid["latency_cycles"], exact["latency_cycles"]))
                for figure, values in errors.items():
                    print(f"| {network} | {arch} | {figure} | {len(values)} | {100 * statistics.median(values):.1f} % | "
                          f"{100 * max(values):.1f} % | {sum(v <= 0.05 for v in values)} of {len(values)} |", flush=True)


if __name__ == "__main__":
    main()
