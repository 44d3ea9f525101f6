"""The architecture: what imports what, which names are public and documented, which folders the tests have."""

from __future__ import annotations

import ast
import inspect
import pydoc
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import rankmetrics as rm
from rankmetrics.errors import RankMetricsError
from rankmetrics.metrics.catalog import catalog
from tests import ROOT
from tests.support.layers import LAYERS

PACKAGE, TESTS = ROOT / "rankmetrics", ROOT / "tests"


# --- imports ----------------------------------------------------------------------------------------------------------


@cache
def _imports() -> dict[str, set[str]]:
    """The modules of the package by name, each with the modules of the package that it imports anywhere in its file."""
    paths = [path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py"]
    modules = {".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__") for path in paths}
    imports: dict[str, set[str]] = {module: set() for module in modules}
    for path in paths:
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] == "rankmetrics":
                package = str(node.module).removeprefix("rankmetrics").lstrip(".")
                names = [f"{package}.{alias.name}".lstrip(".") for alias in node.names]
                imports[module] |= {name if name in modules else package for name in names}
        imports[module].discard("")  # the package itself holds the public names
    return imports


def _layer(module: str) -> int:
    return LAYERS.index(module.partition(".")[0])


def test_every_module_is_in_a_layer() -> None:
    assert {module.partition(".")[0] for module in _imports()} == {*LAYERS}


def test_imports_run_one_way() -> None:
    wrong = [
        f"{module} imports {other}, which is in a lower layer"
        for module, imports in sorted(_imports().items())
        for other in sorted(imports)
        if _layer(other) > _layer(module)
    ]
    assert not wrong, "\n".join(wrong)


def test_no_module_imports_itself_by_way_of_others() -> None:
    left = dict(_imports())
    while free := [module for module, imports in left.items() if not imports & left.keys()]:
        for module in free:
            del left[module]
    assert left == {}


def test_importing_the_package_and_its_command_line_imports_no_engine_and_no_parser() -> None:
    heavy = {"duckdb", "polars", "pyarrow", "pandas", "numpy", "sqlglot"}
    for module, unread in {"rankmetrics": {*heavy, "rich", "typer"}, "rankmetrics.cli.commands": heavy}.items():
        code = f"import sys, {module}; print(sorted({unread} & set(sys.modules)))"
        process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert process.stdout == "[]\n", module


def test_help_on_a_metric_shows_its_definition() -> None:
    shown = pydoc.plain(pydoc.render_doc(rm.ndcg))
    assert "normalized discounted cumulative gain" in shown
    assert "AS ndcg" in shown


def test_dir_shows_what_is_public_and_nothing_else() -> None:
    assert {*dir(rm)} == {*rm.__all__, "metrics"}
    assert {*dir(rm.metrics)} == {metric.name for metric in catalog().metrics()}
    assert rm.metrics.ndcg(rel=3) @ 5 == rm.ndcg(rel=3) @ 5
    with pytest.raises(AttributeError, match=r"rankmetrics has no 'ndgc'.* Did you mean 'ndcg'"):
        _ = rm.ndgc  # type: ignore[attr-defined]  # mypy knows the metrics, too
    assert not hasattr(rm, "_ndcg")
    assert not hasattr(rm.metrics, "_ndcg")


def test_an_alias_is_a_metric_to_people_and_to_mypy() -> None:
    metrics: list[rm.Metric] = [rm.MAP @ 10, rm.MRR, rm.ndcg(rel=3) @ 5]  # `make lint` checks this type by the stub
    assert [str(metric) for metric in metrics] == ["MAP@10", "MRR", "ndcg(rel=3)@5"]


# --- the tests --------------------------------------------------------------------------------------------------------

# Folders of tests/ that mirror no folder of the package: documentation, other libraries' numbers, generated SQL, what
# tests share.
BESIDE = {"docs", "fidelity", "golden", "support"}


def _folders(root: Path) -> set[str]:
    """The folders below a root that hold modules, as paths from there."""
    return {path.parent.relative_to(root).as_posix() for path in root.rglob("*.py")} - {"."}


def test_the_folders_of_tests_are_those_of_the_package() -> None:
    of_tests, of_package = _folders(TESTS), _folders(PACKAGE)
    assert {folder for folder in of_tests if folder.partition("/")[0] not in BESIDE} <= of_package
    assert {folder for folder in of_package if "/" not in folder} <= of_tests


# --- what is public ---------------------------------------------------------------------------------------------------


def _public() -> Iterator[tuple[str, object]]:
    for name in rm.__all__:
        value = getattr(rm, name)
        yield name, value
        if inspect.isclass(value) and not issubclass(value, RankMetricsError):
            members = vars(value).items()
            yield from (
                (f"{name}.{key}", member) for key, member in members if not key.startswith("_") and callable(member)
            )


def test_every_public_name_has_a_docstring() -> None:
    assert [name for name, value in _public() if not inspect.getdoc(value)] == []


def test_the_public_names_are_sorted_and_there() -> None:
    assert rm.__all__ == sorted(rm.__all__, key=lambda name: (not name[0].isupper(), name))
    assert all(getattr(rm, name) is not None for name in rm.__all__)


def test_every_error_is_a_rankmetrics_error() -> None:
    errors = [value for name, value in _public() if name.endswith("Error")]
    assert len(errors) == 7
    assert all(isinstance(error, type) and issubclass(error, RankMetricsError) for error in errors)
