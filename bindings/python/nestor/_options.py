# SPDX-License-Identifier: Apache-2.0
"""Keyword arguments from the option table of the command line."""

import functools
import inspect
import numbers
import os
from keyword import iskeyword

from ._errors import Error
from .lib import _nestor

# The package always requests JSON and prints nothing.
_left_out = ("json", "quiet")
_types = {"switch": "bool", "integer": "int", "real": "float", "output": "path", "choice": "str"}


@functools.lru_cache(maxsize=None)
def table(verb):
    """Returns the options of a verb by keyword. A keyword has one row for each meaning in different spaces."""
    rows = {}
    for row in _nestor.options_of(verb):
        if row["name"] not in _left_out:
            word = row["name"].replace("-", "_")
            rows.setdefault(word + "_" if iskeyword(word) else word, []).append(row)
    return rows


def texts_of(verb, keyword, value, hold):
    """Returns pairs of the option's name and a value in command-line form. `hold` keeps a value as a file in memory."""
    rows = table(verb).get(keyword)
    name = rows[0]["name"] if rows else keyword.replace("_", "-")
    if keyword in _left_out:
        raise Error(f"'{keyword}' is an option of the command line only")
    kind = rows[0]["kind"] if rows else "text"
    if value is None:
        return []
    if kind == "switch":
        if not isinstance(value, bool):
            raise Error(f"{keyword} is {value!r}, expected True or False")
        return [(name, "true")] if value else []
    if kind == "list":
        return [(name, text) for text in _list(value)]
    if kind == "text" and not _is_names(rows):
        return [(name, hold(value, name))]
    return [(name, ",".join(_list(value)))]


def _is_names(rows):
    # NAME=VALUE,... is not a file.
    return rows is not None and ("=" in rows[0]["placeholder"] or "," in rows[0]["placeholder"])


def _list(value):
    if isinstance(value, dict):
        return [f"{key}={text(item)}" for key, item in value.items()]
    if isinstance(value, (list, tuple, set, frozenset)):
        return [text(item) for item in value]
    return [text(value)]


def text(value):
    """Returns a value as a user would type it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise Error(f"{value!r} is not a value of an option, expected text, a number, a path or a list")


def documented(function):
    """Adds the options of the verb to the signature and the documentation of its function."""
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())[:-1]  # without **options
    taken = {parameter.name for parameter in parameters}
    parameters += [
        inspect.Parameter(word, inspect.Parameter.KEYWORD_ONLY, default=None)
        for word in table(function.__name__)
        if word not in taken
    ]
    function.__signature__ = signature.replace(parameters=parameters)
    function.__doc__ = documentation(function)
    return function


def documentation(function):
    """Returns the documentation of a verb's function: its docstring, then a line for each option."""
    lines = [function.__doc__.rstrip(), "", "    Options (None: not given):"]
    for word, rows in table(function.__name__).items():
        for row in rows:
            kind = _types.get(row["kind"], "")
            allowed = row["range"] or kind or row["placeholder"]
            default = f"; default {row['default']}" if row["default"] not in ("", "false") else ""
            where = f" [{row['spaces']}]" if row["spaces"] else ""
            lines.append(f"    {word} ({allowed}{default}){where}: {row['help']}")
    return "\n".join(lines) + "\n"
