//! Pictures and fonts of a site, from bytes to bytes.
//!
//! [`Image`] reads a picture of a repository within limits and draws it in any size; [`png_icon`]
//! and [`ico`] make icons of it. [`OgImageRenderer::card`] draws the picture that stands for a page where a
//! link to it is shown. [`variant`] makes a narrower copy of a raster image. [`Face`] reads a font file: its measures, and whether it can draw a text.
//! Nothing here reads files or asks the network; hostile input gives an error, within bounded time
//! and memory.

mod og_image;
mod color;
mod cost;
mod face;
mod icon;
mod decode;
mod variant;

pub use og_image::{Appearance, OgImage, OgImageRenderer, OgImageOptions};
pub use color::Color;
pub use face::{Face, FontMetrics};
pub use icon::{ICO_SIZES, ico, initial_icon, png_icon};
pub use decode::{MediaError, Image};
pub use variant::{VariantFormat, variant};
