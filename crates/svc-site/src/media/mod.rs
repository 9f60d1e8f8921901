//! Images that the site renders: its icons, and the preview image (`og:image`) of each page. They
//! are rendered on the first request and cached.

mod files;
mod icons;
pub(crate) mod inputs;
mod metadata;

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard, PoisonError};

use svc_config::ThumbnailMode;
use svc_media::{Appearance, Color, OgImage};
use svc_nav::Route;
use svc_render::og_image;

use self::inputs::ImageCache;
use crate::page::CompressedBytes;
use crate::site::Site;
use crate::worker::{self, CallError, OgImageInputs};

pub use icons::Icon;
pub(crate) use icons::IconSet;
pub(crate) use metadata::gather;

/// Maximum bytes of images in the cache; it is cleared when they exceed this.
const MAX_IMAGE_BYTES: usize = 32 << 20;
/// Number of images of a site that may exceed the limits before no more are rendered: each one
/// takes the full time limit.
const MAX_FAILURES: u32 = 3;

/// Why an image is not available.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageError {
    /// All workers are busy; the image can be requested later.
    Busy,
    /// The image cannot be rendered.
    Failed,
}

/// An image that the site renders.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GeneratedImage<'a> {
    /// An icon of the site.
    Icon(Icon<'a>),
    /// The preview image of a page.
    OgImage {
        /// The route of the page.
        route: &'a Route,
        /// Whether the URL contains the current digest, so that the response never changes.
        immutable: bool,
    },
}

impl GeneratedImage<'_> {
    /// Media type of the image.
    pub const fn content_type(&self) -> &'static str {
        match self {
            Self::Icon(icon) => icon.content_type(),
            Self::OgImage { .. } => "image/png",
        }
    }

    /// Whether the response for this URL never changes.
    pub const fn is_immutable(&self) -> bool {
        match self {
            Self::Icon(icon) => icon.is_immutable(),
            Self::OgImage { immutable, .. } => *immutable,
        }
    }

    fn key(&self) -> String {
        match self {
            Self::Icon(icon) => icon.path(),
            Self::OgImage { route, .. } => route.path.clone(),
        }
    }
}

impl Site {
    /// The image at a URL path. `None` when the site renders none there.
    pub fn image(&self, path: &str) -> Option<GeneratedImage<'_>> {
        if let Some(icon) = icons::find(&self.media.icons, path) {
            return Some(GeneratedImage::Icon(icon));
        }
        let image_dir = self.options.metadata.og_image_dir.as_deref()?;
        let (dir, name) = path.strip_prefix("/_svc/cards/")?.split_once('/')?;
        let page = og_image::page_of(path.get(path.len() - name.len() - 1..)?)?;
        let route = self.open_route(page)?;
        // Requests with an old digest get the current image.
        let immutable = image_dir.strip_prefix("/_svc/cards/") == Some(dir);
        Some(GeneratedImage::OgImage { route, immutable })
    }

    /// The image, rendered unless it is in the cache.
    ///
    /// # Errors
    /// [`ImageError::Busy`] when it should be tried later, [`ImageError::Failed`] when it cannot be
    /// rendered within the limits.
    pub fn render_image(
        &self,
        image: &GeneratedImage<'_>,
    ) -> Result<Arc<CompressedBytes>, ImageError> {
        let key = image.key();
        if let Some(cached) = self.lock_cache().images.get(&key) {
            return cached.clone().ok_or(ImageError::Failed);
        }
        // The cache is not locked while the image is rendered.
        let new = match self.render_image_uncached(image) {
            Err(ImageError::Busy) => return Err(ImageError::Busy),
            new => new.ok().map(|bytes| Arc::new(CompressedBytes::new(bytes))),
        };
        let mut cache = self.lock_cache();
        if cache.bytes > MAX_IMAGE_BYTES {
            *cache = ImageCache::default();
        }
        cache.bytes += new.as_ref().map_or(0, |packed| packed.bytes.len());
        cache.images.insert(key, new.clone());
        new.ok_or(ImageError::Failed)
    }

    fn lock_cache(&self) -> MutexGuard<'_, ImageCache> {
        let cache = self.media.cache.lock();
        cache.unwrap_or_else(PoisonError::into_inner)
    }

    /// Renders an image without caching it.
    pub(crate) fn render_image_uncached(
        &self,
        image: &GeneratedImage<'_>,
    ) -> Result<Vec<u8>, ImageError> {
        let failures = &self.media.failures;
        if failures.load(Ordering::Relaxed) >= MAX_FAILURES {
            return Err(ImageError::Failed);
        }
        let render = || match image {
            GeneratedImage::Icon(icon) => icon.render(),
            GeneratedImage::OgImage { route, .. } => self.render_og_image(route),
        };
        // Decoders process untrusted files, so panics are caught.
        match catch_unwind(AssertUnwindSafe(render)) {
            Ok(Ok(rendered)) => rendered.ok_or(ImageError::Failed),
            Ok(Err(CallError::Busy)) => Err(ImageError::Busy),
            Ok(Err(CallError::Timeout | CallError::Memory | CallError::Lost)) => {
                failures.fetch_add(1, Ordering::Relaxed);
                Err(ImageError::Failed)
            }
            Err(_) => Err(ImageError::Failed),
        }
    }

    fn render_og_image(&self, route: &Route) -> Result<Option<Vec<u8>>, CallError> {
        let inputs = self
            .media
            .og_image_inputs
            .get_or_init(|| self.og_image_inputs().encode());
        let section = og_image::section(&self.map, route);
        let description = svc_render::summary(route);
        let card = OgImage {
            title: &route.title,
            description: description.as_deref(),
            section: section.as_deref(),
            right_to_left: matches!(route.language.as_deref(), Some("ar" | "he")),
        };
        worker::og_image(inputs, &card)
    }

    /// The shared inputs of preview images. The fonts are those of the configured family, or else
    /// those of headings and text.
    fn og_image_inputs(&self) -> OgImageInputs {
        let config = &self.config;
        let color = |hex: Option<&String>| hex.and_then(|hex| Color::parse(hex));
        let primary = Color::parse(&config.colors.primary).unwrap_or(Color(15, 118, 110));
        let file = |path: &str| files::bytes(&self.tree, path).map(Cow::into_owned);
        let logos = config.logo.as_ref().and_then(|logo| {
            let light = file(&logo.light)?;
            let dark = file(&logo.dark).unwrap_or_else(|| light.clone());
            Some((light, dark))
        });
        let fonts = files::og_image_fonts(config);
        OgImageInputs {
            name: config.name.clone(),
            appearance: config.thumbnails.appearance.map(|mode| match mode {
                ThumbnailMode::Light => Appearance::Light,
                ThumbnailMode::Dark => Appearance::Dark,
            }),
            accents: (
                primary,
                color(config.colors.light.as_ref()).unwrap_or(primary),
            ),
            logos,
            background: config.thumbnails.background.as_deref().and_then(file),
            fonts: fonts.into_iter().filter_map(file).collect(),
        }
    }
}
