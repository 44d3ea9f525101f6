"""The files of sql/ that ship: documented, valid in DuckDB, complete; and mistakes in such files, which are refused."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import duckdb
import pytest
from latex2mathml.converter import convert
from sqlglot import exp

import rankmetrics as rm
from docs.tooling.formula_symbols import INLINE, SYMBOLS, UNSAFE, symbols_of, unknown_symbols
from docs.tooling.metric_pages import without_formula
from rankmetrics._files import sql_folder
from rankmetrics.errors import MetricError, did_you_mean
from rankmetrics.inputs.columns import ROLES
from rankmetrics.inputs.sources import DIMENSION, INPUT_ROW, RANK_AS_FLOAT, SOURCES
from rankmetrics.metrics.catalog import METRICS, PLANNED, RUNS, catalog
from rankmetrics.metrics.definition import (
    FOLDERS,
    Condition,
    Definition,
    Kind,
    builtin,
    definitions_in,
    read,
    read_folder,
)
from rankmetrics.metrics.intervals import INTERVALS
from rankmetrics.sqltree import tree

DEFINITIONS = [
    *(one for kind in FOLDERS for one in catalog().all(kind)),
    *definitions_in(INTERVALS, "interval").values(),
]


def _named(definition: Definition) -> str:
    return f"{definition.kind} {definition.name}"


def test_a_file_of_sql_says_what_it_is_in_its_first_line() -> None:
    silent = [one for one in DEFINITIONS if not one.summary or not one.text.startswith(f"-- {_name_of_file(one)}: ")]
    assert [*map(_named, silent)] == []


def _name_of_file(definition: Definition) -> str:
    parts = definition.name.split(".")
    return parts[-1] if definition.kind in ("parameter", "aggregate") else parts[0]


def test_a_metric_says_its_range_when_it_is_undefined_and_its_source() -> None:
    for definition in catalog().metrics():
        name, is_count = definition.name, definition.name.startswith("n_")
        assert re.match(r"[\[(]\S+, \S+[\])]", definition.fields["range"]), name
        assert ("undefined" in definition.fields) != (is_count or name in ALWAYS_DEFINED), name
        assert "source" in definition.fields or is_count, f"{name} needs a line `source:`, a paper or a library"
        assert definition.expression.parent is not None
        assert tree.outputs(definition.select) == [name]


def test_a_file_of_sql_runs_in_duckdb_as_it_stands() -> None:
    wrong = {}
    with duckdb.connect() as connection:
        for definition in DEFINITIONS:
            try:
                _run(definition, connection)
            except duckdb.Error as error:
                wrong[_named(definition)] = str(error)
    assert wrong == {}


def _run(definition: Definition, connection: duckdb.DuckDBPyConnection) -> None:
    for table in dict.fromkeys(tree.tables_read(definition.select)):
        if table:
            columns = ", ".join(f'CAST(NULL AS {_type(one)}) AS "{one}"' for one in sorted(_columns_of(table)))
            connection.execute(f'CREATE OR REPLACE TABLE "{table}" AS SELECT {columns}')
    text = definition.text
    for name in sorted(tree.placeholders(definition.select), key=len, reverse=True):
        text = text.replace(f"${name}", "TRUE" if name in CONDITIONS else "1")
    connection.execute(text).fetchall()


# Metrics that have a value for every list, besides counts.
ALWAYS_DEFINED = {"dcg", "dcg_residual", "precision_residual", "fill_rate", "ideal_dcg", "user_coverage", "utility"}

# Parameters whose choices are conditions.
CONDITIONS = {"relevance", "lengths"}


def _columns_of(table: str) -> set[str]:
    """The columns that a file may expect of a table, run by hand."""
    if table in SOURCES:
        return {*tree.IDS, *ROLES, INPUT_ROW, DIMENSION, RANK_AS_FLOAT}
    if table in ("account", "aggregates"):
        return {one.name for one in catalog().all(table.removesuffix("s"))}
    if table == "per_list":
        return {"value", "cluster_id"}
    if table == INTERVALS:
        return {name.partition(".")[0] for name in definitions_in(INTERVALS, "interval")}
    if table in (METRICS, RUNS):
        kinds: tuple[Kind, ...] = ("metric", "part") if table == METRICS else ("run", "run part")
        return {*(one.name for kind in kinds for one in catalog().all(kind))}
    variants = catalog().variants(table).values() if catalog().is_stage(table) else ()
    return {*(column for variant in variants for column in tree.outputs(variant.select)), *tree.IDS}


def _type(column: str) -> str:
    return "VARCHAR" if column == "hash" else "DOUBLE" if column in DOUBLES else "BIGINT"


DOUBLES = {
    RANK_AS_FLOAT,
    "rating",
    "score",
    "stop",
    "reached",
    "value",
    "similarity",
    "embedding",
    "mass",
    "share",
    "part",
    "weight",
}


def test_no_two_metrics_share_a_spelling() -> None:
    spelled = [re.sub(r"[^a-z0-9]", "", one.lower()) for d in catalog().metrics() for one in {d.name, *d.aliases}]
    plain = {
        d.name: {re.sub(r"[^a-z0-9]", "", one.lower()) for one in (d.name, *d.aliases)} for d in catalog().metrics()
    }
    assert sum(len(one) for one in plain.values()) == len(set(spelled))


SETTINGS: tuple[Kind, ...] = ("parameter", "policy")


def test_tables_and_parameters_of_a_file_are_those_of_its_tree_and_exist() -> None:
    shared = {one.name.rpartition(".")[2] for kind in SETTINGS for one in catalog().all(kind)}
    for definition in DEFINITIONS:
        assert definition.placeholders == tree.placeholders(definition.select), definition.name
        assert definition.tables == {*tree.tables_read(definition.select)} - {""}, definition.name
        if definition.kind in ("aggregate", "interval"):
            continue  # they read numbers of the confidence, such as `deviations`
        assert definition.placeholders <= shared | PLANNED, definition.name


# --- Stages are named so that neither a reader nor a query takes one for another --------------------------------------


STAGES = catalog().all("stage")
NAMES = {stage.name.partition(".")[0] for stage in STAGES}
GOLDEN = [
    one for one in sorted((Path(__file__).parents[1] / "golden").glob("*.sql")) if "WITH " in one.read_text("utf-8")
]

# The planner adds these to the name of a stage, for the CTE of its aggregates.
SUFFIXES = ("_per_list", "_per_system", "_per_cutoff", "_diagnostics")


def test_no_stage_has_the_name_of_a_cte_that_the_planner_adds() -> None:
    assert not [name for name in NAMES for suffix in SUFFIXES if name.endswith(suffix)]


def test_no_alias_is_the_name_of_another_stage() -> None:
    aliases = [(stage, table.alias) for stage in STAGES for table in stage.select.find_all(exp.Table) if table.alias]
    assert [
        f"{stage.origin}: {alias}" for stage, alias in aliases if alias in NAMES - {stage.name.partition(".")[0]}
    ] == []


def test_the_first_line_of_a_header_names_no_other_stage() -> None:
    """It becomes the comment of the CTE, in queries that need not have the other stage."""
    words = [(stage, word) for stage in STAGES for word in re.findall(r"\w+", stage.summary) if "_" in word]
    assert [f"{stage.origin}: {word}" for stage, word in words if word in NAMES] == []


def test_the_first_line_of_a_header_says_what_a_row_is() -> None:
    """It has no semicolon either: it is the comment of the CTE, and programs that run scripts may split it there."""
    unclear = [one for one in STAGES if ";" in one.summary or not re.match("one row|the rows of", one.summary)]
    assert [one.origin for one in unclear] == []


def test_a_comment_names_only_ctes_of_its_query() -> None:
    for path in GOLDEN:
        text = path.read_text(encoding="utf-8")
        ctes = {*re.findall(r'["`\[](\w+)["`\]](?: ?\([^)]*\))? AS (?:NOT )?(?:MATERIALIZED )?\(', text)}
        comments = re.findall(r"/\* (.*?) \*/", text)
        named = {found[1] for one in comments if (found := re.match(r"(?:aggregates of )?(\w+)(?:[:,]|$)", one))}
        assert named, path.name
        assert {one.lower() for one in named} <= {one.lower() for one in ctes} | {"sorted"}, path.name


# --- The formulas in the headers of sql/metrics and sql/runs: LaTeX that renders, of symbols with a meaning -----------


FORMULAS = {one.name: one.fields["formula"] for one in catalog().metrics() if "formula" in one.fields}


def test_every_metric_has_a_formula_and_a_subject() -> None:
    assert not without_formula(), "\n".join(without_formula())


def test_a_formula_is_latex_that_markdown_leaves_alone() -> None:
    unsafe = {name: found[0] for name, formula in FORMULAS.items() if (found := UNSAFE.search(formula))}
    assert not unsafe, "write it as a command: \\lt for <, \\lbrace for {, no \\,"
    for name, formula in FORMULAS.items():
        assert convert(formula).startswith("<math"), name
        assert formula.count("{") == formula.count("}"), name
        assert formula.count(r"\left") == formula.count(r"\right"), name


def test_every_symbol_of_a_formula_has_a_meaning_of_such_symbols() -> None:
    unknown = {name: found for name, formula in FORMULAS.items() if (found := unknown_symbols(formula))}
    assert not unknown, "add these to SYMBOLS of docs/tooling/formula_symbols.py, or use its symbols"
    meanings = [inside for meaning in SYMBOLS.values() for inside in INLINE.findall(meaning)]
    assert [symbol for inside in meanings for symbol in unknown_symbols(inside)] == []


def test_every_symbol_with_a_meaning_is_in_a_formula() -> None:
    assert {symbol for formula in FORMULAS.values() for symbol in symbols_of(formula)} == set(SYMBOLS)


def test_a_definition_on_the_terminal_has_no_latex() -> None:
    assert "formula:" in catalog().metric("ndcg").text
    assert "\\frac" not in rm.explain("ndcg@10")


def test_an_indented_line_of_a_header_continues_the_key_above_it() -> None:
    lines = ["-- twice: two hits.", "--", "-- formula: 2", "--   \\cdot n", "-- Prose.", "--   indented prose"]
    definition = read("\n".join([*lines, "SELECT 2 AS twice FROM metrics"]), "twice.sql")
    assert definition.fields["formula"] == r"2 \cdot n"
    assert definition.notes == "Prose.\nindented prose"


# --- Checks of the headers of sql/ that a query does not make: it reads the files that it names, and no others --------


DefinitionsByName = Mapping[tuple[Kind, str], Definition]


def check_headers(definitions: DefinitionsByName) -> None:
    """Refuse an unknown key, and a variant of a stage that does not say when it holds."""
    for (kind, _), definition in definitions.items():
        definition.check_header()
        if kind == "stage":
            _check_variant(definition)
            for condition in definition.when:
                _check_condition(condition, definition.origin, definitions)


def _check_variant(stage: Definition) -> None:
    """Refuse a variant, called `stage.variant.sql`, without a `when:`, and a `when:` in any other file."""
    _, _, variant = stage.name.partition(".")
    if bool(variant) != bool(stage.when):
        said = "does not say `when:` it is taken" if variant else "has no variant in its name, and says `when:`"
        raise MetricError(
            f"{stage.origin} {said}. A variant is called `stage.variant.sql`, and its header has `when: …`."
        )


def _check_condition(condition: Condition, origin: str, known: DefinitionsByName) -> None:
    """Refuse a condition that names a setting, a choice, an input or a stage that does not exist."""
    first, *choices = condition.words or ("",)
    if condition.form in ("setting", "query"):
        setting = known.get(("policy", first)) or known.get(("parameter", first)) or _find_own(first, known)
        if setting is None:
            settings = [name.rpartition(".")[2] for kind, name in known if kind in ("policy", "parameter")]
            raise MetricError(f"{origin}: there is no setting {first!r}.{did_you_mean(first, settings)}")
        for choice in choices:
            if not re.search(rf"\b{choice}\b", setting.text):
                raise MetricError(f"{origin}: {first} has no choice {choice!r}.")
    elif condition.form in ("input", "sorted", "required"):
        what = "stage" if condition.form == "required" else "input"
        there = [name for kind, name in known if kind == "stage"] if what == "stage" else SOURCES
        if first not in there:
            raise MetricError(f"{origin}: there is no {what} {first!r}.{did_you_mean(first, there)}")


def _find_own(setting: str, known: DefinitionsByName) -> Definition | None:
    """The file of a parameter that belongs to one metric: `metric.setting.sql`."""
    files = (file for (kind, name), file in known.items() if kind == "parameter" and name.endswith(f".{setting}"))
    return next(files, None)


# --- A file of sql/ that would not be what its author meant is refused by the checks of the headers, and named --------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of sql/."""
    return Path(shutil.copytree(str(sql_folder()), tmp_path / "sql"))


