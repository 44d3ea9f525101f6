"""Failed checks as annotations of GitHub Actions."""

from __future__ import annotations

from rankmetrics.gates.model import Check

# The signs that GitHub decodes in the message of a workflow command, and in its properties.
# https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
IN_MESSAGES = {"%": "%25", "\r": "%0D", "\n": "%0A"}
IN_PROPERTIES = {**IN_MESSAGES, ":": "%3A", ",": "%2C"}


def annotation(check: Check) -> str:
    """A check as a line of a workflow's output that GitHub shows as an error.

    >>> from rankmetrics.gates.limits import Limit
    >>> from rankmetrics.gates.model import Check
    >>> print(annotation(Check("max_drop", "ndcg@10", "als: 1", 0.03, Limit(0.01), False, "It fell by 3%.")))
    ::error title=rankmetrics gate%3A max_drop ndcg@10 of als%3A 1::It fell by 3%25.
    """
    title = f"rankmetrics gate: {check.title}"
    return f"::error title={_encoded(title, IN_PROPERTIES)}::{_encoded(check.reason, IN_MESSAGES)}"


def _encoded(text: str, signs: dict[str, str]) -> str:
    return "".join(signs.get(sign, sign) for sign in text)
