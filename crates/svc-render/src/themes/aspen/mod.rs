//! `aspen`: for many sections: tabs as a segmented bar, raised entries, boxed table of contents.

use svc_config::Theme;

use super::{Rgb, ShellLayout, ThemeDef};

/// Definition of the theme.
pub(super) const DEFINITION: ThemeDef = ThemeDef {
    theme: Theme::Aspen,
    shell: ShellLayout::Header,
    drilldown: true,
    breadcrumbs: true,
    light: Rgb(255, 255, 255),
    dark: Rgb(13, 17, 23),
    css: include_str!("theme.css"),
};
