"""Segments in plain Python, written to be read: buckets, and the mean of each segment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean


def buckets(values: Iterable[float | None], n: int) -> dict[float, tuple[int, str]]:
    """The bucket of each value: its number from 1, and its range in words."""
    known = sorted(one for one in values if one is not None)
    place = {one: known.index(one) * n // len(known) + 1 for one in known}
    found = {}
    for one in known:
        inside = [other for other in known if place[other] == place[one]]
        lowest, highest = inside[0], inside[-1]
        found[one] = place[one], f"{lowest}" if lowest == highest else f"{lowest} to {highest}"
    return found


def means(
    values: Mapping[tuple[str, int], float | None], segment_of: Mapping[int, str | None]
) -> dict[tuple[str | None, str], tuple[int, float | None]]:
    """For each segment and system: how many lists, and the mean over those that have a value."""
    found: dict[tuple[str | None, str], list[float | None]] = {}
    for (system, user), value in values.items():
        found.setdefault((segment_of.get(user), system), []).append(value)
    return {key: (len(every), _mean(every)) for key, every in found.items()}


def _mean(values: Sequence[float | None]) -> float | None:
    known = [one for one in values if one is not None]
    return fmean(known) if known else None
