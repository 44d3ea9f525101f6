"""Corrections of p-values for several tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence


def bonferroni(p_values: Sequence[float]) -> list[float]:
    """Each p-value times the number of tests.

    Source: Dunn (1961), Multiple comparisons among means. doi:10.1080/01621459.1961.10482090

    >>> bonferroni([0.25, 0.5])
    [0.5, 1.0]
    """
    return [min(1.0, len(p_values) * p_value) for p_value in p_values]


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction: it holds the chance of any false finding, and finds more than Bonferroni's.

    Source: Holm (1979), A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6

    >>> holm([0.125, 0.25, 0.5])
    [0.375, 0.5, 0.5]
    """
    found, highest = [0.0] * len(p_values), 0.0
    for place, index in enumerate(_sorted_places(p_values)):
        highest = max(highest, (len(p_values) - place) * p_values[index])
        found[index] = min(1.0, highest)
    return found


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's step-up correction: it holds the expected share of false findings among all findings.

    Source: Benjamini, Hochberg (1995), Controlling the false discovery rate. doi:10.1111/j.2517-6161.1995.tb02031.x

    >>> benjamini_hochberg([0.125, 0.25, 0.5])
    [0.375, 0.375, 0.5]
    """
    found, lowest = [0.0] * len(p_values), 1.0
    for place, index in reversed([*enumerate(_sorted_places(p_values), start=1)]):
        lowest = min(lowest, len(p_values) / place * p_values[index])
        found[index] = lowest
    return found


def uncorrected(p_values: Sequence[float]) -> list[float]:
    """The p-values as they are."""
    return [*p_values]


# Each correction by its name, with what a note says of it.
CORRECTIONS: Mapping[str, Callable[[Sequence[float]], list[float]]] = {
    "holm": holm,
    "bonferroni": bonferroni,
    "benjamini_hochberg": benjamini_hochberg,
    "none": uncorrected,
}

# How a note calls each correction.
CALLED: Mapping[str, str] = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "benjamini_hochberg": "Benjamini and Hochberg",
    "none": "no correction",
}


def corrected(p_values: Sequence[float | None], correction: str) -> list[float | None]:
    """The corrected p-values; NULLs stay, and are no tests.

    >>> corrected([0.25, None, 0.5], "bonferroni")
    [0.5, None, 1.0]
    """
    known = [p_value for p_value in p_values if p_value is not None]
    found = iter(CORRECTIONS[correction](known))
    return [None if p_value is None else next(found) for p_value in p_values]


def _sorted_places(p_values: Sequence[float]) -> list[int]:
    return sorted(range(len(p_values)), key=lambda index: p_values[index])
