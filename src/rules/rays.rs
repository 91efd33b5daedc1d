//! Rays walked square by square: the definition of the sliding attacks. Shared with the build script, which
//! tabulates them, so this file depends on nothing.

/// A step on the board: files, ranks.
pub type Step = (i8, i8);

/// Directions of a rook.
pub const ROOK: [Step; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
/// Directions of a bishop.
pub const BISHOP: [Step; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
/// The square one step away, as an index; `None` off the board.
pub const fn step(square: u8, (file, rank): Step) -> Option<u8> {
    let file = (square & 7) as i8 + file;
    let rank = (square >> 3) as i8 + rank;
    if file < 0 || file > 7 || rank < 0 || rank > 7 { None } else { Some((rank * 8 + file) as u8) }
}

/// The squares a slider reaches from `square`, up to and including the first occupied one in each direction.
pub const fn walk(square: u8, directions: [Step; 4], occupied: u64) -> u64 {
    let mut attacks = 0;
    let mut i = 0;
    while i < 4 {
        let mut at = square;
        while let Some(next) = step(at, directions[i]) {
            attacks |= 1 << next;
            if occupied >> next & 1 != 0 {
                break;
            }
            at = next;
        }
        i += 1;
    }
    attacks
}

/// The squares whose occupation matters to a slider on `square`: its lines without the last square of each.
pub const fn relevant(square: u8, directions: [Step; 4]) -> u64 {
    let mut mask = 0;
    let mut i = 0;
    while i < 4 {
        let mut at = square;
        while let Some(next) = step(at, directions[i]) {
            if step(next, directions[i]).is_some() {
                mask |= 1 << next;
            }
            at = next;
        }
        i += 1;
    }
    mask
}
