"""The inputs of an evaluation: their names, and the columns that engines add."""

from __future__ import annotations

from collections.abc import Mapping

# The columns that an engine adds to an input, under their names in sql/. input_row: the number of a row in the input,
# for ties="input". input_rank: the rank by score, then item, from engines that rank faster than their SQL does.
# dimension: the position of a number in an embedding. If the input already has a column of that name, the added column
# gets another name: see Layout.added.
INPUT_ROW, INPUT_RANK, DIMENSION = "input_row", "input_rank", "dimension"

# The rank column of the recommendations as the input has it, as a floating-point number, under this name in sql/: to
# find ranks that are not whole numbers.
RANK_AS_FLOAT = "rank_as_float"

# The column that holds the path of the file that a row was read from.
INPUT_FILE = "input_file"

# The optional inputs, each with its meaning and its columns. Errors about a missing input quote these texts.
EXTRAS: Mapping[str, str] = {
    "history": "the items that each list's user knew before, one row each: some of the list columns, item",
    "baseline": "the recommendations to compare with: some of the list columns, item, rank or score",
    "items": "what is known of each item: item, and category, embedding, popularity or propensity",
    "similarity": "how alike two items are, one row per pair: item, other, similarity",
    "catalog": "the items that could be recommended, one row each: item",
    "candidates": "the items that each list is ranked among, one row each: some of the list columns, item",
    "log": "what was shown, one row per item that was shown: some of the list columns, item, reward, propensity and, "
    "where several items were shown at once, position and impression",
}

# The meaning and the columns of the truth, for errors about a missing one.
TRUTH = "the relevant items, one row each: some of the list columns, item and, where graded, a rating"

# The input with the systems that are scored in every partition: the list columns that the truth does not have.
SYSTEMS = "systems"

# The embeddings of the items, one row per number. An engine derives this input from a list column of the items.
EMBEDDINGS = "embeddings"

# The error for a text that reads embeddings where no engine has made them rows.
NO_EMBEDDINGS = (
    "Embeddings are made rows by an engine, and no text for a warehouse has them: leave them out. A text for DuckDB "
    "has them if the items are read from a file or a table."
)

# The inputs that an engine derives from other inputs.
MADE = (EMBEDDINGS,)

# The input of a split, as the files of sql/splits call it.
INTERACTIONS = "interactions"

# The inputs that hold ranked lists.
RANKED = ("recs", "baseline")

# Every input, by the name that the files of sql/ read it under.
SOURCES = ("recs", "truth", *EXTRAS, EMBEDDINGS)

# The names of the inputs in messages.
CALLED = {"recs": "recommendations", "truth": "truth", **{name: name for name in (*EXTRAS, EMBEDDINGS, SYSTEMS)}}


def called(name: str) -> str:
    """The name of an input in messages; the input of one of several systems is passed by that name already."""
    return CALLED.get(name, name)
