"""Actions: reading and writing the protocol's words."""

from __future__ import annotations

import copy
import pickle

import chess
import pytest

from kingchess import Drop, DropSet, parse_action
from kingchess.action import as_action


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("e2e4", "e2e4"),
        ("E7E8Q", "e7e8q"),
        ("k@e1", "K@e1"),
        ("P@E4,p@a2,k@e1", "K@e1,P@a2,P@e4"),
        ("k@E1,P@h2,n@g1,N@b1,P@a2,P@a3", "K@e1,N@b1,N@g1,P@a2,P@h2,P@a3"),
    ],
)
def test_reads_any_order_and_case_and_writes_one(text: str, canonical: str) -> None:
    """The examples of the protocol's page."""
    action = parse_action(text)
    assert action.uci() == str(action) == canonical
    assert parse_action(canonical) == action


NO_ACTIONS = ["", "e2", "e2e2", "e7e8k", "e7e8p", "0000", "e2e4\n", "e2e4,K@e1"]
NO_DROPS = [
    "K@",
    "@e4",
    "K@i1",
    "X@e1",
    "KK@e1",
    "K@e1,",
    "K@e1,e2e4",
    "K@e1, P@e4",
    "K@e1\nquit",
    "K@e1,N@e1",
]
SEVENTEEN = ",".join(f"P@{square}" for square in chess.SQUARE_NAMES[:17])


@pytest.mark.parametrize("text", [*NO_ACTIONS, *NO_DROPS, SEVENTEEN])
def test_refuses_what_is_no_action(text: str) -> None:
    """Nothing but a whole action is read."""
    with pytest.raises(chess.InvalidMoveError):
        parse_action(text)


def test_sets_are_values() -> None:
    """Equal sets are equal, hash alike and survive copying; a set is no plain move."""
    drops = DropSet([Drop(chess.PAWN, chess.E4), Drop(chess.KING, chess.E1)])
    other = DropSet.from_uci("K@e1,P@e4")
    assert drops == other
    assert len({drops, other}) == 1
    assert drops != DropSet.from_uci("K@e1,P@d4")
    assert DropSet.from_uci("K@e1") != chess.Move.from_uci("K@e1")
    assert copy.deepcopy(drops) == pickle.loads(pickle.dumps(drops)) == drops
    assert drops.squares == chess.SquareSet([chess.E1, chess.E4])
    assert bool(drops)
    assert eval(repr(drops), {"DropSet": DropSet}) == drops


def test_takes_a_drop_of_python_chess() -> None:
    """python-chess reads a single drop as a plain move."""
    assert as_action(chess.Move.from_uci("N@f3")) == DropSet.from_uci("N@f3")
    move = chess.Move.from_uci("e2e4")
    assert as_action(move) is move
