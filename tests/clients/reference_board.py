"""The rules written a second time, on top of python-chess and without the engine, to compare the two.

Positions, reserves and actions are those of the package in clients/python. What it would ask the engine is
decided here: ordinary moves and attacks are python-chess', drops and results are a few lines of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

import chess

from kingchess import Action, Drop, DropSet, KingchessBoard
from kingchess.reserve import LIGHT_SQUARES, letter_piece_type, reserve_letter

HALF = {chess.WHITE: chess.SquareSet(0x00000000FFFFFFFF), chess.BLACK: chess.SquareSet(0xFFFFFFFF00000000)}
BACK_RANK = {chess.WHITE: chess.SquareSet(chess.BB_RANK_1), chess.BLACK: chess.SquareSet(chess.BB_RANK_8)}


class ReferenceBoard(KingchessBoard):
    """A Kingchess position that knows the rules itself.

    `legal_moves` are the ordinary moves only, for drops can't be listed; `is_legal`, `parse_uci` and
    `outcome` know both.
    """

    def parse_uci(self, uci: str) -> Action:
        """Reads a legal action; anything else is a ValueError."""
        action = super().parse_uci(uci)
        if not self.is_legal(action):
            raise chess.IllegalMoveError(f"illegal: {uci!r} in {self.fen()}")
        return action

    # Legality.

    def is_legal(self, move: chess.Move) -> bool:
        """Is this action legal here?"""
        if isinstance(move, DropSet):
            return self._is_legal_drop(move)
        return self.is_pseudo_legal(move) and not self.is_into_check(move)

    def generate_legal_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        """The legal ordinary moves are those of chess."""
        return chess.Board.generate_legal_moves(self, from_mask, to_mask)

    def _is_legal_drop(self, action: DropSet) -> bool:
        color = self.turn
        left = self.reserves[color].letters
        for drop in action.drops:
            letter = reserve_letter(drop.piece_type, drop.square)
            if letter not in left or drop.square not in self.drop_squares(letter):
                return False
            left = left.replace(letter, "", 1)
        if "K" in left:
            return False
        king = self.king(color) if action.drop != chess.KING else action.to_square
        return king is not None and not self.is_attacked_by(not color, king, action.squares | self.occupied)

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
        for letter in dict.fromkeys(self.reserves[self.turn].letters):
            for square in self.drop_squares(letter):
                action = DropSet([Drop(letter_piece_type(letter), square)])
                if self.is_legal(action):
                    yield action

    # Results.

    def has_action(self) -> bool:
        """Has the side to act any legal action, drop sets included?"""
        if self.reserves[self.turn].count(chess.KING):
            # A first action always exists (a king in the corner behind its pawns).
            return True
        return any(self.generate_legal_moves()) or self._has_drop()

    def _has_drop(self) -> bool:
        """Every checking line must get a man of its own; without check any man will do."""
        letters = self.reserves[self.turn].letters
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
        hands = "".join(reserve.letters for reserve in self.reserves)
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
