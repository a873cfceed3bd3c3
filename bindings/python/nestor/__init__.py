# SPDX-License-Identifier: Apache-2.0
"""Provably optimal mappings of networks, kernels and logic onto machines that compute in or near memory.

    import nestor
    result = nestor.map("resnet18", "miredo-table4", objective="energy")
    print(result.status, result.energy_pj, result.layers[0].mapping)
    result.save_html("resnet18.html")

Every function except report() is a verb of the command line and takes its options as keywords (--time-limit becomes
time_limit); help() of a function lists them. Networks, machines, kernels and netlists are built-in names, files, or
values in memory: dicts, the text of a file (a string with a line break), or the bytes of an ONNX model.

Ctrl-C ends a run and returns the best result so far. `progress` is called with a Progress about ten times a second. An
exception in `progress` ends the run and propagates, except Stop, which returns the best result so far.
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
    """Finds the best mapping of every layer of a network, or of a kernel, onto a machine, with a proof.

    A list of networks is mapped as one network.
    """
    networks = list(network) if isinstance(network, (list, tuple)) else [network]
    return _run("map", networks, {"arch": arch, **options}, progress)


@documented
def compile(network, arch, *, progress=None, **options):
    """Compiles a network to a chip of crossbar cores, with a proof."""
    return _run("compile", [network], {"arch": arch, **options}, progress)


@documented
def schedule(netlist, *, progress=None, **options):
    """Schedules and places a netlist's gates on bit-serial arrays, with few copies."""
    return _run("schedule", [netlist], options, progress)


@documented
def estimate(kernel=None, arch=None, *, progress=None, **options):
    """Estimates the time of a kernel on a compute-near-memory system.

    With table=FILE and output=FILE, the times of a table of kernels are written to a file, and the result is None.
    """
    return _run("estimate", [] if kernel is None else [kernel], {"arch": arch, **options}, progress)


@documented
def evaluate(result=None, *, progress=None, **options):
    """Evaluates given mappings: those of a result, or those of arch, layers and mapping."""
    return _run("evaluate", [] if result is None else [result], options, progress)


@documented
def simulate(result=None, *, progress=None, **options):
    """Replays given mappings event by event: those of a result, or those of arch, layers and mapping."""
    return _run("simulate", [] if result is None else [result], options, progress)


@documented
def verify(result=None, *, progress=None, **options):
    """Checks the claims of a result with code that is independent of the search; see `confirmed` and `findings`.

    With recheck=True, a new search confirms claims of optimality. With proof=FILE, the checker follows the proof that
    map or compile wrote.
    """
    return _run("verify", [] if result is None else [result], options, progress)


@documented
def sweep(plan, *, progress=None, **options):
    """Solves networks on many machines and returns the rows of the plan's table.

    The store of a plan in memory is temporary unless store=FILE.db is given.
    """
    return _run("sweep", [plan], options, progress)


@documented
def show(*what, **options):
    """Returns an architecture, a network or another input. Its to_dict() has a format that other functions accept."""
    return _run("show", list(what), options, None)
