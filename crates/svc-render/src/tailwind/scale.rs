//! Named scales: font sizes, widths, radii, shadows.

use crate::table::Table;

static SCALES: Table = Table::new(include_str!("scales.txt"));

/// Keyframes of the animations, included once on pages that use one.
pub(super) const KEYFRAMES: &str = "@keyframes svc-spin{to{transform:rotate(360deg)}}\
@keyframes svc-ping{75%,100%{transform:scale(2);opacity:0}}\
@keyframes svc-pulse{50%{opacity:.5}}\
@keyframes svc-bounce{0%,100%{transform:translateY(-25%);animation-timing-function:cubic-bezier(.8,0,1,1)}\
50%{transform:none;animation-timing-function:cubic-bezier(0,0,.2,1)}}";

/// The value of a step of a scale.
pub(super) fn find(scale: &str, step: &str) -> Option<&'static str> {
    SCALES.get(&format!("{scale}/{step}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_sorted_and_unique() {
        assert!(SCALES.is_sorted());
    }
}
