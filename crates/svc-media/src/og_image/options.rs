//! Options and dimensions of cards.

use crate::color::Color;
use crate::decode::Image;
use crate::face::Face;

/// Width and height in pixels.
pub(crate) const SIZE: (u32, u32) = (1_200, 630);
/// Margin at all edges in pixels.
pub(super) const MARGIN: f32 = 80.0;

/// Color scheme of a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appearance {
    /// Dark text on a light background.
    Light,
    /// Light text on a dark background.
    Dark,
}

/// Options that all cards of a site share.
#[derive(Debug, Clone)]
pub struct OgImageOptions {
    /// Name of the site.
    pub name: String,
    /// Color scheme; if `None`, the background has the accent color.
    pub appearance: Option<Appearance>,
    /// Accent color on light backgrounds.
    pub primary: Color,
    /// Accent color on dark backgrounds.
    pub light: Color,
    /// Logos for light and for dark backgrounds.
    pub logos: Option<(Image, Image)>,
    /// Background image.
    pub background: Option<Image>,
    /// Fonts that take precedence over the built-in one.
    pub faces: Vec<Face>,
}
