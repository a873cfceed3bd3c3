# SPDX-License-Identifier: Apache-2.0
"""Exceptions of the package."""


class Error(Exception):
    """A run that failed.

    kind: "usage", "input", "infeasible", "limit", "output" or "internal". file, line and column give the position in
    an input; line and column are 0 if unknown. result: the result so far, or None.
    """

    def __init__(self, message, *, kind="usage", file="", line=0, column=0, result=None):
        super().__init__(message)
        self.message = message
        self.kind = kind
        self.file = file
        self.line = line
        self.column = column
        self.result = result

    def __str__(self):
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        return f"{place}: {self.message}" if place else self.message


class Stop(Exception):
    """Raised in a progress callback: ends the run, which returns the best result so far."""
