"""What a side does in a turn: an ordinary move, or a drop of one or more reserve pieces."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Self, TypeAlias

import chess

if TYPE_CHECKING:
    from collections.abc import Iterable

Action: TypeAlias = chess.Move
"""An ordinary move is a plain `chess.Move`, a drop is a `DropSet`."""

MOST_DROPS = 16
"""As many pieces as a reserve can hold."""


@dataclasses.dataclass(frozen=True)
class Drop:
    """One reserve piece and the square it is dropped on."""

    piece_type: chess.PieceType
    square: chess.Square

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `P@e4`, in any letter case; raises `chess.InvalidMoveError`."""
        letter, _, square = text.partition("@")
        try:
            # An empty letter would be found: python-chess' list begins with None.
            return cls(chess.PIECE_SYMBOLS.index(letter.lower()), chess.parse_square(square.lower()))
        except ValueError:
            raise chess.InvalidMoveError(
                f"expected 'PIECE@SQUARE' with a piece of KQRBNP and a square a1-h8, got {text!r}"
            ) from None

    def __str__(self) -> str:
        """The drop as the protocol writes it: a capital letter for both colours."""
        return f"{chess.piece_symbol(self.piece_type).upper()}@{chess.square_name(self.square)}"


class DropSet(chess.Move):
    """A drop of one or more pieces, as a single `chess.Move`.

    The inherited fields describe its first piece, so that it is neither a null move nor an ordinary one.
    Equal sets are equal and have equal texts, however they were put together.
    """

    drops: tuple[Drop, ...]
    """In the one order that is written: K Q R B N P, then a1 b1 .. h8."""

    def __init__(self, drops: Iterable[Drop]) -> None:
        """Put 1 to 16 drops on different squares together; raises `chess.InvalidMoveError`."""
        ordered = tuple(sorted(drops, key=lambda drop: (-drop.piece_type, drop.square)))
        if not 1 <= len(ordered) <= MOST_DROPS:
            raise chess.InvalidMoveError(f"expected 1 to {MOST_DROPS} drops, got {len(ordered)}")
        if len({drop.square for drop in ordered}) < len(ordered):
            raise chess.InvalidMoveError(f"two pieces on one square in {','.join(map(str, ordered))}")
        first = ordered[0]
        super().__init__(first.square, first.square, drop=first.piece_type)
        self.drops = ordered

    @classmethod
    def from_uci(cls, uci: str) -> Self:
        """Read `K@e1,P@e4`, in any order and letter case; raises `chess.InvalidMoveError`."""
        return cls(map(Drop.parse, uci.split(",")))

    @property
    def squares(self) -> chess.SquareSet:
        """The squares that are filled."""
        return chess.SquareSet(drop.square for drop in self.drops)

    def uci(self) -> str:
        """Give the canonical text of the protocol."""
        return ",".join(map(str, self.drops))

    def __eq__(self, other: object) -> bool:
        """Compare the sets; a set is never equal to a plain move."""
        return self.drops == other.drops if isinstance(other, DropSet) else NotImplemented

    def __hash__(self) -> int:
        """Hash the set."""
        return hash(self.drops)

    def __repr__(self) -> str:
        """Show how to make it."""
        return f"DropSet.from_uci({self.uci()!r})"


def parse_action(text: str) -> Action:
    """Read an action of any kind, in any letter case; it need not be legal anywhere.

    Raises `chess.InvalidMoveError`, also for the null move: Kingchess has no passing.
    """
    if "@" in text:
        return DropSet.from_uci(text)
    move = chess.Move.from_uci(text.lower())
    if not move or move.promotion in (chess.PAWN, chess.KING):
        raise chess.InvalidMoveError(
            f"expected a move like e2e4 or e7e8q, or drops like K@e1,P@e4, got {text!r}"
        )
    return move


def as_action(move: chess.Move) -> Action:
    """Turn python-chess' own drop of one piece into a `DropSet`; other actions stay as they are."""
    if move.drop is None or isinstance(move, DropSet):
        return move
    return DropSet([Drop(move.drop, move.to_square)])
