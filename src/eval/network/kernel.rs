//! The inner loops, written once over registers of several kinds, all of which give the same numbers.

use super::features::Feature;
use super::weights::{HIDDEN, Lanes, QA};

#[cfg(target_feature = "avx512bw")]
type Native = avx512::Register;
#[cfg(all(target_feature = "avx2", not(target_feature = "avx512bw")))]
type Native = avx2::Register;
#[cfg(target_arch = "aarch64")]
type Native = neon::Register;
#[cfg(not(any(target_feature = "avx512bw", target_feature = "avx2", target_arch = "aarch64")))]
type Native = portable::Register;

/// Sets `to` to `from` with these columns added and those removed.
#[inline]
pub fn update(
    columns: &[Lanes],
    from: &Lanes,
    to: &mut Lanes,
    added: impl Iterator<Item = Feature> + Clone,
    removed: impl Iterator<Item = Feature> + Clone,
) {
    update_with::<Native>(columns, from, to, added, removed);
}

/// Adds one column to the hidden values and removes another.
#[inline]
pub fn exchange(hidden: &mut Lanes, added: &Lanes, removed: &Lanes) {
    exchange_with::<Native>(hidden, added, removed);
}

/// The sum of the hidden values of both sides, clipped, squared and halved, each times its weight.
#[inline]
pub fn activated_sum(hidden: [&Lanes; 2], weights: &[Lanes; 2]) -> i32 {
    activated_sum_with::<Native>(hidden, weights)
}

/// The same when the hidden values of both sides, which come first, have a column added and another removed.
#[inline]
pub fn changed_sum(both: [(&Lanes, &Lanes, &Lanes); 2], weights: &[Lanes; 2]) -> i32 {
    changed_sum_with::<Native>(both, weights)
}

/// A few numbers of 16 bits that are worked on together.
trait Numbers: Copy {
    /// How many they are.
    const WIDTH: usize;
    /// Sums of 32 bits, one or more of them.
    type Sums: Copy;

    fn load(from: &[i16]) -> Self;
    fn store(self, to: &mut [i16]);
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn nothing() -> Self::Sums;
    /// Adds the numbers, clipped to what lies between 0 and [`QA`], squared and halved, each times its weight.
    fn add_activated(self, weights: Self, sums: Self::Sums) -> Self::Sums;
    /// What all of them sum up to.
    fn total(sums: [Self::Sums; 2]) -> i32;
}

/// The most registers that hold hidden values while all columns pass.
const BLOCK: usize = 8;

#[inline]
fn update_with<N: Numbers>(
    columns: &[Lanes],
    from: &Lanes,
    to: &mut Lanes,
    added: impl Iterator<Item = Feature> + Clone,
    removed: impl Iterator<Item = Feature> + Clone,
) {
    let mut block = BLOCK * N::WIDTH;
    while !HIDDEN.is_multiple_of(block) {
        block /= 2;
    }
    for start in (0..HIDDEN).step_by(block) {
        let load = |lanes: &Lanes, register: usize| at::<N>(lanes, start + register * N::WIDTH % block);
        let mut sums: [N; BLOCK] = std::array::from_fn(|register| load(from, register));
        for feature in added.clone() {
            let column = &columns[usize::from(feature)];
            for (register, sum) in sums.iter_mut().enumerate() {
                *sum = sum.add(load(column, register));
            }
        }
        for feature in removed.clone() {
            let column = &columns[usize::from(feature)];
            for (register, sum) in sums.iter_mut().enumerate() {
                *sum = sum.sub(load(column, register));
            }
        }
        for (to, sum) in to.0[start..start + block].chunks_exact_mut(N::WIDTH).zip(sums) {
            sum.store(to);
        }
    }
}

#[inline]
fn exchange_with<N: Numbers>(hidden: &mut Lanes, added: &Lanes, removed: &Lanes) {
    for start in (0..HIDDEN).step_by(N::WIDTH) {
        changed::<N>(hidden, added, removed, start).store(&mut hidden.0[start..start + N::WIDTH]);
    }
}

