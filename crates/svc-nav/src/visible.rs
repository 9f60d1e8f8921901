//! Who may see what.

use crate::Route;

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Audience {
    /// Anyone.
    #[default]
    Everyone,
}

/// Whether somebody may read a page. Everything that lists or serves pages asks here.
pub const fn visible(_route: &Route, audience: Audience) -> bool {
    match audience {
        Audience::Everyone => true,
    }
}
