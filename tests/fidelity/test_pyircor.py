"""pyircor's AP correlations and SciPy's Kendall's tau, on drawn orders of systems."""

from __future__ import annotations

import json
from typing import Any

import pytest
from scipy.stats import kendalltau

from rankmetrics.comparisons.agreement import correlations
from tests.fidelity.tables import GOLDEN

PROBLEMS: list[dict[str, Any]] = json.loads((GOLDEN / "pyircor.json").read_text(encoding="utf-8"))["problems"]


def test_the_agreement_of_two_orders_is_that_of_pyircor_and_scipy() -> None:
    assert {problem["tauap"] is None for problem in PROBLEMS} == {True, False}
    for problem in PROBLEMS:
        judged, right = (dict(enumerate(problem[name])) for name in ("judged", "right"))
        n, tau, one_sided = correlations(judged, right)
        _, same_tau, other_sided = correlations(right, judged)
        assert n == len(judged)
        assert tau == same_tau == pytest.approx(kendalltau(problem["judged"], problem["right"]).statistic, rel=1e-12)
        if problem["tauap"] is not None:
            assert one_sided == pytest.approx(problem["tauap"], rel=1e-12, abs=1e-12)
        assert one_sided is not None
        assert other_sided is not None
        assert (one_sided + other_sided) / 2 == pytest.approx(problem["tauap_b"], rel=1e-12, abs=1e-12), problem
