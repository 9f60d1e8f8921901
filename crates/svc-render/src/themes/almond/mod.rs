//! `almond`: cards on a tinted ground: sidebar, text and contents are panels.

use svc_config::Theme;

use super::{Rgb, ShellLayout, ThemeDef};

/// The definition.
pub(super) const DEFINITION: ThemeDef = ThemeDef {
    theme: Theme::Almond,
    shell: ShellLayout::Header,
    drilldown: false,
    breadcrumbs: false,
    light: Rgb(255, 255, 255),
    dark: Rgb(24, 25, 29),
    css: include_str!("theme.css"),
};
