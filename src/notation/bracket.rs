//! The reserve as players write it in brackets after a drop: `(Q, 2R, wB, 2N, 4P)`, `(0)`.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use super::letters::latin;
use crate::types::{Kind, Reserve, ReserveKind};

/// Writes what is left in reserve, with the brackets. Both bishops are `2B`; the last one is `wB` if it is bound to the
/// light squares and `bB` if to the dark ones.
pub(super) fn write(out: &mut String, reserve: Reserve) {
    out.push('(');
    let bishops = reserve.count_of(Kind::Bishop);
    let mut first = true;
    for kind in Kind::ALL {
        let count = reserve.count_of(kind);
        if count == 0 {
            continue;
        }
        if !first {
            out.push_str(", ");
        }
        first = false;
        match (kind, count) {
            (Kind::Bishop, 1) if bishops == 1 => {
                out.push(if reserve.has(ReserveKind::LightBishop) { 'w' } else { 'b' });
            }
            (_, 1) => {}
            _ => out.push_str(&count.to_string()),
        }
        out.push(kind.letter());
    }
    if first {
        out.push('0');
    }
    out.push(')');
}

/// A reserve as somebody has written it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Claim {
    /// How many of each kind, by [`Kind`].
    counts: [u8; Kind::ALL.len()],
    /// The bishop whose colour is written.
    bishop: Option<ReserveKind>,
}

impl Claim {
    /// Reads what stands between the brackets, in English or Russian letters. `None` if that is no reserve.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut claim = Self::default();
        let mut items =
            text.split([',', ';', ' ', '\t', '\r', '\n']).filter(|item| !item.is_empty()).peekable();
        if matches!(items.peek(), Some(&("0" | "-" | "–" | "—"))) {
            items.next();
            return items.next().is_none().then_some(claim);
        }
        for item in items {
            let letters = item.trim_start_matches(|letter: char| letter.is_ascii_digit());
            let digits = item.get(..item.len() - letters.len())?;
            let count =
                if digits.is_empty() { 1 } else { digits.parse().ok().filter(|&count| count <= 8)? };
            let kind = match bound_bishop(letters) {
                Some(bishop) => {
                    claim.bishop = Some(bishop);
                    Kind::Bishop
                }
                None => match *latin(letters)? {
                    [letter] => Kind::from_letter(letter)?,
                    _ => return None,
                },
            };
            let counted = claim.counts.get_mut(kind as usize)?;
            *counted = counted.saturating_add(count);
        }
        Some(claim)
    }

    /// Is nothing left, by this claim?
    pub(super) fn is_empty(self) -> bool {
        self.counts == [0; Kind::ALL.len()]
    }

    /// Is it this reserve?
    pub(super) fn is(self, reserve: Reserve) -> bool {
        Kind::ALL.into_iter().zip(self.counts).all(|(kind, count)| reserve.count_of(kind) == count)
            && self.bishop.is_none_or(|bishop| reserve.has(bishop))
    }
}

/// `wB` or `bB`; in Russian `бС` or `чС`.
fn bound_bishop(letters: &str) -> Option<ReserveKind> {
    match letters {
        "wB" | "бС" => Some(ReserveKind::LightBishop),
        "bB" | "чС" => Some(ReserveKind::DarkBishop),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(reserve: Reserve) -> String {
        let mut text = String::new();
        write(&mut text, reserve);
        text
    }

    #[test]
    fn reserves_are_written_and_read() {
        let full = Reserve::FULL.without(ReserveKind::King);
        let light = full.without(ReserveKind::DarkBishop);
        let dark = full.without(ReserveKind::LightBishop).without(ReserveKind::Rook);
        let none = dark.without(ReserveKind::DarkBishop);
        for (reserve, text) in [
            (full, "(Q, 2R, 2B, 2N, 8P)"),
            (light, "(Q, 2R, wB, 2N, 8P)"),
            (dark, "(Q, R, bB, 2N, 8P)"),
            (none, "(Q, R, 2N, 8P)"),
            (Reserve::EMPTY, "(0)"),
        ] {
            assert_eq!(written(reserve), text);
            let claim = Claim::read(&text[1..text.len() - 1]).expect(text);
            assert!(claim.is(reserve), "{text}");
            for other in [full, light, dark, none, Reserve::EMPTY] {
                assert_eq!(claim.is(other), other == reserve, "{text} {other:?}");
            }
        }
    }

    #[test]
    fn other_forms_are_read() {
        let light = Reserve::EMPTY.with(ReserveKind::LightBishop).with(ReserveKind::Pawn);
        for text in ["wB,P", "B P", "бС, п", "С, 1п", " P,wB "] {
            assert!(Claim::read(text).is_some_and(|claim| claim.is(light)), "{text}");
        }
        for text in ["", "0", " 0 ", "-"] {
            assert!(Claim::read(text).is_some_and(Claim::is_empty), "{text}");
        }
        for text in ["1. e2-e4", "e4", "2X", "999P", "0 0", "wR", "2"] {
            assert_eq!(Claim::read(text), None, "{text}");
        }
    }
}
