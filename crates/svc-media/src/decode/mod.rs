//! Decoding images within limits.

use std::io::Cursor;
use std::sync::Arc;

use image::{DynamicImage, ImageFormat, ImageReader, Limits, imageops::FilterType};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{ImageKind, Options, Tree, fontdb, roxmltree};

use crate::cost::{self, MAX_COST};

/// Maximum size of a file in bytes.
const MAX_FILE_BYTES: usize = 16 << 20;
/// Maximum size of an SVG file in bytes.
const MAX_SVG_BYTES: usize = 2 << 20;
/// Maximum number of pixels; each takes four bytes.
const MAX_PIXELS: u64 = 20_000_000;
/// Maximum width and height in pixels.
const MAX_SIDE: u32 = 12_000;
/// Maximum memory for decoding an image, in bytes.
pub(crate) const MAX_MEMORY: u64 = 128 << 20;
/// Maximum number of XML nodes of an SVG, after expansion of entities.
const MAX_NODES: u32 = 200_000;

/// Why an image or font cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MediaError {
    /// The file format is not supported.
    #[error("not a PNG, JPEG, WebP, GIF, ICO or SVG file")]
    UnknownFormat,
    /// The file exceeds a limit.
    #[error("too large: {0}")]
    TooLarge(String),
    /// The file is invalid.
    #[error("cannot be decoded: {0}")]
    Invalid(String),
    /// Rendering exceeded the time limit.
    #[error("rendering takes too long")]
    Timeout,
}

/// A decoded image.
#[derive(Debug, Clone)]
pub struct Image(Kind);

#[derive(Debug, Clone)]
enum Kind {
    Svg(Arc<Tree>),
    Raster(Arc<Pixmap>),
}

impl Image {
    /// Reads PNG, JPEG, WebP, GIF (the first frame), ICO and SVG.
    ///
    /// # Errors
    /// When the format is not supported, or the file is invalid or exceeds a limit. The dimensions
    /// are checked before pixels are decoded.
    pub fn read(bytes: &[u8]) -> Result<Self, MediaError> {
        Self::read_with(bytes, &Arc::default())
    }

    pub(crate) fn read_with(
        bytes: &[u8],
        fonts: &Arc<fontdb::Database>,
    ) -> Result<Self, MediaError> {
        if bytes.len() > MAX_FILE_BYTES {
            return Err(MediaError::TooLarge(format!("{} bytes", bytes.len())));
        }
        if is_svg(bytes) {
            return parse_svg(bytes, fonts).map(|tree| Self(Kind::Svg(Arc::new(tree))));
        }
        let image = decode_raster(bytes)?.into_rgba8();
        let (width, height) = image.dimensions();
        let mut pixmap = Pixmap::new(width, height).ok_or(MediaError::UnknownFormat)?;
        for (to, from) in pixmap.pixels_mut().iter_mut().zip(image.pixels()) {
            let [r, g, b, a] = from.0;
            *to = resvg::tiny_skia::ColorU8::from_rgba(r, g, b, a).premultiply();
        }
        Ok(Self(Kind::Raster(Arc::new(pixmap))))
    }

    /// Checks the format and the dimensions without decoding the image.
    ///
    /// # Errors
    /// Same as [`Image::read`], except that invalid pixel data is not detected.
    pub fn check(bytes: &[u8]) -> Result<(), MediaError> {
        if bytes.len() > MAX_FILE_BYTES {
            return Err(MediaError::TooLarge(format!("{} bytes", bytes.len())));
        }
        if is_svg(bytes) {
            return Self::read(bytes).map(drop);
        }
        dimensions(bytes).map(drop)
    }

