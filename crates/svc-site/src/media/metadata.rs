//! Metadata of the site's files that rendering needs.

use std::sync::Arc;

use svc_config::SiteConfig;
use svc_diagnostics::{Diagnostic, DiagnosticCode, Span};
use svc_media::{Color, Face, MediaError, initial_icon};
use svc_render::{FontMetrics, IconLink, SiteMetadata, SiteOptions};
use svc_source::{Contents, SourceTree};

use super::files;
use super::icons::{DARK, IconSet};
use super::inputs::{Media, RenderInputs};
use crate::codes::{UNUSABLE_FONT, UNUSABLE_IMAGE};
use crate::digest::Digester;
use crate::file_types::is_loaded;
use crate::worker;

const LIGHT: &str = "(prefers-color-scheme: light)";
/// Increase it when preview images of the same inputs change.
const OG_IMAGE_REVISION: &[u8] = b"1";

/// Collects icons, fonts and other metadata of the repository for rendering.
pub(crate) fn gather(
    tree: &SourceTree,
    config: &SiteConfig,
    options: &SiteOptions,
) -> RenderInputs {
    let mut builder = MetadataBuilder {
        tree,
        config,
        diagnostics: Vec::new(),
    };
    let (icons, links) = builder.icons();
    let facts = SiteMetadata {
        icons: links,
        og_image_dir: builder.og_image_dir(options),
        fonts: builder
            .font_metrics()
            .into_iter()
            .map(|(path, metrics)| (path.to_owned(), metrics))
            .collect(),
        declared_families: declared_families(tree),
        marks_paragraphs: style_sheets(tree).any(|text| text.contains("data-as")),
        ..SiteMetadata::default()
    };
    let highlighter = svc_render::site_highlighter(config, tree);
    let mut highlighter = highlighter.drain_into(&mut builder.diagnostics);
    if options.without_code_colors {
        highlighter = highlighter.plain();
    }
    RenderInputs {
        facts,
        highlighter: Arc::new(highlighter),
        media: Media {
            icons,
            ..Media::default()
        },
        diagnostics: builder.diagnostics,
    }
}

