//! The pictures that a site draws: its icons, and for every page the one that stands for it where a
//! link is shown. They are drawn when somebody asks for them, and kept for a while.

mod files;
mod icons;
mod metadata;

use std::borrow::Cow;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use svc_config::ThumbnailMode;
use svc_diagnostics::Diagnostic;
use svc_media::{Appearance, Color, OgImage};
use svc_nav::Route;
use svc_render::{Highlighter, SiteMetadata, og_image};

use crate::variants::{UnusableImages, VariantStore};
use crate::worker::{self, CallError, OgImageInputs};
use crate::{CompressedBytes, Site};

pub use icons::Icon;
pub(crate) use icons::IconSet;
pub(crate) use metadata::gather;

/// Bytes of drawn pictures that are kept; then everything is forgotten.
const MAX_IMAGE_BYTES: usize = 32 << 20;
/// Drawings of a site that may exceed their limits before no more are made: each takes its full time.
const MAX_FAILURES: u32 = 3;

/// Why there is no picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageError {
    /// Others are drawn; the same may be asked for again later.
    Busy,
    /// It cannot be drawn.
    Failed,
}

/// A picture that the site draws itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GeneratedImage<'a> {
    /// An icon of the site.
    Icon(Icon<'a>),
    /// The picture that stands for a page.
    OgImage {
        /// The page.
        route: &'a Route,
        /// Whether it was asked for by its present name, under which it never changes.
        immutable: bool,
    },
}

impl GeneratedImage<'_> {
    /// Media type.
    pub const fn content_type(&self) -> &'static str {
        match self {
            Self::Icon(icon) => icon.content_type(),
            Self::OgImage { .. } => "image/png",
        }
    }

    /// Whether it never changes under the name it was asked for.
    pub const fn is_immutable(&self) -> bool {
        match self {
            Self::Icon(icon) => icon.is_immutable(),
            Self::OgImage {
                immutable: lasting, ..
            } => *lasting,
        }
    }

    fn key(&self) -> String {
        match self {
            Self::Icon(icon) => icon.path(),
            Self::OgImage { route, .. } => route.path.clone(),
        }
    }
}

/// What pictures are drawn from, and those that were drawn.
#[derive(Debug, Default)]
pub(crate) struct Media {
    pub(crate) icons: Vec<IconSet>,
    /// What all cards share, as [`worker::card`] takes it.
    og_image_inputs: OnceLock<Vec<u8>>,
    cache: Mutex<ImageCache>,
    /// Drawings that exceeded their limits.
    failures: AtomicU32,
    /// Keeps variants of images.
    pub(crate) variant_store: Option<Arc<dyn VariantStore>>,
    pub(crate) unusable_images: UnusableImages,
}

#[derive(Debug, Default)]
struct ImageCache {
    /// Nothing for what cannot be drawn.
    images: HashMap<String, Option<Arc<CompressedBytes>>>,
    bytes: usize,
}

/// What is known about a site's files before the first page is asked for.
pub(crate) struct RenderInputs {
    pub(crate) facts: SiteMetadata,
    pub(crate) media: Media,
    /// With the grammars and themes of the repository.
    pub(crate) highlighter: Arc<Highlighter>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Site {
    /// The picture at an address, if the site draws one there.
    pub fn image(&self, path: &str) -> Option<GeneratedImage<'_>> {
        if let Some(icon) = icons::find(&self.media.icons, path) {
            return Some(GeneratedImage::Icon(icon));
        }
        let own = self.options.metadata.og_image_dir.as_deref()?;
        let (folder, name) = path.strip_prefix("/_svc/cards/")?.split_once('/')?;
        let page = og_image::page_of(path.get(path.len() - name.len() - 1..)?)?;
        let route = self.open_route(page)?;
        // Who keeps an old name of a picture gets the present one.
        let lasting = own.strip_prefix("/_svc/cards/") == Some(folder);
        Some(GeneratedImage::OgImage {
            route,
            immutable: lasting,
        })
    }

    /// Draws a picture, unless that was done before.
    ///
    /// # Errors
    /// When it cannot be drawn within its limits, now or ever.
    pub fn render_image(
        &self,
        drawing: &GeneratedImage<'_>,
    ) -> Result<Arc<CompressedBytes>, ImageError> {
        let key = drawing.key();
        if let Some(known) = self.lock_cache().images.get(&key) {
            return known.clone().ok_or(ImageError::Failed);
        }
        // Nothing is locked meanwhile: those who ask for other pictures do not wait for this one.
        let made = match self.render_image_uncached(drawing) {
            Err(ImageError::Busy) => return Err(ImageError::Busy),
            made => made.ok().map(|bytes| Arc::new(CompressedBytes::new(bytes))),
        };
        let mut drawn = self.lock_cache();
        if drawn.bytes > MAX_IMAGE_BYTES {
            *drawn = ImageCache::default();
        }
        drawn.bytes += made.as_ref().map_or(0, |packed| packed.bytes.len());
        drawn.images.insert(key, made.clone());
        made.ok_or(ImageError::Failed)
    }

    fn lock_cache(&self) -> std::sync::MutexGuard<'_, ImageCache> {
        let drawn = self.media.cache.lock();
        drawn.unwrap_or_else(PoisonError::into_inner)
    }

    /// Draws a picture without keeping it.
    pub(crate) fn render_image_uncached(
        &self,
        drawing: &GeneratedImage<'_>,
    ) -> Result<Vec<u8>, ImageError> {
        let failures = &self.media.failures;
        if failures.load(Ordering::Relaxed) >= MAX_FAILURES {
            return Err(ImageError::Failed);
        }
        let draw = || match drawing {
            GeneratedImage::Icon(icon) => icon.render(),
            GeneratedImage::OgImage { route, .. } => self.render_og_image(route),
        };
        // Decoders read what anybody may have put into a repository.
        match catch_unwind(AssertUnwindSafe(draw)) {
            Ok(Ok(drawn)) => drawn.ok_or(ImageError::Failed),
            Ok(Err(CallError::Busy)) => Err(ImageError::Busy),
            Ok(Err(CallError::Timeout | CallError::Memory | CallError::Lost)) => {
                failures.fetch_add(1, Ordering::Relaxed);
                Err(ImageError::Failed)
            }
            Err(_) => Err(ImageError::Failed),
        }
    }

    fn render_og_image(&self, route: &Route) -> Result<Option<Vec<u8>>, CallError> {
        let studio = self
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
        worker::og_image(studio, &card)
    }

    /// What cards are drawn from. The fonts are those of the family that is asked for, else those of
    /// headings and text.
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
