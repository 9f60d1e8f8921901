//! Parts that more than one component uses.

mod field;
mod panels;
mod split;

pub(crate) use field::{Field, field, fragment};
pub(crate) use panels::{Panel, PanelOptions, panels};
pub(crate) use split::split;

/// Stylesheets of this folder, for the site's bundle.
pub(crate) const CSS: &[&str] = &[
    include_str!("field.css"),
    include_str!("panels.css"),
    include_str!("split.css"),
];

/// Scripts of this folder, for the site's bundle.
pub(crate) const JS: &[&str] = &[include_str!("panels.js")];
