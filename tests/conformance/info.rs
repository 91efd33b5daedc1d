//! The form of output lines, and what a search may say.

use kingchess::notation::read_legal_action;
use kingchess::rules::Game;

/// Words that begin or structure lines of the protocol.
const RESERVED: [&str; 5] = ["bestmove", "readyok", "uciok", "score", "time"];
/// The most characters of a principal variation.
const LONGEST_PV: usize = 1000;

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Centipawns.
    Cp(i64),
    /// Mate in so many own actions.
    Mate(i64),
}

/// An `info` line with a value.
#[derive(Clone, Debug)]
pub struct Info {
    /// The depth of the iteration.
    pub depth: u64,
    /// Which line, from 1.
    pub multipv: u64,
    /// The value.
    pub value: Value,
    /// No `lowerbound` or `upperbound`.
    pub exact: bool,
    /// Win, draw, loss in thousandths.
    pub wdl: Option<[u64; 3]>,
    /// Positions visited.
    pub nodes: u64,
    /// Milliseconds.
    pub time: u64,
    /// The principal variation.
    pub pv: Vec<String>,
}

/// What every line must be: not empty, no blanks at its ends, no control characters; free text without protocol words.
pub fn check_form(line: &str) -> Result<(), String> {
    if line.is_empty() || line.trim_end() != line {
        return Err(format!("an empty line or trailing blanks: {line:?}"));
    }
    if line.chars().any(|letter| letter.is_control() || letter == '\u{fffd}' && !line.contains("string")) {
        return Err(format!("control characters: {line:?}"));
    }
    let Some(text) = line.strip_prefix("info string ") else {
        return if line.starts_with("info ") { read(line).map(|_| ()) } else { Ok(()) };
    };
    let is_reserved = |word: &str| RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(word));
    match text.split(|letter: char| !letter.is_alphanumeric()).find(|word| is_reserved(word)) {
        Some(word) => Err(format!("free text with the protocol word '{word}': {line:?}")),
        None => Ok(()),
    }
}

/// Reads words in turn.
struct Words<'l> {
    line: &'l str,
    words: std::iter::Peekable<std::str::Split<'l, char>>,
}

impl<'l> Words<'l> {
    fn error(&self, expected: &str) -> String {
        format!("expected {expected} in {:?}", self.line)
    }

    fn word(&mut self, word: &str) -> Result<(), String> {
        self.words.next_if_eq(&word).map(|_| ()).ok_or_else(|| self.error(word))
    }

    fn integer(&mut self) -> Result<i64, String> {
        let word = self.words.next().unwrap_or_default();
        let number = word.parse::<i64>().ok().filter(|number| number.to_string() == word);
        number.ok_or_else(|| self.error("a plain integer"))
    }

    fn natural(&mut self) -> Result<u64, String> {
        u64::try_from(self.integer()?).map_err(|_| self.error("no negative number"))
    }

    fn named(&mut self, name: &str) -> Result<u64, String> {
        self.word(name)?;
        self.natural()
    }
}

/// Reads an `info` line with a value; `None` for every other line.
///
/// `info depth D seldepth S multipv M score cp|mate V [lowerbound|upperbound] [wdl W D L] nodes N nps P hashfull H time T
/// pv …`, or `info depth 0 score mate 0` and `info depth 0 score cp 0` where nothing can be done.
pub fn read(line: &str) -> Result<Option<Info>, String> {
    if !line.starts_with("info ") || line.starts_with("info string ") {
        return Ok(None);
    }
    let mut words = Words { line, words: line.split(' ').peekable() };
    words.word("info")?;
    let depth = words.named("depth")?;
    let mut info = Info {
        depth,
        multipv: 1,
        value: Value::Mate(0),
        exact: true,
        wdl: None,
        nodes: 0,
        time: 0,
        pv: Vec::new(),
    };
    if depth == 0 {
        info.value = match line {
            "info depth 0 score mate 0" => Value::Mate(0),
            "info depth 0 score cp 0" => Value::Cp(0),
            _ => return Err(words.error("mate 0 or cp 0 at depth 0")),
        };
        return Ok(Some(info));
    }
    words.named("seldepth")?;
    info.multipv = words.named("multipv")?;
    words.word("score")?;
    info.value = match words.words.next() {
        Some("cp") => Value::Cp(words.integer()?),
        Some("mate") => Value::Mate(words.integer()?),
        _ => return Err(words.error("cp or mate")),
    };
    info.exact = words.words.next_if(|&word| word == "lowerbound" || word == "upperbound").is_none();
    if words.words.next_if_eq(&"wdl").is_some() {
        info.wdl = Some([words.natural()?, words.natural()?, words.natural()?]);
    }
    info.nodes = words.named("nodes")?;
    words.named("nps")?;
    let hashfull = words.named("hashfull")?;
    info.time = words.named("time")?;
    words.word("pv")?;
    info.pv = words.words.by_ref().map(str::to_owned).collect();
    let characters = info.pv.join(" ").len();
    if info.pv.is_empty() || characters > LONGEST_PV {
        return Err(words.error("a pv of 1 to 1000 characters"));
    }
    if info.multipv == 0 || hashfull > 1000 || info.value == Value::Mate(0) {
        return Err(words.error("multipv from 1, hashfull to 1000, no mate 0"));
    }
    if info.wdl.is_some_and(|parts| parts.iter().sum::<u64>() != 1000) {
        return Err(words.error("wdl of 1000 together"));
    }
    Ok(Some(info))
}

/// The lines of one search, `bestmove` last, in this game: principal variations are legal to their ends and stop at mate
/// or draw; the last line with a value is exact and begins with the action; the action to ponder on is legal after it.
pub fn check_search(lines: &[&str], game: &Game) -> Result<(), String> {
    let mut last = None;
    for line in lines {
        if let Some(info) = read(line)? {
            check_pv(&info.pv, game).map_err(|error| format!("{error} in {line:?}"))?;
            if info.multipv == 1 {
                last = Some(info);
            }
        }
    }
    let words: Vec<&str> = lines.last().map(|line| line.split(' ').collect()).unwrap_or_default();
    let (best, ponder) = match words[..] {
        ["bestmove", "(none)"] => return Ok(()),
        ["bestmove", best] => (best, None),
        ["bestmove", best, "ponder", ponder] => (best, Some(ponder)),
        _ => return Err(format!("expected 'bestmove A [ponder A]', got {words:?}")),
    };
    let answer: Vec<String> = [Some(best), ponder].into_iter().flatten().map(str::to_owned).collect();
    check_pv(&answer, game)?;
    let Some(last) = last else { return Err("no line with a value before bestmove".to_owned()) };
    if !last.exact {
        return Err(format!("the last line before bestmove is a bound: {last:?}"));
    }
    if last.pv.first().map(String::as_str) != Some(best) {
        return Err(format!("bestmove {best}, but the last line is {last:?}"));
    }
    Ok(())
}

/// Each action is legal and written in the one canonical way, and none follows the end of the game.
fn check_pv(pv: &[String], game: &Game) -> Result<(), String> {
    let mut game = game.clone();
    for (ply, word) in pv.iter().enumerate() {
        if let Some(outcome) = game.outcome().filter(|_| ply > 0) {
            return Err(format!("{word} at ply {ply} goes on after {outcome}"));
        }
        let position = game.position();
        let action =
            read_legal_action(word, position).map_err(|error| format!("{word} at ply {ply}: {error}"))?;
        let canonical = action.token(position.side()).to_string();
        if canonical != *word {
            return Err(format!("{word} at ply {ply} should be written {canonical}"));
        }
        game.play(action);
    }
    Ok(())
}
