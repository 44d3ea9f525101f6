"""A plain-Python twin of the ranking metrics: slow, short, written to be read beside the SQL.

A value of None means "undefined"; it is never 0 and never NaN.
Throughout: k is the cutoff (None: no cutoff), n the number of recommended pairs
within the cutoff, R the number of relevant items, h the number of hits.
"""

import math
import struct
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias, cast

Row: TypeAlias = Mapping[str, object]
Key: TypeAlias = tuple[Hashable, ...]
Ranked: TypeAlias = list[tuple[int, Hashable]]  # (rank, item)
Judged: TypeAlias = dict[Hashable, float]  # item -> rating
Value: TypeAlias = float | int | None
Named: TypeAlias = str | tuple[str, float]  # "log2", ("geometric", 0.85), ("graded", 4), ...
Metric: TypeAlias = tuple[str, int | None, Mapping[str, Any]]  # (name, k, params)


# ---- from rows to one list -------------------------------------------------------------


def number(value: object) -> float | None:
    """The number itself, or None when it is None or NaN."""
    if value is None or math.isnan(cast("float", value)):
        return None
    return cast("float", value)


def by_score(row: Row) -> tuple[bool, float]:
    """Sort key: score descending, then all None and NaN scores, equal to each other."""
    score = number(row["score"])
    return (True, 0.0) if score is None else (False, -score)


def by_item(row: Row) -> Any:
    """Sort key: the item."""
    return row["item"]


def by_text(row: Row) -> bytes:
    """Sort key: the item as text, byte by byte."""
    return str(row["item"]).encode()


def single(number: float) -> float:
    """A number rounded to 32 bits; beyond what these hold, infinity."""
    try:
        return cast("float", struct.unpack("f", struct.pack("f", number))[0])
    except OverflowError:
        return math.copysign(math.inf, number)


def by_single_score(row: Row) -> tuple[bool, float]:
    """Sort key: as by_score, of scores rounded to 32 bits."""
    unscored, score = by_score(row)
    return unscored, single(score)


def rank_rows(rows: Iterable[Row], ties: str = "item") -> Ranked:
    """The (rank, item) pairs of ONE list: the rank as given, else 1..n by score descending."""
    kept = in_order(rows, ties)
    given = any("rank" in row for row in kept)
    return [(cast("int", row["rank"]) if given else rank, row["item"]) for rank, row in enumerate(kept, start=1)]


def in_order(rows: Iterable[Row], ties: str = "item") -> list[Row]:
    """The rows of ONE list that have an item, by rank as given, else by score descending."""
    kept = [row for row in rows if row["item"] is not None]
    if any("rank" in row for row in kept):
        return sorted(kept, key=lambda row: cast("int", row["rank"]))
    if ties == "item":
        kept.sort(key=by_item)
    elif ties == "item_desc":
        kept.sort(key=by_item, reverse=True)
    elif ties == "text_desc":
        kept.sort(key=by_text, reverse=True)
    elif ties != "input":
        raise ValueError(f"unknown ties: {ties!r}")
    # a stable sort: equal scores stay in the order made above
    return sorted(kept, key=by_single_score if ties == "text_desc" else by_score)


def judge(rows: Iterable[Row]) -> Judged:
    """The rating of each item of ONE list: None or NaN is 1.0, the highest of repeats stands."""
    judged: Judged = {}
    for row in rows:
        item = row["item"]
        if item is None:
            continue
        given = number(row.get("rating"))
        rating = 1.0 if given is None else float(given)
        if item not in judged or rating > judged[item]:
            judged[item] = rating
    return judged


# ---- one judged list at one cutoff -----------------------------------------------------


@dataclass(frozen=True)
class Case:
    """What every metric is computed from."""

    ranks: list[int]  # of the pairs within the cutoff, repeated items included
    hits: list[tuple[int, float]]  # (rank, rating), each relevant item once, in order of rank
    relevant: list[float]  # ratings of all relevant items, highest first
    n: int  # the number of recommended pairs within the cutoff
    R: int  # the number of relevant items
    h: int  # the number of hits
    k_or_n: int  # k, without a cutoff n
    capped: int  # min(k, R), without a cutoff R


