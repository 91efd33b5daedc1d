//! Records of games: what is written is read back the same, files as people have them are read as they are meant, and
//! what is wrong is said where it is.
//!
//! Each file in `records/` is converted by the program: `NAME.out` is what it must write, `NAME.err` what it must say.

mod common;

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::random;
use kingchess::notation::records::{Fault, Format, GameReader, GameRecord, GameResult, Variant, write_game};
use kingchess::notation::{Notation, read_written};
use kingchess::rules::Position;
use kingchess::types::{Action, Color};
use proptest::prelude::*;
use proptest::sample::Index;
use rand::Rng;
use rand::seq::SliceRandom;

const FORMATS: [Format; 8] = [
    Format::Pgn(Notation::Token),
    Format::Pgn(Notation::Openchess),
    Format::Pgn(Notation::Encyclopedia),
    Format::Plain(Notation::Token),
    Format::Plain(Notation::Openchess),
    Format::Plain(Notation::Encyclopedia),
    Format::Uci,
    Format::Json,
];

/// The example game of the openchess rules.
const EXAMPLE: &str = "1. Kg1 g3 f2 d4 e4 (Q, 2R, 2B, 2N, 4P) Kg8 g6 f7 Bg7 e5 d6 (Q, 2R, wB, 2N, 4P) \
                       2. Qa2 Bb3 Rf3 Rc1 Ba3 Nh4 Ng4 a4 b4 g2 h2 (0)\n\n";

fn written(records: &[GameRecord], format: Format) -> String {
    let mut bytes = Vec::new();
    for record in records {
        write_game(&mut bytes, record, format).expect("a vector takes all");
    }
    String::from_utf8(bytes).expect("records are text")
}

/// The games of a text that is all right.
fn read(text: &str) -> Vec<GameRecord> {
    GameReader::new(text.as_bytes())
        .map(|read| read.unwrap_or_else(|error| panic!("{error}:\n{text}")))
        .collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records")
}

/// The files to convert, sorted.
fn files() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).expect("the folder of records");
    let paths = entries.map(|entry| entry.expect("a file").path());
    let is_input = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "pgn" || kind == "txt");
    let mut files: Vec<PathBuf> = paths.filter(is_input).collect();
    files.sort();
    assert!(files.len() >= 6, "{files:?}");
    files
}

/// What the program writes, what it says, and its exit code.
fn convert(arguments: &[&str], input: &[u8]) -> (String, String, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_engine"))
        .arg("convert")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("its input").write_all(input).expect("it reads");
    let done = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (text(done.stdout), text(done.stderr), done.status.code())
}

// Out and in again

#[test]
fn the_example_goes_through_every_conversion_unchanged() {
    for first in FORMATS {
        let once = written(&read(EXAMPLE), first);
        assert_eq!(written(&read(&once), Format::Plain(Notation::Openchess)), EXAMPLE, "{first:?}");
        for second in FORMATS {
            let twice = written(&read(&once), second);
            assert_eq!(
                written(&read(&twice), Format::Plain(Notation::Openchess)),
                EXAMPLE,
                "{first:?} {second:?}"
            );
            assert_eq!(written(&read(&twice), first), once, "{first:?} {second:?}");
        }
    }
}

#[test]
fn the_program_converts_the_example_and_back() {
    for target in ["pgn", "openchess", "wiki", "uci", "json"] {
        let (there, said, code) = convert(&["-", "--to", target], EXAMPLE.as_bytes());
        assert_eq!((said.as_str(), code), ("", Some(0)), "{target}");
        let (back, said, code) = convert(&["-", "--to", "openchess"], there.as_bytes());
        assert_eq!((back.as_str(), said.as_str(), code), (EXAMPLE, "", Some(0)), "{target}");
    }
}

