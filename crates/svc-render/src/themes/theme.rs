//! Definition of a theme.

use svc_config::Theme;

use super::color::Rgb;

/// Location of logo, search and links in a wide window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShellLayout {
    /// In a header above the page.
    Header,
    /// Above and below the pages in the sidebar; only the tabs are above the text.
    Side,
}

/// Definition of a theme.
#[derive(Debug)]
pub(crate) struct ThemeDef {
    /// Its name in `docs.json`.
    pub(crate) theme: Theme,
    /// Layout of the page frame.
    pub(crate) shell: ShellLayout,
    /// Default of `interaction.drilldown`: whether the title of a group links to its first page.
    pub(crate) drilldown: bool,
    /// Default of `styling.eyebrows`: whether breadcrumbs are above the title.
    pub(crate) breadcrumbs: bool,
    /// Background of text in light mode, for choosing readable tones.
    pub(super) light: Rgb,
    /// Background of text in dark mode.
    pub(super) dark: Rgb,
    /// Style sheet, after the base styles and those of all components.
    pub(crate) css: &'static str,
}
