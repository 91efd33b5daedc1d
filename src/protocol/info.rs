use crate::eval::chances;
use crate::rules::Position;
use crate::search::{Bound, Report};

/// The most characters of a principal variation that are written.
const PV_CHARACTERS: usize = 1000;

/// Positions visited per second.
pub fn rate(report: &Report) -> u64 {
    let rate = u128::from(report.nodes) * 1_000_000 / report.time.as_micros().max(1);
    u64::try_from(rate).unwrap_or(u64::MAX)
}

/// A report as an `info` line; `position` is the root.
pub fn info_line(report: &Report, position: &Position, show_wdl: bool) -> String {
    if report.depth == 0 {
        return format!("info depth 0 score {}", report.score);
    }
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}",
        report.depth, report.seldepth, report.multipv, report.score
    );
    match report.bound {
        Bound::Exact => {}
        Bound::Lower => line.push_str(" lowerbound"),
        Bound::Upper => line.push_str(" upperbound"),
    }
    if show_wdl {
        let [win, draw, loss] = chances(report.score, position);
        line.push_str(&format!(" wdl {win} {draw} {loss}"));
    }
    let milliseconds = report.time.as_millis();
    line.push_str(&format!(
        " nodes {} nps {} hashfull {} time {milliseconds} pv",
        report.nodes,
        rate(report),
        report.hashfull
    ));
    let mut side = position.side();
    let mut written = 0;
    for action in &report.pv {
        let token = action.token(side).to_string();
        written += token.len() + 1;
        if written > PV_CHARACTERS {
            break;
        }
        line.push(' ');
        line.push_str(&token);
        side = !side;
    }
    line
}
