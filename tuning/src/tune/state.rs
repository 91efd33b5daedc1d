//! The file with which tuning goes on where it was broken off.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

/// How far tuning has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Everything that the values depend on beside the games: the settings.
    plan: Value,
    /// How many pairs of games have been played.
    pub done: u64,
    /// The values now, in the order of the parameters.
    pub values: Vec<f64>,
    /// The values at the start and after each tenth of all pairs.
    tenths: Vec<Vec<f64>>,
    /// How many games were lost by a fault.
    pub faults: usize,
}

impl State {
    fn new(plan: Value, values: &[f64]) -> Self {
        Self { plan, done: 0, values: values.to_vec(), tenths: vec![values.to_vec()], faults: 0 }
    }

    /// Takes note of the values after `count` more pairs, of `pairs` in all.
    pub fn advance(&mut self, count: u64, values: &[f64], pairs: u64) {
        self.done += count;
        let before = std::mem::replace(&mut self.values, values.to_vec());
        let tenths = (10 * self.done / pairs) as usize;
        while self.tenths.len() <= tenths {
            let reached = self.tenths.len() == tenths;
            self.tenths.push(if reached { values.to_vec() } else { before.clone() });
        }
    }

    /// The values one to two tenths of all pairs ago, at the start before that.
    pub fn earlier(&self) -> &[f64] {
        let index = self.tenths.len().saturating_sub(2);
        self.tenths.get(index).unwrap_or(&self.values)
    }
}

/// Why a state could not be kept or taken up.
#[derive(Debug, Error)]
pub enum StateError {
    /// The file can't be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is no state, or one can't be written down.
    #[error("{}: {error}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// It is that of other tuning.
    #[error("{}: begun with other settings: {what} differs", path.display())]
    OtherPlan {
        /// The file.
        path: PathBuf,
        /// The first setting that is not the same.
        what: String,
    },
    /// Its numbers do not fit its settings.
    #[error("{}: the state does not fit its settings", .0.display())]
    Misfit(PathBuf),
}

/// A state and its file.
pub struct StateFile {
    path: PathBuf,
    /// The state.
    pub state: State,
}

impl StateFile {
    /// Takes up the state in the file, or begins with `values` if there is no file yet.
    ///
    /// # Errors
    /// If the file can't be read or was begun with another plan.
    pub fn open(path: &Path, plan: &impl Serialize, values: &[f64], pairs: u64) -> Result<Self, StateError> {
        let form = |error| StateError::Form { path: path.to_owned(), error };
        let plan = serde_json::to_value(plan).map_err(form)?;
        if !path.exists() {
            return Ok(Self { path: path.to_owned(), state: State::new(plan, values) });
        }
        let text =
            fs::read_to_string(path).map_err(|error| StateError::File { path: path.to_owned(), error })?;
        let state: State = serde_json::from_str(&text).map_err(form)?;
        if let Some(what) = difference(&state.plan, &plan) {
            return Err(StateError::OtherPlan { path: path.to_owned(), what });
        }
        let fits = |list: &Vec<f64>| list.len() == values.len();
        if !fits(&state.values) || !state.tenths.iter().all(fits) || state.done > pairs {
            return Err(StateError::Misfit(path.to_owned()));
        }
        Ok(Self { path: path.to_owned(), state })
    }

    /// Writes the state beside the file and renames it, so that one or the other is always whole.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write(&self) -> Result<(), StateError> {
        let text = serde_json::to_string_pretty(&self.state)
            .map_err(|error| StateError::Form { path: self.path.clone(), error })?;
        let beside = self.path.with_extension("part");
        fs::write(&beside, text + "\n")
            .and_then(|()| fs::rename(&beside, &self.path))
            .map_err(|error| StateError::File { path: self.path.clone(), error })
    }
}

/// The first setting in which two plans differ.
fn difference(old: &Value, new: &Value) -> Option<String> {
    let (Value::Object(old), Value::Object(new)) = (old, new) else {
        return (old != new).then(|| "everything".to_owned());
    };
    let keys = new.keys().chain(old.keys());
    keys.into_iter().find(|&key| old.get(key) != new.get(key)).cloned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn earlier_values_are_those_of_a_tenth_ago() {
        let mut state = State::new(Value::Null, &[0.0]);
        let mut earlier = Vec::new();
        for done in 1..=20 {
            state.advance(2, &[f64::from(done)], 40);
            earlier.push(state.earlier()[0]);
        }
        assert_eq!(earlier[..4], [0.0, 0.0, 0.0, 2.0]);
        assert_eq!(earlier[17..], [16.0, 16.0, 18.0]);
        // More than a tenth at once.
        let mut state = State::new(Value::Null, &[0.0]);
        state.advance(2, &[5.0], 4);
        state.advance(2, &[7.0], 4);
        assert_eq!(state.earlier(), [5.0]);
    }

    #[test]
    fn a_state_comes_back_to_the_last_bit() -> Result<(), Box<dyn std::error::Error>> {
        let path = std::env::temp_dir().join(format!("kingchess-state-{}.json", std::process::id()));
        let plan = json!({ "seed": 1, "pairs": 10 });
        let mut file = StateFile::open(&path, &plan, &[0.0, 0.0, 0.0], 10)?;
        file.state.advance(4, &[1.0 / 3.0, 0.1 + 0.2, 1e300 / 7.0], 10);
        file.write()?;
        let again = StateFile::open(&path, &plan, &[0.0, 0.0, 0.0], 10)?;
        assert_eq!(again.state, file.state);
        let other = StateFile::open(&path, &json!({ "seed": 2, "pairs": 10 }), &[0.0; 3], 10);
        let text = other.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(text.ends_with("begun with other settings: seed differs"), "{text}");
        assert!(matches!(StateFile::open(&path, &plan, &[0.0; 2], 10), Err(StateError::Misfit(_))));
        fs::write(&path, "{")?;
        assert!(matches!(StateFile::open(&path, &plan, &[0.0; 3], 10), Err(StateError::Form { .. })));
        fs::remove_file(&path)?;
        Ok(())
    }
}
