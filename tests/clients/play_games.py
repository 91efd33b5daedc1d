"""Plays whole games through python-chess' engine driver: Kingchess with its drop sets, and ordinary chess.

usage: play_games.py ENGINE [--games N] [--seed N]
"""

from __future__ import annotations

import argparse
import logging
import random
import sys
from collections.abc import Callable
from typing import Self

import chess
import chess.engine
from referee import Fault, Referee
from reference_board import ReferenceBoard

from kingchess import Drop, DropSet, RulesError
from kingchess.reserve import letter_piece_type

MOST_ACTIONS = 700
LIMITS = [chess.engine.Limit(time=0.02), chess.engine.Limit(nodes=2000), chess.engine.Limit(depth=4)]
CLOCK = chess.engine.Limit(white_clock=2.0, black_clock=2.0, white_inc=0.02, black_inc=0.02)


class Wire(logging.Handler):
    """Listens to the driver: keeps what it complains of, and the last principal variation it received."""

    def __init__(self) -> None:
        """Attaches itself to the driver's logger."""
        super().__init__(logging.DEBUG)
        self.faults: list[str] = []
        self.pv: list[str] = []
        logger = logging.getLogger("chess.engine")
        logger.setLevel(logging.DEBUG)
        logger.propagate = False
        logger.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Takes one message of the driver."""
        text = record.getMessage()
        if record.levelno >= logging.WARNING or "info string error" in text:
            self.faults.append(text)
        _, arrow, line = text.partition(" >> info ")
        words = line.split()
        if arrow and "pv" in words:
            self.pv = words[words.index("pv") + 1 :]

    def check(self) -> None:
        """Fails if the driver has complained since the last time."""
        faults, self.faults = self.faults, []
        if faults:
            raise Fault("\n".join(faults))


class Client:
    """One engine behind the driver, whose every answer is checked."""

    def __init__(self, engine: str, wire: Wire) -> None:
        """Starts the engine and sets options as a front end does."""
        self.wire = wire
        self.engine = chess.engine.SimpleEngine.popen_uci(engine, timeout=20.0)
        self.engine.configure({"Hash": 8, "Threads": 1, "Move Overhead": 5, "UCI_ShowWDL": True})
        self.engine.ping()

    def __enter__(self) -> Self:
        """The client itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the engine."""
        self.engine.quit()

    def play(
        self, board: chess.Board, limit: chess.engine.Limit, *, game: object, ponder: bool = False
    ) -> chess.Move:
        """The engine's action, which must be legal and begin the variation it reported last."""
        info = chess.engine.INFO_ALL
        self.wire.pv = []
        result = self.engine.play(board, limit, game=game, info=info, ponder=ponder)
        self.wire.check()
        move = result.move
        if move is None or not board.is_legal(move):
            raise Fault(f"{move} played in {board.fen()}")
        if ponder:
            # What is thought meanwhile may have come over the wire since.
            return move
        written = [action.uci() for action in result.info.get("pv", [])]
        if not written or written[0] != move.uci() or written != self.wire.pv:
            raise Fault(f"{move} played, variation read {written}, sent {self.wire.pv} in {board.fen()}")
        return move

    def analyse(self, board: chess.Board, rng: random.Random, game: object) -> None:
        """Asks for two lines, for some actions only, and for thought without end."""
        lines = self.engine.analyse(board, chess.engine.Limit(nodes=20_000), multipv=2, game=game)
        self.wire.check()
        first = [line["pv"][0] for line in lines]
        if len(first) != 2 or first[0] == first[1] or any("wdl" not in line for line in lines):
            raise Fault(f"two lines expected, got {lines} in {board.fen()}")
        same_depth = lines[0]["depth"] == lines[1]["depth"]
        if same_depth and lines[0]["score"].relative < lines[1]["score"].relative:
            raise Fault(f"the second line is better: {lines} in {board.fen()}")
        wanted = rng.sample(first, 2)
        limit = chess.engine.Limit(depth=3)
        for root_moves in (wanted, wanted[:1]):
            best = self.engine.analyse(board, limit, game=game, root_moves=root_moves)["pv"][0]
            if best not in root_moves:
                raise Fault(f"{best} is none of {root_moves} in {board.fen()}")
        with self.engine.analysis(board, game=game) as endless:
            for info in endless:
                if info.get("depth", 0) >= 3:
                    break
        self.engine.ping()
        self.wire.check()


def random_action(board: chess.Board, rng: random.Random) -> chess.Move:
    """Any legal action: in Kingchess mostly a drop of up to six pieces, king first."""
    moves = list(board.legal_moves)
    if not isinstance(board, ReferenceBoard) or (moves and rng.random() < 0.2):
        return rng.choice(moves)
    for _ in range(100):
        action = random_drops(board, rng, rng.randint(1, 6))
        if action is not None and board.is_legal(action):
            return action
    # In check few drops are legal, or none.
    return rng.choice(moves or list(board.single_drops()))