#[inline]
fn activated_sum_with<N: Numbers>(hidden: [&Lanes; 2], weights: &[Lanes; 2]) -> i32 {
    let mut sums = [N::nothing(); 2];
    for start in (0..HIDDEN).step_by(N::WIDTH) {
        for side in 0..2 {
            sums[side] = at::<N>(hidden[side], start).add_activated(at(&weights[side], start), sums[side]);
        }
    }
    N::total(sums)
}

#[inline]
fn changed_sum_with<N: Numbers>(both: [(&Lanes, &Lanes, &Lanes); 2], weights: &[Lanes; 2]) -> i32 {
    let mut sums = [N::nothing(); 2];
    for start in (0..HIDDEN).step_by(N::WIDTH) {
        for side in 0..2 {
            let (hidden, added, removed) = both[side];
            let value = changed::<N>(hidden, added, removed, start);
            sums[side] = value.add_activated(at(&weights[side], start), sums[side]);
        }
    }
    N::total(sums)
}

/// The numbers from `start` on with those of one column added and those of another removed.
#[inline]
fn changed<N: Numbers>(hidden: &Lanes, added: &Lanes, removed: &Lanes, start: usize) -> N {
    at::<N>(hidden, start).add(at(added, start)).sub(at(removed, start))
}

/// The numbers from `start` on.
#[inline]
fn at<N: Numbers>(lanes: &Lanes, start: usize) -> N {
    N::load(&lanes.0[start..start + N::WIDTH])
}

/// Loops that compilers turn into vector instructions where there are any.
#[cfg(any(test, not(any(target_feature = "avx2", target_arch = "aarch64"))))]
mod portable {
    use super::{Numbers, QA};

    const WIDTH: usize = 16;

    #[derive(Clone, Copy)]
    pub struct Register([i16; WIDTH]);

    impl Numbers for Register {
        const WIDTH: usize = WIDTH;
        type Sums = [i32; WIDTH];

        #[inline]
        fn load(from: &[i16]) -> Self {
            Self(std::array::from_fn(|index| from[index]))
        }

        #[inline]
        fn store(self, to: &mut [i16]) {
            to.copy_from_slice(&self.0);
        }

        #[inline]
        fn add(self, other: Self) -> Self {
            Self(std::array::from_fn(|index| self.0[index].wrapping_add(other.0[index])))
        }

        #[inline]
        fn sub(self, other: Self) -> Self {
            Self(std::array::from_fn(|index| self.0[index].wrapping_sub(other.0[index])))
        }

        #[inline]
        fn nothing() -> [i32; WIDTH] {
            [0; WIDTH]
        }

        #[inline]
        fn add_activated(self, weights: Self, sums: [i32; WIDTH]) -> [i32; WIDTH] {
            std::array::from_fn(|index| {
                let value = self.0[index].clamp(0, QA) as u16;
                let activated = ((value * value) >> 1) as i16;
                sums[index] + i32::from(activated) * i32::from(weights.0[index])
            })
        }

        #[inline]
        fn total(sums: [[i32; WIDTH]; 2]) -> i32 {
            sums.as_flattened().iter().sum()
        }
    }
}

