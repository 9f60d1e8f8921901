//! The pictures that a site draws: its icons, and for every page the one that stands for it where a
//! link is shown. They are drawn when somebody asks for them, and kept for a while.

mod facts;
mod files;
mod icons;

use std::borrow::Cow;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use svc_config::ThumbnailMode;
use svc_diagnostics::Diagnostic;
use svc_media::{Appearance, OgImage, Color};
use svc_nav::Route;
use svc_render::{Facts, Highlighter, card};

use crate::variants::{UnusableImages, VariantStore};
use crate::worker::{self, CallError, StudioInputs};
use crate::{PackedBytes, Site};

pub(crate) use facts::gather;
pub use icons::Icon;
pub(crate) use icons::IconSet;

/// Bytes of drawn pictures that are kept; then everything is forgotten.
const KEPT_BYTES: usize = 32 << 20;
/// Drawings of a site that may exceed their limits before no more are made: each takes its full time.
const MAX_FAILURES: u32 = 3;

/// Why there is no picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawError {
    /// Others are drawn; the same may be asked for again later.
    Busy,
    /// It cannot be drawn.
    Failed,
}

/// A picture that the site draws itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Drawing<'a> {
    /// An icon of the site.
    Icon(Icon<'a>),
    /// The picture that stands for a page.
    Card {
        /// The page.
        route: &'a Route,
        /// Whether it was asked for by its present name, under which it never changes.
        lasting: bool,
    },
}

impl Drawing<'_> {
    /// Media type.
    pub const fn content_type(&self) -> &'static str {
        match self {
            Self::Icon(icon) => icon.content_type(),
            Self::Card { .. } => "image/png",
        }
    }

    /// Whether it never changes under the name it was asked for.
    pub const fn is_lasting(&self) -> bool {
        match self {
            Self::Icon(icon) => icon.is_lasting(),
            Self::Card { lasting, .. } => *lasting,
        }
    }

    fn key(&self) -> String {
        match self {
            Self::Icon(icon) => icon.path(),
            Self::Card { route, .. } => route.path.clone(),
        }
    }
}

/// What pictures are drawn from, and those that were drawn.
#[derive(Debug, Default)]
pub(crate) struct Media {
    pub(crate) icons: Vec<IconSet>,
    /// What all cards share, as [`worker::card`] takes it.
    studio: OnceLock<Vec<u8>>,
    drawn: Mutex<Drawn>,
    /// Drawings that exceeded their limits.
    failures: AtomicU32,
    /// Keeps variants of images.
    pub(crate) variant_store: Option<Arc<dyn VariantStore>>,
    pub(crate) unusable_images: UnusableImages,
}

#[derive(Debug, Default)]
struct Drawn {
    /// Nothing for what cannot be drawn.
    kept: HashMap<String, Option<Arc<PackedBytes>>>,
    bytes: usize,
}

/// What is known about a site's files before the first page is asked for.
pub(crate) struct Gathered {
    pub(crate) facts: Facts,
    pub(crate) media: Media,
    /// With the grammars and themes of the repository.
    pub(crate) highlighter: Arc<Highlighter>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Site {
    /// The picture at an address, if the site draws one there.
    pub fn drawing(&self, path: &str) -> Option<Drawing<'_>> {
        if let Some(icon) = icons::at(&self.media.icons, path) {
            return Some(Drawing::Icon(icon));
        }
        let own = self.options.facts.cards.as_deref()?;
        let (folder, name) = path.strip_prefix("/_svc/cards/")?.split_once('/')?;
        let page = card::page_of(path.get(path.len() - name.len() - 1..)?)?;
        let route = self.open_route(page)?;
        // Who keeps an old name of a picture gets the present one.
        let lasting = own.strip_prefix("/_svc/cards/") == Some(folder);
        Some(Drawing::Card { route, lasting })
    }

    /// Draws a picture, unless that was done before.
    ///
    /// # Errors
    /// When it cannot be drawn within its limits, now or ever.
    pub fn draw(&self, drawing: &Drawing<'_>) -> Result<Arc<PackedBytes>, DrawError> {
        let key = drawing.key();
        if let Some(known) = self.lock_drawn().kept.get(&key) {
            return known.clone().ok_or(DrawError::Failed);
        }
        // Nothing is locked meanwhile: those who ask for other pictures do not wait for this one.
        let made = match self.draw_once_more(drawing) {
            Err(DrawError::Busy) => return Err(DrawError::Busy),
            made => made.ok().map(|bytes| Arc::new(PackedBytes::new(bytes))),
        };
        let mut drawn = self.lock_drawn();
        if drawn.bytes > KEPT_BYTES {
            *drawn = Drawn::default();
        }
        drawn.bytes += made.as_ref().map_or(0, |packed| packed.bytes.len());
        drawn.kept.insert(key, made.clone());
        made.ok_or(DrawError::Failed)
    }

    fn lock_drawn(&self) -> std::sync::MutexGuard<'_, Drawn> {
        let drawn = self.media.drawn.lock();
        drawn.unwrap_or_else(PoisonError::into_inner)
    }

    /// Draws a picture without keeping it.
    pub(crate) fn draw_once_more(&self, drawing: &Drawing<'_>) -> Result<Vec<u8>, DrawError> {
        let failures = &self.media.failures;
        if failures.load(Ordering::Relaxed) >= MAX_FAILURES {
            return Err(DrawError::Failed);
        }
        let draw = || match drawing {
            Drawing::Icon(icon) => icon.draw(),
            Drawing::Card { route, .. } => self.card(route),
        };
        // Decoders read what anybody may have put into a repository.
        match catch_unwind(AssertUnwindSafe(draw)) {
            Ok(Ok(drawn)) => drawn.ok_or(DrawError::Failed),
            Ok(Err(CallError::Busy)) => Err(DrawError::Busy),
            Ok(Err(CallError::Timeout | CallError::Memory | CallError::Lost)) => {
                failures.fetch_add(1, Ordering::Relaxed);
                Err(DrawError::Failed)
            }
            Err(_) => Err(DrawError::Failed),
        }
    }

    fn card(&self, route: &Route) -> Result<Option<Vec<u8>>, CallError> {
        let studio = self.media.studio.get_or_init(|| self.studio().encode());
        let section = card::section(&self.map, route);
        let description = svc_render::summary(route);
        let card = OgImage {
            title: &route.title,
            description: description.as_deref(),
            section: section.as_deref(),
            right_to_left: matches!(route.language.as_deref(), Some("ar" | "he")),
        };
        worker::card(studio, &card)
    }

    /// What cards are drawn from. The fonts are those of the family that is asked for, else those of
    /// headings and text.
    fn studio(&self) -> StudioInputs {
        let config = &self.config;
        let color = |hex: Option<&String>| hex.and_then(|hex| Color::parse(hex));
        let primary = Color::parse(&config.colors.primary).unwrap_or(Color(15, 118, 110));
        let file = |path: &str| files::bytes(&self.tree, path).map(Cow::into_owned);
        let logos = config.logo.as_ref().and_then(|logo| {
            let light = file(&logo.light)?;
            let dark = file(&logo.dark).unwrap_or_else(|| light.clone());
            Some((light, dark))
        });
        let fonts = files::card_fonts(config);
        StudioInputs {
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