def random_drops(board: ReferenceBoard, rng: random.Random, size: int) -> DropSet | None:
    """A drop of so many reserve pieces at random squares, legal or not; the king comes when it can."""
    letters = board.reserves[board.turn].letters
    chosen = rng.sample(letters, min(size, len(letters)))
    if "K" in letters and "K" not in chosen:
        chosen[0] = "K"
    drops: list[Drop] = []
    for letter in chosen:
        squares = list(board.drop_squares(letter) - chess.SquareSet(drop.square for drop in drops))
        if not squares:
            return None
        drops.append(Drop(letter_piece_type(letter), rng.choice(squares)))
    return DropSet(drops) if drops else None


def check_position(board: chess.Board, referee: Referee) -> None:
    """Compares FEN, ordinary moves and result with the engine's, which gets the whole history."""
    report = referee.report(board, history=True)
    moves = sorted(move.uci() for move in board.legal_moves)
    if report.fen != board.fen() or sorted(report.moves) != moves:
        raise Fault(f"engine {report.fen} {sorted(report.moves)}\nclient {board.fen()} {moves}")
    if isinstance(board, ReferenceBoard):
        outcome = board.outcome()
        if report.result is not (outcome and outcome.termination):
            raise Fault(f"engine {report.result}, client {outcome} in {board.fen()}")


def play_game(
    board: chess.Board, number: int, clients: list[Client], referee: Referee, rng: random.Random
) -> str:
    """Plays one game to its end by the rules and gives its result."""
    for _ in range(rng.randint(1, 6)):
        action = random_action(board, rng)
        board.push(action)
        if board.is_game_over(claim_draw=True):
            board.pop()
            break
    game, ponder = object(), number % 5 == 4
    while not board.is_game_over(claim_draw=True):
        if len(board.move_stack) > MOST_ACTIONS:
            raise Fault(f"no end of the game in {board.fen()}")
        check_position(board, referee)
        client = clients[0 if board.turn == chess.WHITE else 1]
        if len(board.move_stack) % 25 == 10 and sum(1 for _ in board.legal_moves) > 1:
            client.analyse(board, rng, game)
        limit = CLOCK if ponder else LIMITS[number % len(LIMITS)]
        action = client.play(board, limit, game=game, ponder=ponder)
        if {referee.verdict(board, word) for word in (action.uci(), action.uci().lower())} != {action.uci()}:
            raise Fault(f"{action} does not validate in {board.fen()}")
        board.push(action)
    check_position(board, referee)
    outcome = board.outcome(claim_draw=True)
    assert outcome is not None
    if outcome.termination in (chess.Termination.CHECKMATE, chess.Termination.STALEMATE):
        answer = clients[0].engine.play(board, LIMITS[0], game=game)
        if answer.move is not None:
            raise Fault(f"{answer.move} played after the end in {board.fen()}")
    for client in clients:
        client.engine.ping()
        client.wire.check()
    return f"{outcome.result()} {outcome.termination.name.lower()}"


def play_all(engine: str, games: int, seed: int, wire: Wire) -> tuple[int, int]:
    """Plays the games of both kinds; gives how many passed and failed."""
    passed = failed = 0
    boards: list[Callable[[], chess.Board]] = [ReferenceBoard, chess.Board]
    for make in boards:
        with Referee(engine, variant=make().uci_variant or "chess") as referee:
            for number in range(games):
                board = make()
                name = f"{board.uci_variant} game {number + 1}"
                try:
                    with Client(engine, wire) as white, Client(engine, wire) as black:
                        rng = random.Random(seed + number)
                        result = play_game(board, number, [white, black], referee, rng)
                except (Fault, RulesError, chess.engine.EngineError, TimeoutError, ValueError) as fault:
                    failed += 1
                    print(f"{name}: FAILED {type(fault).__name__}: {fault}", file=sys.stderr)
                    wire.faults.clear()
                else:
                    passed += 1
                    print(f"{name}: {result} after {len(board.move_stack)} actions", flush=True)
    return passed, failed


def main() -> int:
    """Reads the arguments, plays, sums up."""
    parser = argparse.ArgumentParser(description="Games through python-chess' engine driver.")
    parser.add_argument("engine", help="the engine's program file")
    parser.add_argument("--games", type=int, default=10, help="games of each kind (10)")
    parser.add_argument("--seed", type=int, default=1, help="for the random first actions (1)")
    arguments = parser.parse_args()
    passed, failed = play_all(arguments.engine, arguments.games, arguments.seed, Wire())
    print(f"play_games: {passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
