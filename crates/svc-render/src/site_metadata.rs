//! Metadata of a site that rendering cannot compute because it does no I/O.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Metadata of a site that the caller computes from files and remote services. All of it is
/// optional; pages omit what is missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SiteMetadata {
    /// Icons of the site in the sizes that browsers request. If empty, pages link the configured
    /// file.
    pub icons: Vec<IconLink>,
    /// URL path of the directory of Open Graph images, `/_svc/cards/0123456789abcdef`; `None` if
    /// none are rendered.
    pub og_image_dir: Option<String>,
    /// Metrics of font files by path in the repository.
    pub fonts: BTreeMap<String, FontMetrics>,
    /// Lower-case font families that a style sheet of the repository declares.
    pub declared_families: Vec<String>,
    /// Whether a style sheet of the repository selects paragraphs by `[data-as="p"]`.
    pub marks_paragraphs: bool,
    /// Date of the last change of a file, `2026-03-05`, by path in the repository.
    pub dates: Arc<BTreeMap<String, String>>,
    /// Pages that are older than the pages from which they were translated, by path in the
    /// repository.
    pub outdated: Arc<BTreeMap<String, OutdatedTranslation>>,
    /// Data of GitHub repositories by the key that [`repository_slug`] returns.
    pub repositories: Arc<Repositories>,
    /// Fingerprints of file contents by path. URLs of other files have no fingerprint.
    pub fingerprints: BTreeMap<String, String>,
    /// Raster images with narrower variants by path in the repository; `None` if no variants are
    /// generated.
    pub images: Option<Arc<BTreeMap<String, RasterImage>>>,
}

impl SiteMetadata {
    /// Whether both are equal apart from what only the frames of single pages show: dates of last
    /// changes and notes of outdated translations.
    pub fn eq_except_frame(&self, other: &Self) -> bool {
        // Destructured in full so that a new field cannot be forgotten here.
        let Self {
            icons,
            og_image_dir: cards,
            fonts,
            declared_families,
            marks_paragraphs,
            dates: _,
            outdated: _,
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
            // The images themselves are covered by the content dependencies of pages.
            && images.is_some() == other.images.is_some()
    }

    /// Query of a file's URL that changes with its contents: `?v=0123456789`; empty if the
    /// fingerprint is unknown.
    pub(crate) fn fingerprint_query(&self, path: &str) -> String {
        let version = self.fingerprints.get(path.trim_start_matches('/'));
        version.map_or(String::new(), |version| format!("?v={version}"))
    }
}

/// A page that is older than the page from which it was translated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutdatedTranslation {
    /// URL path of the source, without the base path.
    pub source: String,
    /// Sections of the source that have changed or are new. Empty if sections have only been
    /// removed.
    pub sections: Vec<SourceSection>,
}

/// A section of a page that has been translated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceSection {
    /// Id of the heading; empty for the beginning of the page.
    pub id: String,
    /// Text of the heading, or the title of the page.
    pub title: String,
}

/// GitHub repositories by slug.
pub type Repositories = BTreeMap<String, Repository>;

/// Public data of a GitHub repository.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Repository {
    /// Short description; can be empty.
    pub description: String,
    /// Number of stars.
    pub stars: u64,
    /// Number of forks.
    pub forks: u64,
}

/// Returns the key of a repository, `owner/name` in lower case. `text` is of this form or a GitHub
/// URL; `None` otherwise.
pub fn repository_slug(text: &str) -> Option<String> {
    let text = text.trim();
    let url = ["https://", "http://"]
        .iter()
        .find_map(|scheme| text.strip_prefix(scheme));
    let path = match url {
        Some(url) => {
            let url = url.strip_prefix("www.").unwrap_or(url);
            url.strip_prefix("github.com/")?
        }
        None => text.strip_prefix("github.com/").unwrap_or(text),
    };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let mut parts = path.trim_end_matches('/').split('/');
    let (owner, name) = (parts.next()?, parts.next()?);
    let name = name.strip_suffix(".git").unwrap_or(name);
    // A URL can point to a directory in the repository.
    if url.is_none() && parts.next().is_some() {
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

/// Formats a number in short form: `987`, `1.2k`, `34.5k`, `1.2M`.
pub(crate) fn format_count(number: u64) -> String {
    let (unit, letter) = match number {
        0..1_000 => return number.to_string(),
        // 999,950 and more would be rounded to `1000k`.
        1_000..999_950 => (1_000, "k"),
        _ => (1_000_000, "M"),
    };
    let tenths = number.saturating_add(unit / 20) / (unit / 10);
    match tenths % 10 {
        0 => format!("{}{letter}", tenths / 10),
        tenth => format!("{}.{tenth}{letter}", tenths / 10),
    }
}

/// Widths of image variants in pixels.
const VARIANT_WIDTHS: [u32; 2] = [480, 960];

/// A raster image of the repository that is served in narrower variants as well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RasterImage {
    /// Digest of the file; prefix of the names of its variants.
    pub digest: String,
    /// File extension of the variants.
    pub extension: &'static str,
    /// Width in pixels.
    pub width: u32,
}

impl RasterImage {
    /// Widths of the variants in pixels, ascending. Widths close to the image's own are omitted
    /// because they save little.
    pub fn variant_widths(&self) -> impl Iterator<Item = u32> {
        let limit = self.width / 5 * 4;
        VARIANT_WIDTHS
            .into_iter()
            .filter(move |width| *width <= limit)
    }

    /// URL path of a variant without the base path.
    pub fn variant_path(&self, width: u32) -> String {
        format!("/_svc/images/{}-{width}.{}", self.digest, self.extension)
    }
}

/// An icon of the site, a `link` element in the head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IconLink {
    /// Value of `rel`: `icon` or `apple-touch-icon`.
    pub rel: &'static str,
    /// URL path below the base path.
    pub path: String,
    /// Media type, such as `image/png`.
    pub kind: &'static str,
    /// Value of `sizes`, such as `32x32`; `None` for a scalable image.
    pub sizes: Option<&'static str>,
    /// Media query of the color scheme; empty if the icon is for both.
    pub media: &'static str,
}

/// Font metrics in ten-thousandths of the font size, for fallback fonts with the same layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FontMetrics {
    /// Ascent above the baseline.
    pub ascent: u32,
    /// Descent below the baseline.
    pub descent: u32,
    /// Extra space between lines.
    pub line_gap: u32,
    /// Average width of a letter in English text.
    pub width: u32,
    /// Minimum and maximum weight of a variable font; `None` for a static font.
    pub weights: Option<(u16, u16)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_slug_is_parsed_from_names_and_urls() {
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
    fn counts_are_rounded_to_a_short_form() {
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
