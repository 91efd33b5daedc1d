use std::fmt;
use std::num::NonZeroU16;

use super::{Color, Kind, Square};

/// The most pieces one action can drop: a whole reserve.
pub const MAX_DROPS: usize = 16;

/// An ordinary chess move; castling is the king's move of two squares.
///
/// ```text
///  bit 15..12     11..6   5..0
///      promotion  from    to      promotion: 0 none, else the kind's index (Q 1, R 2, B 3, N 4)
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// A move without promotion. `None` if both squares are the same.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Option<Self> {
        if from as u8 == to as u8 {
            return None;
        }
        match NonZeroU16::new((from as u16) << 6 | to as u16) {
            Some(code) => Some(Self(code)),
            None => None,
        }
    }

    /// The same move with a promotion; `King` and `Pawn` are no promotions and change nothing.
    #[inline]
    #[must_use]
    pub const fn promoting(self, kind: Kind) -> Self {
        match kind {
            Kind::King | Kind::Pawn => self,
            _ => Self(self.0.saturating_add((kind as u16) << 12)),
        }
    }

    /// Where the piece comes from.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.0.get() >> 6 & 63) as u8)
    }

    /// Where the piece goes.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0.get() & 63) as u8)
    }

    /// What a pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<Kind> {
        match self.0.get() >> 12 {
            1 => Some(Kind::Queen),
            2 => Some(Kind::Rook),
            3 => Some(Kind::Bishop),
            4 => Some(Kind::Knight),
            _ => None,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(kind) => write!(f, "{}", kind.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// One piece put on one square.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Drop {
    /// What is dropped.
    pub kind: Kind,
    /// Where it lands.
    pub square: Square,
}

impl Drop {
    /// The drop as one byte of a [`DropSet`]: kind above, square of the half below, never zero.
    #[inline]
    pub const fn code(self) -> u8 {
        (self.kind as u8 + 1) << 5 | self.square as u8 & 31
    }

    /// The drop a side means by this byte. `None` if no drop has this code.
    #[inline]
    pub fn from_code(code: u8, color: Color) -> Option<Self> {
        let kind = Kind::from_index((code >> 5).checked_sub(1)? as usize)?;
        Some(Self { kind, square: Square::new(code & 31 | (color as u8) << 5) })
    }
}

impl fmt::Display for Drop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.kind.letter(), self.square)
    }
}

impl fmt::Debug for Drop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A set of drops in its one canonical form: the bytes of its drops, ascending from the lowest byte, zero above.
///
/// Ascending codes are the written order (K Q R B N P, then a1 b1 .. h8), so equal sets are equal integers and equal
/// strings. The squares are those of the dropping side's own half: the same integer is the same set-up for either
/// side, moved (not mirrored) to the other half.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DropSet(u128);

impl DropSet {
    /// No drop.
    pub const EMPTY: Self = Self(0);

    /// The set of these codes, in any order. `None` if there are more than sixteen.
    pub fn from_codes(codes: &[u8]) -> Option<Self> {
        let mut bytes = [0; MAX_DROPS];
        bytes.get_mut(..codes.len())?.copy_from_slice(codes);
        bytes[..codes.len()].sort_unstable();
        Some(Self(u128::from_le_bytes(bytes)))
    }

    /// The set with this integer, which need not be canonical: see [`DropSet::is_canonical`].
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits)
    }

    /// The integer of the set.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The set of one drop.
    #[inline]
    pub const fn one(drop: Drop) -> Self {
        Self(drop.code() as u128)
    }

    /// How many pieces are dropped.
    #[inline]
    pub const fn len(self) -> usize {
        MAX_DROPS - self.0.leading_zeros() as usize / 8
    }

    /// Is nothing dropped?
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set with one drop more; it must have fewer than sixteen.
    #[inline]
    #[must_use]
    pub fn with(self, drop: Drop) -> Self {
        let code = drop.code();
        let smaller = self.codes().take_while(|&other| other < code).count() as u32;
        let below = 8 * smaller;
        let low = self.0 & ((1 << below) - 1);
        let high = self.0 >> below;
        // A full set has no room: the shift would lose its last drop.
        debug_assert!(self.len() < MAX_DROPS);
        Self(low | u128::from(code) << below | (if high == 0 { 0 } else { high << (below + 8) }))
    }

    /// The set with one drop more, whose code is larger than all that are there.
    #[inline]
    #[must_use]
    pub const fn with_last(self, drop: Drop) -> Self {
        debug_assert!(self.len() < MAX_DROPS);
        Self(self.0 | (drop.code() as u128) << (8 * self.len()))
    }

    /// The set without the drop of this code, if it holds it.
    #[must_use]
    pub fn without_code(self, code: u8) -> Self {
        let kept = self.codes().filter(|&other| other != code).enumerate();
        Self(kept.fold(0, |bits, (index, other)| bits | u128::from(other) << (8 * index)))
    }

    /// The codes of the drops, ascending if the set is canonical.
    #[inline]
    pub fn codes(self) -> impl Iterator<Item = u8> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let code = rest as u8;
            rest >>= 8;
            (code != 0).then_some(code)
        })
    }

    /// The drops a side means by the set, in written order.
    #[inline]
    pub fn drops(self, color: Color) -> impl Iterator<Item = Drop> {
        self.codes().filter_map(move |code| Drop::from_code(code, color))
    }

    /// Is this integer the canonical form of a set of drops: known codes, strictly ascending, nothing after a gap?
    pub fn is_canonical(self) -> bool {
        let bytes = self.0.to_le_bytes();
        let used = self.len();
        used > 0
            && bytes[..used].iter().all(|&code| Drop::from_code(code, Color::White).is_some())
            && bytes[..used].windows(2).all(|pair| pair[0] < pair[1])
    }
}