/// A game with random actions, its drops in any order, and some with tags and notes.
fn random_record(seed: u64) -> GameRecord {
    let (start, actions) = random::game(seed);
    let mut rng = random::generator(seed ^ 0x5EED);
    let no_reserve = Color::ALL.iter().all(|&color| start.reserve(color).is_empty());
    let variant = if no_reserve && rng.random() { Variant::Chess } else { Variant::Kingchess };
    let mut record = GameRecord::new(variant, start);
    for action in actions {
        match action {
            Action::Move(_) => record.push(action),
            Action::Drops(set) => {
                let mut drops: Vec<String> =
                    set.drops(record.last().side()).map(|drop| drop.to_string()).collect();
                drops.shuffle(&mut rng);
                record.push(read_written(&drops.join(","), record.last()).expect("a legal action"))
            }
        }
        .expect("a legal action");
        if seed.is_multiple_of(2) && rng.random_bool(0.2) {
            let last = record.entries().len() - 1;
            let notes = record.entry_mut(last).expect("an entry").notes_mut();
            notes.nags.extend((0..rng.random_range(0..3)).map(|_| rng.random::<u8>()));
            notes
                .comments
                .extend((0..rng.random_range(0..3)).map(|number| format!("note {number}; (Q, 2R) [x] *")));
        }
    }
    if seed.is_multiple_of(2) {
        record.tags.set("White", "A \"quoted\" name \\");
        record.tags.set("Annotator", "Кто-то");
        record.comments.push("1. before the first action".to_owned());
        record.result =
            [GameResult::WhiteWins, GameResult::Draw, GameResult::Unknown][rng.random_range(0..3)];
    }
    record
}

/// Nothing has changed that the format has a place for.
fn assert_same(read: &GameRecord, record: &GameRecord, format: Format, text: &str) {
    assert!(read.warnings.is_empty(), "{format:?} {:?}\n{text}", read.warnings);
    assert_eq!(read.start(), record.start(), "{format:?}\n{text}");
    assert_eq!(read.last(), record.last(), "{format:?}\n{text}");
    if format == Format::Uci {
        let actions =
            |record: &GameRecord| record.entries().iter().map(|entry| entry.written()).collect::<Vec<_>>();
        assert_eq!(actions(read), actions(record), "{text}");
        return;
    }
    assert_eq!(read.variant(), record.variant(), "{format:?}\n{text}");
    assert_eq!(read.entries(), record.entries(), "{format:?}\n{text}");
    assert_eq!(read.comments, record.comments, "{format:?}\n{text}");
    assert_eq!(read.final_result(), record.final_result(), "{format:?}\n{text}");
    assert_eq!(read.tags, record.tags, "{format:?}\n{text}");
}

#[test]
fn random_games_are_read_as_they_were_written() {
    let records: Vec<GameRecord> = (0..1_500).map(random_record).collect();
    let drops = records.iter().flat_map(GameRecord::actions).filter(|action| action.drop_count() > 1).count();
    let chess = records.iter().filter(|record| record.variant() == Variant::Chess).count();
    assert!(drops > 1_000 && chess > 50, "{drops} {chess}");
    for format in FORMATS {
        for record in &records {
            let text = written(std::slice::from_ref(record), format);
            let games = read(&text);
            assert_eq!(games.len(), 1, "{format:?}\n{text}");
            assert_same(&games[0], record, format, &text);
        }
        // All in one file.
        let text = written(&records, format);
        let games = read(&text);
        assert_eq!(games.len(), records.len(), "{format:?}");
        for (game, record) in games.iter().zip(&records) {
            assert_same(game, record, format, "");
        }
    }
}

#[test]
fn every_notation_of_an_action_is_read() {
    use kingchess::notation::action_text;
    for record in (0..300).map(random_record) {
        let mut position = *record.start();
        for entry in record.entries() {
            for notation in [Notation::Token, Notation::Openchess, Notation::Encyclopedia] {
                let text = action_text(entry.written(), &position, notation);
                assert_eq!(read_written(&text, &position), Ok(entry.written()), "{text} in {position:?}");
            }
            position.play(entry.action());
        }
    }
}

// Files

