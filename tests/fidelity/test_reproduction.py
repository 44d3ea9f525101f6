"""Every value that the five systems returned on the shared inputs, by the convention of each, on every engine."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from peers.reproduction import EXCEPTIONS, GOLDEN, SHARED, Call, calls
from tests import ROOT
from tests.support import flat
from tests.support.engines import Engine, each_engine
from tests.support.shared import needs_shared

pytestmark = [needs_shared, pytest.mark.long]

REPRODUCED = ROOT / "peers" / "reproduced.json"

CALLS = list(calls()) if SHARED.is_dir() else []
KEYS = ("system", "setting", "algorithm", "metric")


@cache
def golden(name: str) -> dict[tuple[str, ...], list[dict[str, Any]]]:
    """The rows of a golden file by system, setting, algorithm and metric."""
    rows: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in pl.read_parquet(GOLDEN / f"{name}.parquet").iter_rows(named=True):
        rows.setdefault(tuple(row[key] for key in KEYS), []).append(row)
    return rows


def expected(name: str, call: Call, metric: str) -> list[dict[str, Any]]:
    """What a system returned for a metric, but for what is left out."""
    rows = golden(name).get((call.system, call.setting, call.algorithm, metric), [])
    return [row for row in rows if not any(one.holds(row) for one in EXCEPTIONS)]


LABELS: dict[int, dict[tuple[str, int | None], rm.Metric]] = {}


def asked(call: Call) -> dict[tuple[str, int | None], rm.Metric]:
    """Each metric of a call, at each cutoff."""
    if id(call) not in LABELS:
        found = {(theirs, k): ours.format(k=k) for theirs, ours in call.metrics.items() for k in call.cutoffs}
        LABELS[id(call)] = {key: rm.parse(text, convention=call.convention) for key, text in found.items()}
    return LABELS[id(call)]


def evaluated(call: Call, engine: Engine, **more: Any) -> rm.Result:
    """Our call over the same inputs."""
    given = {name: engine.give(frame) for name, frame in call.inputs().items()}
    metrics = list(asked(call).values())
    return flat.evaluate(given.pop("recs"), given.pop("truth"), metrics, convention=call.convention, **given, **more)


def is_same(theirs: float | None, ours: float | None, tolerance: float) -> bool:
    """Whether two values are equal; NaN is theirs for NULL."""
    if theirs is None or theirs != theirs or ours is None:
        return (theirs is None or theirs != theirs) and ours is None
    return abs(theirs - ours) <= tolerance


@pytest.mark.parametrize("call", CALLS, ids=repr)
@each_engine
def test_every_list_has_the_value_that_the_system_gave_it(call: Call, engine: Engine) -> None:
    names = {one.label for one in asked(call).values() if not one.is_run}
    if not names:
        pytest.skip("every metric of this call is one of a system")
    mine = {str(row["user"]): row for row in engine.read(evaluated(call, engine).per_list()).iter_rows(named=True)}
    wrong = [
        (row["metric"], row["k"], row["user"], theirs, ours)
        for row, theirs, ours in pairs(call, names, mine)
        if not is_same(theirs, ours, call.tolerance)
    ]
    assert not wrong, wrong[:10]


def pairs(
    call: Call, names: set[str], mine: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[Mapping[str, Any], float | None, float | None]]:
    """What they returned beside what we do; cutoffs that the file does not tell apart are compared in order of size."""
    for metric in call.metrics:
        rows = expected("per_list", call, metric)
        at = {k: one.label for (theirs, k), one in asked(call).items() if theirs == metric and one.label in names}
        if call.system.startswith("recometrics"):
            yield from _unordered(rows, list(at.values()), mine)
            continue
        for row in rows if at else ():
            yield row, row["value"], mine.get(row["user"], {}).get(at[row["k"]])


def _unordered(
    rows: list[dict[str, Any]], names: list[str], mine: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[Mapping[str, Any], float | None, float | None]]:
    users: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        users.setdefault(row["user"], []).append(row)
    for user, of_user in users.items():
        ours = [mine.get(user, {}).get(name) for name in (names if len(of_user) == len(names) else names[2:4])]
        theirs = [None if row["value"] is None or row["value"] != row["value"] else row["value"] for row in of_user]
        for their, our in zip(_sorted(theirs), _sorted(ours), strict=True):
            yield of_user[0], their, our


def _sorted(values: list[float | None]) -> list[float | None]:
    return sorted(values, key=lambda value: (value is None, value or 0.0))


@pytest.mark.parametrize("call", CALLS, ids=repr)
@each_engine
def test_every_aggregate_is_the_one_that_the_system_gave(call: Call, engine: Engine) -> None:
    found = [
        row
        for metric in call.metrics
        for row in expected("aggregate", call, metric)
        if row["mode"] in call.aggregates and (row["k"] in call.cutoffs or call.system.startswith("recometrics"))
    ]
    if not found:
        pytest.skip("the golden files hold no aggregate of this call")
    summary = evaluated(call, engine, by=[], aggregates=list(call.aggregates.values())).summary()
    (mine,) = engine.read(summary).iter_rows(named=True)
    wrong: list[tuple[Any, ...]] = []
    if call.system.startswith("recometrics"):
        for metric in call.metrics:
            theirs = _sorted([row["value"] for row in found if row["metric"] == metric])
            if not theirs:
                continue
            ours = _sorted([mine[one.label] for (name, _), one in asked(call).items() if name == metric])
            wrong += [pair for pair in zip(theirs, ours, strict=True) if not is_same(*pair, call.tolerance)]
    else:
        for row in found:
            one = asked(call)[row["metric"], row["k"]]
            is_mean = call.aggregates[row["mode"]] == "mean" or one.is_run
            ours = mine[one.label if is_mean else f"{one.label} {call.aggregates[row['mode']]}"]
            if not is_same(row["value"], ours, call.tolerance):
                wrong.append((row["metric"], row["k"], row["mode"], row["value"], ours))
    assert not wrong, wrong[:10]


def test_what_was_compared_is_all_there_is_and_is_what_the_docs_say(capsys: pytest.CaptureFixture[str]) -> None:
    compared: dict[str, Counter[str]] = {}
    reached: dict[tuple[str, ...], set[tuple[int | None, str | None]]] = {}
    for call in CALLS:
        ks = [None] if call.system.startswith("recometrics") else call.cutoffs  # the files do not say which cutoff
        for metric in call.metrics:
            of_call = (call.system, call.setting, call.algorithm, metric)
            reached.setdefault(of_call, set()).update(product(ks, [None, *call.aggregates]))
    for name in ("per_list", "aggregate"):
        for key, rows in golden(name).items():
            kept = [row for row in rows if not any(one.holds(row) for one in EXCEPTIONS)]
            missed = {(row["k"], row.get("mode")) for row in kept} - reached.get(key, set())
            assert not missed, (name, key, missed)
            compared.setdefault(key[0], Counter())[key[3]] += len(kept)
    found = {system: dict(sorted(metrics.items())) for system, metrics in sorted(compared.items())}
    with capsys.disabled():
        print("\nvalues of other systems that were compared, on each engine:")
        for system, metrics in found.items():
            print(f"  {system}: {sum(metrics.values()):,}")
            print(*(f"    {metric}: {n:,}" for metric, n in metrics.items()), sep="\n")
    if "REPRODUCED" in os.environ:  # write down what was compared, for the docs
        REPRODUCED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    assert found == json.loads(REPRODUCED.read_text(encoding="utf-8"))
