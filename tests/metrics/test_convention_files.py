"""The files of sql/conventions: their keys and values, what they take over, where and when they are read."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import rankmetrics as rm
from rankmetrics._files import sql_folder
from rankmetrics.errors import did_you_mean
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.conventions import CONVENTIONS, Convention, find, read_folder
from tests import ROOT

MINE = """
library = "Mine 1.0"
source = "checked against 1.0.1"
notes = ["Nothing departs."]

[policies]
missing = "zero"
rel = 4

[spellings]
Prec = "precision(divisor=list)"
AUC = "auc@None"
"""


def read(folder: Path, **files: str) -> dict[str, Convention]:
    """The conventions of a folder that holds these files."""
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return {convention.name: convention for convention in read_folder(folder)}


def test_the_conventions_that_ship_are_read_from_any_folder(tmp_path: Path) -> None:
    copied = Path(shutil.copytree(str(sql_folder() / "conventions"), tmp_path / "conventions"))
    assert read_folder(copied) == CONVENTIONS
    assert len(CONVENTIONS) == len([*copied.glob("*.toml")])


def test_a_file_is_a_convention() -> None:
    replay = find("replay")
    assert (replay.name, replay.library) == ("replay", "RePlay 0.13 to 0.22")
    assert replay.what == "RePlay 0.13 to 0.22 (checked against 0.22.0: pandas, polars, dict and Spark)"
    assert replay.find("map") == ("MAP", "ap(duplicates=each)")
    assert replay.policies["ties"] == "item_desc"


def test_one_file_is_all_that_a_new_convention_needs(tmp_path: Path) -> None:
    mine = read(tmp_path, mine=MINE)["mine"]
    assert mine.spellings == {"Prec": "precision(divisor=list)", "AUC": "auc@None"}
    assert mine.policies == {"missing": "zero", "rel": 4}


# --- the files that ship ----------------------------------------------------------------------------------------------

TEXT, TEXTS, TABLE = "a text", "a list of texts", "a table of texts"
KEYS: Mapping[str, str] = {
    **dict.fromkeys(("library", "source", "extends"), TEXT),
    **dict.fromkeys(("aliases", "notes", "no_cutoff"), TEXTS),
    "needs_cutoff": 'a list of texts, or "all"',
    "policies": "a table of texts and numbers",
    **dict.fromkeys(("spellings", "defaults", "patterns", "refused"), TABLE),
}


def is_valid(value: object, kind: str) -> bool:
    if isinstance(value, dict):
        types = (str,) if kind == TABLE else (str, int, float)
        return kind.startswith("a table") and all(type(item) in types for item in value.values())
    if isinstance(value, list):
        return kind.startswith(TEXTS) and all(isinstance(item, str) and item.strip() for item in value)
    return isinstance(value, str) and bool(value.strip()) and (kind == TEXT or (value == "all" and '"all"' in kind))


def mistakes_of(content: Mapping[str, Any]) -> Iterator[str]:
    """The mistakes in a file as TOML has it: keys, types of values, policies, names in lists, regular expressions."""
    yield from (f"{key} is missing" for key in ("library", "source", "notes") if key not in content)
    yield from (f"there is no key {key!r}.{did_you_mean(key, KEYS)}" for key in content.keys() - KEYS.keys())
    for key, kind in KEYS.items():
        if key in content and not is_valid(content[key], kind):
            yield f"{key} must be {kind}: {content[key]!r} is not"
            return
    shared = [file.name for kind in ("policy", "parameter") for file in catalog().all(kind) if "." not in file.name]
    for name, value in content.get("policies", {}).items():
        if name not in shared:
            yield f"there is no policy {name!r}.{did_you_mean(name, shared)}"
        else:
            try:
                catalog().shared(name).check("policies", value)
            except rm.MetricError as error:
                yield str(error)
    for pattern in (*content.get("patterns", {}), *content.get("defaults", {}).values()):
        try:
            re.compile(pattern)
        except re.error as error:
            yield f"{pattern!r} is not a regular expression: {error}"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("library =", "libary =", "there is no key 'libary'. Did you mean 'library'?"),
        ('source = "checked against 1.0.1"', "", "source is missing"),
        ('"Mine 1.0"', "1.0", "library must be a text: 1.0 is not"),
        ('["Nothing departs."]', "[1]", "notes must be a list of texts: [1] is not"),
        ('missing = "zero"', "missing = true", "policies must be a table of texts and numbers"),
        ('"auc@None"', "1", "spellings must be a table of texts"),
        ("[policies]", "needs_cutoff = 'every'\n[policies]", 'needs_cutoff must be a list of texts, or "all"'),
        ("missing =", "mising =", "there is no policy 'mising'. Did you mean 'missing'?"),
        ('"zero"', '"zro"', "Did you mean 'zero'?"),
        ("[spellings]", "[patterns]\n'(' = '1'\n[spellings]", "'(' is not a regular expression"),
    ],
)
def test_a_mistake_in_a_file_is_found(old: str, new: str, says: str) -> None:
    assert any(says in mistake for mistake in mistakes_of(tomllib.loads(MINE.replace(old, new, 1))))


def test_no_file_has_a_mistake() -> None:
    files = [*(ROOT / "sql" / "conventions").glob("*.toml")]
    contents = {file.name: tomllib.loads(file.read_text(encoding="utf-8")) for file in files}
    assert {name: mistakes for name, content in contents.items() if (mistakes := [*mistakes_of(content)])} == {}


# --- a convention that extends another --------------------------------------------------------------------------------

CHILD = """
library = "Mine 0.9"
source = "from its sources"
extends = "mine"
notes = ["Lists of the truth without recommendations are left out."]

