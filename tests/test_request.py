"""Every option is declared once, and spelled right by Python, the command line and leaderboards.yml."""

from __future__ import annotations

import ast
import inspect
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, get_args

import duckdb
import polars as pl
import pytest
import typer.main
from typer.testing import CliRunner

import rankmetrics as rm
from rankmetrics.cli.commands import app
from rankmetrics.cli.flags import SEVERAL, as_flag
from rankmetrics.errors import Option
from rankmetrics.export.dbt.leaderboards import KEYS, yaml
from rankmetrics.export.dbt.package import as_key, files
from rankmetrics.options import Face, declaration_of, declared
from rankmetrics.request import Request
from tests import ROOT

OPTIONS = {option.name: declaration_of(option) for option in fields(Request)}

# Options of compare_conventions and of Result.to_sql alone.
FURTHER = {"conventions"}

FUNCTIONS: dict[Face, Callable[..., object]] = {"evaluate": rm.evaluate, "to_sql": rm.to_sql}

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]  # it is a group
FLAGS = {flag for command in COMMANDS.values() for parameter in command.params for flag in parameter.opts}


# --- each face has every option, or says why not ----------------------------------------------------------------------


def test_a_function_has_the_options_that_are_not_declared_absent_with_their_defaults() -> None:
    parameters = inspect.signature(rm.evaluate).parameters
    assert [*parameters][:3] == ["recs", "truth", "metrics"]
    assert {*parameters} == {*declared(Request, "evaluate")}
    assert (parameters["by"].default, parameters["duplicates"].default) == (None, "count")
    of_tables = inspect.signature(rm.to_sql).parameters
    assert {*of_tables} == {"where" if name == "partition" else name for name in declared(Request, "to_sql")}
    required = {name for name, parameter in of_tables.items() if parameter.default is inspect.Parameter.empty}
    assert required == {"recs", "truth", "metrics", "lists", "dialect"}


def test_a_mistyped_option_gets_the_nearest_name_and_a_missing_one_is_named() -> None:
    call: Any = rm.evaluate
    with pytest.raises(TypeError, match=r"evaluate\(\) .*'aggregats'.* Did you mean 'aggregates'\?"):
        call("recs", "truth", "hit", aggregats="mean")
    with pytest.raises(TypeError, match=r"evaluate\(\) missing a required argument: 'metrics'"):
        call("recs", "truth")


def test_the_stub_has_the_signatures_and_the_docstrings() -> None:
    stub = ast.parse((ROOT / "rankmetrics" / "__init__.pyi").read_text("utf-8"))
    functions = {each.name: each for each in stub.body if isinstance(each, ast.FunctionDef)}
    for name in ("evaluate", "to_sql", "gate"):
        arguments, documented = functions[name].args, getattr(rm, name)
        assert {each.arg for each in (*arguments.args, *arguments.kwonlyargs)} == {
            *inspect.signature(documented).parameters
        }
        assert inspect.cleandoc(ast.get_docstring(functions[name]) or "") == inspect.getdoc(documented)


@pytest.mark.parametrize("face", FUNCTIONS)
def test_a_function_documents_every_option(face: Face) -> None:
    text = inspect.getdoc(FUNCTIONS[face]) or ""
    arguments = re.findall(r"^    (\w+): ", text, re.MULTILINE)
    assert {*inspect.signature(FUNCTIONS[face]).parameters} <= {*arguments}


def test_an_absence_has_a_reason_and_is_of_a_face_that_there_is() -> None:
    for name, declaration in OPTIONS.items():
        assert {*declaration.absent} < {*get_args(Face)}, name
        assert all(declaration.absent.values()), name


def test_every_option_has_a_meaning_of_one_sentence() -> None:
    for name, declaration in OPTIONS.items():
        assert re.fullmatch(r"[^\n]+\.", declaration.meaning), name


