"""trec_eval by pytrec_eval-terrier."""

from __future__ import annotations

import re

from tests.fidelity.library import Library


def _trec_eval(metric: str, setting: str, k: int | None) -> str:
    """A measure of trec_eval at a relevance level, which is rel, where it looks at that."""
    level, _, squared = re.fullmatch(r"level=(\d+)(, x=(\d))?", setting).groups()  # type: ignore[union-attr]
    if shared := re.fullmatch(r"(iprec_at_recall|Rprec_mult)_(\d\.\d\d)", metric):
        parameter = {"iprec_at_recall": "at_recall", "Rprec_mult": "multiple"}[shared[1]]
        return f"{shared[1]}({parameter}={shared[2]}, rel={level})"
    name = metric.removeprefix("gm_")
    rel = "" if name in ("ndcg", "ndcg_cut", "num_ret") else f"rel={level}"
    set_at = ", ".join(one for one in (rel, "beta=2" if name == "set_F" and squared == "4" else "") if one)
    return f"{name}{f'({set_at})' if set_at else ''}{f'@{k}' if k else ''}"


LIBRARY = Library(
    "pytrec_eval",
    "pytrec_eval-terrier",
    "trec_eval",
    _trec_eval,
    aggregates={
        **dict.fromkeys(("num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret"), "total"),
        **dict.fromkeys(("gm_map", "gm_bpref"), "geometric_mean"),
    },
)
