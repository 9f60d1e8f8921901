//! `willow`: stripped back: a solid sidebar, a thin marker, no shadow and no corner.

use svc_config::Theme;

use super::{Rgb, ShellLayout, ThemeDef};

/// The definition.
pub(super) const DEFINITION: ThemeDef = ThemeDef {
    theme: Theme::Willow,
    shell: ShellLayout::Side,
    drilldown: false,
    breadcrumbs: false,
    light: Rgb(255, 255, 255),
    dark: Rgb(15, 15, 16),
    css: include_str!("theme.css"),
};
