"""The rules, asked from an engine: what is legal, is this action legal, is the game over?"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import queue
import subprocess
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Self, TypeAlias

import chess

from kingchess.action import Action, as_action, parse_action

if TYPE_CHECKING:
    from types import TracebackType

Command: TypeAlias = str | os.PathLike[str] | Sequence[str]
"""A program file, or a program file and its arguments."""

_TERMINATIONS: Mapping[str, chess.Termination | None] = {
    "none": None,
    "checkmate": chess.Termination.CHECKMATE,
    "stalemate": chess.Termination.STALEMATE,
    "fifty": chess.Termination.FIFTY_MOVES,
    "repetition": chess.Termination.THREEFOLD_REPETITION,
    "material": chess.Termination.INSUFFICIENT_MATERIAL,
}
_ERROR = "info string error "


class RulesError(RuntimeError):
    """There is no engine to ask, or it does not answer as its protocol says."""


class PositionError(ValueError):
    """The engine has refused a position or one of the actions that led to it; the text is its reason."""


@dataclasses.dataclass(frozen=True)
class Legal:
    """What the side to act may do."""

    moves: tuple[chess.Move, ...]
    """All ordinary moves."""

    drop_squares: Mapping[chess.PieceType, chess.SquareSet]
    """For each kind of piece in reserve the squares where one may stand in at least one legal drop."""

    action_count: int
    """The exact number of legal actions, drops of any number of pieces included."""

    termination: chess.Termination | None
    """How the game has ended, None while it goes on."""


def command_words(command: Command) -> list[str]:
    """Give a command as a list of words."""
    return [os.fspath(command)] if isinstance(command, str | os.PathLike) else list(command)


class RulesEngine:
    """An engine process that is asked about the rules and never searches.

    It answers one question at a time, for boards of any thread, in about half a millisecond or less. It is no
    `chess.engine` protocol: that has no words for these questions.
    """

    def __init__(self, command: Command, *, variant: str = "kingchess", timeout: float = 10.0) -> None:
        """Start the engine for one game, `kingchess` or `chess`; an answer may take `timeout` seconds."""
        self._timeout = timeout
        self._lock = threading.Lock()
        self._position = ""
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        # Its own process group, like the driver's: an interrupt from the keyboard is ours to handle.
        self._process = subprocess.Popen(
            command_words(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            process_group=0 if os.name == "posix" else None,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            with self._lock:
                self._ask(["uci", f"setoption name UCI_Variant value {variant}"])
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        """Give the engine itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the engine."""
        self.close()

    def close(self) -> None:
        """End the engine; it can't be asked any more."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            process.stdin.write("quit\n")
        with contextlib.suppress(OSError):
            process.stdin.close()
        try:
            process.wait(self._timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._reader.join(self._timeout)
        process.stdout.close()

    def legal(self, board: chess.Board) -> Legal:
        """Tell what is legal here, the history of the board included.

        Raises `PositionError` if the engine refuses the position, `RulesError` if it does not answer.
        """
        with self._lock:
            self._set_position(position_command(board))
            return _read_legal(self._ask(["legal"]))

    def validate(self, board: chess.Board, action: str | Action) -> Action:
        """Give the action, which must be legal here.

        Raises `chess.InvalidMoveError` for what is no action, `chess.IllegalMoveError` with the engine's
        reason for an illegal one, and what `legal` raises.
        """
        parsed = parse_action(action) if isinstance(action, str) else as_action(action)
        return parse_action(self._canonical(board, parsed.uci()))

    def canonical_fen(self, fen: str) -> str:
        """Give an extended FEN as the engine writes it; lenient forms are read where their meaning is clear.

        Raises what `legal` raises.
        """
        with self._lock:
            self._set_position(f"position fen {' '.join(fen.split())}")
            return self._read_fen()

    def fen(self, board: chess.Board) -> str:
        """Give the engine's FEN of a board that is sent with its history; raises what `legal` raises."""
        with self._lock:
            self._set_position(position_command(board))
            return self._read_fen()

    def _canonical(self, board: chess.Board, word: str) -> str:
        """Give the canonical form of a word that must be a legal action."""
        with self._lock:
            self._set_position(position_command(board))
            lines = self._ask([f"validate {word}"])
        match [line.split(maxsplit=2) for line in lines]:
            case [["valid", text]]:
                return text
            case [["invalid", text, reason]]:
                raise chess.IllegalMoveError(f"{text}: {reason.removeprefix('illegal: ')}")
        raise RulesError(f"validate {word} answered by {lines}")

    def _read_fen(self) -> str:
        lines = self._ask(["d"])
        for line in lines:
            name, _, fen = line.partition("Fen: ")
            if fen and not name:
                return fen
        raise RulesError(f"no FEN in {lines}")

    def _set_position(self, command: str) -> None:
        if command == self._position:
            return
        self._position = ""
        refused = [line for line in self._ask([command]) if line.startswith(_ERROR)]
        if refused:
            raise PositionError(refused[0].removeprefix(_ERROR).removeprefix("position: "))
        self._position = command

    def _ask(self, commands: Sequence[str]) -> list[str]:
        """Send commands and give every line of the answers."""
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write("\n".join([*commands, "isready"]) + "\n")
            stdin.flush()
        except (OSError, ValueError) as error:
            raise RulesError(f"the engine is gone: {error}") from error
        answers: list[str] = []
        while (line := self._next_line(commands)) != "readyok":
            answers.append(line)
        return answers

    def _next_line(self, commands: Sequence[str]) -> str:
        try:
            line = self._lines.get(timeout=self._timeout)
        except queue.Empty:
            # What it says later must not answer the next question.
            self._process.kill()
            raise RulesError(f"no answer to {list(commands)} within {self._timeout} s") from None
        if line is None:
            self._lines.put(None)
            raise RulesError(f"the engine ended after {list(commands)}")
        return line

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.rstrip())
        self._lines.put(None)


def position_command(board: chess.Board) -> str:
    """Give the `position` command for a board: its root and all its actions, for repetitions count."""
    words = ["position fen", board.root().fen()]
    if board.move_stack:
        words += ["moves", *(move.uci() for move in board.move_stack)]
    return " ".join(words)


def _read_legal(lines: list[str]) -> Legal:
    moves: tuple[chess.Move, ...] | None = None
    drop_squares: dict[chess.PieceType, chess.SquareSet] = {}
    count: int | None = None
    word = ""
    try:
        for line in lines:
            match line.split():
                case ["legal", "moves", *words]:
                    moves = tuple(map(chess.Move.from_uci, words))
                case ["legal", "drop", letter, *words]:
                    kind = chess.PIECE_SYMBOLS.index(letter.lower())
                    drop_squares[kind] = chess.SquareSet(map(chess.parse_square, words))
                case ["legal", "actions", number]:
                    count = int(number)
                case ["legal", "result", word]:
                    pass
    except ValueError as error:
        raise RulesError(f"{error} in {lines}") from error
    if moves is None or count is None or word not in _TERMINATIONS:
        raise RulesError(f"incomplete answer to 'legal': {lines}")
    return Legal(moves, drop_squares, count, _TERMINATIONS[word])
