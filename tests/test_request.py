"""Every option is declared once, and spelled right by Python, the command line and leaderboards.yml."""

from __future__ import annotations

import ast
import inspect
import pickle
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, get_args

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.cli.flags import SEVERAL, as_flag
from rankmetrics.errors import OF_INPUT, Option, as_argument, spelling
from rankmetrics.export.dbt.package import KEYS, as_key, files, yaml
from rankmetrics.inputs.input import is_of_input
from rankmetrics.options import Face, declaration_of, declared
from rankmetrics.request import Request
from tests import ROOT
from tests.support import flat
from tests.support.commands import app_command, run
from tests.support.refusals import SCORED, TRUTH, refusal

OPTIONS = {option.name: declaration_of(option) for option in fields(Request)}

# Options of compare_conventions and of Result.to_sql alone.
FURTHER = {"conventions"}

COMMANDS = app_command().commands
FLAGS = {flag for command in COMMANDS.values() for parameter in command.params for flag in parameter.opts}


# --- each face has every option, or says why not ----------------------------------------------------------------------


def test_a_function_has_every_option_not_declared_absent_with_its_default() -> None:
    parameters = inspect.signature(rm.evaluate).parameters
    assert [*parameters][:3] == ["recs", "truth", "metrics"]
    assert {*parameters} == {name for name in declared(Request, "evaluate") if not is_of_input(name)}
    assert len(parameters) <= 31, "what is about one input is an option of rm.Input"
    assert (parameters["by"].default, parameters["duplicates"].default) == (None, "count")
    of_tables = inspect.signature(rm.to_sql).parameters
    options = [name for name in declared(Request, "to_sql") if not is_of_input(name)]
    assert {*of_tables} == {"where" if name == "partition" else name for name in options}
    required = {name for name, parameter in of_tables.items() if parameter.default is inspect.Parameter.empty}
    assert required == {"recs", "lists", "dialect"}


def test_the_text_of_a_result_has_the_options_that_evaluate_leaves_to_it() -> None:
    parameters = inspect.signature(rm.Result.to_sql).parameters
    for option in fields(Request):
        if declaration_of(option).absent.get("evaluate") == "Result.to_sql has it":
            parameter = parameters["where" if option.name == "partition" else option.name]
            assert parameter.default == option.default, option.name


def test_a_mistyped_option_gets_the_nearest_name_and_a_missing_one_is_named() -> None:
    call: Any = rm.evaluate
    with pytest.raises(TypeError, match=r"evaluate\(\) .*'aggregats'.* Did you mean 'aggregates'\?"):
        call("recs", "truth", "hit", aggregats="mean")
    with pytest.raises(TypeError, match=r"evaluate\(\) missing a required argument: 'recs'"):
        call(metrics="hit")
    with pytest.raises(rm.MetricError, match="No metric was asked for"):
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


def test_a_function_documents_every_option() -> None:
    for function in (rm.evaluate, rm.to_sql):
        arguments = re.findall(r"^    (\w+): ", inspect.getdoc(function) or "", re.MULTILINE)
        assert {*inspect.signature(function).parameters} <= {*arguments}


def test_an_option_has_a_meaning_of_one_sentence_and_reasons_for_its_absence() -> None:
    for name, declaration in OPTIONS.items():
        assert re.fullmatch(r"[^\n]+\.", declaration.meaning), name
        assert {*declaration.absent} < {*get_args(Face)}, name
        assert all(declaration.absent.values()), name


def test_every_option_that_is_not_declared_absent_has_a_flag_and_no_other_has() -> None:
    called = {parameter.name for command in COMMANDS.values() for parameter in command.params}
    with_flags = {name for name in OPTIONS if called & {flag.name for flag in SEVERAL.get(name, ())} or name in called}
    assert with_flags == {*declared(Request, "flag")}


def test_every_option_not_declared_absent_is_a_key_of_a_leaderboard() -> None:
    assert (
        {*KEYS} - {"description", "check", "config", "data_types", "partition", "lookback", "semantic_model"}
        == {*declared(Request, "key")}
        == {*declared(Request, "key", "to_sql")}
    )


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
    Bad({"missing": "nobody"}, "--missing nobody", "missing: nobody", tables=True),
    Bad({"rank_from": 2}, "--rank-from 2", "rank_from: 2", tables=True),
    Bad({"lists": ["user", "user"]}, "--list user --list user"),
    Bad({"lists": ["user", "item"]}, "--list user --list item"),
    Bad({"lists": ["users"]}, "--list users"),
    Bad({"truth_lists": ["score"]}, "--truth-list score"),
    Bad({"text": ["colour"]}, "--text colour", "text: colour", tables=True),
    Bad({"by": ["user", "user"]}, "--by user --by user", "by: [user, user]", tables=True),
    # columns of inputs
    Bad({"extra_columns": {"itms": rm.Columns(category="c")}}, "--extra-column itms.category=c"),
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
    Bad({}, "", "", metrics="surprisal@1", tables=True),
    Bad({}, "", "", metrics="hit(rel=2)@1", tables=True),
    Bad({}, "", metrics="hit(rel=2)@1", truth="unrated.csv"),
    Bad({"items": "items.csv"}, "--items items.csv", metrics="categorical_diversity@1"),
    Bad({"items": "items.csv"}, "--items items.csv", metrics="embedding_diversity@1"),
    Bad({"missing": "history"}, "--missing history", "missing: history", tables=True),
    # rows
    Bad({"where": "user = "}, '--where "user = "'),
    Bad({"where": "colour = 'red'"}, "--where \"colour = 'red'\""),
    Bad({"where": "items: item = 1"}, '--where "items: item = 1"'),
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
    Bad({"form": "query", "name": "db.lb"}, "--as query --name db.lb", tables=True),
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
        flat.to_sql("db.recs", "db.truth", bad.metrics, **options)
    else:
        own = {} if bad.recs == "nowhere" else {"connection": duckdb.connect()}
        flat.evaluate(bad.recs, bad.truth, bad.metrics, **{**own, **bad.python}).collect()


