//! `sequoia`: like a book: serif headings, thin rules, wide margins.

use svc_config::Theme;

use super::{Rgb, ShellLayout, ThemeDef};

/// Definition of the theme.
pub(super) const DEFINITION: ThemeDef = ThemeDef {
    theme: Theme::Sequoia,
    shell: ShellLayout::Header,
    drilldown: false,
    breadcrumbs: false,
    light: Rgb(254, 254, 252),
    dark: Rgb(17, 17, 15),
    css: include_str!("theme.css"),
};
