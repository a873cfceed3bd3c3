# SPDX-License-Identifier: Apache-2.0
"""Inputs of a run from values in memory."""

import json
import os

from ._errors import Error
from ._result import Result


class Inputs:
    """Inputs of a run that are not on disk, under the names used in messages and results."""

    def __init__(self):
        self.files = {}

    def name_of(self, value, role):
        """Returns a name or path unchanged; keeps any other value as a file in memory and returns its name."""
        if isinstance(value, Result):
            self.files.update(value._files)
            return self._hold(role, ".json", value.to_json())
        if isinstance(value, (dict, list)):
            return self._hold(role, ".json", _json_text(value, role))
        if hasattr(value, "SerializeToString"):  # a model of the package onnx
            value = value.SerializeToString()
        if isinstance(value, (bytes, bytearray, memoryview)):
            return self._hold(role, ".onnx", bytes(value))
        if isinstance(value, str) and "\n" in value:
            return self._hold(role, _ending_of(value, role), value)
        if isinstance(value, (str, os.PathLike)):
            return os.fspath(value)
        raise Error(f"{role} is {type(value).__name__}, expected a name, a path, a dict, text or bytes")

    def _hold(self, role, ending, content):
        number = sum(name.startswith(f"<{role}") for name in self.files)
        name = f"<{role}{number + 1 if number else ''}>{ending}"
        self.files[name] = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
        return name


def _ending_of(text, role):
    if role == "netlist":
        return ""  # its first word determines the language
    if role == "kernel" or "func.func" in text:
        return ".mlir"
    return ".json" if text.lstrip().startswith("{") else ".yaml"


def _json_text(value, role):
    try:
        return json.dumps(value, indent=1, default=_plain)
    except (TypeError, ValueError, RecursionError) as failure:
        raise Error(f"{role} cannot be written as JSON: {failure}", kind="input") from None


def _plain(value):
    # numpy numbers and arrays
    for method in ("tolist", "item"):
        if hasattr(value, method):
            return getattr(value, method)()
    raise TypeError(f"{type(value).__name__} is not a JSON value")
