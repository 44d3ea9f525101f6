"""What ships: the wheel, the files of SQL in it, and the sample."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import polars as pl
import pytest

from tests import ROOT


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return zipfile.ZipFile(next(folder.glob("*.whl")))


def test_the_wheel_holds_every_file_of_sql_and_the_sample(wheel: zipfile.ZipFile) -> None:
    listed = subprocess.run(["git", "ls-files", "sql", "data/*.parquet"], cwd=ROOT, capture_output=True, text=True)
    wanted = {f"rankmetrics/{one}" for one in listed.stdout.split()}
    if listed.returncode:
        pytest.skip("this is no git checkout, so nothing says what belongs to it")
    assert len(wanted) > 60
    assert wanted <= set(wheel.namelist())


def test_the_wheel_holds_the_templates_of_dbt(wheel: zipfile.ZipFile) -> None:
    wanted = {
        path.relative_to(ROOT).as_posix() for path in (ROOT / "rankmetrics" / "export" / "dbt" / "templates").iterdir()
    }
    assert wanted
    assert wanted <= set(wheel.namelist())


def test_the_wheel_holds_the_templates_of_reports(wheel: zipfile.ZipFile) -> None:
    folder = ROOT / "rankmetrics" / "reports" / "templates"
    wanted = {path.relative_to(ROOT).as_posix() for path in folder.rglob("*.*")}
    assert wanted
    assert wanted <= set(wheel.namelist())


def test_the_wheel_says_that_it_is_typed(wheel: zipfile.ZipFile) -> None:
    assert {"rankmetrics/py.typed", "rankmetrics/__init__.pyi"} <= set(wheel.namelist())


def test_the_package_works_from_its_wheel_alone(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path)
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import rankmetrics as rm; from rankmetrics._files import *;"
        "assert rm.__file__.startswith(sys.argv[1]), rm.__file__;"
        "r = rm.evaluate(data_folder() / 'recs.parquet', data_folder() / 'truth.parquet', 'ndcg@10');"
        "print(r.summary().fetchall())"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "matrix-factorisation" in done.stdout


def test_the_package_works_inside_its_wheel(wheel: zipfile.ZipFile) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import rankmetrics as rm;"
        "assert rm.__file__.startswith(sys.argv[1]), rm.__file__;"
        "print(rm.to_sql('recs', 'truth', 'ndcg@10', lists='user', dialect='spark'));"
        "print(rm.explain('ndcg'))"
    )
    command = [sys.executable, "-c", code, str(wheel.filename)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(str(wheel.filename)).parent)
    assert done.returncode == 0, done.stderr
    assert "ndcg@10" in done.stdout


def test_the_sample_is_what_its_script_makes_and_is_small() -> None:
    sys.path.insert(0, str(ROOT / "data"))
    try:
        import make_sample
    finally:
        sys.path.remove(str(ROOT / "data"))
    made = make_sample.build()
    assert {path.stem for path in (ROOT / "data").glob("*.parquet")} == set(made)
    for name, frame in made.items():
        assert frame.equals(pl.read_parquet(ROOT / "data" / f"{name}.parquet")), name
    assert sum(path.stat().st_size for path in (ROOT / "data").glob("*.parquet")) < 1_000_000