def refused(bad: Bad, spell: Callable[[Option], str]) -> rm.RankMetricsError:
    with spelling(spell), pytest.raises(rm.RankMetricsError) as caught:
        call(bad)
    return caught.value


@pytest.mark.long
def test_every_interface_refuses_with_the_same_message_in_its_own_spelling(folder: Path) -> None:
    n_with_options = 0
    for bad in BAD:
        options: list[Option] = []

        def spell(option: Option, named: list[Option] = options) -> str:
            named.append(option)
            return as_argument(option)

        refused(bad, spell)
        error = refused(bad, as_flag)
        if bad.flags or not bad.tables:
            inputs = (
                ["sql", "db.recs", "db.truth", "--list", "user"] if bad.tables else ["evaluate", bad.recs, bad.truth]
            )
            code, out, err = run(*inputs, "-m", bad.metrics, *shlex.split(bad.flags))
            assert (code, out) == (2, ""), bad
            assert err.splitlines() == [*f"Error: {error}".splitlines(), error.more]
        if bad.yaml is not None:
            path = folder / "leaderboards.yml"
            board = "recs: ref('recs')\n    truth: ref('truth')\n    lists: [user]"
            path.write_text(f"leaderboards:\n  one:\n    {board}\n    metrics: ['{bad.metrics}']\n    {bad.yaml}\n")
            with pytest.raises(rm.RankMetricsError) as caught:
                files(path)
            assert str(caught.value) == f"{path}, leaderboard 'one': {refused(bad, as_key)}", bad
        for option in options:
            assert option.name in {*OPTIONS} | FURTHER
            assert is_python(option), option
            flags = [word for word in shlex.split(as_flag(option)) if word.startswith("--")]
            assert flags, option
            assert {*flags} <= FLAGS, option
            if option.name in KEYS and option.value is not None:
                assert {*yaml().safe_load(as_key(option).replace("...", "x"))} == {option.name}
        n_with_options += bool(options)
    assert n_with_options > 0.7 * len(BAD)


def test_a_message_names_options_as_the_interface_takes_them() -> None:
    options = [Option("lists", [...]), Option("columns", {"item": 'a "b"\n\0'}), Option("by", is_noun=True)]
    with spelling(lambda option: f"<{option.name}>"):
        error = rm.ColumnError(f"{options[0]} and {options[1]}. {options[2]} is free.", page="inputs/")
    assert str(error) == "<lists> and <columns>. <by> is free."
    error = rm.ColumnError(f"{options[0]} and {options[1]}. {options[2]} is free.", page="inputs/")
    for other in (error, pickle.loads(pickle.dumps(error))):
        assert str(other) == """lists=[...] and rm.Input(recs, columns={"item": 'a "b"\\n\\x00'}). by is free."""


def is_python(option: Option) -> bool:
    """Whether an option with a value, as Python writes it, is an argument of a call, or an rm.Input with it."""
    if option.of or option.name in OF_INPUT:
        name, field = (option.of, "columns") if option.of else OF_INPUT[option.name]
        return str(option).startswith(f"rm.Input({name}, {field}=")
    if option.value is None:
        return str(option).rstrip("=") == option.name
    call = ast.parse(f"f({option!s})", mode="eval").body
    return isinstance(call, ast.Call) and [keyword.arg for keyword in call.keywords] == [option.name]


# --- What `evaluate` refuses before anything is read: policies, orders and dialects that there are not ----------------


def test_a_choice_that_does_not_exist_is_refused() -> None:
    choices = {
        "missing": "'zero', 'skip', 'listed', 'history', 'baseline' and 'log'",
        "ties": "'item', 'item_desc', 'input', 'text_desc', 'expected', 'best' and 'worst'",
        "duplicates": "'count', 'first' and 'error'",
        "unjudged": "'irrelevant', 'removed' and 'removed_negative'",
    }
    for name, known in choices.items():
        options: dict[str, Any] = {name: "random"}
        with refusal(rm.MetricError, f"{name} must be one of {known}", "'random' is not"):
            flat.evaluate(SCORED, TRUTH, "hit@1", **options)


def test_the_order_of_a_table_or_relation_cannot_break_ties() -> None:
    with duckdb.connect() as connection:
        relation = connection.from_arrow(SCORED.to_arrow())
        relation.create("scored")
        for recs in (relation, "scored"):
            with refusal(rm.ColumnError, 'ties="input"', "DuckDB table or relation", "rank"):
                rm.evaluate(recs, TRUTH, "hit@1", ties="input", connection=connection)
