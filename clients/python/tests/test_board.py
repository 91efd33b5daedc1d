"""The board: positions in and out, actions played and taken back, rules asked."""

from __future__ import annotations

import random

import chess
import pytest

from kingchess import DropSet, KingchessBoard, PositionError, Reserve, RulesEngine, RulesError, parse_action
from kingchess.board import START

# The protocol page's longer game: drops, castling with a dropped rook, a smothered mate.
GAME = "K@e1,R@h1,P@f2,P@g2,P@h2 K@h8,R@g8,P@g7,P@h7 N@e4 P@a7 e1g1 a7a5 e4g5 a5a4 g5f7".split()
FENS = [
    START,
    "6k1/5pb1/3p2p1/4p3/PP1PP1NN/BB3RP1/Q4PPP/2R3K1[qrrlnnpppp] b - - 0 2",
    "4k3/8/8/8/8/8/8/4KB2[Dl] w - - 0 9",
    "4k3/8/8/8/8/8/8/4K3[Rr] w Ee - 0 9",
    "4k3/8/8/8/8/8/8/4K2R[R] w K - 0 9",
    "r3k2r/8/8/8/8/8/8/R3K2R[] w KQkq - 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3[] w - d6 0 2",
    "4k3/P7/8/8/8/8/8/4K3[] w - - 99 150",
]
# What the engine reads and writes in another way.
LENIENT = [
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3[2Pp] w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3/Pp w - - 0 1",
    "4k3/8/8/8/8/8/8/2B1K3[B] w - - 0 9",
    "4k3/8/8/8/8/8/8/4K3[] w E - 0 9",
    "4k3/8/8/8/8/8/8/4K3[Pp] w - -",
]


@pytest.mark.parametrize("fen", FENS)
def test_fens_come_out_as_they_went_in(fen: str, rules: RulesEngine) -> None:
    """With and without the engine's help."""
    board = KingchessBoard(fen)
    assert board.fen() == fen
    assert KingchessBoard(fen, rules=rules).fen() == fen
    assert board.copy() == board.root() == board
    assert board.mirror().mirror() == board


@pytest.mark.parametrize("fen", LENIENT)
def test_with_rules_the_engine_reads_the_fen(fen: str, rules: RulesEngine) -> None:
    """Whatever form it accepts becomes its own."""
    board = KingchessBoard(fen, rules=rules)
    assert board.fen() == rules.canonical_fen(fen) == rules.fen(board)


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("8/8", "4 to 6 fields"),
        ("4k3/8/8/8/8/8/8/4K3[P w - - 0 1", "]"),
        ("4k3/8/8/8/8/8/8/4K3[X] w - - 0 1", "X"),
        ("4k3/8/8/8/8/8/8/4K3[QQ] w - - 0 1", "Q"),
        ("4k3/8/8/8/8/8/8/4K3[B] w - - 0 1", "which bishop"),
        ("4k3/8/8/8/8/8/8/4K4[] w - - 0 1", "4k3/8/8/8/8/8/8/4K4"),
        ("4k3/8/8/8/8/8/8/4K3[] x - - 0 1", "'w' or 'b'"),
    ],
)
def test_a_malformed_fen_is_refused(fen: str, reason: str, rules: RulesEngine) -> None:
    """Also without rules, and the board stays as it was."""
    board = KingchessBoard()
    with pytest.raises(ValueError, match=r".") as refused:
        board.set_fen(fen)
    assert reason in str(refused.value)
    assert board.fen() == START
    with pytest.raises(PositionError, match="bad FEN"):
        KingchessBoard(fen, rules=rules)


