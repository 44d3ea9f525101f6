"""FairRankTune's fairness of groups of items on drawn rankings, of all items and of some.

Its NDKL adds 1e-7 to each share, so that no logarithm is of 0. It is run as it is and with 1e-300, which changes no
share but 0.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any

import FairRankTune
import pandas as pd

from peers.job import write_json

# Items, groups, rankings, and ranks of each ranking.
SIZES = ((8, 2, 1, 8), (12, 3, 4, 12), (12, 4, 5, 6), (30, 3, 8, 10), (6, 6, 2, 6))
NDKL = sys.modules["FairRankTune.Metrics.NDKL"]


def exactly(function: Callable[..., Any]) -> Any:
    """The divergence without the addend that changes it."""
    code: Any = function.__code__
    constants = tuple(1e-300 if constant == 1e-7 else constant for constant in code.co_consts)
    assert constants != code.co_consts
    return code.replace(co_consts=constants)


def measured(groups: Mapping[int, str], rankings: Sequence[Sequence[int]]) -> Iterator[tuple[str, Any]]:
    """Each of our calls with its value; of a list, those of the lists."""
    frame = pd.DataFrame(dict(enumerate(rankings)))
    for call, function, arguments in (
        ("exposure_ratio", FairRankTune.EXP, ()),
        ("exposure_ratio(discount=geometric, p=0.6)", FairRankTune.AWRF, (0.4,)),
        ("exposure_ratio(discount=geometric, p=0.9)", FairRankTune.ERBP, (0.9,)),
    ):
        yield call, float(function(frame, groups, *arguments, "MinMaxRatio")[0])
    alone = [frame[[column]] for column in frame]
    sizes = {group: [*groups.values()].count(group) for group in groups.values()}
    for call, function, arguments in (
        ("awrf", FairRankTune.EXP, ()),
        ("awrf(discount=geometric, p=0.7)", FairRankTune.AWRF, (0.3,)),
    ):  # from its exposure of a mean item of each group
        distances = []
        for one in alone:
            means = function(one, groups, *arguments, "MinMaxRatio")[1]
            masses = {group: float(mean) * sizes[group] for group, mean in means.items()}
            shares = {group: mass / sum(masses.values()) for group, mass in masses.items()}
            distances.append(sum(abs(share - sizes[group] / len(groups)) for group, share in shares.items()) / 2)
        yield call, distances
    function = vars(NDKL)["__kl_divergence"]
    theirs = function.__code__
    yield "ndkl as it is", [float(FairRankTune.NDKL(one, groups)) for one in alone]
    function.__code__ = exactly(function)
    yield "ndkl", [float(FairRankTune.NDKL(one, groups)) for one in alone]
    function.__code__ = theirs


def main() -> None:
    draw, problems = random.Random(11), list[dict[str, Any]]()
    for n_items, n_groups, n_rankings, n_ranks in SIZES:
        names = [f"g{number}" for number in range(n_groups)]
        groups = dict(enumerate([*names, *draw.choices(names, k=n_items - n_groups)]))
        rankings = [draw.sample(range(n_items), n_ranks) for _ in range(n_rankings)]
        values = dict(measured(groups, rankings))
        problems.append({"groups": [*groups.values()], "rankings": rankings, "values": values})
    versions = {name: version(name) for name in ("FairRankTune", "numpy", "pandas")}
    write_json("fairranktune", {"versions": versions, "problems": problems})
    print(f"fairranktune: {sum(len(problem['values']) for problem in problems)} calls")
