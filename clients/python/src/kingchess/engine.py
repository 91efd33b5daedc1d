"""Playing and analysing with python-chess' engine driver, with typed answers."""

from __future__ import annotations

import dataclasses
import enum
from typing import TYPE_CHECKING, Self

import chess.engine

from kingchess.rules import Command, command_words

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from types import TracebackType

    from kingchess.action import Action
    from kingchess.board import KingchessBoard


class Bound(enum.Enum):
    """What a score says about the value of a position."""

    EXACT = "exact"
    LOWER = "lower"
    """The value is at least the score."""
    UPPER = "upper"
    """The value is at most the score."""


@dataclasses.dataclass(frozen=True)
class Line:
    """A variation and its value: a scored info line of the engine."""

    score: chess.engine.PovScore
    """The value, and for whom: `score.white()`, `score.relative`."""

    bound: Bound

    pv: tuple[Action, ...]
    """Actions of both sides in turn; empty only if the side to act has none."""

    depth: int
    """Depth of the iteration, in actions."""

    seldepth: int | None
    """The longest line looked at, in actions."""

    multipv: int
    """Which of the best lines this is, from 1."""

    wdl: chess.engine.PovWdl | None
    """Chances to win, draw and lose, in thousandths; if the engine shows them."""

    nodes: int | None
    """Positions visited so far, by all threads."""

    nps: int | None
    """Nodes per second."""

    hashfull: int | None
    """How full the transposition table is, in thousandths."""

    time: float | None
    """Seconds since the search began."""

    @classmethod
    def from_info(cls, info: chess.engine.InfoDict) -> Self:
        """Read one info line, given while a search runs; raises ValueError if it has no score."""
        if "score" not in info:
            raise ValueError(f"expected an info line with a score, got {dict(info)}")
        bound = Bound.EXACT
        if info.get("lowerbound"):
            bound = Bound.LOWER
        elif info.get("upperbound"):
            bound = Bound.UPPER
        return cls(
            score=info["score"],
            bound=bound,
            pv=tuple(info.get("pv", ())),
            depth=info.get("depth", 0),
            seldepth=info.get("seldepth"),
            multipv=info.get("multipv", 1),
            wdl=info.get("wdl"),
            nodes=info.get("nodes"),
            nps=info.get("nps"),
            hashfull=info.get("hashfull"),
            time=info.get("time"),
        )

    @classmethod
    def from_result(cls, info: chess.engine.InfoDict) -> Self:
        """Read what python-chess gives at the end of a search: all info lines laid over each other.

        The last of them is exact, says the protocol, while python-chess keeps the mark of an earlier bound.
        Raises ValueError if there is no score.
        """
        return dataclasses.replace(cls.from_info(info), bound=Bound.EXACT)


@dataclasses.dataclass(frozen=True)
class Choice:
    """What the engine plays, and why."""

    action: Action | None
    """None if there is no legal action."""

    ponder: Action | None
    """The answer that is expected."""

    line: Line | None
    """The last line of the search; None if the engine gave none."""


class Engine:
    """An engine behind python-chess' `SimpleEngine`, for Kingchess boards.

    Everything the driver can do is there, under `driver`. Errors are the driver's:
    `chess.engine.EngineError`, `chess.engine.EngineTerminatedError`, TimeoutError.
    """

    driver: chess.engine.SimpleEngine

    def __init__(self, driver: chess.engine.SimpleEngine) -> None:
        """Use an engine that has been opened; it is closed with this one."""
        self.driver = driver

    @classmethod
    def open(
        cls, command: Command, *, options: chess.engine.ConfigMapping | None = None, timeout: float = 10.0
    ) -> Self:
        """Start an engine and set options; win, draw and loss are shown unless an option says otherwise."""
        engine = cls(chess.engine.SimpleEngine.popen_uci(command_words(command), timeout=timeout))
        try:
            wdl = {"UCI_ShowWDL": True} if "UCI_ShowWDL" in engine.driver.options else {}
            engine.configure(wdl | dict(options or {}))
        except BaseException:
            engine.driver.close()
            raise
        return engine

    def __enter__(self) -> Self:
        """Give the engine itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the engine."""
        self.close()

    def close(self) -> None:
        """End the engine."""
        self.driver.close()

    def configure(self, options: chess.engine.ConfigMapping) -> None:
        """Set options: `{"Hash": 64, "Threads": 2}`."""
        self.driver.configure(options)

    def ping(self) -> None:
        """Wait until the engine has taken what was sent to it."""
        self.driver.ping()

    def play(
        self,
        board: KingchessBoard,
        limit: chess.engine.Limit,
        *,
        game: object = None,
        ponder: bool = False,
        root_actions: Iterable[Action] | None = None,
    ) -> Choice:
        """Let the engine choose an action, among `root_actions` if given.

        The engine is told of a new game whenever `game` is another object. With `ponder` it goes on to think
        on the other side's time, until the next call.
        """
        result = self.driver.play(
            board, limit, game=game, info=chess.engine.INFO_ALL, ponder=ponder, root_moves=root_actions
        )
        line = Line.from_result(result.info) if "score" in result.info else None
        return Choice(result.move, result.ponder, line)

    def analyse(
        self,
        board: KingchessBoard,
        limit: chess.engine.Limit,
        *,
        lines: int = 1,
        game: object = None,
        root_actions: Iterable[Action] | None = None,
    ) -> list[Line]:
        """Give the best lines at the end of a search, best first; fewer if there are fewer actions."""
        infos = self.driver.analyse(board, limit, multipv=lines, game=game, root_moves=root_actions)
        return [Line.from_result(info) for info in infos if "score" in info]

    def watch(
        self,
        board: KingchessBoard,
        limit: chess.engine.Limit | None = None,
        *,
        lines: int = 1,
        game: object = None,
        root_actions: Iterable[Action] | None = None,
    ) -> Generator[Line, None, None]:
        """Give lines as the engine finds them, without end unless there is a limit.

        The search stops when the iterator is closed: `with contextlib.closing(engine.watch(board)) as found`.
        """
        with self.driver.analysis(
            board, limit, multipv=lines, game=game, root_moves=root_actions
        ) as analysis:
            for info in analysis:
                if "score" in info:
                    yield Line.from_info(info)
