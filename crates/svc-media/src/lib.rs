//! Pictures and fonts of a site, from bytes to bytes.
//!
//! [`Picture`] reads a picture of a repository within limits and draws it in any size; [`png_icon`]
//! and [`ico`] make icons of it. [`Studio::card`] draws the picture that stands for a page where a
//! link to it is shown. [`variant`] makes a narrower copy of a raster image. [`Face`] reads a font file: its measures, and whether it can draw a text.
//! Nothing here reads files or asks the network; hostile input gives an error, within bounded time
//! and memory.

mod card;
mod color;
mod cost;
mod face;
mod icon;
mod picture;
mod variant;

pub use card::{Appearance, Card, Studio, StudioOptions};
pub use color::Color;
pub use face::{Face, Shape};
pub use icon::{ICO_SIZES, ico, initial, png_icon};
pub use picture::{MediaError, Picture};
pub use variant::{VariantFormat, variant};
