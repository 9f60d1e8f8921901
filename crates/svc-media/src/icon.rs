//! Icons: an image in the sizes that browsers and devices request.

use std::sync::Arc;

use resvg::tiny_skia::{self, Pixmap};

use crate::color::Color;
use crate::decode::{Image, parse_trusted_svg};

/// Sizes of the images in a `favicon.ico`, in pixels.
pub const ICO_SIZES: [u16; 3] = [16, 32, 48];

/// Maximum side length of an icon in pixels.
const MAX_ICON_SIZE: u16 = 1_024;

/// Renders an image as a square PNG; `opaque` adds a white background, for devices without
/// transparency. Returns `None` if rendering fails.
pub fn png_icon(image: &Image, size: u16, opaque: bool) -> Option<Vec<u8>> {
    let size = size.clamp(1, MAX_ICON_SIZE);
    let mut pixmap = Pixmap::new(size.into(), size.into())?;
    let side = f32::from(size);
    // Rounded corners would cut off an image without padding.
    let inner = if opaque { side * 0.84 } else { side };
    if opaque {
        pixmap.fill(tiny_skia::Color::WHITE);
    }
    let start = (side - inner) / 2.0;
    image.render(&mut pixmap, (start, start), (inner, inner), false);
    pixmap.encode_png().ok()
}

/// Renders an image as an ICO file with the sizes of [`ICO_SIZES`]. Returns `None` if rendering
/// fails.
pub fn ico(image: &Image) -> Option<Vec<u8>> {
    let images: Option<Vec<Vec<u8>>> = ICO_SIZES
        .iter()
        .map(|size| png_icon(image, *size, false))
        .collect();
    let images = images?;
    let count = u16::try_from(images.len()).ok()?;
    let mut out = vec![0, 0, 1, 0];
    out.extend(count.to_le_bytes());
    let mut at = 6 + 16 * u32::from(count);
    for (size, png) in ICO_SIZES.iter().zip(&images) {
        let side = u8::try_from(*size).unwrap_or(0);
        let length = u32::try_from(png.len()).ok()?;
        // Width, height, no palette, reserved; one plane, 32 bits per pixel.
        out.extend([side, side, 0, 0, 1, 0, 32, 0]);
        out.extend(length.to_le_bytes());
        out.extend(at.to_le_bytes());
        at = at.checked_add(length)?;
    }
    images.iter().for_each(|png| out.extend(png));
    Some(out)
}

/// Renders the icon of a site without one: its initial on the accent color, as SVG. The letter is
/// an outline, so that it looks the same everywhere.
pub fn initial_icon(name: &str, accent: Color) -> String {
    let fonts = crate::face::built_in();
    let letter = name
        .chars()
        .find(|c| c.is_alphanumeric() && fonts.has_glyph(*c))
        .map(|c| c.to_uppercase().next().unwrap_or(c));
    let ink = if accent.is_dark() { "#fff" } else { "#0c0e11" };
    let (top, bottom) = (
        accent.mixed(Color(255, 255, 255), 14).hex(),
        accent.mixed(Color(0, 0, 0), 12).hex(),
    );
    let shape = match letter {
        Some(letter) => format!(
            "<text x=\"32\" y=\"46.5\" text-anchor=\"middle\" font-family=\"Noto Sans\" font-size=\"40\" font-weight=\"700\" fill=\"{ink}\">{letter}</text>"
        ),
        // The built-in font does not contain the letter, so lines of text are shown.
        None => format!(
            "<path d=\"M17 20h30M17 32h30M17 44h18\" stroke=\"{ink}\" stroke-width=\"6\" stroke-linecap=\"round\"/>"
        ),
    };
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 64 64\" width=\"64\" height=\"64\"><defs><linearGradient id=\"a\" x2=\"0\" y2=\"1\"><stop stop-color=\"{top}\"/><stop offset=\"1\" stop-color=\"{bottom}\"/></linearGradient></defs><rect width=\"64\" height=\"64\" rx=\"15\" fill=\"url(#a)\"/>{shape}</svg>"
    );
    let outlined = parse_trusted_svg(&svg, &Arc::clone(fonts.database())).map(|tree| {
        let options = resvg::usvg::WriteOptions {
            preserve_text: false,
            indent: resvg::usvg::Indent::None,
            ..resvg::usvg::WriteOptions::default()
        };
        tree.to_string(&options)
    });
    outlined.unwrap_or(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GREEN: &[u8] =
        b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><rect width='8' height='8' fill='#00ff00'/></svg>";

    fn green() -> Image {
        Image::read(GREEN).expect("an SVG")
    }

    #[test]
    fn an_icon_has_the_requested_size() {
        let png = png_icon(&green(), 32, false).expect("it can be rendered");
        let image = image::load_from_memory(&png)
            .expect("an image")
            .into_rgba8();
        assert_eq!(image.dimensions(), (32, 32));
        assert_eq!(image.get_pixel(16, 16).0, [0, 255, 0, 255]);
        let opaque = png_icon(&green(), 180, true).expect("it can be rendered");
        let image = image::load_from_memory(&opaque)
            .expect("an image")
            .into_rgba8();
        assert_eq!(image.get_pixel(0, 0).0, [255, 255, 255, 255]);
        assert_eq!(image.get_pixel(90, 90).0, [0, 255, 0, 255]);
    }

    #[test]
    fn an_ico_file_contains_three_sizes() {
        let file = ico(&green()).expect("it can be rendered");
        assert_eq!(file[..6], [0, 0, 1, 0, 3, 0]);
        let back = image::load_from_memory_with_format(&file, image::ImageFormat::Ico);
        assert_eq!(back.expect("it is an icon").width(), 48);
    }

    #[test]
    fn a_site_without_an_icon_gets_its_initial_as_an_outline() {
        let svg = initial_icon("\u{1f680} übung", Color(20, 60, 200));
        assert!(svg.contains("<path") && !svg.contains("<text"), "{svg}");
        assert_ne!(svg, initial_icon("Acme", Color(20, 60, 200)));
        let lines = initial_icon("文档", Color(250, 250, 80));
        assert!(lines.contains("#0c0e11"), "{lines}");
        assert!(Image::read(lines.as_bytes()).is_ok());
    }
}
