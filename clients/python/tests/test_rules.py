"""The process that is asked: what it does when it can't answer."""

from __future__ import annotations

import sys
import threading

import chess
import pytest

from kingchess import KingchessBoard, RulesEngine, RulesError


def script(body: str) -> list[str]:
    """Give the command of an engine written for one test; `words` are what it is asked."""
    loop = f"import sys, time\nfor line in sys.stdin:\n words = line.split()\n {body}\n sys.stdout.flush()"
    return [sys.executable, "-c", loop]


def test_plays_chess_as_well(engine_path: str) -> None:
    """The engine's other game, for an ordinary board."""
    with RulesEngine(engine_path, variant="chess") as rules:
        legal = rules.legal(chess.Board())
        assert set(legal.moves) == set(chess.Board().legal_moves)
        assert not legal.drop_squares


def test_a_question_after_the_end(engine_path: str) -> None:
    """A closed process is an error, not a wait; closing twice is none."""
    rules = RulesEngine(engine_path)
    board = KingchessBoard(rules=rules)
    rules.close()
    rules.close()
    with pytest.raises(RulesError, match="gone"):
        board.legal()


def test_an_engine_that_ends() -> None:
    """It is told with the question it did not answer."""
    with pytest.raises(RulesError, match="ended after"):
        RulesEngine([sys.executable, "-c", "pass"])


def test_an_engine_that_is_silent() -> None:
    """The time an answer may take is kept."""
    with pytest.raises(RulesError, match=r"no answer .* within 0\.2 s"):
        RulesEngine(script("time.sleep(60)"), timeout=0.2)


def test_an_engine_of_another_kind() -> None:
    """One that knows UCI but none of the added commands."""
    with RulesEngine(script("words == ['isready'] and print('readyok')")) as rules:
        board = KingchessBoard()
        board.rules = rules
        with pytest.raises(RulesError, match="incomplete answer to 'legal'"):
            board.legal()
        with pytest.raises(RulesError, match="validate K@e1 answered by"):
            board.push_legal("K@e1")
        with pytest.raises(RulesError, match="no FEN"):
            rules.canonical_fen(board.fen())


def test_threads_may_ask_at_once(rules: RulesEngine) -> None:
    """Each gets the answer to its own question."""
    boards = [KingchessBoard(rules=rules) for _ in range(4)]
    for count, board in enumerate(boards):
        for action in "K@e1 K@e8 P@e4 P@e5".split()[:count]:
            board.push_legal(action)
    expected = [board.legal().action_count for board in boards]
    found: dict[int, set[int]] = {}

    def ask(number: int) -> None:
        found[number] = {boards[number].legal().action_count for _ in range(50)}

    threads = [threading.Thread(target=ask, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[number] for number in range(4)] == [{count} for count in expected]
