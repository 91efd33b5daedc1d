//! What is written about a training: losses while it runs, a curve and a record at its end.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use plotters::prelude::*;
use serde::Serialize;
use thiserror::Error;

use super::quantize::Loss;

/// Why something could not be written.
#[derive(Debug, Error)]
pub enum ReportError {
    /// A file.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The curve.
    #[error("{}: {why}", path.display())]
    Curve {
        /// Its file.
        path: PathBuf,
        /// Why.
        why: String,
    },
}

impl ReportError {
    /// Says which file it was.
    pub fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::File { path, error }
    }
}

/// The losses at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// Batches done.
    pub step: usize,
    /// Times that each sample was seen.
    pub epoch: f64,
    /// The learning rate.
    pub rate: f32,
    /// The mean squared error on the samples trained with since the last moment.
    pub training: f64,
    /// The mean squared error on the samples kept apart.
    pub validation: f64,
}

impl Point {
    /// The names of what a line of the log holds.
    pub const HEADING: &str = "   step   epoch       rate   training  validation";

    /// A line of the log.
    pub fn line(&self) -> String {
        let Self { step, epoch, rate, training, validation } = self;
        format!("{step:>7} {epoch:>7.3} {rate:>10.7} {training:>10.6} {validation:>11.6}")
    }
}

/// Writes each line where it is wanted, as it comes.
pub struct Log(Option<(PathBuf, File)>);

impl Log {
    /// A log in this file, if there is one.
    ///
    /// # Errors
    /// If it can't be made.
    pub fn new(path: Option<&Path>) -> Result<Self, ReportError> {
        let open = |path: &Path| {
            let file = File::create(path).map_err(ReportError::file(path))?;
            Ok((path.to_owned(), file))
        };
        path.map(open).transpose().map(Self)
    }

    /// Writes a line.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn write(&mut self, line: &str) -> Result<(), ReportError> {
        match &mut self.0 {
            Some((path, file)) => writeln!(file, "{line}").map_err(ReportError::file(path)),
            None => Ok(()),
        }
    }
}

/// All that is to be known of a network: how it was made and what came of it. It stands beside the network's file.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// The command that made it.
    pub command: Vec<String>,
    /// How the samples were made, for each file.
    pub data: Vec<String>,
    /// Samples trained with.
    pub training_samples: usize,
    /// Samples kept apart.
    pub validation_samples: usize,
    /// The seed.
    pub seed: u64,
    /// Inputs, hidden values of each side, outputs.
    pub dimensions: [usize; 3],
    /// Samples trained with in a second.
    pub samples_per_second: f64,
    /// What integers lose.
    pub quantized: Loss,
    /// The losses on the way.
    pub losses: Vec<Point>,
}

impl Record {
    /// Writes it as JSON.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn write(&self, path: &Path) -> Result<(), ReportError> {
        let file = File::create(path).map_err(ReportError::file(path))?;
        serde_json::to_writer_pretty(file, self).map_err(|error| ReportError::file(path)(error.into()))
    }
}

/// Draws the losses over the epochs.
///
/// # Errors
/// If the file can't be written.
pub fn draw(path: &Path, points: &[Point]) -> Result<(), ReportError> {
    let fail = |why: String| ReportError::Curve { path: path.to_owned(), why };
    plot(path, points).map_err(|error| fail(error.to_string()))
}

fn plot(path: &Path, points: &[Point]) -> Result<(), Box<dyn std::error::Error>> {
    let end = points.last().map_or(1.0, |point| point.epoch);
    // The first losses are much higher than all others and would press the rest flat.
    let settled = &points[points.len().min(2) / 2..];
    let losses = || settled.iter().flat_map(|point| [point.training, point.validation]);
    let (least, most) =
        losses().fold((f64::MAX, 0.0), |(least, most): (f64, f64), loss| (least.min(loss), most.max(loss)));
    let room = (most - least).max(1e-6) * 0.05;
    let area = SVGBackend::new(path, (900, 500)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(76)
        .build_cartesian_2d(0.0..end, (least - room)..(most + room))?;
    chart.configure_mesh().x_desc("epochs").y_desc("mean squared error").draw()?;
    type Curve = (&'static str, RGBColor, fn(&Point) -> f64);
    let curves: [Curve; 2] =
        [("training", BLUE, |point| point.training), ("validation", RED, |point| point.validation)];
    for (name, color, loss) in curves {
        chart
            .draw_series(LineSeries::new(settled.iter().map(|point| (point.epoch, loss(point))), color))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color));
    }
    chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
    area.present()?;
    Ok(())
}
