//! Files of the repository that images are rendered from.

use std::borrow::Cow;

use svc_config::{Font, SiteConfig};
use svc_source::{Contents, SourceTree, normalize};

/// Maximum size of a file in bytes.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// Whether a path in `docs.json` is a URL.
pub(super) fn is_external(reference: &str) -> bool {
    reference.contains("://") || reference.starts_with("//") || reference.starts_with("data:")
}

/// The path in the repository for a path in `docs.json`.
pub(super) fn local_path(reference: &str) -> String {
    let plain = reference.split(['?', '#']).next().unwrap_or("");
    normalize(plain.trim_start_matches('/'))
}

/// The contents of a file. `None` when it is a URL, missing or too large.
pub(super) fn bytes<'a>(tree: &'a SourceTree, reference: &str) -> Option<Cow<'a, [u8]>> {
    if is_external(reference) {
        return None;
    }
    match tree.get(&local_path(reference))? {
        Contents::Text(file) => Some(Cow::Borrowed(file.text().as_bytes())),
        Contents::Bytes(bytes) => Some(Cow::Borrowed(bytes)),
        Contents::Disk { len, .. } if *len > MAX_FILE_BYTES => None,
        Contents::Disk { path, .. } => std::fs::read(path).ok().map(Cow::Owned),
    }
}

/// The files of all fonts, without duplicates.
pub(super) fn fonts(config: &SiteConfig) -> Vec<&str> {
    let mut sources = Vec::new();
    for font in [&config.fonts.body, &config.fonts.heading]
        .into_iter()
        .flatten()
    {
        if let Some(source) = font.source.as_deref()
            && !sources.contains(&source)
        {
            sources.push(source);
        }
    }
    sources
}

/// The files of the fonts for preview images, in order of preference.
pub(super) fn og_image_fonts(config: &SiteConfig) -> Vec<&str> {
    let family = config.thumbnails.font_family.as_deref();
    let fits = |font: &&Font| family.is_none_or(|family| font.family.eq_ignore_ascii_case(family));
    let mut sources = Vec::new();
    let fonts = [&config.fonts.heading, &config.fonts.body];
    for font in fonts.into_iter().flatten().filter(fits) {
        if let Some(source) = font.source.as_deref()
            && !sources.contains(&source)
        {
            sources.push(source);
        }
    }
    sources
}
