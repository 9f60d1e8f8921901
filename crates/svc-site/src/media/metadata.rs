//! What rendering has to be told about the files of a site.

use std::sync::Arc;

use svc_config::SiteConfig;
use svc_diagnostics::{Diagnostic, DiagnosticCode, Span};
use svc_media::{Color, Face, MediaError, initial_icon};
use svc_render::{FontMetrics, IconLink, SiteMetadata};
use svc_source::{Contents, SourceTree};

use super::{IconSet, Media, RenderInputs, files};
use crate::LoadOptions;
use crate::codes::{UNUSABLE_FONT, UNUSABLE_IMAGE};
use crate::digest::{self, Digester};
use crate::worker;

/// The media query of an icon for dark browsers.
pub(super) const DARK: &str = "(prefers-color-scheme: dark)";
const LIGHT: &str = "(prefers-color-scheme: light)";
/// Changes when the same card would be drawn differently.
const OG_IMAGE_REVISION: &[u8] = b"1";

/// Reads what pages say about fonts and pictures of the repository.
pub(crate) fn gather(
    tree: &SourceTree,
    config: &SiteConfig,
    options: &LoadOptions,
) -> RenderInputs {
    let mut around = MetadataBuilder {
        tree,
        config,
        diagnostics: Vec::new(),
    };
    let (icons, links) = around.icons();
    let facts = SiteMetadata {
        icons: links,
        og_image_dir: around.og_image_dir(options),
        fonts: around
            .font_metrics()
            .into_iter()
            .map(|(path, shape)| (path.to_owned(), shape))
            .collect(),
        declared_families: declared_families(tree),
        marks_paragraphs: style_sheets(tree).any(|text| text.contains("data-as")),
        ..SiteMetadata::default()
    };
    let highlighter = svc_render::site_highlighter(config, tree);
    RenderInputs {
        facts,
        highlighter: Arc::new(highlighter.drain_into(&mut around.diagnostics)),
        media: Media {
            icons,
            ..Media::default()
        },
        diagnostics: around.diagnostics,
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
        let found = Diagnostic::new(code, format!("`{key}` cannot be used: {error}"))
            .at(file.location(Span::default()))
            .pointer(pointer)
            .hint("export the file again, smaller or in another format");
        self.diagnostics.push(found);
    }

    /// The icons of the site and the links to them. Nothing where the icon is elsewhere on the web,
    /// or cannot be read: pages then name it as it is written.
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
        for (written, media, pointer) in modes {
            if files::is_external(written) {
                return (Vec::new(), Vec::new());
            }
            // A missing file is reported with the other missing files.
            let Some(bytes) = files::bytes(self.tree, written) else {
                return self.initial_icon();
            };
            if let Err(error) = worker::check(&bytes) {
                self.report(&UNUSABLE_IMAGE, "favicon", pointer, &error);
                return (Vec::new(), Vec::new());
            }
            let set = IconSet::new(&bytes);
            let itself = format!("/{}", files::local_path(written));
            let served = crate::served::is_loaded(&itself[1..]);
            links.extend(set.links(served.then_some(itself), media));
            sets.push(set);
        }
        (sets, links)
    }

    /// The initial of the site, where it has no icon.
    fn initial_icon(&self) -> (Vec<IconSet>, Vec<IconLink>) {
        let accent = Color::parse(&self.config.colors.primary).unwrap_or(Color(15, 118, 110));
        let set = IconSet::new(initial_icon(&self.config.name, accent).as_bytes());
        let links = set.links(None, "");
        (vec![set], links)
    }

    /// The folder of cards: a digest of everything that they share. Nothing for an export that
    /// does not know where it will stand, as nobody could fetch them.
    fn og_image_dir(&mut self, options: &LoadOptions) -> Option<String> {
        let config = self.config;
        let known = !options.origin.is_empty() || svc_render::canonical_base(config).is_some();
        if options.export && !known {
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
        let pictures = logos.chain(thumbnails.background.as_deref());
        for written in pictures.chain(files::og_image_fonts(config)) {
            if let Some(bytes) = files::bytes(self.tree, written) {
                digester.add(&bytes);
            }
        }
        if let Some(written) = &thumbnails.background
            && let Some(bytes) = files::bytes(self.tree, written)
            && let Err(error) = worker::check(&bytes)
        {
            let pointer = "/thumbnails/background";
            self.report(&UNUSABLE_IMAGE, "thumbnails.background", pointer, &error);
        }
        Some(format!("/_svc/cards/{}", digest::hex(&digester.key()[..8])))
    }

    /// The measures of the font files.
    fn font_metrics(&mut self) -> Vec<(&'a str, FontMetrics)> {
        let mut shapes = Vec::new();
        for source in files::fonts(self.config) {
            let Some(bytes) = files::bytes(self.tree, source) else {
                continue;
            };
            match Face::read(&bytes) {
                Ok(face) => shapes.extend(face.metrics().map(|shape| {
                    let shape = FontMetrics {
                        ascent: shape.ascent,
                        descent: shape.descent,
                        line_gap: shape.line_gap,
                        width: shape.width,
                        weights: shape.weights,
                    };
                    (source, shape)
                })),
                Err(error) => self.report(&UNUSABLE_FONT, source, "/fonts", &error),
            }
        }
        shapes
    }
}

/// The texts of the repository's style sheets.
fn style_sheets(tree: &SourceTree) -> impl Iterator<Item = &str> {
    tree.iter().filter_map(|(path, contents)| match contents {
        Contents::Text(file) if path.ends_with(".css") => Some(&**file.text()),
        _ => None,
    })
}

/// The families that style sheets of the repository declare, in lower case.
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
    fn families_of_style_sheets_are_found_once() {
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
