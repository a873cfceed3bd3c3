# SPDX-License-Identifier: Apache-2.0
"""A run of a verb in this process."""

import os

from ._errors import Error, Stop
from ._inputs import Inputs
from ._options import texts_of
from ._progress import Progress
from ._result import Result
from .lib import _nestor

_roles = {"map": "network", "compile": "network", "schedule": "netlist", "estimate": "kernel", "sweep": "plan"}


def run(verb, values, options, progress):
    """Runs a verb and returns its Result, or raises an exception."""
    inputs = Inputs()
    names = [inputs.name_of(value, _roles.get(verb, "result")) for value in values]
    words = []
    for keyword, value in options.items():
        words += texts_of(verb, keyword, value, inputs.name_of)
    if verb == "estimate" and options.get("table") is not None and options.get("output") is None:
        raise Error("table needs output=FILE, the file that the figures are written to")
    temporary = _Temporary()
    try:
        if verb == "sweep" and names[0] in inputs.files and options.get("store") is None:
            words.append(("store", temporary.path("plan.db")))
        if verb == "verify" and options.get("proof") is not None and names and names[0] in inputs.files:
            names[0] = temporary.write("result.json", inputs.files[names[0]])  # another program reads it
        callback = None if progress is None else lambda fields: progress(Progress(**fields))
        names = [_encoded(name) for name in names]
        words = [(name, _encoded(text)) for name, text in words]
        return _finish(_nestor.run_verb(verb, names, words, inputs.files, callback), inputs.files)
    finally:
        temporary.remove()


def _encoded(text):
    try:
        encoded = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        encoded = b"\0"
    if b"\0" in encoded:
        raise Error(f"{text[:80]!a} is neither a name nor a value")
    return encoded


def _finish(outcome, files):
    text = outcome["json"]
    result = Result(text, files, outcome["remarks"]) if text.startswith("{") else None
    raised = outcome["raised"]
    if raised is not None:
        if isinstance(raised, (KeyboardInterrupt, Stop)) and result is not None:
            return result
        raise raised
    if outcome["error"] is not None:
        raise _error(outcome["error"], files, result)
    return result


def _error(fields, files, result):
    error = Error(fields.pop("message"), result=result, **fields)
    source = files.get(error.file)
    if source is not None and error.line and hasattr(error, "add_note"):
        lines = source.decode(errors="replace").splitlines()
        if error.line <= len(lines):
            error.add_note(f"line {error.line} of {error.file}: {lines[error.line - 1].strip()[:120]}")
    return error


class _Temporary:
    """A folder for files that must be on disk, created on first use."""

    def __init__(self):
        self._folder = None

    def path(self, name):
        if self._folder is None:
            import tempfile

            self._folder = tempfile.TemporaryDirectory(prefix="nestor-")
        return os.path.join(self._folder.name, name)

    def write(self, name, content):
        path = self.path(name)
        with open(path, "wb") as file:
            file.write(content)
        return path

    def remove(self):
        if self._folder is not None:
            self._folder.cleanup()
