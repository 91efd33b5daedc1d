//! Networks as files.
//!
//! ```text
//!  offset  bytes
//!       0      8  "KINGNNUE"
//!       8      4  version
//!      12     12  inputs, hidden values, outputs, four bytes each
//!      24      8  checksum of what follows
//!      32         16-bit numbers: for each input its weights to the hidden values; the hidden biases; for each output
//!                 its weights from the hidden values of the side to act, then of the other; the output biases
//! ```
//!
//! All numbers are little-endian. The checksum is FNV-1a with 64 bits (Fowler, Noll, Vo).

use std::path::Path;
use std::{fs, io};

use thiserror::Error;

use super::features::{INPUTS, OUTPUTS};
use super::weights::{HIDDEN, Lanes, MAX_OUTPUT_SUM, MAX_OUTPUT_WEIGHT, Network, Output};

const MAGIC: [u8; 8] = *b"KINGNNUE";
const VERSION: u32 = 3;
const HEADER: usize = 32;

/// How many weights and biases a network has.
pub const VALUES: usize = (INPUTS + 1) * HIDDEN + OUTPUTS * (2 * HIDDEN + 1);

/// Why a network can't be loaded.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum NetworkError {
    #[error("network {path}: {source}")]
    Read { path: String, source: io::Error },
    #[error("network: expected a file that begins with KINGNNUE")]
    Magic,
    #[error("network: expected version {VERSION} of the format, got {0}")]
    Version(u32),
    #[error("network: expected {expected} {what}, got {got}")]
    Dimension { what: &'static str, expected: usize, got: u32 },
    #[error("network: expected {expected} bytes, got {got}")]
    Length { expected: usize, got: usize },
    #[error("network: the checksum is {expected:016x}, but the weights give {got:016x}")]
    Checksum { expected: u64, got: u64 },
    #[error("network: expected {VALUES} weights, got {0}")]
    Count(usize),
    #[error("network: output weight {0} is not in -{MAX_OUTPUT_WEIGHT} to {MAX_OUTPUT_WEIGHT}")]
    OutputWeight(i16),
    #[error(
        "network: the sizes of the weights of output {output} sum up to {sum}, more than {MAX_OUTPUT_SUM}"
    )]
    OutputSum { output: usize, sum: i64 },
}

/// What a value of a network is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueKind {
    /// A weight from an input to a hidden value, or a hidden bias, in units of one in QA.
    Hidden,
    /// A weight from a hidden value to an output, in units of one in QB.
    Output,
    /// An output bias, in units of one in QC.
    OutputBias,
}

/// The kinds of all values of a network in the order of the file, each with how many follow one another.
pub const fn value_kinds() -> [(ValueKind, usize); 3] {
    [
        (ValueKind::Hidden, (INPUTS + 1) * HIDDEN),
        (ValueKind::Output, OUTPUTS * 2 * HIDDEN),
        (ValueKind::OutputBias, OUTPUTS),
    ]
}

impl Network {
    /// A network with these weights and biases, in the order of the file.
    ///
    /// # Errors
    /// If they are not [`VALUES`], or an output weight or all of an output together are too large.
    pub fn from_values(values: &[i16]) -> Result<Self, NetworkError> {
        if values.len() != VALUES {
            return Err(NetworkError::Count(values.len()));
        }
        let (hidden, outputs) = values.split_at((INPUTS + 1) * HIDDEN);
        let (outputs, biases) = outputs.split_at(OUTPUTS * 2 * HIDDEN);
        if let Some(&weight) = outputs.iter().find(|weight| weight.unsigned_abs() > MAX_OUTPUT_WEIGHT as u16)
        {
            return Err(NetworkError::OutputWeight(weight));
        }
        for (output, weights) in outputs.chunks(2 * HIDDEN).enumerate() {
            let sum = weights.iter().map(|weight| i64::from(weight.unsigned_abs())).sum();
            if sum > MAX_OUTPUT_SUM {
                return Err(NetworkError::OutputSum { output, sum });
            }
        }
        let (hidden, outputs) = (lanes(hidden), lanes(outputs));
        Ok(Self {
            columns: hidden[..INPUTS].into(),
            bias: hidden[INPUTS],
            outputs: std::array::from_fn(|index| Output {
                weights: [outputs[2 * index], outputs[2 * index + 1]],
                bias: biases[index],
            }),
        })
    }

    /// The weights and biases in the order of the file.
    pub fn values(&self) -> Vec<i16> {
        let outputs = self.outputs.iter().flat_map(|output| &output.weights);
        let lanes = self.columns.iter().chain([&self.bias]).chain(outputs);
        let biases = self.outputs.iter().map(|output| output.bias);
        lanes.flat_map(|lanes| lanes.0).chain(biases).collect()
    }

    /// Reads a network from the bytes of a file.
    ///
    /// # Errors
    /// If they are not a network, or one of other dimensions than this program is built for.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let length = NetworkError::Length { expected: HEADER + 2 * VALUES, got: bytes.len() };
        let Some((header, weights)) = bytes.split_at_checked(HEADER) else {
            return Err(if bytes.starts_with(&MAGIC) { length } else { NetworkError::Magic });
        };
        read_header(header)?;
        if weights.len() != 2 * VALUES {
            return Err(length);
        }
        let (expected, got) = (long(header, 24), checksum(weights));
        if expected != got {
            return Err(NetworkError::Checksum { expected, got });
        }
        let (numbers, _) = weights.as_chunks::<2>();
        Self::from_values(&numbers.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect::<Vec<_>>())
    }

    /// The bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let weights: Vec<u8> = self.values().into_iter().flat_map(i16::to_le_bytes).collect();
        let mut bytes = Vec::with_capacity(HEADER + weights.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        for (_, dimension) in DIMENSIONS {
            bytes.extend((dimension as u32).to_le_bytes());
        }
        bytes.extend(checksum(&weights).to_le_bytes());
        bytes.extend(weights);
        bytes
    }

    /// Reads a network from a file.
    ///
    /// # Errors
    /// If it can't be read or [`Network::from_bytes`] refuses it.
    pub fn load(path: &Path) -> Result<Self, NetworkError> {
        let bytes = fs::read(path)
            .map_err(|source| NetworkError::Read { path: path.display().to_string(), source })?;
        Self::from_bytes(&bytes)
    }
}

const DIMENSIONS: [(&str, usize); 3] = [("inputs", INPUTS), ("hidden values", HIDDEN), ("outputs", OUTPUTS)];

fn read_header(header: &[u8]) -> Result<(), NetworkError> {
    if !header.starts_with(&MAGIC) {
        return Err(NetworkError::Magic);
    }
    let version = word(header, 8);
    if version != VERSION {
        return Err(NetworkError::Version(version));
    }
    for (index, (what, expected)) in DIMENSIONS.into_iter().enumerate() {
        let got = word(header, 12 + 4 * index);
        if got as usize != expected {
            return Err(NetworkError::Dimension { what, expected, got });
        }
    }
    Ok(())
}

/// The four bytes at an offset.
fn word(header: &[u8], offset: usize) -> u32 {
    header[offset..offset + 4].iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

/// The eight bytes at an offset.
fn long(header: &[u8], offset: usize) -> u64 {
    u64::from(word(header, offset)) | u64::from(word(header, offset + 4)) << 32
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

fn lanes(values: &[i16]) -> Vec<Lanes> {
    let (chunks, _) = values.as_chunks::<HIDDEN>();
    chunks.iter().map(|&chunk| Lanes(chunk)).collect()
}
