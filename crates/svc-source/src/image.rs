//! Image dimensions, read from the header of a file.

/// Maximum number of bytes read from a file. The dimensions in a JPEG follow its comments.
pub(crate) const MAX_HEADER_BYTES: u64 = 64 << 10;

/// File extensions of the formats that [`size`] supports.
pub(crate) const EXTENSIONS: [&str; 6] = ["png", "jpg", "jpeg", "gif", "webp", "svg"];

/// Returns width and height in pixels, or `None` if the format is unknown or the header is invalid.
pub(crate) fn size(head: &[u8]) -> Option<(u32, u32)> {
    let dimensions = match head {
        [0x89, b'P', ..] | [b'G', b'I', ..] | [0xff, 0xd8, ..] | [b'R', b'I', ..] => raster(head),
        _ => std::str::from_utf8(head.get(..head.len().min(8 << 10))?)
            .or_else(|error| std::str::from_utf8(head.get(..error.valid_up_to()).unwrap_or(&[])))
            .ok()
            .and_then(svg),
    };
    dimensions.filter(|(width, height)| {
        (1..=MAX_DIMENSION).contains(width) && (1..=MAX_DIMENSION).contains(height)
    })
}

/// Maximum width and height; larger values are treated as invalid.
const MAX_DIMENSION: u32 = 65_535;

/// Returns width and height of a PNG, GIF, JPEG or WebP image.
fn raster(head: &[u8]) -> Option<(u32, u32)> {
    let size = imagesize::blob_size(head).ok()?;
    Some((
        u32::try_from(size.width).ok()?,
        u32::try_from(size.height).ok()?,
    ))
}

/// Returns width and height of the SVG root element, or those of its `viewBox`.
fn svg(text: &str) -> Option<(u32, u32)> {
    let tag = text.get(text.find("<svg")?..)?;
    let tag = tag.get(..tag.find('>')?)?;
    let value = |name: &str| {
        let mut rest = tag;
        loop {
            let at = rest.find(name)?;
            let preceding = rest.get(..at)?.chars().next_back()?;
            rest = rest.get(at + name.len()..)?;
            let quoted = rest.trim_start().strip_prefix('=').map(str::trim_start);
            if let Some(quoted) = quoted.filter(|_| preceding.is_whitespace()) {
                let quote = quoted.chars().next().filter(|c| matches!(c, '"' | '\''))?;
                return quoted.get(1..)?.split(quote).next();
            }
        }
    };
    let pixels = |name: &str| {
        let text = value(name)?.trim();
        parse_pixels(text.strip_suffix("px").unwrap_or(text))
    };
    if let (Some(width), Some(height)) = (pixels("width"), pixels("height")) {
        return Some((width, height));
    }
    let mut parts = value("viewBox")?
        .split([' ', ','])
        .filter(|part| !part.is_empty())
        .skip(2);
    Some((parse_pixels(parts.next()?)?, parse_pixels(parts.next()?)?))
}

/// Parses a number of pixels and rounds it.
fn parse_pixels(text: &str) -> Option<u32> {
    let number: f64 = text.parse().ok()?;
    let rounded = number.round();
    // There is no checked conversion from floats to integers, so the number is formatted and
    // parsed.
    format!("{rounded:.0}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dimensions_of_every_format_are_read() {
        let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        png.extend([0, 0, 1, 0, 0, 0, 0, 9]);
        assert_eq!(size(&png), Some((256, 9)));
        assert_eq!(size(b"GIF89a\x03\0\x04\0\0\0\0"), Some((3, 4)));
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x0b\x08\0\x05\0\x07";
        assert_eq!(size(jpeg), Some((7, 5)));
        let mut webp = b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0".to_vec();
        webp.extend([9, 0, 0, 19, 0, 0]);
        assert_eq!(size(&webp), Some((10, 20)));
        for (svg, expected) in [
            ("<?xml?><svg width='12px' height=\"7.6\">", Some((12, 8))),
            (
                "<svg stroke-width=\"2\" viewBox=\"0 0 24,48\" width=\"100%\">",
                Some((24, 48)),
            ),
            ("<svg width=\"1em\" height=\"1em\">", None),
            ("<svg width", None),
            ("no drawing", None),
        ] {
            assert_eq!(size(svg.as_bytes()), expected, "{svg}");
        }
    }

    #[test]
    fn invalid_headers_have_no_dimensions() {
        for head in [
            &b""[..],
            b"\x89PNG",
            b"\xff\xd8\xff",
            b"\xff\xd8\xff\xe0\0\0\xff\xe0\0\0",
            b"RIFF\0\0\0\0WEBPVP8 ",
            b"GIF89a\0\0\0\0",
            b"\xfe\xff",
        ] {
            assert_eq!(size(head), None, "{head:?}");
        }
    }
}