struct MetadataBuilder<'a> {
    tree: &'a SourceTree,
    config: &'a SiteConfig,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> MetadataBuilder<'a> {
    fn report(
        &mut self,
        code: &'static DiagnosticCode,
        key: &str,
        pointer: &str,
        error: &MediaError,
    ) {
        let file = &self.config.file;
        let diagnostic = Diagnostic::new(code, format!("`{key}` cannot be used: {error}"))
            .at(file.location(Span::default()))
            .pointer(pointer)
            .hint("use a smaller file or another format");
        self.diagnostics.push(diagnostic);
    }

    /// The icons of the site and the links to them. Empty when the icon is a URL or invalid: pages
    /// then link to it as it is written.
    fn icons(&mut self) -> (Vec<IconSet>, Vec<IconLink>) {
        let Some(favicon) = &self.config.favicon else {
            return self.initial_icon();
        };
        let same = favicon.light == favicon.dark;
        let modes: &[(&String, &'static str, &str)] = if same {
            &[(&favicon.light, "", "/favicon")]
        } else {
            &[
                (&favicon.light, LIGHT, "/favicon/light"),
                (&favicon.dark, DARK, "/favicon/dark"),
            ]
        };
        let (mut sets, mut links) = (Vec::new(), Vec::new());
        for (reference, media, pointer) in modes {
            if files::is_external(reference) {
                return (Vec::new(), Vec::new());
            }
            // A missing file is reported by the configuration.
            let Some(bytes) = files::bytes(self.tree, reference) else {
                return self.initial_icon();
            };
            if let Err(error) = worker::check(&bytes) {
                self.report(&UNUSABLE_IMAGE, "favicon", pointer, &error);
                return (Vec::new(), Vec::new());
            }
            let set = IconSet::new(&bytes);
            let itself = format!("/{}", files::local_path(reference));
            let loaded = is_loaded(&itself[1..]);
            links.extend(set.links(loaded.then_some(itself), media));
            sets.push(set);
        }
        (sets, links)
    }

    /// An icon with the initial of the site's name, for sites without an icon.
    fn initial_icon(&self) -> (Vec<IconSet>, Vec<IconLink>) {
        let accent = Color::parse(&self.config.colors.primary).unwrap_or(Color(15, 118, 110));
        let set = IconSet::new(initial_icon(&self.config.name, accent).as_bytes());
        let links = set.links(None, "");
        (vec![set], links)
    }

    /// The path prefix of preview images, with a digest of their shared inputs. `None` for an
    /// export without a known origin, because link previews need absolute URLs.
    fn og_image_dir(&mut self, options: &SiteOptions) -> Option<String> {
        let config = self.config;
        let has_origin = !options.origin.is_empty() || svc_render::canonical_base(config).is_some();
        if options.export && !has_origin {
            return None;
        }
        let thumbnails = &config.thumbnails;
        let mut digester = Digester::default();
        digester.add(OG_IMAGE_REVISION).add(config.name.as_bytes());
        digester.add(format!("{:?} {:?}", config.colors, thumbnails).as_bytes());
        let logo = config.logo.as_ref();
        let logos = logo
            .into_iter()
            .flat_map(|logo| [&*logo.light, &*logo.dark]);
        let images = logos.chain(thumbnails.background.as_deref());
        for reference in images.chain(files::og_image_fonts(config)) {
            if let Some(bytes) = files::bytes(self.tree, reference) {
                digester.add(&bytes);
            }
        }
        if let Some(reference) = &thumbnails.background
            && let Some(bytes) = files::bytes(self.tree, reference)
            && let Err(error) = worker::check(&bytes)
        {
            let pointer = "/thumbnails/background";
            self.report(&UNUSABLE_IMAGE, "thumbnails.background", pointer, &error);
        }
        Some(format!("/_svc/cards/{}", hex::encode(&digester.key()[..8])))
    }

    /// The metrics of the font files.
    fn font_metrics(&mut self) -> Vec<(&'a str, FontMetrics)> {
        let mut metrics = Vec::new();
        for source in files::fonts(self.config) {
            let Some(bytes) = files::bytes(self.tree, source) else {
                continue;
            };
            match Face::read(&bytes) {
                Ok(face) => metrics.extend(face.metrics().map(|font| {
                    let font = FontMetrics {
                        ascent: font.ascent,
                        descent: font.descent,
                        line_gap: font.line_gap,
                        width: font.width,
                        weights: font.weights,
                    };
                    (source, font)
                })),
                Err(error) => self.report(&UNUSABLE_FONT, source, "/fonts", &error),
            }
        }
        metrics
    }
}

/// The texts of the style sheets of the repository.
fn style_sheets(tree: &SourceTree) -> impl Iterator<Item = &str> {
    tree.iter().filter_map(|(path, contents)| match contents {
        Contents::Text(file) if path.ends_with(".css") => Some(&**file.text()),
        _ => None,
    })
}

/// The lower-case font families that style sheets of the repository declare.
fn declared_families(tree: &SourceTree) -> Vec<String> {
    let mut families = Vec::new();
    for text in style_sheets(tree) {
        for rule in text.split("@font-face").skip(1) {
            let rule = rule.split('}').next().unwrap_or(rule);
            let Some((_, value)) = rule.split_once("font-family") else {
                continue;
            };
            let value = value.trim_start().trim_start_matches(':');
            let name = value.split([';', '\n']).next().unwrap_or(value);
            let name = name.trim().trim_matches(['"', '\'']).to_ascii_lowercase();
            if !name.is_empty() && !families.contains(&name) && families.len() < 100 {
                families.push(name);
            }
        }
    }
    families
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_font_families_are_unique() {
        let tree = SourceTree::from_files([
            (
                "a.css",
                "@font-face{font-family:\"My Face\";src:url(a)}@font-face { font-family: 'My Face' ; }",
            ),
            (
                "b.css",
                "body{font-family: Other} @font-face{src:url(b)} @font-face {\n  src: url(c);\n  font-family: Plain\n}",
            ),
            ("c.mdx", "@font-face{font-family:No}"),
        ]);
        assert_eq!(declared_families(&tree), ["my face", "plain"]);
    }
}