def make_case(k: int | None, recommended: Ranked, judged: Judged, rel: float | None) -> Case:
    """Cut at rank <= k; relevant is rating > 0 (rel None) or rating >= rel; hits at best rank."""
    within = [(rank, item) for rank, item in recommended if k is None or rank <= k]
    relevant: Judged = {}
    for item, rating in judged.items():
        if (rating > 0) if rel is None else (rating >= rel):
            relevant[item] = rating
    best: dict[Hashable, int] = {}
    for rank, item in within:
        if item in relevant and (item not in best or rank < best[item]):
            best[item] = rank
    hits = sorted((rank, relevant[item]) for item, rank in best.items())
    n, r, h = len(within), len(relevant), len(hits)
    return Case(
        ranks=[rank for rank, _ in within],
        hits=hits,
        relevant=sorted(relevant.values(), reverse=True),
        n=n,
        R=r,
        h=h,
        k_or_n=n if k is None else k,
        capped=r if k is None else min(k, r),
    )


def ratio(above: float, below: float) -> float | None:
    """above / below, None when below is 0."""
    return None if below == 0 else above / below


def gain_of(gain: str, rating: float) -> float:
    """binary: 1; linear: rating; exponential: 2**rating - 1."""
    if gain == "binary":
        return 1.0
    if gain == "linear":
        return rating
    if gain == "exponential":
        return float(2.0**rating - 1.0)
    raise ValueError(f"unknown gain: {gain!r}")


def discount_of(discount: Named, rank: int) -> float:
    """log2: 1/log2(rank+1); lenskit: 1/max(1, log2(rank)); geometric: p**(rank-1), p 0.85; reciprocal: 1/rank."""
    name, p = (discount, 0.85) if isinstance(discount, str) else discount
    if name == "log2":
        return 1.0 / math.log2(rank + 1)
    if name == "lenskit":
        return 1.0 / max(1.0, math.log2(rank))
    if name == "geometric":
        return float(p ** (rank - 1))
    if name == "reciprocal":
        return 1.0 / rank
    raise ValueError(f"unknown discount: {discount!r}")


# ---- the metrics -----------------------------------------------------------------------


def n_recommended(case: Case) -> int:
    """n."""
    return case.n


def n_relevant(case: Case) -> int:
    """R."""
    return case.R


def n_hits(case: Case) -> int:
    """h."""
    return case.h


def hit(case: Case) -> float | None:
    """1 if h > 0 else 0; None if R = 0."""
    if case.R == 0:
        return None
    return 1.0 if case.h > 0 else 0.0


def precision(case: Case, divisor: str = "k") -> float | None:
    """h / k (no cutoff: n), h / n ("list"), h / min(k, R) ("relevant") or h / min(n, R) ("achievable"); None of 0."""
    below = {"k": case.k_or_n, "list": case.n, "relevant": case.capped, "achievable": min(case.n, case.R)}[divisor]
    return ratio(case.h, below)


def recall(case: Case, divisor: str = "relevant") -> float | None:
    """h / R, or h / min(k, R) ("capped"); None if R = 0."""
    below = {"relevant": case.R, "capped": case.capped}[divisor]
    return ratio(case.h, below)


def f_beta(case: Case, beta: float = 1.0) -> float | None:
    """(1 + b^2) P Rc / (b^2 P + Rc) of P = h / k and Rc = h / R; 0 if both are 0."""
    p, rc = precision(case, "k"), recall(case, "relevant")
    if p is None or rc is None:
        return None
    if p == 0 and rc == 0:
        return 0.0
    return (1 + beta**2) * p * rc / (beta**2 * p + rc)


def first_hit(case: Case) -> int | None:
    """The rank of the first hit, None without one."""
    return case.hits[0][0] if case.hits else None


def rr(case: Case) -> float | None:
    """1 / rank of the first hit, 0 without one; None if R = 0."""
    if case.R == 0:
        return None
    first = first_hit(case)
    return 0.0 if first is None else 1.0 / first


