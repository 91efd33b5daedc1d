use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::cli::files::replace;
use crate::notation::Notation;
use crate::notation::records::{Format, GameRecord, write_game};

/// Keeps the games of a session in a file, if there is one.
#[derive(Default)]
pub(super) struct Keeper {
    file: Option<PathBuf>,
    /// Games that have been left for another.
    earlier: Vec<GameRecord>,
}

/// Why games can't be kept.
#[derive(Debug, Error)]
pub(super) enum KeeperError {
    /// It may hold something dear.
    #[error("{}: is there already, choose another name", .0.display())]
    Exists(PathBuf),
    /// The file can't be written.
    #[error("{}: {error}", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl Keeper {
    /// Keeps games in this file, which must not be there yet.
    pub(super) fn new(path: &Path) -> Result<Self, KeeperError> {
        let mut keeper = Self::default();
        keeper.move_to(path, None)?;
        Ok(keeper)
    }

    /// The file, if there is one.
    pub(super) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Keeps the games in this file from now on: one that is not there yet, or the one that is in use already.
    pub(super) fn move_to(&mut self, path: &Path, game: Option<GameRecord>) -> Result<(), KeeperError> {
        if self.file.as_deref() != Some(path) && path.exists() {
            return Err(KeeperError::Exists(path.to_owned()));
        }
        let old = self.file.replace(path.to_owned());
        self.save(game).inspect_err(|_| self.file = old)
    }

    /// Writes the file, with the game that is on.
    pub(super) fn save(&self, game: Option<GameRecord>) -> Result<(), KeeperError> {
        let Some(path) = &self.file else { return Ok(()) };
        let failed = |error| KeeperError::Write { path: path.clone(), error };
        let text = self.text(game).map_err(failed)?;
        replace(path, &text).map_err(failed)
    }

    /// Goes on to another game.
    pub(super) fn leave(&mut self, game: Option<GameRecord>) {
        self.earlier.extend(game);
    }

    /// All games as a file.
    pub(super) fn text(&self, game: Option<GameRecord>) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        for record in self.earlier.iter().chain(&game) {
            write_game(&mut text, record, Format::Pgn(Notation::Token))?;
        }
        Ok(text)
    }
}
