"""The site: built, every link of it resolved, and opened in a browser, light and dark, on a phone and on a desk."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue

import pytest

from docs.tooling.html_pages import Page, broken_links, loaded_from_elsewhere
from docs.tooling.site import build, mathml
from tests.support.browser import open_page
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
        self.is_sent.wait(50)
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
    assert [*broken_links(tmp_path)] == [
        "index.html: a/#two leads to no heading",
        "index.html: b/ leads to no file",
    ]
    assert [*loaded_from_elsewhere(tmp_path)] == [
        "index.html: <img src> loads //x.org/a.png",
        "index.html: <script src> loads https://x.org/b.js",
        "a.css: loads https://x.org/c.png",
    ]
