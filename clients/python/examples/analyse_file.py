"""Analyse the positions of a file and write a table.

usage: analyse_file.py ENGINE FILE [--nodes N | --depth D] [--lines K]

FILE holds one FEN a line, or games as kingchess.records writes them (its name ends in .pgn): then every
position of every game is analysed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import chess.engine

from kingchess import Engine, KingchessBoard, Line, PositionError, RecordError, RulesEngine, read_records

HEAD = f"{'position':<12} {'actions':>16} {'value':>7}  variation"


def boards_of_fens(text: str, rules: RulesEngine) -> Iterator[tuple[str, KingchessBoard]]:
    """Give a name and a board for every line that is neither empty nor a comment."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            try:
                yield f"line {number}", KingchessBoard(line, rules=rules)
            except PositionError as error:
                raise PositionError(f"line {number}: {error}") from error


def boards_of_games(text: str, rules: RulesEngine) -> Iterator[tuple[str, KingchessBoard]]:
    """Give a name and a board for every position of every game."""
    for number, record in enumerate(read_records(text), start=1):
        try:
            last = record.board(rules)
        except ValueError as error:
            raise RecordError(f"game {number}: {error}") from error
        board = last.root()
        for action in last.move_stack:
            yield f"{number}.{len(board.move_stack)}", board
            board.push(action)
        yield f"{number}.{len(board.move_stack)}", board


def value(line: Line) -> str:
    """Give the value for White: pawns, or # and actions to mate."""
    score = line.score.white()
    mate, centipawns = score.mate(), score.score()
    if mate is not None:
        # Mated already: for whom shows in the sign, which 0 has not.
        return f"#{mate}" if mate else "#"
    assert centipawns is not None
    return f"{centipawns / 100:+.2f}"


def rows(
    engine: Engine, name: str, board: KingchessBoard, limit: chess.engine.Limit, lines: int
) -> Iterator[str]:
    """Analyse one position."""
    legal = board.legal()
    if legal.termination is not None:
        yield f"{name:<12} {legal.action_count:>16} {'':>7}  {legal.termination.name.lower()}"
        return
    for line in engine.analyse(board, limit, lines=lines):
        variation = " ".join(action.uci() for action in line.pv)
        yield f"{name:<12} {legal.action_count:>16} {value(line):>7}  {variation}"


def main() -> int:
    """Read the arguments and the file, write the table."""
    parser = argparse.ArgumentParser(description="A table of values and variations.")
    parser.add_argument("engine", help="the program file")
    parser.add_argument("file", type=Path, help="FENs, or games if its name ends in .pgn")
    limits = parser.add_mutually_exclusive_group()
    limits.add_argument("--nodes", type=int, default=100_000, help="positions to visit for each (100000)")
    limits.add_argument("--depth", type=int, help="depth instead")
    parser.add_argument("--lines", type=int, default=1, help="lines for each position (1)")
    arguments = parser.parse_args()
    if arguments.depth is None:
        limit = chess.engine.Limit(nodes=arguments.nodes)
    else:
        limit = chess.engine.Limit(depth=arguments.depth)
    read = boards_of_games if arguments.file.suffix == ".pgn" else boards_of_fens
    print(HEAD)
    with RulesEngine(arguments.engine) as rules, Engine.open(arguments.engine) as engine:
        try:
            for name, board in read(arguments.file.read_text(encoding="utf-8"), rules):
                for row in rows(engine, name, board, limit, arguments.lines):
                    print(row, flush=True)
        except ValueError as error:
            print(f"error: {arguments.file}: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
