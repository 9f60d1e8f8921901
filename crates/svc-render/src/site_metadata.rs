//! What a site knows about itself beyond its texts: whoever reads files and draws pictures says it.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Facts that rendering cannot find out by itself, because it does no I/O. All of them may be
/// missing; pages then say less.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SiteMetadata {
    /// The icons of the site in the sizes that browsers ask for. Without them the configured file
    /// is named as it is.
    pub icons: Vec<IconLink>,
    /// The folder of preview pictures, `/_svc/cards/0123456789abcdef`; nothing when none are drawn.
    pub og_image_dir: Option<String>,
    /// The shapes of font files, by their path in the repository.
    pub fonts: BTreeMap<String, FontMetrics>,
    /// Families in lower case that a style sheet of the repository declares itself.
    pub declared_families: Vec<String>,
    /// Whether a style sheet of the repository knows paragraphs by `[data-as="p"]`.
    pub marks_paragraphs: bool,
    /// When a file was changed last, `2026-03-05`, by its path in the repository.
    pub dates: Arc<BTreeMap<String, String>>,
    /// What is known of repositories on GitHub, by what [`repository_slug`] makes of their names.
    pub repositories: Arc<Repositories>,
    /// What addresses of files say of their contents, by path; files that are missing have
    /// addresses without it.
    pub fingerprints: BTreeMap<String, String>,
    /// The images of which narrower variants are served, by their path in the repository; nothing
    /// where none are made.
    pub images: Option<Arc<BTreeMap<String, RasterImage>>>,
}

impl SiteMetadata {
    /// Whether both say the same, but for the days of the last changes.
    pub fn eq_except_dates(&self, other: &Self) -> bool {
        // All fields, so that a new one has to be thought of here.
        let Self {
            icons,
            og_image_dir: cards,
            fonts,
            declared_families,
            marks_paragraphs,
            dates: _,
            repositories,
            fingerprints: versions,
            images,
        } = self;
        *icons == other.icons
            && *cards == other.og_image_dir
            && *fonts == other.fonts
            && *declared_families == other.declared_families
            && *marks_paragraphs == other.marks_paragraphs
            && *repositories == other.repositories
            && *versions == other.fingerprints
            // Pages note whose contents they depend on.
            && images.is_some() == other.images.is_some()
    }

    /// What comes after the address of a file, so that it changes with the file: `?v=0123456789`.
    pub(crate) fn fingerprint_query(&self, path: &str) -> String {
        let version = self.fingerprints.get(path.trim_start_matches('/'));
        version.map_or(String::new(), |version| format!("?v={version}"))
    }
}

/// Repositories on GitHub by their slugs.
pub type Repositories = BTreeMap<String, Repository>;

/// What GitHub tells everybody of a repository.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Repository {
    /// One sentence; may be empty.
    pub description: String,
    /// How many people have marked it.
    pub stars: u64,
    /// How many copies there are.
    pub forks: u64,
}

/// The key of a repository: `owner/name` in lower case, of that form or of an address on GitHub.
pub fn repository_slug(text: &str) -> Option<String> {
    let text = text.trim();
    let address = ["https://", "http://"]
        .iter()
        .find_map(|scheme| text.strip_prefix(scheme));
    let path = match address {
        Some(address) => {
            let address = address.strip_prefix("www.").unwrap_or(address);
            address.strip_prefix("github.com/")?
        }
        None => text.strip_prefix("github.com/").unwrap_or(text),
    };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let mut parts = path.trim_end_matches('/').split('/');
    let (owner, name) = (parts.next()?, parts.next()?);
    let name = name.strip_suffix(".git").unwrap_or(name);
    // An address may lead to a folder inside of the repository.
    if address.is_none() && parts.next().is_some() {
        return None;
    }
    let letter = |b: u8| b.is_ascii_alphanumeric() || b"-_.".contains(&b);
    let fits = |part: &str| {
        (1..=100).contains(&part.len())
            && part.bytes().all(letter)
            && part.bytes().any(|b| b != b'.')
    };
    (fits(owner) && fits(name)).then(|| format!("{owner}/{name}").to_ascii_lowercase())
}

/// A number for people: `987`, `1.2k`, `34.5k`, `1.2M`.
pub(crate) fn format_count(number: u64) -> String {
    let (unit, letter) = match number {
        0..1_000 => return number.to_string(),
        // One less than a million is not `1000k`.
        1_000..999_950 => (1_000, "k"),
        _ => (1_000_000, "M"),
    };
    let tenths = number.saturating_add(unit / 20) / (unit / 10);
    match tenths % 10 {
        0 => format!("{}{letter}", tenths / 10),
        tenth => format!("{}.{tenth}{letter}", tenths / 10),
    }
}

/// Widths of the variants of images in pixels.
const VARIANT_WIDTHS: [u32; 2] = [480, 960];

/// A raster image of the repository of which narrower variants are served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RasterImage {
    /// A digest of its file: the names of its variants begin with it.
    pub digest: String,
    /// The extension of its variants.
    pub extension: &'static str,
    /// Its width.
    pub width: u32,
}

impl RasterImage {
    /// The widths of its variants, the narrowest first. One that is nearly as wide as the image
    /// would spare nothing.
    pub fn variant_widths(&self) -> impl Iterator<Item = u32> {
        let limit = self.width / 5 * 4;
        VARIANT_WIDTHS
            .into_iter()
            .filter(move |width| *width <= limit)
    }

    /// The address of a variant, without base path.
    pub fn variant_path(&self, width: u32) -> String {
        format!("/_svc/images/{}-{width}.{}", self.digest, self.extension)
    }
}

/// One icon of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IconLink {
    /// `icon` or `apple-touch-icon`.
    pub rel: &'static str,
    /// Its path below the base path.
    pub path: String,
    /// Media type.
    pub kind: &'static str,
    /// `32x32`, or nothing for a drawing of any size.
    pub sizes: Option<&'static str>,
    /// The media query of its mode, or nothing.
    pub media: &'static str,
}

/// The measures of a font that decide where text stands, in ten-thousandths of its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FontMetrics {
    /// Above the baseline.
    pub ascent: u32,
    /// Below the baseline.
    pub descent: u32,
    /// Between lines.
    pub line_gap: u32,
    /// The mean width of a letter of English text.
    pub width: u32,
    /// The lightest and the heaviest weight of a variable font.
    pub weights: Option<(u16, u16)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_is_named_in_several_ways() {
        for text in [
            "Rust-Lang/Rust",
            " rust-lang/rust ",
            "https://github.com/rust-lang/rust",
            "https://www.github.com/rust-lang/rust/",
            "http://github.com/rust-lang/rust.git",
            "github.com/rust-lang/rust",
            "https://github.com/rust-lang/rust/tree/master?x#y",
        ] {
            let slug = repository_slug(text);
            assert_eq!(slug.as_deref(), Some("rust-lang/rust"), "{text}");
        }
        for text in [
            "",
            "rust",
            "a/b/c",
            "/a/b",
            "https://gitlab.com/a/b",
            "https://github.com/a",
            "https://github.com.evil/a/b",
            "a/..",
            "../b",
            "a/b c",
            "a/%2e",
            "é/b",
        ] {
            assert_eq!(repository_slug(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_rounded_for_people() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1k"),
            (1_049, "1k"),
            (1_050, "1.1k"),
            (12_345, "12.3k"),
            (999_949, "999.9k"),
            (999_950, "1M"),
            (1_249_999, "1.2M"),
            (u64::MAX, "18446744073709.5M"),
        ] {
            assert_eq!(format_count(number), text, "{number}");
        }
    }
}
