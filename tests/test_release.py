"""The distributions, the name that pip installs, and the sample."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import polars as pl
import pytest

from docs.tooling.dist import build, metadata, missing, wrong_metadata
from rankmetrics.errors import DISTRIBUTION
from tests import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


# Names another project: what pip would install, or an extra of it. The path of a checkout or a wheel is fine.
ANOTHER_PROJECT = re.compile(
    r"(?:(?:pipx?|uv) install|(?:uv|poetry) add|pipx run|uvx|dependencies:)[^\n`]*[ '\"\[]rankmetrics(?![\w./-])[^\n`]*"
    r"|(?<![\w./-])rankmetrics\\?\[[a-z,]+\\?\](?![({])"
)


def test_the_package_is_installed_under_its_own_name_everywhere() -> None:
    assert PROJECT["name"] == DISTRIBUTION
    for text in ("pip install -q 'rankmetrics[report]'", "pip install rankmetrics==1", "uvx rankmetrics demo"):
        assert ANOTHER_PROJECT.search(text), text
    for text in (f"pip install '{DISTRIBUTION}[report]'", "pip install 'path/to/rankmetrics[report]'"):
        assert not ANOTHER_PROJECT.search(text), text
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.splitlines():
        if name != "tests/test_release.py" and (ROOT / name).suffix not in (".parquet", ".png", ".gz", ".svg"):
            text = (ROOT / name).read_text(encoding="utf-8", errors="replace")
            assert ANOTHER_PROJECT.findall(text) == [], name


@pytest.fixture(scope="session")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel and the source distribution."""
    return build(tmp_path_factory.mktemp("dist"))


@pytest.mark.long
def test_both_distributions_have_every_file_and_a_description_for_pypi(distributions: tuple[Path, Path]) -> None:
    wheel, source = distributions
    assert [*missing(wheel, source), *wrong_metadata(wheel)] == []
    addresses = metadata(wheel).get_all("Project-URL")
    assert addresses is not None
    assert {address.partition(", ")[2] for address in addresses} == {*PROJECT["urls"].values()}


def test_the_package_works_inside_its_wheel(distributions: tuple[Path, Path]) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import rankmetrics as rm;"
        "assert rm.__file__.startswith(sys.argv[1]), rm.__file__;"
        "print(rm.to_sql('recs', 'truth', 'ndcg@10', lists='user', dialect='spark'));"
        "print(rm.explain('ndcg'))"
    )
    wheel = distributions[0]
    command = [sys.executable, "-c", code, str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=wheel.parent)
    assert done.returncode == 0, done.stderr
    assert "ndcg@10" in done.stdout


@pytest.mark.long
def test_the_sample_is_what_its_script_makes_and_is_small() -> None:
    sys.path.insert(0, str(ROOT / "data"))
    try:
        import make_sample
    finally:
        sys.path.remove(str(ROOT / "data"))
    sample = make_sample.build()
    assert {path.stem for path in (ROOT / "data").glob("*.parquet")} == set(sample)
    for name, frame in sample.items():
        assert frame.equals(pl.read_parquet(ROOT / "data" / f"{name}.parquet")), name
    assert sum(path.stat().st_size for path in (ROOT / "data").glob("*.parquet")) < 1_000_000
