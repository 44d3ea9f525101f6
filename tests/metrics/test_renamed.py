"""Metrics that were defined by former names of stages, parts and columns go on working, with a warning."""

from __future__ import annotations

import pytest

import rankmetrics as rm
from rankmetrics.metrics.catalog import catalog, former_names
from rankmetrics.metrics.definition import Kind
from tests.support.small_lists import RECS, TRUTH


def test_every_former_name_leads_to_a_name_that_is_there() -> None:
    names = former_names()
    assert all(catalog().is_stage(new) for new in names["stages"].values())
    kinds: tuple[Kind, ...] = ("metric", "part", "run", "run part")
    numbers = {one.name for kind in kinds for one in catalog().all(kind)}
    assert {*names["numbers"].values()} <= numbers
    columns = set[str]().union(*(catalog().outputs(one) for one in catalog().stages()))
    assert {*names["columns"].values()} <= columns


def test_no_former_name_is_that_of_anything_now() -> None:
    names = former_names()
    assert [one for one in names["stages"] if catalog().is_stage(one)] == []
    assert [one for one in names["numbers"] if catalog().column(one) or catalog().run_column(one)] == []


@pytest.mark.parametrize(
    ("former", "present", "told"),
    [
        (
            "SELECT MIN(rank) AS own_old FROM found",
            "SELECT MIN(rank) AS own_new FROM unnumbered_hits",
            "unnumbered_hits",
        ),
        (
            "SELECT n_judged_places + 0.5 AS own_old FROM metrics",
            "SELECT n_judged_recommendations + 0.5 AS own_new FROM metrics",
            "n_judged_recommendations",
        ),
        (
            "SELECT MAX(n_all) AS own_old FROM surprises",
            "SELECT MAX(n_all_users) AS own_new FROM recommended_user_counts",
            "n_all is n_all_users",
        ),
        (
            "SELECT n_shown * 2 AS own_old FROM runs",
            "SELECT n_recommended_items * 2 AS own_new FROM runs",
            "n_recommended_items",
        ),
    ],
)
def test_a_metric_by_former_names_is_that_by_present_ones(former: str, present: str, told: str) -> None:
    with pytest.warns(rm.RankMetricsWarning, match=f"former names: .*{told}") as caught:
        rm.define(former)
    assert caught[0].filename == __file__
    rm.define(present)
    result = rm.evaluate(RECS, TRUTH, ["own_old", "own_new"], history=TRUTH).summary().collect()
    assert result["own_old"].to_list() == result["own_new"].to_list()


def test_a_present_name_is_not_warned_of() -> None:
    rm.define("SELECT n_hits * 2 AS own_double FROM metrics")
