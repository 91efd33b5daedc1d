"""Kingchess for python-chess: a board and a move class that its engine driver takes as they are.

The rules are written here a second time, on top of python-chess and without the engine, so that the two
can be compared: ordinary moves and attacks are python-chess', drops, reserves and results are a few lines
of their own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import ClassVar, Self

import chess

START = "8/8/8/8/8/8/8/8[KQRRBBNNPPPPPPPPkqrrbbnnpppppppp] w - - 0 1"

# A reserve is a string of these letters: L is the light-squared bishop, D the dark-squared one.
RESERVE_ORDER = "KQRLDNP"

HALF = {chess.WHITE: chess.SquareSet(0x00000000FFFFFFFF), chess.BLACK: chess.SquareSet(0xFFFFFFFF00000000)}
BACK_RANK = {chess.WHITE: chess.SquareSet(chess.BB_RANK_1), chess.BLACK: chess.SquareSet(chess.BB_RANK_8)}
LIGHT_SQUARES = chess.SquareSet(chess.BB_LIGHT_SQUARES)

Drop = tuple[chess.PieceType, chess.Square]


@dataclasses.dataclass(unsafe_hash=True, repr=False)
class DropSet(chess.Move):
    """A drop of one or more pieces as a single move; the inherited fields describe its first piece."""

    drops: tuple[Drop, ...] = ()

    @classmethod
    def of(cls, drops: Iterable[Drop]) -> Self:
        """The set of these drops, in the one order that is written: K Q R B N P, then a1 b1 .. h8."""
        ordered = tuple(sorted(drops, key=lambda drop: (-drop[0], drop[1])))
        if not ordered:
            raise chess.InvalidMoveError("expected at least one drop")
        kind, square = ordered[0]
        return cls(square, square, drop=kind, drops=ordered)

    @classmethod
    def from_uci(cls, uci: str) -> Self:
        """Reads `K@e1,P@e4`, in any order and letter case."""
        drops: list[Drop] = []
        for word in uci.split(","):
            single = chess.Move.from_uci(word)
            if single.drop is None:
                raise chess.InvalidMoveError(f"expected drops, got {uci!r}")
            drops.append((single.drop, single.to_square))
        return cls.of(drops)

    def uci(self) -> str:
        """The action as the protocol writes it."""
        return ",".join(
            f"{chess.piece_symbol(kind).upper()}@{chess.square_name(square)}" for kind, square in self.drops
        )


def parse_action(text: str) -> chess.Move:
    """Reads an action of any kind; it need not be legal."""
    return DropSet.from_uci(text) if "@" in text else chess.Move.from_uci(text)


def reserve_letter(kind: chess.PieceType, square: chess.Square) -> str:
    """The reserve letter of a piece that is dropped there: a bishop's square decides which one it is."""
    if kind == chess.BISHOP:
        return "L" if square in LIGHT_SQUARES else "D"
    return chess.piece_symbol(kind).upper()


def letter_kind(letter: str) -> chess.PieceType:
    """The kind of piece behind a reserve letter."""
    return chess.BISHOP if letter in "LD" else chess.PIECE_SYMBOLS.index(letter.lower())


