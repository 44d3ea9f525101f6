"""The site and the links of its pages: built, resolved, opened in a browser; the references to names and commands."""

from __future__ import annotations

import contextlib
import io
import json
import pathlib
import re
import shlex
import threading
import tomllib
import warnings
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from xml.etree import ElementTree as ET

import polars as pl
import pytest

import rankmetrics as rm
from docs.tooling import DOCS, ROOT
from docs.tooling.html_pages import Page, broken_links, loaded_from_elsewhere
from docs.tooling.markdown import broken_links as broken_links_of_markdown
from docs.tooling.pictures import FOLDER, WIDTH, example, pictures
from docs.tooling.pictures import PAGES as CONCEPT_PAGES
from docs.tooling.reference import GROUPS, commands, example_of
from docs.tooling.site import PAGES as LINK_PAGES
from docs.tooling.site import build, configuration, llms_text, mathml, pages_in, project
from rankmetrics.cli.commands import save_sample
from rankmetrics.manual import manual
from tests.support.browser import open_page
from tests.support.commands import run
from tests.test_manual import WORDS

PAGES = ("", "quickstart/parquet/", "concepts/averages/", "metrics/ndcg/", "comparing/", "api/evaluate/", "cli/")
WIDTHS = (390, 1280)

# A page that opens others in frames of given widths, and writes down what it sees in each.
FRAMES = """<!doctype html><meta charset="utf-8"><body>
<script>
const found = [];
for (const [page, width] of SEEN) {
  const frame = document.createElement("iframe");
  frame.width = width; frame.height = 900; frame.src = "/" + page;
  document.body.append(frame);
  found.push(new Promise(done => frame.onload = () => setTimeout(() => {
    const seen = frame.contentDocument, root = seen.documentElement;
    for (const image of seen.images) image.loading = "eager";
    done(Promise.all([...seen.images].map(image => image.decode().then(() => "", () => image.src))).then(broken => ({
      page, width, wide: Math.max(0, root.scrollWidth - root.clientWidth), broken: broken.filter(src => src),
      scheme: seen.body.dataset.mdColorScheme, background: getComputedStyle(seen.body).backgroundColor,
      formulas: [...seen.querySelectorAll("math")].filter(one => one.getBoundingClientRect().height > 5).length,
      flat: [...seen.querySelectorAll("math")].filter(one => one.getBoundingClientRect().height <= 5).length,
      unwritten: seen.querySelectorAll(".arithmatex").length, title: seen.title,
    })));
  }, 500)));
}
Promise.all(found).then(all => document.body.dataset.found = JSON.stringify(all));
</script>"""


# A page that types words into the search of the site, and sends the addresses of the first results to the server.
SEARCH = """<!doctype html><meta charset="utf-8"><body><img src="/until-sent"><script>
const later = ms => new Promise(done => setTimeout(done, ms));
const until = async get => { let value; while (!(value = get())) await later(50); return value; };
const search = async () => {
  const frame = document.createElement("iframe");
  frame.width = 1280; frame.height = 900; frame.src = "/";
  document.body.append(frame);
  await new Promise(done => frame.onload = done);
  const seen = frame.contentDocument, sent = {};
  seen.querySelector(".md-search__button").click();
  const roots = () => [...seen.body.children].map(element => element.shadowRoot);
  const root = await until(() => roots().find(root => root?.querySelector("input")));
  const input = root.querySelector("input"), results = root.querySelector("ol[role=listbox]");
  await until(() => !root.querySelector("[role=status]").textContent.startsWith("Loading"));
  for (const words of WORDS) {
    const before = results.innerHTML;
    input.value = words;
    input.dispatchEvent(new Event("input", {bubbles: true}));
    for (let tries = 0; tries < 40 && results.innerHTML === before; tries++) await later(50);
    await later(200);
    sent[words] = [...results.querySelectorAll("a")].slice(0, 3).map(link => new URL(link.href).pathname);
  }
  return sent;
};
const send = sent => fetch("/sent", {method: "POST", body: JSON.stringify(sent)});
search().then(send, error => send({"error": [String(error)]}));
</script>"""


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that writes no log, and keeps what a page sends."""

    sent: Queue[bytes] = Queue()
    is_sent = threading.Event()

    def do_GET(self) -> None:
        """A file; or an answer that waits until a page has sent something, so that the page is not left before."""
        if self.path != "/until-sent":
            return super().do_GET()
        self.is_sent.wait(100)
        self.send_response(204)
        return self.end_headers()

    def do_POST(self) -> None:
        """Keep what a page sends."""
        self.sent.put(self.rfile.read(int(self.headers["Content-Length"])))
        self.is_sent.set()
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name in the standard library
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("docs"))


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The address of a server that sends the site."""
    seen = json.dumps([[page, width] for page in PAGES for width in WIDTHS])
    (site / "frames.html").write_text(FRAMES.replace("SEEN", seen), encoding="utf-8")
    (site / "words.html").write_text(SEARCH.replace("WORDS", json.dumps([*WORDS])), encoding="utf-8")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.long
