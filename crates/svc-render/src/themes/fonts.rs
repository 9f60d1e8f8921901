//! The fonts of a site, and the fallbacks until their files are loaded.
//!
//! A font is a file of the repository, a remote file, or a family of the public catalog of web
//! fonts. While a file loads, text uses a fallback font that is scaled to the same metrics, so that
//! the layout does not shift.

use std::fmt::Write as _;

use svc_config::{Font, FontFormat, SiteConfig};
use svc_data::percent;

use crate::ctx::RenderOptions;
use crate::html::Html;
use crate::site_metadata::FontMetrics;

/// Origins of the catalog of web fonts and of its files.
const CATALOG: (&str, &str) = ("https://fonts.googleapis.com", "https://fonts.gstatic.com");

/// Fallback font families.
const DEFAULT_STACK: &str = "ui-sans-serif,system-ui,sans-serif";

/// Families that are installed on most systems, and generic families; nothing is loaded for them.
const INSTALLED: &[&str] = &[
    "-apple-system",
    "arial",
    "blinkmacsystemfont",
    "calibri",
    "cambria",
    "consolas",
    "courier",
    "courier new",
    "cursive",
    "fantasy",
    "georgia",
    "helvetica",
    "helvetica neue",
    "menlo",
    "monaco",
    "monospace",
    "palatino",
    "sans-serif",
    "segoe ui",
    "serif",
    "sf mono",
    "sf pro",
    "system-ui",
    "tahoma",
    "times",
    "times new roman",
    "trebuchet ms",
    "ui-monospace",
    "ui-rounded",
    "ui-sans-serif",
    "ui-serif",
    "verdana",
];

/// CSS keywords, which must not be quoted.
const KEYWORDS: &[&str] = &[
    "-apple-system",
    "cursive",
    "fantasy",
    "monospace",
    "sans-serif",
    "serif",
    "system-ui",
    "ui-monospace",
    "ui-rounded",
    "ui-sans-serif",
    "ui-serif",
];

/// Mean width of the letters of Arial and metric-compatible fonts over English text, in
/// ten-thousandths of an em; fallback fonts are scaled relative to it.
const ARIAL_WIDTH: u32 = 4_404;

/// A use of a font family.
struct FontUse<'a> {
    /// The token that it sets.
    token: &'static str,
    font: &'a Font,
    /// The name in its `@font-face` rule.
    name: String,
    /// Whether this use needs its own `@font-face` rule.
    declares_face: bool,
}

fn uses(config: &SiteConfig) -> Vec<FontUse<'_>> {
    let body = config.fonts.body.as_ref();
    let heading = config.fonts.heading.as_ref();
    let mut uses: Vec<FontUse<'_>> = Vec::new();
    for (token, font) in [("body", body), ("heading", heading)] {
        let Some(font) = font else { continue };
        let mut name = plain_name(&font.family);
        let same = uses.first().filter(|other| other.name == name);
        let own_face = same.is_none_or(|other| other.font.source != font.source);
        // Two files of one family need two names.
        if same.is_some() && own_face && font.source.is_some() {
            name.push_str(" Heading");
        }
        uses.push(FontUse {
            token,
            font,
            name,
            declares_face: own_face,
        });
    }
    uses
}

/// A family name without characters that could end a string.
fn plain_name(family: &str) -> String {
    let plain = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    family.chars().filter(plain).collect()
}

fn is_installed(family: &str) -> bool {
    INSTALLED.contains(&family.to_ascii_lowercase().as_str())
}

