"""The formulas in the headers of sql/metrics and sql/runs: LaTeX that renders, and what `evaluate` computes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import accumulate, combinations
from math import floor, hypot, log, log2, prod, sqrt
from types import SimpleNamespace
from typing import Any

import pytest
from latex2mathml.converter import convert

import rankmetrics as rm
from docs.tooling.formula_symbols import INLINE, SYMBOLS, UNSAFE, symbols_of, unknown_symbols
from docs.tooling.metric_pages import without_formula
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.definition import Definition, read
from tests.support.metric_examples import CATEGORIES, HISTORY, INPUTS, POOLS, RECS, TRUTH, examples, worked

METRICS = catalog().metrics()
WITH_FORMULA = [one for one in METRICS if "formula" in one.fields]


def _name(definition: Definition) -> str:
    return definition.name


def test_every_metric_has_a_formula_and_a_subject() -> None:
    assert not without_formula(), "\n".join(without_formula())


@pytest.mark.parametrize("definition", WITH_FORMULA, ids=_name)
def test_a_formula_is_latex_that_markdown_leaves_alone(definition: Definition) -> None:
    formula = definition.fields["formula"]
    found = UNSAFE.search(formula)
    assert found is None, f"write it as a command: {found and found[0]!r} (\\lt for <, \\lbrace for {{, no \\,)"
    assert convert(formula).startswith("<math")
    assert formula.count("{") == formula.count("}")
    assert formula.count(r"\left") == formula.count(r"\right")


@pytest.mark.parametrize("definition", WITH_FORMULA, ids=_name)
def test_every_symbol_of_a_formula_has_a_meaning(definition: Definition) -> None:
    unknown = unknown_symbols(definition.fields["formula"])
    assert not unknown, f"add {', '.join(unknown)} to SYMBOLS of tests/support/formula_symbols.py, or use its symbols"


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_the_meaning_of_a_symbol_reads_only_symbols_with_a_meaning(symbol: str) -> None:
    assert [one for inside in INLINE.findall(SYMBOLS[symbol]) for one in unknown_symbols(inside)] == []


def test_every_symbol_with_a_meaning_is_in_a_formula() -> None:
    used = {symbol for one in WITH_FORMULA for symbol in symbols_of(one.fields["formula"])}
    assert used == set(SYMBOLS)


def test_a_definition_on_the_terminal_has_no_latex() -> None:
    assert "formula:" in catalog().metric("ndcg").text
    assert "\\frac" not in rm.explain("ndcg@10")


def test_an_indented_line_of_a_header_continues_the_key_above_it() -> None:
    lines = ["-- twice: two hits.", "--", "-- formula: 2", "--   \\cdot n", "-- Prose.", "--   indented prose"]
    definition = read("\n".join([*lines, "SELECT 2 AS twice FROM metrics"]), "twice.sql")
    assert definition.fields["formula"] == r"2 \cdot n"
    assert definition.notes == "Prose.\nindented prose"


# --- each formula once more, in Python, over the example of the pages -------------------------------------------------

K = 5
RANKS = range(1, K + 1)


def _list(user: str) -> Any:
    """The symbols of the formulas for a list of the example; sequences begin with rank 1 at index 1."""
    items = RECS.filter(user=user)["item"].to_list()
    ratings = dict(TRUTH.filter(user=user).select("item", "rating").iter_rows())
    relevant = {item for item, rating in ratings.items() if rating > 0}
    hit = [0, *(int(item in relevant) for item in items), *[0] * (K - len(items))]
    users = Counter(HISTORY["item"])
    baseline = INPUTS["baseline"][1].filter(user=user)["item"].to_list()
    ideal = [1.0] * len(relevant) + [0.0] * K
    return SimpleNamespace(
        items=["", *items],
        hit=hit,
        n=len(items),
        d=[0.0, *(1 / log2(i + 1) for i in RANKS)],
        ideal=[0.0, *ideal],
        R=relevant,
        N={item for item, rating in ratings.items() if rating <= 0},
        J=set(ratings),
        H=set(HISTORY.filter(user=user)["item"]),
        L=set(items[:K]),
        B=baseline,
        b=[0, *(baseline.index(item) + 1 if item in baseline else 0 for item in items)],
        u=[0, *(users[item] for item in items)],
    )


ANA, BEN = _list("ana"), _list("ben")
LISTS = (ANA, BEN)
HIT, D, N_HITS = ANA.hit, ANA.d, sum(ANA.hit)
FOUND = [*accumulate(HIT)]
C = len(INPUTS["catalog"][1])
USERS = Counter(HISTORY["item"])
U = HISTORY["user"].n_unique()
STOP = [0.5 * one for one in HIT]
PAIRS = list(combinations(RANKS, 2))
TAIL, HEAD = GROUPS = ({"E", "F"}, {"H", "B", "C", "D"})  # of 12 interactions, 4 + 3 + 2 + 1 reach 0.8 * 12
CATEGORIES_AT = [set(), *(set(CATEGORIES[item]) for item in ANA.items[1:])]
SIMILAR = {frozenset({one, other}): of for one, other, of in INPUTS["similarity"][1].iter_rows()}
EXPOSURE = Counter(item for one in LISTS for item in one.items[1:])


def _shares(counts: Counter[str]) -> dict[str, float]:
    return {name: count / counts.total() for name, count in counts.items()}


def _in_parts(items: Iterable[str]) -> dict[str, float]:
    """The share of each category, where an item with several categories counts in equal parts."""
    counts: dict[str, float] = {}
    for item in items:
        for category in CATEGORIES[item]:
            counts[category] = counts.get(category, 0) + 1 / len(CATEGORIES[item])
    return {category: count / sum(counts.values()) for category, count in counts.items()}


def _divergence(alpha: float) -> float:
    of_list, of_history = _in_parts(ANA.items[1:]), _in_parts(ANA.H)
    return sum(h * log(h / ((1 - alpha) * of_list.get(c, 0) + alpha * h)) for c, h in of_history.items())


def _unit(item: str) -> tuple[float, float]:
    x, y = dict(INPUTS["items: embedding"][1].iter_rows())[item]
    return x / hypot(x, y), y / hypot(x, y)


def _cosine(one: str, other: str) -> float:
    return sum(a * b for a, b in zip(_unit(one), _unit(other), strict=True))


def _share_below(of: Any) -> float:
    n_negatives = C - len(of.H) - len(of.R) + 1
    return float(sum(1 - sum(1 - of.hit[j] for j in range(1, i)) / n_negatives for i in RANKS if of.hit[i]))


def _ndcg_at(k: int) -> float:
    """The ndcg of Ana's list at a rank, with gains of 1."""
    ranks = range(1, k + 1)
    return float(sum(HIT[i] * D[i] for i in ranks) / sum(ANA.ideal[i] * D[i] for i in ranks))


