# SPDX-License-Identifier: Apache-2.0
"""Build backend for pip: builds the package with CMake and packs it in a wheel together with the data files.

`pip install .` builds in build/wheel. `--config-settings=package=FOLDER` packs FOLDER/nestor, which must already be
built.
"""

import base64
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel into the directory and returns its name (PEP 517)."""
    package = (config_settings or {}).get("package")
    package = pathlib.Path(package) if package else _built()
    version = _version()
    files = {f"nestor/{path.relative_to(package / 'nestor')}": path for path in _files_of(package / "nestor")}
    files |= {f"nestor/share/nestor/{path.relative_to(ROOT / 'data')}": path for path in _files_of(ROOT / "data")}
    info = f"nestor-{version}.dist-info"
    contents = {name: path.read_bytes() for name, path in sorted(files.items())}
    contents[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    contents[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: nestor\nVersion: {version}\nLicense: Apache-2.0\nRequires-Python: >=3.9\n"
        "Summary: Provably optimal mapping onto compute-in-memory machines\nProvides-Extra: frames\n"
        'Requires-Dist: pandas; extra == "frames"\n'
    ).encode()
    tag = _tag()
    contents[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: nestor\nRoot-Is-Purelib: false\nTag: {tag}\n"
    ).encode()
    record = "".join(f"{name},sha256={_digest(content)},{len(content)}\n" for name, content in contents.items())
    contents[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"nestor-{version}-{tag}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in contents.items():
            entry = zipfile.ZipInfo(path)  # dated 1980, so that equal trees give equal wheels
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            wheel.writestr(entry, content)
    return name


def _built():
    build = ROOT / "build" / "wheel"
    configure = ["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON",
                 "-DCMAKE_UNITY_BUILD_BATCH_SIZE=16", "-DNESTOR_TESTS=OFF", "-DNESTOR_BENCH=OFF", "-DNESTOR_PYTHON=REQUIRED",
                 f"-DPython_EXECUTABLE={sys.executable}"]
    if shutil.which("ninja") and not (build / "CMakeCache.txt").exists():
        configure += ["-G", "Ninja"]
    jobs = subprocess.run([ROOT / "scripts" / "jobs.sh"], check=True, capture_output=True, text=True).stdout.strip()
    subprocess.run(configure, check=True)
    subprocess.run(["cmake", "--build", build, "--target", "nestor_python_package", "-j", jobs], check=True)
    return build / "python"


def _files_of(folder):
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]


def _version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(nestor VERSION ([0-9.]+)", text).group(1)


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
