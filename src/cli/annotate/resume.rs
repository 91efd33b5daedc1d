//! Going on where an earlier run has ended.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use super::comment::ANNOTATOR;
use crate::cli::Failure;
use crate::cli::files::replace;
use crate::notation::Notation;
use crate::notation::records::{Format, GameReader, GameRecord, write_game};

/// The games that an earlier run has written whole. What stands behind them in the file, such as a game that was broken
/// off, is cut away.
pub(super) fn kept(path: &Path) -> Result<Vec<GameRecord>, Failure> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Failure::file(path, &error)),
    };
    let mut kept = Vec::new();
    let mut text = Vec::new();
    for game in GameReader::new(BufReader::new(file)).map_while(Result::ok).take_while(is_whole) {
        write_game(&mut text, &game, Format::Pgn(Notation::Token))?;
        kept.push(game);
    }
    replace(path, &text).map_err(|error| Failure::file(path, &error))?;
    Ok(kept)
}

/// Has an earlier run written this game to its end? Every action of one that it has is remarked on, the last with a mate
/// aside.
fn is_whole(game: &GameRecord) -> bool {
    let annotated = game.tags.get("Annotator").is_some_and(|name| name == ANNOTATOR);
    let remarked = game.entries().iter().rev().skip(1).all(|entry| entry.notes().is_some());
    annotated && remarked
}

/// Are these the same actions from the same position?
pub(super) fn is_same(one: &GameRecord, other: &GameRecord) -> bool {
    one.start() == other.start() && one.actions().eq(other.actions())
}
