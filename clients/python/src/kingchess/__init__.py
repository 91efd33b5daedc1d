"""Kingchess for python-chess.

`KingchessBoard` is a `chess.Board` that python-chess' engine driver takes as it is, `RulesEngine` asks an
engine what is legal, `Engine` plays and analyses, `GameRecord` reads and writes games.
"""

from kingchess.action import Action, Drop, DropSet, parse_action
from kingchess.board import KingchessBoard
from kingchess.engine import Bound, Choice, Engine, Line
from kingchess.records import GameRecord, RecordError, read_records
from kingchess.reserve import Reserve
from kingchess.rules import Legal, PositionError, RulesEngine, RulesError

__all__ = [
    "Action",
    "Bound",
    "Choice",
    "Drop",
    "DropSet",
    "Engine",
    "GameRecord",
    "KingchessBoard",
    "Legal",
    "Line",
    "PositionError",
    "RecordError",
    "Reserve",
    "RulesEngine",
    "RulesError",
    "parse_action",
    "read_records",
]
