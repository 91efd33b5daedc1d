"""Pictures of positions: python-chess' board with the reserves above and below it."""

from __future__ import annotations

import collections
import re
from typing import TYPE_CHECKING

import chess
import chess.svg

from kingchess.action import DropSet, as_action
from kingchess.reserve import LIGHT_SQUARES, letter_piece_type

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kingchess.board import KingchessBoard
    from kingchess.reserve import Reserve

# The unit is that of python-chess: a square is 45 wide, and so is a board's margin 15.
_BOARD = 390
_STRIP = 36
_PIECE = 30
_SLOT = 52
_LEFT = 15
_LAST_LIGHT, _LAST_DARK = "#cdd16a", "#aaa23b"
_LIGHT, _DARK = "#ffce9e", "#d18b47"
# Pieces of both colours show on it, whatever the colour of the page.
_TABLE = "#d9d9d9"


def board(
    board: KingchessBoard,
    *,
    orientation: chess.Color = chess.WHITE,
    last_action: chess.Move | None = None,
    arrows: Iterable[chess.svg.Arrow] = (),
    size: int | None = 390,
) -> chess.svg.SvgWrapper:
    """Draw a position with both reserves, as the text of an SVG that notebooks show.

    `orientation` is the side at the bottom; `last_action` is marked, by default the last one played on the
    board; `size` is the width in pixels, None for no limit. A reserve bishop stands on the colour it is bound
    to.
    """
    if last_action is None and board.move_stack:
        last_action = board.peek()
    last = set() if last_action is None else _squares(last_action)
    squares = chess.svg.board(
        board,
        orientation=orientation,
        check=board.king(board.turn) if board.is_check() else None,
        arrows=list(arrows),
        fill={square: _LAST_LIGHT if square in LIGHT_SQUARES else _LAST_DARK for square in last},
        size=_BOARD,
    )
    height = _BOARD + 2 * _STRIP
    limit = "" if size is None else f' width="{size}" height="{round(size * height / _BOARD)}"'
    return chess.svg.SvgWrapper(
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1"'
        f' viewBox="0 0 {_BOARD} {height}"{limit}>'
        + _strip(board.reserves[not orientation], not orientation, 0)
        + _at(0, _STRIP, squares)
        + _strip(board.reserves[orientation], orientation, _STRIP + _BOARD)
        + "</svg>"
    )


def _squares(action: chess.Move) -> set[chess.Square]:
    """The squares an action touches."""
    action = as_action(action)
    return set(action.squares) if isinstance(action, DropSet) else {action.from_square, action.to_square}


def _strip(reserve: Reserve, color: chess.Color, top: int) -> str:
    """One reserve: each kind once, with its number if there are more."""
    name = chess.COLOR_NAMES[color]
    counts = collections.Counter(reserve.letters)
    slots = "".join(
        _at(_LEFT + place * _SLOT, (_STRIP - _PIECE) // 2, _slot(letter, count, color))
        for place, (letter, count) in enumerate(counts.items())
    )
    table = f'<rect width="{_BOARD}" height="{_STRIP}" fill="{_TABLE}" />'
    title = f"<title>{name}: [{reserve}]</title>"
    return f'<g class="reserve {name}" transform="translate(0, {top})">{title}{table}{slots}</g>'


def _slot(letter: str, count: int, color: chess.Color) -> str:
    piece = chess.svg.piece(chess.Piece(letter_piece_type(letter), color), size=_PIECE)
    # The board's own pieces bear these names.
    drawing = re.sub(r' id="[^"]*"', "", piece)
    ground = {"L": _LIGHT, "D": _DARK}.get(letter)
    if ground is not None:
        drawing = f'<rect width="{_PIECE}" height="{_PIECE}" rx="4" fill="{ground}" />{drawing}'
    if count > 1:
        drawing += (
            f'<text x="{_PIECE + 1}" y="{_PIECE - 6}" font-family="sans-serif" font-size="14">{count}</text>'
        )
    return drawing


def _at(x: int, y: int, drawing: str) -> str:
    return f'<g transform="translate({x}, {y})">{drawing}</g>'
