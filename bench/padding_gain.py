#!/usr/bin/env python3
"""What padded bounds and remainders gain over exact divisors, and what their proofs cost.

    bench/padding_gain.py NESTOR [--networks A,B] [--archs A,B] [--pads 5,auto] [--objective O] [--remainder]

Per network and machine: the total, repeats counted, with each padding; the gain over exact divisors; layers that
gain; and the median over shapes of the search's nodes and seconds relative to the plain proof. With --remainder the
least total when every layer may also be cut in two in one of N, K, P and Q (docs/models/remainders.md), each part at
its proved optimum.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

CUTS = "NKPQ"
MOST_CUTS = 96  # of one dimension; the largest remainders first where there are more


def run(nestor, inputs, arch, options, json_path):
    command = [nestor, "map", *inputs, "--arch", arch, "--json", json_path, "--time-limit", "600", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    with open(json_path) as file:
        return json.load(file)


def dims_of(layer):
    """Bounds of one group."""
    dims = {d: layer["dims"].get(d, 1) for d in "NKCPQRS"}
    for d in "KC":
        dims[d] //= layer.get("groups", 1)
    return dims


def runs_of(layer):
    """How often the network runs the nest: of a grouped layer once a group."""
    return layer.get("repeat", 1) * (1 if layer["dims"].get("G", 1) > 1 else layer.get("groups", 1))


def shape_of(layer, dims):
    rest = [layer.get(key) for key in ("stride", "dilation", "bits")]
    return json.dumps([dims, rest], sort_keys=True)


def cuts_of(bound):
    """(b1, b2) with b1 >= b2 >= 1: parts that are multiples of a power of two, and near them all small remainders."""
    firsts = {bound - r for r in range(1, min(bound // 2, MOST_CUTS // 2) + 1)}
    step = 1
    while step < bound:
        firsts.add((bound - 1) // step * step)
        step *= 2
    firsts |= {bound * i // 16 for i in range(8, 16)}
    return [(b, bound - b) for b in sorted(firsts) if bound - b >= 1 and 2 * b >= bound]


def with_remainders(nestor, result, arch, options, folder):
    """Per layer the least objective of the whole or of two parts."""
    parts = {}
    plans = []
    for layer in result["layers"]:
        dims = dims_of(layer)
        plan = []
        for d in CUTS:
            for first, second in cuts_of(dims[d]) if dims[d] > 1 else []:
                pair = []
                for bound in (first, second):
                    part = dict(dims, **{d: bound})
                    key = shape_of(layer, part)
                    entry = {"name": f"p{len(parts)}", "dims": part}
                    entry.update({k: layer[k] for k in ("stride", "dilation", "bits") if k in layer})
                    pair.append(parts.setdefault(key, entry)["name"])
                plan.append(pair)
        plans.append(plan)
    path = os.path.join(folder, "parts.json")
    with open(path, "w") as file:
        json.dump({"layers": list(parts.values())}, file)
    solved = run(nestor, [path], arch, options, os.path.join(folder, "parts_out.json"))
    cost = {layer["name"]: layer.get("objective") for layer in solved["layers"]}
    total = 0
    for layer, plan in zip(result["layers"], plans):
        costs = [layer["objective"]] + [cost[a] + cost[b] for a, b in plan if cost[a] and cost[b]]
        total += min(costs) * runs_of(layer)
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nestor")
    parser.add_argument("--networks", default="resnet50,vit-b16,gpt2-medium-prefill")
    parser.add_argument("--archs", default="miredo-default")
    parser.add_argument("--pads", default="5,auto")
    parser.add_argument("--objective", default="latency")
    parser.add_argument("--remainder", action="store_true")
    asked = parser.parse_args()
    options = ["--objective", asked.objective]
    print("network arch form total gain_% layers_that_gain node_ratio time_ratio seconds not_proved")
    with tempfile.TemporaryDirectory() as folder:
        for arch in asked.archs.split(","):
            for network in asked.networks.split(","):
                plain = run(asked.nestor, [network], arch, options, os.path.join(folder, "plain.json"))
                weigh = lambda result: sum(l["objective"] * runs_of(l) for l in result["layers"])
                base = weigh(plain)
                searches = [l["search"] for l in plain["layers"] if "search" in l]
                print(network, arch, "exact", f"{base:.6g}", 0, 0, 1, 1,
                      f"{sum(s['seconds'] for s in searches):.3f}",
                      sum(l["status"] != "optimal" for l in plain["layers"]), flush=True)
                for pad in asked.pads.split(","):
                    padded = run(asked.nestor, [network], arch, options + ["--pad", pad],
                                 os.path.join(folder, "padded.json"))
                    total = weigh(padded)
                    ours = [l["search"] for l in padded["layers"] if "search" in l]
                    nodes = [(b["nodes"] + 1) / (a["nodes"] + 1) for a, b in zip(searches, ours)]
                    times = [b["seconds"] / max(a["seconds"], 1e-6) for a, b in zip(searches, ours)]
                    gained = sum(b["objective"] < a["objective"] for a, b in zip(plain["layers"], padded["layers"]))
                    print(network, arch, f"pad-{pad}", f"{total:.6g}", f"{100 * (1 - total / base):.2f}", gained,
                          f"{statistics.median(nodes):.2f}", f"{statistics.median(times):.2f}",
                          f"{sum(s['seconds'] for s in ours):.3f}",
                          sum(l["status"] != "optimal" for l in padded["layers"]), flush=True)
                if asked.remainder:
                    total = with_remainders(asked.nestor, plain, arch, options, folder)
                    print(network, arch, "remainder", f"{total:.6g}", f"{100 * (1 - total / base):.2f}", flush=True)


if __name__ == "__main__":
    main()
