//! The options a front end may set.

use std::ops::RangeInclusive;
use std::time::Duration;

use thiserror::Error;

use crate::eval::{Evaluator, built_in};
use crate::search::Table;
use crate::types::excerpt;

/// Which game is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// Kingchess.
    Kingchess,
    /// Ordinary chess: the same rules with nothing in reserve.
    Chess,
}

impl Variant {
    /// The name of the variant as front ends know it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kingchess => "kingchess",
            Self::Chess => "chess",
        }
    }
}

/// What the options are set to.
#[derive(Clone, Debug)]
pub struct Options {
    /// Size of the transposition table in MB.
    pub hash: usize,
    /// Threads that search.
    pub threads: usize,
    /// Best lines to report.
    pub multipv: usize,
    /// Time lost between engine and clock.
    pub overhead: Duration,
    /// Which game is played.
    pub variant: Variant,
    /// Report chances with each value.
    pub show_wdl: bool,
    /// Play weaker than possible.
    pub limit_strength: bool,
    /// How strong then.
    pub elo: u32,
    /// The network that evaluates.
    #[cfg(feature = "tune")]
    pub network: Option<std::sync::Arc<crate::eval::network::Network>>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash: 16,
            threads: 1,
            multipv: 1,
            overhead: Duration::from_millis(10),
            variant: Variant::Kingchess,
            show_wdl: false,
            limit_strength: false,
            elo: 1500,
            #[cfg(feature = "tune")]
            network: None,
        }
    }
}

/// What an option holds.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Spin { default: i64, min: i64, max: i64 },
    Check { default: bool },
    Combo { default: &'static str, values: &'static [&'static str] },
    Button,
}

/// The levels of `UCI_Elo`.
pub const ELO: RangeInclusive<u32> = 800..=2400;

const OPTIONS: [(&str, Kind); 11] = [
    ("Hash", Kind::Spin { default: 16, min: Table::MIN_MB as i64, max: Table::MAX_MB as i64 }),
    ("Threads", Kind::Spin { default: 1, min: 1, max: 256 }),
    ("Clear Hash", Kind::Button),
    ("Ponder", Kind::Check { default: false }),
    ("MultiPV", Kind::Spin { default: 1, min: 1, max: 500 }),
    ("Move Overhead", Kind::Spin { default: 10, min: 0, max: 5000 }),
    ("UCI_Variant", Kind::Combo { default: "kingchess", values: &["kingchess", "chess"] }),
    ("UCI_AnalyseMode", Kind::Check { default: false }),
    ("UCI_ShowWDL", Kind::Check { default: false }),
    ("UCI_LimitStrength", Kind::Check { default: false }),
    ("UCI_Elo", Kind::Spin { default: 1500, min: *ELO.start() as i64, max: *ELO.end() as i64 }),
];

/// What follows from a changed option, beyond its new value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing.
    None,
    /// The transposition table changes its size.
    Hash,
    /// The number of threads changes.
    Threads,
    /// The transposition table is emptied.
    ClearHash,
    /// Another game is played.
    Variant,
}

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)]
pub enum OptionError {
    #[error("setoption: expected 'name NAME [value VALUE]', got '{0}'")]
    NoName(String),
    #[error("setoption: unknown option '{0}'")]
    Unknown(String),
    #[error("setoption {name}: expected {expected}, got {got}; the old value stays")]
    Value { name: &'static str, expected: String, got: String },
}

/// The `option` lines that answer `uci`.
pub fn lines() -> impl Iterator<Item = String> {
    #[cfg(feature = "tune")]
    let tuned = super::tuning::lines();
    #[cfg(not(feature = "tune"))]
    let tuned = std::iter::empty();
    OPTIONS.iter().map(|(name, kind)| line(name, kind)).chain(tuned)
}

fn line(name: &str, kind: &Kind) -> String {
    match kind {
        Kind::Spin { default, min, max } => {
            format!("option name {name} type spin default {default} min {min} max {max}")
        }
        Kind::Check { default } => format!("option name {name} type check default {default}"),
        Kind::Combo { default, values } => {
            format!("option name {name} type combo default {default} var {}", values.join(" var "))
        }
        Kind::Button => format!("option name {name} type button"),
    }
}

impl Options {
    /// The evaluation in use.
    pub fn evaluator(&self) -> Evaluator {
        #[cfg(feature = "tune")]
        if let Some(network) = &self.network {
            return Evaluator::new(network);
        }
        Evaluator::new(&built_in())
    }

