"""A file of sql/conventions with a mistake is refused when it is read, and the error names the file and the key."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import rankmetrics as rm
from rankmetrics._files import sql_folder
from rankmetrics.metrics.conventions import CONVENTIONS, KEYS, OURS, Convention, find, read_folder
from rankmetrics.metrics.metric import read_spelling
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
    assert (replay.name, replay.library, replay.origin) == ("replay", "RePlay 0.13 to 0.22", "replay.toml")
    assert replay.what == "RePlay 0.13 to 0.22 (checked against 0.22.0: pandas, polars, dict and Spark)"
    assert replay.find("map") == ("MAP", "ap(duplicates=each)")
    assert replay.policies["ties"] == "item_desc"


def test_one_file_is_all_that_a_new_convention_needs(tmp_path: Path) -> None:
    mine = read(tmp_path, mine=MINE)["mine"]
    assert mine.spellings == {"Prec": "precision(divisor=list)", "AUC": "auc@None"}
    assert mine.policies == {"missing": "zero", "rel": 4}
    read_lines = [read_spelling(mine, *line) for line in mine.spellings.items()]
    assert [(one.meaning.name, one.settings) for one in read_lines] == [("precision", {"divisor": "list"}), ("auc", {})]


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda convention: convention.name)
def test_every_spelling_names_a_metric_with_parameters_that_it_takes(convention: Convention) -> None:
    for theirs, ours in convention.spellings.items():
        assert read_spelling(convention, theirs, ours).settings == rm.parse(ours).settings


# --- mistakes in a file -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("library =", "libary =", "there is no key 'libary'. Did you mean 'library'? Keys are 'library', 'source'"),
        ("[policies]", "[polices]", "there is no key 'polices'. Did you mean 'policies'?"),
        ('library = "Mine 1.0"', "", "the key 'library' is missing"),
        ('source = "checked against 1.0.1"', "", "the key 'source' is missing"),
        ('notes = ["Nothing departs."]', "", "the key 'notes' is missing"),
        ('"Mine 1.0"', "1.0", "library must be a text: 1.0 is not"),
        ('"Mine 1.0"', '" "', "library must be a text: ' ' is not"),
        ('["Nothing departs."]', '"Nothing departs."', "notes must be a list of texts"),
        ('["Nothing departs."]', "[1]", "notes must be a list of texts: [1] is not"),
        ('missing = "zero"', "missing = true", "policies must be a table of texts and numbers"),
        ('"auc@None"', "1", "spellings must be a table of texts"),
        ("[policies]", "needs_cutoff = 'every'\n[policies]", 'needs_cutoff must be a list of texts, or "all"'),
        ("missing =", "mising =", "[policies] has no policy 'mising'. Did you mean 'missing'?"),
        ('"zero"', '"zro"', "[policies] missing of mine is one of"),
        ('"zero"', '"zro"', "Did you mean 'zero'?"),
        ("rel = 4", "rel = 'four'", "[policies] rel of mine must be a number: 'four' is not"),
        ("[policies]", "no_cutoff = ['Perc']\n[policies]", "no_cutoff names 'Perc', which [spellings] has not."),
        ("[policies]", "needs_cutoff = ['Perc']\n[policies]", "Did you mean 'Prec'?"),
        ("[policies]", "no_cutoff = ['AUC']\nneeds_cutoff = 'all'\n[policies]", "'AUC' is in no_cutoff and in needs_"),
        ("[spellings]", "[spellings]\nprec = 'precision'", "[spellings] 'prec' and 'Prec' differ in case only"),
        ("[spellings]", "[patterns]\n'(' = '1'\n[spellings]", "[patterns] '(' is no regular expression"),
        ("[spellings]", "[refused]", "the key 'spellings' is missing"),
        ("[policies]", "extends = 'yours'\n[policies]", "extends = 'yours': there is no such convention"),
        ("[policies]", "extends = 'mine'\n[policies]", "mine extends mine: a circle"),
        ("library =", "library", "mine.toml is no TOML: "),
    ],
)
def test_a_file_with_a_mistake_is_refused(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert old in MINE
    with pytest.raises(rm.MetricError, match=r"^mine\.toml") as refused:
        read(tmp_path, mine=MINE.replace(old, new, 1))
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("ours", "says"),
    [
        ("precison", "Did you mean 'precision'"),
        ("precision(divsor=list)", "Did you mean 'divisor'?"),
        ("precision(divisor=lists)", "Did you mean 'list'?"),
        ("precision@10", "has a cutoff"),
        ("precision@5,10", "has a cutoff"),
        ("precision(min_pool=4)", "has no effect on precision here"),
        ("", "is no metric"),
    ],
)
def test_a_spelling_that_is_no_metric_is_refused_when_it_is_used(tmp_path: Path, ours: str, says: str) -> None:
    mine = read(tmp_path, mine=MINE.replace('"precision(divisor=list)"', f'"{ours}"'))["mine"]
    with pytest.raises(rm.MetricError, match=r"^mine\.toml: \[spellings\] Prec = ") as refused:
        read_spelling(mine, "Prec", mine.spellings["Prec"])
    assert says in str(refused.value)


def test_two_files_with_one_name_are_refused(tmp_path: Path) -> None:
    aliases = MINE.replace("notes =", "aliases = ['Mine']\nnotes =", 1)
    with pytest.raises(rm.MetricError, match=r"^yours\.toml: 'Mine' is a name of mine\.toml already"):
        read(tmp_path, mine=MINE, yours=aliases)


def test_the_name_of_our_own_definitions_is_taken(tmp_path: Path) -> None:
    with pytest.raises(rm.MetricError, match=rf"^{OURS.name}\.toml: 'rankmetrics' is a name of rankmetrics itself"):
        read(tmp_path, rankmetrics=MINE)


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
    child = read(tmp_path, mine=MINE.replace("notes =", "needs_cutoff = 'all'\nnotes =", 1), child=CHILD)["child"]
    assert child.needs_cutoff == {"Prec", "AUC", "Hit"}


def test_conventions_that_extend_each_other_are_refused(tmp_path: Path) -> None:
    with pytest.raises(rm.MetricError, match="child extends mine extends child: a circle"):
        read(tmp_path, mine=MINE.replace("notes =", "extends = 'child'\nnotes =", 1), child=CHILD)


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
