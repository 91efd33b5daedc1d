"""Compares the engine's rules with independent implementations on random games.

usage: differential.py ENGINE [--games N] [--drop-positions N] [--set-positions N] [--seed N]

1. Ordinary moves, FEN and results with nothing in reserve: python-chess.
2. Single drops and the moves beside them: pyffish with a variant defined below.
3. Drop sets of every size: the rules written in reference_board.py.
"""

from __future__ import annotations

import argparse
import collections
import itertools
import random
import re
import sys
from collections.abc import Callable, Iterator

import chess
import pyffish
from play_games import random_action, random_drops
from referee import Fault, Referee, Report, single_actions
from reference_board import ReferenceBoard

from kingchess import Drop, DropSet, PositionError, Reserve, RulesError, parse_action
from kingchess.reserve import LIGHT_SQUARES, letter_piece_type

Counts = collections.Counter[str]

# Starts of random games that lead to what a game from the start position rarely shows.
CHESS_STARTS = [
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/p1p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1",
    "7k/8/8/3p4/8/8/2P5/KR5r w - - 0 1",
    "8/8/8/2k5/8/8/8/KQ6 w - - 60 90",
    "8/2b5/8/2k5/8/8/3B4/K7 w - - 0 1",
    "8/2n5/8/2k5/4P3/8/8/K7 b - - 90 90",
    "k7/8/1K6/8/8/8/8/6R1 w - - 20 50",
]

# One drop a turn. Light- and dark-squared bishops are two kinds, each confined to its own squares, so that
# a reserve bishop keeps its colour when the other one is gone; a pawn promotes to a third kind that goes
# anywhere.
PEER = "onedrop"
DARK, LIGHT = (
    " ".join(chess.square_name(square) for square in squares)
    for squares in (chess.SquareSet(chess.BB_DARK_SQUARES), LIGHT_SQUARES)
)
PEER_VARIANT = f"""
[{PEER}:chess]
variantTemplate = bughouse
startFen = 8/8/8/8/8/8/8/8[KQRRBLNNPPPPPPPPkqrrblnnpppppppp] w - - 0 1
pocketSize = 7
customPiece1 = l:B
customPiece2 = x:B
promotionPieceTypes = qrnx
pieceDrops = true
capturesToHand = false
mustDrop = true
mustDropType = k
dropRegionWhite = *1 *2 *3 *4
dropRegionBlack = *5 *6 *7 *8
firstRankPawnDrops = false
promotionZonePawnDrops = false
castlingDroppedPiece = true
mobilityRegionWhiteBishop = {DARK}
mobilityRegionBlackBishop = {DARK}
mobilityRegionWhiteCustomPiece1 = {LIGHT}
mobilityRegionBlackCustomPiece1 = {LIGHT}
"""


def compare(what: str, fen: str, engine: list[str], other: list[str]) -> None:
    """Fails unless both lists hold the same."""
    engine, other = sorted(engine), sorted(other)
    if engine != other:
        extra, missing = sorted(set(engine) - set(other)), sorted(set(other) - set(engine))
        raise Fault(f"{what} in {fen}\nengine {engine}\nother  {other}\nextra {extra} missing {missing}")


# Positions.


def scattered(rng: random.Random) -> ReferenceBoard:
    """The side to act has its king and a small reserve; enemies stand at random, most of them in line."""
    while True:
        board = ReferenceBoard(None)
        board.turn = rng.random() < 0.5
        king, other, *squares = rng.sample(chess.SQUARES, 14)
        lines = chess.BB_RANK_MASKS[king] | chess.BB_FILE_MASKS[king] | chess.BB_DIAG_MASKS[king]
        board.set_piece_at(king, chess.Piece(chess.KING, board.turn))
        board.set_piece_at(other, chess.Piece(chess.KING, not board.turn))
        for square in [
            square for square in squares if lines & chess.BB_SQUARES[square] or rng.random() < 0.3
        ]:
            board.set_piece_at(square, chess.Piece(letter_piece_type(rng.choice("QRRLDN")), not board.turn))
        board.reserves[board.turn] = Reserve("".join(rng.sample("QRLDNPP", rng.randint(1, 3))))
        if not board.was_into_check() and (board.is_check() or rng.random() < 0.2):
            return board


