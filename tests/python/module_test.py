# SPDX-License-Identifier: Apache-2.0
"""Tests of the package: its results equal those of the command line, and bad inputs raise clear errors."""

import inspect
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import unittest

import nestor

TOOL = os.environ["NESTOR_TOOL"]
MLIR = """func.func @gemv(%A: memref<256x512xi32>, %x: memref<512xi32>, %y: memref<256xi32>) {
  linalg.matvec ins(%A, %x : memref<256x512xi32>, memref<512xi32>) outs(%y : memref<256xi32>)
  return
}
"""
VERILOG = """module adder(a0, a1, b0, b1, s0, s1, s2);
  input a0, a1, b0, b1; output s0, s1, s2; wire c;
  assign s0 = a0 ^ b0; assign c = a0 & b0;
  assign s1 = a1 ^ b1 ^ c; assign s2 = (a1 & b1) | (a1 & c) | (b1 & c);
endmodule
"""
NETWORK = {"name": "net", "layers": [{"name": "head", "dims": {"K": 10, "C": 64}, "repeat": 2}]}
ARCH = nestor.show("miredo-table4").to_dict()


class InFolder(unittest.TestCase):
    """A test in a separate empty folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def tool(self, *words):
        """Returns the JSON that the command line writes."""
        subprocess.run([TOOL, *words, "--quiet", "--json", "tool.json"], check=True, stderr=subprocess.DEVNULL)
        return pathlib.Path("tool.json").read_text()


class AgainstTheCommandLine(InFolder):
    def test_map_of_resnet18(self):
        expected = self.tool("map", "resnet18", "--arch", "miredo-table4", "--no-times")
        result = nestor.map("resnet18", "miredo-table4", no_times=True)
        self.assertEqual(result.to_json(), expected)
        totals = json.loads(expected)["totals"]
        self.assertEqual(result.status, "optimal")
        self.assertEqual(result.objective, totals["objective"])
        self.assertEqual(result.bound, totals["lower_bound"])
        self.assertEqual(result.gap, 0)
        self.assertEqual(result.latency_cycles, totals["latency_cycles"])
        self.assertEqual(len(result.layers), 21)
        self.assertEqual(sum(result.latency_by.values()), result.latency_cycles)
        self.assertAlmostEqual(sum(result.energy_by.values()) / result.energy_pj, 1)
        layer = result.layers[0]
        self.assertEqual((layer.name, layer.status, layer.objective, layer.gap), ("conv1", "optimal", 145974, 0))
        self.assertEqual(layer.mapping, json.loads(expected)["layers"][0]["mapping"])
        self.assertEqual(sum(layer.latency_by.values()), layer.latency_cycles)

    def test_options_of_every_form(self):
        pathlib.Path("fix.json").write_text('{"memories": {"W": ["dram", "macro"]}}')
        expected = self.tool("map", "resnet18", "--arch", "miredo-table4", "--no-times", "--layer", "fc", "--layer",
                             "conv3_1_shortcut", "--objective", "blended", "--alpha", "0.5", "--bits", "4,4,8,32",
                             "--set", "compute.mvm_cycles=9", "--work-limit", "5000")
        result = nestor.map("resnet18", "miredo-table4", no_times=True, layer=["fc", "conv3_1_shortcut"],
                            objective="blended", alpha=0.5, bits=(4, 4, 8, 32), set={"compute.mvm_cycles": 9},
                            work_limit=5000, explain=False, gap=None)
        self.assertEqual(result.to_json(), expected)

    def test_every_other_verb(self):
        pathlib.Path("gemv.mlir").write_text(MLIR)
        pathlib.Path("adder.v").write_text(VERILOG)
        mapped = pathlib.Path("mapped.json")
        mapped.write_text(self.tool("map", "resnet18", "--arch", "pim-default", "--layer", "fc", "--no-times"))
        runs = [
            (("compile", "vgg7", "--arch", "isaac-table3", "--no-times"),
             lambda: nestor.compile("vgg7", "isaac-table3", no_times=True)),
            (("schedule", "adder.v", "--rows", "6", "--no-times"),
             lambda: nestor.schedule("adder.v", rows=6, no_times=True)),
            (("map", "gemv.mlir", "--arch", "upmem", "--no-times"),
             lambda: nestor.map("gemv.mlir", "upmem", no_times=True)),
            (("estimate", "gemv.mlir", "--arch", "upmem", "--tasklets", "4"),
             lambda: nestor.estimate(pathlib.Path("gemv.mlir"), "upmem", tasklets=4)),
            (("evaluate", "mapped.json"), lambda: nestor.evaluate("mapped.json")),
            (("simulate", "mapped.json"), lambda: nestor.simulate(mapped)),
            (("verify", "mapped.json"), lambda: nestor.verify("mapped.json")),
        ]
        for words, run in runs:
            with self.subTest(words[0]):
                self.assertEqual(run().to_json(), self.tool(*words))

    def test_sweep(self):
        plan = {"name": "p", "networks": ["mlperf-tiny-autoencoder"], "runs": [{"objective": "edp"}, {"objective": ["energy", "latency"], "gap": 0.1}],
                "machines": [{"base": "miredo-default", "grid": {"axis.core.size": [2, 4], "memory.gbuf.capacity": ["128 KiB"]}}]}
        pathlib.Path("p.json").write_text(json.dumps(plan))
        subprocess.run([TOOL, "sweep", "p.json", "--export", "table.json", "--pareto", "latency,energy"], check=True,
                       stdout=subprocess.DEVNULL)
        expected = json.loads(pathlib.Path("table.json").read_text())
        result = nestor.sweep(plan, pareto=["latency", "energy"])
        self.assertFalse(list(pathlib.Path().glob("<*")))  # the store was temporary
        for rows in (result.to_dict()["rows"], expected["rows"]):
            for row in rows:
                row.pop("seconds", None)
        self.assertEqual(result.to_dict(), expected)
        self.assertEqual(len(result.rows()), 6)


class Inputs(InFolder):
    def test_values_in_memory_equal_files(self):
        pathlib.Path("net.json").write_text(json.dumps(NETWORK))
        from_file = nestor.map("net.json", "miredo-table4", no_times=True)
        text = "name: net\nlayers: [{name: head, dims: {K: 10, C: 64}, repeat: 2}]\n"
        for network in (NETWORK, text, {**NETWORK, "layers": NETWORK["layers"]}):
            held = nestor.map(network, ARCH, no_times=True)
            self.assertEqual(held.layers[0].to_dict(), from_file.layers[0].to_dict())
            check = nestor.verify(held)
            self.assertTrue(check.confirmed)
            self.assertFalse([entry for entry in check.not_checked if "not available" in entry])
        self.assertEqual(list(pathlib.Path().iterdir()), [pathlib.Path("net.json")])

    def test_kernels_netlists_and_chips_in_memory(self):
        kernel = nestor.map(MLIR, "upmem")
        self.assertEqual((kernel.status, kernel.gap), ("optimal", 0))
        self.assertEqual(kernel.objective, kernel.time_ms)
        self.assertTrue(nestor.verify(kernel).confirmed)
        schedule = nestor.schedule(VERILOG, rows=6)
        self.assertEqual((schedule.status, schedule.objective, schedule.bound), ("optimal", 1, 1))
        self.assertTrue(nestor.verify(schedule).confirmed)
        chip = nestor.show("isaac-table3").to_dict()
        compiled = nestor.compile("vgg7", chip)
        self.assertEqual(compiled.objective, compiled.latency_cycles)
        self.assertEqual(sum(compiled.latency_by.values()), compiled.latency_cycles)
        self.assertTrue(nestor.verify(compiled).confirmed)

    def test_numbers_of_other_packages(self):
        class Scalar:  # like numpy.int64
            def __init__(self, value):
                self.value = value

            def item(self):
                return self.value

        network = {"name": "net", "layers": [{"name": "head", "dims": {"K": Scalar(10), "C": Scalar(64)}}]}
        self.assertEqual(nestor.map(network, ARCH).layers[0].dims["K"], 10)

    def test_two_threads_do_not_share_inputs(self):
        found = {}

        def solve(size):
            network = {"name": "net", "layers": [{"name": "head", "dims": {"K": size, "C": 64}}]}
            for _ in range(5):
                found.setdefault(size, set()).add(nestor.map(network, ARCH, threads=1).totals["macs"])

        threads = [threading.Thread(target=solve, args=(size,)) for size in (10, 20, 30)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, {size: {size * 64} for size in (10, 20, 30)})

    def test_nothing_is_printed(self):
        code = "import nestor; nestor.map('resnet18', 'miredo-table4', work_limit=50); nestor.schedule('x.v', rows=6)"
        pathlib.Path("x.v").write_text(VERILOG)
        done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, check=True)
        self.assertEqual((done.stdout, done.stderr), (b"", b""))

    def test_limits_are_remarks(self):
        result = nestor.map("resnet18", "miredo-table4", work_limit=50)
        self.assertEqual(result.status, "work_limit")
        self.assertIn("work_limit", result.remarks[0])
        self.assertGreater(result.objective, result.bound)


class Errors(InFolder):
    def refusal(self, *words, verb=nestor.map, **options):
        with self.assertRaises(nestor.Error) as caught:
            verb(*words, **options)
        return caught.exception

    def test_places_in_files_and_values(self):
        pathlib.Path("bad.yaml").write_text("name: net\nlayers:\n  - {name: a, dims: {K: -1}}\n")
        error = self.refusal("bad.yaml", "miredo-table4")
        self.assertEqual((error.kind, error.file, error.line), ("input", "bad.yaml", 3))
        self.assertEqual(str(error), f"bad.yaml:3:{error.column}: {error.message}")
        error = self.refusal(NETWORK, {**ARCH, "compute": {"mvm_cycles": -3}})
        self.assertEqual((error.kind, error.file), ("input", "<arch>.json"))
        self.assertIn("mvm_cycles is -3", error.message)
        if hasattr(error, "__notes__"):
            self.assertIn('"mvm_cycles": -3', error.__notes__[0])

    def test_kinds(self):
        self.assertEqual(self.refusal("resnet18", "miredo-table4", objectve="edp").kind, "usage")
        self.assertIn("did you mean 'objective'", self.refusal("resnet18", "miredo-table4", objectve="edp").message)
        self.assertEqual(self.refusal("resnet18", "miredo-table4", objective="speed").kind, "usage")
        self.assertEqual(self.refusal(NETWORK, ARCH, report="no/such/folder.html").kind, "output")
        error = self.refusal({"name": "n", "layers": [{"name": "l", "dims": {"K": 4, "C": 4}}]},
                             {**ARCH, "hierarchy": [level if level.get("memory", {}).get("name") != "macro" else
                                                    {"memory": {**level["memory"], "capacity": 1}}
                                                    for level in ARCH["hierarchy"]]})
        self.assertEqual(error.kind, "infeasible")
        self.assertEqual(error.result.status, "infeasible")

    def test_hostile_values(self):
        deep = []
        for _ in range(5000):
            deep = [deep]
        bad = [None, 3, object(), "", "-", "\0", "a\0b", "\ud800", "no-such", "/dev/zero", "/", b"", b"\0" * 100,
               b"\x08\x01\xff\xff\xff\xff", {}, {"layers": 3}, {"name": "x", "layers": deep}, {"a": object()},
               {"name": "x", "layers": [{"name": "y" * 100000, "dims": {"K": 10**30}}]}, {1: {2: 3}}, "{\n", "\n",
               {"name": "x", "layers": [{"name": "y", "dims": {"K": float("nan")}}]}, "func.func\n", "%\n\t!!python"]
        for number, value in enumerate(bad):
            with self.subTest(number):
                self.refusal(value, ARCH)
                self.refusal(NETWORK, value)
                self.refusal(value, verb=nestor.schedule)
                self.refusal(value, "upmem", verb=nestor.estimate)
                if value is not None:
                    self.refusal(value, verb=nestor.verify)
                    self.refusal(value, verb=nestor.sweep)
        for options in ({"threads": -1}, {"threads": 1.5}, {"gap": "x"}, {"layer": {}, "top": True}, {"bits": []},
                        {"objective": None, "dim": {"a": object()}}, {"explain": 1}, {"json": "x"}, {"fix": 3},
                        {"output": "x"}, {"proof": "-"}, {"no_times": "yes"}, {"": 1}, {"\ud800": 1}, {"time_limit": -1},
                        {"objective": "\0"}, {"layer": "no such layer"}):
            with self.subTest(str(options)):
                self.refusal(NETWORK, ARCH, **options)

    def test_damaged_machines_are_read_or_refused(self):
        text = json.dumps(ARCH, indent=1)
        generator = random.Random(41)
        for _ in range(200):
            at = generator.randrange(len(text))
            damaged = text[:at] + generator.choice(['"', "}", "0", "-", "\n", "e9", "null", ""]) + text[at + 1:]
            try:
                nestor.map(NETWORK, damaged if "\n" in damaged else damaged + "\n", work_limit=20)
            except nestor.Error as error:
                self.assertIn(error.kind, ("input", "usage", "infeasible", "limit"), damaged)


class Presentation(InFolder):
    def test_signatures_follow_the_option_table(self):
        known = inspect.signature(nestor.map).parameters
        self.assertIn("layer_time_limit", known)
        self.assertNotIn("rows", known)
        self.assertEqual(known["network"].kind, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        self.assertIn("rows (an integer from 4 to 1073741824; default 256): Rows of every array", nestor.schedule.__doc__)

    def test_html_escapes_names(self):
        hostile = "<script>alert(1)</script>"
        result = nestor.map({"name": hostile, "layers": [{"name": hostile, "dims": {"K": 10, "C": 64}}]}, ARCH)
        self.assertNotIn(hostile, result._repr_html_())
        result.save_html("report.html", result)
        page = pathlib.Path("report.html").read_text()
        self.assertNotIn(hostile, page)
        self.assertIn("Content-Security-Policy", page)
        self.assertIn("Side by side", page)

    def test_results_are_read_again(self):
        result = nestor.map(NETWORK, ARCH)
        result.save("out.json")
        self.assertTrue(nestor.verify("out.json").confirmed)
        self.assertEqual(nestor.evaluate("out.json").latency_cycles, result.latency_cycles)
        self.assertEqual([row["name"] for row in result.rows()], ["head"])
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.assertRaises(ImportError, result.to_frame)
        else:
            self.assertEqual(list(result.to_frame()["name"]), ["head"])


if __name__ == "__main__":
    unittest.main()
