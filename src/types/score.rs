use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// The deepest ply a search can reach.
pub const MAX_PLY: usize = 128;

/// The value of a position for the side to act, in centipawns, or a proven mate.
///
/// ```text
///  -32000 .. -31872   mated, in 32000 - |score| plies
///  -31000 ..  31000   everything else: evaluations, and losses that are not proven (at most Score::UNPROVEN_LOSS)
///   31872 ..  32000   gives mate
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    /// A draw.
    pub const DRAW: Self = Self(0);
    /// Beyond every score.
    pub const INFINITE: Self = Self(32_500);
    /// The value of having mated.
    pub const MATE: Self = Self(32_000);
    /// The largest value that claims no mate.
    pub const MAX_UNPROVEN: Self = Self(31_000);
    /// A loss seen by a search that has not looked at every reply: below every evaluation, but no mate. After the
    /// `LOSE_MAYBE` of the Arimaa program bot_Sharp (D. Wu, 2015).
    pub const UNPROVEN_LOSS: Self = Self(-30_500);
    /// The largest evaluation.
    pub const MAX_EVAL: Self = Self(30_000);

    const MATE_BOUND: i32 = Self::MATE.0 - MAX_PLY as i32;

    /// A score of this many centipawns.
    #[inline]
    pub const fn cp(centipawns: i32) -> Self {
        Self(centipawns)
    }

    /// Being mated after this many plies from the root.
    #[inline]
    pub const fn mated_in(ply: usize) -> Self {
        Self(ply as i32 - Self::MATE.0)
    }

    /// Giving mate after this many plies from the root.
    #[inline]
    pub const fn mate_in(ply: usize) -> Self {
        Self(Self::MATE.0 - ply as i32)
    }

    /// The plain number.
    #[inline]
    pub const fn get(self) -> i32 {
        self.0
    }

    /// Is it a proven win by mate?
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 >= Self::MATE_BOUND
    }

    /// Is it a proven loss by mate?
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::MATE_BOUND
    }

    /// Is it a proven mate for either side?
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Mate distance in the winner's own actions, negative when being mated. `None` if no mate is claimed.
    pub const fn mate_distance(self) -> Option<i32> {
        if self.is_win() {
            Some((Self::MATE.0 - self.0 + 1) / 2)
        } else if self.is_loss() {
            Some(-(Self::MATE.0 + self.0 + 1) / 2)
        } else {
            None
        }
    }

    /// The score as stored in a table shared by all plies: mates count from the node, not from the root.
    #[inline]
    #[must_use]
    pub const fn to_table(self, ply: usize) -> Self {
        if self.is_win() {
            Self(self.0 + ply as i32)
        } else if self.is_loss() {
            Self(self.0 - ply as i32)
        } else {
            self
        }
    }

    /// The inverse of [`Score::to_table`].
    #[inline]
    #[must_use]
    pub const fn from_table(self, ply: usize) -> Self {
        if self.is_win() {
            Self(self.0 - ply as i32)
        } else if self.is_loss() {
            Self(self.0 + ply as i32)
        } else {
            self
        }
    }

    /// The score kept inside the range that claims no mate.
    #[inline]
    #[must_use]
    pub fn unproven(self) -> Self {
        self.clamp(-Self::MAX_UNPROVEN, Self::MAX_UNPROVEN)
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;

    #[inline]
    fn add(self, right: i32) -> Self {
        Self(self.0 + right)
    }
}

impl Sub<i32> for Score {
    type Output = Self;

    #[inline]
    fn sub(self, right: i32) -> Self {
        Self(self.0 - right)
    }
}

impl AddAssign<i32> for Score {
    fn add_assign(&mut self, right: i32) {
        self.0 += right;
    }
}

impl SubAssign<i32> for Score {
    fn sub_assign(&mut self, right: i32) {
        self.0 -= right;
    }
}

impl Sub for Score {
    type Output = i32;

    /// The difference in centipawns.
    #[inline]
    fn sub(self, right: Self) -> i32 {
        self.0 - right.0
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Score {
    /// `cp N` or `mate N`, as the protocol writes scores.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_distance() {
            Some(distance) => write!(f, "mate {distance}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}