def is_telling(board: chess.Board, action: chess.Move) -> bool:
    """Is this a kind of action that random play would seldom choose?"""
    if isinstance(action, DropSet):
        # A rook to castle with: the king stands unmoved between the corners.
        return (
            action.drop == chess.ROOK and "e" in board.castling_xfen().lower() and is_corner(action.to_square)
        )
    double_step = board.piece_type_at(action.from_square) == chess.PAWN and is_double_step(action)
    return double_step or bool(action.promotion) or board.is_en_passant(action)


def is_corner(square: chess.Square) -> bool:
    """Is it a1, h1, a8 or h8?"""
    return bool(chess.BB_SQUARES[square] & chess.BB_CORNERS)


def is_double_step(move: chess.Move) -> bool:
    """Two ranks straight on?"""
    return abs(move.to_square - move.from_square) == 16


def next_action(board: ReferenceBoard, number: int, rng: random.Random) -> chess.Move | None:
    """Every third game drops sets, the others one piece at a time."""
    if number % 3 == 2 and rng.random() < 0.5:
        return random_action(board, rng)
    moves: list[chess.Move] = list(board.legal_moves)
    drops: list[chess.Move] = list(board.single_drops())
    castlings = [move for move in moves if board.is_castling(move)]
    if castlings and rng.random() < 0.3:
        return rng.choice(castlings)
    home = chess.E1 if board.turn else chess.E8
    if number % 2 and board.reserves[board.turn].count(chess.KING):
        # Castling needs the king on its square.
        drops = [drop for drop in drops if drop.to_square == home] or drops
    chosen = drops if drops and (not moves or rng.random() < 0.6) else moves
    telling = [action for action in chosen if is_telling(board, action)]
    if telling and rng.random() < 0.5:
        return rng.choice(telling)
    if chosen:
        return rng.choice(chosen)
    # Only sets are left, if anything.
    sets = (random_drops(board, rng, rng.randint(2, 6)) for _ in range(2000))
    return next((drops for drops in sets if drops and board.is_legal(drops)), None)


# 1. Ordinary moves.


def chess_results(board: chess.Board, *, history: bool) -> set[chess.Termination | None]:
    """The results that python-chess sees; more than one kind of draw can come at once."""
    if board.is_checkmate():
        return {chess.Termination.CHECKMATE}
    if board.is_stalemate():
        return {chess.Termination.STALEMATE}
    draws = {
        chess.Termination.FIFTY_MOVES: board.halfmove_clock >= 100,
        chess.Termination.THREEFOLD_REPETITION: history and board.is_repetition(3),
        chess.Termination.INSUFFICIENT_MATERIAL: board.is_insufficient_material(),
    }
    return {draw for draw, stands in draws.items() if stands} or {None}


def compare_chess(board: chess.Board, report: Report, reserves: str, *, history: bool) -> None:
    """Compares a position with nothing in reserve."""
    fen = board.fen(en_passant="legal")
    compare("moves", fen, report.moves, [move.uci() for move in board.legal_moves])
    placement, rest = fen.split(" ", 1)
    compare("FEN", fen, [report.fen], [f"{placement}{reserves} {rest}"])
    if report.drops or report.actions != board.legal_moves.count():
        raise Fault(f"drops {report.drops}, {report.actions} actions in {fen}")
    results = chess_results(board, history=history)
    if report.result not in results:
        raise Fault(f"engine {report.result}, python-chess {results} in {fen}")


def count_moves(board: chess.Board, counts: Counts) -> None:
    """Counts what the position shows, so that it is known what was compared."""
    counts["positions"] += 1
    counts["checks"] += board.is_check()
    counts["double checks"] += len(board.checkers()) > 1
    for move in board.legal_moves:
        counts["en passant"] += board.is_en_passant(move)
        counts["castlings"] += board.is_castling(move)
        counts["promotions"] += move.promotion is not None


