//! Options of builds for tuning: every parameter of the search, and a file with the network that evaluates.

use std::path::Path;
use std::sync::Arc;

use super::options::{Effect, OptionError, Options};
use crate::eval::network::Network;
use crate::search::parameters::tuning;
use crate::types::excerpt;

const EVAL_FILE: &str = "EvalFile";

/// The `option` lines.
pub fn lines() -> impl Iterator<Item = String> {
    let parameters = tuning::LIST.iter().map(|(name, default, min, max)| {
        format!("option name {name} type spin default {default} min {min} max {max}")
    });
    parameters.chain([format!("option name {EVAL_FILE} type string default <empty>")])
}

/// Sets one of these options; `None` if it is none of them.
pub fn set(options: &mut Options, name: &str, value: Option<&str>) -> Option<Result<Effect, OptionError>> {
    if name.eq_ignore_ascii_case(EVAL_FILE) {
        return Some(set_network(options, value.unwrap_or_default()));
    }
    let value = value?.parse().ok()?;
    tuning::set(name, value).then_some(Ok(Effect::None))
}

/// The hash goes with the old evaluation.
fn set_network(options: &mut Options, path: &str) -> Result<Effect, OptionError> {
    options.network = match path {
        "" | "<empty>" => None,
        path => {
            let refused = |error| OptionError::Value {
                name: EVAL_FILE,
                expected: format!("a network ({error})"),
                got: format!("'{}'", excerpt(path)),
            };
            Some(Arc::new(Network::load(Path::new(path)).map_err(refused)?))
        }
    };
    Ok(Effect::ClearHash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::VALUES;

    #[test]
    fn a_network_is_loaded_from_a_file() {
        let network = Network::from_values(&[3; VALUES]).unwrap();
        let path = std::env::temp_dir().join(format!("kingchess-option-{}.nnue", std::process::id()));
        std::fs::write(&path, network.to_bytes()).unwrap();
        let mut options = Options::default();
        let words = |value: &str| format!("name evalfile value {value}");
        let mut set = |value: &str| {
            let result = options.set(&words(value).split_whitespace().collect::<Vec<_>>());
            (result, options.network.as_deref().cloned())
        };
        assert_eq!(set(path.to_str().unwrap()), (Ok((Effect::ClearHash, None)), Some(network.clone())));
        let (refused, kept) = set("no/such/file");
        let text = refused.unwrap_err().to_string();
        assert!(text.contains("EvalFile: expected a network (network no/such/file: "), "{text}");
        assert_eq!(kept, Some(network));
        assert_eq!(set("<empty>"), (Ok((Effect::ClearHash, None)), None));
        std::fs::remove_file(path).unwrap();
    }
}
