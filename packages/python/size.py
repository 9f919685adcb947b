"""Prints the size of the package and the time of its import. `python3 packages/python/size.py`."""
import gzip
import pathlib
import statistics
import subprocess
import sys

SOURCE = pathlib.Path(__file__).parent / "src"
IMPORTS = 15
# Measured inside a new process, with compiled modules.
SCRIPT = "import time; start = time.perf_counter(); import tollgate_client; print(time.perf_counter() - start)"


def size(pattern: str) -> str:
    data = b"".join(path.read_bytes() for path in sorted(SOURCE.glob(pattern)))
    return f"{len(data) / 1000:.1f} kB, {len(gzip.compress(data)) / 1000:.1f} kB with gzip"


def import_ms() -> float:
    command = [sys.executable, "-c", SCRIPT]
    environment = {"PYTHONPATH": str(SOURCE)}
    times = [float(subprocess.check_output(command, env=environment)) for _ in range(IMPORTS)]
    return statistics.median(times) * 1000


print(f"code   {size('tollgate_client/*.py')}")
print(f"types  {size('tollgate_client/*.pyi')}")
print(f"import {import_ms():.1f} ms (median of {IMPORTS} new processes)")