#[test]
fn files_are_converted_as_expected() {
    for file in files() {
        let expected = |kind: &str| fs::read_to_string(file.with_extension(kind)).unwrap_or_default();
        let name = file.display().to_string();
        let (wrote, said, code) = convert(&[&name, "--to", "openchess"], b"");
        assert_eq!(wrote, expected("out"), "{name}");
        assert_eq!(said, expected("err"), "{name}");
        assert_eq!(code, Some(i32::from(said.contains("error: "))), "{name}");
    }
}

#[test]
fn what_was_written_is_read_without_a_word() {
    for file in files() {
        let out = fs::read_to_string(file.with_extension("out")).expect("what the file is converted to");
        for target in ["pgn", "wiki", "json"] {
            let (there, said, code) = convert(&["-", "--to", target], out.as_bytes());
            assert_eq!((said.as_str(), code), ("", Some(0)), "{}", file.display());
            let (back, said, code) = convert(&["-", "--to", "openchess"], there.as_bytes());
            assert_eq!(
                (back.as_str(), said.as_str(), code),
                (out.as_str(), "", Some(0)),
                "{}",
                file.display()
            );
        }
    }
}

#[test]
fn every_message_about_records_has_an_example() {
    let sources = ["src/notation/records/fault.rs", "src/notation/written.rs"];
    let mut said = String::new();
    for file in files() {
        said.push_str(&fs::read_to_string(file.with_extension("err")).unwrap_or_default());
    }
    // Only a broken disk gives this one; a test below stands in for it.
    let untried = ["can't read: "];
    let mut messages = 0;
    for source in sources {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(source)).expect(source);
        for attribute in text.split("#[error(").skip(1).filter(|text| text.trim_start().starts_with('"')) {
            let message = attribute.split('"').nth(1).expect("a message");
            let longest =
                message.split(['{', '}']).step_by(2).max_by_key(|part| part.len()).unwrap_or_default();
            let longest = longest.trim_end_matches('\\');
            if longest.len() > 2 && !untried.contains(&longest) {
                assert!(said.contains(longest), "no example for '{message}'");
                messages += 1;
            }
        }
    }
    assert!(messages > 20, "only {messages} messages");
}

#[test]
fn every_json_field_is_described() {
    let document =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("records.md")).expect("records.md");
    let games = written(&read(EXAMPLE), Format::Json);
    let game: serde_json::Value = serde_json::from_str(&games).expect("JSON");
    let action = &game["actions"][0];
    let fields = [&game, action].into_iter().flat_map(|value| value.as_object().expect("an object").keys());
    for field in fields {
        assert!(document.contains(&format!("| `{field}` |")), "the field {field} is not described");
    }
}

#[test]
fn an_output_file_is_written_and_the_input_never_is() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("converted.pgn");
    let name = out.display().to_string();
    let (wrote, said, code) = convert(&["-", "--to", "openchess", "--out", &name], EXAMPLE.as_bytes());
    assert_eq!((wrote.as_str(), said.as_str(), code), ("", "", Some(0)));
    assert_eq!(fs::read_to_string(&out).expect("the file"), EXAMPLE);
    let (_, said, code) = convert(&[&name, "--to", "pgn", "--out", &name], b"");
    assert!(said.contains("would be overwritten while it is read"), "{said}");
    assert_eq!(code, Some(1));
    assert_eq!(fs::read_to_string(&out).expect("the file"), EXAMPLE);
    let (_, said, code) = convert(&["no such file", "--to", "pgn"], b"");
    assert!(said.starts_with("error: no such file: "), "{said}");
    assert_eq!(code, Some(1));
}

#[test]
fn a_check_only_counts() {
    let (wrote, said, code) = convert(&["-", "--to", "none"], EXAMPLE.as_bytes());
    assert!(wrote.starts_with("1 games, 3 actions, "), "{wrote}");
    assert_eq!((said.as_str(), code), ("", Some(0)));
}

// The reader

