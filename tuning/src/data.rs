//! Files of training positions: a header that says how they were made, then blocks of samples, each with a checksum.
//!
//! ```text
//! header   magic "KCDATA01", length of the settings (u32), the settings as JSON, their CRC-32
//! block    magic "GAME", first game (u64), games (u32), samples (u32), CRC-32 of the samples, the samples
//! ```
//!
//! All numbers are little-endian. A block that was cut off or does not match its checksum ends the file: what comes
//! before it is kept, and what is appended replaces it.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bytemuck::{Pod, Zeroable};
use kingchess::rules::{PackedPosition, Position};
use kingchess::types::{Color, Score};
use thiserror::Error;

const MAGIC: &[u8; 8] = b"KCDATA01";
const BLOCK_MAGIC: &[u8; 4] = b"GAME";
/// Settings longer than this are no settings.
const LONGEST_SETTINGS: u32 = 1 << 20;
/// Blocks of more samples than this are no blocks.
const LARGEST_BLOCK: u32 = 1 << 24;

/// What is wrong with a file of training positions.
#[derive(Debug, Error)]
pub enum DataError {
    /// The file can't be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is another kind of file.
    #[error("{}: not a file of training positions", .0.display())]
    Magic(PathBuf),
    /// The header is damaged.
    #[error("{}: the header is damaged", .0.display())]
    Header(PathBuf),
    /// It was made in another way than what is to be appended.
    #[error("{}: made with other settings: {found}", path.display())]
    Settings {
        /// The file.
        path: PathBuf,
        /// The settings in its header.
        found: String,
    },
}

/// A position with what a search thought of it and how its game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Sample {
    position: PackedPosition,
    /// Centipawns for the side to act, little-endian.
    score: i16,
    /// For the side to act: 1 won, 0 drawn, -1 lost.
    result: i8,
    /// How many actions had been played, at most 255.
    ply: u8,
}

impl Sample {
    /// A sample; the result is set when the game is over.
    pub fn new(position: &Position, score: Score, ply: usize) -> Self {
        let plain = Self { position: position.pack(), score: 0, result: 0, ply: ply.min(255) as u8 };
        plain.with_score(score)
    }

    /// The same position and result with another value.
    pub fn with_score(self, score: Score) -> Self {
        let most = i32::from(i16::MAX);
        let score = score.get().clamp(-most, most) as i16;
        Self { score: score.to_le(), ..self }
    }

    /// The position; `None` if the bytes hold none.
    pub fn position(&self) -> Option<Position> {
        self.position.unpack()
    }

    /// The searched value in centipawns, for the side to act.
    pub fn score(&self) -> i32 {
        i16::from_le(self.score).into()
    }

    /// The result for the side to act: 1, 0 or -1.
    pub fn result(&self) -> i32 {
        self.result.signum().into()
    }

    /// How many actions had been played, at most 255.
    pub fn ply(&self) -> u8 {
        self.ply
    }

    /// Sets the result from White's.
    pub fn set_result(&mut self, side: Color, white: i8) {
        self.result = if side == Color::White { white } else { -white };
    }
}

/// The samples of some games in a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The number of the first game.
    pub first_game: u64,
    /// How many games.
    pub games: u32,
    /// Their samples, game after game.
    pub samples: Vec<Sample>,
}

/// Reads a file block by block.
pub struct Reader {
    path: PathBuf,
    file: BufReader<File>,
    settings: String,
    /// Where the next block begins.
    offset: u64,
}

impl Reader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// If there is no such file, or it is none of training positions.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let file = File::open(path).map_err(|error| DataError::File { path: path.into(), error })?;
        let mut file = BufReader::with_capacity(1 << 20, file);
        let settings = read_header(&mut file, path)?;
        let offset = (MAGIC.len() + 4 + settings.len() + 4) as u64;
        Ok(Self { path: path.into(), file, settings, offset })
    }

    /// How the samples were made, as JSON.
    pub fn settings(&self) -> &str {
        &self.settings
    }

    /// The next block; `None` at the end, or where a block was cut off or damaged.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn next_block(&mut self) -> Result<Option<Block>, DataError> {
        match read_block(&mut self.file) {
            Ok(Some((block, length))) => {
                self.offset += length;
                Ok(Some(block))
            }
            Ok(None) => Ok(None),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(DataError::File { path: self.path.clone(), error }),
        }
    }
}

/// Appends blocks to a file.
pub struct Writer {
    path: PathBuf,
    file: BufWriter<File>,
    /// The number of the game with which the next block begins.
    next_game: u64,
    /// How many samples the file held when it was opened.
    held: u64,
}

impl Writer {
    /// Opens a file to append to, or makes it. A block that was cut off goes.
    ///
    /// # Errors
    /// If the file can't be written, or was made with other settings.
    pub fn open(path: &Path, settings: &str) -> Result<Self, DataError> {
        let fail = |error| DataError::File { path: path.into(), error };
        if !path.exists() {
            let mut file = BufWriter::new(File::create(path).map_err(fail)?);
            write_header(&mut file, settings).map_err(fail)?;
            return Ok(Self { path: path.into(), file, next_game: 0, held: 0 });
        }
        let mut reader = Reader::open(path)?;
        if reader.settings() != settings {
            return Err(DataError::Settings { path: path.into(), found: reader.settings().into() });
        }
        let (mut next_game, mut held) = (0, 0);
        while let Some(block) = reader.next_block()? {
            next_game = block.first_game + u64::from(block.games);
            held += block.samples.len() as u64;
        }
        let mut file = OpenOptions::new().write(true).open(path).map_err(fail)?;
        file.set_len(reader.offset).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        Ok(Self { path: path.into(), file: BufWriter::new(file), next_game, held })
    }