def ordinary_moves(engine: str, games: int, rng: random.Random) -> Counts:
    """Random games of chess, each position shown to both variants of the engine."""
    counts: Counts = collections.Counter()
    with Referee(engine) as kingchess, Referee(engine, variant="chess") as chess_mode:
        for number in range(games):
            board = chess.Board(CHESS_STARTS[number % len(CHESS_STARTS)])
            for _ in range(120):
                compare_chess(board, kingchess.report(board), "[]", history=False)
                compare_chess(board, chess_mode.report(board, history=True), "", history=True)
                count_moves(board, counts)
                results = chess_results(board, history=True)
                if None not in results:
                    counts.update(result.name.lower() for result in results if result)
                    break
                board.push(rng.choice(list(board.legal_moves)))
            counts["games"] += 1
    return counts


# 2. Single drops.


def peer_fen(board: ReferenceBoard) -> str:
    """The position as the peer reads it: light-squared bishops are L, castling rights to be are left out."""
    _, side, castling, en_passant, *clocks = board.fen().split()
    rows = (
        "".join(peer_letter(board, chess.square(file, rank)) for file in range(8))
        for rank in range(7, -1, -1)
    )
    placement = re.sub("1+", lambda empty: str(len(empty[0])), "/".join(rows))
    white, black = (board.reserves[color].letters.replace("D", "B") for color in chess.COLORS)
    castling = castling.replace("E", "").replace("e", "") or "-"
    return " ".join([f"{placement}[{white}{black.lower()}]", side, castling, en_passant, *clocks])


def peer_letter(board: chess.Board, square: chess.Square) -> str:
    """The peer's letter for what stands there; 1 is an empty square."""
    piece = board.piece_at(square)
    if piece is None:
        return "1"
    if piece.piece_type == chess.BISHOP and square in LIGHT_SQUARES:
        return "L" if piece.color else "l"
    return piece.symbol()


def from_peer(action: str) -> str:
    """The peer's action in our letters: L drops a bishop, and the promoted bishop is an x."""
    if "@" in action:
        return action.replace("L@", "B@")
    return action[:4] + action[4:].replace("x", "b")


def compare_singles(engine: str, referee: Referee, board: ReferenceBoard, counts: Counts) -> None:
    """Compares moves and single drops with the peer's, and `legal` with both where it lists no more."""
    fen = board.fen()
    report = referee.report(board, history=True)
    compare("FEN", fen, [report.fen], [fen])
    singles = single_actions(engine, fen, 1)
    peer = [from_peer(action) for action in pyffish.legal_moves(PEER, peer_fen(board), [])]
    compare("moves and single drops", fen, singles, peer)
    compare("moves", fen, report.moves, [action for action in singles if "@" not in action])
    checkers = len(board.checkers())
    if checkers == 0 and not board.reserves[board.turn].count(chess.KING):
        squares = [f"{letter}@{square}" for letter, names in report.drops.items() for square in names]
        compare("drop squares", fen, squares, [action for action in singles if "@" in action])
    outcome = board.outcome()
    if report.result is not (outcome and outcome.termination):
        raise Fault(f"engine {report.result}, own rules {outcome} in {fen}")
    # The peer knows no sets: where it sees mate in a check along several lines, a set may still answer.
    counts["answered by sets only"] += not singles and report.actions > 0
    counts["positions"] += 1
    counts["actions"] += len(singles)
    counts[f"{checkers} checkers"] += 1
    counts["castlings"] += sum(board.is_castling(move) for move in board.legal_moves)
    counts["en passant"] += sum(board.is_en_passant(move) for move in board.legal_moves)
    counts["promotions"] += sum(move.promotion is not None for move in board.legal_moves)
    counts["rights to be"] += "e" in fen.split()[2].lower()


def single_drops(engine: str, wanted: int, rng: random.Random) -> Counts:
    """Random games of Kingchess until so many positions are compared with the peer."""
    pyffish.load_variant_config(PEER_VARIANT)
    if PEER not in pyffish.variants():
        raise Fault("pyffish does not know the variant")
    counts: Counts = collections.Counter()
    with Referee(engine) as referee:
        while counts["positions"] < wanted:
            board = ReferenceBoard()
            for _ in range(80):
                compare_singles(engine, referee, board, counts)
                action = None if board.is_game_over() else next_action(board, counts["games"], rng)
                if action is None:
                    break
                board.push(action)
            counts["games"] += 1
            for _ in range(20):
                compare_singles(engine, referee, scattered(rng), counts)
    return counts


# 3. Drop sets.


