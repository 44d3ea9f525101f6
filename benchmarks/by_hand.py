"""The metrics of engines.py as SQL written by hand, in DuckDB's words; engines.py translates it for each engine.

The tables are recs (algorithm, user, item, rank), truth and history (user, item), and items (item, category). A query
returns a row for each algorithm: its name, the number of lists, then the metrics. Every user of the truth counts for
every algorithm, as in rankmetrics. No column is NULL.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent / "jobs"))
from asked import CUTOFFS, DEEPEST, ideal

Plan = Callable[[bool], str]  # the query; True: no table has a row twice

SYSTEMS = "systems AS (SELECT DISTINCT algorithm FROM recs)"
COUNTED_BY_GROUP = """
    SELECT "user", COUNT(*) AS n FROM (SELECT DISTINCT "user", item FROM truth) AS pairs GROUP BY "user"
"""


def each(*formulas: str) -> str:
    """Formulas at every cutoff."""
    return ", ".join(formula.format(k=k) for formula in formulas for k in CUTOFFS)


def ideal_rows() -> str:
    """A step with the ideal DCG at every cutoff, for each number of relevant items."""
    rows = (
        f"SELECT {n} AS places, " + ", ".join(f"{ideal(n, k)!r}e0 AS ideal_{k}" for k in CUTOFFS)
        for n in range(1, DEEPEST + 1)
    )
    return f"ideal AS ({' UNION ALL '.join(rows)})"


def hits(unique: bool, sizes: str = "") -> str:
    """The steps that find and number the hits, and count the relevant items; a repeated item has its best rank."""
    grouped, best, counted = 'GROUP BY recs.algorithm, recs."user", recs.item', 'MIN(recs."rank")', "DISTINCT item"
    if unique:
        grouped, best, counted = "", 'recs."rank"', "*"
    return f"""
        found AS (
            SELECT recs.algorithm AS algorithm, recs."user" AS "user", {best} AS "rank"
            FROM recs JOIN truth ON recs."user" = truth."user" AND recs.item = truth.item
            WHERE recs."rank" <= {DEEPEST}
            {grouped}
        ),
        hits AS (
            SELECT algorithm, "user", "rank", ROW_NUMBER() OVER (PARTITION BY algorithm, "user" ORDER BY "rank") AS nth
            FROM found
        ),
        sizes AS ({sizes or f'SELECT "user", COUNT({counted}) AS n FROM truth GROUP BY "user"'})
    """


def sums_per_list(unique: bool, sizes: str = "") -> str:
    """A value for each list, then the means."""
    return f"""
        WITH {hits(unique, sizes)}, {SYSTEMS}, {ideal_rows()},
        sums AS (
            SELECT
                algorithm, "user", MIN("rank") AS first_hit,
                {
        each(
            'SUM(CASE WHEN "rank" <= {k} THEN LN(2) / LN("rank" + 1) END) AS dcg_{k}',
            'COUNT(CASE WHEN "rank" <= {k} THEN 1 END) AS hits_{k}',
            'SUM(CASE WHEN "rank" <= {k} THEN nth / "rank" END) AS precisions_{k}',
        )
    }
            FROM hits
            GROUP BY algorithm, "user"
        )
        SELECT
            systems.algorithm, COUNT(*) AS n_lists,
            {
        each(
            "AVG(COALESCE(dcg_{k}, 0) / ideal_{k}) AS ndcg_{k}",
            "AVG(COALESCE(hits_{k}, 0) / n) AS recall_{k}",
            "AVG(COALESCE(hits_{k}, 0) / {k}) AS precision_{k}",
            "AVG(COALESCE(precisions_{k}, 0) / LEAST(n, {k})) AS ap_{k}",
            "AVG(CASE WHEN first_hit <= {k} THEN 1e0 / first_hit ELSE 0e0 END) AS rr_{k}",
            "AVG(CASE WHEN first_hit <= {k} THEN 1e0 ELSE 0e0 END) AS hit_{k}",
        )
    }
        FROM sizes
        CROSS JOIN systems
        JOIN ideal ON ideal.places = LEAST(sizes.n, {DEEPEST})
        LEFT JOIN sums ON sums.algorithm = systems.algorithm AND sums."user" = sizes."user"
        GROUP BY systems.algorithm
    """


def sums_grouped_twice(unique: bool) -> str:
    """As sums_per_list; but relevant items are counted by two groupings, not by COUNT(DISTINCT)."""
    return sums_per_list(unique, "" if unique else COUNTED_BY_GROUP)


def means_only(unique: bool) -> str:
    """No value of a single list: the hits of all lists are counted by the three numbers that their terms depend on."""
    return f"""
        WITH {hits(unique)}, {SYSTEMS}, {ideal_rows()},
        counted AS (
            SELECT algorithm, "rank", nth, n, COUNT(*) AS same
            FROM hits JOIN sizes ON sizes."user" = hits."user"
            GROUP BY algorithm, "rank", nth, n
        ),
        totals AS (SELECT COUNT(*) AS n_lists FROM sizes)
        SELECT
            systems.algorithm, n_lists,
            {
        each(
            'COALESCE(SUM(CASE WHEN "rank" <= {k} THEN same * LN(2) / LN("rank" + 1) / ideal_{k} END), 0) '
            "/ n_lists AS ndcg_{k}",
            'COALESCE(SUM(CASE WHEN "rank" <= {k} THEN same / n END), 0) / n_lists AS recall_{k}',
            'COALESCE(SUM(CASE WHEN "rank" <= {k} THEN same / {k} END), 0) / n_lists AS precision_{k}',
            'COALESCE(SUM(CASE WHEN "rank" <= {k} THEN same * nth / "rank" / LEAST(n, {k}) END), 0) '
            "/ n_lists AS ap_{k}",
            'COALESCE(SUM(CASE WHEN "rank" <= {k} AND nth = 1 THEN same / "rank" END), 0) / n_lists AS rr_{k}',
            'COALESCE(SUM(CASE WHEN "rank" <= {k} AND nth = 1 THEN same END), 0) / n_lists AS hit_{k}',
        )
    }
        FROM totals
        CROSS JOIN systems
        LEFT JOIN counted ON counted.algorithm = systems.algorithm
        LEFT JOIN ideal ON ideal.places = LEAST(counted.n, {DEEPEST})
        GROUP BY systems.algorithm, n_lists
    """


def two_at_10(unique: bool) -> str:
    """Recall and nDCG at 10."""
    return f"""
        WITH {hits(unique)}, {SYSTEMS}, {ideal_rows()},
        sums AS (
            SELECT algorithm, "user", SUM(LN(2) / LN("rank" + 1)) AS dcg, COUNT(*) AS n_hits
            FROM found
            WHERE "rank" <= 10
            GROUP BY algorithm, "user"
        )
        SELECT
            systems.algorithm, COUNT(*) AS n_lists, AVG(COALESCE(dcg, 0) / ideal_10) AS ndcg,
            AVG(COALESCE(n_hits, 0) / n) AS recall
        FROM sizes
        CROSS JOIN systems
        JOIN ideal ON ideal.places = LEAST(sizes.n, {DEEPEST})
        LEFT JOIN sums ON sums.algorithm = systems.algorithm AND sums."user" = sizes."user"
        GROUP BY systems.algorithm
    """


def history(unique: bool) -> str:
    """surprisal@10 and unseen@10: the recommendations are read and grouped once."""
    seen = "" if unique else "DISTINCT"
    return f"""
        WITH
        seen AS (SELECT {seen} "user", item FROM history),
        popularity AS (SELECT item, COUNT(*) AS n_users FROM seen GROUP BY item),
        totals AS (SELECT COUNT(DISTINCT "user") AS n_all FROM history),
        users AS (SELECT DISTINCT "user" FROM truth),
        lists AS (
            SELECT
                recs.algorithm AS algorithm, recs."user" AS "user",
                AVG(LN(n_all / COALESCE(n_users, 1)) / LN(n_all)) AS surprisal,
                AVG(CASE WHEN seen.item IS NULL THEN 1e0 ELSE 0e0 END) AS unseen
            FROM recs
            CROSS JOIN totals
            LEFT JOIN popularity ON popularity.item = recs.item
            LEFT JOIN seen ON seen."user" = recs."user" AND seen.item = recs.item
            WHERE recs."rank" <= 10
            GROUP BY recs.algorithm, recs."user"
        )
        SELECT
            lists.algorithm, (SELECT COUNT(*) FROM users) AS n_lists,
            AVG(surprisal) AS surprisal, AVG(unseen) AS unseen
        FROM lists JOIN users ON users."user" = lists."user"
        GROUP BY lists.algorithm
    """


def diversity(unique: bool) -> str:
    """category_diversity@10: items of one list that share a category, joined by it."""
    rows = "items" if unique else "(SELECT DISTINCT item, category FROM items) AS pairs"
    return f"""
        WITH
        categories AS (SELECT item, category, COUNT(*) OVER (PARTITION BY item) AS n FROM {rows}),
        users AS (SELECT DISTINCT "user" FROM truth),
        tagged AS (
            SELECT
                recs.algorithm AS algorithm, recs."user" AS "user", recs."rank" AS "rank",
                categories.category AS category, categories.n AS n
            FROM recs JOIN categories ON categories.item = recs.item
            WHERE recs."rank" <= 10
        ),
        pairs AS (
            SELECT a.algorithm AS algorithm, a."user" AS "user", COUNT(*) / (a.n + b.n - COUNT(*)) AS likeness
            FROM tagged AS a
            JOIN tagged AS b ON a.algorithm = b.algorithm AND a."user" = b."user" AND a.category = b.category
            WHERE a."rank" < b."rank"
            GROUP BY a.algorithm, a."user", a."rank", b."rank", a.n, b.n
        ),
        alike AS (SELECT algorithm, "user", SUM(likeness) AS likeness FROM pairs GROUP BY algorithm, "user"),
        lengths AS (SELECT algorithm, "user", COUNT(DISTINCT "rank") AS n FROM tagged GROUP BY algorithm, "user")
        SELECT
            lengths.algorithm, (SELECT COUNT(*) FROM users) AS n_lists,
            AVG(CASE WHEN n > 1 THEN 1 - COALESCE(likeness, 0) / (n * (n - 1) / 2) END) AS diversity
        FROM lengths
        JOIN users ON users."user" = lengths."user"
        LEFT JOIN alike ON alike.algorithm = lengths.algorithm AND alike."user" = lengths."user"
        GROUP BY lengths.algorithm
    """


def exposure(unique: bool) -> str:
    """coverage@10 and gini@10 of the items of the catalogue: one grouping by item, then a rank of the items."""
    catalog = "SELECT DISTINCT item FROM items"  # has a row for each category
    return f"""
        WITH
        users AS (SELECT DISTINCT "user" FROM truth),
        catalog AS ({catalog}),
        totals AS (SELECT COUNT(*) AS n FROM catalog),
        shown AS (
            SELECT recs.algorithm AS algorithm, recs.item AS item, COUNT(*) AS times
            FROM recs
            JOIN users ON users."user" = recs."user"
            JOIN catalog ON catalog.item = recs.item
            WHERE recs."rank" <= 10
            GROUP BY recs.algorithm, recs.item
        ),
        placed AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY algorithm ORDER BY times) AS place FROM shown),
        sums AS (
            SELECT algorithm, COUNT(*) AS n_shown, SUM(times) AS total, SUM(place * times) AS weighted
            FROM placed
            GROUP BY algorithm
        )
        SELECT
            algorithm, (SELECT COUNT(*) FROM users) AS n_lists, n_shown / n AS coverage,
            2 * (weighted + (n - n_shown) * total) / (n * total) - (n + 1) / n AS gini
        FROM sums CROSS JOIN totals
    """


# For each set of metrics, the plans from which the fastest is taken, engine by engine.
PLANS: Mapping[str, tuple[Plan, ...]] = {
    "accuracy": (sums_per_list, sums_grouped_twice, means_only),
    "two": (two_at_10,),
    "history": (history,),
    "diversity": (diversity,),
    "exposure": (exposure,),
}