def test_every_option_that_is_not_declared_absent_has_a_flag_and_no_other_has() -> None:
    called = {parameter.name for command in COMMANDS.values() for parameter in command.params}
    with_flags = {name for name in OPTIONS if called & {one.name for one in SEVERAL.get(name, ())} or name in called}
    assert with_flags == {*declared(Request, "flag")}


def test_every_option_that_is_not_declared_absent_is_a_key_of_a_leaderboard_and_no_other_is() -> None:
    assert (
        {*KEYS} - {"description", "check", "config", "data_types", "partition", "lookback"}
        == {*declared(Request, "key")}
        == {*declared(Request, "key", "to_sql")}
    )


@pytest.mark.parametrize("line", ["rank_from: 0", "lower_is_better: true\n    columns: {score: s}"])
def test_leaderboards_take_ranks_from_0_and_scores_that_are_distances(tmp_path: Path, line: str) -> None:
    board = "recs: ref('recs')\n    truth: ref('truth')\n    lists: [user]\n    metrics: ['rr']"
    path, found = tmp_path / "leaderboards.yml", []
    for lines in (line, line.replace("rank_from: 0", "").replace("lower_is_better: true", "")):
        path.write_text(f"leaderboards:\n  one:\n    {board}\n    {lines}\n")
        found.append(files(path)["macros/one.sql"])
    assert found[0] != found[1]


# --- messages ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bad:
    """A call that is refused, in Python, on the command line and, where it has the option, in leaderboards.yml.

    Attributes:
        python: options of evaluate, or of to_sql where tables are named.
        flags: the same for the command.
        yaml: the same as lines of a leaderboard; None where leaderboards.yml cannot say it.
        tables: whether the inputs are tables that cannot be looked at.
    """

    python: dict[str, Any]
    flags: str
    yaml: str | None = None
    tables: bool = False
    metrics: str = "hit@1"
    recs: str = "recs.csv"
    truth: str = "truth.csv"


