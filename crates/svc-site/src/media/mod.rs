//! The pictures that a site draws: its icons, and for every page the one that stands for it where a
//! link is shown. They are drawn when somebody asks for them, and kept for a while.

mod facts;
mod files;
mod icons;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use svc_config::ThumbnailMode;
use svc_diagnostics::Diagnostic;
use svc_media::{Appearance, Card, Color, Face, Picture, Studio, StudioOptions};
use svc_nav::Route;
use svc_render::{Facts, Highlighter, card};

use crate::{PackedBytes, Site};

pub(crate) use facts::gather;
pub use icons::Icon;
pub(crate) use icons::IconSet;

/// Bytes of drawn pictures that are kept; then everything is forgotten.
const KEPT_BYTES: usize = 32 << 20;

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
    studio: OnceLock<Option<Studio>>,
    drawn: Mutex<Drawn>,
}

#[derive(Debug, Default)]
struct Drawn {
    kept: HashMap<String, Arc<PackedBytes>>,
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

    /// Draws a picture; nothing when it cannot be drawn.
    pub fn draw(&self, drawing: &Drawing<'_>) -> Option<Arc<PackedBytes>> {
        let key = drawing.key();
        let mut drawn = self.lock_drawn();
        if let Some(ready) = drawn.kept.get(&key) {
            return Some(Arc::clone(ready));
        }
        // The lock is held: pictures take one processor, however many ask for them.
        let packed = Arc::new(PackedBytes::new(self.draw_once_more(drawing)?));
        if drawn.bytes > KEPT_BYTES {
            *drawn = Drawn::default();
        }
        drawn.bytes += packed.bytes.len();
        drawn.kept.insert(key, Arc::clone(&packed));
        Some(packed)
    }

    fn lock_drawn(&self) -> std::sync::MutexGuard<'_, Drawn> {
        let drawn = self.media.drawn.lock();
        drawn.unwrap_or_else(PoisonError::into_inner)
    }

    /// Draws a picture without keeping it.
    pub(crate) fn draw_once_more(&self, drawing: &Drawing<'_>) -> Option<Vec<u8>> {
        let draw = || match drawing {
            Drawing::Icon(icon) => icon.draw(),
            Drawing::Card { route, .. } => self.card(route),
        };
        // Decoders read what anybody may have put into a repository.
        catch_unwind(AssertUnwindSafe(draw)).ok().flatten()
    }

    fn card(&self, route: &Route) -> Option<Vec<u8>> {
        let studio = self.media.studio.get_or_init(|| self.studio());
        let section = card::section(&self.map, route);
        let description = svc_render::summary(route);
        studio.as_ref()?.card(&Card {
            title: &route.title,
            description: description.as_deref(),
            section: section.as_deref(),
            right_to_left: matches!(route.language.as_deref(), Some("ar" | "he")),
        })
    }

    fn studio(&self) -> Option<Studio> {
        let config = &self.config;
        let color = |hex: Option<&String>| hex.and_then(|hex| Color::parse(hex));
        let primary = Color::parse(&config.colors.primary).unwrap_or(Color(15, 118, 110));
        let picture = |path: &str| {
            let bytes = files::bytes(&self.tree, path)?;
            Picture::read(&bytes).ok()
        };
        let logos = config.logo.as_ref().and_then(|logo| {
            let light = picture(&logo.light)?;
            let dark = picture(&logo.dark).unwrap_or_else(|| light.clone());
            Some((light, dark))
        });
        Studio::new(StudioOptions {
            name: config.name.clone(),
            appearance: config.thumbnails.appearance.map(|mode| match mode {
                ThumbnailMode::Light => Appearance::Light,
                ThumbnailMode::Dark => Appearance::Dark,
            }),
            primary,
            light: color(config.colors.light.as_ref()).unwrap_or(primary),
            logos,
            background: config.thumbnails.background.as_deref().and_then(picture),
            faces: self.faces(),
        })
    }

    /// The fonts of the repository that cards are written in: those of the family that is asked
    /// for, else those of headings and text.
    fn faces(&self) -> Vec<Face> {
        let sources = files::card_fonts(&self.config);
        let read = |path: &&str| Face::read(&files::bytes(&self.tree, path)?).ok();
        sources.iter().filter_map(read).collect()
    }
}
