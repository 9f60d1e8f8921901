//! `linden`: like a terminal: one monospaced family, sharp edges, hard shadows.

use svc_config::Theme;

use super::{Rgb, ShellLayout, ThemeDef};

/// Definition of the theme.
pub(super) const DEFINITION: ThemeDef = ThemeDef {
    theme: Theme::Linden,
    shell: ShellLayout::Header,
    drilldown: false,
    breadcrumbs: false,
    light: Rgb(252, 252, 249),
    dark: Rgb(10, 11, 10),
    css: include_str!("theme.css"),
};
