use crate::eval::chances;
use crate::notation::{Notation, line_text};
use crate::protocol::rate;
use crate::rules::Position;
use crate::search::Report;
use crate::types::Score;

/// What stands above the rows.
pub(in crate::cli) const HEADING: &str =
    "depth  line    value   win  draw  loss        nodes  nodes/s      time  principal variation";

/// A line that was found, as a row of the table; `position` is the root.
pub(in crate::cli) fn row(report: &Report, position: &Position) -> String {
    let [win, draw, loss] = chances(report.score, position).map(percent);
    let row = format!(
        "{:>5} {:>5} {:>8} {win:>5} {draw:>5} {loss:>5} {:>12} {:>8} {:>8.2}s  {}",
        report.depth,
        report.multipv,
        value(report.score),
        grouped(report.nodes),
        rough(rate(report)),
        report.time.as_secs_f64(),
        line_text(&report.pv, position, Notation::Openchess)
    );
    row.trim_end().to_owned()
}

/// A value as players write it: pawns with two decimals, mate in so many actions, or `won?` and `lost?` where a mate is
/// seen that is not proven.
pub(in crate::cli) fn value(score: Score) -> String {
    match score.mate_distance() {
        Some(distance) => format!("mate {distance}"),
        None if score > Score::MAX_EVAL => "won?".to_owned(),
        None if score < -Score::MAX_EVAL => "lost?".to_owned(),
        None => format!("{:+.2}", f64::from(score.get()) / 100.0),
    }
}

/// Thousandths as percent.
fn percent(thousandths: u32) -> String {
    format!("{}%", (thousandths + 5) / 10)
}

/// A number with commas between its thousands.
pub(in crate::cli) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A large number in thousands or millions.
fn rough(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..10_000_000 => format!("{}k", number / 1_000),
        _ => format!("{}M", number / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([9_999, 812_345, 12_345_678].map(rough), ["9999", "812k", "12M"]);
        assert_eq!([0, 4, 5, 996, 1_000].map(percent), ["0%", "0%", "1%", "100%", "100%"]);
        assert_eq!(
            [Score::cp(34), Score::cp(-5), Score::mate_in(3)].map(value),
            ["+0.34", "-0.05", "mate 2"]
        );
    }
}
