# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Trade-offs
#
# All mappings of a layer that no other mapping beats in both latency and energy, and the best number of cores of a
# machine. Cells begin with `# %%`; run the file as it is, or open it as a notebook.

# %%
import nestor

NETWORK = {"name": "net", "layers": [{"name": "conv", "dims": {"K": 64, "C": 64, "P": 14, "Q": 14, "R": 3, "S": 3}}]}

# %% [markdown]
# `objective="pareto"` proves the whole front. `progress` is called while the search runs; `nestor.Stop` would end it
# and keep the results found so far.

# %%
front = nestor.map(NETWORK, "miredo-table4", objective="pareto", progress=lambda step: print(step.text))
points = front.layers[0].front
print(f"{front.status}: {len(points)} mappings from {points[0]['latency_cycles']:,} to "
      f"{points[-1]['latency_cycles']:,} cycles")

# %% [markdown]
# A sweep solves all combinations of the machines, networks and options of a plan.

# %%
plan = {
    "name": "cores",
    "networks": ["mlperf-tiny-resnet8"],
    "machines": [{"base": "miredo-default", "grid": {"axis.core.size": [1, 2, 4, 8]}}],
    "runs": [{"objective": "latency"}],
}
table = nestor.sweep(plan, pareto=["latency", "energy"]).rows()
for row in table:
    print(row["parameters"], row["status"], row["latency_cycles"], row["energy_pj"])

# %% [markdown]
# A faulty machine is rejected with the position of the fault.

# %%
try:
    nestor.map(NETWORK, {"name": "machine", "hierarchy": [], "compute": {"mvm_cycles": 8}})
except nestor.Error as error:
    print(f"{error.kind} error: {error}")

# %%
try:
    from matplotlib import pyplot
except ImportError:
    print("no matplotlib: no plot")
else:
    pyplot.switch_backend("agg")
    figure, axes = pyplot.subplots(layout="constrained")
    axes.step([point["latency_cycles"] for point in points], [point["energy_pj"] / 1e6 for point in points], where="post")
    axes.set_xlabel("cycles")
    axes.set_ylabel("energy, uJ")
    figure.savefig("trade_offs.svg")