@pytest.mark.parametrize(("scheme", "setting"), [("default", 1), ("slate", 0)], ids=["light", "dark"])
def test_pages_fit_phones_and_desks_and_show_formulas_and_images(address: str, scheme: str, setting: int) -> None:
    flags = (f"--blink-settings=preferredColorScheme={setting}", "--virtual-time-budget=20000", "--dump-dom")
    dom, messages = open_page(f"{address}/frames.html", *flags)
    assert messages == []
    found = json.loads(str(Page(dom).of("body")[0]["data-found"]))
    assert {(one["page"], one["width"]) for one in found} == {(page, width) for page in PAGES for width in WIDTHS}
    for one in found:
        assert (one["scheme"], one["wide"], one["broken"], one["flat"], one["unwritten"]) == (scheme, 0, [], 0, 0), one
        assert "rankmetrics" in one["title"]
    assert all(one["formulas"] > 0 for one in found if one["page"].startswith("metrics/"))
    assert len({one["background"] for one in found}) == 1


@pytest.mark.long
def test_the_search_finds_every_page(site: Path) -> None:
    index = json.loads((site / "search.json").read_text(encoding="utf-8"))
    listed = {entry["location"].partition("#")[0] for entry in index["items"]}
    pages = {path.parent.relative_to(site).as_posix() for path in site.rglob("index.html")}
    assert {f"{page}/" if page != "." else "" for page in pages} <= listed


@pytest.mark.long
def test_the_search_of_the_site_finds_forty_words_among_the_first_three(address: str) -> None:
    open_page(f"{address}/words.html", "--dump-dom")
    sent = json.loads(Quiet.sent.get(timeout=1))
    assert sent.keys() == WORDS.keys(), sent
    assert sent["ndcg"][0] == "/metrics/ndcg/"
    for words, addresses in sent.items():
        found = [address.strip("/") for address in addresses]
        assert any(page.startswith(tuple(WORDS[words].split())) for page in found), (words, found)


def test_formulas_become_mathml() -> None:
    page = r'<p><span class="arithmatex">\(a_i &lt; 1\)</span></p><div class="arithmatex">\[\frac{1}{k}\]</div>'
    written = mathml(page)
    assert re.findall(r'display="(\w+)"', written) == ["inline", "block"]
    assert "<mfrac>" in written
    assert "arithmatex" not in written


def test_links_that_lead_nowhere_and_files_from_elsewhere_are_found(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "index.html").write_text('<h1 id="one">A</h1>', encoding="utf-8")
    text = """<a href="a/#one">1</a> <a href="a/#two">2</a> <a href="b/">3</a> <a href="https://x.org">4</a>
        <img src="//x.org/a.png"> <script src="https://x.org/b.js"></script> <link rel="canonical" href="https://x.org">"""
    (tmp_path / "index.html").write_text(text, encoding="utf-8")
    (tmp_path / "a.css").write_text("a { background: url(https://x.org/c.png) }", encoding="utf-8")
    assert [*broken_links(tmp_path)] == ["index.html: a/#two leads to no heading", "index.html: b/ leads to no file"]
    assert [*loaded_from_elsewhere(tmp_path)] == [
        "index.html: <img src> loads //x.org/a.png",
        "index.html: <script src> loads https://x.org/b.js",
        "a.css: loads https://x.org/c.png",
    ]


# --- Links of the pages lead to files and headings, and the navigation of the site has every page once ----------------


def test_every_relative_link_of_a_page_leads_somewhere() -> None:
    pages = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
    assert {page: broken for page in pages if (broken := [*broken_links_of_markdown(page)])} == {}


def test_a_link_to_no_file_and_a_link_to_no_heading_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    text = "# One `two`, three\n\n[a](page.md#one-two-three) `[b](b.md)` ![c](gone.svg) [d](#four) [e](https://x.org)\n"
    page.write_text(text)
    assert [*broken_links_of_markdown(page)] == [
        "gone.svg: there is no such file",
        "#four: the page has no such heading",
    ]


def test_the_navigation_has_every_page_of_docs_once_and_the_address_of_the_package() -> None:
    navigation = [*pages_in(tomllib.loads(configuration())["project"]["nav"])]
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")} | {*LINK_PAGES.values()}
    assert sorted(navigation) == sorted(pages)
    assert f'site_url = "{project()["urls"]["Documentation"]}/"' in configuration()


def test_llms_txt_has_every_page_of_the_navigation_with_a_sentence() -> None:
    text = llms_text()
    listed = re.findall(r"^- \[.+?\]\((.*?)\): .{8,}$", text, re.MULTILINE)
    assert {"tasks/", "agents/", "metrics/ndcg/", "cli/evaluate/", "migrating/"} <= {*listed}
    assert len(listed) == len({*listed})


