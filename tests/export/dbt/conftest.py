"""Fixtures of the tests of dbt."""

from __future__ import annotations

from tests.support.dbt_packages import example as example
from tests.support.dbt_packages import package as package
