# SPDX-License-Identifier: Apache-2.0
"""Writes the type stubs of the package `nestor`, with a keyword for each option of the option table.

Usage: stubs.py FOLDER. FOLDER contains the built package; the stubs are written to FOLDER/nestor/__init__.pyi.
"""

import sys

sys.path[0] = sys.argv[1]  # replaces this script's folder, whose package has no extension module

import nestor
from nestor import _options

HEAD = '''\
# Generated from the option table by bindings/python/stubs.py.
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

_Path = str | os.PathLike[str]
_Number = int | float
_Input = _Path | Mapping[str, Any] | bytes | Result
_OnProgress = Callable[[Progress], object]

__version__: str

class Error(Exception):
    message: str
    kind: Literal["usage", "input", "infeasible", "limit", "output", "internal"]
    file: str
    line: int
    column: int
    result: Result | None

class Stop(Exception): ...

class Progress(NamedTuple):
    text: str
    part: str
    finished: int
    all: int
    objective: float | None
    bound: float | None
    work: int
    @property
    def gap(self) -> float | None: ...

class _Record:
    def __getattr__(self, name: str) -> Any: ...
    def __getitem__(self, key: str) -> Any: ...
    def __contains__(self, key: str) -> bool: ...
    def to_dict(self) -> dict[str, Any]: ...
    @property
    def objective(self) -> float | None: ...
    @property
    def bound(self) -> float | None: ...
    @property
    def gap(self) -> float | None: ...
    @property
    def status(self) -> str | None: ...
    @property
    def mapping(self) -> Any: ...
    @property
    def latency_by(self) -> dict[str, float]: ...
    @property
    def energy_by(self) -> dict[str, float]: ...

class Layer(_Record):
    @property
    def name(self) -> str: ...
    @property
    def repeat(self) -> int: ...

class Result(_Record):
    layers: list[Layer]
    remarks: list[str]
    @property
    def totals(self) -> dict[str, Any]: ...
    def to_json(self) -> str: ...
    def save(self, path: _Path) -> None: ...
    def rows(self) -> list[dict[str, Any]]: ...
    def to_frame(self) -> Any: ...
    def save_html(self, path: _Path, *others: Result) -> None: ...

def report(*results: Result) -> str: ...
'''
PLACES = {
    "map": "network: _Input | Sequence[_Input], arch: _Input",
    "compile": "network: _Input, arch: _Input",
    "schedule": "netlist: _Input",
    "estimate": "kernel: _Input | None = None, arch: _Input | None = None",
    "evaluate": "result: _Input | None = None",
    "simulate": "result: _Input | None = None",
    "verify": "result: _Input | None = None",
    "sweep": "plan: _Input",
    "show": "*what: _Input",
}
MAY_BE_NONE = {"estimate": "Result | None"}


def type_of(row):
    """Returns the type of an option's value, without None."""
    kind = row["kind"]
    if kind == "choice":
        return f"Literal[{', '.join(repr(word) for word in row['words'])}]"
    if kind == "text":
        return "_Input"
    if kind in ("list", "custom"):
        return "str | _Number | Sequence[Any] | Mapping[str, Any]"
    return {"switch": "bool", "integer": "int", "real": "_Number", "output": "_Path"}[kind]


def stub_of(verb):
    place = PLACES[verb]
    words = [] if verb == "show" else ["progress: _OnProgress | None = None"]
    for keyword, rows in _options.table(verb).items():
        if f"{keyword}:" in place:
            continue
        types = list(dict.fromkeys(type_of(row) for row in rows))
        words.append(f"{keyword}: {' | '.join(types)} | None = None")
    star = "" if verb == "show" else " *,"
    lines = "".join(f"    {word},\n" for word in words)
    return f"def {verb}(\n    {place},{star}\n{lines}) -> {MAY_BE_NONE.get(verb, 'Result')}: ...\n"


def main():
    verbs = [name for name in nestor.__all__ if name in PLACES]
    with open(f"{sys.argv[1]}/nestor/__init__.pyi", "w", encoding="utf-8") as file:
        file.write(HEAD + "\n" + "\n".join(stub_of(verb) for verb in verbs))


main()