def test_a_game_as_the_engine_sees_it(rules: RulesEngine) -> None:
    """After each action both write the same FEN; taking all back leads to the start."""
    board = KingchessBoard(rules=rules)
    seen = [board.fen()]
    for action in GAME:
        assert board.push_legal(action).uci() == action
        assert rules.fen(board) == board.fen()
        seen.append(board.fen())
    assert board.is_checkmate()
    assert board.outcome() == chess.Outcome(chess.Termination.CHECKMATE, chess.WHITE)
    assert board.result() == "1-0"
    assert board.root().fen() == START
    halfway = board.copy(stack=4)
    assert [move.uci() for move in halfway.move_stack] == GAME[-4:]
    assert halfway.root().fen() == seen[-5]
    assert board.root().variation_san(board.move_stack).endswith("4. Ng5 a4 5. Nf7#")
    for action, fen in zip(reversed(GAME), reversed(seen[:-1]), strict=True):
        assert board.pop().uci() == action
        assert board.fen() == fen
    assert board == KingchessBoard()


def test_random_games_stay_in_step(rules: RulesEngine) -> None:
    """Single drops and moves at random: FENs agree, what is legal can be read, all can be taken back."""
    rng = random.Random(1)
    castlings = 0
    for _ in range(20):
        board = KingchessBoard(rules=rules)
        board.push_legal("K@e1,R@h1,P@f2")
        board.push_legal("K@e8,R@a8,P@d7")
        for _ in range(30):
            if board.is_game_over():
                break
            legal = board.legal()
            drops = [
                DropSet.from_uci(f"{chess.piece_symbol(kind)}@{chess.square_name(square)}")
                for kind, squares in legal.drop_squares.items()
                for square in squares
            ]
            special = [move for move in legal.moves if board.is_castling(move) or board.is_en_passant(move)]
            actions: list[chess.Move] = special or list(
                rng.choice([legal.moves, drops]) or legal.moves or drops
            )
            action = rng.choice(actions)
            assert board.parse_uci(action.uci().lower()) == action
            if not board.is_legal(action):
                continue  # a drop that parries only together with another
            castlings += board.is_castling(action)
            before = board.fen()
            board.push(action)
            assert rules.fen(board) == board.fen()
            assert board.pop() == action
            assert board.fen() == before
            board.push(action)
        assert board.root().fen() == START
    assert castlings > 5


def test_the_reasons_of_the_engine(rules: RulesEngine) -> None:
    """An illegal action is refused with them and changes nothing."""
    board = KingchessBoard(rules=rules)
    with pytest.raises(chess.IllegalMoveError, match="the first action must drop the king"):
        board.push_legal("P@e4")
    with pytest.raises(chess.IllegalMoveError, match="e7 is not on the own half"):
        board.push_legal("K@e1,P@e7")
    with pytest.raises(chess.InvalidMoveError):
        board.push_legal("K@e9")
    assert board == KingchessBoard()
    with pytest.raises(PositionError, match="Black is in check, but it is not its turn"):
        KingchessBoard("4k3/8/8/8/8/8/8/4RK2[] w - - 0 1", rules=rules)


def test_what_is_legal(rules: RulesEngine) -> None:
    """The example of the protocol's page: two checks, which only two drops together parry."""
    board = KingchessBoard("7k/8/8/8/8/8/1B6/K6R[np] b - - 0 20", rules=rules)
    legal = board.legal()
    blocks = chess.SquareSet(map(chess.parse_square, "e5 h5 f6 h6 g7 h7".split()))
    assert legal.drop_squares == {chess.KNIGHT: blocks, chess.PAWN: blocks}
    assert legal.action_count == 19
    assert legal.termination is None
    assert list(board.legal_moves) == [chess.Move.from_uci("h8g8")]
    assert board.is_check()
    assert board.parse_san("Kg8") == chess.Move.from_uci("h8g8")
    assert board.parse_san("N@h5,P@e5").uci() == "N@h5,P@e5"
    assert not board.is_legal(DropSet.from_uci("N@h5"))
    # python-chess' own single drop is judged as well.
    assert not board.is_legal(chess.Move.from_uci("N@h5"))
    assert not board.is_legal(chess.Move.null())


