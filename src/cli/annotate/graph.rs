//! White's chances over the game, as a picture.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use plotters::backend::BitMapBackend;
use plotters::prelude::*;
use thiserror::Error;

use super::assess::{Sight, Verdict};
use super::judge::Judgement;
use crate::cli::files::replace;
use crate::notation::records::GameRecord;
use crate::types::Color as Side;

/// The size of a picture, in pixels.
const SIZE: (u32, u32) = (900, 280);
/// White's share of the picture, and Black's.
const LIGHT: RGBColor = RGBColor(0xf0, 0xec, 0xe2);
const DARK: RGBColor = RGBColor(0x5a, 0x56, 0x50);
/// The line between them.
const EDGE: RGBColor = RGBColor(0x8b, 0x3a, 0x1c);

/// Why there is no picture.
#[derive(Debug, Error)]
pub(super) enum GraphError {
    /// A file of another sort.
    #[error("{}: expected a name that ends in .svg or .png", .0.display())]
    Kind(PathBuf),
    /// It can't be drawn.
    #[error("{}: can't draw: {why}", path.display())]
    Draw {
        /// Which.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// It can't be written.
    #[error("{}: {error}", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Svg,
    Png,
}

/// Where pictures go.
pub(super) struct GraphFile {
    path: PathBuf,
    kind: Kind,
}

/// A mark on an action.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// How many actions had been played, this one included.
    ply: usize,
    judgement: Judgement,
}

/// What is drawn.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// White and Black.
    title: String,
    /// White's chance in percent before the first action and after each.
    chances: Vec<f64>,
    marks: Vec<Mark>,
    /// The number of the first turn, and the side that acted first in it.
    first: (u16, Side),
}

impl Graph {
    /// The graph of a game.
    pub(super) fn of(record: &GameRecord, sights: &[Sight], verdicts: &[Verdict]) -> Self {
        let player = |tag: &str| record.tags.get(tag).unwrap_or(tag).to_owned();
        let marks = (1..).zip(verdicts);
        Self {
            title: format!("{} – {}, {}", player("White"), player("Black"), record.final_result()),
            chances: sights.iter().map(|sight| sight.white().percent()).collect(),
            marks: marks
                .filter_map(|(ply, verdict)| verdict.judgement.map(|judgement| Mark { ply, judgement }))
                .collect(),
            first: (record.start().fullmove_number(), record.start().side()),
        }
    }

    /// The number of the turn in which an action is taken.
    fn turn(&self, ply: usize) -> usize {
        let (number, side) = self.first;
        let halves = ply.saturating_sub(1) + usize::from(side == Side::Black);
        usize::from(number) + halves / 2
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.chances.iter().enumerate().map(|(ply, &chance)| (ply as f64, chance))
    }

    /// Draws with words, where the backend has letters, or without any.
    fn draw<B: DrawingBackend>(
        &self,
        backend: B,
        words: bool,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        let area = backend.into_drawing_area();
        area.fill(&WHITE)?;
        let end = self.chances.len().saturating_sub(1).max(1) as f64;
        let mut builder = ChartBuilder::on(&area);
        builder.margin(12);
        if words {
            builder.caption(&self.title, ("sans-serif", 22)).x_label_area_size(30).y_label_area_size(52);
        }
        let mut chart = builder.build_cartesian_2d(0.0..end, 0.0..100.0)?;
        chart.plotting_area().fill(&DARK)?;
        chart.draw_series(AreaSeries::new(self.points(), 0.0, LIGHT))?;
        let mut mesh = chart.configure_mesh();
        mesh.disable_x_mesh().light_line_style(TRANSPARENT).bold_line_style(BLACK.mix(0.25)).y_labels(5);
        let turn = |ply: &f64| self.turn(*ply as usize).to_string();
        let percent = |chance: &f64| format!("{chance:.0}%");
        if words {
            mesh.label_style(("sans-serif", 17)).x_label_formatter(&turn).y_label_formatter(&percent);
        } else {
            mesh.disable_axes();
        }
        mesh.draw()?;
        chart.draw_series(LineSeries::new(self.points(), EDGE.stroke_width(2)))?;
        let marks = self.marks.iter().filter_map(|mark| {
            let chance = *self.chances.get(mark.ply)?;
            Some(Circle::new((mark.ply as f64, chance), 5, ink(mark.judgement).filled()))
        });
        chart.draw_series(marks)?;
        area.present()
    }

