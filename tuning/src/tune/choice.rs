//! Which parameters are tuned: the engine's own list of options says what there is and in which range.

use std::str::FromStr;

use thiserror::Error;

use super::spsa::Parameter;

/// The default of R_END.
const R_END: f64 = 0.002;
/// The default of C_END as a part of the range.
const RANGE_PART: f64 = 0.05;
/// The default of C_END is at most this part of the value: ranges often reach far, to switch something off.
const VALUE_PART: f64 = 0.25;
/// The least default of C_END: values are whole numbers, one apart.
const LEAST: f64 = 0.5;

/// A parameter, or several, as named on the command line: `NAME[=START][:C_END[:R_END]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// A name, or the beginning of one and `*`.
    name: String,
    /// The value to begin with instead of the engine's own; only with a whole name.
    start: Option<i32>,
    c_end: Option<f64>,
    r_end: Option<f64>,
}

/// Why a choice of parameters could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected NAME[=START][:C_END[:R_END]] (C_END and R_END above 0, no START for several), got '{0}'")]
pub struct ChoiceError(String);

impl FromStr for Choice {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        let refused = || ChoiceError(text.to_owned());
        let number = |word: &str| {
            let number = word.trim().parse::<f64>().ok();
            number.filter(|number| number.is_finite() && *number > 0.0).ok_or_else(refused)
        };
        let mut words = text.split(':');
        let first = words.next().unwrap_or_default();
        let (name, start) = match first.split_once('=') {
            Some((name, start)) => (name, Some(start.trim().parse().map_err(|_| refused())?)),
            None => (first, None),
        };
        let name = name.trim();
        let c_end = words.next().map(number).transpose()?;
        let r_end = words.next().map(number).transpose()?;
        if name.is_empty() || start.is_some() && name.ends_with('*') || words.next().is_some() {
            return Err(refused());
        }
        Ok(Self { name: name.to_owned(), start, c_end, r_end })
    }
}

impl Choice {
    /// Is it this parameter? `*` does not stand for the options that every engine has (`Hash`, `Threads`), which begin
    /// with a capital letter.
    fn is(&self, name: &str) -> bool {
        match self.name.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning) && !name.starts_with(char::is_uppercase),
            None => name == self.name,
        }
    }

    fn parameter(&self, option: &Spin) -> Parameter {
        let start = self.start.map_or(option.default, |start| start.clamp(option.min, option.max));
        let range = f64::from(option.max) - f64::from(option.min);
        let usual = || (range * RANGE_PART).min(f64::from(start).abs() * VALUE_PART).max(LEAST);
        Parameter {
            name: option.name.clone(),
            min: option.min,
            max: option.max,
            start,
            c_end: self.c_end.unwrap_or_else(usual),
            r_end: self.r_end.unwrap_or(R_END),
        }
    }
}

/// An option that is a whole number.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Spin {
    name: String,
    default: i32,
    min: i32,
    max: i32,
}

impl Spin {
    /// Reads `option name NAME type spin default N min N max N`; `None` if the line is something else.
    fn read(line: &str) -> Option<Self> {
        let (name, rest) = line.strip_prefix("option name ")?.split_once(" type spin ")?;
        let words: Vec<&str> = rest.split_whitespace().collect();
        let number = |key: &str| words.iter().skip_while(|&&word| word != key).nth(1)?.parse::<i32>().ok();
        let (default, min, max) = (number("default")?, number("min")?, number("max")?);
        (min <= default && default <= max).then(|| Self { name: name.to_owned(), default, min, max })
    }
}

/// The parameters that are meant, in the engine's order; `lines` is what it answers to `uci`. Where several choices
/// mean the same parameter, the last one counts.
///
/// # Errors
/// If a choice means nothing: the choice.
pub fn choose(choices: &[Choice], lines: &[String]) -> Result<Vec<Parameter>, String> {
    let options: Vec<Spin> = lines.iter().filter_map(|line| Spin::read(line.trim())).collect();
    if let Some(choice) = choices.iter().find(|choice| !options.iter().any(|option| choice.is(&option.name)))
    {
        return Err(choice.name.clone());
    }
    let last = |option: &Spin| {
        choices.iter().rev().find(|choice| choice.is(&option.name)).map(|choice| choice.parameter(option))
    };
    Ok(options.iter().filter_map(last).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> Vec<String> {
        [
            "id name Someone",
            "option name Hash type spin default 16 min 1 max 1024",
            "option name UCI_Variant type combo default kingchess var kingchess var chess",
            "option name null_depth type spin default 3 min 1 max 100",
            "option name null_base type spin default 3 min 1 max 6",
            "option name delta type spin default 150 min 0 max 500",
        ]
        .map(str::to_owned)
        .to_vec()
    }

    fn chosen(choices: &[&str]) -> Result<Vec<(String, f64, f64)>, String> {
        let choices: Vec<Choice> = choices.iter().map(|text| text.parse().expect(text)).collect();
        let parameters = choose(&choices, &lines())?;
        Ok(parameters.into_iter().map(|p| (p.name, p.c_end, p.r_end)).collect())
    }

    #[test]
    fn names_and_beginnings_of_names_choose() {
        let row = |name: &str, c_end, r_end| (name.to_owned(), c_end, r_end);
        assert_eq!(chosen(&["delta"]), Ok(vec![row("delta", 25.0, 0.002)]));
        assert_eq!(chosen(&["delta:30:0.01"]), Ok(vec![row("delta", 30.0, 0.01)]));
        assert_eq!(
            chosen(&["null_*", "null_base:2"]),
            Ok(vec![row("null_depth", 0.75, 0.002), row("null_base", 2.0, 0.002)])
        );
        let all = chosen(&["*"]).expect("there are some");
        assert_eq!(
            all.iter().map(|(name, ..)| name.as_str()).collect::<Vec<_>>(),
            ["null_depth", "null_base", "delta"]
        );
        assert_eq!(chosen(&["delta=400"]), Ok(vec![row("delta", 25.0, 0.002)]));
        assert_eq!(chosen(&["delta=-40:3"]), Ok(vec![row("delta", 3.0, 0.002)]));
        let starts = |text: &str| choose(&[text.parse().expect(text)], &lines()).map(|list| list[0].start);
        assert_eq!(["delta", "delta=40", "delta=501"].map(starts), [Ok(150), Ok(40), Ok(500)]);
        assert_eq!(chosen(&["Hash:4"]), Ok(vec![row("Hash", 4.0, 0.002)]));
        assert_eq!(chosen(&["delta", "razor*"]), Err("razor*".to_owned()));
        assert_eq!(chosen(&["UCI_Variant"]), Err("UCI_Variant".to_owned()));
    }

    #[test]
    fn what_is_no_choice_is_refused() {
        for text in
            ["", ":3", "=3", "x=", "x=1.5", "x*=1", "x:", "x:0", "x:-1", "x:nan", "x:1:2:3", "x:1:inf"]
        {
            assert!(text.parse::<Choice>().is_err(), "{text}");
        }
    }
}