@pytest.mark.parametrize(
    ("fen", "termination"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8[] b - - 0 60", chess.Termination.STALEMATE),
        ("8/8/8/3k4/8/3K4/8/8[N] w - - 0 1", chess.Termination.INSUFFICIENT_MATERIAL),
        ("4k3/8/8/8/8/8/8/4K2R[] w - - 100 120", chess.Termination.FIFTY_MOVES),
        ("R5k1/5ppp/8/8/8/8/1K6/8[] b - - 1 40", chess.Termination.CHECKMATE),
        ("4k3/8/8/8/8/8/8/4K2R[] w - - 99 120", None),
    ],
)
def test_results(fen: str, termination: chess.Termination | None, rules: RulesEngine) -> None:
    """Each ending, and the questions python-chess knows about it."""
    board = KingchessBoard(fen, rules=rules)
    outcome = board.outcome()
    assert (outcome and outcome.termination) == termination
    assert board.is_game_over(claim_draw=True) == (termination is not None)
    assert board.is_stalemate() == (termination is chess.Termination.STALEMATE)
    assert board.is_checkmate() == (termination is chess.Termination.CHECKMATE)
    assert board.is_insufficient_material() == (termination is chess.Termination.INSUFFICIENT_MATERIAL)


def test_a_repetition_needs_the_history(rules: RulesEngine) -> None:
    """The third time is a draw; a position without its history is not."""
    board = KingchessBoard(rules=rules)
    for action in "K@e1,N@g1 K@e8,N@g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8".split():
        assert not board.is_game_over()
        board.push_legal(action)
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.termination is chess.Termination.THREEFOLD_REPETITION
    assert board.is_repetition(3)
    assert not board.copy(stack=False).is_game_over()


def test_a_board_without_rules_keeps_positions_only() -> None:
    """It plays what can be played out, and says that it can't judge."""
    board = KingchessBoard()
    board.push_uci("k@e1,p@e4")
    board.push_uci("K@e8")
    board.push_uci("e4e5")
    assert board.fen() == "4k3/8/8/4P3/8/8/8/4K3[QRRBBNNPPPPPPPqrrbbnnpppppppp] b Ee - 0 2"
    for judge in (board.legal, board.outcome, lambda: board.is_legal(parse_action("P@e7"))):
        with pytest.raises(RulesError, match="no rules to ask"):
            judge()
    for text in ("K@a8", "P@e5", "e8e6", "e5e6"):
        with pytest.raises(chess.IllegalMoveError):
            board.push_uci(text)


def test_is_valid(rules: RulesEngine) -> None:
    """A board can be edited into what no game can reach."""
    board = KingchessBoard("4k3/8/8/8/8/8/8/4K3[Pp] w - - 0 9", rules=rules)
    assert board.is_valid()
    board.remove_piece_at(chess.E8)
    assert not board.is_valid()


def test_mirror_swaps_sides_and_bishops() -> None:
    """A light square upside down is a dark one."""
    mirrored = KingchessBoard("4k3/8/8/8/8/8/8/4KB2[RDlp] w Ee - 3 9").mirror()
    assert mirrored.fen() == "4kb2/8/8/8/8/8/8/4K3[DPrl] b e - 3 9"


def test_reserves() -> None:
    """Letters are ordered; both bishops are two kinds of letter and one of piece."""
    reserve = Reserve("PDQLP")
    assert str(reserve) == "QBBPP"
    assert str(Reserve("DQ")) == "QD"
    assert (reserve.count(chess.BISHOP), reserve.count(chess.KNIGHT), len(reserve)) == (2, 0, 5)
    left = reserve.without(DropSet.from_uci("B@c1,P@e4").drops)
    assert left == Reserve("QLP")
    with pytest.raises(chess.IllegalMoveError, match="B@c1"):
        left.without(DropSet.from_uci("B@c1").drops)


def test_equal_boards_have_equal_reserves() -> None:
    """As for repetition: reserves and castling rights to be are part of a position."""
    board = KingchessBoard("4k3/8/8/8/8/8/8/4K3[Rp] w E - 0 9")
    assert board == KingchessBoard("4k3/8/8/8/8/8/8/4K3[Rp] w E - 0 9")
    assert board != KingchessBoard("4k3/8/8/8/8/8/8/4K3[R] w E - 0 9")
    assert board != KingchessBoard("4k3/8/8/8/8/8/8/4K3[Rp] w - - 0 9")