def ap(case: Case, divisor: str = "capped") -> float | None:
    """Sum over hits of hit_number / rank, over the divisor; None if R or the divisor is 0."""
    if case.R == 0:
        return None
    total = 0.0
    for hit_number, (rank, _) in enumerate(case.hits, start=1):
        total += hit_number / rank
    below = {
        "capped": case.capped,
        "relevant": case.R,
        "k": case.k_or_n,
        "list": min(case.n, case.R),
        "hits": max(case.h, 1),
    }[divisor]
    return ratio(total, below)


def dcg(case: Case, gain: str = "binary", discount: Named = "log2") -> float:
    """Sum over hits of gain(rating) * discount(rank)."""
    total = 0.0
    for rank, rating in case.hits:
        total += gain_of(gain, rating) * discount_of(discount, rank)
    return total


def ideal_dcg(case: Case, gain: str = "binary", discount: Named = "log2", ideal: str = "k") -> float:
    """The dcg of all relevant items, highest rating first, cut at k unless ideal is "all"."""
    length = {"k": case.capped, "all": case.R}[ideal]
    total = 0.0
    for rank, rating in enumerate(case.relevant[:length], start=1):
        total += gain_of(gain, rating) * discount_of(discount, rank)
    return total


def ndcg(case: Case, gain: str = "binary", discount: Named = "log2", ideal: str = "k") -> float | None:
    """dcg / ideal_dcg; None if ideal_dcg = 0."""
    return ratio(dcg(case, gain, discount), ideal_dcg(case, gain, discount, ideal))


def r_precision(case: Case, divisor: str = "capped", hitless: str = "zero") -> float | None:
    """Hits with rank <= c, over c = min(k, R), or over R if divisor=relevant; None if R = 0.

    hitless=undefined: None, too, if there is no such hit.
    """
    c = case.capped
    hits = sum(1 for rank, _ in case.hits if rank <= c)
    if hits == 0 and hitless == "undefined":
        return None
    return ratio(hits, {"capped": c, "relevant": case.R}[divisor])


def rbp(case: Case, p: float = 0.85) -> float | None:
    """(1 - p) * sum over hits of p**(rank - 1); None if R = 0."""
    if case.R == 0:
        return None
    total = 0.0
    for rank, _ in case.hits:
        total += p ** (rank - 1)
    return (1 - p) * total


def err(case: Case, stop: Named = "binary") -> float | None:
    """Sum over hits of stop / rank * product of (1 - earlier stops); None if R = 0.

    stop is 0.5, or (2**rating - 1) / 2**max_rating for ("graded", max_rating);
    None if a hit is rated above max_rating.
    """
    if case.R == 0:
        return None
    if isinstance(stop, str):
        if stop != "binary":
            raise ValueError(f"unknown stop: {stop!r}")
        stops = [0.5 for _ in case.hits]
    else:
        name, max_rating = stop
        if name != "graded":
            raise ValueError(f"unknown stop: {stop!r}")
        if any(rating > max_rating for _, rating in case.hits):
            return None
        stops = [(2**rating - 1) / 2**max_rating for _, rating in case.hits]
    total, still_reading = 0.0, 1.0
    for (rank, _), stop_here in zip(case.hits, stops, strict=True):
        total += stop_here / rank * still_reading
        still_reading *= 1 - stop_here
    return total


def auc(case: Case) -> float | None:
    """Share of (hit, miss) pairs with the hit before the miss; None without hits or misses.

    The misses are the places 1..highest rank that hold no hit, m = highest rank - h of them
    (several hits at one given rank can make m negative: that is None too).
    """
    places = max(case.ranks, default=0)
    if case.h == 0 or places - case.h <= 0:
        return None
    hit_ranks = [rank for rank, _ in case.hits]
    miss_ranks = [place for place in range(1, places + 1) if place not in hit_ranks]
    before, pairs = 0, 0
    for hit_rank in hit_ranks:
        for miss_rank in miss_ranks:
            pairs += 1
            if hit_rank < miss_rank:
                before += 1
    return before / pairs


