"""docs/mistakes.md: the mistakes that users make, with the outcome of each."""

from __future__ import annotations

from tests.support.markdown import table
from tests.support.mistakes import every


def mistakes_page() -> str:
    """The text of the page. Tests make each mistake, on the sample and on MovieLens, on DuckDB and on Polars."""
    happens = {"refused": "an error", "warned": "a warning and a note", "unharmed": "the right numbers"}
    mistakes = every()
    rows = [
        [mistake.what, happens[mistake.outcome], f"`… {mistake.says} …`" if mistake.says else ""]
        for mistake in mistakes
    ]
    counts = ", ".join(
        f"{sum(mistake.outcome == outcome for mistake in mistakes)} end in {what}" for outcome, what in happens.items()
    )
    parts = [
        "# Mistakes and their outcomes",
        (
            f"{len(mistakes)} mistakes that users make. `tests/faults/test_mistakes.py` makes each of them on correct "
            f"data. No wrong number comes without a message: {counts}."
        ),
        (
            "The command line, printing, `collect()`, `check()` and `write()` give these errors and warnings. A lazy "
            "frame from `summary()` or `per_list()` is not checked."
        ),
        (
            "[Messages](messages.md) says for each error what causes it and what to do; [Warnings](warnings.md) says "
            "the same for each warning."
        ),
        table(["the user …", "outcome", "message"], rows),
    ]
    return "\n\n".join(parts) + "\n"