BAD = [
    # choices and names of columns
    Bad({"missing": "nobody"}, "--missing nobody"),
    Bad({"ties": "random"}, "--ties random"),
    Bad({"duplicates": "drop"}, "--duplicates drop"),
    Bad({"rank_from": 2}, "--rank-from 2"),
    Bad({"missing": "nobody"}, "--missing nobody", "missing: nobody", tables=True),
    Bad({"rank_from": 2}, "--rank-from 2", "rank_from: 2", tables=True),
    Bad({"by": ["user", "user"]}, "--by user --by user"),
    Bad({"lists": ["user", "user"]}, "--list user --list user"),
    Bad({"lists": ["user", "item"]}, "--list user --list item"),
    Bad({"lists": ["users"]}, "--list users"),
    Bad({"truth_lists": ["score"]}, "--truth-list score"),
    Bad({"truth_lists": ["user", "user"]}, "--truth-list user --truth-list user"),
    Bad({"text": ["colour"]}, "--text colour", "text: colour", tables=True),
    Bad({"by": ["user", "user"]}, "--by user --by user", "by: [user, user]", tables=True),
    # columns of inputs
    Bad({"extra_columns": {"itms": rm.Columns(category="c")}}, "--extra-column itms.category=c"),
    Bad({"extra_columns": {"items": rm.Columns(category="c")}}, "--extra-column items.category=c"),
    Bad(
        {"extra_columns": {"items": rm.Columns(category="c")}},
        "--extra-column items.category=c",
        "extra_columns: {items: {category: c}}",
        tables=True,
    ),
    Bad({"columns": rm.Columns(score="score", distance="item")}, "--score score --distance item"),
    Bad({}, "", recs="two_items.csv"),
    Bad({}, "", recs="no_item.csv"),
    Bad({}, "", recs="no_score.csv"),
    Bad({}, "", recs="truth.csv", truth="recs.csv"),
    Bad({}, "", recs="moments.csv"),
    Bad({}, "", recs="renamed.csv"),
    # inputs that a metric needs
    Bad({}, "", metrics="surprisal@1"),
    Bad({}, "", "", metrics="surprisal@1", tables=True),
    Bad({}, "", "", metrics="hit(rel=2)@1", tables=True),
    Bad({}, "", metrics="hit(rel=2)@1", truth="unrated.csv"),
    Bad({"items": "items.csv"}, "--items items.csv", metrics="categorical_diversity@1"),
    Bad({"items": "items.csv"}, "--items items.csv", metrics="embedding_diversity@1"),
    Bad({"missing": "history"}, "--missing history"),
    Bad({"missing": "history"}, "--missing history", "missing: history", tables=True),
    # rows
    Bad({"where": "user = "}, '--where "user = "'),
    Bad({"where": "colour = 'red'"}, "--where \"colour = 'red'\""),
    Bad({"where": "items: item = 1"}, '--where "items: item = 1"'),
    Bad({"ties": "input", "columns": rm.Columns(score="s")}, "--ties input --score s", tables=True),
    Bad(
        {"ties": "input", "columns": rm.Columns(score="s")},
        "--ties input --score s",
        "ties: input\n    columns: {score: s}",
        tables=True,
    ),
    # data
    Bad({"duplicates": "error"}, "--duplicates error", recs="repeated.csv"),
    Bad({}, "", recs="from_zero.csv"),
    # statements
    Bad({"form": "view"}, "--as view", tables=True),
    Bad({"form": "query", "name": "db.lb"}, "--as query --name db.lb", tables=True),
    Bad({"form": "cte", "name": "db.lb"}, "--as cte --name db.lb", tables=True),
    Bad({"form": "incremental", "name": "db.lb"}, "--as incremental --name db.lb", tables=True),
    Bad({"form": "table", "name": "db.recs"}, "--as table --name db.recs", tables=True),
    Bad({"where": {"user": 1}}, "--where 'user = 1'", tables=True),
    Bad(
        {"form": "incremental", "name": "lb", "where": {"user": 1}, "by": []},
        "--as incremental --name lb --where 'user = 1' --overall",
        tables=True,
    ),
    # where the inputs are
    Bad({"connection": "nowhere"}, "--connection nowhere", recs="recs", truth="truth"),
    Bad({}, "", recs="nowhere", truth="nowhere"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sound inputs, and inputs with one fault each, in the working folder."""
    recs = pl.DataFrame({"user": [1, 1, 2], "item": [7, 8, 7], "score": [0.9, 0.5, 0.8]})
    truth = pl.DataFrame({"user": [1, 2], "item": [8, 7], "rating": [3, 2]})
    frames = {
        "recs": recs,
        "truth": truth,
        "items": pl.DataFrame({"item": [7, 8]}),
        "unrated": truth.drop("rating"),
        "two_items": recs.with_columns(movie_id=pl.col("item")),
        "no_item": recs.rename({"item": "thing"}),
        "no_score": recs.drop("score"),
        "moments": recs.with_columns(seen=pl.lit("2024-01-01 10:00:00").str.to_datetime()),
        "renamed": recs.rename({"user": "usr"}),
        "repeated": pl.concat([recs, recs]),
        "from_zero": recs.drop("score").with_columns(rank=pl.Series([0, 1, 0])),
    }
    for name, frame in frames.items():
        frame.write_csv(tmp_path / f"{name}.csv")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(bad: Bad) -> None:
    if bad.tables:
        options = {"lists": ["user"], "dialect": "duckdb", **bad.python}
        rm.to_sql("db.recs", "db.truth", bad.metrics, **options)
    else:
        own = {} if bad.recs == "nowhere" else {"connection": duckdb.connect()}
        rm.evaluate(bad.recs, bad.truth, bad.metrics, **{**own, **bad.python}).collect()


def refusal_of(bad: Bad) -> rm.RankMetricsError:
    """The error of the Python call."""
    with pytest.raises(rm.RankMetricsError) as caught:
        call(bad)
    return caught.value


def named(bad: Bad) -> str:
    return " ".join([bad.flags or bad.recs, bad.metrics, "of tables" if bad.tables else ""]).strip()


@pytest.mark.parametrize("bad", [one for one in BAD if one.flags or not one.tables], ids=named)
def test_the_command_line_refuses_with_the_same_message_in_its_own_spelling(folder: Path, bad: Bad) -> None:
    error = refusal_of(bad)
    inputs = ["sql", "db.recs", "db.truth", "--list", "user"] if bad.tables else ["evaluate", bad.recs, bad.truth]
    done = CliRunner().invoke(app, [*inputs, "-m", bad.metrics, *shlex.split(bad.flags)], env={"NO_COLOR": "1"})
    assert done.exit_code == 2, done.output
    assert done.stderr.splitlines() == [*f"Error: {error.written(as_flag)}".splitlines(), *filter(None, [error.link])]


@pytest.mark.parametrize("bad", [one for one in BAD if one.yaml is not None], ids=named)
def test_leaderboards_are_refused_with_the_same_message_in_their_own_spelling(folder: Path, bad: Bad) -> None:
    error = refusal_of(bad)
    path = folder / "leaderboards.yml"
    board = "recs: ref('recs')\n    truth: ref('truth')\n    lists: [user]"
    path.write_text(f"leaderboards:\n  one:\n    {board}\n    metrics: ['{bad.metrics}']\n    {bad.yaml}\n")
    with pytest.raises(rm.RankMetricsError) as caught:
        files(path)
    assert str(caught.value) == f"{path}, leaderboard 'one': {error.written(as_key)}"


@pytest.mark.parametrize("bad", BAD, ids=named)
def test_each_face_can_read_the_options_that_a_message_names(folder: Path, bad: Bad) -> None:
    options = [part for part in refusal_of(bad).parts if isinstance(part, Option)]
    for option in options:
        assert option.name in {*OPTIONS} | FURTHER
        assert is_python(option), option
        flags = [word for word in shlex.split(as_flag(option)) if word.startswith("--")]
        assert flags, option
        assert {*flags} <= FLAGS, option
        if option.name in KEYS and option.value is not None:
            assert {*yaml().safe_load(as_key(option).replace("...", "x"))} == {option.name}


def is_python(option: Option) -> bool:
    """Whether an option with a value, as Python writes it, is an argument of a call."""
    if option.value is None:
        return str(option).rstrip("=") == option.name
    call = ast.parse(f"f({option})", mode="eval").body
    return isinstance(call, ast.Call) and [one.arg for one in call.keywords] == [option.name]


def test_most_bad_calls_name_an_option(folder: Path) -> None:
    with_options = [bad for bad in BAD if any(isinstance(part, Option) for part in refusal_of(bad).parts)]
    assert len(with_options) > 0.7 * len(BAD)


# --- no message writes an option as text ------------------------------------------------------------------------------

# In metrics, `missing` and the like are parameters, which every face writes alike; cli/ speaks of its own flags.
ELSEWHERE = ("metrics", "cli")

SPELLED = re.compile(rf"(?<![\w.])({'|'.join(sorted(OPTIONS))})=(?![=\w])|rm\.Columns\(\w+=[^)]*\.\.\.")


def texts_of_messages() -> Iterator[tuple[str, str]]:
    """The texts within calls of errors and warnings, each with where it stands."""
    for path in sorted((ROOT / "rankmetrics").rglob("*.py")):
        if path.relative_to(ROOT / "rankmetrics").parts[0] in ELSEWHERE:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            if name.endswith(("Error", "Warning")):
                for text in ast.walk(node):
                    if isinstance(text, ast.Constant) and isinstance(text.value, str):
                        yield f"{path.relative_to(ROOT)}:{text.lineno}", text.value


def test_no_message_writes_an_option_as_text() -> None:
    texts = list(texts_of_messages())
    assert len(texts) > 300
    assert [(where, text) for where, text in texts if SPELLED.search(text)] == []