def all_sets(board: ReferenceBoard) -> Iterator[DropSet]:
    """Every legal drop set, by trying every one; for small reserves."""
    letters = board.reserves[board.turn].letters
    seen: set[DropSet] = set()
    for size in range(1, len(letters) + 1):
        for chosen in set(itertools.combinations(letters, size)):
            for squares in itertools.product(*map(board.drop_squares, chosen)):
                if len(set(squares)) < size:
                    continue
                drops = DropSet(map(Drop, map(letter_piece_type, chosen), squares))
                if drops not in seen and board.is_legal(drops):
                    seen.add(drops)
                    yield drops


def spoiled(action: DropSet, rng: random.Random) -> str:
    """The set with any piece on any square instead of one of its own."""
    words = action.uci().split(",")
    words[rng.randrange(len(words))] = f"{rng.choice('KQRBNP')}@{rng.choice(chess.SQUARE_NAMES)}"
    return ",".join(words)


def judge(board: ReferenceBoard, text: str) -> str | None:
    """How the action is written by the own rules, or None if it is illegal or none at all."""
    try:
        action = parse_action(text)
    except chess.InvalidMoveError:
        return None
    return action.uci() if board.is_legal(action) else None


def drop_sets(engine: str, wanted: int, rng: random.Random) -> Counts:
    """Whole lists for small reserves, and random sets in random games for large ones."""
    counts: Counts = collections.Counter()
    with Referee(engine) as referee:
        for _ in range(wanted):
            board = scattered(rng)
            fen = board.fen()
            sets = [drops.uci() for drops in all_sets(board)]
            report = referee.report(board)
            listed = single_actions(engine, fen, 16)
            compare("actions", fen, listed, [*sets, *(move.uci() for move in board.legal_moves)])
            if report.actions != len(listed):
                raise Fault(f"engine counts {report.actions} of {len(listed)} actions in {fen}")
            standing = {letter: set[str]() for letter in report.drops}
            for letter, square in (drop.split("@") for drops in sets for drop in drops.split(",")):
                standing[letter].add(square)
            for letter, names in report.drops.items():
                compare(f"drop squares of {letter}", fen, names, list(standing[letter]))
            counts["whole lists"] += 1
            counts["sets listed"] += len(sets)
            counts[f"{len(board.checkers())} checkers"] += 1
        for number in range(wanted):
            board = ReferenceBoard()
            for _ in range(rng.randint(0, 12)):
                action = next_action(board, number, rng)
                if action is None or board.is_game_over():
                    break
                board.push(action)
            tried = [random_drops(board, rng, rng.randint(1, 16)) for _ in range(40)]
            drops = [drops for drops in tried if drops]
            for text in [*map(str, drops), *(spoiled(action, rng) for action in drops)]:
                verdict, expected = referee.verdict(board, text), judge(board, text)
                if verdict != expected:
                    raise Fault(f"engine says {verdict} to {text}, own rules {expected} in {board.fen()}")
                counts["sets judged legal" if expected else "sets judged illegal"] += 1
    return counts


def main() -> int:
    """Reads the arguments, compares, sums up."""
    parser = argparse.ArgumentParser(description="The engine's rules against independent implementations.")
    parser.add_argument("engine", help="the engine's program file")
    parser.add_argument("--games", type=int, default=200, help="random games of chess (200)")
    parser.add_argument("--drop-positions", type=int, default=2500, help="positions for single drops (2500)")
    parser.add_argument("--set-positions", type=int, default=150, help="positions for drop sets (150)")
    parser.add_argument("--seed", type=int, default=1, help="for everything random (1)")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    parts: dict[str, Callable[[], Counts]] = {
        "ordinary moves": lambda: ordinary_moves(arguments.engine, arguments.games, rng),
        "single drops": lambda: single_drops(arguments.engine, arguments.drop_positions, rng),
        "drop sets": lambda: drop_sets(arguments.engine, arguments.set_positions, rng),
    }
    failed = 0
    for name, part in parts.items():
        try:
            counts = part()
        except (Fault, PositionError, RulesError) as fault:
            failed += 1
            print(f"{name}: FAILED {fault}", file=sys.stderr, flush=True)
        else:
            print(f"{name}: {', '.join(f'{counts[what]} {what}' for what in sorted(counts))}", flush=True)
    print(f"differential: {len(parts) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
