"""Games on file: the frame of PGN, with actions as the protocol writes them.

    [White "A"]
    [Black "B"]
    [Result "0-1"]
    [Variant "Kingchess"]

    1. K@h4 K@a8,Q@h5,R@h8,B@d6 0-1

python-chess can't read these: its movetext has no words for drops of several pieces.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

import chess

from kingchess.action import Action, parse_action
from kingchess.board import START, KingchessBoard

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kingchess.rules import RulesEngine

_HEADER = re.compile(r'\[(?P<name>\w+)\s+"(?P<value>(?:[^"\\]|\\.)*)"\]')
_TOKEN = re.compile(
    r"""
    (?P<skip> \s+ | \{[^}]*\} | ;[^\n]* | \d+\.+ | \$\d+ )
    | (?P<result> \* | 1-0 | 0-1 | 1/2-1/2 )
    | (?P<action> [a-hA-HK-RkqrbnpP@1-8,]+ ) [!?]*
    """,
    re.VERBOSE,
)
_ROSTER = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": "*",
}
_WIDTH = 100


class RecordError(ValueError):
    """A record can't be read, or its actions can't be played; the text says which and where."""


@dataclasses.dataclass
class GameRecord:
    """A game: who played it, where it began, what was played."""

    headers: dict[str, str] = dataclasses.field(default_factory=dict)
    """The tags, without `Result`, `Variant`, `SetUp` and `FEN`, which are written from the fields below."""

    actions: list[Action] = dataclasses.field(default_factory=list)
    result: str = "*"
    """`1-0`, `0-1`, `1/2-1/2`, or `*` for a game that is not finished."""

    fen: str = START
    """The position the game began with, as the engine writes it."""

    @classmethod
    def from_board(cls, board: KingchessBoard, *, headers: dict[str, str] | None = None) -> GameRecord:
        """Record the game on a board; its result is asked from the rules, if the board has them."""
        result = "*" if board.rules is None else board.result()
        return cls(dict(headers or {}), list(board.move_stack), result, board.root().fen())

    def board(self, rules: RulesEngine | None = None) -> KingchessBoard:
        """Give the last position with all its history; with rules every action is checked by them.

        Raises `RecordError` that names the FEN or the action which is wrong.
        """
        try:
            board = KingchessBoard(self.fen, rules=rules)
        except ValueError as error:
            raise RecordError(f"{error} in {self.fen!r}") from error
        for number, action in enumerate(self.actions, start=1):
            try:
                if rules is None:
                    board.push(board.parse_uci(action.uci()))
                else:
                    board.push_legal(action)
            except ValueError as error:
                raise RecordError(f"action {number}: {error}") from error
        return board

    def __str__(self) -> str:
        """Write the record, an empty line after its tags and none at its end."""
        tags = _ROSTER | self.headers | {"Result": self.result, "Variant": "Kingchess"}
        if self.fen != START:
            tags |= {"SetUp": "1", "FEN": self.fen}
        lines = [f'[{name} "{_escape(value)}"]' for name, value in tags.items()]
        return "\n".join([*lines, "", *_wrap([*self._movetext(), self.result])])

    def _movetext(self) -> Iterator[str]:
        root = KingchessBoard(self.fen)
        turn, number = root.turn, root.fullmove_number
        for index, action in enumerate(self.actions):
            if turn == chess.WHITE:
                yield f"{number}. {action.uci()}"
            else:
                yield f"{number}... {action.uci()}" if index == 0 else action.uci()
                number += 1
            turn = not turn


def read_records(text: str) -> Iterator[GameRecord]:
    """Read every record of a file's text.

    Comments and move numbers are left out. Raises `RecordError` that names the record, also for variations in
    brackets. The actions need not be legal: `GameRecord.board` plays them.
    """
    for number, (tags, movetext) in enumerate(_split(text.splitlines()), start=1):
        try:
            yield _read_record(tags, movetext)
        except ValueError as error:
            raise RecordError(f"game {number}: {error}") from error


def _split(lines: Iterable[str]) -> Iterator[tuple[list[str], str]]:
    """The tags and the movetext of each record: a tag after movetext begins another."""
    tags: list[str] = []
    movetext: list[str] = []
    for line in lines:
        if line.startswith("["):
            if any(map(str.strip, movetext)):
                yield tags, "\n".join(movetext)
                tags = []
            movetext = []
            tags.append(line)
        else:
            movetext.append(line)
    if tags or any(map(str.strip, movetext)):
        yield tags, "\n".join(movetext)


def _read_record(tags: list[str], movetext: str) -> GameRecord:
    headers: dict[str, str] = {}
    for tag in tags:
        match = _HEADER.fullmatch(tag.strip())
        if match is None:
            raise ValueError(f'expected a tag like [Name "value"], got {tag!r}')
        headers[match["name"]] = re.sub(r"\\(.)", r"\1", match["value"])
    result, fen = headers.pop("Result", "*"), headers.pop("FEN", START)
    variant = headers.pop("Variant", "Kingchess")
    if variant.lower() != "kingchess":
        raise ValueError(f"expected the variant Kingchess, got {variant!r}")
    headers.pop("SetUp", None)
    actions: list[Action] = []
    place = 0
    while place < len(movetext):
        match = _TOKEN.match(movetext, place)
        if match is None:
            word = movetext[place:].split(maxsplit=1)[0]
            raise ValueError(
                f"action {len(actions) + 1}: expected an action, a comment or a result, got {word!r}"
            )
        place = match.end()
        if match["action"]:
            actions.append(parse_action(match["action"]))
        elif match["result"]:
            result = match["result"]
    return GameRecord(headers, actions, result, fen)


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _wrap(words: Iterable[str]) -> Iterator[str]:
    """Fill lines with words; a drop of many pieces is never broken."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > _WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}".lstrip()
    if line:
        yield line
