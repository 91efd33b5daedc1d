//! The numbers of the search, each declared once. They are constants; built with the feature `tune`, each is also an
//! option of the protocol, so that matches can compare values without building anew.

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $default:expr, $min:literal ..= $max:literal;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline]
            pub const fn $name() -> i32 {
                $default
            }

            $(#[$doc])*
            #[cfg(feature = "tune")]
            #[inline]
            pub fn $name() -> i32 {
                tuning::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        /// The parameters as they can be changed from outside.
        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)]
        pub mod tuning {
            use std::sync::atomic::{AtomicI32, Ordering};

            $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)*

            /// A parameter: name, default, smallest and largest value.
            pub const LIST: &[(&str, i32, i32, i32)] = &[$((stringify!($name), $default, $min, $max)),*];

            /// Sets a parameter, within its range; false if there is none of this name.
            pub fn set(name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => $name.store(value.clamp($min, $max), Ordering::Relaxed),)*
                    _ => return false,
                }
                true
            }
        }
    };
}

parameters! {
    /// Half the first aspiration window, in centipawns.
    aspiration = 33, 5..=200;
    /// The first iteration with an aspiration window.
    aspiration_depth = 5, 2..=10;

    /// Reverse futility: margin for each ply of depth, in centipawns.
    reverse_futility = 89, 20..=300;
    /// The deepest node for reverse futility; 0 switches it off.
    reverse_futility_depth = 7, 0..=12;

    /// Razoring: margin at depth 0, in centipawns.
    razor_base = 215, 0..=1000;
    /// Razoring: margin for each ply of depth, squared.
    razor_ply = 158, 0..=1000;
    /// The deepest node for razoring; 0 switches it off.
    razor_depth = 3, 0..=8;

    /// The shallowest node for a probe of captures; 100 switches it off.
    probe_depth = 5, 3..=100;
    /// How far a capture must be above the window to be probed, in centipawns.
    probe_margin = 173, 50..=600;

    /// The shallowest node for singular extensions; 100 switches them off.
    singular_depth = 7, 4..=100;
    /// How much worse all other actions must be, in centipawns for each two plies of depth.
    singular_margin = 4, 1..=20;

    /// The share of the correction history, in 64ths of a centipawn; 0 switches it off.
    correction_weight = 5, 0..=64;
    /// … of the history by pieces other than pawns.
    piece_correction_weight = 4, 0..=64;
    /// … of the history by the two actions before.
    action_correction_weight = 8, 0..=64;

    /// The shallowest node for the null action; 100 switches it off.
    null_depth = 3, 1..=100;
    /// The reduction of the null action at depth 0.
    null_base = 3, 1..=6;
    /// How many plies deeper the null action is reduced by one more.
    null_ply = 3, 2..=10;
    /// How many centipawns above the window it is reduced by one more.
    null_eval = 190, 50..=600;

    /// Futility of quiet actions: the margin at depth 0, in centipawns.
    futility_base = 91, 0..=500;
    /// Futility of quiet actions: the margin for each ply.
    futility_ply = 70, 10..=400;
    /// Late-action pruning: quiet actions tried at depth 0 …
    late_base = 3, 1..=30;
    /// … and how many more for the depth squared, in hundredths …
    late_square = 83, 0..=400;
    /// … and how many times as many where the evaluation improves, in hundredths.
    late_improving = 204, 100..=400;
    /// The deepest node for futility, late-action and exchange pruning; 0 switches them off.
    pruning_depth = 7, 0..=12;
    /// Quiet actions that lose more than this by exchange for each ply of depth, and captures that lose more than this for
    /// each ply squared, are left out; in centipawns.
    exchange_ply = 89, 20..=400;

    /// Reductions: at depth and number 1, in hundredths of a ply.
    reduction_base = 51, -100..=200;
    /// Reductions: what the product of the logarithms is divided by, in hundredths.
    reduction_divisor = 219, 100..=500;
    /// What a history value is divided by to change the reduction by one ply.
    reduction_history = 11_965, 2_000..=60_000;
    /// Reductions: how much less on the principal variation, in hundredths of a ply.
    reduction_pv = 46, 0..=300;
    /// Reductions: how much more in a node expected to be cut off, in hundredths of a ply.
    reduction_cut = 24, 0..=300;
    /// Reductions: how much less of and after a check, in hundredths of a ply.
    reduction_check = 88, 0..=300;
    /// Reductions: how much more where the evaluation does not improve, in hundredths of a ply.
    reduction_worse = 26, 0..=200;
    /// Reductions: how much more where the hash action is a capture, in hundredths of a ply.
    reduction_noisy_hash = 52, 0..=200;
    /// Reductions of captures that lose material, in hundredths of those of quiet actions; 0: none.
    reduction_losing = 74, 0..=150;

    /// The weights of the histories of a quiet action: its own, in 64ths, …
    history_own = 120, 0..=512;
    /// … those after the last action …
    history_last = 63, 0..=512;
    /// … and after the one before it, …
    history_before = 58, 0..=512;
    /// … and that by structure of pawns.
    history_structure = 58, 0..=512;
    /// What a cutoff brings in the histories, for each ply of depth …
    history_bonus = 164, 20..=600;
    /// … and at most.
    history_most = 1647, 300..=6000;
    /// What a quiet action tried in vain before it loses, in hundredths of that.
    history_blame = 98, 0..=300;
    /// What the quiet action before a node that fails low gains in the histories, in hundredths of what a cutoff brings.
    reward_before = 102, 0..=300;
    /// What the quiet action before a node gains in its history for each centipawn by which the evaluation has become better
    /// for the side that played it, in tenths.
    judge_before = 19, 0..=100;
    /// The most it gains or loses so.
    judge_most = 808, 50..=3000;
    /// The weight of the history of captures in their order: 800 adds a sixteenth of a centipawn for each unit of it; 0
    /// switches it off.
    capture_history = 42, 0..=400;

    /// How far a capture in quiescence may stay below the window by its material alone, in centipawns.
    delta = 252, 0..=500;

    /// A quiet move that gives check is ordered this much ahead of another of the same history …
    check_bonus = 9111, 0..=40_000;
    /// … if it loses no more than this by exchange, in centipawns.
    check_loss = 49, 0..=300;
    /// A drop is ordered this much behind a quiet move of the same history (values of it reach 65,536).
    drop_penalty = 2556, -8000..=16_000;

    /// The most pieces a drop may have, of either side, anywhere: the game without sets is 1.
    largest_drop = 16, 1..=16;
    /// A set stops growing where the next drop would add less than this, in centipawns.
    worth_dropping = -21, -1000..=100;
    /// The most drop sets grown at the root before its neighbourhood is looked at.
    root_sets = 96, 0..=192;
    /// The most at a node of the principal variation.
    pv_sets = 16, 0..=64;
    /// The most at another node with depth left.
    node_sets = 6, 0..=64;
    /// The shallowest node that grows sets.
    sets_depth = 2, 1..=20;
    /// Below the root, nodes with at most this many sets try them all, at depth 2 to 4; a sixth of it at depth 1, four
    /// times as many deeper.
    exact_sets = 250, 0..=1000;
    /// At most this many sets make the root try them all …
    root_exact = 1500, 0..=50_000;
    /// … and this many if there is time.
    root_exact_patient = 20_000, 0..=50_000;
    /// Iterations up to this depth search all actions of the root with an open window: their values order the deeper ones …
    root_open = 1, 0..=10;
    /// … and up to this depth if there is time.
    root_open_patient = 2, 0..=10;

    /// The share of the clock that an action gets is one in this many, if nobody says how many are to come.
    clock_actions = 28, 10..=50;
    /// How much of it the first action, which brings the king, gets, in hundredths.
    clock_first = 300, 50..=600;
    /// How much more every piece in reserve brings, in hundredths.
    clock_reserve = 8, 0..=50;

    /// The shallowest node that is searched less deep for want of a hash action; 100 switches it off.
    internal_depth = 4, 2..=100;

    /// The shallowest node that looks for a mating drop; 100 switches it off.
    mate_depth = 1, 0..=100;
    /// The most pieces of a mating drop looked for below the root.
    mate_pieces = 3, 1..=16;
    /// The most sets looked at for it.
    mate_sets = 60, 1..=5000;
}

/// At most this many sets make a node try them all, by depth left.
pub fn exact_limit(depth: i32) -> u64 {
    let sets = exact_sets().unsigned_abs().into();
    match depth {
        ..=1 => sets / 6,
        2..=4 => sets,
        _ => sets * 4,
    }
}
