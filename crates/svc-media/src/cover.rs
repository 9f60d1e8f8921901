//! Covers of books, 1600 by 2400 pixels.

use std::fmt::Write as _;

use resvg::tiny_skia::{Pixmap, Transform};

use crate::color::Color;
use crate::decode::parse_trusted_svg;
use crate::face::built_in;
use crate::og_image::{encode_flat, escape, renderable_text, wrap_lines};

const SIZE: (u32, u32) = (1600, 2400);
const MARGIN: f32 = 150.0;
const TITLE_SIZE: f32 = 150.0;
const MAX_TITLE_LINES: usize = 7;

/// Renders a cover as PNG: the title on a color, and a line of small text at the bottom. Returns
/// `None` if the built-in font lacks the letters of the title, or if there is not enough memory.
///
/// ```
/// use svc_media::{Color, cover};
///
/// let png = cover("Acme Docs", "2026-11-27", Color(10, 125, 79)).unwrap();
/// assert!(png.starts_with(b"\x89PNG"));
/// ```
pub fn cover(title: &str, note: &str, color: Color) -> Option<Vec<u8>> {
    let faces = built_in();
    let title = renderable_text(title, faces)?;
    let width = |c: char| faces.advance(c).unwrap_or(0.5) * TITLE_SIZE;
    // Bold letters are wider than measured.
    let max_width = (SIZE.0 as f32 - 2.0 * MARGIN) * 0.92;
    let lines = wrap_lines(&title, width, max_width, MAX_TITLE_LINES);
    let ink = if color.is_dark() {
        "#ffffff"
    } else {
        "#0b0d12"
    };
    let ((width, height), families) = (SIZE, faces.families());
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" fill=\"{ink}\" font-family=\"{families}\"><rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/><rect x=\"{MARGIN}\" y=\"420\" width=\"220\" height=\"16\"/>",
        color.hex(),
    );
    for (at, line) in lines.iter().enumerate() {
        let y = 640.0 + at as f32 * TITLE_SIZE * 1.2;
        let line = escape(line);
        let _ = write!(
            svg,
            "<text x=\"{MARGIN}\" y=\"{y}\" font-size=\"{TITLE_SIZE}\" font-weight=\"700\">{line}</text>"
        );
    }
    let note = renderable_text(note, faces).unwrap_or_default();
    let _ = write!(
        svg,
        "<text x=\"{MARGIN}\" y=\"2250\" font-size=\"52\">{}</text></svg>",
        escape(&note)
    );
    let mut pixmap = Pixmap::new(SIZE.0, SIZE.1)?;
    let tree = parse_trusted_svg(&svg, faces.database())?;
    resvg::render(&tree, Transform::identity(), &mut pixmap.as_mut());
    encode_flat(&pixmap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_have_the_color_of_the_site_and_a_readable_title() {
        let pixels = |title: &str, color: Color| {
            let png = cover(title, "2026-11-27", color).unwrap();
            image::load_from_memory(&png).unwrap().to_rgb8()
        };
        for (color, ink) in [
            (Color(10, 125, 79), [255, 255, 255]),
            (Color(250, 240, 200), [11, 13, 18]),
        ] {
            let page = pixels(
                "A <long> title & its words that fill several lines of it",
                color,
            );
            assert_eq!(page.dimensions(), SIZE);
            assert_eq!(page.get_pixel(5, 5).0, [color.0, color.1, color.2]);
            let inked = |(_, y, pixel): &(u32, u32, &image::Rgb<u8>)| *y > 460 && pixel.0 == ink;
            let text: Vec<_> = page.enumerate_pixels().filter(inked).collect();
            // Inside of the margins.
            assert!(text.len() > 10_000, "{}", text.len());
            assert!(text.iter().all(|(x, ..)| (140..1460).contains(x)));
        }
        assert_eq!(cover("文書", "", Color(0, 0, 0)), None);
    }
}
