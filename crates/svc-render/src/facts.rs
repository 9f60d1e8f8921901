//! What a site knows about itself beyond its texts: whoever reads files and draws pictures says it.

use std::collections::BTreeMap;

/// Facts that rendering cannot find out by itself, because it does no I/O. All of them may be
/// missing; pages then say less.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// The icons of the site in the sizes that browsers ask for. Without them the configured file
    /// is named as it is.
    pub icons: Vec<IconLink>,
    /// The folder of preview pictures, `/_svc/cards/0123456789abcdef`; nothing when none are drawn.
    pub cards: Option<String>,
    /// The shapes of font files, by their path in the repository.
    pub fonts: BTreeMap<String, FontShape>,
    /// Families in lower case that a style sheet of the repository declares itself.
    pub declared_families: Vec<String>,
    /// When a file was changed last, `2026-03-05`, by its path in the repository.
    pub dates: BTreeMap<String, String>,
}

/// One icon of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IconLink {
    /// `icon` or `apple-touch-icon`.
    pub rel: &'static str,
    /// Its path below the base path.
    pub path: String,
    /// Media type.
    pub kind: &'static str,
    /// `32x32`, or nothing for a drawing of any size.
    pub sizes: Option<&'static str>,
    /// The media query of its mode, or nothing.
    pub media: &'static str,
}

/// The measures of a font that decide where text stands, in ten-thousandths of its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FontShape {
    /// Above the baseline.
    pub ascent: u32,
    /// Below the baseline.
    pub descent: u32,
    /// Between lines.
    pub line_gap: u32,
    /// The mean width of a letter of English text.
    pub width: u32,
    /// The lightest and the heaviest weight of a variable font.
    pub weights: Option<(u16, u16)>,
}
