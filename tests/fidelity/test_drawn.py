"""Numbers of researchers' own code on drawn inputs: a golden file has problems, each with the values of our calls."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl
import pytest
from scipy.stats import kendalltau

import rankmetrics as rm
from peers.tables import GOLDEN
from rankmetrics.comparisons.agreement import correlations
from tests.support import flat
from tests.support.engines import Engine, each_engine

Problem = Mapping[str, Any]


def problems_of(name: str) -> list[dict[str, Any]]:
    document: dict[str, list[dict[str, Any]]] = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    return document["problems"]


def frame(rows: Sequence[Sequence[Any]], *columns: str) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=[*columns], orient="row")


def ranked(lists: Sequence[Sequence[Any]]) -> pl.DataFrame:
    """The items of each list with their ranks; users are the numbers of the lists."""
    rows = [(user, item, rank) for user, items in enumerate(lists) for rank, item in enumerate(items, start=1)]
    return frame(rows, "user", "item", "rank")


def of_expeval(problem: Problem) -> Mapping[str, Any]:
    """Several drawn lists of each user, and rated items."""
    draws = [
        (user, draw, item, rank)
        for user, lists in enumerate(problem["rankings"])
        for draw, items in enumerate(lists)
        for rank, item in enumerate(items, start=1)
    ]
    rated = [(user, item, rating) for user, items in enumerate(problem["truths"]) for item, rating in items]
    return {
        "recs": frame(draws, "user", "draw", "item", "rank"),
        "truth": frame(rated, "user", "item", "rating"),
        "by": [],
    }


def of_groups(problem: Problem) -> Mapping[str, Any]:
    """Rankings of items in groups."""
    items = pl.DataFrame({"item": range(len(problem["groups"])), "category": problem["groups"]})
    return {"recs": ranked(problem["rankings"]), "items": items}


def of_items(problem: Problem) -> Mapping[str, Any]:
    """Rankings of numbered items, with relevant items if the problem has them."""
    relevant = [(user, item) for user, items in enumerate(problem.get("truths", ())) for item in items]
    truth = {"truth": frame(relevant, "user", "item")} if relevant else {}
    return {
        "recs": ranked(problem["rankings"]),
        "catalog": pl.DataFrame({"item": range(1, problem["items"] + 1)}),
        **truth,
    }


# Each golden file whose values are those of systems or of lists in the order of the users, and the inputs of a problem.
INPUTS: Mapping[str, Callable[[Problem], Mapping[str, Any]]] = {
    "expeval": of_expeval,
    "fairranktune": of_groups,
    "item_fairness": of_items,
    "joint_fairness": of_items,
}


def evaluated(engine: Engine, metrics: Sequence[str], inputs: Mapping[str, Any]) -> rm.Result:
    """Our calls over inputs, whose frames are given as the engine takes them."""
    given = {name: engine.give(value) if isinstance(value, pl.DataFrame) else value for name, value in inputs.items()}
    return flat.evaluate(given.pop("recs"), given.pop("truth", None), [*metrics], **given)


def close(value: Any, tolerance: float = 1e-9) -> Any:
    return pytest.approx(value, rel=tolerance, abs=1e-12)


CASES = [(name, number) for name in INPUTS for number in range(len(problems_of(name)))]


@pytest.mark.parametrize(("name", "number"), CASES)
def test_values_on_drawn_rankings_are_theirs(engine: Engine, name: str, number: int) -> None:
    problem = problems_of(name)[number]
    values = {call: value for call, value in problem["values"].items() if not call.startswith("ndkl")}
    result = evaluated(engine, [*values], INPUTS[name](problem))
    (row,) = engine.read(result.summary()).rows(named=True)
    lists = engine.read(result.per_list()) if any(isinstance(value, list) for value in values.values()) else None
    for call, value in values.items():
        label = rm.parse(call).label
        found = row[label] if lists is None or not isinstance(value, list) else lists.sort("user")[label].to_list()
        assert found == close(value), call


@pytest.mark.parametrize("problem", problems_of("fairranktune"))
def test_ndkl_is_that_of_fairranktune(engine: Engine, problem: Problem) -> None:
    inputs = of_groups(problem)
    for user, (exact, rounded) in enumerate(zip(*map(problem["values"].get, ("ndkl", "ndkl as it is")), strict=True)):
        own = inputs["recs"].filter(pl.col("user") == user)  # its target is the whole ranking
        result = evaluated(engine, ["ndkl"], {**inputs, "recs": own, "catalog": own})
        (value,) = engine.read(result.summary())["ndkl"]
        assert value == close(exact), user
        assert value == pytest.approx(rounded, abs=1e-5), user


def test_preferences_are_those_of_pref_eval(engine: Engine) -> None:
    problems = problems_of("pref_eval")
    rated = [(user, item, rating) for user, problem in enumerate(problems) for item, rating in problem["truth"]]
    recs, baseline = (ranked([problem["lists"][side] for problem in problems]) for side in (0, 1))
    inputs = {"recs": recs, "truth": frame(rated, "user", "item", "rating"), "baseline": baseline}
    result = evaluated(engine, [*problems[0]["values"]], inputs)
    rows = engine.read(result.per_list()).sort("user").to_dicts()
    for row, problem in zip(rows, problems, strict=True):
        for call, value in problem["values"].items():
            assert row[rm.parse(call).label] == close(value), (row["user"], call)


def test_agreement_of_orders_is_that_of_pyircor_and_scipy() -> None:
    problems = problems_of("pyircor")
    assert {problem["tauap"] is None for problem in problems} == {True, False}
    for problem in problems:
        judged, right = (dict(enumerate(problem[name])) for name in ("judged", "right"))
        n, tau, one_sided = correlations(judged, right)
        _, same_tau, other_sided = correlations(right, judged)
        assert n == len(judged)
        assert tau == same_tau == pytest.approx(kendalltau(problem["judged"], problem["right"]).statistic, rel=1e-12)
        if problem["tauap"] is not None:
            assert one_sided == close(problem["tauap"], 1e-12)
        assert one_sided is not None
        assert other_sided is not None
        assert (one_sided + other_sided) / 2 == close(problem["tauap_b"], 1e-12), problem


# --- Extrapolated rank-biased overlap by the code of Corsi and Urbano -------------------------------------------------

PAIRS: list[dict[str, Any]] = json.loads((GOLDEN / "tied_rbo.json").read_text(encoding="utf-8"))["pairs"]
TIED = {"w": "equal", "a": "averaged", "b": "corrected"}


def overlaps(engine: Engine, pairs: list[dict[str, Any]], calls: Sequence[str]) -> pl.DataFrame:
    """Our calls for the first list of each pair over the second, by the number of the pair."""
    recs, baseline = (
        frame(
            [(user, *row) for user, pair in enumerate(pairs) for row in pair["lists"][side].items()],
            "user",
            "item",
            "score",
        )
        for side in (0, 1)
    )
    truth = pl.DataFrame({"user": [0], "item": ["i0"]})
    options = {"baseline": baseline, "by": [], "missing": "listed"}
    return engine.read(evaluated(engine, calls, {"recs": recs, "truth": truth, **options}).per_list())


@each_engine
def test_extrapolated_overlap_is_theirs(engine: Engine) -> None:
    calls = {(ties, p): f"rbo(beyond=extrapolated, tied={TIED[ties]}, p={p})@20" for ties, p, _ in PAIRS[0]["values"]}
    rows = {row["user"]: row for row in overlaps(engine, PAIRS, [*calls.values()]).rows(named=True)}
    for user, pair in enumerate(PAIRS):
        for ties, p, value in pair["values"]:
            assert rows[user][rm.parse(calls[ties, p]).label] == close(value, 1e-12), (pair, p)


@each_engine
def test_lists_without_ties_have_one_overlap(engine: Engine) -> None:
    untied = [pair for pair in PAIRS if all(len({*scores.values()}) == len(scores) for scores in pair["lists"])]
    assert len(untied) >= 10
    calls = [f"rbo(beyond=extrapolated, tied={tied})@4" for tied in ("ranked", *TIED.values())]
    for row in overlaps(engine, untied, calls).drop("user").rows():
        assert row == pytest.approx([row[0]] * 4, rel=1e-12)
