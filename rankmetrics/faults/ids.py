"""Ids that differ only in blanks at their ends, case or leading zeros: the same id, probably, written in two ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from rankmetrics.errors import EngineError
from rankmetrics.faults.columns import Inputs, quoted


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
    """Ids of texts that are alike, of items and lists, as far as the inputs have ids that the other input lacks.

    Args:
        inputs: the inputs.
        totals: the counts of the account.
    """
    layout = inputs.layout
    recs, truth = layout.side("recs"), layout.side("truth")
    pairs = []
    if totals["items_unjudged"]:
        pairs.append((str(recs.roles.item), str(truth.roles.item)))
    if totals["lists_without_truth"] and totals["truth_lists"] > totals["truth_lists_met"]:
        pairs += [(name, truth.own(name)) for name in layout.truth_lists]
    for column, of_truth in pairs:
        if recs.types[column].family == truth.types[of_truth].family == "string":
            with suppress(EngineError):  # an old database may lack a function: the numbers are right all the same
                yield from _alike_ids(inputs, column, of_truth)


def _alike_ids(inputs: Inputs, column: str, of_truth: str) -> Iterator[AlikeIds]:
    forms = f"""
        SELECT id, LTRIM(LOWER(TRIM(id)), '0') AS form
        FROM (
            SELECT CAST({quoted(column)} AS TEXT) AS id FROM recs
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
