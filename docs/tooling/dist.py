"""Builds the wheel and the source distribution, and tries both: `python -m docs.tooling.dist`, or `make dist`.

Each is installed in an environment of its own, outside of the checkout, and has to do there what the README promises.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from email import message_from_string
from email.message import Message
from pathlib import Path

from docs.tooling import ROOT
from docs.tooling.markdown import links
from docs.tooling.page_code import blocks
from rankmetrics.errors import DISTRIBUTION

DIST = ROOT / "dist"

SAMPLE = """
import shutil
from rankmetrics._files import data_folder
shutil.copytree(data_folder(), "data")
"""


def build(folder: Path) -> tuple[Path, Path]:
    """Build the wheel and the source distribution into a folder."""
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", str(folder), folder=ROOT)
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, source


def missing(wheel: Path, source: Path) -> Iterator[str]:
    """The files of the repository that a distribution lacks, each with the reason why it should be there."""
    with zipfile.ZipFile(wheel) as archive:
        of_wheel = {*archive.namelist()}
    with tarfile.open(source) as archive:
        of_source = {name.partition("/")[2] for name in archive.getnames()}
    kept = run("git", "ls-files", "sql", "data/*.parquet", "rankmetrics", "docs/*.md", folder=ROOT).split()
    left_out = ("docs/api/", "docs/notebooks/", "sql/segments/README.md", "sql/splits/README.md")
    shipped = [name for name in kept if not name.startswith(left_out)]
    yield from (f"the source distribution lacks {name}" for name in kept if name not in of_source)
    for name in shipped:
        if (inside := name if name.startswith("rankmetrics/") else f"rankmetrics/{name}") not in of_wheel:
            yield f"the wheel lacks {inside}"
    for name in ("LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml"):
        if name not in of_source:
            yield f"the source distribution lacks {name}"


def metadata(wheel: Path) -> Message:
    """The metadata of a wheel: fields, and the README as the text."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return message_from_string(archive.read(name).decode("utf-8"))


def wrong_metadata(wheel: Path) -> Iterator[str]:
    """What PyPI would show wrongly: relative links, another name, no address, license or README."""
    found = metadata(wheel)
    if found["Name"] != DISTRIBUTION or not wheel.name.startswith(f"{DISTRIBUTION.replace('-', '_')}-"):
        yield f"the wheel is not called {DISTRIBUTION}"
    text = str(found.get_payload())
    if found["Description-Content-Type"] != "text/markdown" or "# rankmetrics" not in text:
        yield "the description of the wheel is not the README"
    yield from (f"the description has a relative link: {one}" for one in links(text) if not one.startswith("https:"))
    for field in ("License-Expression", "Requires-Python", "Project-URL", "Classifier"):
        if field not in found:
            yield f"the metadata has no {field}"


def try_out(distribution: Path) -> str:
    """Install a distribution in a new environment, and use it as its first reader does.

    Raises:
        SystemExit: a command failed; the message has what it printed.
    """
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        venv.create(folder / "venv", with_pip=False)
        program = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
        python, command = str(program / "python"), str(program / "rankmetrics")
        install = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-compile"]
        run(*install, "--constraint", str(ROOT / "constraints.txt"), str(distribution), folder=folder)
        version = run(command, "--version", folder=folder).split()[1]
        for words in (["demo"], ["metrics"], ["metrics", "ndcg"], ["help", "messages/ranks-missing"]):
            run(command, *words, folder=folder)
        run(python, "-c", SAMPLE, folder=folder)
        run(command, "evaluate", "data/recs.parquet", "data/truth.parquet", "-m", "ndcg@10", folder=folder)
        run(python, "-W", "error", "-c", blocks("README.md", "python")[0], folder=folder)
    return f"{distribution.name}: installs and works, version {version}"


def run(*command: str, folder: Path) -> str:
    """What a command prints, run in a folder.

    Raises:
        SystemExit: it failed; the message has what it printed.
    """
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> None:
    """Build both distributions, check what is in them, and try them."""
    shutil.rmtree(DIST, ignore_errors=True)
    wheel, source = build(DIST)
    if wrong := [*missing(wheel, source), *wrong_metadata(wheel)]:
        sys.exit("\n".join(wrong))
    with ThreadPoolExecutor() as both:
        for line in both.map(try_out, [wheel, source]):
            print(line)


if __name__ == "__main__":
    main()
