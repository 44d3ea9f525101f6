"""Where the names of the points of a scatter plot stand, so that they do not cover each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# In shares of the plot: the width of a letter, the height of a line, and the distance of a name from its point.
LETTER, LINE, GAP = 0.0145, 0.04, 0.025


@dataclass(frozen=True)
class _Box:
    """A rectangle of the plot, in shares of its width and height."""

    left: float
    right: float
    low: float
    high: float

    def meets(self, other: _Box) -> bool:
        apart = self.right < other.left or other.right < self.left or self.high < other.low or other.high < self.low
        return not apart

    @property
    def is_inside(self) -> bool:
        return self.left >= -0.08 and self.right <= 1.12


def place_labels(names: Sequence[str], xs: Sequence[float], ys: Sequence[float]) -> list[str]:
    """For each point: right, left, above or below, the first of them where its name covers nothing.

    Example:
        >>> place_labels(["a", "b"], [0.0, 1.0], [0.0, 1.0])
        ['right', 'right']
        >>> place_labels(["als-64", "als-128", "knn"], [0.1, 0.15, 0.9], [0.5, 0.5, 0.9])
        ['left', 'right', 'right']
    """
    points = [_Box(x - 0.012, x + 0.012, y - 0.015, y + 0.015) for x, y in zip(_scaled(xs), _scaled(ys), strict=True)]
    placed: list[_Box] = []
    found = []
    for name, point in zip(names, points, strict=True):
        others = [*placed, *(one for one in points if one is not point)]
        boxes = _boxes(name, point)
        free = [place for place, box in boxes.items() if box.is_inside and not any(map(box.meets, others))]
        found.append(free[0] if free else "right")
        placed.append(boxes[found[-1]])
    return found


def _boxes(name: str, point: _Box) -> dict[str, _Box]:
    """The rectangle of a name on each side of its point."""
    x, y, width = (point.left + point.right) / 2, (point.low + point.high) / 2, LETTER * len(name)
    up = y + LINE / 2
    return {
        "right": _Box(x + GAP, x + GAP + width, up - LINE / 2, up + LINE / 2),
        "left": _Box(x - GAP - width, x - GAP, up - LINE / 2, up + LINE / 2),
        "above": _Box(x - width / 2, x + width / 2, y + GAP, y + GAP + LINE),
        "below": _Box(x - width / 2, x + width / 2, y - GAP - LINE, y - GAP),
    }


def _scaled(values: Sequence[float]) -> list[float]:
    """The values as shares of the plot, in which they leave a margin."""
    low, high = min(values), max(values)
    return [0.08 + 0.84 * (value - low) / (high - low) if high > low else 0.5 for value in values]
