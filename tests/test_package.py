"""The names of the package."""

from __future__ import annotations

import pytest

import rankmetrics as rm


def test_every_metric_and_alias_is_a_name_of_the_package() -> None:
    for name in ("ndcg", "rr", "MRR", "P", "hit_rate"):
        assert getattr(rm, name) == rm.parse(name)


def test_a_name_that_is_none_raises_an_attribute_error_with_what_is_near() -> None:
    with pytest.raises(AttributeError, match=r"rankmetrics has no 'ndgc'.* Did you mean 'ndcg'"):
        _ = rm.ndgc  # type: ignore[attr-defined]
    assert not hasattr(rm, "_ndcg")
    assert not hasattr(rm, "no_such_thing")


def test_dir_lists_the_metrics_and_the_functions() -> None:
    assert {"ndcg", "recall", "evaluate", "Columns"} <= set(dir(rm))
    assert set(rm.__all__) | set(rm.list_metrics()["metric"]) <= set(dir(rm))