/// The rules of a site's fonts: `@font-face` rules, and tokens that use them.
pub(crate) fn css(config: &SiteConfig, options: &RenderOptions) -> String {
    let mut css = String::new();
    for used in uses(config) {
        let metrics = metrics(used.font, options);
        if used.declares_face
            && let Some(source) = &used.font.source
        {
            face(&mut css, &used, &file_url(source, options), metrics);
        }
        let (token, name) = (used.token, &used.name);
        // Writing to a String cannot fail.
        let _ = if KEYWORDS.contains(&name.to_ascii_lowercase().as_str()) {
            write!(css, ":root{{--svc-font-{token}:{name},{DEFAULT_STACK}}}")
        } else if metrics.is_some() {
            write!(
                css,
                ":root{{--svc-font-{token}:\"{name}\",\"{name} Stand-in\",{DEFAULT_STACK}}}"
            )
        } else {
            write!(
                css,
                ":root{{--svc-font-{token}:\"{name}\",{DEFAULT_STACK}}}"
            )
        };
        if let Some(weight) = used.font.weight {
            let weight = weight.clamp(1.0, 1000.0);
            let _ = match token {
                "body" => write!(css, "body{{font-weight:{weight}}}"),
                _ => write!(
                    css,
                    ".svc-page-header h1,.prose :is(h1,h2,h3,h4,h5,h6){{font-weight:{weight}}}"
                ),
            };
        }
    }
    css
}

/// The `@font-face` rule of a file, and that of its fallback if the metrics are known.
fn face(css: &mut String, used: &FontUse<'_>, url: &str, metrics: Option<FontMetrics>) {
    let name = &used.name;
    let format = match used.font.format {
        Some(FontFormat::Woff) => "woff",
        Some(FontFormat::Woff2) | None => "woff2",
    };
    let weight = match (
        metrics.and_then(|metrics| metrics.weights),
        used.font.weight,
    ) {
        (Some((from, to)), _) => format!("font-weight:{from} {to};"),
        (None, Some(weight)) => format!("font-weight:{};", weight.clamp(1.0, 1000.0)),
        (None, None) => String::new(),
    };
    let _ = write!(
        css,
        "@font-face{{font-family:\"{name}\";src:url(\"{url}\") format(\"{format}\");{weight}font-display:swap}}"
    );
    if let Some(metrics) = metrics {
        let stretch = f64::from(metrics.width.max(1)) / f64::from(ARIAL_WIDTH);
        let percent = |part: u32| f64::from(part) / stretch / 100.0;
        let _ = write!(
            css,
            "@font-face{{font-family:\"{name} Stand-in\";src:local(\"Arial\"),local(\"Liberation Sans\"),local(\"Helvetica\"),local(\"Arimo\");size-adjust:{:.2}%;ascent-override:{:.2}%;descent-override:{:.2}%;line-gap-override:{:.2}%}}",
            stretch * 100.0,
            percent(metrics.ascent),
            percent(metrics.descent),
            percent(metrics.line_gap),
        );
    }
}

fn metrics(font: &Font, options: &RenderOptions) -> Option<FontMetrics> {
    let shape = options.metadata.fonts.get(font.source.as_ref()?)?;
    // Wider fallbacks indicate a corrupt file.
    (1_000..20_000).contains(&shape.width).then_some(*shape)
}

/// The URL of a font file, escaped for a string in a style sheet.
fn file_url(source: &str, options: &RenderOptions) -> String {
    let url = if is_remote(source) {
        source.to_owned()
    } else {
        crate::url::resolve_url(&options.site.base_path, &format!("/{source}"))
    };
    crate::url::css_url(&url)
}

fn is_remote(source: &str) -> bool {
    source.starts_with("https://") || source.starts_with("http://")
}