class KingchessBoard(chess.Board):
    """A Kingchess position with its history.

    `legal_moves` are the ordinary moves only, for drops can't be listed; `is_legal`, `parse_uci`, `push` and
    `outcome` know both.
    """

    aliases: ClassVar[list[str]] = ["Kingchess"]
    uci_variant = "kingchess"
    xboard_variant = None
    starting_fen = START

    def __init__(self, fen: str | None = START, *, chess960: bool = False) -> None:
        """Sets up an extended FEN as the engine writes it; None is an empty board."""
        self.reserves: list[str] = ["", ""]
        self.kings_unmoved: list[bool] = [False, False]
        self._extras: list[tuple[list[str], list[bool]]] = []
        super().__init__(fen, chess960=chess960)

    # Setting up and copying.

    def reset(self) -> None:
        """Sets up the start position."""
        self.set_fen(START)

    def clear_board(self) -> None:
        """Empties board and reserves."""
        super().clear_board()
        self.reserves = ["", ""]
        self.kings_unmoved = [False, False]

    def clear_stack(self) -> None:
        """Forgets the history."""
        super().clear_stack()
        self._extras.clear()

    def set_fen(self, fen: str) -> None:
        """Sets up an extended FEN of six fields."""
        placement, side, castling, *rest = fen.split()
        board, _, reserve = placement.removesuffix("]").partition("[")
        letters = "".join(letter for letter in castling if letter in "KQkq") or "-"
        super().set_fen(" ".join([board, side, letters, *rest]))
        self.reserves = [
            self._read_reserve("".join(filter(str.islower, reserve)).upper(), chess.BLACK),
            self._read_reserve("".join(filter(str.isupper, reserve)), chess.WHITE),
        ]
        self.kings_unmoved = [any(c in "kqe" for c in castling), any(c in "KQE" for c in castling)]

    def _read_reserve(self, letters: str, color: chess.Color) -> str:
        """Both bishops are written BB, a single one L or D."""
        if letters.count("B") == 2:
            letters = letters.replace("B", "L", 1).replace("B", "D", 1)
        elif "B" in letters:
            bishops = self.pieces(chess.BISHOP, color)
            if len(bishops) != 1:
                raise ValueError(f"which bishop is in reserve? {letters!r}")
            letters = letters.replace("B", "D" if bishops & LIGHT_SQUARES else "L")
        return "".join(sorted(letters, key=RESERVE_ORDER.index))

    def copy(self, *, stack: bool | int = True) -> Self:
        """A copy, with as much of the history as asked for."""
        board = super().copy(stack=stack)
        board.reserves = self.reserves.copy()
        board.kings_unmoved = self.kings_unmoved.copy()
        if stack:
            board._extras = self._extras[-len(board.move_stack) :] if board.move_stack else []
        return board

    def root(self) -> Self:
        """The position the history began with."""
        board = super().root()
        if self._extras:
            reserves, unmoved = self._extras[0]
            board.reserves, board.kings_unmoved = reserves.copy(), unmoved.copy()
        return board

    # Writing.

    def castling_xfen(self) -> str:
        """`KQkq` where castling is possible in principle, `E`/`e` where a rook for it is still in reserve."""
        usable = super().castling_xfen()
        fields = ""
        for color in chess.COLORS:
            letters = "".join(filter(str.isupper if color else str.islower, usable))
            if not letters and self.kings_unmoved[color] and "R" in self.reserves[color]:
                letters = "E" if color else "e"
            fields += letters
        return fields or "-"

    def epd(
        self,
        *,
        shredder: bool = False,
        en_passant: chess.EnPassantSpec = "legal",
        promoted: bool | None = None,
        **operations: str | int | float | chess.Move | Iterable[chess.Move] | None,
    ) -> str:
        """The first four fields of the extended FEN; `fen` adds the two clocks."""
        text = super().epd(shredder=shredder, en_passant=en_passant, promoted=promoted, **operations)
        board, rest = text.split(" ", 1)
        white, black = (self.reserves[color].replace("LD", "BB") for color in chess.COLORS)
        return f"{board}[{white}{black.lower()}] {rest}"

    def _transposition_key(self) -> str:
        """Positions are the same for repetition if the first four fields of their FEN are."""
        return self.epd()

    # Playing.

    def push(self, move: chess.Move) -> None:
        """Plays an action, which must be legal."""
        extras = (self.reserves.copy(), self.kings_unmoved.copy())
        if isinstance(move, DropSet):
            self._push_drops(move)
        else:
            if self.kings & chess.BB_SQUARES[move.from_square]:
                self.kings_unmoved[self.turn] = False
            super().push(move)
        self._extras.append(extras)

    def _push_drops(self, action: DropSet) -> None:
        color = self.turn
        self.castling_rights = self.clean_castling_rights()
        self._stack.append(chess._BoardState(self))
        self.move_stack.append(action)
        self.ep_square = None
        self.halfmove_clock = 0
        if color == chess.BLACK:
            self.fullmove_number += 1
        home = chess.E1 if color == chess.WHITE else chess.E8
        corners = BACK_RANK[color] & chess.SquareSet(chess.BB_CORNERS)
        # The king comes first in a set, so it stands when its rooks arrive.
        for kind, square in action.drops:
            self._set_piece_at(square, kind, color)
            self.reserves[color] = self.reserves[color].replace(reserve_letter(kind, square), "", 1)
            if kind == chess.KING:
                self.kings_unmoved[color] = square == home
            if kind == chess.ROOK and square in corners and self.kings_unmoved[color]:
                self.castling_rights |= chess.BB_SQUARES[square]
        self.turn = not color

    def pop(self) -> chess.Move:
        """Takes the last action back."""
        move = super().pop()
        self.reserves, self.kings_unmoved = self._extras.pop()
        return move

    def parse_uci(self, uci: str) -> chess.Move:
        """Reads a legal action; anything else is a ValueError."""
        if "@" not in uci:
            return super().parse_uci(uci)
        action = DropSet.from_uci(uci)
        if not self.is_legal(action):
            raise chess.IllegalMoveError(f"illegal drops: {uci!r} in {self.fen()}")
        return action

    def is_irreversible(self, move: chess.Move) -> bool:
        """No repetition crosses such an action."""
        return isinstance(move, DropSet) or super().is_irreversible(move)

    # Legality.

    def is_legal(self, move: chess.Move) -> bool:
        """Is this action legal here?"""
        return self._is_legal_drop(move) if isinstance(move, DropSet) else super().is_legal(move)

    def _is_legal_drop(self, action: DropSet) -> bool:
        color = self.turn
        left = self.reserves[color]
        for kind, square in action.drops:
            letter = reserve_letter(kind, square)
            if letter not in left or square not in self.drop_squares(letter):
                return False
            left = left.replace(letter, "", 1)
        squares = chess.SquareSet(square for _, square in action.drops)
        if "K" in left or len(squares) < len(action.drops):
            return False
        king = self.king(color) if action.drop != chess.KING else action.to_square
        return king is not None and not self.is_attacked_by(not color, king, squares | self.occupied)

    def drop_squares(self, letter: str) -> chess.SquareSet:
        """Empty squares where the side to act may put this reserve letter, checks aside."""
        squares = HALF[self.turn] & ~chess.SquareSet(self.occupied)
        if letter == "P":
            return squares - BACK_RANK[self.turn]
        if letter == "L":
            return squares & LIGHT_SQUARES
        if letter == "D":
            return squares - LIGHT_SQUARES
        return squares

    def single_drops(self) -> Iterator[DropSet]:
        """The legal drops of one piece."""
        for letter in dict.fromkeys(self.reserves[self.turn]):
            for square in self.drop_squares(letter):
                action = DropSet.of([(letter_kind(letter), square)])
                if self.is_legal(action):
                    yield action

    # Results.

    def has_action(self) -> bool:
        """Has the side to act any legal action, drop sets included?"""
        if "K" in self.reserves[self.turn]:
            # A first action always exists (a king in the corner behind its pawns).
            return True
        return any(self.generate_legal_moves()) or self._has_drop()

    def _has_drop(self) -> bool:
        """Every checking line must get a man of its own; without check any man will do."""
        letters = self.reserves[self.turn]
        lines = self._checking_lines()
        return self._can_block(lines, letters) if lines else any(map(self.drop_squares, letters))

    def _checking_lines(self) -> list[chess.SquareSet]:
        king = self.king(self.turn)
        if king is None:
            return []
        return [chess.SquareSet.between(king, checker) for checker in self.checkers()]

    def _can_block(self, lines: list[chess.SquareSet], letters: str) -> bool:
        if not lines:
            return True
        usable = [letter for letter in dict.fromkeys(letters) if self.drop_squares(letter) & lines[0]]
        return any(self._can_block(lines[1:], letters.replace(letter, "", 1)) for letter in usable)

    def is_checkmate(self) -> bool:
        """In check without a legal action?"""
        return self.is_check() and not self.has_action()

    def is_stalemate(self) -> bool:
        """Not in check and without a legal action?"""
        return not self.is_check() and not self.has_action()

    def is_insufficient_material(self) -> bool:
        """Do board and both reserves together hold no material that could mate?"""
        shades = {
            "L": chess.SquareSet(self.bishops) & LIGHT_SQUARES,
            "D": chess.SquareSet(self.bishops) - LIGHT_SQUARES,
        }
        hands = "".join(self.reserves)
        if self.pawns | self.rooks | self.queens or any(letter in hands for letter in "PRQ"):
            return False
        knights = chess.popcount(self.knights) + hands.count("N")
        light, dark = (bool(shades[letter]) or letter in hands for letter in "LD")
        return not (light and dark) if knights == 0 else knights == 1 and not light and not dark

    def outcome(self, *, claim_draw: bool = False) -> chess.Outcome | None:
        """How the game has ended; all draws of Kingchess come by themselves, none is claimed."""
        if not self.has_action():
            if self.is_check():
                return chess.Outcome(chess.Termination.CHECKMATE, not self.turn)
            return chess.Outcome(chess.Termination.STALEMATE, None)
        if self.halfmove_clock >= 100:
            return chess.Outcome(chess.Termination.FIFTY_MOVES, None)
        if self.is_repetition(3):
            return chess.Outcome(chess.Termination.THREEFOLD_REPETITION, None)
        if self.is_insufficient_material():
            return chess.Outcome(chess.Termination.INSUFFICIENT_MATERIAL, None)
        return None