def _precision_from(level: float) -> float:
    least = floor(level * len(ANA.R) + 0.9)
    return max((FOUND[i] / i for i in RANKS if FOUND[i] >= least), default=0)


def _judged_above(i: int, of: set[str]) -> int:
    return sum(item in of for item in ANA.items[1:i])


def _relevant_share_above(i: int) -> float:
    return float((FOUND[i] - 1 + 1e-5) / (FOUND[i] - 1 + _judged_above(i, ANA.N) + 2e-5))


def _auc(of: Any) -> float:
    hits, misses = sum(of.hit), of.n - sum(of.hit)
    pairs = combinations(range(1, of.n + 1), 2)
    return float(sum(of.hit[i] * (1 - of.hit[j]) for i, j in pairs) / (hits * misses))


def _relative_gap(tail: float, head: float) -> float:
    return abs(tail - head) / (tail + head)


def _popularity_rank(users: int) -> int:
    return sorted({*USERS.values()}, reverse=True).index(users) + 1 if users else C + 1


def _share(hits: int, of: int) -> float:
    return hits / of


FORMULAS: dict[str, Callable[[], float]] = {
    "accuracy": lambda: (C - K - len(ANA.R) + 2 * N_HITS) / C,
    "ap": lambda: sum(HIT[i] / i * sum(HIT[1 : i + 1]) for i in RANKS) / min(K, len(ANA.R)),
    "auc": lambda: sum(HIT[i] * (1 - HIT[j]) for i, j in PAIRS) / (N_HITS * (ANA.n - N_HITS)),
    "normalized_gain": lambda: (
        sum(HIT[i] / log2(2 + sum(max(1, ANA.ideal[j]) - HIT[j] for j in range(1, i + 1))) for i in RANKS)
        / sum(ANA.ideal)
    ),
    "ndcg_at_relevant": lambda: (
        (sum(HIT[i] * _ndcg_at(i) for i in RANKS) + (len(ANA.R) - FOUND[K]) * _ndcg_at(K)) / len(ANA.R)
    ),
    "ndcg_at_levels": lambda: _ndcg_at(len(ANA.R)),  # all gains are 1, and the list is not longer than R + 1
    "binary_g": lambda: sum(HIT[i] / log2(2 + i - FOUND[i]) for i in RANKS) / len(ANA.R),
    "bpref": lambda: (
        sum(
            HIT[i] * (1 - min(len(ANA.R), sum(item in ANA.N for item in ANA.items[1:i])) / min(len(ANA.R), len(ANA.N)))
            for i in RANKS
        )
        / len(ANA.R)
    ),
    "catalog_auc": lambda: (
        (sum(HIT[i] * (1 - HIT[j]) for i, j in PAIRS) + (len(ANA.R) + N_HITS) * (C - len(ANA.R) - K + N_HITS) / 2)
        / (len(ANA.R) * (C - len(ANA.R)))
    ),
    "categorical_diversity": lambda: len(set.union(*CATEGORIES_AT)) / ANA.n,
    "category_diversity": lambda: (
        1
        - 2
        / (K * (K - 1))
        * sum(len(CATEGORIES_AT[i] & CATEGORIES_AT[j]) / len(CATEGORIES_AT[i] | CATEGORIES_AT[j]) for i, j in PAIRS)
    ),
    "category_entropy": lambda: (
        -sum(q * log2(q) for q in _shares(Counter(one for of in CATEGORIES_AT for one in of)).values())
    ),
    "coverage": lambda: len(ANA.L | BEN.L) / C,
    "dcg": lambda: sum(HIT[i] * D[i] for i in RANKS),
    "efd": lambda: sum(HIT[i] * D[i] * log2(USERS.total() / ANA.u[i]) for i in RANKS if HIT[i]) / sum(D),
    "eleven_point_precision": lambda: sum(_precision_from(level / 10) for level in range(11)) / 11,
    "embedding_diversity": lambda: 2 / (K * (K - 1)) * sum(1 - _cosine(ANA.items[i], ANA.items[j]) for i, j in PAIRS),
    "epc": lambda: sum(HIT[i] * D[i] * (1 - ANA.u[i] / U) for i in RANKS) / sum(D),
    "err": lambda: sum(STOP[i] / i * prod(1 - STOP[j] for j in range(1, i)) for i in RANKS),
    "exposure_entropy": lambda: -sum(f * log2(f) for f in _shares(EXPOSURE).values()),
    "f_beta": lambda: 2 * (N_HITS / K) * (N_HITS / len(ANA.R)) / (N_HITS / K + N_HITS / len(ANA.R)),
    "f_beta_of_means": lambda: (
        2
        / len(LISTS)
        * sum(sum(one.hit) / K for one in LISTS)
        * sum(sum(one.hit) / len(one.R) for one in LISTS)
        / (sum(sum(one.hit) / K for one in LISTS) + sum(sum(one.hit) / len(one.R) for one in LISTS))
    ),
    "fall_out": lambda: (ANA.n - N_HITS) / (POOLS["fall_out"] - len(ANA.R)),
    "fill_rate": lambda: ANA.n / K,
    "gauc": lambda: _share_below(ANA) / len(ANA.R),
    "gini": lambda: (
        sum((2 * r - C - 1) * e for r, e in enumerate(sorted([0] * (C - len(EXPOSURE)) + [*EXPOSURE.values()]), 1))
        / (C * EXPOSURE.total())
    ),
    "hit": lambda: max(HIT),
    "ideal_dcg": lambda: sum(ANA.ideal[i] * D[i] for i in RANKS),
    "inferred_ap": lambda: (
        sum(HIT[i] / i * (1 + _judged_above(i, ANA.J) * _relevant_share_above(i)) for i in RANKS) / len(ANA.R)
    ),
    "interpolated_precision": lambda: _precision_from(0),
    "ips_hits": lambda: sum(min(USERS.total() / ANA.u[i], 10**4) for i in RANKS if HIT[i]),
    "judged_share": lambda: len(ANA.L & ANA.J) / ANA.n,
    "least_item_promoted": lambda: max(0, max(ANA.b) - 1 - K),
    "list_diversity": lambda: (
        1 - 2 / (K * (K - 1)) * sum(SIMILAR.get(frozenset({ANA.items[i], ANA.items[j]}), 0) for i, j in PAIRS)
    ),
    "long_tail": lambda: len(ANA.L & TAIL) / ANA.n,
    "mcc": lambda: (C * N_HITS - K * len(ANA.R)) / sqrt(K * len(ANA.R) * (C - K) * (C - len(ANA.R))),
    "mean_recall": lambda: sum(sum(HIT[1 : j + 1]) / len(ANA.R) for j in RANKS) / K,
    "mean_self_information": lambda: (
        sum(log2(USERS.total() / u) for one in LISTS for u in one.u if u) / sum(one.n for one in LISTS)
    ),
    "miscalibration": lambda: _divergence(0.01),
    "n_hits": lambda: N_HITS,
    "n_judged_misses": lambda: len(ANA.L & ANA.N),
    "n_long_tail": lambda: len(ANA.L & TAIL),
    "n_recommended": lambda: ANA.n,
    "n_relevant": lambda: len(ANA.R),
    "ndcg": lambda: _ndcg_at(K),
    "overlap": lambda: len(ANA.L & {*ANA.B[:K]}) / ANA.n,
    "partial_auc": lambda: (
        sum(HIT[i] * max(0, K - sum(1 - HIT[j] for j in range(1, i))) for i in RANKS) / (K * len(ANA.R))
    ),
    "percentile_rank": lambda: (
        100
        / sum(len(one.R) for one in LISTS)
        * sum(
            sum(one.hit[i] * (i - 1) / C for i in RANKS) + len(one.R - one.L) / 2 * ((one.n - 1) / C + 1)
            for one in LISTS
        )
    ),
    "personalization": lambda: 1 - len(ANA.L & BEN.L) / sqrt(len(ANA.L) * len(BEN.L)),
    "pooled_auc": lambda: sum(map(_share_below, LISTS)) / sum(sum(one.hit) for one in LISTS),
    "pooled_precision": lambda: sum(sum(one.hit) for one in LISTS) / (K * len(LISTS)),
    "pop_reo": lambda: _relative_gap(
        *(_share(sum(len(one.L & one.R & of) for one in LISTS), sum(len(one.R & of) for one in LISTS)) for of in GROUPS)
    ),
    "pop_rsp": lambda: _relative_gap(
        *(_share(sum(len(one.L & of) for one in LISTS), sum(len(of - one.H) for one in LISTS)) for of in GROUPS)
    ),
    "popularity": lambda: sum(ANA.u) / ANA.n,
    "popularity_rank": lambda: (
        sum((sum(o < u for o in USERS.values()) + (sum(o == u for o in USERS.values()) + 1) / 2) for u in ANA.u if u)
        / len(USERS)
        / ANA.n
    ),
    "popularity_serendipity": lambda: sum(HIT[i] * max(0, _popularity_rank(ANA.u[i]) - i) for i in RANKS) / (ANA.n * C),
    "precision": lambda: N_HITS / K,
    "profile_distance": lambda: (
        1
        - sum(SIMILAR.get(frozenset({ANA.items[i], x}), int(ANA.items[i] == x)) for i in RANKS for x in ANA.H)
        / ANA.n
        / len(ANA.H)
    ),
    "r_precision": lambda: sum(HIT[1 : min(K, len(ANA.R)) + 1]) / min(K, len(ANA.R)),
    "r_precision_multiple": lambda: sum(HIT[1 : len(ANA.R) + 1]) / len(ANA.R),
    "rbo": lambda: (
        (1 - 0.85)
        / (1 - 0.85**K)
        * sum(0.85 ** (i - 1) * len({*ANA.items[1 : i + 1]} & {*ANA.B[:i]}) / i for i in RANKS)
    ),
    "rbp": lambda: (1 - 0.85) * sum(HIT[i] * 0.85 ** (i - 1) for i in RANKS),
    "recall": lambda: N_HITS / len(ANA.R),
    "rr": lambda: max(HIT[i] / i for i in RANKS),
    "serendipity": lambda: len((ANA.L & ANA.R) - {*ANA.B[:K]}) / ANA.n,
    "set_ap": lambda: N_HITS / ANA.n * N_HITS / len(ANA.R),
    "surprisal": lambda: sum(log2(U / max(ANA.u[i], 1)) / log2(U) for i in RANKS) / ANA.n,
    "unexpectedness": lambda: 1 - len(ANA.L & {*ANA.B[:K]}) / ANA.n,
    "unjudged": lambda: 1 - len(ANA.L & ANA.J) / ANA.n,
    "unrepeated": lambda: len(ANA.L) / ANA.n,
    "unseen": lambda: 1 - len(ANA.L & ANA.H) / ANA.n,
    "user_coverage": lambda: sum(one.n >= 1 for one in LISTS) / len(LISTS),
    "utility": lambda: N_HITS - (ANA.n - N_HITS),
    "weighted_auc": lambda: sum(len(one.R) * _auc(one) for one in LISTS) / sum(len(one.R) for one in LISTS),
    "weighted_precision": lambda: sum(HIT[i] * D[i] for i in RANKS) / sum(D),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_a_formula_in_python_gives_the_value_of_the_example(name: str) -> None:
    first = examples(catalog().metric(name))[0]
    assert FORMULAS[name]() == pytest.approx(worked(first).formula.value, abs=1e-12)
