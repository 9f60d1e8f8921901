//! Static utilities: one name, one set of declarations.
//!
//! Names without declarations mark an element for other utilities (`group`) or need no rule.

use super::utility::Utility;
use crate::table::Table;

static UTILITIES: Table = Table::new(include_str!("static_utilities.txt"));

/// Returns the utility with exactly this name.
pub(super) fn find(name: &str) -> Option<Utility> {
    let value = UTILITIES.get(name)?;
    let (order, body) = value.split_once(' ').unwrap_or((value, ""));
    Some(Utility::new(order.parse().ok()?, body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_unique() {
        assert!(UTILITIES.is_sorted());
    }

    #[test]
    fn every_line_is_a_utility() {
        for (name, _) in UTILITIES.entries() {
            assert!(find(name).is_some(), "{name}");
        }
    }
}
