//! Icons of a site.

use std::sync::Arc;

use svc_media::{ICO_SIZES, Image};
use svc_render::IconLink;

use crate::digest;
use crate::worker::{self, CallError};

/// The media query of icons for the dark color scheme.
pub(super) const DARK: &str = "(prefers-color-scheme: dark)";

/// An image as icons in all sizes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IconSet {
    /// `/_svc/icons/` and a digest of the image.
    dir: String,
    bytes: Arc<[u8]>,
    is_svg: bool,
}

/// An icon in one format and size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Icon<'a> {
    set: &'a IconSet,
    form: IconFormat,
    immutable: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IconFormat {
    /// The sizes of browser tabs in one file.
    Ico,
    /// The original SVG image.
    Svg,
    /// A square with this side in pixels.
    Png(u16),
}

/// Sizes in pixels of the PNG icons, for browser tabs, home screens and install prompts.
const SIZES: [(u16, &str); 6] = [
    (16, "16x16"),
    (32, "32x32"),
    (48, "48x48"),
    (180, "180x180"),
    (192, "192x192"),
    (512, "512x512"),
];
/// Size of the `apple-touch-icon`, which must not be transparent.
const TOUCH_SIZE: u16 = 180;

impl IconSet {
    pub(super) fn new(bytes: &[u8]) -> Self {
        let hash = digest::tag(bytes);
        Self {
            dir: format!("/_svc/icons/{}", hash.get(..16).unwrap_or(&hash)),
            bytes: bytes.into(),
            is_svg: Image::is_svg(bytes),
        }
    }

    /// Icon links for the head of a page. `itself` is the path of the SVG image if it is served
    /// unchanged.
    pub(super) fn links(&self, itself: Option<String>, media: &'static str) -> Vec<IconLink> {
        let icon_link = |rel, name: &str, kind, sizes| IconLink {
            rel,
            path: format!("{}/{name}", self.dir),
            kind,
            sizes,
            media,
        };
        let mut links = vec![icon_link(
            "icon",
            "favicon.ico",
            "image/x-icon",
            Some("16x16 32x32 48x48"),
        )];
        if self.is_svg {
            let mut svg = icon_link("icon", "icon.svg", "image/svg+xml", Some("any"));
            svg.path = itself.unwrap_or(svg.path);
            links.push(svg);
        } else {
            links.push(icon_link("icon", "192.png", "image/png", Some("192x192")));
        }
        // Home screens have no dark mode.
        if media != DARK {
            let mut touch = icon_link("apple-touch-icon", "180.png", "image/png", Some("180x180"));
            touch.media = "";
            links.push(touch);
        }
        links
    }

    /// All icons of this set.
    pub(crate) fn all(&self) -> impl Iterator<Item = Icon<'_>> {
        let forms = SIZES.iter().map(|(size, _)| IconFormat::Png(*size));
        forms
            .chain([IconFormat::Ico])
            .chain(self.is_svg.then_some(IconFormat::Svg))
            .map(|form| Icon {
                set: self,
                form,
                immutable: true,
            })
    }

    /// The icon at `/favicon.ico`, which browsers request by default.
    pub(crate) fn default_icon(&self) -> Icon<'_> {
        Icon {
            set: self,
            form: IconFormat::Ico,
            immutable: false,
        }
    }
}

/// The icon at a URL path.
pub(super) fn find<'a>(sets: &'a [IconSet], path: &str) -> Option<Icon<'a>> {
    if path == "/favicon.ico" {
        return sets.first().map(IconSet::default_icon);
    }
    if !path.starts_with("/_svc/icons/") {
        return None;
    }
    sets.iter()
        .flat_map(IconSet::all)
        .find(|icon| icon.path() == path)
}

impl Icon<'_> {
    pub(crate) fn path(&self) -> String {
        let dir = &self.set.dir;
        match self.form {
            IconFormat::Ico => format!("{dir}/favicon.ico"),
            IconFormat::Svg => format!("{dir}/icon.svg"),
            IconFormat::Png(size) => format!("{dir}/{size}.png"),
        }
    }

    /// Media type of the icon.
    pub const fn content_type(&self) -> &'static str {
        match self.form {
            IconFormat::Ico => "image/x-icon",
            IconFormat::Svg => "image/svg+xml",
            IconFormat::Png(_) => "image/png",
        }
    }

    pub(super) const fn is_immutable(&self) -> bool {
        self.immutable
    }

    pub(super) fn render(&self) -> Result<Option<Vec<u8>>, CallError> {
        let bytes = &self.set.bytes;
        match self.form {
            IconFormat::Svg => Ok(Some(bytes.to_vec())),
            IconFormat::Png(size) => worker::png(bytes, size, size == TOUCH_SIZE),
            IconFormat::Ico => worker::ico(bytes),
        }
    }
}

const _: () = assert!(ICO_SIZES.len() == 3, "the link lists the sizes");