#[test]
fn what_is_right_before_a_fault_is_kept() {
    let text =
        "[White \"A\"]\n\n1. Ke1, d4 Ke8 2. d4-d5 {so far} d5-d4 3. d5-d6 1-0\n\n[White \"B\"]\n\n1. Ke1 *";
    let games: Vec<_> = GameReader::new(text.as_bytes()).collect();
    let [Err(error), Ok(second)] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!((error.game, error.line, error.column), (1, 3, 34));
    let place = error.action.as_ref().expect("an action");
    assert_eq!((place.number, place.side, place.text.as_str()), (2, Color::Black, "d5-d4"));
    assert!(matches!(error.fault, Fault::Action(_)));
    assert_eq!(error.record.entries().len(), 3);
    assert_eq!(error.record.tags.get("White"), Some("A"));
    assert_eq!(error.record.entries()[2].notes().expect("notes").comments, ["so far"]);
    assert_eq!(second.tags.get("White"), Some("B"));
}

/// The same text over and over, without an end.
struct Endless(&'static [u8], usize);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = &self.0[self.1..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.1 = (self.1 + length) % self.0.len();
        Ok(length)
    }
}

#[test]
fn games_come_before_the_input_ends() {
    let texts: [&[u8]; 3] =
        [b"1. Ke1 Ke8 *\n", b"[White \"A\"]\n\n1. Ke1 Ke8\n\n", b"1. Ke1 {\n} 1-0 1. Kd1 Ke8\n*\n"];
    for text in texts {
        let games = GameReader::new(BufReader::with_capacity(7, Endless(text, 0)));
        let actions: usize = games.take(5_000).map(|game| game.expect("a good game").entries().len()).sum();
        assert!(actions >= 7_500, "{actions}");
    }
}

#[test]
fn many_games_on_one_line_are_read_one_by_one() {
    // Were the rest looked at again for each game, this would take minutes.
    let text = "1. Ke1, e4 (Q, R) Ke8 {a comment} *  ".repeat(50_000);
    let games = read(&text);
    assert_eq!(games.len(), 50_000);
    let column = games.last().and_then(|game| game.warnings.first()).map(|warning| warning.column);
    assert_eq!(column, Some(37 * 49_999 + 12));
}

/// Fails after some text.
struct Broken(bool);

impl Read for Broken {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if std::mem::replace(&mut self.0, true) {
            return Err(io::Error::other("the disk is gone"));
        }
        let text = b"1. Ke1 *\n1. Ke1";
        buffer[..text.len()].copy_from_slice(text);
        Ok(text.len())
    }
}

#[test]
fn a_broken_input_ends_the_reading() {
    let games: Vec<_> = GameReader::new(BufReader::new(Broken(false))).collect();
    let [Ok(_), Err(error)] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!(error.to_string(), "game 2, line 2, column 1: can't read: the disk is gone");
}

// Results

#[test]
fn results_agree_with_the_board() {
    let mut record = GameRecord::new(Variant::Kingchess, Position::start());
    for text in ["Kh4", "Ka8, Qh5, Rh8, Bd6"] {
        record.push(read_written(text, record.last()).expect(text)).expect(text);
    }
    record.result = GameResult::WhiteWins;
    record.tags.set("Termination", "time forfeit");
    let text = written(&[record.clone()], Format::Pgn(Notation::Token));
    assert!(text.contains("[Result \"0-1\"]\n"), "{text}");
    assert!(text.contains("[Termination \"checkmate\"]\n"), "{text}");
    assert!(text.ends_with(" 0-1\n\n"), "{text}");
    assert!(record.push(read_written("K@h4", &Position::start()).expect("an action")).is_err());
    // A game that goes on can't have ended on the board.
    let mut open = GameRecord::new(Variant::Kingchess, Position::start());
    open.tags.set("Termination", "checkmate");
    open.result = GameResult::BlackWins;
    let text = written(&[open], Format::Pgn(Notation::Token));
    assert!(text.contains("[Termination \"?\"]\n") && text.contains("[Result \"0-1\"]\n"), "{text}");
}

#[test]
fn repetition_is_found() {
    let text = "1. Ke1 Ke8 2. Ke1-d1 Ke8-d8 3. Kd1-e1 Kd8-e8 4. Ke1-d1 Ke8-d8 5. Kd1-e1 Kd8-e8";
    let record = &read(text)[0];
    // The first position had other castling rights.
    assert_eq!(record.outcome(), None);
    let text = format!("{text} 6. Ke1-d1 Ke8-d8");
    let record = &read(&text)[0];
    assert_eq!(record.termination().as_deref(), Some("repetition"));
    assert_eq!(record.final_result(), GameResult::Draw);
}

