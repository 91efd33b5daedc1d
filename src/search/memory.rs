//! Memory for the transposition table: atomic words in cache lines.

use std::sync::atomic::AtomicU64;

use rayon::prelude::*;

/// Words in a cache line.
pub const WORDS: usize = 8;

/// One cache line.
pub type CacheLine = [AtomicU64; WORDS];

/// Cache lines of words, all zero at first. The system gives the memory page by page, as it is touched: a large table costs
/// nothing before it is used.
pub struct CacheLines {
    words: Box<[AtomicU64]>,
    /// Words before the first whole line.
    skipped: usize,
    count: usize,
}

impl CacheLines {
    /// So many lines of zeros; `None` if the system does not give the memory.
    pub fn new(count: usize) -> Option<Self> {
        let words = count.checked_mul(WORDS)?.checked_add(WORDS - 1)?;
        // Asked for as single words, because an alignment of more than that makes the allocator write the zeros itself.
        let words: Box<[AtomicU64]> = bytemuck::try_zeroed_slice_box(words).ok()?;
        ask_for_huge_pages(&words);
        let skipped = words.as_ptr().align_offset(WORDS * size_of::<AtomicU64>()).min(WORDS - 1);
        Some(Self { words, skipped, count })
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        self.count
    }

    /// All lines.
    #[inline]
    pub fn all(&self) -> &[CacheLine] {
        let (lines, _) = self.words[self.skipped..].as_chunks();
        &lines[..self.count]
    }

    /// Makes all words zero again, on all processors.
    pub fn clear(&mut self) {
        self.words
            .par_chunks_mut(1 << 17)
            .for_each(|words| words.iter_mut().for_each(|word| *word.get_mut() = 0));
    }
}

/// Asks the system to back this memory with huge pages, so that a look into it seldom misses the TLB. It need not comply.
#[cfg(target_os = "linux")]
fn ask_for_huge_pages(words: &[AtomicU64]) {
    /// The size of a huge page: less than a few of them are not worth asking.
    const HUGE_PAGE: usize = 2 << 20;
    let bytes = size_of_val(words);
    let start = words.as_ptr().addr();
    let skipped = start.next_multiple_of(HUGE_PAGE) - start;
    if bytes < skipped + 2 * HUGE_PAGE {
        return;
    }
    let whole = (bytes - skipped) / HUGE_PAGE * HUGE_PAGE;
    // SAFETY: the range lies within the slice, and the advice changes how its pages are backed, not what they hold.
    #[allow(unsafe_code)]
    unsafe {
        libc::madvise(words.as_ptr().byte_add(skipped).cast_mut().cast(), whole, libc::MADV_HUGEPAGE);
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_huge_pages(_: &[AtomicU64]) {}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn lines_are_aligned_and_zero_and_can_be_cleared() {
        for count in [1, 2, 1000, 1 << 17] {
            let mut lines = CacheLines::new(count).unwrap();
            assert_eq!((lines.len(), lines.all().len()), (count, count));
            assert!(lines.all().as_ptr().addr().is_multiple_of(64));
            for word in lines.all().iter().flatten() {
                assert_eq!(word.swap(7, Relaxed), 0);
            }
            lines.clear();
            assert!(lines.all().iter().flatten().all(|word| word.load(Relaxed) == 0));
        }
        assert!(CacheLines::new(usize::MAX / 2).is_none());
    }
}
