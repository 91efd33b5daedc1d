"""What users copy: the README's examples and the programs in examples/."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kingchess import read_records

PROJECT = Path(__file__).parent.parent
README = PROJECT / "README.md"


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run an example."""
    command = [sys.executable, str(PROJECT / "examples" / program), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_readme(engine_path: str) -> None:
    """Every Python block is made of examples, and each gives what is shown."""
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert all(block.startswith(">>> ") for block in blocks)
    result = doctest.testfile(
        str(README), module_relative=False, globs={"ENGINE": engine_path}, encoding="utf-8"
    )
    assert result.failed == 0
    assert result.attempted >= len(blocks) > 5


def test_a_match(engine_path: str, tmp_path: Path) -> None:
    """Two games with few nodes, written to a file that can be read and analysed."""
    games = tmp_path / "games.pgn"
    done = run(
        "play_match.py", engine_path, engine_path, "--games", "2", "--nodes", "200", "--out", str(games)
    )
    assert done.returncode == 0, done.stderr
    *lines, score = done.stdout.splitlines()
    assert len(lines) == 2
    assert re.fullmatch(r"first \+\d =\d -\d", score)
    records = list(read_records(games.read_text(encoding="utf-8")))
    assert [record.headers["White"] for record in records] == ["first", "second"]
    assert all(record.result != "*" for record in records)
    short = tmp_path / "short.pgn"
    records[0].actions = records[0].actions[:4]
    short.write_text(str(records[0]), encoding="utf-8")
    table = run("analyse_file.py", engine_path, str(short), "--nodes", "100")
    assert table.returncode == 0, table.stderr
    assert [row.split()[0] for row in table.stdout.splitlines()[1:]] == ["1.0", "1.1", "1.2", "1.3", "1.4"]


def test_a_table_of_fens(engine_path: str, tmp_path: Path) -> None:
    """Values for White, mates, ended games."""
    file = tmp_path / "positions.txt"
    file.write_text(
        "# a comment\n8/8/8/8/7k/5K2/8/8[Qqr] w - - 0 30\n\nR5k1/5ppp/8/8/8/8/1K6/8[] b - - 1 40\n",
        encoding="utf-8",
    )
    done = run("analyse_file.py", engine_path, str(file), "--depth", "3", "--lines", "2")
    assert done.returncode == 0, done.stderr
    rows = [row.split() for row in done.stdout.splitlines()[1:]]
    assert rows[0] == ["line", "2", "36", "#1", "Q@g4"]
    assert rows[1][:3] == ["line", "2", "36"]
    assert rows[2] == ["line", "4", "0", "checkmate"]


@pytest.mark.parametrize("name", ["positions.txt", "games.pgn"])
def test_a_wrong_file(name: str, engine_path: str, tmp_path: Path) -> None:
    """One line says where and why."""
    file = tmp_path / name
    file.write_text(
        "8/8/8/8/8/8/8/4K3[] w - - 0 1\n" if name.endswith("txt") else "1. P@e4 *\n", encoding="utf-8"
    )
    done = run("analyse_file.py", engine_path, str(file))
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert ("line 1: bad FEN" if name.endswith("txt") else "game 1: action 1: P@e4: the first action") in line
