# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a wheel of the package (PEP 517), by Python alone: version, functions and their types are those of the command, which must be built before.

`python3 backend.py FOLDER` writes the table of commands into that folder of the package, as `make install` does."""

import base64
import hashlib
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from macrostep import _call, commands  # noqa: E402

METADATA = """Metadata-Version: 2.1
Name: macrostep
Version: {}
Summary: Calls of the command macrostep, a benchmark and numerical analysis of co-simulation
License: GPL-3.0-or-later
Requires-Python: >=3.9
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: macrostep\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def version():
    return subprocess.run([_call.executable(), "--version"], capture_output=True, text=True, check=True).stdout.split()[1]


def files():
    """(name, content) of the package, with the table of commands."""
    package = os.path.join(HERE, "macrostep")
    kept = [name for name in os.listdir(package) if name.endswith((".py", ".typed"))]
    with tempfile.TemporaryDirectory() as folder:
        commands.write(folder)
        for place, names in ((package, kept), (folder, os.listdir(folder))):
            for name in sorted(names):
                with open(os.path.join(place, name), "rb") as file:
                    yield "macrostep/" + name, file.read()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    about = f"macrostep-{version()}"
    content = [*files(), (about + ".dist-info/METADATA", METADATA.format(version()).encode()), (about + ".dist-info/WHEEL", WHEEL.encode())]
    record = [f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n" for name, data in content]
    content.append((about + ".dist-info/RECORD", "".join([*record, about + ".dist-info/RECORD,,\n"]).encode()))
    name = about + "-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in content:
            wheel.writestr(path, data)
    return name


def build_sdist(sdist_directory, config_settings=None):
    about = f"macrostep-{version()}"
    own = [(name, open(os.path.join(HERE, name), "rb").read()) for name in ("pyproject.toml", "backend.py")]
    with tarfile.open(os.path.join(sdist_directory, about + ".tar.gz"), "w:gz") as source:
        for name, data in [*files(), *own, ("PKG-INFO", METADATA.format(version()).encode())]:
            entry = tarfile.TarInfo(f"{about}/{name}")
            entry.size = len(data)
            source.addfile(entry, io.BytesIO(data))
    return about + ".tar.gz"


if __name__ == "__main__":
    commands.write(sys.argv[1])