    /// Obeys what follows `setoption`. Gives the effect, and a message if the value was not taken as it stands.
    ///
    /// # Errors
    /// If the option is unknown or its value can't be read; nothing is changed then.
    pub fn set(&mut self, words: &[&str]) -> Result<(Effect, Option<String>), OptionError> {
        let (name, value) = split(words)?;
        #[cfg(feature = "tune")]
        if let Some(effect) = super::tuning::set(self, &name, value.as_deref()) {
            return effect.map(|effect| (effect, None));
        }
        let &(name, kind) = OPTIONS
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(&name))
            .ok_or_else(|| OptionError::Unknown(excerpt(&name)))?;
        match kind {
            Kind::Button => Ok((Effect::ClearHash, None)),
            Kind::Check { .. } => {
                let on = read_check(name, value.as_deref())?;
                match name {
                    "UCI_ShowWDL" => self.show_wdl = on,
                    "UCI_LimitStrength" => self.limit_strength = on,
                    // Ponder and UCI_AnalyseMode tell how the engine is used; the search needs neither.
                    _ => {}
                }
                Ok((Effect::None, None))
            }
            Kind::Combo { values, .. } => {
                self.variant = read_variant(name, value.as_deref(), values)?;
                Ok((Effect::Variant, None))
            }
            Kind::Spin { min, max, .. } => {
                let (number, message) = read_spin(name, value.as_deref(), min, max)?;
                Ok((self.set_number(name, number), message))
            }
        }
    }

    fn set_number(&mut self, name: &str, number: u64) -> Effect {
        let size = usize::try_from(number).unwrap_or(usize::MAX);
        match name {
            "Hash" => {
                self.hash = size;
                return Effect::Hash;
            }
            "Threads" => {
                self.threads = size;
                return Effect::Threads;
            }
            "MultiPV" => self.multipv = size,
            "Move Overhead" => self.overhead = Duration::from_millis(number),
            _ => self.elo = u32::try_from(number).unwrap_or(u32::MAX),
        }
        Effect::None
    }
}

/// Splits `name Move Overhead value 20` into name and value.
fn split(words: &[&str]) -> Result<(String, Option<String>), OptionError> {
    let is = |word: &str, keyword: &str| word.eq_ignore_ascii_case(keyword);
    let error = || OptionError::NoName(excerpt(&words.join(" ")));
    let (_, rest) = words.split_first().filter(|(word, _)| is(word, "name")).ok_or_else(error)?;
    let mut parts = rest.splitn(2, |word| is(word, "value"));
    let name = parts.next().map(|words| words.join(" ")).filter(|name| !name.is_empty()).ok_or_else(error)?;
    let value = parts.next().map(|words| words.join(" "));
    Ok((name, value))
}

fn value_error(name: &'static str, expected: impl Into<String>, got: Option<&str>) -> OptionError {
    let got = match got {
        Some(value) if !value.is_empty() => format!("'{}'", excerpt(value)),
        _ => "nothing".to_owned(),
    };
    OptionError::Value { name, expected: expected.into(), got }
}

fn read_check(name: &'static str, value: Option<&str>) -> Result<bool, OptionError> {
    match value.map(str::to_ascii_lowercase).as_deref() {
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        _ => Err(value_error(name, "true or false", value)),
    }
}

fn read_variant(name: &'static str, value: Option<&str>, values: &[&str]) -> Result<Variant, OptionError> {
    [Variant::Kingchess, Variant::Chess]
        .into_iter()
        .find(|variant| value.is_some_and(|value| value.eq_ignore_ascii_case(variant.name())))
        .ok_or_else(|| value_error(name, format!("one of {}", values.join(", ")), value))
}

/// Reads a whole number of any size and brings it into the range; a message says so if it was not there.
fn read_spin(
    name: &'static str,
    value: Option<&str>,
    min: i64,
    max: i64,
) -> Result<(u64, Option<String>), OptionError> {
    let expected = || format!("a number from {min} to {max}");
    let text = value.ok_or_else(|| value_error(name, expected(), value))?;
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(value_error(name, expected(), value));
    }
    let saturated = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    let number = text.parse::<i64>().unwrap_or(saturated);
    let clamped = number.clamp(min, max);
    let message = (clamped != number)
        .then(|| format!("setoption {name}: {} is not in {min} to {max}, set to {clamped}", excerpt(text)));
    Ok((clamped.unsigned_abs(), message))
}
