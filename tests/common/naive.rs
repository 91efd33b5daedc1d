//! A second, deliberately naive implementation of the rules of Kingchess, to check the engine against.
//!
//! It shares no code and no idea with the engine: an 8x8 mailbox, reserves as plain counts, and every question
//! of legality answered by doing the action on a copy and looking whether the own king is attacked then. The
//! numbers in the comments are the rows of the rules document.

use std::ops::ControlFlow;

/// A square as (file, rank), both 0..8; a1 is (0, 0), h8 is (7, 7).
type Sq = (i8, i8);

/// A man: is it White's, and its capital letter out of K Q R B N P.
type Man = (bool, char);

/// An ordinary move: from, to, and the capital letter of the piece a pawn becomes.
type Move = (Sq, Sq, Option<char>);

/// One drop: the capital letter as in a token, and the square.
type Put = (char, Sq);

/// What is shown each legal drop set, and says whether to go on.
type Visit<'a> = dyn FnMut(&[Put]) -> ControlFlow<Stop> + 'a;

/// The letters of drop tokens in canonical order.
const KINDS: [char; 6] = ['K', 'Q', 'R', 'B', 'N', 'P'];

/// What a reserve counts, in this order; L and D are the light-squared and the dark-squared bishop.
const SLOTS: [char; 7] = ['K', 'Q', 'R', 'L', 'D', 'N', 'P'];

