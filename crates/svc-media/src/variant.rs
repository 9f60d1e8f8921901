//! Narrower variants of raster images, for small screens.
//!
//! Lossless images stay lossless: PNG and lossless WebP become lossless WebP. Lossy images become
//! JPEG, because their lossless variants would be larger than the original.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::webp::WebPEncoder;
use image::imageops::{self, FilterType};
use image::metadata::Orientation;
use image::{DynamicImage, ExtendedColorType, ImageDecoder as _, ImageEncoder, RgbaImage};

use crate::MediaError;
use crate::decode::{MAX_MEMORY, reader};

/// JPEG quality, 0 to 100.
const JPEG_QUALITY: u8 = 80;
/// Maximum size of a copied color profile in bytes. Those of displays have a few thousand bytes.
const MAX_PROFILE_BYTES: usize = 64 << 10;

/// Format of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariantFormat {
    /// JPEG, lossy.
    Jpeg,
    /// WebP, lossless.
    WebP,
}

impl VariantFormat {
    /// Format of the variants of a PNG, JPEG or WebP file. Returns `None` for other formats and for
    /// animations, of which a variant would show one frame. Only the structure of the file is read.
    pub fn for_file(file: &[u8]) -> Option<Self> {
        match file {
            [0x89, b'P', b'N', b'G', ..] => (!is_animated_png(file)).then_some(Self::WebP),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [b'R', b'I', b'F', b'F', ..] => webp_format(file),
            _ => None,
        }
    }

    /// File name extension.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::WebP => "webp",
        }
    }

    /// Parses a file name extension. Returns `None` for any other text.
    pub fn from_extension(extension: &str) -> Option<Self> {
        let all = [Self::Jpeg, Self::WebP];
        all.into_iter().find(|item| item.extension() == extension)
    }

    /// Media type.
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::WebP => "image/webp",
        }
    }
}

/// Whether an `acTL` chunk precedes the image data.
fn is_animated_png(file: &[u8]) -> bool {
    let mut rest = file.get(8..).unwrap_or_default();
    while let Some((length, kind)) = rest.get(..4).zip(rest.get(4..8)) {
        match kind {
            b"acTL" => return true,
            b"IDAT" => return false,
            _ => {}
        }
        let length = length
            .iter()
            .fold(0, |sum, byte| sum << 8 | usize::from(*byte));
        rest = rest.get(length.saturating_add(12)..).unwrap_or_default();
    }
    false
}

fn webp_format(file: &[u8]) -> Option<VariantFormat> {
    const ANIMATION: u8 = 0x02;
    const ALPHA: u8 = 0x10;
    let mut rest = file.get(12..)?;
    while let Some((kind, length)) = rest.get(..4).zip(rest.get(4..8)) {
        match kind {
            b"VP8 " => return Some(VariantFormat::Jpeg),
            b"VP8L" => return Some(VariantFormat::WebP),
            b"VP8X" => match rest.get(8)? {
                flags if flags & ANIMATION != 0 => return None,
                // JPEG has no transparency.
                flags if flags & ALPHA != 0 => return Some(VariantFormat::WebP),
                _ => {}
            },
            _ => {}
        }
        let length = length
            .iter()
            .rev()
            .fold(0, |sum, byte| sum << 8 | usize::from(*byte));
        let padded = length.saturating_add(length % 2).saturating_add(8);
        rest = rest.get(padded..).unwrap_or_default();
    }
    None
}

