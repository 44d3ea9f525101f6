"""Run other libraries, each in an environment of its own, and write what they return: `python -m peers.run ranx`.

libraries.toml has the environments; without names, all are run. `--install` makes environments and runs nothing.
`--here` runs the job in this environment: so do the jobs whose library is a checkout on PYTHONPATH.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tomllib
import warnings
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


@cache
def libraries() -> Mapping[str, Mapping[str, Any]]:
    """The tables of libraries.toml, by the names of the libraries."""
    return tomllib.loads((ROOT / "peers" / "libraries.toml").read_text(encoding="utf-8"))


def environment_of(name: str) -> Path:
    """The folder of the environment of a library."""
    return ROOT / f".venv-peer-{name}"


def install(name: str) -> bool:
    """Make the environment of a library, unless it has these requirements already; False if it cannot be installed."""
    library, folder = libraries()[name], environment_of(name)
    done, requirements = folder / "done", "\n".join(library["requirements"])
    if done.exists() and done.read_text(encoding="utf-8") == requirements:
        return True
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", *library.get("pip", ())]
    try:
        subprocess.run([library.get("python", sys.executable), "-m", "venv", "--clear", str(folder)], check=True)
        subprocess.run([*pip, *library["requirements"]], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"{name} cannot be installed: {error}", file=sys.stderr)
        return False
    done.write_text(requirements, encoding="utf-8")
    return True


def run_here(name: str) -> None:
    """Run the job of a library in this environment."""
    from peers.job import run

    warnings.simplefilter("ignore")  # libraries warn of what they will change, and of inputs that are meant
    job, library = import_module(f"peers.jobs.{name}"), libraries().get(name, {})
    if hasattr(job, "main"):
        job.main()
        return
    run(
        name,
        library["versions"],
        job.measured,
        getattr(job, "NAMES", None),
        page=library.get("page", name),
        alone=library.get("alone", False),
        keeps_nan=library.get("keeps_nan", False),
    )
    if hasattr(job, "after"):
        job.after()


def run_apart(name: str) -> None:
    """Run the job of a library in its environment. Hashes of texts are equal in every run: ranx orders by them."""
    environ = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": str(ROOT)}
    command = [str(environment_of(name) / "bin" / "python"), "-m", "peers.run", "--here", name]
    subprocess.run(command, cwd=ROOT, env=environ, check=True)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--here", action="store_true")
    arguments = parser.parse_args()
    names = arguments.names or [name for name in libraries() if _has_job(name)]
    if arguments.here:
        for name in names:
            run_here(name)
        return
    installed = [name for name in names if install(name)]
    if not arguments.install:
        subprocess.run([sys.executable, "-m", "peers.problems"], cwd=ROOT, check=True)
        for name in installed:
            run_apart(name)


def _has_job(name: str) -> bool:
    return (ROOT / "peers" / "jobs" / f"{name}.py").exists()


if __name__ == "__main__":
    main()
