# SPDX-License-Identifier: Apache-2.0
"""What progress callbacks are called with."""

from collections import namedtuple


class Progress(namedtuple("Progress", "text part finished all objective bound work")):
    """How far a run is.

    text: the line that the command line shows. part: the layer, kernel, netlist or network that is searched.
    finished, all: parts; all is 0 where they are not counted. objective, bound: of the search of the part; None until
    there is one. work: the nodes of that search.
    """

    __slots__ = ()

    @property
    def gap(self):
        """The share by which the objective may exceed the optimum; None without an objective."""
        if self.objective is None or self.bound is None:
            return None
        return (self.objective - self.bound) / self.objective if self.objective else 0.0