/// Encodes a variant of a raster image that is `width` pixels wide, in the format of
/// [`VariantFormat::for_file`].
///
/// # Errors
/// When the file has no variants, is invalid, or exceeds a limit.
pub fn variant(file: &[u8], width: u32) -> Result<Vec<u8>, MediaError> {
    let broken = |error: image::ImageError| MediaError::Invalid(error.to_string());
    let format = VariantFormat::for_file(file).ok_or(MediaError::UnknownFormat)?;
    let mut decoder = reader(file)?.into_decoder().map_err(broken)?;
    if decoder.total_bytes() > MAX_MEMORY {
        let reason = format!("{} bytes of pixels", decoder.total_bytes());
        return Err(MediaError::TooLarge(reason));
    }
    let profile = decoder.icc_profile().ok().flatten();
    let profile = profile.filter(|profile| is_rgb_profile(profile));
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut image = DynamicImage::from_decoder(decoder).map_err(broken)?;
    image.apply_orientation(orientation);
    let image = scale_to_width(image, width.max(1));
    let (width, height) = (image.width(), image.height());
    let mut out = Vec::new();
    let encoded = match format {
        VariantFormat::Jpeg => {
            let mut encoder = JpegEncoder::new_with_quality(&mut out, JPEG_QUALITY);
            add_profile(&mut encoder, profile);
            let points = image.into_rgb8();
            encoder.write_image(&points, width, height, ExtendedColorType::Rgb8)
        }
        VariantFormat::WebP => {
            let mut encoder = WebPEncoder::new_lossless(&mut out);
            add_profile(&mut encoder, profile);
            let color = ExtendedColorType::from(image.color());
            encoder.write_image(image.as_bytes(), width, height, color)
        }
    };
    encoded.map_err(broken)?;
    Ok(out)
}

/// Scales an image to a width, as RGB, or as RGBA if any pixel is transparent.
fn scale_to_width(image: DynamicImage, width: u32) -> DynamicImage {
    let scaled = u64::from(image.height()) * u64::from(width) / u64::from(image.width().max(1));
    let height = u32::try_from(scaled).unwrap_or(u32::MAX).max(1);
    let filter = FilterType::CatmullRom;
    if !image.color().has_alpha() {
        let image = image.into_rgb8();
        return imageops::resize(&image, width, height, filter).into();
    }
    let mut image = image.into_rgba8();
    if image.pixels().all(|point| point.0[3] == u8::MAX) {
        let image = DynamicImage::from(image).into_rgb8();
        return imageops::resize(&image, width, height, filter).into();
    }
    // Premultiplied, because colors of transparent pixels must not bleed into the edges.
    map_colors(&mut image, |color, alpha| color * alpha / 255);
    let mut image = imageops::resize(&image, width, height, filter);
    map_colors(&mut image, |color, alpha| match alpha {
        0 => 0,
        alpha => (color * 255 / alpha).min(255),
    });
    image.into()
}

/// Maps the color channels of all pixels with their alpha.
fn map_colors(image: &mut RgbaImage, change: impl Fn(u16, u16) -> u16) {
    for point in image.pixels_mut() {
        let [r, g, b, a] = point.0;
        let color = |color: u8| {
            let changed = change(color.into(), a.into());
            u8::try_from(changed).unwrap_or(u8::MAX)
        };
        point.0 = [color(r), color(g), color(b), a];
    }
}

/// Whether a color profile is for RGB images. Others do not apply to the converted pixels.
fn is_rgb_profile(profile: &[u8]) -> bool {
    profile.len() <= MAX_PROFILE_BYTES && profile.get(16..20) == Some(b"RGB ")
}

