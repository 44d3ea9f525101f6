"""Shares of all hashes as texts: a hash is 32 hexadecimal digits, and such texts compare as the numbers do."""

from __future__ import annotations

from sqlglot import exp

from rankmetrics.sqltree import tree

# How many digits a bound has. A hash that begins with the bound's digits is not below the bound.
DIGITS = 8

# A text that is above every hash.
ABOVE_ALL = "g"


def bound(share: float) -> str:
    """The text below which this share of all hashes lies.

    Comparing texts that hold only 0-9 and a-f gives the same order under every collation: digits before letters.

    >>> bound(0.5), bound(0.2), bound(1)
    ('80000000', '33333333', 'g')
    """
    number = round(share * 16**DIGITS)
    return format(number, f"0{DIGITS}x") if number < 16**DIGITS else ABOVE_ALL


def folds(n_folds: int) -> exp.Query:
    """The folds as rows: fold, first_hash, next_hash (the first hash of the next fold).

    >>> for row in folds(2).selects, folds(2).right.selects:
    ...     print(*row, sep=", ")
    1 AS fold, '00000000' AS first_hash, '80000000' AS next_hash
    2 AS fold, '80000000' AS first_hash, 'g' AS next_hash
    """
    rows = []
    for fold in range(n_folds):
        first, after = (exp.Literal.string(bound(number / n_folds)) for number in (fold, fold + 1))
        row = {"fold": tree.literal(fold + 1), "first_hash": first, "next_hash": after}
        rows.append(exp.select(*(exp.alias_(one, name) for name, one in row.items())))
    return exp.union(*rows, distinct=False, copy=False)
