//! Parts that several components use.

mod callout;
mod diagram;
mod field;
mod panels;
mod split;

pub(crate) use callout::{
    CALLOUT_KINDS, callout_content, callout_kind, callout_label, ready_callout,
};
pub(crate) use diagram::{DiagramOptions, INVALID_DIAGRAM, UNKNOWN_PLACEMENT, diagram};
pub(crate) use field::{Field, field, fragment};
pub(crate) use panels::{PanelOptions, panels};
pub(crate) use split::split;

/// Style sheets of this module, for the bundle.
pub(crate) const CSS: &[&str] = &[
    include_str!("field.css"),
    include_str!("panels.css"),
    include_str!("split.css"),
];

/// Scripts of this module, for the bundle.
pub(crate) const JS: &[&str] = &[include_str!("panels.js")];
