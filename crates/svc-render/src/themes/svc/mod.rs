//! `svc`: the default: a full header with centered search, and tinted active entries.

use svc_config::Theme;

use super::{Rgb, ShellLayout, ThemeDef};

/// Definition of the theme.
pub(super) const DEFINITION: ThemeDef = ThemeDef {
    theme: Theme::Svc,
    shell: ShellLayout::Header,
    drilldown: false,
    breadcrumbs: false,
    light: Rgb(255, 255, 255),
    dark: Rgb(12, 14, 17),
    css: include_str!("theme.css"),
};
