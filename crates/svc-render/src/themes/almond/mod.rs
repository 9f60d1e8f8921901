//! `almond`: cards on a tinted background: sidebar, text and table of contents are panels.

use svc_config::Theme;

use super::{Rgb, ShellLayout, ThemeDef};

/// Definition of the theme.
pub(super) const DEFINITION: ThemeDef = ThemeDef {
    theme: Theme::Almond,
    shell: ShellLayout::Header,
    drilldown: false,
    breadcrumbs: false,
    light: Rgb(255, 255, 255),
    dark: Rgb(24, 25, 29),
    css: include_str!("theme.css"),
};
