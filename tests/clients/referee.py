"""The engine asked what is legal and how a position reads, its answers as plain words."""

from __future__ import annotations

import dataclasses
import subprocess

import chess

from kingchess import RulesEngine


class Fault(Exception):  # noqa: N818
    """Two sides disagree, or the engine has broken its contract."""


@dataclasses.dataclass(frozen=True)
class Report:
    """What `legal` and `d` say of a position."""

    moves: list[str]
    drops: dict[str, list[str]]
    actions: int
    result: chess.Termination | None
    fen: str


class Referee(RulesEngine):
    """An engine process that is never asked to search."""

    def report(self, board: chess.Board, *, history: bool = False) -> Report:
        """Everything about a position, sent as a FEN, or from its root with all its actions."""
        if not history:
            board = board.copy(stack=False)
        legal = self.legal(board)
        drops = {
            chess.piece_symbol(kind).upper(): list(map(chess.square_name, squares))
            for kind, squares in legal.drop_squares.items()
        }
        moves = [move.uci() for move in legal.moves]
        return Report(moves, drops, legal.action_count, legal.termination, self.fen(board))

    def verdict(self, board: chess.Board, word: str) -> str | None:
        """How the engine writes an action that it reads as it stands, or None if it calls it illegal."""
        try:
            return self._canonical(board, word)
        except chess.IllegalMoveError:
            return None


def single_actions(engine: str, fen: str, max_drops: int) -> list[str]:
    """All actions of at most this many pieces a drop, from the command line's perft."""
    command = [engine, "perft", "1", "--max-drops", str(max_drops), "--divide", "--fen", fen]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    *parts, total = done.stdout.splitlines() or [""]
    actions = [part.removesuffix(": 1") for part in parts]
    if done.returncode != 0 or total != f"Nodes searched: {len(actions)}":
        raise Fault(f"{command} answered {done.stdout!r} {done.stderr!r}")
    return actions
