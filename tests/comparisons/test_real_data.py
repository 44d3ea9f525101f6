"""MovieLens 100K, recommended by four models of LensKit: compared as SciPy compares the values of LensKit."""

from __future__ import annotations

from itertools import combinations

import polars as pl
import pytest
from scipy import stats

import rankmetrics as rm
from tests.support.shared import SHARED, needs_shared

ML = SHARED / "data" / "ml100k"
LISTS = ["partition", "user"]

pytestmark = needs_shared


def values_of_lenskit(metric: str, labels: list[str]) -> dict[tuple[str, str], pl.DataFrame]:
    """LensKit's values of two models side by side, in `left` and `right`, for each pair of models."""
    values = pl.read_parquet(ML / "lenskit_per_list.parquet").select(*LISTS, "algorithm", metric)
    of = {name: values.filter(pl.col("algorithm") == name).drop("algorithm") for name in labels}
    return {
        (one, other): of[one]
        .join(of[other], on=LISTS, suffix="_right")
        .select(left=pl.col(metric), right=pl.col(f"{metric}_right"))
        .drop_nulls()
        for one, other in combinations(labels, 2)
    }


def test_pairs_of_models_differ_as_the_values_of_lenskit_do() -> None:
    names_there = {"ndcg@10": "NDCG@10", "recall@5": "Recall@5"}
    result = rm.evaluate(
        pl.scan_parquet(ML / "recs.parquet"),
        pl.scan_parquet(ML / "truth.parquet").drop("timestamp"),
        [*names_there],
        by="algorithm",
        convention="lenskit",
    )
    compared = result.compare(correction=None, tests=["t", "wilcoxon"]).collect()
    labels = sorted({*compared["baseline"], *compared["system"]})
    of_pairs = {metric: values_of_lenskit(name, labels) for metric, name in names_there.items()}
    assert (compared.height, len(labels)) == (12, 4)
    for row in compared.iter_rows(named=True):
        values = of_pairs[row["metric"]][row["baseline"], row["system"]]
        differences = (values["right"] - values["left"]).round(12)  # LensKit adds in another order
        test = stats.ttest_rel(values["right"], values["left"])
        signed = stats.wilcoxon(differences, zero_method="pratt", correction=False, method="asymptotic")
        assert row["n_lists"] == values.height
        numbers = [row["difference"], row["ci_low"], row["ci_high"]]
        assert numbers == pytest.approx([differences.mean(), *test.confidence_interval()], abs=1e-9)
        p_values = [row["p_t"], row["p_wilcoxon"]]
        assert p_values == pytest.approx([test.pvalue, signed.pvalue], rel=1e-6, abs=1e-12)