    /// The number of the first game that is not in the file.
    pub fn next_game(&self) -> u64 {
        self.next_game
    }

    /// How many samples the file held when it was opened.
    pub fn held(&self) -> u64 {
        self.held
    }

    /// Appends the samples of the next games, and makes sure that they are on the disk.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn append(&mut self, games: u32, samples: &[Sample]) -> Result<(), DataError> {
        write_block(&mut self.file, self.next_game, games, samples)
            .map_err(|error| DataError::File { path: self.path.clone(), error })?;
        self.next_game += u64::from(games);
        Ok(())
    }
}

fn write_header(file: &mut impl Write, settings: &str) -> io::Result<()> {
    file.write_all(MAGIC)?;
    file.write_all(&(settings.len() as u32).to_le_bytes())?;
    file.write_all(settings.as_bytes())?;
    file.write_all(&crc32fast::hash(settings.as_bytes()).to_le_bytes())?;
    file.flush()
}

fn read_header(file: &mut impl Read, path: &Path) -> Result<String, DataError> {
    let fail = |error: io::Error| match error.kind() {
        ErrorKind::UnexpectedEof => DataError::Header(path.into()),
        _ => DataError::File { path: path.into(), error },
    };
    let mut magic = [0; MAGIC.len()];
    match file.read_exact(&mut magic) {
        Ok(()) if &magic == MAGIC => {}
        Ok(()) => return Err(DataError::Magic(path.into())),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Err(DataError::Magic(path.into())),
        Err(error) => return Err(fail(error)),
    }
    let length = read_u32(file).map_err(fail)?;
    if length > LONGEST_SETTINGS {
        return Err(DataError::Header(path.into()));
    }
    let mut settings = vec![0; length as usize];
    file.read_exact(&mut settings).map_err(fail)?;
    let checksum = read_u32(file).map_err(fail)?;
    if checksum != crc32fast::hash(&settings) {
        return Err(DataError::Header(path.into()));
    }
    String::from_utf8(settings).map_err(|_| DataError::Header(path.into()))
}

fn write_block(file: &mut BufWriter<File>, first: u64, games: u32, samples: &[Sample]) -> io::Result<()> {
    let bytes: &[u8] = bytemuck::cast_slice(samples);
    file.write_all(BLOCK_MAGIC)?;
    file.write_all(&first.to_le_bytes())?;
    file.write_all(&games.to_le_bytes())?;
    file.write_all(&(samples.len() as u32).to_le_bytes())?;
    file.write_all(&crc32fast::hash(bytes).to_le_bytes())?;
    file.write_all(bytes)?;
    file.flush()?;
    file.get_ref().sync_data()
}

/// A block with its length in bytes; `None` if there is a damaged one.
fn read_block(file: &mut impl Read) -> io::Result<Option<(Block, u64)>> {
    let mut magic = [0; BLOCK_MAGIC.len()];
    file.read_exact(&mut magic)?;
    let mut first = [0; 8];
    file.read_exact(&mut first)?;
    let games = read_u32(file)?;
    let count = read_u32(file)?;
    let checksum = read_u32(file)?;
    if &magic != BLOCK_MAGIC || count > LARGEST_BLOCK {
        return Ok(None);
    }
    let mut samples = vec![Sample::zeroed(); count as usize];
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut samples);
    file.read_exact(bytes)?;
    if checksum != crc32fast::hash(bytes) {
        return Ok(None);
    }
    let length = (BLOCK_MAGIC.len() + 8 + 4 + 4 + 4 + size_of::<Sample>() * samples.len()) as u64;
    Ok(Some((Block { first_game: u64::from_le_bytes(first), games, samples }, length)))
}

fn read_u32(file: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    file.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(count: usize) -> Vec<Sample> {
        let mut samples = vec![Sample::new(&Position::start(), Score::cp(-17), 3); count];
        samples[0].set_result(Color::Black, 1);
        samples
    }

    #[test]
    fn samples_come_back() {
        let sample = samples(1)[0];
        assert_eq!(sample.position(), Some(Position::start()));
        assert_eq!((sample.score(), sample.result(), sample.ply()), (-17, -1, 3));
    }

    #[test]
    fn a_block_that_was_cut_off_is_replaced() -> Result<(), Box<dyn std::error::Error>> {
        let path = std::env::temp_dir().join(format!("kingchess-data-{}", std::process::id()));
        Writer::open(&path, "{}")?.append(2, &samples(5))?;
        let whole = std::fs::metadata(&path)?.len();
        Writer::open(&path, "{}")?.append(1, &samples(3))?;
        OpenOptions::new().write(true).open(&path)?.set_len(whole + 50)?;
        let mut writer = Writer::open(&path, "{}")?;
        assert_eq!((writer.next_game(), writer.held()), (2, 5));
        writer.append(4, &samples(1))?;
        let mut reader = Reader::open(&path)?;
        let first = reader.next_block()?;
        assert_eq!(first, Some(Block { first_game: 0, games: 2, samples: samples(5) }));
        assert_eq!(reader.next_block()?.map(|block| (block.first_game, block.games)), Some((2, 4)));
        assert_eq!(reader.next_block()?, None);
        // A changed byte of the first block ends the file there.
        let mut bytes = std::fs::read(&path)?;
        bytes[whole as usize - 1] ^= 1;
        std::fs::write(&path, bytes)?;
        assert_eq!(Reader::open(&path)?.next_block()?, None);
        assert!(matches!(Writer::open(&path, "other"), Err(DataError::Settings { .. })));
        std::fs::remove_file(path)?;
        Ok(())
    }
}
