//! Open Graph images: the preview of a page in link previews, 1200 by 630 pixels.

mod background;
mod lines;
mod options;

use std::fmt::Write as _;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder as _};
use resvg::tiny_skia::{Pixmap, Transform};

use crate::decode::parse_trusted_svg;
use crate::face::Faces;

use background::Background;
pub(crate) use lines::wrap_lines;
use options::MARGIN;
pub(crate) use options::SIZE;
pub use options::{Appearance, OgImageOptions};

/// Maximum number of characters of a text that are used.
const MAX_TEXT: usize = 600;

/// Content of a card.
#[derive(Debug, Clone, Copy)]
pub struct OgImage<'a> {
    /// Title of the page.
    pub title: &'a str,
    /// Description below the title.
    pub description: Option<&'a str>,
    /// Section of the page, above the title.
    pub section: Option<&'a str>,
    /// Whether the text is right-to-left.
    pub right_to_left: bool,
}

/// Renders the cards of a site. The shared background is rendered once.
#[derive(Debug)]
pub struct OgImageRenderer {
    faces: Faces,
    background: Background,
    name: Option<String>,
    /// Whether the background is an image of the site.
    has_background_image: bool,
}

impl OgImageRenderer {
    /// Renders the background. Returns `None` only if there is not enough memory.
    pub fn new(options: OgImageOptions) -> Option<Self> {
        let faces = Faces::new(options.faces.clone());
        let ground = Background::render(&options)?;
        let name = (!ground.has_logo)
            .then(|| renderable_text(&options.name, &faces))
            .flatten();
        Some(Self {
            faces,
            background: ground,
            name,
            has_background_image: options.background.is_some(),
        })
    }

    /// Renders a card as PNG. Returns `None` if encoding fails.
    ///
    /// Characters that no font contains are omitted, as are texts that consist mostly of such
    /// characters. The built-in font contains Latin, Greek and Cyrillic letters.
    pub fn render(&self, card: &OgImage<'_>) -> Option<Vec<u8>> {
        let mut pixmap = self.background.pixmap.clone();
        self.render_text(&mut pixmap, card);
        match self.has_background_image {
            true => pixmap.encode_png().ok(),
            false => encode_flat(&pixmap),
        }
    }

    fn render_text(&self, pixmap: &mut Pixmap, card: &OgImage<'_>) {
        let svg = self.text_svg(card);
        if let Some(tree) = parse_trusted_svg(&svg, self.faces.database()) {
            resvg::render(&tree, Transform::identity(), &mut pixmap.as_mut());
        }
    }

    /// SVG with all texts of a card.
    fn text_svg(&self, card: &OgImage<'_>) -> String {
        let mut page = Writer {
            faces: &self.faces,
            right_to_left: card.right_to_left,
            svg: format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\">",
                SIZE.0, SIZE.1
            ),
        };
        let ink = self.background.ink.hex();
        let accent = self.background.accent.hex();
        if let Some(name) = &self.name {
            let style = Style::new(34.0, 700, &ink, 1.0);
            page.lines(&[lines::truncate(name, 40)], 118.0, &style);
        }
        let title = card.title.trim();
        let large = Style::new(68.0, 700, &ink, 1.0);
        let small = Style::new(54.0, 700, &ink, 1.0);
        let first = page.wrap(title, &large, 4);
        let (title, style) = if first.len() > 2 {
            (page.wrap(title, &small, 3), small)
        } else {
            (first, large)
        };
        let quiet = Style::new(31.0, 400, &ink, 0.74);
        let max_lines = if title.len() > 2 { 2 } else { 3 };
        let description = page.wrap(card.description.unwrap_or_default(), &quiet, max_lines);
        let height = |lines: usize, style: &Style<'_>| lines as f32 * style.line_height();
        // The text block is aligned with the bottom margin.
        let mut y = SIZE.1 as f32 - MARGIN;
        y -= height(description.len(), &quiet);
        page.lines(&description, y + quiet.size, &quiet);
        if !description.is_empty() {
            y -= 22.0;
        }
        y -= height(title.len(), &style);
        page.lines(&title, y + style.size * 0.95, &style);
        let section = Style::new(28.0, 700, &accent, 1.0);
        let name = page.wrap(card.section.unwrap_or_default(), &section, 1);
        page.lines(&name, y - 18.0, &section);
        page.svg.push_str("</svg>");
        page.svg
    }
}

