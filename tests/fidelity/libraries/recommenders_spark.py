"""Microsoft's recommenders over Spark frames."""

from __future__ import annotations

from functools import partial

from tests.fidelity.libraries.recommenders import similarity
from tests.fidelity.library import Library, data, without_settings

LIBRARY = Library(
    "recommenders_spark",
    "recommenders, Spark",
    "recommenders-spark",
    without_settings,
    of_rows=True,
    computed={"history": partial(data, "profiles"), "similarity": similarity},
)