// Anything else

/// What records are made of, and some of what they are not.
const PARTS: [&str; 40] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    ";",
    ",",
    ".",
    "...",
    "1.",
    "$",
    "$3",
    "!",
    "?",
    "+",
    " ",
    "\n",
    "\n\n",
    "\r\n",
    "Ke1",
    "e4",
    "e2-e4",
    "O-O",
    "Кр",
    "К",
    "(0)",
    "*",
    "1-0",
    "%",
    "@",
    "K@e1",
    "\u{feff}",
    "\0",
    "é",
    "9999999999",
    "position fen ",
    "{\"schema\":1",
    "[FEN \"",
];

fn config() -> ProptestConfig {
    // The default takes the number of cases from PROPTEST_CASES.
    let default = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { 4_000 };
    ProptestConfig { cases, failure_persistence: None, ..default }
}

/// Whatever it is, it is read to its end, and each game that comes of it is written and read back.
fn check(bytes: &[u8]) {
    for game in GameReader::new(bytes) {
        let record = match game {
            Ok(record) => record,
            Err(error) => {
                assert!(!error.to_string().is_empty() && error.line > 0 && error.column > 0);
                *error.record
            }
        };
        for format in [Format::Pgn(Notation::Token), Format::Plain(Notation::Openchess), Format::Json] {
            let text = written(std::slice::from_ref(&record), format);
            let games = read(&text);
            assert_eq!(games.len(), 1, "{format:?}\n{text}");
            assert_eq!(games[0].entries(), record.entries(), "{format:?}\n{text}");
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn changed_files(
        file in proptest::sample::select(files()),
        edits in proptest::collection::vec((any::<Index>(), 0..9usize, proptest::sample::select(&PARTS[..])), 1..6),
    ) {
        let mut bytes = fs::read(file).expect("a file");
        for (at, removed, added) in edits {
            let start = at.index(bytes.len() + 1);
            let end = (start + removed).min(bytes.len());
            bytes.splice(start..end, added.bytes());
        }
        check(&bytes);
    }

    #[test]
    fn any_parts(parts in proptest::collection::vec(proptest::sample::select(&PARTS[..]), 0..60)) {
        check(parts.concat().as_bytes());
    }

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        check(&bytes);
    }
}

/// What random changes have found once.
#[test]
fn changed_files_that_went_wrong() {
    // A comment of blanks; a tag without a name; chess that begins with pieces in reserve.
    let blank = r#"{"schema":1,"variant":"kingchess","start":"8/8/8/8/8/8/8/8[KQRRBBNNPPPPPPPPkqrrbbnnpppppppp] w - - 0 1","comments":["  "],"actions":[{"token":"P@e2,K@e1","comments":[" "],"nags":[3]}],"tags":{}}"#;
    check(blank.as_bytes());
    check(blank.replace(r#""tags":{}"#, r#""tags":{"":"B"}"#).as_bytes());
    let reserve = "[Variant \"Standard\"]\n[FEN \"8/8/8/8/8/8/8/8[KQRRBBNNPPPPPPPPkqrrbbnnpppppppp] w - - 0 1\"]\n\n1. K@e1 *\n";
    check(reserve.as_bytes());
    assert_eq!(read(reserve)[0].entries().len(), 1);
}

#[test]
fn lines_may_end_in_any_way() {
    let unix = fs::read_to_string(folder().join("games.pgn")).expect("a file");
    let entries = |text: &str| read(text).iter().map(|game| game.entries().to_vec()).collect::<Vec<_>>();
    let windows = unix.replace('\n', "\r\n");
    assert_eq!(entries(&windows), entries(&unix));
    assert_eq!(entries(&format!("\u{feff}{windows}")), entries(&unix));
    assert_eq!(unix.as_bytes().lines().count(), windows.as_bytes().lines().count());
}