/// Writes down the numbers that one kind of vector register of x86 processors holds.
#[cfg(target_feature = "avx2")]
macro_rules! x86_numbers {
    ($register:ty, $width:literal, $load:ident, $store:ident, $add:ident, $sub:ident, $zero:ident, $set:ident,
     $min:ident, $max:ident, $multiply:ident, $shift_right:ident, $multiply_in_pairs:ident, $add_long:ident) => {
        use std::arch::x86_64::*;

        use super::{Numbers, QA};

        #[derive(Clone, Copy)]
        pub struct Register($register);

        // Below. SAFETY: the whole program is built for processors with these instructions; what is read and written
        // are slices of exactly as many numbers as the register holds.
        #[allow(unsafe_code)]
        impl Numbers for Register {
            const WIDTH: usize = $width;
            type Sums = $register;

            #[inline]
            fn load(from: &[i16]) -> Self {
                assert_eq!(from.len(), $width);
                Self(unsafe { $load(from.as_ptr().cast()) })
            }

            #[inline]
            fn store(self, to: &mut [i16]) {
                assert_eq!(to.len(), $width);
                unsafe { $store(to.as_mut_ptr().cast(), self.0) }
            }

            #[inline]
            fn add(self, other: Self) -> Self {
                Self(unsafe { $add(self.0, other.0) })
            }

            #[inline]
            fn sub(self, other: Self) -> Self {
                Self(unsafe { $sub(self.0, other.0) })
            }

            #[inline]
            fn nothing() -> $register {
                unsafe { $zero() }
            }

            #[inline]
            fn add_activated(self, weights: Self, sums: $register) -> $register {
                unsafe {
                    let value = $min($max(self.0, $zero()), $set(QA));
                    let activated = $shift_right::<1>($multiply(value, value));
                    $add_long(sums, $multiply_in_pairs(activated, weights.0))
                }
            }

            #[inline]
            fn total([left, right]: [$register; 2]) -> i32 {
                const SUMS: usize = $width / 2;
                // Any bits of the register are numbers.
                let sums: [i32; SUMS] = unsafe { std::mem::transmute($add_long(left, right)) };
                sums.iter().sum()
            }
        }
    };
}

#[cfg(target_feature = "avx512bw")]
mod avx512 {
    x86_numbers!(
        __m512i,
        32,
        _mm512_loadu_si512,
        _mm512_storeu_si512,
        _mm512_add_epi16,
        _mm512_sub_epi16,
        _mm512_setzero_si512,
        _mm512_set1_epi16,
        _mm512_min_epi16,
        _mm512_max_epi16,
        _mm512_mullo_epi16,
        _mm512_srli_epi16,
        _mm512_madd_epi16,
        _mm512_add_epi32
    );
}

#[cfg(target_feature = "avx2")]
#[cfg_attr(all(target_feature = "avx512bw", not(test)), allow(dead_code))]
mod avx2 {
    x86_numbers!(
        __m256i,
        16,
        _mm256_loadu_si256,
        _mm256_storeu_si256,
        _mm256_add_epi16,
        _mm256_sub_epi16,
        _mm256_setzero_si256,
        _mm256_set1_epi16,
        _mm256_min_epi16,
        _mm256_max_epi16,
        _mm256_mullo_epi16,
        _mm256_srli_epi16,
        _mm256_madd_epi16,
        _mm256_add_epi32
    );
}

#[cfg(target_arch = "aarch64")]
mod neon {
    use std::arch::aarch64::*;

    use super::{Numbers, QA};

    #[derive(Clone, Copy)]
    pub struct Register(int16x8_t);

    // Below. SAFETY: every processor of this architecture has these instructions; what is read and written are slices of
    // exactly eight numbers.
    #[allow(unsafe_code)]
    impl Numbers for Register {
        const WIDTH: usize = 8;
        type Sums = int32x4_t;

        #[inline]
        fn load(from: &[i16]) -> Self {
            assert_eq!(from.len(), 8);
            Self(unsafe { vld1q_s16(from.as_ptr()) })
        }

        #[inline]
        fn store(self, to: &mut [i16]) {
            assert_eq!(to.len(), 8);
            unsafe { vst1q_s16(to.as_mut_ptr(), self.0) }
        }

        #[inline]
        fn add(self, other: Self) -> Self {
            Self(unsafe { vaddq_s16(self.0, other.0) })
        }

        #[inline]
        fn sub(self, other: Self) -> Self {
            Self(unsafe { vsubq_s16(self.0, other.0) })
        }

        #[inline]
        fn nothing() -> int32x4_t {
            unsafe { vdupq_n_s32(0) }
        }