    /// Whether the bytes are an SVG, which browsers scale to any size.
    pub fn is_svg(bytes: &[u8]) -> bool {
        is_svg(bytes)
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (f32, f32) {
        match &self.0 {
            Kind::Svg(tree) => (tree.size().width(), tree.size().height()),
            Kind::Raster(pixmap) => (pixmap.width() as f32, pixmap.height() as f32),
        }
    }

    /// Renders the image into a box at `at`: scaled to fit, or (`cover`) scaled to fill the box.
    pub(crate) fn render(
        &self,
        onto: &mut Pixmap,
        at: (f32, f32),
        bounds: (f32, f32),
        cover: bool,
    ) {
        let (width, height) = self.size();
        let (across, down) = (bounds.0 / width, bounds.1 / height);
        let scale = if cover {
            across.max(down)
        } else {
            across.min(down)
        };
        let x = at.0 + (bounds.0 - width * scale) / 2.0;
        let y = at.1 + (bounds.1 - height * scale) / 2.0;
        match &self.0 {
            Kind::Svg(tree) => {
                let transform = Transform::from_row(scale, 0.0, 0.0, scale, x, y);
                resvg::render(tree, transform, &mut onto.as_mut());
            }
            Kind::Raster(pixmap) => {
                // Downscaling by an integer factor first keeps small icons sharp.
                let target = |side: f32| (side * scale).round().max(1.0) as u32;
                let scaled = resample(pixmap, target(width), target(height));
                let paint = resvg::tiny_skia::PixmapPaint::default();
                let (x, y) = (x.round() as i32, y.round() as i32);
                let source = scaled.as_ref().unwrap_or(pixmap).as_ref();
                onto.draw_pixmap(x, y, source, &paint, Transform::identity(), None);
            }
        }
    }
}

/// A resized copy; `None` if the size is unchanged.
fn resample(pixmap: &Pixmap, width: u32, height: u32) -> Option<Pixmap> {
    let (width, height) = (width.min(4_096), height.min(4_096));
    if (width, height) == (pixmap.width(), pixmap.height()) {
        return None;
    }
    let data = pixmap.data().to_vec();
    let image = image::RgbaImage::from_raw(pixmap.width(), pixmap.height(), data)?;
    let image = image::imageops::resize(&image, width, height, FilterType::CatmullRom);
    let size = resvg::tiny_skia::IntSize::from_wh(width, height)?;
    let mut data = image.into_raw();
    // Overshoot of the filter must not make premultiplied colors exceed their alpha.
    for point in data.chunks_exact_mut(4) {
        if let [r, g, b, a] = point {
            (*r, *g, *b) = ((*r).min(*a), (*g).min(*a), (*b).min(*a));
        }
    }
    Pixmap::from_vec(data, size)
}

/// Whether the bytes look like SVG.
fn is_svg(bytes: &[u8]) -> bool {
    let start = bytes.get(..4_096).unwrap_or(bytes);
    let start = String::from_utf8_lossy(start);
    start
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('<')
        && start.contains("<svg")
}

fn parse_svg(bytes: &[u8], fonts: &Arc<fontdb::Database>) -> Result<Tree, MediaError> {
    if bytes.len() > MAX_SVG_BYTES {
        return Err(MediaError::TooLarge(format!(
            "{} bytes of SVG",
            bytes.len()
        )));
    }
    let text =
        std::str::from_utf8(bytes).map_err(|_| MediaError::Invalid("invalid UTF-8".into()))?;
    let broken = |error: &dyn std::fmt::Display| MediaError::Invalid(error.to_string());
    let reading = roxmltree::ParsingOptions {
        allow_dtd: true,
        nodes_limit: MAX_NODES,
        ..roxmltree::ParsingOptions::default()
    };
    let document =
        roxmltree::Document::parse_with_options(text, reading).map_err(|error| broken(&error))?;
    match cost::cost(&document) {
        Ok(cost) if cost <= MAX_COST => {}
        Ok(_) => {
            let reason = format!("its cost exceeds {MAX_COST} elements");
            return Err(MediaError::TooLarge(reason));
        }
        Err(reason) => return Err(MediaError::TooLarge(reason.into())),
    }
    let mut options = Options {
        font_family: "Noto Sans".to_owned(),
        fontdb: Arc::clone(fonts),
        ..Options::default()
    };
    options.image_href_resolver.resolve_data = Box::new(|kind, data, _| {
        dimensions(&data).ok()?;
        match kind {
            "image/png" => Some(ImageKind::PNG(data)),
            "image/jpeg" | "image/jpg" => Some(ImageKind::JPEG(data)),
            "image/webp" => Some(ImageKind::WEBP(data)),
            _ => None,
        }
    });
    // External files are not read.
    options.image_href_resolver.resolve_string = Box::new(|_, _| None);
    let tree = Tree::from_xmltree(&document, &options).map_err(|error| broken(&error))?;
    Ok(tree)
}

/// Reads the format and the dimensions from the header and checks the limits.
fn dimensions(bytes: &[u8]) -> Result<(ImageFormat, u32, u32), MediaError> {
    let format = image::guess_format(bytes).map_err(|_| MediaError::UnknownFormat)?;
    let reader = ImageReader::with_format(Cursor::new(bytes), format);
    let (width, height) = reader
        .into_dimensions()
        .map_err(|error| MediaError::Invalid(error.to_string()))?;
    let points = u64::from(width) * u64::from(height);
    if points > MAX_PIXELS || width > MAX_SIDE || height > MAX_SIDE {
        return Err(MediaError::TooLarge(format!("{width} × {height} pixels")));
    }
    if points == 0 {
        return Err(MediaError::Invalid("it has no pixels".into()));
    }
    Ok((format, width, height))
}

fn decode_raster(bytes: &[u8]) -> Result<DynamicImage, MediaError> {
    reader(bytes)?
        .decode()
        .map_err(|error| MediaError::Invalid(error.to_string()))
}

/// Creates a decoder with limits.
pub(crate) fn reader(bytes: &[u8]) -> Result<ImageReader<Cursor<&[u8]>>, MediaError> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(MediaError::TooLarge(format!("{} bytes", bytes.len())));
    }
    let (format, ..) = dimensions(bytes)?;
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_MEMORY);
    reader.limits(limits);
    Ok(reader)
}

/// Parses an SVG that was generated by this crate.
pub(crate) fn parse_trusted_svg(svg: &str, fonts: &Arc<fontdb::Database>) -> Option<Tree> {
    let options = Options {
        font_family: "Noto Sans".to_owned(),
        fontdb: Arc::clone(fonts),
        ..Options::default()
    };
    Tree::from_str(svg, &options).ok()
}

#[cfg(test)]
mod tests;
