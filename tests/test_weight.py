"""The weight of the project: how many lines and files it may have.

What adds a feature takes something away. Where it cannot, raise the limit in the same commit, and say why.
"""

from __future__ import annotations

import pytest

from tests import ROOT

# Folder and kind of files: the largest number of lines, and of files.
LIMITS = {
    "rankmetrics/**/*.py": (38_200, 140),  # identification of functions
    "rankmetrics/planner/**/*.py": (3_090, 16),
    "tests/**/*.py": (41_050, 216),
    "tests/golden/**/*.sql": (5_100, 60),
    "peers/**/*.py": (5_000, 57),  # LightGBM, XGBoost, CatBoost, identified functions
}


@pytest.mark.parametrize("files", LIMITS)
def test_the_code_is_no_heavier_than_its_limit(files: str) -> None:
    sizes = [len(path.read_text(encoding="utf-8").splitlines()) for path in ROOT.glob(files)]
    lines, n_files = LIMITS[files]
    what = f"{files} has {sum(sizes):,} lines in {len(sizes)} files; its limit is {lines:,} in {n_files}"
    fits = sum(sizes) <= lines and len(sizes) <= n_files
    assert fits, f"{what}: take lines away, or raise it in LIMITS of this file and say why."
