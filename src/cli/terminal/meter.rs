use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::search::{Limits, Report};

/// How a bar looks.
const LOOK: &str = "{bar:40} {percent:>3}%  {msg}";

/// How far a search has come towards its limit, as a bar on standard error.
pub(in crate::cli) struct Meter {
    bar: ProgressBar,
    measure: Measure,
    start: Instant,
}

/// What the bar measures.
#[derive(Clone, Copy)]
enum Measure {
    Time(Duration),
    Nodes,
    Depth,
}

impl Meter {
    /// A bar for these limits, the last of these lines.
    pub(in crate::cli) fn new(limits: &Limits, screen: &MultiProgress) -> Self {
        let (measure, length) = match (limits.movetime, limits.nodes, limits.depth) {
            (Some(time), _, _) => (Measure::Time(time), milliseconds(time)),
            (None, Some(nodes), _) => (Measure::Nodes, nodes),
            (None, None, depth) => (Measure::Depth, depth.unwrap_or(1).into()),
        };
        let bar = screen.add(bar(length));
        Self { bar, measure, start: Instant::now() }
    }

    /// Some time has gone by.
    pub(in crate::cli) fn tick(&self) {
        match self.measure {
            Measure::Time(limit) => self.bar.set_position(milliseconds(self.start.elapsed().min(limit))),
            Measure::Nodes | Measure::Depth => self.bar.tick(),
        }
    }

    /// The search has come this far.
    pub(in crate::cli) fn hear(&self, report: &Report) {
        match self.measure {
            Measure::Time(_) => {}
            Measure::Nodes => self.bar.set_position(report.nodes),
            // The iteration of this depth goes on.
            Measure::Depth => self.bar.set_position(u64::from(report.depth).saturating_sub(1)),
        }
        self.bar.set_message(format!("depth {}/{}", report.depth, report.seldepth));
        self.tick();
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A bar of this length, not shown yet.
fn bar(length: u64) -> ProgressBar {
    let look = ProgressStyle::with_template(LOOK).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(look.progress_chars("━╸─"))
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
