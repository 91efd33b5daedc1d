//! Lines of input as commands.

/// A command with its words.
#[derive(Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// A blank line.
    Nothing,
    /// `uci`
    Uci,
    /// `isready`
    IsReady,
    /// `ucinewgame`
    NewGame,
    /// `setoption …`
    SetOption(Vec<&'a str>),
    /// `position …`
    Position(Vec<&'a str>),
    /// `go …`
    Go(Vec<&'a str>),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `quit`
    Quit,
    /// `d`
    Display,
    /// `eval`
    Eval,
    /// `legal`
    Legal,
    /// `validate ACTION`
    Validate(Vec<&'a str>),
    /// `bench [depth D] [threads T] [hash MB]`
    Bench(Vec<&'a str>),
    /// `help`
    Help,
    /// Something to which UCI wants no answer.
    Ignored,
    /// Something else.
    Unknown(&'a str),
}

impl<'a> Command<'a> {
    /// Reads a line: words are separated by any white space, commands are case-blind.
    pub fn read(line: &'a str) -> Self {
        // A byte order mark before the first command is no part of it.
        let mut words = line.trim_start_matches('\u{feff}').split_whitespace();
        let Some(first) = words.next() else { return Self::Nothing };
        let rest = words.collect();
        match first.to_ascii_lowercase().as_str() {
            "uci" => Self::Uci,
            "isready" => Self::IsReady,
            "ucinewgame" => Self::NewGame,
            "setoption" => Self::SetOption(rest),
            "position" => Self::Position(rest),
            "go" => Self::Go(rest),
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "quit" => Self::Quit,
            "d" => Self::Display,
            "eval" => Self::Eval,
            "legal" => Self::Legal,
            "validate" => Self::Validate(rest),
            "bench" => Self::Bench(rest),
            "help" => Self::Help,
            "debug" | "register" => Self::Ignored,
            _ => Self::Unknown(first),
        }
    }
}

/// One line for each command, as `help` prints them.
pub const HELP: [&str; 16] = [
    "uci                      name, options, uciok",
    "isready                  readyok, at once",
    "setoption name N value V sets an option",
    "ucinewgame               forgets what was learned in the last game",
    "position startpos|fen F [moves A ...]  sets the position",
    "go [depth N] [nodes N] [movetime MS] [wtime MS btime MS winc MS binc MS movestogo N] [mate N] [infinite] [ponder] [searchmoves A ...] [perft N]",
    "stop                     ends the search",
    "ponderhit                the expected action was played",
    "d                        board, reserves, FEN, key, checkers, repetitions",
    "eval                     the evaluation, explained",
    "legal                    legal moves, drop squares, number of actions, result",
    "validate A               is this action legal, and how is it written?",
    "bench [depth N] [threads N] [hash MB]  searches fixed positions, prints nodes and speed",
    "help                     this list",
    "quit                     ends the program",
    "Actions: e2e4, e7e8q, e1g1 (castling), K@e1,P@e4 (drops of one piece or more); see protocol.md",
];
