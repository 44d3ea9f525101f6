"""Systems whose hits are no more than by chance are told from sound systems, popular items and random items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from rankmetrics.faults.chance import Fit, by_chance, fits_of, is_undecided, numbered_apart

LISTS, LENGTH = 100, 10
TOTALS = {"sampled_lists": LISTS, "items_recommended": 1000, "items_judged": 1000}


def fits(*systems: tuple[int, int, float], **totals: int) -> Mapping[tuple[object, ...], Fit]:
    """The fits of systems with these hits, hits by chance, and overlap of their lists."""
    rows: dict[tuple[object, ...], Counter[str]] = {
        (name,): Counter(
            sampled_hits=hits,
            sampled_hits_of_any=chance * LISTS,
            sampled_pairs=round(LISTS * LENGTH * (1 + overlap * (LISTS - 1))),
            sampled_counted=LISTS * LENGTH,
            sampled_lists_recommended=LISTS,
        )
        for name, (hits, chance, overlap) in enumerate(systems)
    }
    return fits_of(rows, Counter({**TOTALS, **totals}))


SOUND = (900, 100, 0.1)

# Systems, further counts, and those of the systems that have no more hits than by chance.
CASES: list[tuple[list[tuple[int, int, float]], dict[str, int], list[int]]] = [
    ([(140, 100, 0.1)], {}, [0]),
    ([(141, 100, 0.1)], {}, []),  # significantly more than by chance
    ([SOUND, (140, 100, 0.1)], {}, [1]),
    ([(50, 50, 0.1)], {}, [0]),
    ([(12, 12, 0.1)], {}, []),  # too few to tell
    ([(12, 12, 0.1)] * 4, {}, [0, 1, 2, 3]),  # together they are enough
    ([*[(12, 12, 0.1)] * 4, SOUND], {}, []),
    ([(112, 100, 0.5)], {}, [0]),
    ([(113, 100, 0.5)], {}, []),  # no fewer than those of popular items that are not in the history
    ([(1000, 1000, 1)] * 4, {}, []),  # popular items, the same for all
    ([(100, 100, 0.01)], {}, [0]),  # random items, alone
    ([SOUND, (100, 100, 0.01)], {}, []),  # random items beside a sound system
    ([(0, 0, 0.1)], {"sampled_relevant": 5000}, [0]),  # fewer than random items have
    ([(0, 0, 0.1)], {"sampled_relevant": 500}, []),
    ([(0, 0, 0.1)] * 4, {"sampled_relevant": 500}, [0, 1, 2, 3]),  # together they are enough
    ([(200, 200, 1), (50, 50, 0.01)], {"sampled_relevant": 5000}, []),  # random items beside popular ones
    ([(50, 50, 1), (50, 50, 0.01)], {"sampled_relevant": 5000}, [1]),  # beside the same items for all, which are not
    ([(0, 0, 0.1)], {}, []),
]


@pytest.mark.parametrize(("systems", "totals", "expected"), CASES)
def test_systems_that_hit_by_chance_are_found(
    systems: list[tuple[int, int, float]], totals: dict[str, int], expected: list[int]
) -> None:
    assert [name for (name,) in by_chance(fits(*systems, **totals))] == expected


def test_more_lists_are_wanted_where_these_are_too_few_to_tell() -> None:
    cases: list[tuple[list[tuple[int, int, float]], bool]] = [
        ([(12, 12, 0.1)], True),
        ([SOUND, (12, 12, 0.1)], True),
        ([SOUND], False),
        ([(140, 100, 0.1)], False),
        ([(100, 100, 1)], False),
        ([SOUND, (12, 12, 0.01)], False),
    ]
    for systems, is_wanted in cases:
        assert is_undecided(fits(*systems)) is is_wanted, systems


def test_alike_lists_of_items_that_are_not_popular_are_found() -> None:
    skewed = {"sampled_relevant": 10_000, "sampled_relevant_pairs": 1_000_000}
    (fit,) = fits((100, 100, 1), **skewed).values()
    assert fit.is_unpopular
    for system, totals in [
        ((400, 400, 1), {}),  # popular items
        ((900, 100, 0.5), {}),  # sound
        ((100, 100, 0.4), {}),  # different lists
        ((100, 100, 1), {"items_judged": 99}),  # few items
        ((100, 100, 1), {"sampled_relevant_pairs": 110_000}),  # all items are relevant equally often
        ((1, 1, 1), {"sampled_relevant": 900, "sampled_relevant_pairs": 10_000}),  # few hits
    ]:
        (fit,) = fits(system, **{**skewed, **totals}).values()
        assert not fit.is_unpopular, (system, totals)


def test_items_that_both_inputs_number_without_gaps_are_doubtful_unless_hits_are_far_more_than_by_chance() -> None:
    counts = {"items_recommended": 200, "items_judged": 100}
    gapless = {"items_recommended_gapless": 1, "items_judged_gapless": 1}
    for hits, others, is_doubtful in [
        (299, {}, True),
        (300, {}, False),
        (299, {"items_recommended": 100}, False),
        (299, {"items_judged": 99}, False),
        (299, {"items_judged_gapless": 0}, False),
    ]:
        totals = Counter({**counts, **gapless, **others})
        assert numbered_apart(fits((hits, 100, 0.1)), totals) is is_doubtful, (hits, others)
