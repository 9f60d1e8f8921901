//! `svc`: the classic: a full header with the search in its middle, tinted active entries.

use svc_config::Theme;

use super::{Rgb, ShellLayout, ThemeDef};

/// The definition.
pub(super) const DEFINITION: ThemeDef = ThemeDef {
    theme: Theme::Svc,
    shell: ShellLayout::Header,
    drilldown: false,
    breadcrumbs: false,
    light: Rgb(255, 255, 255),
    dark: Rgb(12, 14, 17),
    css: include_str!("theme.css"),
};