fn add_profile(encoder: &mut impl ImageEncoder, profile: Option<Vec<u8>>) {
    if let Some(profile) = profile {
        // An image without its profile has slightly different colors.
        let _ = encoder.set_icc_profile(profile);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{ImageFormat, Rgba};

    use super::*;

    fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut out = Cursor::new(Vec::new());
        image.write_to(&mut out, format).expect("written");
        out.into_inner()
    }

    /// An image with a red left half and a translucent blue right half.
    fn halves(width: u32, height: u32) -> DynamicImage {
        let point = |x, _| match x < width / 2 {
            true => Rgba([200, 10, 10, 255]),
            false => Rgba([0, 0, 255, 0]),
        };
        RgbaImage::from_fn(width, height, point).into()
    }

    #[test]
    fn variants_have_the_requested_width_and_the_colors_of_the_image() {
        let png = encoded(&halves(1_000, 600), ImageFormat::Png);
        let made = variant(&png, 480).expect("it is an image");
        assert_eq!(image::guess_format(&made).ok(), Some(ImageFormat::WebP));
        let read = image::load_from_memory(&made).expect("whole").into_rgba8();
        assert_eq!(read.dimensions(), (480, 288));
        assert_eq!(read.get_pixel(10, 10).0, [200, 10, 10, 255]);
        assert_eq!(read.get_pixel(470, 10).0[3], 0);
        // The blue of the transparent half must not bleed over the border. Colors of nearly
        // transparent pixels are imprecise.
        let mut seen = read.pixels().filter(|point| point.0[3] >= 100);
        assert!(seen.all(|point| point.0[2] <= 14));

        let plain = DynamicImage::from(halves(1_000, 600).into_rgb8());
        let made = variant(&encoded(&plain, ImageFormat::Jpeg), 320).expect("it is an image");
        assert_eq!(image::guess_format(&made).ok(), Some(ImageFormat::Jpeg));
        let read = image::load_from_memory(&made).expect("whole");
        assert_eq!((read.width(), read.height()), (320, 192));
        // 16 bits per channel, and grayscale.
        for odd in [
            DynamicImage::from(plain.to_rgb16()),
            DynamicImage::from(plain.to_luma8()),
        ] {
            assert!(variant(&encoded(&odd, ImageFormat::Png), 200).is_ok());
        }
        // Very wide and low.
        let thin = encoded(&halves(2_000, 1), ImageFormat::Png);
        let made = variant(&thin, 480).expect("it is an image");
        assert!(image::load_from_memory(&made).is_ok_and(|read| read.height() == 1));
    }

    #[test]
    fn color_profiles_are_copied() {
        let image = halves(100, 50).into_rgb8();
        let mut profile = vec![0; 128];
        profile[16..20].copy_from_slice(b"RGB ");
        let with = |profile: &[u8]| {
            let mut out = Vec::new();
            let mut encoder = image::codecs::png::PngEncoder::new(&mut out);
            encoder.set_icc_profile(profile.to_vec()).expect("taken");
            let color = ExtendedColorType::Rgb8;
            encoder
                .write_image(&image, 100, 50, color)
                .expect("written");
            out
        };
        let of = |file: &[u8]| {
            let made = variant(file, 40).expect("it is an image");
            let mut decoder = reader(&made).expect("read").into_decoder().expect("read");
            decoder.icc_profile().expect("read")
        };
        assert_eq!(of(&with(&profile)).as_ref(), Some(&profile));
        profile[16..20].copy_from_slice(b"CMYK");
        assert_eq!(of(&with(&profile)), None);
    }

    #[test]
    fn animations_and_other_formats_have_no_variants() {
        let png = encoded(&halves(8, 8), ImageFormat::Png);
        assert_eq!(VariantFormat::for_file(&png), Some(VariantFormat::WebP));
        // Frame data follows the signature and the header.
        let mut animated = png.clone();
        let chunk = b"\0\0\0\x08acTL\0\0\0\x02\0\0\0\0\0\0\0\0";
        animated.splice(33..33, chunk.iter().copied());
        assert_eq!(VariantFormat::for_file(&animated), None);
        let webp = |kind: &[u8], flags: u8, next: &[u8]| {
            let mut file = b"RIFF\0\0\0\0WEBP".to_vec();
            file.extend_from_slice(kind);
            file.extend([10, 0, 0, 0, flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            file.extend_from_slice(next);
            file.extend([0; 4]);
            VariantFormat::for_file(&file)
        };
        assert_eq!(webp(b"VP8 ", 0, b""), Some(VariantFormat::Jpeg));
        assert_eq!(webp(b"VP8L", 0, b""), Some(VariantFormat::WebP));
        assert_eq!(webp(b"VP8X", 0x02, b"VP8 "), None);
        assert_eq!(webp(b"VP8X", 0x10, b"ALPH"), Some(VariantFormat::WebP));
        assert_eq!(webp(b"VP8X", 0, b"VP8 "), Some(VariantFormat::Jpeg));
        for other in [&b""[..], b"GIF89a", b"<svg/>", b"RIFF", b"RIFF____WEBPVP8X"] {
            assert_eq!(VariantFormat::for_file(other), None);
            assert!(variant(other, 10).is_err());
        }
        assert!(variant(&png[..png.len() / 2], 4).is_err());
    }
}
