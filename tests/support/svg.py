"""Small SVG pictures for the documentation: texts, boxes, dots, lines and arrows, in colors for light and dark pages.

A picture is one file for light and for dark pages. Its colors follow `prefers-color-scheme`, which for an image is the
color scheme of the element that shows it: the theme of GitHub and of the site, and elsewhere the reader's system. The
picture has a background of its own, so it can be read even where a viewer ignores this.

Coordinates are in pixels of a picture that is 480 wide. A phone of 390 pixels shows it at three quarters of that, so no
text is smaller than 14 pixels. Texts use the reader's own font; a test measures in a browser that none covers another.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal
from xml.etree import ElementTree as ET

WIDTH = 480
Anchor = Literal["start", "middle", "end"]

# Colors of each class, on light and on dark pages; the contrast of texts with their background is at least 4.5.
COLORS = {
    "page": ("fill: #ffffff; stroke: #d0d7de", "fill: #0d1117; stroke: #3d444d"),
    "ink": ("fill: #1f2328", "fill: #f0f6fc"),
    "soft": ("fill: #59636e", "fill: #9198a1"),
    "good": ("fill: #116329", "fill: #56d364"),
    "link": ("fill: #0550ae", "fill: #79c0ff"),
    "cell": ("fill: #f6f8fa; stroke: #8c959f", "fill: #161b22; stroke: #6e7681"),
    "hit": ("fill: #c8f0d0; stroke: #116329", "fill: #0f3d20; stroke: #56d364"),
    "key": ("fill: #ddf0ff; stroke: #0550ae", "fill: #0f2d4d; stroke: #79c0ff"),
    "void": (
        "fill: none; stroke: #8c959f; stroke-dasharray: 4",
        "fill: none; stroke: #6e7681; stroke-dasharray: 4",
    ),
    "bar": ("fill: #54aeff", "fill: #388bfd"),
    "rule": ("fill: none; stroke: #8c959f", "fill: none; stroke: #6e7681"),
    "flow": ("fill: none; stroke: #0550ae; stroke-width: 2", "fill: none; stroke: #79c0ff; stroke-width: 2"),
    "tip": ("fill: #0550ae", "fill: #79c0ff"),
}
SANS = "system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
MONO = "ui-monospace, 'SF Mono', Menlo, Consolas, monospace"


def _style() -> str:
    light = "".join(f".{name}{{{both[0]}}}" for name, both in COLORS.items())
    dark = "".join(f".{name}{{{both[1]}}}" for name, both in COLORS.items())
    fonts = f"text{{font:16px {SANS}}}.small{{font-size:14px}}.strong{{font-weight:600}}.code{{font-family:{MONO}}}"
    return f"{fonts}{light}@media (prefers-color-scheme:dark){{{dark}}}".replace(": ", ":").replace("; ", ";")


@dataclass
class Drawing:
    """A picture that is drawn step by step; `svg()` returns it as text.

    `title` names the picture, and `description` says in words what it shows, for readers who do not see it.
    """

    height: int
    title: str
    description: str
    shapes: list[ET.Element] = field(default_factory=list)

    def _add(self, tag: str, classes: str, text: str | None = None, **attributes: float | str) -> None:
        values = {name: value if isinstance(value, str) else f"{value:g}" for name, value in attributes.items()}
        element = ET.Element(tag, {"class": classes} | values)
        element.text = text
        self.shapes.append(element)

    def text(self, x: float, y: float, words: str, classes: str = "ink", anchor: Anchor = "start") -> None:
        """Write words; `y` is their middle, and `anchor` says which end of them `x` is."""
        place = {} if anchor == "start" else {"text-anchor": anchor}
        self._add("text", classes, words, x=x, y=y, dy=".35em", **place)

    def box(self, x: float, y: float, width: float, height: float, classes: str = "cell") -> None:
        """Draw a rectangle with round corners from its upper left corner."""
        self._add("rect", classes, x=x, y=y, width=width, height=height, rx=5)

    def cell(self, x: float, y: float, width: float, words: str, classes: str = "cell", ink: str = "ink") -> None:
        """Draw a box of the height of a row, with words in its middle; `y` is the middle of the row."""
        self.box(x, y - 14, width, 28, classes)
        self.text(x + width / 2, y, words, ink, "middle")

    def dot(self, x: float, y: float, radius: float, classes: str) -> None:
        """Draw a circle around a point."""
        self._add("circle", classes, cx=x, cy=y, r=radius)

    def line(self, x: float, y: float, to_x: float, to_y: float, classes: str = "rule") -> None:
        """Draw a straight line between two points."""
        self._add("line", classes, x1=x, y1=y, x2=to_x, y2=to_y)

    def arrow(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Draw an arrow that runs along one axis: down, or to the right."""
        back_x, back_y = (to_x, to_y - 8) if x == to_x else (to_x - 8, to_y)
        self.line(x, y, back_x, back_y, "flow")
        wide, high = (5, 0) if x == to_x else (0, 5)
        corners = [(back_x - wide, back_y - high), (back_x + wide, back_y + high), (to_x, to_y)]
        self._add("polygon", "tip", points=" ".join(f"{left:g},{top:g}" for left, top in corners))

    def svg(self) -> str:
        """Return the picture as the text of an SVG file."""
        size = {"width": str(WIDTH), "height": str(self.height), "viewBox": f"0 0 {WIDTH} {self.height}"}
        names = {"role": "img", "aria-labelledby": "title description"}
        root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg"} | size | names)
        ET.SubElement(root, "title", {"id": "title"}).text = self.title
        ET.SubElement(root, "desc", {"id": "description"}).text = self.description
        ET.SubElement(root, "style").text = _style()
        page = {"x": "0.5", "y": "0.5", "width": str(WIDTH - 1), "height": str(self.height - 1), "rx": "8"}
        ET.SubElement(root, "rect", {"class": "page"} | page)
        root.extend(self.shapes)
        ET.indent(root)
        return ET.tostring(root, encoding="unicode") + "\n"