/// Links in the head that load fonts early: preload links for files, and style sheets of the
/// catalog.
pub(crate) fn links(config: &SiteConfig, options: &RenderOptions) -> Html {
    let mut html = Html::new();
    if super::face::is_used(config) {
        let name = &super::face::asset().name;
        html.lit("<link rel=\"preload\" as=\"font\" type=\"font/woff2\"")
            .attr(
                "href",
                &format!("{}/_svc/assets/{name}", options.site.base_path),
            )
            .lit(" crossorigin>\n");
    }
    let (mut families, mut between) = (Vec::new(), Vec::new());
    for used in uses(config) {
        match &used.font.source {
            Some(source) if used.declares_face => {
                let kind = match used.font.format {
                    Some(FontFormat::Woff) => "font/woff",
                    Some(FontFormat::Woff2) | None => "font/woff2",
                };
                html.lit("<link rel=\"preload\" as=\"font\"")
                    .attr("type", kind)
                    .attr("href", &file_url(source, options))
                    .lit(" crossorigin>\n");
            }
            Some(_) => {}
            None if is_in_catalog(&used.name, options) => {
                families.push(catalog_entry(&used));
                between.extend(exact_entry(&used));
            }
            None => {}
        }
    }
    families.dedup();
    between.dedup();
    if !families.is_empty() && !options.site.without_web_fonts {
        let (sheets, files) = CATALOG;
        html.lit("<link rel=\"preconnect\"").attr("href", files);
        html.lit(" crossorigin>\n");
        let steps = format!("{sheets}/css?family={}&display=swap", families.join("|"));
        // The catalog rejects these weights for families without variable fonts, so each family has
        // its own style sheet; the fonts in steps of 100 load in any case.
        let exact = between
            .iter()
            .map(|entry| format!("{sheets}/css2?family={entry}&display=swap"));
        for url in std::iter::once(steps).chain(exact) {
            html.lit("<link rel=\"stylesheet\"")
                .attr("href", &url)
                .lit(">\n");
        }
    }
    html
}

fn is_in_catalog(family: &str, options: &RenderOptions) -> bool {
    let lower = family.to_ascii_lowercase();
    !family.trim().is_empty()
        && !is_installed(family)
        && !options.metadata.declared_families.contains(&lower)
}

/// Family and weights in the syntax of the catalog, which ignores weights that it does not have.
fn catalog_entry(used: &FontUse<'_>) -> String {
    let own = used.font.weight.filter(|weight| weight.is_finite());
    let round = |weight: f64| ((weight / 100.0).round() * 100.0).clamp(100.0, 900.0);
    let weights = match own.map(round) {
        Some(weight) => format!("{weight},{weight}i,600,700"),
        None => "400,400i,500,600,700".to_owned(),
    };
    format!("{}:{weights}", catalog_name(used))
}

/// A weight that is not a multiple of 100, in the syntax of the catalog's variable fonts: the
/// integers around it. `None` for other weights.
fn exact_entry(used: &FontUse<'_>) -> Option<String> {
    let weight = used.font.weight.filter(|weight| weight.is_finite())?;
    let weight = weight.clamp(1.0, 1000.0);
    let (from, to) = (weight.floor(), weight.ceil());
    let weights = match from == to {
        true => format!("{from}"),
        false => format!("{from}..{to}"),
    };
    (weight % 100.0 != 0.0).then(|| format!("{}:wght@{weights}", catalog_name(used)))
}

