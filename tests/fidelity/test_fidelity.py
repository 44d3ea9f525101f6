"""Every value that the libraries returned on the problems here, on every engine, and what surprises their users."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from peers.job import PAGES, quirks_of
from peers.libraries import LIBRARIES, Library, Row, data
from peers.run import libraries
from peers.tables import GOLDEN
from rankmetrics.metrics.conventions import find
from tests.support import flat
from tests.support.engines import LOCAL, Engine, summarized
from tests.support.refusals import refusal

every_library = pytest.mark.parametrize("library", LIBRARIES, ids=repr)


@cache
def metrics_of(library: Library) -> dict[tuple[str, str, int | None], rm.Metric]:
    keys: list[Any] = data(library.name).select("setting", "metric", "k").unique(maintain_order=True).rows()
    return {key: rm.parse(library.call(key[1], key[0], key[2]), convention=library.convention) for key in keys}


def at_largest_cutoffs(library: Library) -> dict[tuple[str, str, int | None], rm.Metric]:
    """Each metric of the library at its largest cutoff: the other cutoffs are in the long tests."""
    metrics = metrics_of(library)
    largest = {key[:2]: key for key in sorted(metrics, key=lambda key: key[2] or 100)}
    return {key: metrics[key] for key in largest.values()}


def give(engine: Engine) -> Callable[[pl.DataFrame], Any]:
    """How an engine is given rows in an order: a relation has none, an Arrow table has one."""
    return pl.DataFrame.to_arrow if engine.name == "duckdb" else engine.give


def evaluated(
    library: Library, engine: Engine, *left_out: str, metrics: Sequence[rm.Metric] | None = None
) -> rm.Result:
    """Metrics of a library, or all of them, over all problems in one query."""
    inputs: dict[str, Any] = {name: give(engine)(frame) for name, frame in library.inputs(left_out).items()}
    return flat.evaluate(
        **inputs,
        metrics=metrics or [*metrics_of(library).values()],
        by=["problem"],
        convention=library.convention,
        aggregates=["mean", *dict.fromkeys(library.aggregates.values())],
    )


def differing(pairs: Iterable[tuple[Row, float | None]], library: Library) -> list[tuple[object, ...]]:
    """The values that are not the same as ours; nothing is the same as NULL alone."""
    return [
        (*row.values(), ours)
        for row, ours in pairs
        if (row["value"] is None) != (ours is None)
        or abs((row["value"] or 0) - (ours or 0)) > library.tolerance_of(row)
    ]


@every_library
@pytest.mark.parametrize(
    ("engine", "cutoffs"),
    [(LOCAL[1], "largest"), *(pytest.param(engine, "all", marks=pytest.mark.long) for engine in LOCAL)],
)
def test_every_value_and_every_mean_is_the_one_that_the_library_returned(
    library: Library, engine: Engine, cutoffs: str
) -> None:
    metrics = at_largest_cutoffs(library) if cutoffs == "largest" else metrics_of(library)
    result = evaluated(library, engine, metrics=[*metrics.values()])
    lists, summary = engine.read(result.per_list()), engine.read(result.summary())
    mine: dict[Any, Row] = {(row["problem"], row["user"]): row for row in lists.iter_rows(named=True)}
    mine |= {(row["problem"], None): row for row in summary.iter_rows(named=True)}

    def metric_of(row: Row) -> rm.Metric | None:
        return metrics.get((row["setting"], row["metric"], row["k"]))

    def column(row: Row, metric: rm.Metric) -> str:
        aggregate = library.aggregates.get(row["metric"]) if row["user"] is None else None
        return f"{metric.label} {aggregate}" if aggregate else metric.label

    pairs = [
        (row, mine[row["problem"], row["user"]][column(row, metric)])
        for row in library.compared()
        if (metric := metric_of(row))
    ]
    assert pairs
    wrong = differing(pairs, library)
    assert not wrong, (len(wrong), wrong[:10])

    # No list has a value that the library did not return.
    returned: dict[str, set[tuple[str, str]]] = {}
    for row in library.returned():
        is_left_out = any(left_out.holds(row) for left_out in library.left_out)
        if (metric := metric_of(row)) and row["user"] is not None and (row["value"] is not None or is_left_out):
            returned.setdefault(metric.label, set()).add((row["problem"], row["user"]))
    for label, known in returned.items():
        defined = lists.filter(pl.col(label).is_not_null(), pl.col("problem").is_in([problem for problem, _ in known]))
        assert {*defined.select("problem", "user").rows()} <= known, label


@pytest.mark.long
@every_library
def test_we_take_the_problems_too_except_for_repeats(library: Library) -> None:
    (polars,) = (engine for engine in LOCAL if engine.name == "polars")
    evaluated(library, polars, "repeated items").check()


def test_what_rectools_counts_again_is_refused(engine: Engine) -> None:
    (library,) = (library for library in LIBRARIES if library.name == "rectools")
    inputs = {name: frame for name, frame in library.inputs().items() if name in ("recs", "truth")}
    given = {name: engine.give(frame.filter(problem="repeated items")) for name, frame in inputs.items()}
    refused = flat.evaluate(**given, metrics="Precision@5", convention="rectools")
    with refusal(rm.DataError, "Precision@5 refuses repeated items", "an item that their list has already, such as in"):
        refused.collect()
    once = summarized(flat.evaluate(**given, metrics="Precision(duplicates=once)@5", convention="rectools"))
    assert once["Precision(duplicates=once)@5"].is_not_null().all()


def test_rectools_and_we_differ_as_the_page_says() -> None:
    """Unknown distances, a catalogue below k, ranks from 2: our numbers; those of RecTools are in the table."""
    truth = pl.DataFrame({"user": ["u"] * 3, "item": ["a", "b", "c"]})
    far = pl.DataFrame({"item": ["a"], "other": ["b"], "similarity": [-1.0]})
    for metric, items, options, expected in (
        ("IntraListDiversity@3", ["a", "b", "z"], {"similarity": far}, 4 / 3),
        ("IntraListDiversity@2", ["a", "z"], {"similarity": far}, 1.0),
        ("MCC@3", ["d", "a"], {"catalog": pl.DataFrame({"item": ["a", "b"]})}, None),
        ("MRR@2", ["a", "b"], {"ranks": "given"}, 0.5),
        ("Precision@2", ["a", "b"], {"ranks": "given"}, 0.5),
    ):
        ranks = range(2, 2 + len(items)) if "ranks" in options else range(1, 1 + len(items))
        recs = pl.DataFrame({"user": ["u"] * len(items), "item": items, "rank": ranks})
        (row,) = summarized(flat.evaluate(recs, truth, metric, convention="rectools", **options)).to_dicts()
        assert row[metric] == (None if expected is None else pytest.approx(expected)), metric


def test_recommenders_page_has_a_similarity_that_runs_and_repeats_are_refused() -> None:
    page = (PAGES / "recommenders.md").read_text("utf-8")
    train = pl.DataFrame({"user": [1, 2, 2, 3], "item": ["a", "a", "b", "b"]})
    (text,) = re.findall(r"```sql\n(SELECT.*?)```", page, re.DOTALL)
    similarity = pl.SQLContext(train=train).execute(text, eager=True)
    assert similarity.rows() == [("a", "b", pytest.approx(1 / 2))]
    recs = pl.DataFrame({"user": [9] * 3, "item": ["a", "b", "a"], "score": [3.0, 2.0, 1.0]})
    options: dict[str, Any] = {"similarity": similarity, "convention": "recommenders"}
    assert (
        summarized(flat.evaluate(recs[:2], recs[:1].drop("score"), "diversity", **options))["diversity"].item() == 0.5
    )
    with refusal(rm.DataError, "diversity refuses repeated items"):
        flat.evaluate(recs, recs[:1].drop("score"), "diversity", **options).collect()


def test_every_parameter_of_rectools_may_be_written_at_its_default() -> None:
    defaults = json.loads((GOLDEN / "rectools_defaults.json").read_text(encoding="utf-8"))
    assert {*defaults} == {*find("rectools").spellings}
    for name, values in defaults.items():
        texts = [f"{parameter}={value}" for parameter, value in values.items()]
        for inside in (*texts, ", ".join(texts)):
            for call in (f"{name}(k=3, {inside})", f"{name}({inside}, k=3)", f"{name}({inside})@3"):
                if inside:
                    assert rm.parse(call, convention="rectools").label == f"{name}@3", call


@every_library
def test_the_golden_files_of_a_library_are_whole(library: Library) -> None:
    problems, measured = {*data("recs")["problem"]}, {*data(library.name)["problem"]}
    refused = library.about()["refused"]
    assert measured | {*refused} == problems
    assert not measured & {*refused}
    assert all(refused.values())  # the reasons
    of_library = [metric for metric in metrics_of(library).values() if metric.convention != "rankmetrics"]
    spellings = {metric.spelling.lower() for metric in of_library}
    assert {spelling.lower() for spelling in find(library.convention).spellings} == spellings
    for left_out in library.left_out:
        assert any(map(left_out.holds, library.returned())), left_out


def test_each_library_has_a_job_and_its_requirements_and_golden_files_are_small() -> None:
    apart = {"fairranktune", "identified", "obp", "ppi", "pyircor"}  # tests of their own compare these
    names = {library.name for library in LIBRARIES} | apart
    assert {name for name in libraries() if "-" not in name and name != "replay"} == names
    assert {path.stem for path in (GOLDEN.parent / "jobs").glob("*.py")} >= names
    assert sum(path.stat().st_size for path in GOLDEN.iterdir()) < 1_000_000


# --- surprises --------------------------------------------------------------------------------------------------------


def test_a_page_shows_what_the_library_returned_for_each_call() -> None:
    with_quirks = [library for library in LIBRARIES if "quirks" in library.about()]
    assert len(with_quirks) > 10
    for library in with_quirks:
        assert quirks_of(library.convention) == library.about()["quirks"], library
    assert {page.stem for page in PAGES.glob("*.md") if quirks_of(page.stem)} == {one.convention for one in with_quirks}


@pytest.mark.parametrize("library", ["pytrec_eval", "ir_measures"])
def test_a_surprise_of_a_library_is_one_here_too(library: str, engine: Engine) -> None:
    convention = {"pytrec_eval": "trec_eval"}.get(library, library)
    for quirk in json.loads((GOLDEN / f"{library}_quirks.json").read_text(encoding="utf-8")):
        recs, truth = (
            pl.DataFrame([("1", *pair) for pair in quirk[name].items()], schema=["query", "item", column], orient="row")
            for name, column in (("run", "score"), ("qrels", "rating"))
        )
        result = rm.evaluate(give(engine)(recs), give(engine)(truth), quirk["call"], convention=convention)
        ((*_, value),) = engine.read(result.per_list()).rows()
        assert abs(value - quirk["value"]) <= 1e-9, quirk


def test_a_debiased_metric_is_the_metric_of_the_interactions_that_are_left(engine: Engine) -> None:
    document = json.loads((GOLDEN / "rectools_debiased.json").read_text(encoding="utf-8"))
    recs, truth = (data(name).filter(problem=document["problem"]) for name in ("recs", "truth"))
    left = pl.DataFrame(document["left"], schema=["user", "item"], orient="row")
    assert 0 < len(left) < len(truth)
    result = rm.evaluate(
        engine.give(recs.select("user", "item", "rank")),
        engine.give(left),
        [f"{name}@{document['k']}" for name in document["means"]],
        catalog=engine.give(data("catalog")),
        convention="rectools",
    )
    (row,) = engine.read(result.summary()).to_dicts()
    means = {name: row[f"{name}@{document['k']}"] for name in document["means"]}
    assert means == pytest.approx(document["means"], abs=1e-9)