const STRAIGHT: [Sq; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [Sq; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT: [Sq; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// Why the walk over all drop sets ended early.
enum Stop {
    /// More candidates than the caller allowed.
    Limit,
    /// The caller has seen enough.
    Enough,
}

/// A position: board, reserves, rights and clocks. Equal positions have equal FENs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naive {
    /// `board[rank][file]`.
    board: [[Option<Man>; 8]; 8],
    /// Per side (0 White, 1 Black) the counts of [`SLOTS`].
    reserve: [[u8; 7]; 2],
    /// The side to act.
    white: bool,
    /// Per side: dropped on e1/e8, never moved since, and castling still possible now or after a drop.
    king_virgin: [bool; 2],
    /// Per side, corners a and h: a rook dropped there that never moved, beside a virgin king.
    rook_virgin: [[bool; 2]; 2],
    /// The square passed over by the pawn that has just made a two-square move, if it can legally be captured.
    ep: Option<Sq>,
    halfmove: u32,
    fullmove: u32,
}

fn side(white: bool) -> usize {
    usize::from(!white)
}

fn home_rank(white: bool) -> i8 {
    if white { 0 } else { 7 }
}

/// The rank from which pawns may step two squares.
fn pawn_rank(white: bool) -> i8 {
    if white { 1 } else { 6 }
}

fn forward(white: bool) -> i8 {
    if white { 1 } else { -1 }
}

fn is_light((file, rank): Sq) -> bool {
    (file + rank) % 2 != 0
}

/// The square one `step` away, if that is on the board.
fn step((file, rank): Sq, (df, dr): Sq) -> Option<Sq> {
    let to = (file + df, rank + dr);
    ((0..8).contains(&to.0) && (0..8).contains(&to.1)).then_some(to)
}

/// All squares in the order a1, b1 .. h8.
fn squares() -> impl Iterator<Item = Sq> {
    (0..8).flat_map(|rank| (0..8).map(move |file| (file, rank)))
}

/// The place in [`SLOTS`] of the piece a drop of `kind` on `sq` uses up: its square picks the bishop (rule 5).
fn slot(kind: char, sq: Sq) -> usize {
    let name = match kind {
        'B' if is_light(sq) => 'L',
        'B' => 'D',
        other => other,
    };
    SLOTS.iter().position(|&s| s == name).expect("a known kind")
}

fn square_text((file, rank): Sq) -> String {
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

fn parse_square(text: &str) -> Option<Sq> {
    match *text.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(((file - b'a') as i8, (rank - b'1') as i8)),
        _ => None,
    }
}

fn move_text((from, to, promotion): Move) -> String {
    let mut text = square_text(from) + &square_text(to);
    text.extend(promotion.map(|kind| kind.to_ascii_lowercase()));
    text
}

fn set_text(set: &[Put]) -> String {
    let tokens: Vec<String> = set.iter().map(|&(kind, sq)| format!("{kind}@{}", square_text(sq))).collect();
    tokens.join(",")
}

fn parse_set(text: &str) -> Option<Vec<Put>> {
    let drop = |token: &str| {
        let (kind, sq) = token.split_once('@')?;
        let kind = KINDS.into_iter().find(|k| kind == k.to_string())?;
        Some((kind, parse_square(sq)?))
    };
    text.split(',').map(drop).collect()
}

fn letter(white: bool, kind: char) -> char {
    if white { kind } else { kind.to_ascii_lowercase() }
}

impl Naive {
    /// Reads an extended FEN in canonical form. A board without brackets has empty reserves, a single B in
    /// reserve is the bishop the board decides on, and castling or en passant possibilities that cannot be
    /// are dropped. Panics on anything malformed.
    pub fn from_fen(fen: &str) -> Naive {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        assert_eq!(fields.len(), 6, "six fields expected: {fen}");
        let (board, reserve) = fields[0].split_once('[').unwrap_or((fields[0], "]"));
        let mut pos = Naive {
            board: [[None; 8]; 8],
            reserve: [[0; 7]; 2],
            white: fields[1] == "w",
            king_virgin: [false; 2],
            rook_virgin: [[false; 2]; 2],
            ep: parse_square(fields[3]),
            halfmove: fields[4].parse().expect("a halfmove clock"),
            fullmove: fields[5].parse().expect("a move number"),
        };
        assert!(pos.white || fields[1] == "b", "w or b expected: {fen}");
        pos.read_board(board);
        pos.read_reserve(reserve.strip_suffix(']').expect("a closing bracket"));
        pos.read_castling(fields[2]);
        if pos.ep.is_some_and(|sq| !pos.just_passed(sq)) {
            pos.ep = None;
        }
        pos.normalise();
        pos
    }

    fn read_board(&mut self, text: &str) {
        assert_eq!(text.split('/').count(), 8, "eight ranks expected: {text}");
        for (row, rank) in text.split('/').zip((0..8).rev()) {
            let mut file = 0;
            for c in row.chars() {
                if let Some(empty) = c.to_digit(10) {
                    file += empty as i8;
                } else {
                    assert!(KINDS.contains(&c.to_ascii_uppercase()), "unknown man {c}");
                    let man = (c.is_ascii_uppercase(), c.to_ascii_uppercase());
                    self.set((file, rank), Some(man));
                    file += 1;
                }
            }
            assert_eq!(file, 8, "eight squares a rank expected: {text}");
        }
    }

    fn read_reserve(&mut self, text: &str) {
        for white in [true, false] {
            let own = |c: &char| c.is_ascii_uppercase() == white;
            let mut names: Vec<char> = text.chars().filter(own).map(|c| c.to_ascii_uppercase()).collect();
            let b_count = names.iter().filter(|&&name| name == 'B').count();
            names.retain(|&name| name != 'B');
            match b_count {
                0 => {}
                1 => names.push(self.other_bishop(white)),
                _ => names.extend(['L', 'D']),
            }
            for name in names {
                let slot = SLOTS.iter().position(|&s| s == name).expect("a reserve letter");
                self.reserve[side(white)][slot] += 1;
            }
        }
    }

    /// The reserve bishop a single B means: not of the colour of the only own bishop on the board.
    fn other_bishop(&self, white: bool) -> char {
        let bishops: Vec<Sq> = squares().filter(|&sq| self.at(sq) == Some((white, 'B'))).collect();
        assert_eq!(bishops.len(), 1, "the board does not decide the colour of the bishop in reserve");
        if is_light(bishops[0]) { 'D' } else { 'L' }
    }

    fn read_castling(&mut self, text: &str) {
        for white in [true, false] {
            let rank = home_rank(white);
            let has = |kind| text.contains(letter(white, kind));
            let stands = |file, kind| self.at((file, rank)) == Some((white, kind));
            let king = stands(4, 'K') && (has('K') || has('Q') || has('E'));
            let rooks = [has('Q') && stands(0, 'R'), has('K') && stands(7, 'R')];
            self.king_virgin[side(white)] = king;
            self.rook_virgin[side(white)] = rooks;
        }
    }

    /// Whether the last action can have been a two-square pawn move over `sq`.
    fn just_passed(&self, sq: Sq) -> bool {
        let mover = !self.white;
        let (file, rank) = sq;
        let from = (file, rank - forward(mover));
        let to = (file, rank + forward(mover));
        from.1 == pawn_rank(mover)
            && self.at(from).is_none()
            && self.at(sq).is_none()
            && self.at(to) == Some((mover, 'P'))
    }

    /// The canonical FEN, all six fields.
    pub fn fen(&self) -> String {
        format!("{} {} {}", self.identity(), self.halfmove, self.fullmove)
    }

    /// The first four fields of the FEN: what must be equal for a repetition (rule 15).
    pub fn identity(&self) -> String {
        format!(
            "{}[{}] {} {} {}",
            self.board_field(),
            self.reserve_field(),
            if self.white { 'w' } else { 'b' },
            self.castling_field(),
            self.ep.map_or("-".to_string(), square_text)
        )
    }

    fn board_field(&self) -> String {
        let mut rows = Vec::new();
        for row in self.board.iter().rev() {
            let mut text = String::new();
            let mut empty = 0;
            for man in row {
                match man {
                    None => empty += 1,
                    Some((white, kind)) => {
                        if empty > 0 {
                            text += &empty.to_string();
                        }
                        empty = 0;
                        text.push(letter(*white, *kind));
                    }
                }
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            rows.push(text);
        }
        rows.join("/")
    }

    fn reserve_field(&self) -> String {
        let mut text = String::new();
        for white in [true, false] {
            let [kings, queens, rooks, light, dark, knights, pawns] = self.reserve[side(white)];
            let bishops = match (light, dark) {
                (1, 1) => "BB",
                (1, 0) => "L",
                (0, 1) => "D",
                _ => "",
            };
            let mut own = "K".repeat(kings.into()) + &"Q".repeat(queens.into());
            own += &"R".repeat(rooks.into());
            own += bishops;
            own += &"N".repeat(knights.into());
            own += &"P".repeat(pawns.into());
            text.extend(own.chars().map(|kind| letter(white, kind)));
        }
        text
    }

    fn castling_field(&self) -> String {
        let mut text = String::new();
        for white in [true, false] {
            let [queen_side, king_side] = self.rook_virgin[side(white)];
            if king_side {
                text.push(letter(white, 'K'));
            }
            if queen_side {
                text.push(letter(white, 'Q'));
            }
            if self.king_virgin[side(white)] && !king_side && !queen_side {
                text.push(letter(white, 'E'));
            }
        }
        if text.is_empty() {
            text.push('-');
        }
        text
    }

    /// The legal ordinary moves as protocol tokens, sorted.
    pub fn legal_moves(&self) -> Vec<String> {
        let legal = self.moves().into_iter().filter(|&m| self.is_safe_move(m));
        let mut texts: Vec<String> = legal.map(move_text).collect();
        texts.sort();
        texts
    }

    /// The legal drops of exactly one piece, sorted.
    pub fn single_drops(&self) -> Vec<String> {
        let mut texts = Vec::new();
        for kind in KINDS {
            for sq in squares() {
                if self.is_legal_set(&[(kind, sq)]) {
                    texts.push(set_text(&[(kind, sq)]));
                }
            }
        }
        texts.sort();
        texts
    }

    /// The legal drop sets of any size, sorted; `None` if there are more than `limit` candidates, that is, sets
    /// that obey rules 1 to 5 and must still be looked at for the safety of the king.
    pub fn legal_sets(&self, limit: usize) -> Option<Vec<String>> {
        let mut texts = Vec::new();
        let walk = self.each_safe_set(limit, &mut |set| {
            texts.push(set_text(set));
            ControlFlow::Continue(())
        });
        texts.sort();
        walk.is_continue().then_some(texts)
    }

    /// Whether the side to act has any legal action; `None` if `limit` candidate sets did not decide it.
    pub fn has_legal_action(&self, limit: usize) -> Option<bool> {
        if !self.legal_moves().is_empty() {
            return Some(true);
        }
        match self.each_safe_set(limit, &mut |_| ControlFlow::Break(Stop::Enough)) {
            ControlFlow::Break(Stop::Enough) => Some(true),
            ControlFlow::Break(Stop::Limit) => None,
            ControlFlow::Continue(()) => Some(false),
        }
    }

    /// Whether a canonical token is a legal action here. A drop set is judged by itself, not looked up in a list;
    /// the order of its drops does not matter.
    pub fn is_legal(&self, action: &str) -> bool {
        match parse_set(action) {
            Some(set) => self.is_legal_set(&set),
            None => self.legal_moves().iter().any(|text| text == action),
        }
    }

    /// The position after a legal action.
    pub fn play(&self, action: &str) -> Naive {
        let mut next = match parse_set(action) {
            Some(set) => self.after_set(&set),
            None => {
                let from = parse_square(&action[..2]).expect("a square to leave");
                let to = parse_square(&action[2..4]).expect("a square to reach");
                let promotion = action[4..].chars().next();
                self.after_move((from, to, promotion.map(|c| c.to_ascii_uppercase())))
            }
        };
        next.normalise();
        next
    }

    /// Whether the king of the side to act is attacked.
    pub fn in_check(&self) -> bool {
        self.checkers() > 0
    }

    /// How many enemy men attack the king of the side to act.
    pub fn checkers(&self) -> usize {
        self.king(self.white).map_or(0, |sq| self.attackers(sq, !self.white).len())
    }

    /// Whether board and reserves together cannot mate any more (rule 16).
    pub fn dead_material(&self) -> bool {
        let mut men = Vec::new(); // all but the kings, in the letters of SLOTS
        for sq in squares() {
            if let Some((_, kind)) = self.at(sq) {
                men.push(SLOTS[slot(kind, sq)]);
            }
        }
        for counts in self.reserve {
            for (name, count) in SLOTS.into_iter().zip(counts) {
                men.extend((0..count).map(|_| name));
            }
        }
        men.retain(|&name| name != 'K');
        men == ['N'] || men.iter().all(|&m| m == 'L') || men.iter().all(|&m| m == 'D')
    }

    fn at(&self, (file, rank): Sq) -> Option<Man> {
        self.board[rank as usize][file as usize]
    }

    fn set(&mut self, (file, rank): Sq, man: Option<Man>) {
        self.board[rank as usize][file as usize] = man;
    }

    fn king(&self, white: bool) -> Option<Sq> {
        squares().find(|&sq| self.at(sq) == Some((white, 'K')))
    }

    /// Whether the king of that side is attacked; one that is not on the board is not (rule 7).
    fn king_attacked(&self, white: bool) -> bool {
        self.king(white).is_some_and(|sq| !self.attackers(sq, !white).is_empty())
    }

    /// The squares of the men of one side that attack `target`, found by walking away from it.
    fn attackers(&self, target: Sq, by_white: bool) -> Vec<Sq> {
        let mut found = Vec::new();
        let mut one_step = |steps: &[Sq], kind| {
            let near = steps.iter().filter_map(|&s| step(target, s));
            found.extend(near.filter(|&sq| self.at(sq) == Some((by_white, kind))));
        };
        one_step(&KNIGHT, 'N');
        one_step(&STRAIGHT, 'K');
        one_step(&DIAGONAL, 'K');
        let back = -forward(by_white);
        one_step(&[(-1, back), (1, back)], 'P');
        for (directions, rider) in [(STRAIGHT, 'R'), (DIAGONAL, 'B')] {
            for direction in directions {
                let Some(&last) = self.ray(target, direction).last() else {
                    continue;
                };
                if self.at(last) == Some((by_white, rider)) || self.at(last) == Some((by_white, 'Q')) {
                    found.push(last);
                }
            }
        }
        found
    }

    /// The squares from `from` (not included) in one direction up to and including the first man.
    fn ray(&self, from: Sq, direction: Sq) -> Vec<Sq> {
        let mut path = Vec::new();
        let mut next = step(from, direction);
        while let Some(sq) = next {
            path.push(sq);
            next = match self.at(sq) {
                Some(_) => None,
                None => step(sq, direction),
            };
        }
        path
    }

    /// All ordinary moves as the men move, own king's safety after them not yet looked at; none without a king.
    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.king(self.white).is_none() {
            return moves;
        }
        for from in squares() {
            match self.at(from) {
                Some((white, 'P')) if white == self.white => self.pawn_moves(from, &mut moves),
                Some((white, kind)) if white == self.white => {
                    let targets = self.piece_targets(from, kind);
                    let free = targets.into_iter().filter(|&to| self.is_not_own(to));
                    moves.extend(free.map(|to| (from, to, None)));
                }
                _ => {}
            }
        }
        self.castling_moves(&mut moves);
        moves
    }

    fn is_not_own(&self, sq: Sq) -> bool {
        self.at(sq).is_none_or(|(white, _)| white != self.white)
    }

    /// The squares a piece other than a pawn reaches, those of own men included.
    fn piece_targets(&self, from: Sq, kind: char) -> Vec<Sq> {
        let both = [STRAIGHT, DIAGONAL].concat();
        let leap = |steps: &[Sq]| steps.iter().filter_map(|&s| step(from, s)).collect();
        let ride = |steps: &[Sq]| steps.iter().flat_map(|&s| self.ray(from, s)).collect();
        match kind {
            'K' => leap(&both),
            'N' => leap(&KNIGHT),
            'R' => ride(&STRAIGHT),
            'B' => ride(&DIAGONAL),
            _ => ride(&both),
        }
    }

    fn pawn_moves(&self, from: Sq, moves: &mut Vec<Move>) {
        let ahead = forward(self.white);
        let mut targets = Vec::new();
        if let Some(to) = step(from, (0, ahead)).filter(|&to| self.at(to).is_none()) {
            targets.push(to);
            if from.1 == pawn_rank(self.white) {
                // Rule 9: any pawn on its second rank, wherever it came from.
                targets.extend(step(to, (0, ahead)).filter(|&to| self.at(to).is_none()));
            }
        }
        for to in [-1, 1].into_iter().filter_map(|df| step(from, (df, ahead))) {
            let enemy = self.at(to).is_some_and(|(white, _)| white != self.white);
            if enemy || self.ep == Some(to) {
                targets.push(to);
            }
        }
        for to in targets {
            if to.1 == home_rank(!self.white) {
                moves.extend(['Q', 'R', 'B', 'N'].map(|kind| (from, to, Some(kind))));
            } else {
                moves.push((from, to, None));
            }
        }
    }

    /// Rule 11, complete: nothing between, not out of, through or into check.
    fn castling_moves(&self, moves: &mut Vec<Move>) {
        let own = side(self.white);
        let rank = home_rank(self.white);
        let empty = |files: &[i8]| files.iter().all(|&f| self.at((f, rank)).is_none());
        let calm = |files: &[i8]| {
            let mut squares = files.iter().map(|&f| (f, rank));
            squares.all(|sq| self.attackers(sq, !self.white).is_empty())
        };
        let [queen_side, king_side] = self.rook_virgin[own];
        if self.king_virgin[own] && king_side && empty(&[5, 6]) && calm(&[4, 5, 6]) {
            moves.push(((4, rank), (6, rank), None));
        }
        if self.king_virgin[own] && queen_side && empty(&[1, 2, 3]) && calm(&[4, 3, 2]) {
            moves.push(((4, rank), (2, rank), None));
        }
    }

    fn is_safe_move(&self, m: Move) -> bool {
        !self.after_move(m).king_attacked(self.white)
    }

    fn after_move(&self, (from, to, promotion): Move) -> Naive {
        let mut next = self.clone();
        let (white, kind) = self.at(from).expect("a man to move");
        let mut capture = self.at(to).is_some();
        if kind == 'P' && from.0 != to.0 && !capture {
            next.set((to.0, from.1), None); // en passant
            capture = true;
        }
        next.set(from, None);
        next.set(to, Some((white, promotion.unwrap_or(kind))));
        if kind == 'K' && (to.0 - from.0).abs() == 2 {
            let (corner, beside) = if to.0 == 6 { (7, 5) } else { (0, 3) };
            next.set((corner, from.1), None);
            next.set((beside, from.1), Some((white, 'R')));
        }
        if kind == 'K' {
            next.king_virgin[side(white)] = false;
        }
        for owner in [true, false] {
            for (corner, file) in [0, 7].into_iter().enumerate() {
                let sq = (file, home_rank(owner));
                next.rook_virgin[side(owner)][corner] &= from != sq && to != sq;
            }
        }
        let double = kind == 'P' && (to.1 - from.1).abs() == 2;
        next.ep = double.then_some((from.0, (from.1 + to.1) / 2));
        next.end_turn(capture || kind == 'P');
        next
    }

    fn end_turn(&mut self, resets_clock: bool) {
        self.halfmove = if resets_clock { 0 } else { self.halfmove + 1 };
        self.fullmove += u32::from(!self.white);
        self.white = !self.white;
    }

    /// Clears what has become impossible, so that equal possibilities are written and compared equal.
    fn normalise(&mut self) {
        for own in 0..2 {
            if !self.king_virgin[own] {
                self.rook_virgin[own] = [false; 2];
            }
            let [queen_side, king_side] = self.rook_virgin[own];
            self.king_virgin[own] &= queen_side || king_side || self.reserve[own][2] > 0;
        }
        let captures_ep = |&(from, to, promotion): &Move| {
            let pawn = self.at(from) == Some((self.white, 'P'));
            pawn && Some(to) == self.ep && self.is_safe_move((from, to, promotion))
        };
        if self.ep.is_some() && !self.moves().iter().any(captures_ep) {
            self.ep = None;
        }
    }

    /// Rules 1, 4 and 5 for one piece: in reserve, an empty square of the own half, no pawn on the first rank.
    fn may_put(&self, kind: char, sq: Sq) -> bool {
        let own_half = if self.white { 0..4 } else { 4..8 };
        self.reserve[side(self.white)][slot(kind, sq)] > 0
            && own_half.contains(&sq.1)
            && self.at(sq).is_none()
            && !(kind == 'P' && sq.1 == home_rank(self.white))
    }

    fn put(&mut self, kind: char, sq: Sq) {
        self.set(sq, Some((self.white, kind)));
        self.reserve[side(self.white)][slot(kind, sq)] -= 1;
    }

    fn take_back(&mut self, kind: char, sq: Sq) {
        self.set(sq, None);
        self.reserve[side(self.white)][slot(kind, sq)] += 1;
    }

    fn king_in_reserve(&self) -> bool {
        self.reserve[side(self.white)][0] > 0
    }

    fn is_legal_set(&self, set: &[Put]) -> bool {
        let mut trial = self.clone();
        for &(kind, sq) in set {
            if !trial.may_put(kind, sq) {
                return false;
            }
            trial.put(kind, sq);
        }
        // Rule 3 and rule 7.
        !set.is_empty() && !trial.king_in_reserve() && !trial.king_attacked(self.white)
    }

    fn after_set(&self, set: &[Put]) -> Naive {
        let mut next = self.clone();
        let own = side(self.white);
        for &(kind, sq) in set {
            next.put(kind, sq);
            if sq.1 == home_rank(self.white) {
                match (kind, sq.0) {
                    ('K', 4) => next.king_virgin[own] = true,
                    ('R', 0) => next.rook_virgin[own][0] = true,
                    ('R', 7) => next.rook_virgin[own][1] = true,
                    _ => {}
                }
            }
        }
        next.ep = None;
        next.end_turn(true);
        next
    }

    /// Shows `visit` every legal drop set in canonical order, looking at no more than `limit` candidates.
    fn each_safe_set(&self, limit: usize, visit: &mut Visit) -> ControlFlow<Stop> {
        let drops = KINDS.map(|kind| squares().map(|sq| (kind, sq)).collect::<Vec<Put>>()).concat();
        let mut budget = limit;
        self.clone().extend_set(&drops, &mut Vec::new(), &mut budget, visit)
    }

    /// All candidates that add one or more of `drops`, in this order, to `set`, which stands on the board already.
    fn extend_set(
        &mut self,
        drops: &[Put],
        set: &mut Vec<Put>,
        budget: &mut usize,
        visit: &mut Visit,
    ) -> ControlFlow<Stop> {
        for (i, &(kind, sq)) in drops.iter().enumerate() {
            if kind != 'K' && self.king_in_reserve() {
                break; // The king comes first in canonical order: this set and all later ones lack it (rule 3).
            }
            if !self.may_put(kind, sq) {
                continue;
            }
            if *budget == 0 {
                return ControlFlow::Break(Stop::Limit);
            }
            *budget -= 1;
            self.put(kind, sq);
            set.push((kind, sq));
            if !self.king_attacked(self.white) {
                visit(set)?;
            }
            // Go on also from an unsafe set: a further piece may block.
            self.extend_set(&drops[i + 1..], set, budget, visit)?;
            set.pop();
            self.take_back(kind, sq);
        }
        ControlFlow::Continue(())
    }
}
