//! Some of many positions.

use std::path::PathBuf;

use kingchess::rules::Position;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::data::{DataError, Reader, Sample};

/// Draws at most `count` positions from the files, each as likely as any other (algorithm R in J. S. Vitter, "Random
/// sampling with a reservoir"); samples that hold no position are left out. The same for the same files and seed.
///
/// # Errors
/// If a file can't be read.
pub fn draw(files: &[PathBuf], count: usize, seed: u64) -> Result<Vec<Position>, DataError> {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut chosen: Vec<Sample> = Vec::new();
    let mut seen = 0;
    for file in files {
        let mut reader = Reader::open(file)?;
        while let Some(block) = reader.next_block()? {
            for sample in block.samples {
                seen += 1;
                if chosen.len() < count {
                    chosen.push(sample);
                } else if let Some(place) = chosen.get_mut(rng.random_range(0..seen)) {
                    *place = sample;
                }
            }
        }
    }
    Ok(chosen.iter().filter_map(Sample::position).collect())
}

#[cfg(test)]
mod tests {
    use kingchess::types::Score;

    use super::*;
    use crate::data::Writer;

    #[test]
    fn every_position_is_as_likely_as_any_other() -> Result<(), Box<dyn std::error::Error>> {
        // Positions told apart by their fifty-action clock.
        let path = std::env::temp_dir().join(format!("kingchess-draw-{}", std::process::id()));
        let position = |clock: u32| format!("4k3/8/8/8/8/8/8/4K2R[] w - - {clock} 60").parse::<Position>();
        let samples: Vec<Sample> = (0..50)
            .map(|clock| Ok(Sample::new(&position(clock)?, Score::cp(0), 0)))
            .collect::<Result<_, kingchess::rules::FenError>>()?;
        Writer::open(&path, "{}")?.append(1, &samples)?;
        let files = [path.clone()];
        let mut counts = [0; 50];
        for seed in 0..1000 {
            let drawn = draw(&files, 10, seed)?;
            assert_eq!(drawn.len(), 10);
            drawn.iter().for_each(|position| counts[usize::from(position.halfmove_clock())] += 1);
        }
        // 200 each, with a standard deviation below 13.
        assert!(counts.iter().all(|count| (140..260).contains(count)), "{counts:?}");
        assert_eq!(draw(&files, 10, 7)?, draw(&files, 10, 7)?);
        assert_eq!(draw(&files, 80, 7)?.len(), 50);
        std::fs::remove_file(path)?;
        Ok(())
    }
}
