"""Play a match between two engines, a third process judging every action.

usage: play_match.py ENGINE ENGINE [--games N] [--nodes N | --movetime MS] [--out FILE]

The engines take turns to be White. Each game begins with a random first drop for both sides, so that games
differ.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import random
from pathlib import Path

import chess
import chess.engine

from kingchess import DropSet, Engine, GameRecord, KingchessBoard, RulesEngine

FIRST_DROPS = ["K@g1,P@f2,P@g2,P@h2", "K@e1,R@h1,P@e2,P@f2", "K@c1,P@b2,P@c2,N@c3", "K@b1,B@b2,P@a2,P@c2"]


def first_drop(color: chess.Color, rng: random.Random) -> DropSet:
    """Give a first drop for a side; Black's is White's turned upside down."""
    drops = DropSet.from_uci(rng.choice(FIRST_DROPS))
    if color == chess.WHITE:
        return drops
    return DropSet.from_uci(drops.uci().translate(str.maketrans("1234", "8765")))


def play_game(players: dict[chess.Color, Engine], board: KingchessBoard, limit: chess.engine.Limit) -> None:
    """Play from where the board stands to the end of the game."""
    game = object()
    while not board.is_game_over():
        choice = players[board.turn].play(board, limit, game=game)
        if choice.action is None:
            raise RuntimeError(f"no action played in {board.fen()}")
        board.push_legal(choice.action)


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="A match between two engines.")
    parser.add_argument("engines", nargs=2, metavar="ENGINE", help="the program files")
    parser.add_argument("--games", type=int, default=2, help="number of games (2)")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--nodes", type=int, default=20_000, help="positions to visit for each action (20000)")
    limit.add_argument("--movetime", type=int, help="milliseconds for each action")
    parser.add_argument("--seed", type=int, default=1, help="for the first drops (1)")
    parser.add_argument("--out", type=Path, help="file to write the games to")
    return parser.parse_args()


def main() -> None:
    """Play the games, write them, give the score."""
    arguments = read_arguments()
    if arguments.movetime is None:
        limit = chess.engine.Limit(nodes=arguments.nodes)
    else:
        limit = chess.engine.Limit(time=arguments.movetime / 1000)
    rng = random.Random(arguments.seed)
    points: collections.Counter[str] = collections.Counter()
    records: list[GameRecord] = []
    with contextlib.ExitStack() as stack:
        rules = stack.enter_context(RulesEngine(arguments.engines[0]))
        first, second = (stack.enter_context(Engine.open(command)) for command in arguments.engines)
        for number in range(arguments.games):
            board = KingchessBoard(rules=rules)
            for color in (chess.WHITE, chess.BLACK):
                board.push_legal(first_drop(color, rng))
            white_is_first = number % 2 == 0
            white, black = (first, second) if white_is_first else (second, first)
            play_game({chess.WHITE: white, chess.BLACK: black}, board, limit)
            outcome = board.outcome()
            assert outcome is not None
            ending = outcome.termination.name.lower()
            print(
                f"game {number + 1}: {outcome.result()} {ending}, {len(board.move_stack)} actions", flush=True
            )
            if outcome.winner is None:
                points["draw"] += 1
            else:
                points["first" if outcome.winner == white_is_first else "second"] += 1
            names = (
                {"White": "first", "Black": "second"}
                if white_is_first
                else {"White": "second", "Black": "first"}
            )
            records.append(GameRecord.from_board(board, headers={"Round": str(number + 1), **names}))
    print(f"first +{points['first']} ={points['draw']} -{points['second']}")
    if arguments.out is not None:
        arguments.out.write_text("".join(f"{record}\n\n" for record in records), encoding="utf-8")


if __name__ == "__main__":
    main()
