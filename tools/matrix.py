"""Try wheels with the oldest and the newest numpy, pandas and scikit-learn: python tools/matrix.py PYTHON...

`make matrix` builds them first. The wheel of each PYTHON is installed from dist/ with each set of versions, in an empty
environment and from wheels alone. A part of the tests runs there, on the sources without the package, and a table of
what passed becomes docs/measured/versions.md. With uv on the path the environments are made in seconds.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.markdown import table  # noqa: E402 (the repository is no package)
from benchmarks.origin import origin  # noqa: E402

UV = shutil.which("uv")
PAGE = ROOT / "docs" / "measured" / "versions.md"
SHOWN = ("numpy", "pandas", "scikit-learn", "scipy")
# The oldest versions that pyrrf allows and that have wheels for a Python; SciPy's, which scikit-learn needs, is of the
# same years.
OLDEST = {
    "3.11": {"numpy": "2.0.0", "pandas": "2.2.2", "scikit-learn": "1.6.0", "scipy": "1.13.0"},
    "3.12": {"numpy": "2.0.0", "pandas": "2.2.2", "scikit-learn": "1.6.0", "scipy": "1.13.0"},
    "3.13": {"numpy": "2.1.0", "pandas": "2.2.3", "scikit-learn": "1.6.0", "scipy": "1.14.1"},
    "3.14": {"numpy": "2.3.2", "pandas": "2.3.3", "scikit-learn": "1.7.2", "scipy": "1.16.1"},
}
ESTIMATORS = ("base", "forests", "responses", "saved", "tables")
# What runs, by the heading of the table; of each table of cases every so many. All of R's answers are in `make dist`.
TRIED = {
    "R's answers": ["tests/test_recorded.py", "--every", "4"],
    "tables": ["tests/data", "tests/formula", "--every", "12"],
    "estimators": [*(f"tests/sklearn/test_{part}.py" for part in ESTIMATORS), "--every", "12"],
}
HEAD = ["Python", "versions", *SHOWN, *TRIED, "seconds"]
TEXT = """# Versions of Python, numpy, pandas and scikit-learn

Made by `make matrix`. {origin}.

Each row is an empty environment with the wheel of that Python and these versions, all from wheels: nothing is compiled.
"oldest" has the oldest versions that pyrrf allows and that there are wheels of.
The last columns count tests, a part of those of R's recorded answers, of tables and of `pyrrf.sklearn`; all passed
where a number stands.

{table}

Size of the wheels: {sizes}.
"""


def main(pythons: list[str]) -> int:
    """Try each wheel with each set of versions, and write the page; 1 if anything failed."""
    named = {python: release(python) for python in pythons or [sys.executable]}
    wheels = {python: wheel_of(python, minor_of(full)) for python, full in named.items()}
    wanted = {python: sets_for(minor_of(full)) for python, full in named.items()}
    sizes = [f"{wheel.stat().st_size / 1e6:.1f} MB for Python {minor_of(named[key])}" for key, wheel in wheels.items()]
    rows = []
    with tempfile.TemporaryDirectory() as work:
        sources = unpacked(Path(work))
        for python, full in named.items():
            for label, pins in wanted[python].items():
                rows.append([full, label, *tried(python, wheels[python], pins, sources, Path(work) / "environment")])
                sys.stdout.write(" ".join(rows[-1]) + "\n")
                sys.stdout.flush()
                PAGE.write_text(TEXT.format(origin=origin(), table=table(HEAD, rows, words=2), sizes=", ".join(sizes)))
    return int(any(not cell.isdigit() for row in rows for cell in row[2 + len(SHOWN) :]))


def release(python: str) -> str:
    """Return the version of an interpreter, such as 3.13.0; SystemExit where there is none of this name."""
    asked = "import platform; print(platform.python_version())"
    try:
        return subprocess.run([python, "-c", asked], check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"{python} does not start: {error}; name interpreters that are installed") from None


def minor_of(version: str) -> str:
    """Return 3.13 of 3.13.0."""
    return ".".join(version.split(".")[:2])


def wheel_of(python: str, minor: str) -> Path:
    """Return the wheel that was built last for an interpreter."""
    found = list((ROOT / "dist").glob(f"pyrrf-*-cp{minor.replace('.', '')}-*.whl"))
    if not found:
        raise SystemExit(f'dist/ has no wheel for {python}; make dist ARGS="{python}"')
    return max(found, key=lambda file: file.stat().st_mtime)


def sets_for(minor: str) -> dict[str, list[str]]:
    """Return the requirements of each set of versions by its name."""
    if minor not in OLDEST:
        raise SystemExit(f"Python {minor} has no row in OLDEST of tools/matrix.py; add its oldest wheels")
    # The newest pytest warns of how scikit-learn 1.6 lists its checks.
    oldest = [f"{package}=={version}" for package, version in OLDEST[minor].items()]
    return {"oldest": [*oldest, "pytest<9"], "newest": []}


def unpacked(work: Path) -> Path:
    """Return the sources of the last commit without the package, so that only the installed one can be imported."""
    sources = work / "sources"
    sources.mkdir()
    packed = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", sources], input=packed, check=True)
    shutil.rmtree(sources / "pyrrf")
    return sources


def tried(python: str, wheel: Path, pins: list[str], sources: Path, at: Path) -> list[str]:
    """Return the versions that were installed, what each part of the tests said, and the seconds of all."""
    started = time.monotonic()
    shutil.rmtree(at, ignore_errors=True)
    subprocess.run([python, "-m", "venv", *(["--without-pip"] if UV else []), at], check=True)
    done = install(at / "bin" / "python", [f"{wheel}[test]", *pins])
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        return ["-"] * len(SHOWN) + ["not installed"] * len(TRIED) + [f"{time.monotonic() - started:.0f}"]
    asked = f"from importlib.metadata import version; print(*map(version, {SHOWN}))"
    versions = subprocess.run([at / "bin" / "python", "-c", asked], check=True, capture_output=True, text=True).stdout
    outcomes = [outcome(at / "bin" / "python", sources, arguments) for arguments in TRIED.values()]
    return [*versions.split(), *outcomes, f"{time.monotonic() - started:.0f}"]


def install(python: Path, packages: list[str]) -> subprocess.CompletedProcess[str]:
    """Install packages from wheels; the path leads to no compiler."""
    command = [UV, "pip", "install", "--python", python] if UV else [python, "-m", "pip", "install", "--no-compile"]
    return subprocess.run(
        [*command, "--quiet", "--only-binary", ":all:", *packages],
        env={**os.environ, "PATH": str(python.parent)}, check=False, capture_output=True, text=True,
    )  # fmt: skip


def outcome(python: Path, sources: Path, arguments: list[str]) -> str:
    """Return how many tests passed; what failed is shown, and counted in words."""
    command = [python, "-m", "pytest", "--quiet", "--no-header", "-p", "no:cacheprovider", "--numprocesses=auto",
               "--maxprocesses=4", *arguments]  # fmt: skip
    done = subprocess.run(command, cwd=sources, check=False, capture_output=True, text=True)
    summary = done.stdout.strip().rpartition("\n")[2]
    passed = re.search(r"(\d+) passed", summary)
    if done.returncode == 0 and passed:
        return passed[1]
    sys.stderr.write(done.stdout[-6000:] + done.stderr[-2000:])
    return re.sub(r" in .*", "", summary) or f"stopped with {done.returncode}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
