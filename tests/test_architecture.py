"""The house checks itself: what ships, what imports what, what is documented."""

from __future__ import annotations

import ast
import inspect
import pydoc
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.errors import RankMetricsError
from rankmetrics.inputs.columns import ROLES
from rankmetrics.inputs.sources import DIMENSION, INPUT_ROW, SOURCES
from rankmetrics.metrics.catalog import METRICS, PLANNED, RUNS, catalog
from rankmetrics.metrics.definition import FOLDERS, Definition, Kind
from rankmetrics.sqltree import tree
from tests.golden import ROOT

PACKAGE = ROOT / "rankmetrics"

# The layers of the package, a sub-package or a module each: each may import those above it, and itself.
LAYERS = [
    "errors",
    "_files",
    "_gc",
    "inputs",
    "sqltree",
    "metrics",
    "request",
    "dialects",
    "planner",
    "engines",
    "checks",
    "notes",
    "summary_table",
    "display",
    "result",
    "api",
    "compare",
    "export",
    "cli",
]

DEFINITIONS = [one for kind in FOLDERS for one in catalog().all(kind)]


def _named(definition: Definition) -> str:
    return f"{definition.kind} {definition.name}"


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


def test_no_module_is_too_long_to_read_at_once() -> None:
    lengths = {module: len(path.read_text(encoding="utf-8").splitlines()) for module, path in _modules().items()}
    assert {module: length for module, length in lengths.items() if length > 420} == {}


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


# --- what ships -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return zipfile.ZipFile(next(folder.glob("*.whl")))


def test_the_wheel_holds_every_file_of_sql_and_the_sample(wheel: zipfile.ZipFile) -> None:
    listed = subprocess.run(["git", "ls-files", "sql", "data/*.parquet"], cwd=ROOT, capture_output=True, text=True)
    wanted = {f"rankmetrics/{one}" for one in listed.stdout.split()}
    if listed.returncode:
        pytest.skip("this is no git checkout, so nothing says what belongs to it")
    assert len(wanted) > 60
    assert wanted <= set(wheel.namelist())


def test_the_wheel_holds_the_templates_of_dbt(wheel: zipfile.ZipFile) -> None:
    wanted = {path.relative_to(ROOT).as_posix() for path in (PACKAGE / "export" / "dbt" / "templates").iterdir()}
    assert len(wanted) == 7
    assert wanted <= set(wheel.namelist())


def test_the_wheel_says_that_it_is_typed(wheel: zipfile.ZipFile) -> None:
    assert {"rankmetrics/py.typed", "rankmetrics/__init__.pyi"} <= set(wheel.namelist())


def test_the_package_works_from_its_wheel_alone(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path)
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import rankmetrics as rm; from rankmetrics._files import *;"
        "assert rm.__file__.startswith(sys.argv[1]), rm.__file__;"
        "r = rm.evaluate(data_folder() / 'recs.parquet', data_folder() / 'truth.parquet', 'ndcg@10');"
        "print(r.summary().fetchall())"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "matrix-factorisation" in done.stdout


def test_the_package_works_inside_its_wheel(wheel: zipfile.ZipFile) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import rankmetrics as rm;"
        "assert rm.__file__.startswith(sys.argv[1]), rm.__file__;"
        "print(rm.to_sql('recs', 'truth', 'ndcg@10', lists='user', dialect='spark'));"
        "print(rm.explain('ndcg'))"
    )
    command = [sys.executable, "-c", code, str(wheel.filename)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(str(wheel.filename)).parent)
    assert done.returncode == 0, done.stderr
    assert "ndcg@10" in done.stdout


def test_the_sample_is_what_its_script_makes_and_is_small() -> None:
    sys.path.insert(0, str(ROOT / "data"))
    try:
        import make_sample
    finally:
        sys.path.remove(str(ROOT / "data"))
    made = make_sample.build()
    assert {path.stem for path in (ROOT / "data").glob("*.parquet")} == set(made)
    for name, frame in made.items():
        assert frame.equals(pl.read_parquet(ROOT / "data" / f"{name}.parquet")), name
    assert sum(path.stat().st_size for path in (ROOT / "data").glob("*.parquet")) < 1_000_000


