//! `aspen`: for many sections: tabs as a segmented bar, raised entries, boxed contents.

use svc_config::Theme;

use super::{Rgb, ShellLayout, ThemeDef};

/// The definition.
pub(super) const DEFINITION: ThemeDef = ThemeDef {
    theme: Theme::Aspen,
    shell: ShellLayout::Header,
    drilldown: true,
    breadcrumbs: true,
    light: Rgb(255, 255, 255),
    dark: Rgb(13, 17, 23),
    css: include_str!("theme.css"),
};
