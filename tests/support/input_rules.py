"""Inputs that break a rule of docs/inputs.md, and a file of them."""

from __future__ import annotations

from pathlib import Path

import polars as pl

import rankmetrics as rm

RECS = pl.DataFrame({"day": [1, 1, 2, 2], "user": [1, 1, 1, 2], "item": [1, 2, 2, 3], "score": [0.9, 0.5, 0.8, 0.1]})
TRUTH = pl.DataFrame({"day": [1, 2, 2], "user": [1, 1, 2], "item": [2, 2, 4]})
FIRST_DAY = rm.evaluate(RECS.filter(day=1), TRUTH.filter(day=1), "rr").summary().collect().rows()


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path
