# SPDX-License-Identifier: Apache-2.0
"""Bars of the module's speed: time of the first result, and time of a large network against the command line."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

MOST_SECONDS_TO_FIRST_RESULT = 0.3
MOST_TIMES_THE_COMMAND_LINE = 1.05
FIRST_RESULT = """
import nestor
layer = {"name": "toy", "layers": [{"name": "fc", "dims": {"K": 64, "C": 32}}]}
assert nestor.map(layer, "miredo-table4").status == "optimal"
"""
NETWORK = """
import sys
import nestor
assert len(nestor.map(sys.argv[1], "miredo-table4").layers) == 1000
"""


def seconds(command):
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begin


def python(code, *arguments):
    return [sys.executable, "-c", code, *arguments]


class Speed(unittest.TestCase):
    def test_the_first_result_takes_a_third_of_a_second(self):
        self.assertLess(min(seconds(python(FIRST_RESULT)) for _ in range(5)), MOST_SECONDS_TO_FIRST_RESULT)

    def test_a_thousand_layers_take_as_long_as_on_the_command_line(self):
        with tempfile.TemporaryDirectory() as folder:
            layers = pathlib.Path(folder) / "layers.yaml"
            lines = [f"  - {{name: l{i}, dims: {{K: {i + 1}, C: 8, P: 4}}}}" for i in range(1000)]
            layers.write_text("name: thousand\nlayers:\n" + "\n".join(lines) + "\n")
            tool = [os.environ["NESTOR_TOOL"], "map", str(layers), "--arch", "miredo-table4", "--quiet",
                    "--json", f"{folder}/result.json"]
            rounds = [(seconds(python(NETWORK, str(layers))), seconds(tool)) for _ in range(3)]
        of_module, of_tool = (min(times) for times in zip(*rounds))
        print(f"1,000 layers: module {of_module:.2f} s, command line {of_tool:.2f} s")
        self.assertLess(of_module, MOST_TIMES_THE_COMMAND_LINE * of_tool)


if __name__ == "__main__":
    unittest.main()
