"""Ids that differ only in blanks at their ends, case or leading zeros: the same id, probably, written in two ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from rankmetrics.errors import EngineError
from rankmetrics.faults.columns import Inputs, not_null, quoted

# The number of lists of the truth whose items are compared.
FIRST_LISTS = 500


@dataclass(frozen=True)
class AlikeIds:
    """The ids of a column in both inputs that another id differs from in form only.

    Attributes:
        column: the column, as the recommendations call it.
        n: how many ids there are more than forms.
        n_ids: the distinct ids.
        pair: two ids of one form.
    """

    column: str
    n: int
    n_ids: int
    pair: tuple[str, str]


def alike_ids(inputs: Inputs, totals: Counter[str]) -> Iterator[AlikeIds]:
    """Text ids of the two inputs that differ in form only: items of the first lists, and ids of lists without truth.

    Args:
        inputs: the inputs.
        totals: the counts of the account, or those of a first look.
    """
    layout = inputs.layout
    if not layout.has_truth:
        return
    recs, truth = layout.side("recs"), layout.side("truth")
    own = {name: truth.own(name) for name in layout.truth_lists}
    first_lists = (
        f"{quoted(name)} IN (SELECT id FROM (SELECT DISTINCT {quoted(column)} AS id FROM truth "
        f"WHERE {not_null(column)} ORDER BY id LIMIT {FIRST_LISTS}) AS first_lists)"
        for name, column in own.items()
    )
    pairs = [(str(recs.roles.item), str(truth.roles.item), " AND ".join(first_lists))]
    if totals["lists_without_truth"]:
        pairs += [(name, column, "") for name, column in own.items()]
    for column, of_truth, rows in pairs:
        if recs.types[column].family == truth.types[of_truth].family == "string":
            with suppress(EngineError):  # an old database may lack a function: the numbers are right all the same
                yield from _alike_ids(inputs, column, of_truth, rows)


def _alike_ids(inputs: Inputs, column: str, of_truth: str, rows: str) -> Iterator[AlikeIds]:
    forms = f"""
        SELECT id, LTRIM(LOWER(TRIM(id)), '0') AS form
        FROM (
            SELECT CAST({quoted(column)} AS TEXT) AS id FROM recs {rows and f"WHERE {rows}"}
            UNION SELECT CAST({quoted(of_truth)} AS TEXT) AS id FROM truth
        ) AS ids
        WHERE id IS NOT NULL"""
    [(n_ids, n_forms)] = inputs.rows(
        f"SELECT COUNT(*) AS n_ids, COUNT(DISTINCT form) AS n_forms FROM ({forms}) AS forms"
    )
    if n_ids > n_forms:
        [pair] = inputs.rows(f"""
            SELECT MIN(id) AS first_id, MAX(id) AS last_id FROM ({forms}) AS forms
            GROUP BY form HAVING COUNT(*) > 1 ORDER BY form DESC LIMIT 1""")
        yield AlikeIds(column, n_ids - n_forms, n_ids, (pair[0], pair[1]))
