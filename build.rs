//! Tabulates the sliding attacks for every square and occupancy, in the order in which PEXT packs it.

#[path = "src/rules/rays.rs"]
mod rays;

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src/rules/rays.rs");
    println!("cargo::rerun-if-changed=build.rs");
    let folder = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    for (name, directions) in [("rook.bin", rays::ROOK), ("bishop.bin", rays::BISHOP)] {
        let mut bytes = Vec::new();
        for square in 0..64 {
            let mask = rays::relevant(square, directions);
            let mut subset: u64 = 0;
            loop {
                bytes.extend(rays::walk(square, directions, subset).to_le_bytes());
                subset = subset.wrapping_sub(mask) & mask;
                if subset == 0 {
                    break;
                }
            }
        }
        fs::write(Path::new(&folder).join(name), bytes)?;
    }
    Ok(())
}
