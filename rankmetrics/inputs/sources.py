"""The inputs there are: what each is for and what it must hold, for whoever lacks one."""

from __future__ import annotations

from collections.abc import Mapping

# The columns that an engine adds to an input, as the files of sql/ call them: the number of a row in the order of the
# rows, where ties="input" asks for it; the rank by score, equal scores by item, where an engine knows a shorter way to
# it than its SQL; the place of a number within an embedding. An input that has such a column of its own gets the added
# column under another name: Layout.added.
INPUT_ROW, INPUT_RANK, DIMENSION = "input_row", "input_rank", "dimension"

# What the column is called that says from which file a row is.
INPUT_FILE = "input_file"

# The inputs beside recommendations and truth, with what each is.
EXTRAS: Mapping[str, str] = {
    "history": "what each list's owner knew before, one row per item: some of the list columns, item",
    "baseline": "the recommendations to compare with: some of the list columns, item, rank or score",
    "items": "what is known of each item: item, and category, embedding or popularity",
    "similarity": "how alike two items are, one row per pair: item, other, similarity",
    "catalog": "the items that could be recommended, one row each: item",
}

# The embeddings of the items, one row per number: what an engine makes of a column of lists of the items.
EMBEDDINGS = "embeddings"

# The inputs that are made of others.
MADE = (EMBEDDINGS,)

# The inputs that are lists in an order.
RANKED = ("recs", "baseline")

# Every input, by the name that the files of sql/ read it under.
SOURCES = ("recs", "truth", *EXTRAS, EMBEDDINGS)

# Roles without which an input cannot be read by who reads them; the other roles may be missing, and are NULL then.
NEEDED = frozenset({"category", "embedding", "popularity", "other", "similarity"})

# What the inputs are called in a message.
CALLED = {
    "recs": "recommendations",
    "truth": "truth",
    **{one: one for one in (*EXTRAS, EMBEDDINGS)},
}


def called(name: str) -> str:
    """What an input is called in a message; an input of one system of several has such a name already."""
    return CALLED.get(name, name)