def changed(folder: Path, name: str, old: str, new: str) -> Path:
    """The folder after one text in one of its files is replaced."""
    file = folder / name
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder


def test_the_files_that_ship_are_read_from_wherever_they_lie(folder: Path) -> None:
    read = read_folder(folder)
    assert {key: file.text for key, file in read.items()} == {key: file.text for key, file in builtin().items()}
    check_headers(builtin())


def test_the_headers_of_the_files_of_splits_comparisons_and_segments_are_read() -> None:
    for name in ("splits", "splits/filters", "splits/steps", "splits/subsets", "comparisons", "segments"):
        for file in definitions_in(name, "split").values():
            file.check_header()


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("runs/gini.sql", "-- better:", "-- beter:", "Did you mean 'better'"),
        ("metrics/hit.sql", "-- range: [0, 1]", "-- range: from 0 to 1", "does not begin with an interval"),
        ("stages/hits/unnumbered_hits.each.sql", "-- when: duplicates = each", "-- note it", "does not say `when:`"),
        ("stages/hits/unnumbered_hits.each.sql", "duplicates = each", "duplicate = each", "Did you mean 'duplicates'"),
        (
            "stages/hits/unnumbered_hits.each.sql",
            "duplicates = each",
            "duplicates = eash",
            "duplicates has no choice 'eash'",
        ),
        ("stages/hits/unnumbered_hits.each.sql", "duplicates = each", "duplicates is each", "is not a condition"),
        ("stages/items/popularity.items.sql", "input items", "input itms", "Did you mean 'items'"),
        (
            "stages/hits/matches.judged.sql",
            "judged_recommendations",
            "judged_recommendation",
            "Did you mean 'judged_recommendations'",
        ),
        ("stages/hits/unnumbered_hits.sql", "--\n", "-- when: input history\n--\n", "no variant in its name"),
    ],
)
def test_a_header_that_says_what_nothing_reads_is_refused(
    folder: Path, name: str, old: str, new: str, says: str
) -> None:
    with pytest.raises(rm.MetricError, match="^" + Path(name).name) as caught:
        check_headers(read_folder(changed(folder, name, old, new)))
    assert says in str(caught.value)


def test_a_file_that_is_dropped_in_binds_to_nothing_in_silence(folder: Path) -> None:
    (folder / "stages" / "hits.any.sql").write_text(
        "-- hits: others.\nSELECT list_id, item FROM unnumbered_hits\n", "utf-8"
    )
    with pytest.raises(rm.MetricError, match=r"^hits\.any\.sql does not say `when:`"):
        check_headers(read_folder(folder))


def test_two_files_of_one_name_are_refused(folder: Path) -> None:
    shutil.copy(folder / "stages" / "hits" / "hits.sql", folder / "stages" / "hits.sql")
    with pytest.raises(rm.MetricError, match=r"two files hits\.sql"):
        read_folder(folder)


def test_a_header_may_describe_the_columns_that_are_returned() -> None:
    assert "first_rank: its lowest rank" in catalog().definition("stage", "recommended_list_counts").notes


def test_a_file_of_ones_own_with_a_key_that_nothing_reads_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.sql"
    file.write_text("-- mine: hits.\n--\n-- rnage: [0, 1]\nSELECT COUNT(*) AS mine FROM hits\n", encoding="utf-8")
    with pytest.raises(rm.MetricError, match="Did you mean 'range'"):
        rm.define(file)
