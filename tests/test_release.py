"""What a release states about itself: one version, one address, and a description without relative links."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

import rankmetrics as rm
from docs.tooling.dist import build, metadata, missing, wrong_metadata
from tests import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


def test_the_citation_has_the_version_the_license_and_the_addresses_of_the_package() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == rm.__version__
    assert citation["license"] == PROJECT["license"]
    assert citation["url"] == PROJECT["urls"]["Documentation"]
    assert citation["repository-code"] == PROJECT["urls"]["Repository"]


@pytest.mark.parametrize("form", [form for form in FORMS if form.stem != "config"], ids=lambda form: form.stem)
def test_a_form_for_issues_asks_for_versions_and_has_ids_once(form: Path) -> None:
    text = yaml.safe_load(form.read_text(encoding="utf-8"))
    asked = [field["id"] for field in text["body"] if field["type"] != "markdown"]
    assert {"name", "description", "body"} <= text.keys()
    assert len(asked) == len({*asked}) > 2
    assert any(field.get("validations", {}).get("required") for field in text["body"])


def test_the_form_for_a_wrong_number_asks_for_the_library_the_versions_and_the_lists() -> None:
    text = yaml.safe_load((ROOT / ".github" / "ISSUE_TEMPLATE" / "wrong_number.yml").read_text(encoding="utf-8"))
    required = {field["id"] for field in text["body"] if field.get("validations", {}).get("required")}
    assert {"library", "versions", "lists", "metric", "numbers"} <= required


@pytest.mark.long
def test_both_distributions_have_every_file_and_a_description_for_pypi(tmp_path: Path) -> None:
    wheel, source = build(tmp_path)
    assert [*missing(wheel, source), *wrong_metadata(wheel)] == []
    addresses = metadata(wheel).get_all("Project-URL")
    assert addresses is not None
    assert {address.partition(", ")[2] for address in addresses} == {*PROJECT["urls"].values()}