# --- sql/ -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("definition", DEFINITIONS, ids=_named)
def test_a_file_of_sql_says_what_it_is_in_its_first_line(definition: Definition) -> None:
    name = definition.name.rpartition(".")[2] if definition.kind == "parameter" else definition.name.partition(".")[0]
    assert definition.text.startswith(f"-- {name}: ")
    assert definition.summary


@pytest.mark.parametrize("definition", catalog().metrics(), ids=_named)
def test_a_metric_says_its_range_and_when_it_is_undefined(definition: Definition) -> None:
    assert re.match(r"[\[(]\S+, \S+[\])]", definition.fields["range"])
    always = definition.name.startswith("n_") or definition.name in ("dcg", "ideal_dcg", "user_coverage")
    assert ("undefined" in definition.fields) != always
    assert definition.expression.parent is not None
    assert tree.outputs(definition.select) == [definition.name]


@pytest.mark.parametrize("definition", [one for one in catalog().metrics() if "_" not in one.name[:2]], ids=_named)
def test_a_metric_that_is_no_count_names_its_source(definition: Definition) -> None:
    assert "source" in definition.fields


@pytest.mark.parametrize("definition", DEFINITIONS, ids=_named)
def test_a_file_of_sql_runs_in_duckdb_as_it_stands(definition: Definition) -> None:
    connection = duckdb.connect()
    for table in dict.fromkeys(tree.tables_read(definition.select)):
        if table:
            columns = ", ".join(f'CAST(NULL AS {_type(one)}) AS "{one}"' for one in sorted(_columns_of(table)))
            connection.execute(f'CREATE TABLE "{table}" AS SELECT {columns}')
    text = definition.text
    for name in sorted(tree.placeholders(definition.select), key=len, reverse=True):
        text = text.replace(f"${name}", "TRUE" if name in CONDITIONS else "1")
    connection.execute(text).fetchall()


# Parameters whose choices are conditions.
CONDITIONS = {"relevance", "lengths"}


def _columns_of(table: str) -> set[str]:
    """The columns that a file may expect of a table, run by hand."""
    if table in SOURCES:
        return {*tree.IDS, *ROLES, INPUT_ROW, DIMENSION}
    if table == "per_list":
        return {"value"}
    if table in (METRICS, RUNS):
        kinds: tuple[Kind, ...] = ("metric", "part") if table == METRICS else ("run", "run part")
        return {*(one.name for kind in kinds for one in catalog().all(kind))}
    return {*(catalog().outputs(table) if catalog().is_stage(table) else ()), *tree.IDS}


def _type(column: str) -> str:
    return "DOUBLE" if column in DOUBLES else "BIGINT"


DOUBLES = {"rating", "score", "stop", "reached", "value", "similarity", "embedding", "mass", "share", "part", "weight"}


def test_no_two_metrics_share_a_spelling() -> None:
    spelled = [re.sub(r"[^a-z0-9]", "", one.lower()) for d in catalog().metrics() for one in {d.name, *d.aliases}]
    plain = {
        d.name: {re.sub(r"[^a-z0-9]", "", one.lower()) for one in (d.name, *d.aliases)} for d in catalog().metrics()
    }
    assert sum(len(one) for one in plain.values()) == len(set(spelled))


SETTINGS: tuple[Kind, ...] = ("parameter", "policy")


def test_every_parameter_that_a_file_reads_is_there() -> None:
    shared = {one.name.rpartition(".")[2] for kind in SETTINGS for one in catalog().all(kind)}
    for definition in DEFINITIONS:
        if definition.kind == "aggregate":
            continue  # they read `deviations`, which the confidence asked for gives
        assert tree.placeholders(definition.select) <= shared | PLANNED, definition.name


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
