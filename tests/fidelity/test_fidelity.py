"""Every value that the libraries returned on the problems here, on every engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.metrics.conventions import find
from tests.fidelity.libraries import LIBRARIES
from tests.fidelity.library import Library, Row, data
from tests.fidelity.tables import GOLDEN
from tests.support.engines import Engine
from tests.support.refusals import refusal

Asked = tuple[str, str, "int | None"]

every_library = pytest.mark.parametrize("library", LIBRARIES, ids=repr)


@cache
def asked(library: Library) -> dict[Asked, rm.Metric]:
    """Our metric for each setting, metric and cutoff of a library."""
    keys: list[Any] = data(library.name).select("setting", "metric", "k").unique(maintain_order=True).rows()
    return {
        (setting, metric, k): rm.parse(library.call(metric, setting, k), convention=library.convention)
        for setting, metric, k in keys
    }


def evaluated(library: Library, engine: Engine, *left_out: str) -> rm.Result:
    """Everything that was asked of a library, asked of us: all problems in one query."""
    give = pl.DataFrame.to_arrow if engine.name == "duckdb" else engine.give  # rows of an Arrow table have an order
    given: dict[str, Any] = {name: give(frame) for name, frame in library.inputs(left_out).items()}
    return rm.evaluate(
        given.pop("recs"),
        given.pop("truth"),
        list(asked(library).values()),
        by=["problem"],
        convention=library.convention,
        aggregates=["mean", *dict.fromkeys(library.aggregates.values())],
        **given,
    )


READ: dict[tuple[str, str], pl.DataFrame] = {}


def of_lists(library: Library, engine: Engine) -> pl.DataFrame:
    """What we measure of every list, read once."""
    key = library.name, engine.name
    if key not in READ:
        READ[key] = engine.read(evaluated(library, engine).per_list())
    return READ[key]


def differing(pairs: Iterator[tuple[Row, float | None]], library: Library) -> list[tuple[object, ...]]:
    """The values that are not the same as ours; nothing is the same as NULL alone. A value that is rounded is the same
    as all values that are rounded to it.
    """
    halves = {metric: 0.5 * 10.0**-decimals for metric, decimals in library.decimals.items()}
    return [
        (*row.values(), ours)
        for row, ours in pairs
        if (row["value"] is None) != (ours is None)
        or abs((row["value"] or 0) - (ours or 0)) > library.tolerance + halves.get(row["metric"], 0)
    ]


@every_library
def test_every_list_has_the_value_that_the_library_gave_it(library: Library, engine: Engine) -> None:
    lists = of_lists(library, engine)
    mine: Mapping[Any, Row] = {(row["problem"], row["user"]): row for row in lists.iter_rows(named=True)}
    rows = [row for row in library.compared() if row["user"] is not None]
    labels = {key: metric.label for key, metric in asked(library).items()}
    wrong = differing(
        ((row, mine[row["problem"], row["user"]][labels[row["setting"], row["metric"], row["k"]]]) for row in rows),
        library,
    )
    assert not wrong, (len(wrong), wrong[:10])


def test_scikit_learn_averages_over_equal_scores_as_ties_expected_does(engine: Engine) -> None:
    """By expected ties alone: `tied=ranked` switches off our other way to the same number."""
    library = next(one for one in LIBRARIES if one.name == "sklearn")
    rows = [row for row in library.compared() if row["setting"] == "ignore_ties=False" and row["user"] is not None]
    keys = {(row["metric"], row["k"]) for row in rows}
    labels = {
        (metric, k): f"{metric}(tied=ranked){'' if k is None else f'@{k}'}" for metric, k in sorted(keys, key=str)
    }
    given = {name: engine.give(frame) for name, frame in library.inputs().items()}
    result = rm.evaluate(
        given.pop("recs"), given.pop("truth"), [*labels.values()], convention="sklearn", ties="expected", **given
    )
    lists = engine.read(result.per_list())
    mine = {(row["problem"], row["user"]): row for row in lists.iter_rows(named=True)}
    wrong = differing(
        ((row, mine[row["problem"], row["user"]][labels[row["metric"], row["k"]]]) for row in rows), library
    )
    assert rows
    assert not wrong, (len(wrong), wrong[:10])


@every_library
def test_no_list_has_a_value_that_the_library_did_not_give_it(library: Library, engine: Engine) -> None:
    lists = of_lists(library, engine)
    theirs: dict[str, set[tuple[str, str]]] = {}
    for row in data(library.name).iter_rows(named=True):
        is_left_out = any(left_out.holds(row) for left_out in library.left_out)
        if row["user"] is not None and (row["value"] is not None or is_left_out):
            label = asked(library)[row["setting"], row["metric"], row["k"]].label
            theirs.setdefault(label, set()).add((row["problem"], row["user"]))
    for label, known in theirs.items():
        defined = lists.filter(pl.col(label).is_not_null(), pl.col("problem").is_in([one for one, _ in known]))
        assert {*defined.select("problem", "user").rows()} <= known, label


@every_library
def test_every_mean_is_the_one_that_the_library_gave(library: Library, engine: Engine) -> None:
    summary = engine.read(evaluated(library, engine).summary())
    mine: Mapping[str, Row] = {row["problem"]: row for row in summary.iter_rows(named=True)}

    def column(row: Row) -> str:
        label = asked(library)[row["setting"], row["metric"], row["k"]].label
        aggregate = library.aggregates.get(row["metric"])
        return f"{label} {aggregate}" if aggregate else label

    rows = [row for row in library.compared() if row["user"] is None]
    wrong = differing(((row, mine[row["problem"]][column(row)]) for row in rows), library)
    assert not wrong, (len(wrong), wrong[:10])


@every_library
def test_the_problems_are_taken_by_us_too_but_for_what_repeats(library: Library, engine: Engine) -> None:
    evaluated(library, engine, "repeated items").check()


def test_what_rectools_counts_again_is_refused(engine: Engine) -> None:
    (library,) = (one for one in LIBRARIES if one.name == "rectools")
    inputs = {name: frame for name, frame in library.inputs().items() if name in ("recs", "truth")}
    given = {name: engine.give(frame.filter(problem="repeated items")) for name, frame in inputs.items()}
    refused = rm.evaluate(**given, metrics="Precision@5", convention="rectools")
    with refusal(rm.DataError, "Precision@5 refuses repeated items", "in the recommendations in", "in the truth in"):
        refused.collect()
    once = rm.evaluate(**given, metrics="Precision(duplicates=once)@5", convention="rectools").collect()
    assert once["Precision(duplicates=once)@5"].is_not_null().all()


@every_library
def test_what_a_library_refused_is_told_with_the_reason(library: Library) -> None:
    problems = {*data("recs")["problem"]}
    refused = library.about()["refused"]
    assert {*data(library.name)["problem"]} | {*refused} == problems
    assert not {*data(library.name)["problem"]} & {*refused}
    assert all(refused.values())


@every_library
def test_every_name_that_a_convention_has_was_run(library: Library) -> None:
    convention = find(library.convention)
    run = {metric.spelling for metric in asked(library).values()}
    assert {one.lower() for one in convention.spellings} == {one.lower() for one in run}


@every_library
def test_each_exception_leaves_values_out(library: Library) -> None:
    for left_out in library.left_out:
        assert any(map(left_out.holds, library.returned())), left_out


def test_the_golden_files_are_small() -> None:
    assert sum(path.stat().st_size for path in GOLDEN.iterdir()) < 1_000_000


def test_each_library_has_a_job_and_its_requirements() -> None:
    folder = GOLDEN.parent
    names = {library.name for library in LIBRARIES}
    assert {path.stem for path in (folder / "requirements").glob("*.txt")} == names
    assert {path.stem for path in (folder / "jobs").glob("*.py")} >= names
