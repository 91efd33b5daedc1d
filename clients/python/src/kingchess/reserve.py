"""The pieces a side has not dropped yet."""

from __future__ import annotations

import collections
import dataclasses
from typing import TYPE_CHECKING, Self

import chess

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kingchess.action import Drop

FULL = "KQRRLDNNPPPPPPPP"
"""A whole reserve. L is the light-squared bishop, D the dark-squared one: each is bound to its colour."""

ORDER = "KQRLDNP"
_MOST = collections.Counter(FULL)

LIGHT_SQUARES = chess.SquareSet(chess.BB_LIGHT_SQUARES)


def reserve_letter(piece_type: chess.PieceType, square: chess.Square) -> str:
    """Give the reserve letter of a piece that is dropped there: a bishop's square decides which one it is."""
    if piece_type == chess.BISHOP:
        return "L" if square in LIGHT_SQUARES else "D"
    return chess.piece_symbol(piece_type).upper()


def letter_piece_type(letter: str) -> chess.PieceType:
    """Give the kind of piece behind a reserve letter."""
    return chess.BISHOP if letter in "LD" else chess.PIECE_SYMBOLS.index(letter.lower())


@dataclasses.dataclass(frozen=True)
class Reserve:
    """A side's reserve. It is a value: `without` gives another one."""

    letters: str = ""
    """Its pieces in the order K Q R L D N P, in capitals for both sides."""

    def __post_init__(self) -> None:
        """Bring the letters into order; raises ValueError if a side can't hold these pieces."""
        for letter, count in collections.Counter(self.letters).items():
            if letter not in _MOST:
                raise ValueError(f"reserve: expected letters of {ORDER}, got {letter!r}")
            if count > _MOST[letter]:
                raise ValueError(f"reserve: expected at most {_MOST[letter]} of {letter!r}, got {count}")
        object.__setattr__(self, "letters", "".join(sorted(self.letters, key=ORDER.index)))

    @classmethod
    def parse(cls, text: str, bishops: chess.SquareSet) -> Self:
        """Read the capital letters of one side in an extended FEN, `bishops` being its bishops on the board.

        Raises ValueError. Both bishops are written BB, one L or D, or B where the board decides which it is.
        """
        if text.count("B") == 2:
            text = text.replace("B", "L", 1).replace("B", "D", 1)
        elif "B" in text:
            if len(bishops) != 1:
                raise ValueError(f"reserve: which bishop is 'B' in {text!r}? Write L (light) or D (dark)")
            text = text.replace("B", "D" if bishops & LIGHT_SQUARES else "L")
        return cls(text)

    def count(self, piece_type: chess.PieceType) -> int:
        """Count the pieces of a kind; both bishops are of one kind."""
        return sum(letter_piece_type(letter) == piece_type for letter in self.letters)

    def without(self, drops: Iterable[Drop]) -> Self:
        """Give what is left after these drops; raises `chess.IllegalMoveError` if a piece is not there."""
        left = self.letters
        for drop in drops:
            letter = reserve_letter(drop.piece_type, drop.square)
            if letter not in left:
                raise chess.IllegalMoveError(f"{drop}: no such piece in reserve {self}")
            left = left.replace(letter, "", 1)
        return type(self)(left)

    def __len__(self) -> int:
        """Count all pieces."""
        return len(self.letters)

    def __str__(self) -> str:
        """Give the letters as an extended FEN has them for White."""
        return self.letters.replace("LD", "BB")
