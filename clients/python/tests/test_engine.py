"""Playing and analysing, with the driver's synchronous and asyncio faces."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import Iterator
from typing import cast

import chess
import chess.engine
import pytest
from chess.engine import Limit

from kingchess import Bound, DropSet, Engine, KingchessBoard, Line, RulesEngine, parse_action

MATE_IN_ONE = "8/8/8/8/7k/5K2/8/8[Qqr] w - - 0 30"
MATED = "k6r/8/3b4/7q/7K/8/8/8[QRRBBNNPPPPPPPPrlnnpppppppp] w - - 0 2"


@pytest.fixture(scope="module")
def engine(engine_path: str) -> Iterator[Engine]:
    """Give an engine that plays."""
    with Engine.open(engine_path, options={"Hash": 8}) as engine:
        yield engine


@pytest.fixture(autouse=True)
def _no_complaints(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """The driver logs what it can't read instead of raising it."""
    with caplog.at_level(logging.WARNING, "chess.engine"):
        yield
    assert not caplog.get_records("call")


def test_plays_drops_and_says_why(engine: Engine) -> None:
    """A mate by a drop."""
    choice = engine.play(KingchessBoard(MATE_IN_ONE), Limit(depth=3))
    assert choice.action == DropSet.from_uci("Q@g4")
    assert choice.ponder is None
    assert choice.line is not None
    assert choice.line.pv == (DropSet.from_uci("Q@g4"),)
    assert choice.line.score == chess.engine.PovScore(chess.engine.Mate(1), chess.WHITE)
    assert choice.line.wdl is not None
    assert choice.line.wdl.white() == chess.engine.Wdl(1000, 0, 0)
    assert choice.line.bound is Bound.EXACT


def test_plays_whole_games(engine: Engine, rules: RulesEngine) -> None:
    """Every action is legal, the PV begins with it, and pondering does no harm; the history is sent along."""
    for ponder in (False, True):
        board, game = KingchessBoard(rules=rules), object()
        board.push_legal("K@g1,P@f2,P@g2,P@h2")
        while not board.is_game_over() and len(board.move_stack) < 40:
            limit = Limit(white_clock=1.0, black_clock=1.0) if ponder else Limit(nodes=1500)
            choice = engine.play(board, limit, game=game, ponder=ponder)
            assert choice.action is not None
            assert choice.line is not None
            assert choice.line.pv[0] == choice.action
            variation = board.copy()
            for action in choice.line.pv:
                variation.push_legal(action)
            board.push_legal(choice.action)
        assert len(board.move_stack) > 5
        engine.ping()


def test_nothing_to_play(engine: Engine) -> None:
    """The game is over: no action, a line without a variation."""
    choice = engine.play(KingchessBoard(MATED), Limit(depth=1))
    assert choice.action is None
    assert choice.line is not None
    assert choice.line.pv == ()
    assert choice.line.score.white() == chess.engine.Mate(0)


def test_analyses_several_lines(engine: Engine) -> None:
    """Best first, and only among the actions asked for."""
    board = KingchessBoard(MATE_IN_ONE)
    lines = engine.analyse(board, Limit(depth=3), lines=3)
    assert [line.multipv for line in lines] == [1, 2, 3]
    assert len({line.pv[0] for line in lines}) == 3
    assert all(line.wdl and line.nodes and line.depth >= 1 for line in lines)
    wanted = [parse_action("f3f4"), parse_action("q@a1")]
    [line] = engine.analyse(board, Limit(depth=2), root_actions=wanted)
    assert line.pv[0] in wanted


def test_watches_until_closed(engine: Engine) -> None:
    """A search without end stops with the iterator, and the engine is free again."""
    depths = []
    with contextlib.closing(engine.watch(KingchessBoard())) as lines:
        for line in lines:
            depths.append(line.depth)
            if line.depth >= 3:
                break
    assert depths[-1] == 3
    engine.ping()
    assert [line.depth for line in engine.watch(KingchessBoard(), Limit(depth=2))][-1] == 2


def test_options(engine: Engine) -> None:
    """They are there by name, and a wrong one is refused before it is sent."""
    assert engine.driver.options["UCI_Variant"].var == ["kingchess", "chess"]
    engine.configure({"Hash": 16})
    with pytest.raises(chess.engine.EngineError):
        engine.configure({"Nonsense": 1})


def test_win_draw_loss_can_be_turned_off(engine_path: str) -> None:
    """An option given by the user comes first."""
    with Engine.open(engine_path, options={"UCI_ShowWDL": False}) as engine:
        [line] = engine.analyse(KingchessBoard(), Limit(depth=1))
        assert line.wdl is None


def test_asyncio(engine_path: str, rules: RulesEngine) -> None:
    """The driver's own protocol plays, analyses and stops, with a board that has rules too."""

    async def use() -> tuple[chess.Move | None, Line, list[Bound]]:
        transport, protocol = await chess.engine.popen_uci(engine_path)
        board = KingchessBoard(rules=rules)
        board.push_legal("K@e1,P@e4")
        played = await protocol.play(board, Limit(depth=2))
        assert played.move is not None
        board.push_legal(played.move)
        await protocol.ping()
        line = Line.from_result(await protocol.analyse(board, Limit(depth=3)))
        bounds = []
        with await protocol.analysis(board) as analysis:
            async for info in analysis:
                if "score" in info:
                    bounds.append(Line.from_info(info).bound)
                if info.get("depth", 0) >= 2:
                    break
        await protocol.quit()
        transport.close()
        return played.move, line, bounds

    move, line, bounds = asyncio.run(use())
    assert isinstance(move, DropSet)
    assert move.drop == chess.KING
    assert line.depth == 3
    assert line.pv
    assert bounds


def test_bounds_are_read_and_do_not_stick() -> None:
    """A bound of one line is not that of the search's end."""
    score = chess.engine.PovScore(chess.engine.Cp(5), chess.WHITE)
    assert Line.from_info({"score": score}).bound is Bound.EXACT
    info = cast("chess.engine.InfoDict", {"score": score, "lowerbound": True})
    assert Line.from_info(info).bound is Bound.LOWER
    assert Line.from_result(info).bound is Bound.EXACT
    with pytest.raises(ValueError, match="with a score"):
        Line.from_info({"depth": 1})


def test_a_piece_that_is_not_there_is_refused() -> None:
    """What can't be played out on the board is the driver's error, whatever the engine says."""
    program = (
        "import sys\n"
        "answers = {'uci': 'option name UCI_Variant type string\\nuciok', 'isready': 'readyok',"
        " 'go': 'bestmove R@a1'}\n"
        "for line in sys.stdin:\n"
        " word = line.split()[0]\n"
        " if word in answers: print(answers[word], flush=True)\n"
    )
    board = KingchessBoard("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 9")
    with (
        Engine.open([sys.executable, "-c", program]) as engine,
        pytest.raises(chess.engine.EngineError, match="r@a1"),
    ):
        engine.play(board, Limit(depth=1))
