"""Confidence intervals of means, and errors of regressions on clusters, written again in NumPy."""

from __future__ import annotations

from math import log2
from statistics import NormalDist
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def student(confidence: float, freedom: int) -> float:
    """The quantile of Student's t, by the expansion of Abramowitz and Stegun (26.7.5)."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    terms = [
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    ]
    return sum((term / freedom**power for power, term in enumerate(terms)), 0.0)


def regression(columns: Array, values: Array, clusters: Array) -> tuple[Array, Array, Array]:
    """The coefficients of a regression, their CR2 errors between clusters, and the degrees of freedom of each.

    It is written with matrices, as Bell and McCaffrey (2002) define it, and R's `lm_robust(se_type="CR2")` computes it.
    """
    bread = np.linalg.inv(columns.T @ columns)
    residual_maker = np.eye(len(values)) - columns @ bread @ columns.T
    sums, projections = [], []
    for cluster in np.unique(clusters):
        rows = clusters == cluster
        roots, vectors = np.linalg.eigh(residual_maker[np.ix_(rows, rows)])
        adjusted = vectors @ np.diag(roots**-0.5) @ vectors.T @ columns[rows] @ bread
        sums.append((residual_maker @ values)[rows] @ adjusted)
        projections.append(residual_maker[:, rows] @ adjusted)
    products = np.einsum("gic,hic->cgh", projections, projections)
    freedom = np.trace(products, axis1=1, axis2=2) ** 2 / (products**2).sum(axis=(1, 2))
    return bread @ columns.T @ values, np.sqrt((np.array(sums) ** 2).sum(axis=0)), freedom


def interval(
    values: Array, clusters: Array | None = None, confidence: float = 0.95, *, is_bounded: bool = True
) -> tuple[Array, Array]:
    """The ends of the interval of the mean of each row of values; NaN where there is none.

    Args:
        values: one row per draw, one column per list; from 0 to 1 if `is_bounded`.
        clusters: the number of the cluster of each list, from 0; None if lists are independent.
        confidence: the probability of the interval.
        is_bounded: whether values lie between 0 and 1; otherwise they have no range.
    """
    n_lists = values.shape[1]
    mean, residuals, sizes = values.mean(axis=1), values, np.ones(n_lists)
    if clusters is not None:  # the sum of each cluster
        order = np.argsort(clusters, kind="stable")
        _, starts, sizes = np.unique(clusters[order], return_index=True, return_counts=True)
        residuals = np.add.reduceat(values[:, order], starts, axis=1)
    residuals, n = residuals - sizes * mean[:, None], len(sizes)
    squares, cubes = (residuals**2).sum(axis=1), (residuals**3).sum(axis=1)
    nothing = np.full(len(values), np.nan)
    if n < max(2, log2(2 / (1 - confidence)) - 1e-9):
        return nothing, nothing
    variance = n / (n - 1) * squares / n_lists**2
    varies = variance > (1e-9 * np.abs(mean)) ** 2
    skewed = varies & (np.abs(cubes) > 1e-12 * n_lists * np.abs(mean) ** 3)
    skewness = np.divide(cubes**2, squares**3, out=np.zeros(len(values)), where=skewed)
    quantile = np.full(len(values), student(confidence, n - 1))
    if not is_bounded:
        half = quantile * np.sqrt(variance * (1 + 3 * skewness))
        half[~varies | (n < 100)] = np.nan
        return mean - half, mean + half
    concentration = (sizes**2).sum() / n_lists**2
    largest = mean * (1 - mean)  # the variance of values 0 or 1
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    if clusters is None:
        are_0_or_1 = variance * (n - 1) >= largest * 0.999999999
        quantile[are_0_or_1] = z
        varies &= ~are_0_or_1
    raised = variance + np.maximum(largest * concentration - variance, 0) * np.minimum(1.5 * skewness, 1)
    effective = np.divide(largest, raised, out=np.full(len(values), 1 / concentration), where=varies & (largest > 0))
    hits, misses = (np.where(share > 1e-12, share * effective, 0) for share in (mean, 1 - mean))
    lower = quantile * (
        0.75 + 0.25 * NormalDist().inv_cdf(confidence) / z
    )  # the quantile of Clopper and Pearson's bound
    low = np.minimum(wilson(hits, misses, quantile), clopper_pearson(hits, misses, lower))
    high = 1 - np.minimum(wilson(misses, hits, quantile), clopper_pearson(misses, hits, lower))
    return low, high


def wilson(hits: Array, misses: Array, quantile: Array) -> Array:
    """The lower bound of Wilson's score interval."""
    n = hits + misses
    bound = (hits + quantile**2 / 2 - quantile * np.sqrt(hits * misses / n + quantile**2 / 4)) / (n + quantile**2)
    return np.where(hits == 0, 0, bound)


def clopper_pearson(hits: Array, misses: Array, quantile: Array) -> Array:
    """The lower bound of Clopper and Pearson: a quantile of Beta(hits, misses + 1), by Paulson's approximation.

    The cube root of a variable of the F distribution is nearly normal. 1, where there are no hits or no misses: there,
    Wilson's bound is enough.
    """
    a, b = 9 * hits, 9 * (misses + 1)
    is_known = (a > 1) & ((a - 1) ** 2 > quantile**2 * a) & ((b - 1) ** 2 > quantile**2 * b)
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.sqrt(np.maximum(a * (b - 1) ** 2 + b * (a - 1) ** 2 - quantile**2 * a * b, 0))
        inverse = a * ((b - 1) ** 2 - quantile**2 * b) / (b * ((a - 1) * (b - 1) - quantile * root))
        bound = 1 / (1 + (misses + 1) / hits * inverse**3)
    return np.where((hits == 0) | (misses == 0), 1, np.where(is_known, bound, 0))
