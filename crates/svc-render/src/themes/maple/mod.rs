//! `maple`: no header: logo and search above the pages, a rule beside every group.

use svc_config::Theme;

use super::{Rgb, ShellLayout, ThemeDef};

/// The definition.
pub(super) const DEFINITION: ThemeDef = ThemeDef {
    theme: Theme::Maple,
    shell: ShellLayout::Side,
    drilldown: false,
    breadcrumbs: false,
    light: Rgb(255, 255, 255),
    dark: Rgb(11, 11, 13),
    css: include_str!("theme.css"),
};
