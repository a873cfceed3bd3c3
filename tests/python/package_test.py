# SPDX-License-Identifier: Apache-2.0
"""Tests of the wheel, its type stubs, and the programs of docs/python."""

import ast
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

import nestor
from nestor import _options

SOURCE = pathlib.Path(os.environ["NESTOR_SOURCE"])
BUILT = pathlib.Path(nestor.__file__).parents[1]


class Package(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_python(self, *words, path=BUILT):
        environment = {**os.environ, "PYTHONPATH": str(path)}
        environment.pop("NESTOR_DATA", None)
        return subprocess.run([sys.executable, "-B", *words], cwd=self.folder, env=environment, check=True,
                              capture_output=True, text=True).stdout

    def test_the_wheel_is_complete_and_finds_its_data(self):
        code = f"import build_backend; print(build_backend.build_wheel('.', {{'package': {str(BUILT)!r}}}))"
        name = self.run_python("-c", code, path=SOURCE / "bindings" / "python").strip()
        with zipfile.ZipFile(self.folder / name) as wheel:
            self.assertIsNone(wheel.testzip())
            names = wheel.namelist()
            wheel.extractall(self.folder / "site")
        for expected in ("nestor/py.typed", "nestor/__init__.pyi", "nestor/share/nestor/networks/resnet18.yaml",
                         f"nestor-{nestor.__version__}.dist-info/RECORD"):
            self.assertIn(expected, names)
        record = (self.folder / "site" / f"nestor-{nestor.__version__}.dist-info" / "RECORD").read_text()
        self.assertEqual(sorted(line.split(",")[0] for line in record.splitlines()), sorted(names))
        shown = self.run_python("-c", "import nestor; print(nestor.__file__, nestor.show('resnet18')['name'])",
                                path=self.folder / "site")
        self.assertIn(str(self.folder / "site"), shown)
        self.assertIn("resnet18", shown)

    def test_stubs_have_every_option(self):
        stubs = ast.parse((BUILT / "nestor" / "__init__.pyi").read_text())
        declared = {node.name: {argument.arg for argument in node.args.args + node.args.kwonlyargs}
                    for node in stubs.body if isinstance(node, ast.FunctionDef)}
        classes = {node.name for node in stubs.body if isinstance(node, ast.ClassDef)}
        self.assertLessEqual(set(nestor.__all__), declared.keys() | classes)
        for verb in declared.keys() - {"report"}:
            self.assertLessEqual(_options.table(verb).keys(), declared[verb], verb)

    def test_programs_of_the_documentation_run(self):
        programs = sorted((SOURCE / "docs" / "python").glob("*.py"))
        self.assertEqual(len(programs), 2)
        for program in programs:
            with self.subTest(program.name):
                self.assertIn("optimal", self.run_python(str(program)))


if __name__ == "__main__":
    unittest.main()
