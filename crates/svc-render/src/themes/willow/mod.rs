//! `willow`: minimal: a solid sidebar, a thin marker, no shadows and no rounded corners.

use svc_config::Theme;

use super::{Rgb, ShellLayout, ThemeDef};

/// Definition of the theme.
pub(super) const DEFINITION: ThemeDef = ThemeDef {
    theme: Theme::Willow,
    shell: ShellLayout::Side,
    drilldown: false,
    breadcrumbs: false,
    light: Rgb(255, 255, 255),
    dark: Rgb(15, 15, 16),
    css: include_str!("theme.css"),
};
