# SPDX-License-Identifier: Apache-2.0
"""Provably optimal mappings of networks, kernels and logic onto machines that compute in or near memory.

    import nestor
    result = nestor.map("resnet18", "miredo-table4", objective="energy")
    print(result.status, result.energy_pj, result.layers[0].mapping)
    result.save_html("resnet18.html")

Every function is a verb of the command line and takes its options as keywords (--time-limit is time_limit); help() of a
function lists them. Networks, machines, kernels and netlists are names of those that ship, files, or values in memory:
dicts, the text of a file (a string with a line break), or the bytes of an ONNX model.

Ctrl-C ends a run and returns the best result so far. `progress` is called with a Progress about ten times a second; an
exception in it ends the run and propagates, except Stop, which returns the best result so far.
"""

from ._errors import Error, Stop
from ._options import documented
from ._progress import Progress
from ._result import Layer, Result, report
from ._run import run as _run
from .lib._nestor import version as __version__

__all__ = [
    "Error", "Layer", "Progress", "Result", "Stop", "compile", "estimate", "evaluate", "map", "report", "schedule",
    "show", "simulate", "sweep", "verify",
]


@documented
def map(network, arch, *, progress=None, **options):
    """The best mapping of every layer of a network, or of a kernel, onto a machine, with a proof.

    A list of networks is mapped as one.
    """
    networks = list(network) if isinstance(network, (list, tuple)) else [network]
    return _run("map", networks, {"arch": arch, **options}, progress)


@documented
def compile(network, arch, *, progress=None, **options):
    """A network compiled to a chip of crossbar cores, with a proof."""
    return _run("compile", [network], {"arch": arch, **options}, progress)


@documented
def schedule(netlist, *, progress=None, **options):
    """A netlist's gates in order and place on bit-serial arrays, with few copies."""
    return _run("schedule", [netlist], options, progress)


@documented
def estimate(kernel=None, arch=None, *, progress=None, **options):
    """The time of a kernel on a compute-near-memory system.

    With table=FILE and output=FILE, the times of a table of kernels are written to a file, and the result is None.
    """
    return _run("estimate", [] if kernel is None else [kernel], {"arch": arch, **options}, progress)


@documented
def evaluate(result=None, *, progress=None, **options):
    """The cost of given mappings: of a result, or of arch, layers and mapping."""
    return _run("evaluate", [] if result is None else [result], options, progress)


@documented
def simulate(result=None, *, progress=None, **options):
    """Given mappings replayed event by event: of a result, or of arch, layers and mapping."""
    return _run("simulate", [] if result is None else [result], options, progress)


@documented
def verify(result=None, *, progress=None, **options):
    """The claims of a result, checked by code that shares nothing with the search: see `confirmed`, `findings`.

    With recheck=True the search proves optimality again; proof=FILE follows the proof that map or compile wrote.
    """
    return _run("verify", [] if result is None else [result], options, progress)


@documented
def sweep(plan, *, progress=None, **options):
    """Networks solved on many machines: the rows of a plan's table.

    The store of a plan in memory is temporary unless store=FILE.db is given.
    """
    return _run("sweep", [plan], options, progress)


@documented
def show(*what, **options):
    """An architecture, a network or another input in its own format, to be changed and used again (to_dict)."""
    return _run("show", list(what), options, None)