        #[inline]
        fn add_activated(self, weights: Self, sums: int32x4_t) -> int32x4_t {
            unsafe {
                let value = vminq_s16(vmaxq_s16(self.0, vdupq_n_s16(0)), vdupq_n_s16(QA));
                let squared = vreinterpretq_u16_s16(vmulq_s16(value, value));
                let activated = vreinterpretq_s16_u16(vshrq_n_u16::<1>(squared));
                let sums = vmlal_s16(sums, vget_low_s16(activated), vget_low_s16(weights.0));
                vmlal_high_s16(sums, activated, weights.0)
            }
        }

        #[inline]
        fn total([left, right]: [int32x4_t; 2]) -> i32 {
            unsafe { vaddvq_s32(vaddq_s32(left, right)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};

    use super::super::weights::{HIDDEN, MAX_OUTPUT_SUM};
    use super::*;

    /// All output weights of this size together are almost as large as is allowed.
    const WEIGHT: i16 = (MAX_OUTPUT_SUM / (2 * HIDDEN as i64)) as i16;

    fn exchanged<N: Numbers>((hidden, added, removed): (&Lanes, &Lanes, &Lanes)) -> Lanes {
        let mut hidden = *hidden;
        exchange_with::<N>(&mut hidden, added, removed);
        hidden
    }

    /// Compares the loops over some registers with those over the portable ones.
    fn compare<N: Numbers>() {
        let mut rng = SmallRng::seed_from_u64(1);
        let mut lanes = |most: i16| Lanes(std::array::from_fn(|_| rng.random_range(-most..=most)));
        let columns: Vec<Lanes> = (0..50).map(|_| lanes(2000)).collect();
        let features: Vec<Feature> = (0..50).collect();
        for added in 0..30 {
            let from = lanes(i16::MAX);
            let (added, removed) = (features[..added].iter().copied(), features[added / 2..].iter().copied());
            let (mut left, mut right) = (lanes(1), lanes(1));
            update_with::<N>(&columns, &from, &mut left, added.clone(), removed.clone());
            update_with::<portable::Register>(&columns, &from, &mut right, added, removed);
            assert_eq!(left, right);
            let weights = [lanes(WEIGHT), lanes(WEIGHT)];
            let sum = activated_sum_with::<portable::Register>([&left, &from], &weights);
            assert_eq!(activated_sum_with::<N>([&left, &from], &weights), sum);
            let both = [(&left, &columns[1], &columns[2]), (&from, &columns[3], &columns[4])];
            let sum = changed_sum_with::<portable::Register>(both, &weights);
            assert_eq!(changed_sum_with::<N>(both, &weights), sum);
            let after = both.map(exchanged::<N>);
            assert_eq!(after, both.map(exchanged::<portable::Register>));
            assert_eq!(activated_sum_with::<N>([&after[0], &after[1]], &weights), sum);
        }
        let full = Lanes([i16::MAX; HIDDEN]);
        let least = [Lanes([-WEIGHT; HIDDEN]), Lanes([-WEIGHT; HIDDEN])];
        let sum = -2 * (i32::from(QA) * i32::from(QA) / 2) * i32::from(WEIGHT) * HIDDEN as i32;
        assert_eq!(activated_sum_with::<N>([&full, &full], &least), sum);
    }

    #[test]
    fn all_registers_give_the_same_numbers() {
        compare::<portable::Register>();
        compare::<Native>();
        #[cfg(target_feature = "avx2")]
        compare::<avx2::Register>();
    }

    #[test]
    fn columns_are_added_and_removed_one_by_one() {
        let lanes = |value: i16| Lanes(std::array::from_fn(|index| value * (index as i16 + 1)));
        let columns = [lanes(3), lanes(5)];
        let mut sum = lanes(0);
        update(&columns, &lanes(7), &mut sum, [0].into_iter(), [1].into_iter());
        assert_eq!(sum, lanes(5));
    }
}
