"""Pictures: well-formed, with everything in its place."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import chess
import chess.svg

from kingchess import KingchessBoard, svg

SVG = "{http://www.w3.org/2000/svg}"


def reserves(picture: str) -> list[str | None]:
    """Give the titles of the reserves, from top to bottom."""
    root = ET.fromstring(picture)
    strips = [group for group in root.iter(f"{SVG}g") if "reserve" in group.get("class", "")]
    return [strip.findtext(f"{SVG}title") for strip in strips]


def test_the_reserves_stand_at_their_sides() -> None:
    """The own one is below."""
    board = KingchessBoard("4k3/8/8/8/8/8/8/4KB2[QDlpp] w - - 0 9")
    assert reserves(board._repr_svg_()) == ["black: [LPP]", "white: [QD]"]
    assert reserves(svg.board(board, orientation=chess.BLACK)) == ["white: [QD]", "black: [LPP]"]


def test_names_are_unique_and_sizes_kept() -> None:
    """The board refers to its pieces by names, which the reserves must not bear again."""
    picture = svg.board(KingchessBoard("4k3/8/8/8/8/8/8/R3K3[QRrqpp] w - - 0 9"), size=195)
    names = [element.get("id") for element in ET.fromstring(picture).iter() if element.get("id")]
    assert len(names) == len(set(names))
    root = ET.fromstring(picture)
    assert (root.get("width"), root.get("height")) == ("195", "231")
    assert ET.fromstring(svg.board(KingchessBoard(), size=None)).get("width") is None


def test_the_whole_drop_is_marked() -> None:
    """Every square of the last action has the colour of a last move."""
    board = KingchessBoard()
    plain = svg.board(board).count("#cdd16a") + svg.board(board).count("#aaa23b")
    board.push_uci("K@e1,P@e4,P@d4")
    marked = svg.board(board).count("#cdd16a") + svg.board(board).count("#aaa23b")
    assert (plain, marked) == (0, 3)
    arrows = [chess.svg.Arrow(chess.E4, chess.E5)]
    assert "arrow" in svg.board(board, arrows=arrows)
