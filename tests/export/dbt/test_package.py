"""The package of dbt as `init` and `write` make it."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

import rankmetrics as rm
from rankmetrics.export.dbt import package as dbt
from tests.support.dbt_packages import contents

pytestmark = pytest.mark.long


# --- init -------------------------------------------------------------------------------------------------------------


def test_init_writes_a_package_that_is_whole(tmp_path: Path) -> None:
    written = dbt.init(tmp_path / "boards")
    names = {
        ".sqlfluff",
        "dbt_project.yml",
        "leaderboards.yml",
        "macros/_check_accuracy.sql",
        "macros/_shared.sql",
        "macros/accuracy.sql",
        "models/accuracy.sql",
        "models/schema.yml",
        "tests/accuracy_has_each_row_once.sql",
        "tests/accuracy_has_sound_data.sql",
    }
    assert {*contents(tmp_path / "boards")} == names
    assert {str(path.relative_to(tmp_path / "boards")) for path in written.files} == names


def test_init_names_the_project_around_it_if_there_is_one(package: Path, tmp_path_factory: Any) -> None:
    model = (package / "models/accuracy.sql").read_text().splitlines()[1]
    assert model == "{{ rankmetrics.measure_accuracy(recs=ref('shop', 'recs'), truth=ref('shop', 'truth')) }}"
    folder = tmp_path_factory.mktemp("alone") / "rankmetrics"
    dbt.init(folder)
    assert "recs=ref('recs')" in (folder / "models/accuracy.sql").read_text()


def test_init_refuses_a_project_and_says_where_the_package_may_go(package: Path) -> None:
    before = contents(package.parent)
    with pytest.raises(rm.InputError, match=r"is a project of dbt already.*rankmetrics dbt init .*rankmetrics\."):
        dbt.init(package.parent)
    assert contents(package.parent) == before


def test_init_refuses_a_folder_that_holds_something(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for taken in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(rm.InputError, match="is not an empty folder"):
            dbt.init(taken)
    assert contents(tmp_path) == {"notes.txt": "mine"}


def test_init_refuses_a_project_around_it_without_a_name_before_it_writes(tmp_path: Path) -> None:
    (tmp_path / "dbt_project.yml").write_text("version: 1\n")
    with pytest.raises(rm.InputError, match="has no line that says what the project is called"):
        dbt.init(tmp_path / "rankmetrics")
    assert not (tmp_path / "rankmetrics").exists()


def test_what_is_read_by_pyyaml_says_how_to_install_it(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(rm.InputError, match=re.escape("pip install 'rankmetrics-sql[dbt]'")):
        dbt.write(package)
    with pytest.raises(rm.InputError, match="PyYAML"):
        dbt.init(package / "inner")
    assert not (package / "inner").exists()


# --- write ------------------------------------------------------------------------------------------------------------


def test_write_removes_what_no_leaderboard_asks_for_any_more(package: Path) -> None:
    text = (package / "leaderboards.yml").read_text()
    (package / "leaderboards.yml").write_text(text.replace("accuracy:", "quality:"))
    written = dbt.write(package)
    assert sorted(path.relative_to(package).as_posix() for path in written.removed) == [
        "macros/_check_accuracy.sql",
        "macros/accuracy.sql",
        "models/accuracy.sql",
        "tests/accuracy_has_each_row_once.sql",
        "tests/accuracy_has_sound_data.sql",
    ]
    assert not [name for name in contents(package) if "accuracy" in name]
    assert "quality" in (package / "models/quality.sql").read_text()


def test_write_touches_nothing_that_it_did_not_write(package: Path) -> None:
    own = {"dbt_project.yml": "name: rankmetrics\n", "models/mine.sql": "select 1", "macros/mine.sql": "{# mine #}"}
    for name, text in own.items():
        (package / name).write_text(text)
    dbt.write(package)
    assert {name: (package / name).read_text() for name in own} == own


def test_write_writes_the_same_twice_and_overwrites_no_file_that_is_the_users(package: Path) -> None:
    before = contents(package)
    dbt.write(package)
    assert contents(package) == before
    for name in ("models/accuracy.sql", "models/schema.yml", "macros/_shared.sql"):
        (package / name).write_text("select 1 as mine")
        with pytest.raises(rm.InputError, match=f"{name} was not written by rankmetrics"):
            dbt.write(package)
        assert contents(package) == {**before, name: "select 1 as mine"}
        (package / name).write_text(before[name])


def test_what_cannot_be_written_is_said_in_a_sentence(package: Path) -> None:
    shutil.rmtree(package / "models")
    (package / "models").write_text("a file where a folder should be")
    with pytest.raises(rm.InputError, match=r"Cannot write '.*models/accuracy\.sql'"):
        dbt.write(package)


def test_write_needs_a_package(tmp_path: Path) -> None:
    with pytest.raises(rm.InputError, match=r"has no dbt_project\.yml: `rankmetrics dbt init"):
        dbt.write(tmp_path)


def test_a_package_may_have_another_name(package: Path) -> None:
    (package / "dbt_project.yml").write_text("name: boards\n")
    dbt.write(package)
    texts = contents(package)
    assert texts["models/accuracy.sql"].splitlines()[1].startswith("{{ boards.measure_accuracy(")
    assert "adapter.dispatch('measure_accuracy', 'boards')" in texts["macros/accuracy.sql"]
    assert "boards.from_0_to_1" in texts["models/schema.yml"]
    assert not any("rankmetrics." in text for name, text in texts.items() if name != "leaderboards.yml")