/// A family in a URL of the catalog.
fn catalog_name(used: &FontUse<'_>) -> String {
    percent::encode(used.name.trim(), percent::NON_ASCII).replace(' ', "+")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::site_options::SiteOptions;
    use svc_diagnostics::SourceFile;

    use super::*;
    use crate::site_metadata::SiteMetadata;

    fn config(fonts: &str) -> SiteConfig {
        let text = format!(
            r##"{{"theme":"svc","name":"T","colors":{{"primary":"#123456"}},"navigation":{{"pages":["a"]}},"fonts":{fonts}}}"##
        );
        svc_config::parse(&SourceFile::new("docs.json", text), &|_| None)
            .value
            .expect("it is an object")
    }

    fn options(facts: SiteMetadata) -> RenderOptions {
        RenderOptions {
            site: SiteOptions {
                base_path: "/docs".to_owned(),
                ..SiteOptions::default()
            },
            metadata: Arc::new(facts),
            ..RenderOptions::default()
        }
    }

    fn both(fonts: &str, options: &RenderOptions) -> (String, String) {
        let config = config(fonts);
        let links = links(&config, options).into_string();
        (css(&config, options), links)
    }

    #[test]
    fn a_font_file_is_declared_preloaded_and_has_a_fallback() {
        let shape = FontMetrics {
            ascent: 9_688,
            descent: 2_412,
            line_gap: 0,
            width: 4_900,
            weights: Some((100, 900)),
        };
        let mut facts = SiteMetadata::default();
        facts.fonts.insert("fonts/my face.woff2".to_owned(), shape);
        let fonts = r#"{"family":"My Face","source":"/fonts/my face.woff2","format":"woff2"}"#;
        let (css, links) = both(fonts, &options(facts));
        assert!(css.contains(
            r#"@font-face{font-family:"My Face";src:url("/docs/fonts/my%20face.woff2") format("woff2");font-weight:100 900;font-display:swap}"#
        ), "{css}");
        assert!(css.contains("size-adjust:111.26%"), "{css}");
        assert!(css.contains(r#"--svc-font-body:"My Face","My Face Stand-in",ui-sans"#));
        assert_eq!(css.matches("@font-face").count(), 2);
        assert_eq!(
            links,
            "<link rel=\"preload\" as=\"font\" type=\"font/woff2\" href=\"/docs/fonts/my%20face.woff2\" crossorigin>\n"
        );
    }

    #[test]
    fn two_files_of_one_family_have_two_names() {
        let fonts = r#"{"heading":{"family":"F","source":"/b.woff2","format":"woff2","weight":700},"body":{"family":"F","source":"/a.woff","format":"woff"}}"#;
        let (css, links) = both(fonts, &RenderOptions::default());
        assert!(css.contains(r#"--svc-font-heading:"F Heading""#), "{css}");
        assert!(css.contains(r#"src:url("/a.woff") format("woff")"#));
        assert!(css.contains("h6){font-weight:700}"));
        assert_eq!(links.matches("preload").count(), 2);
    }

    #[test]
    fn a_family_without_a_file_is_loaded_from_the_catalog_unless_installed() {
        let plain = RenderOptions::default();
        let (_, links) = both(r#"{"family":"Source Sans 3","weight":450.5}"#, &plain);
        assert!(
            links.contains("css?family=Source+Sans+3:500,500i,600,700&amp;display=swap")
                && links.contains("css2?family=Source+Sans+3:wght@450..451&amp;display=swap"),
            "{links}"
        );
        let (_, links) = both(r#"{"family":"Inter","weight":450}"#, &plain);
        assert!(links.contains("css2?family=Inter:wght@450&amp;"), "{links}");
        let (_, links) = both(r#"{"family":"Inter","weight":500}"#, &plain);
        assert!(!links.contains("css2"), "{links}");
        let two = r#"{"heading":{"family":"Lora"},"body":{"family":"Inter"}}"#;
        let (_, links) = both(two, &plain);
        assert!(
            links.contains("family=Inter:400,400i,500,600,700|Lora:400"),
            "{links}"
        );
        for installed in ["Georgia", "system-ui"] {
            let (css, links) = both(&format!(r#"{{"family":"{installed}"}}"#), &plain);
            assert_eq!(links, "", "{css}");
        }
        let (css, _) = both(r#"{"family":"system-ui"}"#, &plain);
        assert!(css.contains("--svc-font-body:system-ui,"), "{css}");
        let facts = SiteMetadata {
            declared_families: vec!["inter".to_owned()],
            ..SiteMetadata::default()
        };
        assert_eq!(both(r#"{"family":"Inter"}"#, &options(facts)).1, "");
        let private = RenderOptions {
            site: SiteOptions {
                without_web_fonts: true,
                ..SiteOptions::default()
            },
            ..RenderOptions::default()
        };
        assert_eq!(both(r#"{"family":"Inter"}"#, &private).1, "");
    }

    #[test]
    fn names_and_urls_are_escaped() {
        let fonts =
            r#"{"family":"A\"};body{display:none","source":"/a\");x.woff2","format":"woff2"}"#;
        let (css, links) = both(fonts, &RenderOptions::default());
        assert!(css.contains(r#"font-family:"Abodydisplaynone""#), "{css}");
        assert!(css.contains("url(\"/a%22%29;x.woff2\")"), "{css}");
        assert!(!links.contains("\");x"), "{links}");
    }
}
