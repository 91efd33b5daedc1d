"""Games on file."""

from __future__ import annotations

import pytest

from kingchess import GameRecord, KingchessBoard, RecordError, RulesEngine, read_records

FOOLS_MATE = "K@h4 K@a8,Q@h5,R@h8,B@d6"


def test_a_game_comes_back_as_it_was_written(rules: RulesEngine) -> None:
    """Tags, start, actions, result; two games in one file."""
    board = KingchessBoard(rules=rules)
    for action in FOOLS_MATE.split():
        board.push_legal(action)
    first = GameRecord.from_board(board, headers={"White": 'A "quoted" \\ name', "Comment": ""})
    ending = KingchessBoard("7k/8/8/8/8/8/1B6/K6R[np] b - - 0 20")
    ending.push_uci("N@h5,P@e5")
    second = GameRecord.from_board(ending)
    one, two = read_records(f"{first}\n\n{second}\n")
    assert one.headers["White"] == 'A "quoted" \\ name'
    assert (one.result, one.actions) == ("0-1", board.move_stack)
    assert one.board(rules).is_checkmate()
    assert (two.result, two.fen) == ("*", "7k/8/8/8/8/8/1B6/K6R[np] b - - 0 20")
    assert two.board().fen() == ending.fen()
    assert str(second).endswith("\n\n20... N@h5,P@e5 *")


def test_reads_comments_marks_and_long_lines() -> None:
    """What people write between actions is left out; drops are never broken by a line's end."""
    [record] = read_records(
        "1. k@e1,p@e4! {a plan; (any)} K@e8 $2 ; the rest of the line e2e4\n2.e4e5?! 1/2-1/2"
    )
    assert [action.uci() for action in record.actions] == ["K@e1,P@e4", "K@e8", "e4e5"]
    assert record.result == "1/2-1/2"
    squares = "a2 b2 c2 d2 e2 f2 g2 h2".split()
    record.actions[0] = KingchessBoard().parse_uci("K@e1,Q@d1,N@b1," + ",".join(f"P@{s}" for s in squares))
    [again] = read_records(str(record))
    assert again.actions == record.actions


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1. K@e1 (1. K@d1) *", r"game 1: action 2: expected an action, a comment or a result, got '\(1\.'"),
        ("1. Nf3 *", "game 1: "),
        ("1. K@e1 K@e9 *", "game 1: "),
        ('[Variant "Crazyhouse"]\n\n*', "game 1: expected the variant Kingchess, got 'Crazyhouse'"),
        ('[White "A" "B"]\n\n*', "game 1: expected a tag"),
        ('[White "A"]\n\n1. K@e1 *\n\n[White "B"]\n\n1. {open', "game 2: "),
    ],
)
def test_what_it_can_not_read_is_said(text: str, reason: str) -> None:
    """With the number of the game."""
    with pytest.raises(RecordError, match=reason):
        list(read_records(text))


def test_an_illegal_game_is_said_when_it_is_played(rules: RulesEngine) -> None:
    """With the number of the action; without rules only what can't be played out is found."""
    [record] = read_records("1. K@e1 K@e8 2. P@e4 e8e6 *")
    with pytest.raises(RecordError, match=r"action 4: e8e6: the piece can't go there"):
        record.board(rules)
    with pytest.raises(RecordError, match="action 4: "):
        record.board()
    [record] = read_records('[FEN "8/8 w - - 0 1"]\n\n*')
    with pytest.raises(RecordError, match="8/8"):
        record.board(rules)
