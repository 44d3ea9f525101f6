"""Random inputs of several days, for comparing what a daily job writes with the full build."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.metrics.catalog import catalog
from tests.support import flat
from tests.support.matrix import variants

DAYS = (1, 2, 3)
ITEMS, USERS, ALGORITHMS = range(9), range(6), ("als", "knn", "pop")
LISTS = ["day", "algorithm", "user"]
EACH_DAY = tuple({"day": day} for day in DAYS)

# The inputs that may have the column of the day, and those that never have it.
MAY_HAVE_A_DAY = ("history", "baseline", "items", "catalog")


def problem(seed: int, with_day: Collection[str]) -> dict[str, pl.DataFrame]:
    """All inputs over three days. Each system is absent on some day, and so are some users.

    `with_day` names the inputs beside recommendations and truth that have the column of the day.
    """
    draw = random.Random(seed)
    absent = {(draw.choice(DAYS), algorithm) for algorithm in ALGORITHMS}

    def days_of(name: str) -> Sequence[dict[str, int]]:
        return [{"day": day} for day in DAYS] if name in with_day else [{}]

    def some(share: float) -> list[int]:
        return draw.sample(ITEMS, draw.randint(0, round(share * len(ITEMS))))

    recs = [
        {"day": day, "algorithm": algorithm, "user": user, "item": item, "rank": rank}
        for day in DAYS
        for algorithm in ALGORITHMS
        for user in USERS
        if (day, algorithm) not in absent and draw.random() < 0.8
        for rank, item in enumerate(draw.sample(ITEMS, 5), start=1)
    ]
    truth = [
        {"day": day, "user": user, "item": item, "rating": draw.choice([0.0, 1.0, 3.0, 5.0])}
        for day in DAYS
        for user in USERS
        if draw.random() < 0.8
        for item in some(0.6)
    ]
    history = [
        {**day, "user": user, "item": item} for day in days_of("history") for user in USERS for item in some(0.5)
    ]
    baseline = [
        {**day, "user": user, "item": item, "rank": rank}
        for day in days_of("baseline")
        for user in USERS
        for rank, item in enumerate(draw.sample(ITEMS, 4), start=1)
    ]
    items: list[dict[str, Any]] = [
        {
            **day,
            "item": item,
            "category": draw.choice(["x", "y", "z"]),
            "embedding": [draw.choice([-1.0, 0.0, 0.5, 2.0]) for _ in range(3)],
            **({"popularity": float(draw.randint(0, 5))} if seed % 2 else {}),
        }
        for day in days_of("items")
        for item in ITEMS
        if draw.random() < 0.9
    ]
    if "items" in with_day:  # embeddings are taken together over all days
        first: dict[int, Any] = {}
        items = [{**row, "embedding": first.setdefault(row["item"], row["embedding"])} for row in items]
    similarity = [
        {"item": item, "other": other, "similarity": draw.random()} for item in ITEMS for other in ITEMS if item < other
    ]
    known = [{**day, "item": item} for day in days_of("catalog") for item in ITEMS if draw.random() < 0.8]
    rows: dict[str, list[dict[str, Any]]] = {"recs": recs, "truth": truth, "history": history, "baseline": baseline}
    rows |= {"items": items, "similarity": similarity, "catalog": known}
    return {name: pl.DataFrame(table) for name, table in rows.items()}


def every_metric(*, once: bool = False) -> list[list[rm.Metric]]:
    """Every metric with every choice of its parameters or once, and with every choice of `missing`, some at a time."""
    every = [metric for choices in variants().values() for metric in (choices[:1] if once else choices)]
    every = [metric for metric in every if metric.settings.get("lengths") != "equal"]
    # the days have no log and no subtopics
    every = [metric for metric in every if metric.definition.fields.get("subject") not in ("log", "subtopics")]
    policies = [choice for choice in catalog().shared("missing").choices if choice in ("skip", "listed")]
    every += [rm.Metric(name, {"missing": choice}, 3) for name in ("ndcg", "coverage", "hit") for choice in policies]
    metrics = [*{metric.label: metric for metric in every}.values()]
    return [metrics[start : start + 60] for start in range(0, len(metrics), 60)]


def assert_increments_make_the_full_build(
    folder: Path,
    frames: Mapping[str, pl.DataFrame],
    metrics: Sequence[str | rm.Metric],
    *,
    wheres: Sequence[Any] = EACH_DAY,
    per_list: bool = False,
    **options: Any,
) -> None:
    """Assert that a table to which each day was added in its own statement has the rows of the full build."""
    given: dict[str, Any] = {name: folder / f"{name}.parquet" for name in frames}
    for name, path in given.items():
        frames[name].write_parquet(path)
    recs, truth = given.pop("recs"), given.pop("truth")
    with duckdb.connect() as connection:
        result = flat.evaluate(recs, truth, metrics, **{"by": ["day", "algorithm"], **given, **options})
        form: dict[str, Any] = {"per_list": per_list, "name": "board"}
        connection.execute(result.to_sql("duckdb", form="table", **form))
        full = connection.sql("FROM board").pl()
        connection.execute("DELETE FROM board")
        for where in wheres:
            connection.execute(result.to_sql("duckdb", form="incremental", where=where, **form))
        keys = [column for column in full.columns if column in (*LISTS, "country", "reader")]
        increments = connection.sql("FROM board").pl()
        assert full.height
        assert_frame_equal(increments.sort(keys), full.sort(keys), rel_tol=1e-12, abs_tol=1e-12)
