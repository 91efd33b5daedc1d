//! The inner loops, for AVX2 and for any processor. Both give the same numbers.

use super::features::Feature;
use super::weights::Lanes;

/// Sets `to` to `from` with these columns added and those removed.
#[inline]
#[cfg_attr(target_feature = "avx2", allow(unsafe_code))]
pub fn update(columns: &[Lanes], from: &Lanes, to: &mut Lanes, added: &[Feature], removed: &[Feature]) {
    // SAFETY: the whole program is built for processors with AVX2.
    #[cfg(target_feature = "avx2")]
    unsafe {
        avx2::update(columns, from, to, added, removed);
    }
    #[cfg(not(target_feature = "avx2"))]
    portable::update(columns, from, to, added, removed);
}

/// The sum of the hidden values, clipped and squared, each times its weight.
#[inline]
#[cfg_attr(target_feature = "avx2", allow(unsafe_code))]
pub fn activated_sum(hidden: &Lanes, weights: &Lanes) -> i32 {
    // SAFETY: the whole program is built for processors with AVX2.
    #[cfg(target_feature = "avx2")]
    return unsafe { avx2::activated_sum(hidden, weights) };
    #[cfg(not(target_feature = "avx2"))]
    return portable::activated_sum(hidden, weights);
}

/// The same with the first column added to the hidden values and the second removed.
#[inline]
#[cfg_attr(target_feature = "avx2", allow(unsafe_code))]
pub fn changed_sum(hidden: &Lanes, columns: [&Lanes; 2], weights: &Lanes) -> i32 {
    // SAFETY: the whole program is built for processors with AVX2.
    #[cfg(target_feature = "avx2")]
    return unsafe { avx2::changed_sum(hidden, columns, weights) };
    #[cfg(not(target_feature = "avx2"))]
    return portable::changed_sum(hidden, columns, weights);
}

/// Loops that compilers turn into vector instructions where there are any.
#[cfg(any(test, not(target_feature = "avx2")))]
mod portable {
    use super::super::weights::{Lanes, QA};
    use super::Feature;

    pub fn update(columns: &[Lanes], from: &Lanes, to: &mut Lanes, added: &[Feature], removed: &[Feature]) {
        *to = *from;
        for &feature in added {
            for (value, weight) in to.0.iter_mut().zip(&columns[usize::from(feature)].0) {
                *value = value.wrapping_add(*weight);
            }
        }
        for &feature in removed {
            for (value, weight) in to.0.iter_mut().zip(&columns[usize::from(feature)].0) {
                *value = value.wrapping_sub(*weight);
            }
        }
    }

    pub fn activated_sum(hidden: &Lanes, weights: &Lanes) -> i32 {
        let term = |(&value, &weight): (&i16, &i16)| {
            let value = value.clamp(0, QA);
            i32::from(value.wrapping_mul(weight)) * i32::from(value)
        };
        hidden.0.iter().zip(&weights.0).map(term).sum()
    }

    pub fn changed_sum(hidden: &Lanes, [added, removed]: [&Lanes; 2], weights: &Lanes) -> i32 {
        let mut changed = *hidden;
        for (value, (added, removed)) in changed.0.iter_mut().zip(added.0.iter().zip(&removed.0)) {
            *value = value.wrapping_add(*added).wrapping_sub(*removed);
        }
        activated_sum(&changed, weights)
    }
}

