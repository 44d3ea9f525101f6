"""The conventions by name: what other libraries compute, as data.

A convention holds the library's own spellings, each with the metric of ours that gives its number, and the policies
that hold for all of them: whose mean it is, which of equal scores comes first, what counts as relevant, what a repeated
item does. Nothing is code for a library: what a convention needs is a parameter that anybody may set.
"""

from __future__ import annotations

from rankmetrics.errors import MetricError, did_you_mean, names, plain
from rankmetrics.metrics.libraries import (
    capri,
    elliot,
    lenskit,
    ranx,
    recometrics,
    rectools,
    replay,
    sklearn,
    trec_eval,
)
from rankmetrics.metrics.libraries.base import Convention as Convention

CONVENTIONS: tuple[Convention, ...] = (
    *replay.CONVENTIONS,
    *elliot.CONVENTIONS,
    *recometrics.CONVENTIONS,
    *capri.CONVENTIONS,
    *lenskit.CONVENTIONS,
    *trec_eval.CONVENTIONS,
    *ranx.CONVENTIONS,
    *rectools.CONVENTIONS,
    *sklearn.CONVENTIONS,
)

# Our own definitions, for a metric that is to be none of the library's that the rest is measured as.
OURS = Convention(name="rankmetrics", what="rankmetrics itself", policies={}, spellings={})


def find(name: str) -> Convention:
    """A convention by its name; `rankmetrics` is that of our own definitions.

    Raises:
        MetricError: there is none of that name; the nearest are given.
    """
    for one in (*CONVENTIONS, OURS):
        if plain(str(name)) in {plain(known) for known in (one.name, *one.aliases)}:
            return one
    known = [one.name for one in CONVENTIONS]
    raise MetricError(f"There is no convention {name!r}: there are {names(known)}.{did_you_mean(str(name), known)}")
