# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # A first mapping
#
# ResNet-18 on a compute-in-memory accelerator: the best mapping of every layer, its cost, and a change of the
# machine that makes it faster. Cells begin with `# %%`; run the file as it is, or open it as a notebook.

# %%
import nestor

result = nestor.map("resnet18", "miredo-table4")
print(result)

# %% [markdown]
# The result has one entry for each layer of the network. The name of every figure includes its unit.

# %%
for layer in result.layers[:5]:
    print(f"{layer.name:12} {layer.status:8} {layer.latency_cycles:>9,} cycles {layer.energy_pj / 1e6:8.1f} uJ")

# %% [markdown]
# The cycles are spent on computation and on waiting for transfers of operands.

# %%
cycles = result.latency_by
for cause, count in sorted(cycles.items(), key=lambda item: -item[1])[:5]:
    print(f"{cause:10} {count / result.latency_cycles:6.1%}")

# %% [markdown]
# A machine is a dict. This example doubles the bandwidth of its main memory:

# %%
machine = nestor.show("miredo-table4").to_dict()
machine["hierarchy"][0]["memory"]["bandwidth"] *= 2
faster = nestor.map("resnet18", machine)
print(f"{faster.status}: {result.latency_cycles / faster.latency_cycles:.2f} times as fast")

# %% [markdown]
# Independent code confirms both results, and an HTML page shows them side by side.

# %%
assert nestor.verify(result).confirmed and nestor.verify(faster).confirmed
faster.save_html("first_mapping.html", result)

# %%
try:
    from matplotlib import pyplot
except ImportError:
    print("no matplotlib: no plot")
else:
    pyplot.switch_backend("agg")
    figure, axes = pyplot.subplots(figsize=(8, 3), layout="constrained")
    names = [layer.name for layer in result.layers]
    axes.bar(names, [layer.latency_cycles for layer in result.layers], label="table4")
    axes.bar(names, [layer.latency_cycles for layer in faster.layers], width=0.5, label="twice the bandwidth")
    axes.set_ylabel("cycles")
    axes.tick_params(axis="x", rotation=90)
    axes.legend()
    figure.savefig("first_mapping.svg")
