//! `luma`: one large soft panel for the text, and the navigation on the background around it.

use svc_config::Theme;

use super::{Rgb, ShellLayout, ThemeDef};

/// Definition of the theme.
pub(super) const DEFINITION: ThemeDef = ThemeDef {
    theme: Theme::Luma,
    shell: ShellLayout::Side,
    drilldown: true,
    breadcrumbs: false,
    light: Rgb(255, 255, 255),
    dark: Rgb(20, 20, 23),
    css: include_str!("theme.css"),
};
