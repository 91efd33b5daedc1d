//! Numeric annotation glyphs: the judgements `!`, `?` … as PGN numbers them.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

/// The glyph of a mark such as `!` or `?!`; other letters between the marks, such as a check's `+`, are skipped.
/// `None` without a mark, or with one that has no number.
pub(super) fn from_marks(text: &str) -> Option<u8> {
    let mut marks = text.bytes().filter(|mark| matches!(mark, b'!' | b'?'));
    Some(match (marks.next()?, marks.next()) {
        (b'!', None) => 1,
        (_, None) => 2,
        (b'!', Some(b'!')) => 3,
        (b'?', Some(b'?')) => 4,
        (b'!', Some(_)) => 5,
        (_, Some(_)) => 6,
    })
}
