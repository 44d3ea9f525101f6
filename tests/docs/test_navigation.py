"""The navigation of the site has every page once."""

from __future__ import annotations

import tomllib

from docs.tooling import DOCS, ROOT
from docs.tooling.site import PAGES, configuration, pages_in, project

NAVIGATION = [*pages_in(tomllib.loads(configuration())["project"]["nav"])]


def test_the_navigation_has_every_page_of_docs_and_no_other() -> None:
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")} | {*PAGES.values()}
    assert {*NAVIGATION} - pages == set(), "the navigation of docs/zensical.toml names pages that are not there"
    assert pages - {*NAVIGATION} == set(), "the navigation of docs/zensical.toml lacks pages"


def test_the_navigation_has_no_page_twice() -> None:
    assert len(NAVIGATION) == len({*NAVIGATION})


def test_the_address_of_the_site_is_the_address_in_the_package() -> None:
    address = project()["urls"]["Documentation"]
    assert f'site_url = "{address}/"' in configuration()
    assert address not in (ROOT / "docs" / "zensical.toml").read_text(encoding="utf-8")
