//! `maple`: no header: logo and search above the pages, and a line next to each group.

use svc_config::Theme;

use super::{Rgb, ShellLayout, ThemeDef};

/// Definition of the theme.
pub(super) const DEFINITION: ThemeDef = ThemeDef {
    theme: Theme::Maple,
    shell: ShellLayout::Side,
    drilldown: false,
    breadcrumbs: false,
    light: Rgb(255, 255, 255),
    dark: Rgb(11, 11, 13),
    css: include_str!("theme.css"),
};
