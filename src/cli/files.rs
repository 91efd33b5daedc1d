//! Files of games, read and written.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::Failure;

/// How much is read or written at once, in bytes.
pub(super) const BUFFER: usize = 1 << 16;

/// Opens a file to be read; `-` is standard input.
pub(super) fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).map_err(|error| Failure::file(path, &error))?;
    Ok(Box::new(BufReader::with_capacity(BUFFER, file)))
}

/// Refuses to write a file that is being read.
pub(super) fn refuse_same(out: &Path, input: &Path) -> Result<(), Failure> {
    match (out.canonicalize(), input.canonicalize()) {
        (Ok(one), Ok(other)) if one == other => {
            Err(Failure::Input(format!("{} would be overwritten while it is read", out.display())))
        }
        _ => Ok(()),
    }
}

/// Writes a file anew, all or nothing: whatever happens, either the old one is there or the new one.
pub(super) fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(".new");
    let new: PathBuf = path.with_file_name(name);
    fs::write(&new, text)?;
    fs::rename(&new, path)
}