/// What a side does in one turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// An ordinary move.
    Move(Move),
    /// A drop of one piece or more.
    Drops(DropSet),
}

impl Action {
    /// The action as its protocol token for the side that takes it.
    pub fn token(self, color: Color) -> ActionToken {
        ActionToken { action: self, color }
    }

    /// The action in sixteen bits: a move or a drop of one piece. `None` for larger sets.
    #[inline]
    pub fn short(self, color: Color) -> Option<Short> {
        match self {
            Self::Move(mv) => Some(Short::from(mv)),
            Self::Drops(set) if set.len() == 1 => set.drops(color).next().map(Short::from),
            Self::Drops(_) => None,
        }
    }

    /// How many pieces are dropped: 0 for a move.
    pub const fn drop_count(self) -> usize {
        match self {
            Self::Move(_) => 0,
            Self::Drops(set) => set.len(),
        }
    }
}

/// An action with its side, ready to be written as a protocol token.
#[derive(Clone, Copy)]
pub struct ActionToken {
    action: Action,
    color: Color,
}

impl fmt::Display for ActionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.action {
            Action::Move(mv) => mv.fmt(f),
            Action::Drops(set) => {
                for (index, drop) in set.drops(self.color).enumerate() {
                    if index > 0 {
                        f.write_str(",")?;
                    }
                    drop.fmt(f)?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move(mv) => mv.fmt(f),
            Self::Drops(set) => write!(f, "drops {:x}", set.bits()),
        }
    }
}

/// A move or a drop of one piece in sixteen bits: what lists of actions and history tables hold.
///
/// ```text
///  bit 15..12             11..6  5..0
///      0..4 (promotion)   from   to       a move, coded as in Move
///      8 + kind           0      square   a drop
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Short(NonZeroU16);

impl Short {
    const DROP: u16 = 8 << 12;

    /// The action with this code. `None` if no action has it (whether it is legal is another question).
    pub fn from_code(code: u16) -> Option<Self> {
        let short = Self(NonZeroU16::new(code)?);
        let valid = match code >> 12 {
            tag @ 0..=4 => {
                let (from, to) = (code >> 6 & 63, code & 63);
                tag <= 4 && from != to
            }
            8..=13 => code & 0x0FC0 == 0,
            _ => false,
        };
        valid.then_some(short)
    }

    /// The sixteen bits.
    #[inline]
    pub const fn code(self) -> u16 {
        self.0.get()
    }

    /// Is it a drop?
    #[inline]
    pub const fn is_drop(self) -> bool {
        self.code() & Self::DROP != 0
    }

    /// Where the piece ends up.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.code() & 63) as u8)
    }

    /// The move, unless it is a drop.
    #[inline]
    pub const fn as_move(self) -> Option<Move> {
        if self.is_drop() { None } else { Some(Move(self.0)) }
    }

    /// The drop, unless it is a move.
    #[inline]
    pub fn as_drop(self) -> Option<Drop> {
        let kind = Kind::from_index((self.code() >> 12).checked_sub(8)? as usize)?;
        Some(Drop { kind, square: self.to() })
    }

    /// The action it stands for.
    #[inline]
    pub fn action(self) -> Action {
        match self.as_drop() {
            Some(drop) => Action::Drops(DropSet::one(drop)),
            None => Action::Move(Move(self.0)),
        }
    }
}

impl From<Move> for Short {
    #[inline]
    fn from(mv: Move) -> Self {
        Self(mv.0)
    }
}

impl From<Drop> for Short {
    #[inline]
    fn from(drop: Drop) -> Self {
        let code = Self::DROP | (drop.kind as u16) << 12 | drop.square as u16;
        Self(NonZeroU16::new(code).unwrap_or(NonZeroU16::MAX))
    }
}

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_drop() {
            Some(drop) => drop.fmt(f),
            None => Move(self.0).fmt(f),
        }
    }
}

impl fmt::Debug for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

const _: () = assert!(size_of::<Option<Short>>() == 2 && size_of::<Option<Move>>() == 2);
