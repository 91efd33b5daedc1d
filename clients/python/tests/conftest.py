"""Fixtures: the engine that is tested against, given by `--engine`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kingchess import RulesEngine


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--engine", required=True, type=Path, help="the engine's program file")


@pytest.fixture(scope="session")
def engine_path(pytestconfig: pytest.Config) -> str:
    """Give the program file."""
    path: Path = pytestconfig.getoption("--engine")
    return str(path.resolve(strict=True))


@pytest.fixture(scope="session")
def rules(engine_path: str) -> Iterator[RulesEngine]:
    """Give one process to ask for all tests."""
    with RulesEngine(engine_path) as rules:
        yield rules
