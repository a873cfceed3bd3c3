# SPDX-License-Identifier: Apache-2.0
"""Results: the JSON of the command line (docs/formats.md), with properties for the main figures."""

import json
from html import escape

from ._errors import Error
from .lib import _nestor

_row_keys = (
    "name", "repeat", "status", "objective", "bound", "gap", "latency_cycles", "energy_pj", "edp", "time_ms", "cycles",
    "macs", "same_as",
)


class _Record:
    """A part of a result's JSON. Keys without a property are attributes: latency_cycles, edp, search."""

    def __init__(self, data, figures):
        self._data = data
        self._figures = figures

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._data:
            raise AttributeError(f"this result has no '{name}'")
        return self._data[name]

    def __getitem__(self, key):
        return self._data[key]

    def __contains__(self, key):
        return key in self._data

    def __dir__(self):
        return sorted({*super().__dir__(), *(key for key in self._data if key.isidentifier())})

    def to_dict(self):
        """Returns the JSON as a dict, which must not be changed."""
        return self._data

    @property
    def objective(self):
        """The minimised value in its unit (cycles, pJ, pJ x cycles, ms, copies); None if there is none."""
        return self._figures["objective"]

    @property
    def bound(self):
        """The proved lower bound on the objective, in its unit; None if there is none."""
        return self._figures["bound"]

    @property
    def gap(self):
        """(objective - bound) / objective: 0 if the objective is proved optimal, None if either is unknown."""
        return self._figures["gap"]

    @property
    def latency_by(self):
        """Cycles spent on computation and on waiting for each transfer; for a kernel, cycles by cause.

        Empty if the machine's model has no such parts. For a whole result, the sum over its layers, including repeats.
        """
        return self._figures["latency_by"]


class Layer(_Record):
    """A layer of a network, a kernel, or an operator of a compiled network."""

    def __init__(self, data, figures, result, index):
        super().__init__(data, figures)
        self._result = result
        self._index = index

    def __repr__(self):
        return f"<nestor.Layer {self.name}: {self.status}, objective {self.objective}>"

    @property
    def name(self):
        return self._figures["name"]

    @property
    def status(self):
        """"optimal", or the reason why optimality is not proved; None if there was no search (evaluate)."""
        return self._figures["status"]

    @property
    def repeat(self):
        """Runs of the nest in the network: one per group and occurrence."""
        return self._figures["repeat"]

    @property
    def mapping(self):
        """The mapping in a form that evaluate accepts; None if there is none."""
        return self._data.get("mapping", self._data.get("maps"))

    @property
    def energy_by(self):
        """pJ by memory and operand, and for computation; empty if the machine has no energies."""
        return self._figures["energy_by"] or self._result._energy_of(self._index)


class Result(_Record):
    """The result of a verb."""

    def __init__(self, text, files=None, remarks=()):
        whole, layers = _nestor.figures_of(text)
        super().__init__(json.loads(text), whole)
        self._text = text
        self._files = files or {}
        self._evaluated = None
        #: Remarks that the command line prints on standard error, such as the limit that ended the run.
        self.remarks = list(remarks)
        self.layers = [
            Layer(data, figures, self, index) for index, (data, figures) in enumerate(zip(self._parts(), layers))
        ]

    def _parts(self):
        data = self._data
        if isinstance(data.get("layers"), list):
            return data["layers"]
        if data.get("space") == "cnm":
            return [data]
        segments = (data.get("decisions") or {}).get("segments", ()) if data.get("space") == "chip" else ()
        return [
            {"name": operator["name"], "status": data.get("status"), "mapping": operator}
            for segment in segments
            for operator in segment["operators"]
        ]

    def __repr__(self):
        words = [f"nestor.Result of {self._data.get('verb', 'verify')}"]
        for name, value in (("status", self.status), ("objective", self.objective), ("gap", self.gap)):
            if value is not None:
                words.append(f"{name} {value}")
        return f"<{', '.join(words)}>"

    @property
    def totals(self):
        """Sums over all layers, including repeats."""
        return self._data.get("totals", {})

    def __getattr__(self, name):
        for data in (self._data, self._data.get("totals"), self._data.get("evaluation")):
            if isinstance(data, dict) and not name.startswith("_") and name in data:
                return data[name]
        raise AttributeError(f"this result has no '{name}'")

    @property
    def status(self):
        """"optimal" if every part is proved optimal, else the worst status of a part; None if there was no search."""
        return self._figures["status"]

    @property
    def mapping(self):
        """The mapping of a kernel or one layer, the decisions of a compiled network, or the lines of a schedule."""
        for key in ("decisions", "schedule", "maps"):
            if key in self._data:
                return self._data[key]
        return self.layers[0].mapping if len(self.layers) == 1 else None

    @property
    def energy_by(self):
        """Sums over the layers in pJ, including repeats."""
        total = {}
        for layer in self.layers:
            for name, value in layer.energy_by.items():
                total[name] = total.get(name, 0) + value * layer.repeat
        return total

    def _energy_of(self, index):
        if self._evaluated is None:
            self._evaluated = []
            if self._data.get("space") in ("cim", "pim"):
                from ._run import run

                try:
                    self._evaluated = run("evaluate", [self], {}, None).layers
                except Error:  # a front has several mappings per layer
                    pass
        return self._evaluated[index]._figures["energy_by"] if index < len(self._evaluated) else {}

    def to_json(self):
        """Returns the text that --json writes."""
        return self._text

    def save(self, path):
        """Writes the JSON, which the verbs of the command line can read."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._text)

    def rows(self):
        """Returns a dict with names, statuses and figures for each layer, or for each row of a sweep's table."""
        if isinstance(self._data.get("rows"), list):
            return self._data["rows"]
        rows = []
        for layer in self.layers:
            values = ((key, getattr(layer, key, None)) for key in _row_keys)
            rows.append({key: value for key, value in values if value is not None})
        return rows

    def to_frame(self):
        """Returns rows() as a pandas.DataFrame; raises ImportError without pandas."""
        import pandas

        return pandas.DataFrame(self.rows())

    def save_html(self, path, *others):
        """Writes the HTML report of this result, side by side with any others."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(report(self, *others))

    def _repr_html_(self):
        most = 100
        rows = self.rows()
        columns = list(dict.fromkeys(key for row in rows for key in row if not isinstance(row[key], (dict, list))))
        head = "".join(f"<th>{escape(column)}</th>" for column in columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(_cell(row.get(column)))}</td>" for column in columns) + "</tr>"
            for row in rows[:most]
        )
        more = f"<p>{len(rows) - most} more</p>" if len(rows) > most else ""
        return f"<p>{escape(repr(self)[1:-1])}</p><table><tr>{head}</tr>{body}</table>{more}"


def _cell(value):
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.6g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def report(*results):
    """Returns the HTML page of one or several results side by side: one file that needs no network access."""
    named = [(f"result {index}", result.to_json()) for index, result in enumerate(results, 1)]
    page = _nestor.html_page(named)
    if isinstance(page, dict):
        raise Error(page.pop("message"), **page)
    return page
