//! The samples of all files in memory, some kept apart to judge what was learned.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use kingchess::eval::network::{Features, Snapshot};
use kingchess::types::Color;
use thiserror::Error;

use super::sigmoid;
use crate::data::{Block, DataError, Reader, Sample};

/// Why the samples can't be used.
#[derive(Debug, Error)]
pub enum SamplesError {
    /// A file is at fault.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Too little to train and to judge.
    #[error("{training} samples to train and {validation} to judge in blocks of games: both are needed")]
    TooFew {
        /// Samples to train with.
        training: usize,
        /// Samples to judge with.
        validation: usize,
    },
    /// More than can be numbered.
    #[error("{0} samples to train are more than can be numbered with 32 bits")]
    TooMany(usize),
}

/// Packed samples in two parts. All samples of a game are in the same part.
pub struct Samples {
    /// To train with.
    pub training: Vec<Sample>,
    /// To judge with.
    pub validation: Vec<Sample>,
}

impl Samples {
    /// Reads files. A block of games goes to the validation part, or not, by what it is: by the settings of its file and
    /// the number of its first game. So the same games judge every network. Of a few blocks chance might send none there:
    /// then the one that came nearest goes.
    ///
    /// # Errors
    /// If a file can't be read, or a part stays empty.
    pub fn read(paths: &[PathBuf], share: f64) -> Result<Self, SamplesError> {
        let bytes: u64 = paths.iter().filter_map(|path| fs::metadata(path).ok()).map(|file| file.len()).sum();
        let expected = usize::try_from(bytes).unwrap_or(0) / size_of::<Sample>();
        let mut samples = Self { training: Vec::with_capacity(expected), validation: Vec::new() };
        let mut nearest = Nearest { lot: 1.0, place: 0..0 };
        for path in paths {
            samples.read_file(path, share, &mut nearest)?;
        }
        if samples.validation.is_empty() && share > 0.0 {
            samples.validation = samples.training.drain(nearest.place).collect();
        }
        let (training, validation) = (samples.training.len(), samples.validation.len());
        if training == 0 || validation == 0 {
            return Err(SamplesError::TooFew { training, validation });
        }
        if u32::try_from(training).is_err() {
            return Err(SamplesError::TooMany(training));
        }
        Ok(samples)
    }

    fn read_file(&mut self, path: &Path, share: f64, nearest: &mut Nearest) -> Result<(), DataError> {
        let mut reader = Reader::open(path)?;
        let seed = crc32fast::hash(reader.settings().as_bytes());
        while let Some(Block { first_game, samples, .. }) = reader.next_block()? {
            let lot = lot(seed, first_game);
            if lot < share {
                self.validation.extend(samples);
                continue;
            }
            let start = self.training.len();
            self.training.extend(samples);
            if lot < nearest.lot && self.training.len() > start {
                *nearest = Nearest { lot, place: start..self.training.len() };
            }
        }
        Ok(())
    }
}

/// The block to train with that came nearest to being one to judge with.
struct Nearest {
    lot: f64,
    /// Where it is among the samples to train with.
    place: Range<usize>,
}

/// A number from 0 to 1 that is the same for the same block.
fn lot(seed: u32, first_game: u64) -> f64 {
    let mut hasher = crc32fast::Hasher::new_with_initial(seed);
    hasher.update(&first_game.to_le_bytes());
    f64::from(hasher.finalize()) / f64::from(u32::MAX)
}

/// A sample as the network sees it.
pub struct Input {
    /// Inputs of the side to act, then of the other.
    pub features: [Features; 2],
    /// Which output is meant for it.
    pub output: usize,
    /// What the network should say: the expected result from 0 (lost) to 1 (won).
    pub target: f32,
}

impl Input {
    /// Unpacks a sample; `lambda` is the share of the searched value in the target, the rest is the result of the game.
    /// `None` if it holds no position.
    pub fn new(sample: &Sample, lambda: f32) -> Option<Self> {
        let position = sample.position()?;
        let snapshot = Snapshot::of(&position);
        let [white, black] = Color::ALL.map(|color| snapshot.features(color));
        let features = match position.side() {
            Color::White => [white, black],
            Color::Black => [black, white],
        };
        let result = (sample.result() + 1) as f32 / 2.0;
        let value = sigmoid(sample.score() as f32 / super::SCALE);
        Some(Self { features, output: snapshot.output(), target: lambda * value + (1.0 - lambda) * result })
    }
}