/// The same with 256-bit registers: a block of hidden values stays in them while all columns pass.
#[cfg(target_feature = "avx2")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi16, _mm256_add_epi32, _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16,
        _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_sub_epi16,
    };

    use super::super::weights::{HIDDEN, Lanes, QA};
    use super::Feature;

    /// Hidden values in a register.
    const WIDTH: usize = 16;
    /// Registers of a block.
    const BLOCK: usize = if HIDDEN.is_multiple_of(4 * WIDTH) { 4 } else { 1 };

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn update(columns: &[Lanes], from: &Lanes, to: &mut Lanes, added: &[Feature], removed: &[Feature]) {
        for start in (0..HIDDEN).step_by(BLOCK * WIDTH) {
            let load = |lanes: &Lanes, register: usize| register_at(lanes, start + register * WIDTH);
            let mut block: [__m256i; BLOCK] = std::array::from_fn(|register| load(from, register));
            for &feature in added {
                let column = &columns[usize::from(feature)];
                for (register, sum) in block.iter_mut().enumerate() {
                    *sum = _mm256_add_epi16(*sum, load(column, register));
                }
            }
            for &feature in removed {
                let column = &columns[usize::from(feature)];
                for (register, sum) in block.iter_mut().enumerate() {
                    *sum = _mm256_sub_epi16(*sum, load(column, register));
                }
            }
            let (target, _) = to.0[start..].as_chunks_mut::<WIDTH>();
            for (target, register) in target.iter_mut().zip(block) {
                *target = bytemuck::cast(register);
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn activated_sum(hidden: &Lanes, weights: &Lanes) -> i32 {
        let mut sum = _mm256_setzero_si256();
        for start in (0..HIDDEN).step_by(WIDTH) {
            sum = add_activated(sum, register_at(hidden, start), register_at(weights, start));
        }
        bytemuck::cast::<__m256i, [i32; 8]>(sum).iter().sum()
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn changed_sum(hidden: &Lanes, [added, removed]: [&Lanes; 2], weights: &Lanes) -> i32 {
        let mut sum = _mm256_setzero_si256();
        for start in (0..HIDDEN).step_by(WIDTH) {
            let value = _mm256_add_epi16(register_at(hidden, start), register_at(added, start));
            let value = _mm256_sub_epi16(value, register_at(removed, start));
            sum = add_activated(sum, value, register_at(weights, start));
        }
        bytemuck::cast::<__m256i, [i32; 8]>(sum).iter().sum()
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn add_activated(sum: __m256i, hidden: __m256i, weights: __m256i) -> __m256i {
        let (none, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(QA));
        let value = _mm256_min_epi16(_mm256_max_epi16(hidden, none), one);
        _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_mullo_epi16(value, weights), value))
    }

    /// The values from `start` on.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn register_at(lanes: &Lanes, start: usize) -> __m256i {
        let (registers, _) = lanes.0.as_chunks::<WIDTH>();
        bytemuck::cast(registers[start / WIDTH])
    }
}

#[cfg(all(test, target_feature = "avx2"))]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};

    use super::super::weights::{HIDDEN, MAX_OUTPUT_WEIGHT};
    use super::*;

    #[test]
    fn both_paths_give_the_same_numbers() {
        let mut rng = SmallRng::seed_from_u64(1);
        let mut lanes = |most: i16| Lanes(std::array::from_fn(|_| rng.random_range(-most..=most)));
        let columns: Vec<Lanes> = (0..50).map(|_| lanes(2000)).collect();
        let features: Vec<Feature> = (0..50).collect();
        for added in 0..30 {
            let from = lanes(i16::MAX);
            let (added, removed) = (&features[..added], &features[added / 2..]);
            let (mut left, mut right) = (lanes(1), lanes(1));
            update(&columns, &from, &mut left, added, removed);
            portable::update(&columns, &from, &mut right, added, removed);
            assert_eq!(left, right);
            let weights = lanes(MAX_OUTPUT_WEIGHT);
            assert_eq!(activated_sum(&left, &weights), portable::activated_sum(&left, &weights));
            let change = [&columns[1], &columns[2]];
            assert_eq!(changed_sum(&left, change, &weights), portable::changed_sum(&left, change, &weights));
        }
        let (full, most) = (Lanes([i16::MAX; HIDDEN]), Lanes([-MAX_OUTPUT_WEIGHT; HIDDEN]));
        assert_eq!(activated_sum(&full, &most), portable::activated_sum(&full, &most));
    }
}