/// Removes characters that no font contains. Returns `None` if too little of the text is left.
pub(crate) fn renderable_text(text: &str, faces: &Faces) -> Option<String> {
    let mut out = String::new();
    let (mut retained, mut lost) = (0_usize, 0_usize);
    for c in text.chars().take(MAX_TEXT) {
        if c.is_whitespace() {
            out.push(' ');
        } else if c.is_control() {
        } else if faces.has_glyph(c) {
            retained += 1;
            out.push(c);
        } else if c.is_alphanumeric() {
            lost += 1;
        }
    }
    let segments: Vec<&str> = out.split_whitespace().collect();
    (retained > 0 && lost * 3 <= retained).then(|| segments.join(" "))
}

/// Style of a text.
struct Style<'a> {
    size: f32,
    weight: u16,
    color: &'a str,
    opacity: f32,
}

impl<'a> Style<'a> {
    const fn new(size: f32, weight: u16, color: &'a str, opacity: f32) -> Self {
        Self {
            size,
            weight,
            color,
            opacity,
        }
    }

    fn line_height(&self) -> f32 {
        self.size * if self.size > 40.0 { 1.18 } else { 1.38 }
    }
}

struct Writer<'a> {
    faces: &'a Faces,
    right_to_left: bool,
    svg: String,
}

impl Writer<'_> {
    /// Wraps a text into at most `max` lines. The last line ends in an ellipsis if the text is
    /// longer.
    fn wrap(&self, text: &str, style: &Style<'_>, max_lines: usize) -> Vec<String> {
        let Some(text) = renderable_text(text, self.faces) else {
            return Vec::new();
        };
        let width = |c: char| self.faces.advance(c).unwrap_or(0.5) * style.size;
        // Widths are measured without kerning, so some space is reserved.
        wrap_lines(&text, width, SIZE.0 as f32 - 2.0 * MARGIN - 24.0, max_lines)
    }

    fn lines(&mut self, lines: &[String], first: f32, style: &Style<'_>) {
        let (x, anchor) = if self.right_to_left {
            (SIZE.0 as f32 - MARGIN, "end")
        } else {
            (MARGIN, "start")
        };
        for (at, line) in lines.iter().enumerate() {
            let y = first + at as f32 * style.line_height();
            let _ = write!(
                self.svg,
                "<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-family=\"{}\" font-size=\"{}\" font-weight=\"{}\" fill=\"{}\" fill-opacity=\"{}\">{}</text>",
                self.faces.families(),
                style.size,
                style.weight,
                style.color,
                style.opacity,
                escape(line),
            );
        }
    }
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Encodes a card of flat colors and text as PNG without filters, because rows repeat. Takes less
/// than half the time and two thirds of the bytes of [`Pixmap::encode_png`].
pub(crate) fn encode_flat(pixmap: &Pixmap) -> Option<Vec<u8>> {
    let pixels = pixmap.pixels().iter();
    if pixels.clone().any(|pixel| pixel.alpha() != u8::MAX) {
        return pixmap.encode_png().ok();
    }
    let pixels: Vec<u8> = pixels
        .flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()])
        .collect();
    let (width, height) = (pixmap.width(), pixmap.height());
    let mut out = Vec::new();
    let (compression, filter) = (CompressionType::Default, FilterType::NoFilter);
    PngEncoder::new_with_quality(&mut out, compression, filter)
        .write_image(&pixels, width, height, ExtendedColorType::Rgb8)
        .ok()?;
    Some(out)
}

#[cfg(test)]
mod tests;
