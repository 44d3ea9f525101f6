"""Tools that write the generated pages and pictures of docs/, build the site, and try the distributions.

A new page is an entry of `nav` in docs/zensical.toml. Links between pages are relative paths to `.md` files, formulas
are LaTeX between `$`, and nothing is loaded from other sites. `make docs` builds the site, checks its links, and
`python -m http.server --directory site` shows it.

The tests run the blocks `python` and `pycon` of a page from top to bottom, where `rm`, `pl` and the sample (`recs`,
`truth`, `history`) are there. A block `py` is not run; the names and keywords of its `rm.…(…)` calls are checked, and
so are the flags of `$ rankmetrics` commands.

`make golden` writes the files that `files()` of tests/golden.py lists, in some only the text between marks such as
`<!-- speed -->`. A new public name is an entry of `GROUPS` in `reference`. A picture
takes its numbers from the example of its page: look at it in both color schemes, 390 pixels wide. `make notebooks` runs
the notebooks again; a cell that draws a chart has `alt` and `picture` in its metadata.
"""

from pathlib import Path

# The checkout, and its documentation.
ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