def measure(
    name: str,
    k: int | None,
    recommended: Ranked,
    judged: Judged,
    *,
    rel: float | None = None,
    gain: str = "binary",
    discount: Named = "log2",
    divisor: str | None = None,  # None: the metric's own default
    ideal: str = "k",
    beta: float = 1.0,
    p: float = 0.85,
    stop: Named = "binary",
) -> Value:
    """The named metric of one list at cutoff k; parameters the metric has no use for are idle."""
    case = make_case(k, recommended, judged, rel)
    values: dict[str, Callable[[], Value]] = {
        "n_recommended": lambda: n_recommended(case),
        "n_relevant": lambda: n_relevant(case),
        "n_hits": lambda: n_hits(case),
        "hit": lambda: hit(case),
        "precision": lambda: precision(case, divisor or "k"),
        "recall": lambda: recall(case, divisor or "relevant"),
        "f_beta": lambda: f_beta(case, beta),
        "first_hit": lambda: first_hit(case),
        "rr": lambda: rr(case),
        "ap": lambda: ap(case, divisor or "capped"),
        "dcg": lambda: dcg(case, gain, discount),
        "ideal_dcg": lambda: ideal_dcg(case, gain, discount, ideal),
        "ndcg": lambda: ndcg(case, gain, discount, ideal),
        "r_precision": lambda: r_precision(case),
        "rbp": lambda: rbp(case, p),
        "err": lambda: err(case, stop),
        "auc": lambda: auc(case),
    }
    return values[name]()


# ---- many lists ------------------------------------------------------------------------


def group(rows: Iterable[Row], columns: Sequence[str]) -> dict[Key, list[Row]]:
    """The rows of each list, by the values of the columns; rows with a NULL there are left out."""
    groups: dict[Key, list[Row]] = {}
    for row in rows:
        key = tuple(row[column] for column in columns)
        if None not in key:
            groups.setdefault(key, []).append(row)
    return groups


def per_list(
    recs: Sequence[Row],
    truth: Sequence[Row],
    lists: Sequence[str],
    truth_lists: Sequence[str],
    metrics: Mapping[str, Metric],
    ties: str = "item",
    missing: str = "zero",
    partition: Sequence[str] = (),
) -> dict[Key, dict[str, Value]]:
    """Every metric of every (system, truth list); missing="skip": of those with a row in recs.

    A system has the truth lists of the partitions (values of these columns of the truth) in which it has a row.
    """
    if missing not in ("zero", "skip"):
        raise ValueError(f"unknown missing: {missing!r}")
    system_columns = [column for column in lists if column not in truth_lists]
    rec_rows = group(recs, lists)
    truth_rows = group([row for row in truth if row["item"] is not None], truth_lists)
    systems: list[Key] = [()]
    usable = [row for rows in rec_rows.values() for row in rows]
    if system_columns:
        systems = list(group(usable, system_columns))
    there = set(group(usable, [*system_columns, *partition]))
    answer: dict[Key, dict[str, Value]] = {}
    for system, truth_key in product(systems, truth_rows):
        named = dict(zip([*system_columns, *truth_lists], [*system, *truth_key], strict=True))
        key = tuple(named[column] for column in lists)
        if missing == "skip" and key not in rec_rows:
            continue
        if system_columns and (*system, *(named[column] for column in partition)) not in there:
            continue
        recommended = rank_rows(rec_rows.get(key, []), ties)
        judged = judge(truth_rows[truth_key])
        answer[key] = {
            label: measure(name, k, recommended, judged, **params) for label, (name, k, params) in metrics.items()
        }
    return answer


def summary(
    per_list_values: Mapping[Key, Mapping[str, Value]], lists: Sequence[str], by: Sequence[str]
) -> dict[Key, dict[str, float | None]]:
    """Per value of the `by` columns, the mean of each label over its values that are not None."""
    columns: dict[Key, dict[str, list[float]]] = {}
    for key, values in per_list_values.items():
        named = dict(zip(lists, key, strict=True))
        labels = columns.setdefault(tuple(named[column] for column in by), {})
        for label, value in values.items():
            defined = labels.setdefault(label, [])
            if value is not None:
                defined.append(value)
    return {by_key: {label: ratio(sum(v), len(v)) for label, v in labels.items()} for by_key, labels in columns.items()}
