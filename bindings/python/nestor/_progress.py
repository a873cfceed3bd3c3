# SPDX-License-Identifier: Apache-2.0
"""Argument of progress callbacks."""

from collections import namedtuple


class Progress(namedtuple("Progress", "text part finished all objective bound work")):
    """Progress of a run.

    text: the line that the command line shows. part: the current layer, kernel, netlist or network. finished, all:
    numbers of parts; all is 0 if they are not counted. objective, bound: figures of the current search; None until they
    exist. work: nodes of the current search.
    """

    __slots__ = ()

    @property
    def gap(self):
        """(objective - bound) / objective; None if the objective or the bound is unknown."""
        if self.objective is None or self.bound is None:
            return None
        return (self.objective - self.bound) / self.objective if self.objective else 0.0
