#!/usr/bin/env python3
"""Gains of padded bounds and remainders over exact divisors, and the cost of their proofs.

    bench/padding_gain.py NESTOR [--networks A,B] [--archs A,B] [--pads 5,auto] [--objective O] [--remainder]

Prints, per network and machine: the total over all repeats with each padding, the gain over exact divisors, the
number of layers that gain, and the median over shapes of search nodes and seconds relative to the proof without
padding. Finally, prints these medians over the shapes of all networks and machines. With --remainder, also prints the
least total if every layer may be cut in two, without padding and with each padding (docs/models/remainders.md).
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

def run(nestor, inputs, arch, options, json_path):
    command = [nestor, "map", *inputs, "--arch", arch, "--json", json_path, "--time-limit", "600", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    with open(json_path) as file:
        return json.load(file)


def runs_of(layer):
    """Returns the number of runs of the loop nest in the network: once per group, unless G is one of its loops."""
    return layer.get("repeat", 1) * (1 if layer["dims"].get("G", 1) > 1 else layer.get("groups", 1))


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
    ratios = {}
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
                for pad in filter(None, asked.pads.split(",")):
                    padded = run(asked.nestor, [network], arch, options + ["--pad", pad],
                                 os.path.join(folder, "padded.json"))
                    total = weigh(padded)
                    ours = [l["search"] for l in padded["layers"] if "search" in l]
                    nodes = [(b["nodes"] + 1) / (a["nodes"] + 1) for a, b in zip(searches, ours)]
                    times = [b["seconds"] / max(a["seconds"], 1e-6) for a, b in zip(searches, ours)]
                    ratios.setdefault(pad, []).extend(zip(nodes, times))
                    gained = sum(b["objective"] < a["objective"] for a, b in zip(plain["layers"], padded["layers"]))
                    print(network, arch, f"pad-{pad}", f"{total:.6g}", f"{100 * (1 - total / base):.2f}", gained,
                          f"{statistics.median(nodes):.2f}", f"{statistics.median(times):.2f}",
                          f"{sum(s['seconds'] for s in ours):.3f}",
                          sum(l["status"] != "optimal" for l in padded["layers"]), flush=True)
                for pad in ["", *filter(None, asked.pads.split(","))] if asked.remainder else []:
                    begin = time.monotonic()
                    growth = ["--pad", pad] if pad else []
                    cut = run(asked.nestor, [network], arch, [*options, "--remainder", *growth],
                              os.path.join(folder, "cut.json"))
                    total = weigh(cut)
                    parts = sum("[" in layer["name"] for layer in cut["layers"]) // 2
                    print(network, arch, f"remainder-pad-{pad}" if pad else "remainder", f"{total:.6g}",
                          f"{100 * (1 - total / base):.2f}", parts, "-", "-", f"{time.monotonic() - begin:.3f}",
                          sum(l["status"] != "optimal" for l in cut["layers"]), flush=True)
    for pad, all_ratios in ratios.items():
        nodes, times = zip(*all_ratios)
        print(f"pad-{pad}: over {len(all_ratios)} shapes the median node ratio is {statistics.median(nodes):.2f}, "
              f"that of seconds {statistics.median(times):.2f}")


if __name__ == "__main__":
    main()
