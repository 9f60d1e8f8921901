//! Inputs of images and rendering, and the cache of images.

use std::collections::HashMap;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex, OnceLock};

use svc_diagnostics::Diagnostic;
use svc_render::{Highlighter, SiteMetadata};

use super::icons::IconSet;
use crate::page::CompressedBytes;
use crate::variant_store::{UnusableImages, VariantStore};

/// Inputs of images and the image cache.
#[derive(Debug, Default)]
pub(crate) struct Media {
    pub(crate) icons: Vec<IconSet>,
    /// Encoded inputs that all preview images share, for
    /// [`worker::og_image`](crate::worker::og_image).
    pub(super) og_image_inputs: OnceLock<Vec<u8>>,
    pub(super) cache: Mutex<ImageCache>,
    /// Number of images that exceeded their limits.
    pub(super) failures: AtomicU32,
    /// Store of image variants.
    pub(crate) variant_store: Option<Arc<dyn VariantStore>>,
    pub(crate) unusable_images: UnusableImages,
}

#[derive(Debug, Default)]
pub(super) struct ImageCache {
    /// `None` for images that cannot be rendered.
    pub(super) images: HashMap<String, Option<Arc<CompressedBytes>>>,
    pub(super) bytes: usize,
}

/// Metadata of the site's files, collected before the first page is rendered.
pub(crate) struct RenderInputs {
    pub(crate) facts: SiteMetadata,
    pub(crate) media: Media,
    /// Includes the grammars and themes of the repository.
    pub(crate) highlighter: Arc<Highlighter>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}
