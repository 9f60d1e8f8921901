//! Images and fonts of a site, from bytes to bytes.
//!
//! [`Image`] decodes an image of a repository within limits and renders it at any size.
//! [`png_icon`] and [`ico`] create icons. [`OgImageRenderer::render`] renders the Open Graph image
//! of a page, [`cover`] the cover of a book. [`variant`] creates a narrower copy of a raster image.
//! [`Face`] reads the metrics of a font file. The crate reads no files and sends no requests.
//! Malicious input results in an error, within bounded time and memory.

mod color;
mod cost;
mod cover;
mod decode;
mod face;
mod icon;
mod og_image;
mod variant;

pub use color::Color;
pub use cover::cover;
pub use decode::{Image, MediaError};
pub use face::{Face, FontMetrics};
pub use icon::{ICO_SIZES, ico, initial_icon, png_icon};
pub use og_image::{Appearance, OgImage, OgImageOptions, OgImageRenderer};
pub use variant::{VariantFormat, variant};
