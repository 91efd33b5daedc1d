//! `lab train`: a network for the evaluation, from training positions.

mod model;
mod optimizer;
mod quantize;
mod report;
mod samples;
mod schedule;
#[cfg(test)]
mod tests;
mod training;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Instant;
use std::{env, fs};

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kingchess::eval::network::{self, HIDDEN, INPUTS, Network, NetworkError, OUTPUTS};
use thiserror::Error;

use self::model::Model;
use self::quantize::Loss;
use self::report::{Log, Point, Record, ReportError};
use self::samples::{Samples, SamplesError};
use self::training::Training;
use super::data::{DataError, Reader};
use super::say::say;

/// What an output of one is in centipawns: also the value at which a side is expected to win almost three of four games.
const SCALE: f32 = network::SCALE as f32;

/// The result to expect, from 0 to 1, of an output.
fn sigmoid(output: f32) -> f32 {
    (1.0 + (-output).exp()).recip()
}

/// What is trained, from what and how.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// Files of training positions
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// The network's file; a record is written beside it, with the ending json
    #[arg(long)]
    out: PathBuf,
    /// How often each position is seen
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// Positions for each step
    #[arg(long, default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    batch: u32,
    /// The first learning rate; it falls along half a cosine wave
    #[arg(long, default_value_t = 0.001)]
    lr: f32,
    /// The share of the searched value in what is learned, from 0 to 1; the rest is the game's result
    #[arg(long, default_value_t = 0.7, value_parser = share::<f32>)]
    lambda: f32,
    /// Of the first weights and of the order of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; 0: as many as there are processors. The result does not depend on it
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// The share of the games kept apart to judge
    #[arg(long, default_value_t = 0.02, value_parser = share::<f64>)]
    validation: f64,
    /// How often losses are measured
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    reports: u32,
    /// Draw the losses into this SVG file
    #[arg(long)]
    curve: Option<PathBuf>,
    /// Write the losses into this text file as they come
    #[arg(long)]
    log: Option<PathBuf>,
    /// Begin with this network instead of random weights
    #[arg(long)]
    start: Option<PathBuf>,
}

/// Reads a share.
fn share<F: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<F, String> {
    let within = |share: &F| *share >= F::from(0) && *share <= F::from(1);
    text.parse().ok().filter(within).ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Why no network was trained.
#[derive(Debug, Error)]
pub enum TrainError {
    /// The training positions.
    #[error(transparent)]
    Samples(#[from] SamplesError),
    /// The header of a file of them.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The network to begin with, or the one to write.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// What is written.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// No threads.
    #[error("threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Trains a network and writes it with all that was asked for.
///
/// # Errors
/// If files can't be read or written, there are too few positions, or threads can't be had.
pub fn run(settings: &Settings) -> Result<(), TrainError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads).build()?;
    pool.install(|| train(settings))
}

fn train(settings: &Settings) -> Result<(), TrainError> {
    let mut log = Log::new(settings.log.as_deref())?;
    let model = match &settings.start {
        Some(path) => Model::from_network(&Network::load(path)?),
        None => Model::random(settings.seed),
    };
    let samples = Samples::read(&settings.data, settings.validation)?;
    let counts = format!(
        "{} positions to train, {} to judge; {INPUTS} inputs, {HIDDEN} hidden values, {OUTPUTS} outputs",
        samples.training.len(),
        samples.validation.len()
    );
    let mut training = Training::new(settings, &samples, model);
    let bar = progress(training.steps());
    let mut print = |line: &str| {
        bar.suspend(|| say!("{line}"));
        log.write(line)
    };
    print(&counts)?;
    print(Point::HEADING)?;
    let start = Instant::now();
    let mut losses = Vec::new();
    while let Some(point) = training.next_point(|step| bar.set_position(step as u64)) {
        print(&point.line())?;
        losses.push(point);
    }
    bar.finish_and_clear();
    let seen = samples.training.len() as f64 * f64::from(settings.epochs);
    let speed = seen / start.elapsed().as_secs_f64().max(1e-3);
    let model = training.into_model();
    let network = model.quantize()?;
    let quantized = Loss::measure(&model, &network, &samples.validation, settings.lambda);
    print(&format!("{speed:.0} positions a second"))?;
    print(&format!(
        "as integers: loss {:.6}, off by {:.2} centipawns in the mean, {:.1} at most",
        quantized.validation, quantized.mean, quantized.most
    ))?;
    let file = ReportError::file(&settings.out);
    fs::write(&settings.out, network.to_bytes()).map_err(file)?;
    if let Some(path) = &settings.curve {
        report::draw(path, &losses)?;
    }
    record(settings, &samples, speed, quantized, losses)
}

/// Writes down how the network was made and what came of it.
fn record(
    settings: &Settings,
    samples: &Samples,
    speed: f64,
    quantized: Loss,
    losses: Vec<Point>,
) -> Result<(), TrainError> {
    let recipe = |path: &PathBuf| Reader::open(path).map(|reader| reader.settings().to_owned());
    let record = Record {
        command: env::args().skip(1).collect(),
        data: settings.data.iter().map(recipe).collect::<Result<_, _>>()?,
        training_samples: samples.training.len(),
        validation_samples: samples.validation.len(),
        seed: settings.seed,
        dimensions: [INPUTS, HIDDEN, OUTPUTS],
        samples_per_second: speed,
        quantized,
        losses,
    };
    Ok(record.write(&settings.out.with_extension("json"))?)
}

/// A bar on a terminal, nothing elsewhere.
fn progress(steps: usize) -> ProgressBar {
    let target = if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} batches, {eta} left");
    ProgressBar::with_draw_target(Some(steps as u64), target)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
