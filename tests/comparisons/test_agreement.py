"""How alike two metrics, or two runs, order the systems."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.comparisons.agreement import correlations
from rankmetrics.errors import ColumnError, InputError, MetricError
from tests.support.engines import Engine, each_engine

# One user, to whom a and b are relevant. By rr: x, y, w, v; by recall: y before x and w, which are equal, before v.
LISTS = {"x": "az", "y": "zab", "w": "zua", "v": "z"}
TRUTH = pl.DataFrame({"user": [1, 1], "item": ["a", "b"]})


def evaluated(engine: Engine, metrics: list[str], lists: dict[str, str], by: str = "system") -> rm.Result:
    rows = [(system, 1, item, rank) for system in lists for rank, item in enumerate(lists[system], 1)]
    recs = pl.DataFrame(rows, ["system", "user", "item", "rank"], orient="row")
    return rm.evaluate(engine.give(recs), engine.give(TRUTH), metrics, by=by)


@each_engine
def test_the_agreement_of_two_metrics_is_that_worked_out(engine: Engine) -> None:
    """Of six pairs, recall orders four as rr, one otherwise, and one not at all.

    By rr, x is above y, x and y are above w, all are above v: of these, recall has 0/1, 1/2 and 3/3 above, too. By
    recall, y is above x and w, all are above v, and rr has 0/1, 1/1 and 3/3 above.
    """
    frame = evaluated(engine, ["rr", "recall@3"], LISTS).agreement()
    tau = (4 - 1) / (6 * 5) ** 0.5
    assert frame.rows() == [
        ("rr", "recall@3", 4, pytest.approx(tau), pytest.approx(2 * (0 + 1 / 2 + 1) / 3 - 1, abs=1e-15)),
        ("recall@3", "rr", 4, pytest.approx(tau), pytest.approx(2 * (0 + 1 + 1) / 3 - 1)),
    ]


def test_lower_is_better_where_the_metric_says_so_and_neither_is_left_out(engine: Engine) -> None:
    frame = evaluated(engine, ["rr", "unjudged@3", "n_recommended"], {"x": "a", "y": "za", "v": "uz"}).agreement()
    assert frame.rows() == [("rr", "unjudged@3", 3, 1, 1), ("unjudged@3", "rr", 3, 1, 1)]


def test_an_agreement_without_an_order_is_undefined() -> None:
    assert correlations({}, {}) == (0, None, None)
    assert correlations({"x": 1.0}, {"x": 2.0}) == (1, None, None)
    assert correlations({"x": 1.0, "y": 1.0}, {"x": 1.0, "y": 2.0}) == (2, None, None)
    assert correlations({"x": 1.0, "y": 2.0}, {"x": 1.0, "y": 1.0}) == (2, None, None)
    assert correlations({"x": 0.3, "y": 0.1 + 0.2}, {"x": 1.0, "y": 2.0}) == (2, None, None)


def test_two_runs_agree_on_the_systems_that_both_have(engine: Engine, tmp_path: Path) -> None:
    now = evaluated(engine, ["rr", "recall@3"], LISTS)
    earlier = evaluated(engine, ["rr", "hit@1"], {"y": "az", "x": "zab", "w": "zua", "u": "a"})
    earlier.write(tmp_path / "earlier.csv")
    for other in (earlier, earlier.collect(), tmp_path / "earlier.csv"):
        assert now.agreement(other).rows() == [("rr", "rr", 3, pytest.approx(1 / 3), 0)]


def test_what_has_no_orders_of_systems_is_refused(engine: Engine) -> None:
    result = evaluated(engine, ["rr"], LISTS)
    with pytest.raises(MetricError, match=r"""the result has 'rr'\. Give another metric, or .* other="last_month"""):
        result.agreement()
    with pytest.raises(InputError, match="no system with a value of the same metric"):
        result.agreement(evaluated(engine, ["recall@3"], LISTS))
    with pytest.raises(ColumnError, match="lacks 'system': its columns are 'rr'"):
        result.agreement(pl.DataFrame({"rr": [1.0]}))
    with pytest.raises(InputError, match=r"""as in by="algorithm"\. A row of this summary is one of 'user'"""):
        evaluated(engine, ["rr", "recall@3"], LISTS, by="user").agreement()