[policies]
missing = "skip"

[spellings]
Hit = "hit"
"""


def test_a_convention_takes_over_what_it_does_not_change(tmp_path: Path) -> None:
    parent = MINE.replace("notes =", "aliases = ['mine-1']\nno_cutoff = ['AUC']\nnotes =", 1)
    child = read(tmp_path, mine=parent, child=CHILD)["child"]
    assert child.policies == {"missing": "skip", "rel": 4}
    assert child.spellings == {"Prec": "precision(divisor=list)", "AUC": "auc@None", "Hit": "hit"}
    assert child.no_cutoff == {"AUC"}
    assert (child.library, child.aliases) == ("Mine 0.9", ())
    assert child.notes == ("Lists of the truth without recommendations are left out.",)


def test_all_that_need_a_cutoff_are_those_of_the_child_as_well(tmp_path: Path) -> None:
    parent = MINE.replace("notes =", "needs_cutoff = 'all'\nnotes =", 1)
    for text in (CHILD, CHILD.replace("notes =", "needs_cutoff = ['Hit']\nnotes =", 1)):
        assert read(tmp_path, mine=parent, child=text)["child"].needs_cutoff == {"Prec", "AUC", "Hit"}


# --- where and when the files are read --------------------------------------------------------------------------------


def run(code: str, path: Path) -> str:
    """What a new Python prints that imports the package from a path."""
    command = [sys.executable, "-c", code]
    environment = {**os.environ, "PYTHONPATH": str(path)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=path.parent)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_metric_of_our_own_reads_no_convention() -> None:
    code = (
        "import sys, rankmetrics as rm; rm.parse('ndcg@10'); print('tomllib' in sys.modules);"
        "rm.parse('NDCG@10', convention='replay'); print('tomllib' in sys.modules)"
    )
    assert run(code, ROOT).split() == ["False", "True"]


def test_the_conventions_are_read_from_an_archive(tmp_path: Path) -> None:
    archive = tmp_path / "rankmetrics.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in (ROOT / "rankmetrics").rglob("*.py"):
            file.write(path, path.relative_to(ROOT))
        for path in (path for path in (ROOT / "sql").rglob("*") if path.is_file()):
            file.write(path, Path("rankmetrics") / path.relative_to(ROOT))
    code = "import rankmetrics as rm; print(rm.__file__, rm.parse('NDCG@10', convention='replay').values['duplicates'])"
    found, duplicates = run(code, archive).split()
    assert found.startswith(str(archive))
    assert duplicates == "each"


def test_every_key_is_an_attribute_of_a_convention() -> None:
    assert {*KEYS} - {"extends"} == {*Convention.__dataclass_fields__} - {"name"}
