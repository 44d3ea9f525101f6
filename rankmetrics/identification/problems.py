"""Small problems on which definitions of metrics differ: a ranked list and its ratings, read from sql/problems.toml."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from rankmetrics._files import sql_folder

# The cutoff that the file is written for, and the place of the items that make a list longer for a larger cutoff.
CUTOFF, PLACE = 3, 2


@dataclass(frozen=True)
class Problem:
    """A ranked list with its ratings.

    Attributes:
        name: such as `hit at rank 2`.
        items: the ids of the items as texts, the best first; an item may repeat.
        scores: the scores of the items, from the highest to the lowest; some are equal.
        ratings: the ratings of judged items by id, retrieved or not; an item with a rating of 0 or less is irrelevant.
        k: the cutoff.
    """

    name: str
    items: tuple[str, ...]
    scores: tuple[float, ...]
    ratings: Mapping[str, float]
    k: int

    @property
    def relevant(self) -> dict[str, float]:
        """The ratings above 0, by item."""
        return {item: rating for item, rating in self.ratings.items() if rating > 0}

    @property
    def labels(self) -> list[float]:
        """The rating of each item of the list, 0 for an item without one."""
        return [self.ratings.get(item, 0) for item in self.items]

    @property
    def qrels(self) -> dict[str, dict[str, float]]:
        """The ratings as trec_eval and ranx take them: by query and item."""
        return {"q": dict(self.ratings)}

    @property
    def run(self) -> dict[str, dict[str, float]]:
        """The scores by query and item.

        Raises:
            ValueError: an item repeats, which a dict cannot hold.
        """
        if self.has_repeats:
            raise ValueError("a dict holds an item once")
        return {"q": dict(zip(self.items, self.scores, strict=True))}

    @property
    def has_repeats(self) -> bool:
        """True if an item repeats."""
        return len({*self.items}) < len(self.items)

    @property
    def size(self) -> int:
        """The number of items, retrieved or rated."""
        return len(self.items) + len(self.ratings)

    @property
    def text(self) -> str:
        """The list in one line, each item with its rating: `b = a 1 > c; not retrieved: e 2`; `=` ties two items."""
        rated = {item: f"{item} {rating:g}" for item, rating in self.ratings.items()}
        inserted = range(PLACE, PLACE + self.k - CUTOFF) if len(self.items) > PLACE else range(0)
        text = ""
        for place, item in enumerate(self.items):
            if place not in inserted[1:]:
                text += "" if not place else " = " if self.scores[place] == self.scores[place - 1] else " > "
                text += f"{len(inserted)} more" if place in inserted else rated.get(item, item)
        others = [each for item, each in rated.items() if item not in self.items]
        rest = f"; not retrieved: {', '.join(others)}" if others else "" if rated else "; none is rated"
        return f"{text or 'no items'}{rest}"


def problems_of(*cutoffs: int) -> list[Problem]:
    """The problems of the file for each cutoff k: lists get so much longer that rank 3 of the file becomes rank k."""
    import tomllib

    texts = tomllib.loads((sql_folder() / "problems.toml").read_text(encoding="utf-8"))
    problems: dict[str, Problem] = {}
    for k in dict.fromkeys(cutoffs):
        for name, text in texts.items():
            problem = _lengthened(_read(name if k == cutoffs[0] else f"{name}, k = {k}", text), k)
            problems.setdefault(f"{problem.items} {problem.scores} {problem.ratings}", problem)
    return [*problems.values()]


def _read(name: str, text: str) -> Problem:
    ranked, rated = ([*_numbers(part)] for part in text.split("|"))
    items, scores = (tuple(column) for column in (zip(*ranked, strict=True) if ranked else ((), ())))
    return Problem(name, items, scores, dict(rated), CUTOFF)


def _numbers(text: str) -> Iterator[tuple[str, float]]:
    for part in text.split():
        item, number = part.split(":")
        yield item, int(number) if number.lstrip("-").isdigit() else float(number)


def _lengthened(problem: Problem, k: int) -> Problem:
    """A problem for another cutoff; where there were more relevant items than the cutoff, there are so again."""
    items, scores, n = problem.items, problem.scores, max(0, k - CUTOFF)
    if n and len(items) > PLACE:
        above, below = scores[PLACE - 1 : PLACE + 1]
        between = tuple(above + (below - above) * place / (n + 1) for place in range(1, n + 1))
        items = (*items[:PLACE], *(f"x{place:03}" for place in range(n)), *items[PLACE:])
        scores = (*scores[:PLACE], *between, *scores[PLACE:])
    more = {f"y{place:03}": 1 for place in range(n)} if len(problem.relevant) > CUTOFF else {}
    return replace(problem, items=items, scores=scores, ratings={**problem.ratings, **more}, k=k)
