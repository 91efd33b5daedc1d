"""The engine asked over plain pipes, one question at a time: what is legal, how does the position read?"""

from __future__ import annotations

import dataclasses
import subprocess
from typing import Self

import chess

# The words of `legal result` and what python-chess calls them.
RESULTS = {
    "none": None,
    "checkmate": chess.Termination.CHECKMATE,
    "stalemate": chess.Termination.STALEMATE,
    "fifty": chess.Termination.FIFTY_MOVES,
    "repetition": chess.Termination.THREEFOLD_REPETITION,
    "material": chess.Termination.INSUFFICIENT_MATERIAL,
}


class Fault(Exception):
    """Two sides disagree, or the engine has broken its contract."""


@dataclasses.dataclass(frozen=True)
class Report:
    """What `legal` and `d` say of a position."""

    moves: list[str]
    drops: dict[str, list[str]]
    actions: int
    result: chess.Termination | None
    fen: str


class Referee:
    """An engine process that is never asked to search."""

    def __init__(self, engine: str, variant: str = "kingchess") -> None:
        """Starts the process and chooses the game."""
        self._process = subprocess.Popen([engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._ask(["uci", f"setoption name UCI_Variant value {variant}"])

    def __enter__(self) -> Self:
        """The referee itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the process."""
        self._process.communicate("quit\n", timeout=10)

    def _ask(self, commands: list[str]) -> list[str]:
        """Sends commands and gives every line of the answers."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        stdin.write("\n".join([*commands, "isready"]) + "\n")
        stdin.flush()
        lines: list[str] = []
        while (line := stdout.readline()) != "readyok\n":
            if not line:
                raise Fault(f"the engine ended after {commands}")
            lines.append(line.rstrip("\n"))
        errors = [line for line in lines if line.startswith("info string error")]
        if errors:
            raise Fault(f"{errors} after {commands}")
        return lines

    def report(self, board: chess.Board, *, history: bool = False) -> Report:
        """Everything about a position, sent as a FEN, or from its root with all its actions."""
        return self._read_report(self._ask([position_command(board, history=history), "legal", "d"]))

    def validate(self, board: chess.Board, actions: list[str]) -> list[str | None]:
        """For every action how it is written, or None if the engine calls it illegal."""
        lines = self._ask([position_command(board), *(f"validate {action}" for action in actions)])
        words = [line.split() for line in lines if line.startswith(("valid ", "invalid "))]
        if len(words) != len(actions):
            raise Fault(f"{len(actions)} actions but answers {lines}")
        return [word[1] if word[0] == "valid" else None for word in words]

    @staticmethod
    def _read_report(lines: list[str]) -> Report:
        moves: list[str] | None = None
        drops: dict[str, list[str]] = {}
        actions, result, fen = -1, "", ""
        for line in lines:
            match line.split():
                case ["legal", "moves", *words]:
                    moves = words
                case ["legal", "drop", letter, *words]:
                    drops[letter] = words
                case ["legal", "actions", number]:
                    actions = int(number)
                case ["legal", "result", word]:
                    result = word
                case ["Fen:", *words]:
                    fen = " ".join(words)
        if moves is None or actions < 0 or result not in RESULTS or not fen:
            raise Fault(f"incomplete answer {lines}")
        return Report(moves, drops, actions, RESULTS[result], fen)


def position_command(board: chess.Board, *, history: bool = False) -> str:
    """The `position` command for a board, alone or as the end of its history."""
    if not history or not board.move_stack:
        return f"position fen {board.fen()}"
    return f"position fen {board.root().fen()} moves {' '.join(move.uci() for move in board.move_stack)}"


def single_actions(engine: str, fen: str, max_drops: int) -> list[str]:
    """All actions of at most this many pieces a drop, from the command line's perft."""
    command = [engine, "perft", "1", "--max-drops", str(max_drops), "--divide", "--fen", fen]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    *parts, total = done.stdout.splitlines() or [""]
    actions = [part.removesuffix(": 1") for part in parts]
    if done.returncode != 0 or total != f"Nodes searched: {len(actions)}":
        raise Fault(f"{command} answered {done.stdout!r} {done.stderr!r}")
    return actions