# --- The references to Python and to the command line have every public name and command ------------------------------


def test_every_public_name_is_on_one_page_of_the_reference() -> None:
    names = [name for group in GROUPS.values() for name in group.names if "." not in name]
    assert sorted(names) == sorted(rm.__all__)


def test_the_help_of_every_command_begins_with_an_example() -> None:
    for name, command in commands().items():
        _, example, *_ = re.split(r"\n\s*\n", command.help)
        assert example.startswith(f"rankmetrics {name}"), name
        assert example_of(command).startswith(f"rankmetrics {name}"), name


# --- docs/concepts: the examples print what the pages show, and the pictures show numbers of the examples -------------


PICTURES = ROOT / "docs" / "pictures"
TEXTS = {page: (FOLDER / f"{page}.md").read_text(encoding="utf-8") for page in CONCEPT_PAGES}
LINK = re.compile(r"!\[([^\]]*)\]\(\.\./pictures/(\w+\.svg)\)")

# Every text of the pictures, its box in the picture, and whether it is inside: measured by a browser, in its own fonts.
MEASURE = """
<body>%s<pre id="found"></pre><script>
const told = [];
for (const svg of document.querySelectorAll("svg")) {
  const boxes = [...svg.querySelectorAll("text")].filter(t => t.textContent).map(t => [t.textContent, t.getBBox()]);
  const name = svg.querySelector("title").textContent;
  boxes.forEach(([text, box], place) => {
    if (box.x < 4 || box.x + box.width > %d - 4) told.push(`${name}: '${text}' leaves the picture`);
    for (const [other, beside] of boxes.slice(place + 1))
      if (box.x < beside.x + beside.width && beside.x < box.x + box.width &&
          box.y + 3 < beside.y + beside.height && beside.y + 3 < box.y + box.height)
        told.push(`${name}: '${text}' covers '${other}'`);
  });
}
document.getElementById("found").textContent = `measured: ${JSON.stringify(told)}`;
</script></body>
"""


@pytest.mark.long
def test_the_examples_of_a_page_print_what_it_shows() -> None:
    for page, text in TEXTS.items():
        run = example(page)
        assert len(run.printed) == text.count("```python\n") > 0, page
        assert run.printed == run.shown, page


def test_every_picture_is_generated_and_shown_on_a_page() -> None:
    written = {path.name for path in PICTURES.iterdir()}
    assert written == {path.name for path in pictures(PICTURES)}
    shown = {name for text in TEXTS.values() for _, name in LINK.findall(text)}
    for page in ("index", "logs", "performance"):
        text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
        shown |= set(re.findall(r"\(pictures/(\w+\.svg)\)", text))
    assert written == shown


def test_a_picture_is_named_described_and_readable_on_a_phone() -> None:
    for path in PICTURES.iterdir():
        svg = path.read_text(encoding="utf-8")
        root = ET.fromstring(svg)
        texts = {element.tag.rpartition("}")[2]: element.text or "" for element in root}
        assert (root.get("role"), root.get("width")) == ("img", str(WIDTH)), path
        assert len(texts["title"]) > 10, path
        assert len(texts["desc"]) > 60, path
        assert min(map(int, re.findall(r"(\d+)px", texts["style"]))) >= 14, path
        assert "prefers-color-scheme:dark" in texts["style"], path
        assert len(svg) < 10_000, path


@pytest.mark.long
def test_no_text_of_a_picture_covers_another_or_leaves_it(tmp_path: Path) -> None:
    page = tmp_path / "pictures.html"
    drawn = [path.read_text(encoding="utf-8") for path in sorted(PICTURES.iterdir())]
    page.write_text(MEASURE % ("".join(drawn), WIDTH), encoding="utf-8")
    shown, messages = open_page(page, "--dump-dom")
    assert messages == []
    assert "measured: []" in shown, shown[shown.index("measured:") :][:500]


# --- The tasks of docs/tasks.toml: each runs in one step on the sample, and shows what its page says ------------------


TASK_GROUPS = tomllib.loads((ROOT / "docs" / "tasks.toml").read_text(encoding="utf-8"))["group"]


def shown(lines: str) -> str:
    """What a command or some lines of Python print."""
    if lines.startswith("rankmetrics "):
        code, out, err = run(*shlex.split(lines)[1:])
        assert code == 0, (lines, out, err)
        return out + err
    text = io.StringIO()
    with contextlib.redirect_stdout(text), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(lines, {"rm": rm, "pl": pl, "pathlib": pathlib})
    return text.getvalue()


@pytest.mark.long
def test_sixty_tasks_are_one_step_each(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save_sample(tmp_path / "data")
    tasks = [task for group in TASK_GROUPS for task in group["tasks"]]
    assert len(tasks) >= 60
    for task in tasks:
        assert task["shows"] in shown(task["run"]), task
        assert manual(task["page"]).startswith("#"), task
