//! Counted steps: tests see by them that time is linear. Without the feature `step_counter` nothing is
//! counted and nothing is left of this in the program.

/// Counts work that is proportional to the input.
#[cfg(not(feature = "step-counter"))]
#[inline(always)]
pub(crate) const fn tick(_steps: usize) {}

#[cfg(feature = "step-counter")]
mod counter {
    use std::cell::Cell;

    thread_local! {
        static STEPS: Cell<u64> = const { Cell::new(0) };
    }

    pub(crate) fn tick(steps: usize) {
        STEPS.set(STEPS.get().saturating_add(steps as u64));
    }

    /// Returns the result of `task` and the number of steps that parsing took in it.
    pub fn count_steps<T>(task: impl FnOnce() -> T) -> (T, u64) {
        STEPS.set(0);
        let result = task();
        (result, STEPS.replace(0))
    }
}

#[cfg(feature = "step-counter")]
pub use counter::count_steps;
#[cfg(feature = "step-counter")]
pub(crate) use counter::tick;
