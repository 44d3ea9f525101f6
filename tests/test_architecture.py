"""The house checks itself: what imports what, what is documented, how long a file is."""

from __future__ import annotations

import ast
import inspect
import pydoc
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import rankmetrics as rm
from rankmetrics.errors import RankMetricsError
from rankmetrics.metrics.catalog import catalog
from tests import ROOT

PACKAGE, TESTS = ROOT / "rankmetrics", ROOT / "tests"

# The layers of the package, a sub-package or a module each: each may import those above it, and itself.
LAYERS = [
    "_pages",
    "errors",
    "_files",
    "_gc",
    "_logger",
    "inputs",
    "sqltree",
    "metrics",
    "option_checks",
    "declaration",
    "request",
    "dialects",
    "planner",
    "engines",
    "splits",
    "faults",
    "explanations",
    "tables",
    "queries",
    "estimates",
    "export",
    "comparisons",
    "segments",
    "plots",
    "traces",
    "results",
    "rankings",
    "api",
    "reports",
    "gates",
    "suites",
    "trackers",
    "conventions",
    "cli",
]


# --- imports ----------------------------------------------------------------------------------------------------------


def _modules() -> dict[str, Path]:
    paths = [path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py"]
    return {".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}


def _imports(module: str) -> Iterator[str]:
    """What of ours a module imports, wherever in the file."""
    known = _modules()
    for node in ast.walk(ast.parse(known[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] == "rankmetrics":
            package = str(node.module).removeprefix("rankmetrics").lstrip(".")
            for name in (f"{package}.{alias.name}".lstrip(".") for alias in node.names):
                yield name if name in known else package


def _layer(module: str) -> str:
    return module.partition(".")[0]


def test_every_module_is_in_a_layer() -> None:
    assert {_layer(module) for module in _modules()} == {*LAYERS}


@pytest.mark.parametrize("module", sorted(_modules()))
def test_imports_run_one_way(module: str) -> None:
    of_it = LAYERS.index(_layer(module))
    imported = {one for one in _imports(module) if one}  # the package itself holds the names of the public
    assert [one for one in imported if LAYERS.index(_layer(one)) > of_it] == []


def test_no_module_imports_itself_by_way_of_others() -> None:
    above = {module: {one for one in _imports(module) if one} for module in _modules()}
    while free := [module for module, imported in above.items() if not imported & above.keys()]:
        for module in free:
            del above[module]
    assert above == {}


def test_importing_the_package_imports_no_engine_and_no_parser() -> None:
    heavy = "{'duckdb', 'polars', 'pyarrow', 'pandas', 'numpy', 'sqlglot', 'rich', 'typer'}"
    code = f"import sys, rankmetrics; print(sorted({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_help_on_a_metric_shows_its_definition() -> None:
    shown = pydoc.plain(pydoc.render_doc(rm.ndcg))
    assert "normalized discounted cumulative gain" in shown
    assert "AS ndcg" in shown


def test_dir_shows_what_is_public_and_nothing_else() -> None:
    assert {*dir(rm)} == {*rm.__all__, *(one.name for one in catalog().metrics())}


def test_an_alias_type_checks(tmp_path: Path) -> None:
    file = tmp_path / "called.py"
    file.write_text(
        "import rankmetrics as rm\n\nmetrics: list[rm.Metric] = [rm.MAP @ 10, rm.MRR, rm.ndcg(rel=3) @ 5]\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


# --- the tests --------------------------------------------------------------------------------------------------------

# Folders of tests/ that mirror no folder of the package: documentation, other libraries' numbers, generated SQL, what
# tests share.
BESIDE = {"docs", "fidelity", "golden", "support"}


def _folders(root: Path) -> set[str]:
    """The folders below a root that hold modules, as paths from there."""
    return {path.parent.relative_to(root).as_posix() for path in root.rglob("*.py")} - {"."}


def test_the_folders_of_tests_are_those_of_the_package() -> None:
    of_tests, of_package = _folders(TESTS), _folders(PACKAGE)
    assert {one for one in of_tests if one.partition("/")[0] not in BESIDE} <= of_package
    assert {one for one in of_package if "/" not in one} <= of_tests


def test_no_file_of_tests_is_too_long_to_read_at_once() -> None:
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in TESTS.rglob("*.py")}
    assert {name: length for name, length in lengths.items() if length > 600} == {}


# --- what is public ---------------------------------------------------------------------------------------------------


def _public() -> Iterator[tuple[str, object]]:
    for name in rm.__all__:
        found = getattr(rm, name)
        yield name, found
        if inspect.isclass(found) and not issubclass(found, RankMetricsError):
            members = vars(found).items()
            yield from ((f"{name}.{key}", one) for key, one in members if not key.startswith("_") and callable(one))


@pytest.mark.parametrize(("name", "found"), list(_public()), ids=lambda one: one if isinstance(one, str) else "")
def test_a_public_name_has_a_docstring(name: str, found: object) -> None:
    assert inspect.getdoc(found), name


def test_the_public_names_are_sorted_and_there() -> None:
    assert rm.__all__ == sorted(rm.__all__, key=lambda name: (not name[0].isupper(), name))
    assert all(getattr(rm, name) is not None for name in rm.__all__)


def test_every_error_is_a_rankmetrics_error() -> None:
    errors = [one for name, one in _public() if name.endswith("Error")]
    assert len(errors) == 7
    assert all(isinstance(one, type) and issubclass(one, RankMetricsError) for one in errors)
