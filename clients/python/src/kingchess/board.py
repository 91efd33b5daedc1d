"""A Kingchess position with its history, as a `chess.Board`."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar, Self

import chess

from kingchess import svg
from kingchess.action import Action, DropSet, as_action, parse_action
from kingchess.reserve import FULL, Reserve
from kingchess.rules import Legal, PositionError, RulesEngine, RulesError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

START = "8/8/8/8/8/8/8/8[KQRRBBNNPPPPPPPPkqrrbbnnpppppppp] w - - 0 1"
"""The start position: an empty board."""

_HOME = {chess.WHITE: chess.E1, chess.BLACK: chess.E8}
_CORNERS = {
    chess.WHITE: chess.SquareSet([chess.A1, chess.H1]),
    chess.BLACK: chess.SquareSet([chess.A8, chess.H8]),
}
_SWAP_BISHOPS = str.maketrans("LD", "DL")


@dataclasses.dataclass(frozen=True)
class _State:
    """What `pop` has to bring back beside python-chess' own."""

    reserves: tuple[Reserve, Reserve]
    kings_unmoved: tuple[bool, bool]


class KingchessBoard(chess.Board):
    """A Kingchess position with its history.

    The board keeps the position: pieces, reserves, castling rights, clocks. What is legal and how a game ends
    is asked from its `rules`; without them `is_legal`, `legal_moves`, `outcome` and what rests on them raise
    `RulesError`. python-chess' engine driver needs no rules, so a board without them can be played and
    analysed.

    `legal_moves` are the ordinary moves only: drops can't be listed, White begins with
    5,301,704,096,885,440 of them. python-chess' `status` knows no reserves: ask `is_valid`.
    """

    aliases: ClassVar[list[str]] = ["Kingchess"]
    uci_variant: ClassVar[str | None] = "kingchess"
    xboard_variant: ClassVar[str | None] = None
    starting_fen: ClassVar[str] = START

    reserves: list[Reserve]
    """The pieces not yet dropped, indexed by colour."""

    rules: RulesEngine | None
    """The engine that is asked; copies of the board ask the same one."""

    def __init__(
        self, fen: str | None = START, *, chess960: bool = False, rules: RulesEngine | None = None
    ) -> None:
        """Set up an extended FEN, see `set_fen`; None is an empty board with empty reserves."""
        self.rules = rules
        self.reserves = [Reserve(), Reserve()]
        # Has the king stood on e1 or e8 since its drop? Then a rook that is dropped on a corner may castle.
        self._kings_unmoved = [False, False]
        self._states: list[_State] = []
        super().__init__(fen, chess960=chess960)

    # Setting up and copying.

    def reset(self) -> None:
        """Set up the start position."""
        self.clear()
        self.reserves = [Reserve(FULL), Reserve(FULL)]

    def clear_board(self) -> None:
        """Empty board and reserves."""
        super().clear_board()
        self.reserves = [Reserve(), Reserve()]
        self._kings_unmoved = [False, False]

    def clear_stack(self) -> None:
        """Forget the history."""
        super().clear_stack()
        self._states.clear()

    def set_fen(self, fen: str) -> None:
        """Set up an extended FEN.

        With rules the engine reads it, in every form that its protocol allows, and `PositionError` gives its
        reason for refusing one. Without rules it must be written as the engine writes it; ValueError tells of
        mistakes in its form, and impossible positions are taken, as python-chess does.
        """
        if self.rules is not None:
            fen = self.rules.canonical_fen(fen)
        fields = fen.split()
        if not 4 <= len(fields) <= 6:
            raise ValueError(
                "expected 4 to 6 fields (board[reserve] side castling ep halfmove fullmove), "
                f"got {len(fields)}"
            )
        placement, side, castling, *rest = fields
        board, bracket, reserve = placement.partition("[")
        if bracket and not reserve.endswith("]"):
            raise ValueError(f"reserve: expected ']' at the end of {placement!r}")
        reserves = _parse_reserves(reserve.removesuffix("]"), chess.BaseBoard(board))
        letters = "".join(letter for letter in castling if letter not in "Ee") or "-"
        super().set_fen(" ".join([board, side, letters, *rest]))
        self.reserves = reserves
        self._kings_unmoved = [any(c in "kqe" for c in castling), any(c in "KQE" for c in castling)]

    def copy(self, *, stack: bool | int = True) -> Self:
        """Give a copy with as much of the history as asked for."""
        board = super().copy(stack=stack)
        self._hand_on(board, self._state())
        board._states = self._states[len(self._states) - len(board.move_stack) :]
        return board

    def root(self) -> Self:
        """Give the position the history began with."""
        board = super().root()
        self._hand_on(board, self._states[0] if self._states else self._state())
        return board

    def _state(self) -> _State:
        black, white = self.reserves
        black_unmoved, white_unmoved = self._kings_unmoved
        return _State((black, white), (black_unmoved, white_unmoved))

    def _hand_on(self, board: KingchessBoard, state: _State) -> None:
        board.rules = self.rules
        board._set_state(state)

    def _set_state(self, state: _State) -> None:
        self.reserves = list(state.reserves)
        self._kings_unmoved = list(state.kings_unmoved)

    def apply_mirror(self) -> None:
        """Turn the board upside down and swap the sides; light squares become dark ones."""
        super().apply_mirror()
        self.reserves = [
            Reserve(reserve.letters.translate(_SWAP_BISHOPS)) for reserve in reversed(self.reserves)
        ]
        self._kings_unmoved.reverse()

    # Writing.

    def castling_xfen(self) -> str:
        """`KQkq` where castling is possible in principle, `E`/`e` where a rook for it is still in reserve."""
        usable = super().castling_xfen()
        fields = ""
        for color in chess.COLORS:
            letters = "".join(letter for letter in usable if letter.isalpha() and letter.isupper() == color)
            if not letters and self._kings_unmoved[color] and self.reserves[color].count(chess.ROOK):
                letters = "E" if color else "e"
            fields += letters
        return fields or "-"

    def epd(
        self,
        *,
        shredder: bool = False,
        en_passant: chess.EnPassantSpec = "legal",
        promoted: bool | None = None,
        **operations: Any,  # noqa: ANN401
    ) -> str:
        """Write the first four fields of the extended FEN, to which `fen` adds the two clocks.

        The en passant square is there only if a capture is legal, whatever python-chess' driver asks for.
        """
        del en_passant
        text = super().epd(shredder=shredder, en_passant="legal", promoted=promoted, **operations)
        board, rest = text.split(" ", 1)
        black, white = self.reserves
        return f"{board}[{white}{str(black).lower()}] {rest}"

    def _transposition_key(self) -> Hashable:
        """Positions are the same for repetition if the first four fields of their FEN are."""
        return super()._transposition_key(), *self.reserves, self.castling_xfen()

    def _repr_svg_(self) -> str:
        """Draw the board and the reserves, for notebooks."""
        return str(svg.board(self))

    # Playing.

    def push(self, move: chess.Move) -> None:
        """Play an action, which must be legal; `push_legal` makes sure of it.

        Raises `chess.IllegalMoveError` if a dropped piece is not in reserve.
        """
        state = self._state()
        action = as_action(move)
        if isinstance(action, DropSet):
            self._push_drops(action)
        else:
            if self.kings & chess.BB_SQUARES[action.from_square]:
                self._kings_unmoved[self.turn] = False
            super().push(action)
        self._states.append(state)

    def _push_drops(self, action: DropSet) -> None:
        color = self.turn
        left = self.reserves[color].without(action.drops)
        first, *others = action.drops
        # As far as python-chess is concerned the first piece is dropped; the others join it.
        super().push(chess.Move(first.square, first.square, drop=first.piece_type))
        self.move_stack[-1] = action
        self.halfmove_clock = 0
        for drop in others:
            # The board's own method would forget the history.
            chess.BaseBoard.set_piece_at(self, drop.square, chess.Piece(drop.piece_type, color))
        self.reserves[color] = left
        if first.piece_type == chess.KING:
            self._kings_unmoved[color] = first.square == _HOME[color]
        if self._kings_unmoved[color]:
            rooks = (drop.square for drop in action.drops if drop.piece_type == chess.ROOK)
            self.castling_rights |= int(_CORNERS[color] & chess.SquareSet(rooks))

    def pop(self) -> Action:
        """Take the last action back and give it."""
        move = super().pop()
        self._set_state(self._states.pop())
        return move

    def push_legal(self, action: str | Action) -> Action:
        """Play an action after asking the rules and give it.

        Raises `chess.InvalidMoveError` for what is no action, `chess.IllegalMoveError` with the reason for an
        illegal one.
        """
        legal = self._ask().validate(self, action)
        self.push(legal)
        return legal

    def parse_uci(self, uci: str) -> Action:
        """Read an action that can be played out on this board.

        Raises `chess.InvalidMoveError` or `chess.IllegalMoveError`. The rules are not asked, so the own king
        may be left in check, or a drop be on the wrong half: python-chess' driver calls this for every action
        of every variation, inside its event loop, where no other process may be waited for.
        """
        action = parse_action(uci)
        if not self.is_pseudo_legal(action):
            raise chess.IllegalMoveError(f"{uci!r} can't be played in {self.fen()}")
        return action

    def is_pseudo_legal(self, move: chess.Move) -> bool:
        """Can this be played out: a move that is legal but for checks, or reserve pieces on empty squares?"""
        action = as_action(move)
        if not isinstance(action, DropSet):
            return super().is_pseudo_legal(action)
        if action.squares & self.occupied:
            return False
        try:
            self.reserves[self.turn].without(action.drops)
        except chess.IllegalMoveError:
            return False
        return True

    def is_zeroing(self, move: chess.Move) -> bool:
        """Does the action set the clock of the fifty actions back? Every drop does."""
        return move.drop is not None or super().is_zeroing(move)

    def parse_san(self, san: str) -> Action:
        """Read a legal action: a move in standard notation, or a drop as the protocol writes it."""
        if "@" not in san:
            return super().parse_san(san)
        return self._ask().validate(self, san.rstrip("+#"))

    def _algebraic_without_suffix(self, move: chess.Move, *, long: bool = False) -> str:
        action = as_action(move)
        if isinstance(action, DropSet):
            return action.uci()
        return super()._algebraic_without_suffix(action, long=long)

    # Rules, asked from the engine.

    def _ask(self) -> RulesEngine:
        if self.rules is None:
            raise RulesError(
                "the board has no rules to ask: make it with KingchessBoard(rules=RulesEngine(...))"
            )
        return self.rules

    def legal(self) -> Legal:
        """Tell what the side to act may do."""
        return self._ask().legal(self)

    def is_legal(self, move: chess.Move) -> bool:
        """Is this action legal here, be it a move or a drop?"""
        try:
            self._ask().validate(self, move)
        except (chess.IllegalMoveError, chess.InvalidMoveError):
            return False
        return True

    def generate_legal_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        """Give the legal ordinary moves."""
        for move in self.legal().moves:
            if chess.BB_SQUARES[move.from_square] & from_mask and chess.BB_SQUARES[move.to_square] & to_mask:
                yield move

    def outcome(self, *, claim_draw: bool = False) -> chess.Outcome | None:
        """Tell how the game has ended; every draw of Kingchess comes by itself, none is claimed."""
        del claim_draw
        termination = self.legal().termination
        if termination is None:
            return None
        winner = not self.turn if termination is chess.Termination.CHECKMATE else None
        return chess.Outcome(termination, winner)

    def _ends_by(self, termination: chess.Termination) -> bool:
        return self.legal().termination is termination

    def is_checkmate(self) -> bool:
        """Has the game ended by checkmate? Drops count as answers."""
        return self._ends_by(chess.Termination.CHECKMATE)

    def is_stalemate(self) -> bool:
        """Has the game ended by stalemate?"""
        return self._ends_by(chess.Termination.STALEMATE)

    def is_insufficient_material(self) -> bool:
        """Has the game ended because board and reserves hold no material that could mate?"""
        return self._ends_by(chess.Termination.INSUFFICIENT_MATERIAL)

    def has_insufficient_material(self, color: chess.Color) -> bool:
        """Give `is_insufficient_material`: the rule looks at both sides together."""
        del color
        return self.is_insufficient_material()

    def can_claim_draw(self) -> bool:
        """No draw needs to be claimed."""
        return False

    def can_claim_fifty_moves(self) -> bool:
        """No draw needs to be claimed."""
        return False

    def can_claim_threefold_repetition(self) -> bool:
        """No draw needs to be claimed."""
        return False

    def is_valid(self) -> bool:
        """Does the engine take the position?"""
        try:
            self.legal()
        except PositionError:
            return False
        return True


def _parse_reserves(text: str, board: chess.BaseBoard) -> list[Reserve]:
    """Read both reserves, indexed by colour: Black's are the small letters."""
    black = "".join(letter for letter in text if letter.islower()).upper()
    white = "".join(letter for letter in text if not letter.islower())
    return [
        Reserve.parse(letters, board.pieces(chess.BISHOP, color))
        for color, letters in [(chess.BLACK, black), (chess.WHITE, white)]
    ]
