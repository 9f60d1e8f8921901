//! Background of a card (colors or an image) and the logo.

use resvg::tiny_skia::{Pixmap, Transform};

use super::options::{Appearance, MARGIN, OgImageOptions, SIZE};
use crate::color::Color;
use crate::decode::{Image, parse_trusted_svg};
use crate::face::built_in;

const WHITE: Color = Color(255, 255, 255);
const BLACK: Color = Color(11, 13, 18);
/// Maximum width and height of the logo in pixels.
const MAX_LOGO_SIZE: (f32, f32) = (420.0, 60.0);

/// The background of all cards, with text colors that are readable on it.
#[derive(Debug)]
pub(super) struct Background {
    pub(super) pixmap: Pixmap,
    pub(super) ink: Color,
    pub(super) accent: Color,
    pub(super) has_logo: bool,
}

impl Background {
    pub(super) fn render(options: &OgImageOptions) -> Option<Self> {
        let mut pixmap = Pixmap::new(SIZE.0, SIZE.1)?;
        let under = match options.appearance {
            Some(Appearance::Light) => WHITE,
            Some(Appearance::Dark) => BLACK,
            None => options.primary,
        };
        fill(&mut pixmap, under, options);
        if let Some(background) = &options.background {
            let bounds = (SIZE.0 as f32, SIZE.1 as f32);
            background.render(&mut pixmap, (0.0, 0.0), bounds, true);
        }
        let dark = match (options.appearance, &options.background) {
            (Some(appearance), _) => appearance == Appearance::Dark,
            // The text color depends on the brightness of the image.
            (None, _) => mean_color(&pixmap).is_dark(),
        };
        let (ink, tint) = if dark {
            (WHITE, options.light)
        } else {
            (BLACK, options.primary)
        };
        let own = options.appearance.is_some() || options.background.is_some();
        // The accent would be invisible on a background of the same color.
        let accent = if own {
            ensure_contrast(tint, dark)
        } else {
            ink.mixed(under, 22)
        };
        let mut ground = Self {
            pixmap,
            ink,
            accent,
            has_logo: false,
        };
        if let Some((bright, night)) = &options.logos {
            ground.has_logo = ground.add_logo(if dark { night } else { bright });
        }
        Some(ground)
    }

    /// Renders the logo. Returns `false` if it has no size.
    fn add_logo(&mut self, logo: &Image) -> bool {
        let (width, height) = logo.size();
        if !(width > 0.0 && height > 0.0) {
            return false;
        }
        let scale = (MAX_LOGO_SIZE.0 / width).min(MAX_LOGO_SIZE.1 / height);
        let bounds = (width * scale, height * scale);
        logo.render(&mut self.pixmap, (MARGIN, 74.0), bounds, false);
        true
    }
}

/// Adjusts a color until it has enough contrast on the background.
fn ensure_contrast(color: Color, dark: bool) -> Color {
    let (target, enough): (Color, fn(Color) -> bool) = if dark {
        (WHITE, |color| color.luminance() > 0.28)
    } else {
        (Color(0, 0, 0), |color| color.luminance() < 0.16)
    };
    (0..=20)
        .map(|step| color.mixed(target, step * 5))
        .find(|color| enough(*color))
        .unwrap_or(target)
}

/// Fills the background with the colors of the site and a soft light in two corners.
fn fill(pixmap: &mut Pixmap, under: Color, options: &OgImageOptions) {
    let (glow, strength) = match options.appearance {
        Some(Appearance::Light) => (options.primary, 0.20),
        Some(Appearance::Dark) => (options.light, 0.26),
        None => (options.primary.mixed(WHITE, 55), 0.45),
    };
    let (under, glow) = (under.hex(), glow.hex());
    let (width, height) = SIZE;
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\"><defs><radialGradient id=\"a\" cx=\"1\" cy=\"0\" r=\".85\"><stop stop-color=\"{glow}\" stop-opacity=\"{strength}\"/><stop offset=\"1\" stop-color=\"{glow}\" stop-opacity=\"0\"/></radialGradient></defs><rect width=\"{width}\" height=\"{height}\" fill=\"{under}\"/><rect width=\"{width}\" height=\"{height}\" fill=\"url(#a)\"/></svg>"
    );
    if let Some(tree) = parse_trusted_svg(&svg, built_in().database()) {
        resvg::render(&tree, Transform::identity(), &mut pixmap.as_mut());
    }
}

/// Mean color of the left half, where the text is placed.
fn mean_color(pixmap: &Pixmap) -> Color {
    let (mut sum, mut count) = ([0_u64; 3], 0_u64);
    for (at, point) in pixmap.pixels().iter().enumerate().step_by(37) {
        if at as u32 % SIZE.0 < SIZE.0 / 2 {
            sum[0] += u64::from(point.red());
            sum[1] += u64::from(point.green());
            sum[2] += u64::from(point.blue());
            count += 1;
        }
    }
    let part = |at: usize| u8::try_from(sum[at] / count.max(1)).unwrap_or(u8::MAX);
    Color(part(0), part(1), part(2))
}