    fn svg(&self) -> Result<Vec<u8>, String> {
        let mut text = String::new();
        self.draw(SVGBackend::with_string(&mut text, SIZE), true).map_err(|error| error.to_string())?;
        Ok(text.into_bytes())
    }

    fn png(&self) -> Result<Vec<u8>, String> {
        let (width, height) = SIZE;
        let mut pixels = vec![0; (width * height * 3) as usize];
        self.draw(BitMapBackend::with_buffer(&mut pixels, SIZE), false).map_err(|error| error.to_string())?;
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgb);
        let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&pixels));
        written.map_err(|error| error.to_string())?;
        Ok(bytes)
    }
}

/// The colour of a mark.
fn ink(judgement: Judgement) -> RGBColor {
    match judgement {
        Judgement::Blunder => RGBColor(0xd6, 0x2c, 0x20),
        Judgement::Mistake => RGBColor(0xf0, 0x8a, 0x1d),
        Judgement::Inaccuracy => RGBColor(0xf2, 0xcb, 0x3c),
        Judgement::Interesting => RGBColor(0x2f, 0x9e, 0x63),
    }
}

impl GraphFile {
    /// Pictures in files of this name.
    pub(super) fn new(path: &Path) -> Result<Self, GraphError> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        let kind = match extension.as_deref() {
            Some("svg") => Kind::Svg,
            Some("png") => Kind::Png,
            _ => return Err(GraphError::Kind(path.to_owned())),
        };
        Ok(Self { path: path.to_owned(), kind })
    }

    /// Draws the game with this number.
    pub(super) fn write(&self, game: usize, graph: &Graph) -> Result<(), GraphError> {
        let path = self.of_game(game);
        let drawn = match self.kind {
            Kind::Svg => graph.svg(),
            Kind::Png => graph.png(),
        };
        let bytes = drawn.map_err(|why| GraphError::Draw { path: path.clone(), why })?;
        replace(&path, &bytes).map_err(|error| GraphError::Write { path, error })
    }

    /// The file of the first game has the name that was given, the others have their numbers before the dot.
    fn of_game(&self, game: usize) -> PathBuf {
        let (Some(stem), Some(extension)) = (self.path.file_stem(), self.path.extension()) else {
            return self.path.clone();
        };
        if game < 2 {
            return self.path.clone();
        }
        let mut name = OsString::from(stem);
        name.push(format!("-{game}."));
        name.push(extension);
        self.path.with_file_name(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph() -> Graph {
        Graph {
            title: "A & B – <C>  1-0".to_owned(),
            chances: vec![50.0, 55.0, 20.0, 100.0],
            marks: vec![Mark { ply: 2, judgement: Judgement::Blunder }],
            first: (7, Side::Black),
        }
    }

    #[test]
    fn a_picture_with_words() {
        let text = String::from_utf8(graph().svg().expect("a picture")).expect("text");
        for part in ["<svg ", "A &amp; B – &lt;C&gt;", "#D62C20", "50%", "</svg>"] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn a_picture_of_points() {
        let bytes = graph().png().expect("a picture");
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a picture");
        let mut pixels = vec![0; reader.output_buffer_size().expect("its size")];
        let info = reader.next_frame(&mut pixels).expect("its points");
        assert_eq!((info.width, info.height), SIZE);
        let has = |color: RGBColor| pixels.chunks(3).any(|point| point == [color.0, color.1, color.2]);
        assert!([LIGHT, DARK, EDGE, ink(Judgement::Blunder)].into_iter().all(has));
    }

    #[test]
    fn even_a_game_without_actions_is_drawn() {
        let empty = Graph { chances: vec![50.0], marks: Vec::new(), ..graph() };
        assert!(empty.svg().is_ok() && empty.png().is_ok());
    }

    #[test]
    fn turns_are_numbered_from_the_start() {
        let graph = graph();
        assert_eq!([0, 1, 2, 3, 4].map(|ply| graph.turn(ply)), [7, 7, 8, 8, 9]);
    }

    #[test]
    fn files_are_named_by_game() {
        let file = GraphFile::new(Path::new("a/b.c.SVG")).expect("a picture");
        assert_eq!((file.of_game(1), file.kind), ("a/b.c.SVG".into(), Kind::Svg));
        assert_eq!(file.of_game(12), PathBuf::from("a/b.c-12.SVG"));
        assert!(matches!(GraphFile::new(Path::new("b.jpg")), Err(GraphError::Kind(_))));
    }
}
