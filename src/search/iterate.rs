//! Iterative deepening: each iteration searches one action deeper than the last, guided by what that one found.

use std::sync::atomic::Ordering::Relaxed;

use super::parameters::{aspiration, aspiration_depth};
use super::report::{Bound, Report};
use super::root::RootAction;
use super::worker::Worker;
use crate::rules::Position;
use crate::types::{MAX_PLY, Score};

/// Bounds are reported only in searches that take longer than this, in milliseconds.
const REPORT_BOUNDS_MS: u128 = 1500;

impl Worker<'_> {
    /// Deepens until a limit is reached. Gives the best action, with the last exact value; `report` hears of each line.
    pub fn iterate(
        &mut self,
        position: &Position,
        lines: usize,
        report: &mut dyn FnMut(&Report),
    ) -> Option<RootAction> {
        let limits = self.shared.limits;
        // Looking for a mate in n, everything is tried, so 2n - 1 plies prove it or show that there is none to be found.
        let for_mate = limits
            .mate
            .map_or(u32::MAX, |actions| (2 * u64::from(actions)).saturating_sub(1).min(1000) as u32);
        let deepest = limits.depth.unwrap_or(u32::MAX).min(for_mate).clamp(1, MAX_PLY as u32 - 2);
        // The best action so far, its value exact, and the iteration that found it.
        let mut answer = (1, self.root.actions.first().cloned()?);
        // The lines of the last iteration that was finished.
        let mut finished: (u32, Vec<RootAction>) = (0, Vec::new());
        let mut previous: Option<Score> = None;
        let mut stable = 0u32;
        for depth in 1..=deepest {
            self.seldepth = 0;
            self.depth = depth;
            if depth > 1 {
                let width = 1 + limits.wider as usize;
                self.root.renew(position, depth, lines, width, &mut self.evaluator);
            }
            let before = answer.1.action;
            let mut lines = lines.min(self.root.actions.len());
            for line in 0..lines {
                let guess = self.root.actions[line].score;
                self.root_best = None;
                self.search_line(position, depth, line, guess, report);
                if self.stopped {
                    break;
                }
                self.root.rank(line);
                answer = (depth, self.root.actions[0].clone());
            }
            if self.stopped
                && let Some(taken) = self.take_over(depth)
            {
                lines = lines.min(taken);
                answer = (depth, self.root.actions[0].clone());
            }
            if self.stopped {
                // One line may be improved by what has been found; several must come from one iteration.
                if lines > 1 && finished.0 > 0 {
                    answer = (finished.0, finished.1[0].clone());
                } else if let Some(found) = self.root_best.take() {
                    answer = (depth, found);
                }
                break;
            }
            finished = (depth, self.root.actions[..lines].to_vec());
            self.shared.relay.finish(depth, &finished.1);
            stable = if answer.1.action == before { stable + 1 } else { 0 };
            let fell = previous.is_some_and(|old| answer.1.score < old - 30);
            previous = Some(answer.1.score);
            if self.is_main() {
                for (line, known) in finished.1.iter().enumerate() {
                    report(&self.report(depth, line, known, Bound::Exact));
                }
            }
            if self.is_enough(depth, stable, fell, &answer.1) {
                break;
            }
        }
        // The last line before the answer is exact and begins with it.
        let (depth, mut answer) = answer;
        answer.score = self.claimable(answer.score);
        if self.stopped && self.is_main() {
            report(&self.report(depth, 0, &answer, Bound::Exact));
            for (line, known) in finished.1.iter().enumerate().skip(1) {
                report(&self.report(finished.0, line, known, Bound::Exact));
            }
        }
        Some(answer)
    }

    /// Another thread has finished this iteration: takes its lines as the result, and gives how many they are. A better
    /// action that this thread has found meanwhile comes before them. If the search is to end as well, that will be
    /// noticed again.
    fn take_over(&mut self, depth: u32) -> Option<usize> {
        let mut lines = self.shared.relay.get(depth)?.to_vec();
        if let Some(found) = self.root_best.take()
            && found.score > lines[0].score
        {
            lines.retain(|line| line.action != found.action);
            lines.insert(0, found);
        }
        self.root.lead(&lines);
        self.stopped = false;
        Some(lines.len())
    }

    /// One line of an iteration, in a window around what the last iteration found; it opens where the value lies outside.
    fn search_line(
        &mut self,
        position: &Position,
        depth: u32,
        line: usize,
        guess: Score,
        report: &mut dyn FnMut(&Report),
    ) {
        let mut width = aspiration();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth as i32 >= aspiration_depth() && guess.get().abs() < Score::MAX_EVAL.get() {
            (alpha, beta) = (guess - width, guess + width);
        }
        loop {
            let score = self.search_root(position, depth as i32, alpha, beta, line);
            if self.stopped {
                return;
            }
            let bound = if score <= alpha && alpha > -Score::INFINITE {
                Bound::Upper
            } else if score >= beta && beta < Score::INFINITE {
                Bound::Lower
            } else {
                return;
            };
            if self.is_main() && line == 0 && self.timer.elapsed().as_millis() > REPORT_BOUNDS_MS {
                let mut known = self.root.actions[line].clone();
                if bound == Bound::Lower {
                    self.root.sort(line);
                    known = self.root.actions[line].clone();
                }
                known.score = score;
                report(&self.report(depth, line, &known, bound));
            }
            width *= 2;
            match bound {
                Bound::Upper => {
                    beta = Score::cp(alpha.get().midpoint(beta.get())).max(alpha + 1);
                    alpha = if width > 400 { -Score::INFINITE } else { score - width };
                }
                _ => {
                    self.root.sort(line);
                    beta = if width > 400 { Score::INFINITE } else { score + width };
                }
            }
        }
    }

    fn report(&self, depth: u32, line: usize, known: &RootAction, bound: Bound) -> Report {
        Report {
            depth,
            // The line may be another thread's.
            seldepth: self.seldepth.max(known.pv.len()) as u32,
            multipv: line + 1,
            score: self.claimable(known.score),
            bound,
            nodes: self.shared.total_nodes(),
            time: self.timer.elapsed(),
            hashfull: self.shared.table.permille(),
            pv: known.pv.clone(),
        }
    }

    /// Is the answer good enough to end here?
    fn is_enough(&mut self, depth: u32, stable: u32, fell: bool, answer: &RootAction) -> bool {
        if !self.is_main() {
            return self.shared.done.load(Relaxed);
        }
        let limits = self.shared.limits;
        if let (Some(wanted), Some(found)) = (limits.mate, self.claimable(answer.score).mate_distance())
            && found.unsigned_abs() <= wanted
        {
            return true;
        }
        if self.time_is_over() {
            return true;
        }
        if self.shared.control.is_pondering() || !self.timer.has_clock() {
            return false;
        }
        // A mate that the search is already deeper than will not get shorter; a single action needs no thought.
        let mate_found =
            answer.score.mate_distance().is_some_and(|distance| 2 * distance.unsigned_abs() <= depth);
        let forced = self.root.complete && self.root.actions.len() == 1;
        let unsettled = (if fell { 1.5 } else { 1.0 }) * [1.3, 1.1, 0.9, 0.8, 0.7][stable.min(4) as usize];
        mate_found || forced && depth >= 4 || self.timer.is_enough(unsettled * 0.75)
    }
}
