//! The announcement above the header.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use svc_config::{Banner, BannerKind, ModeColors};

use super::View;
use crate::html::Html;
use crate::themes::site_css::color_pair;

/// Identifies the content of a banner: a dismissed banner stays hidden until its content changes.
pub(super) fn key(banner: Option<&Banner>) -> Option<String> {
    let banner = banner.filter(|banner| banner.dismissible)?;
    let mut hasher = DefaultHasher::new();
    banner.content.hash(&mut hasher);
    Some(format!("{:x}", hasher.finish()))
}

pub(super) fn render(view: &View<'_>, banner: Option<&Banner>) -> Html {
    let mut html = Html::new();
    let Some(banner) = banner else { return html };
    let texts = view.texts();
    let kind = match banner.kind {
        BannerKind::Info => "info",
        BannerKind::Warning => "warning",
        BannerKind::Critical => "critical",
    };
    html.lit("<div class=\"svc-banner\" role=\"region\"");
    html.attr("id", &view.id("banner"))
        .attr("aria-label", texts.announcement)
        .attr("data-type", kind);
    if let Some(style) = banner.color.as_ref().and_then(colors) {
        html.lit(" data-colored").attr("style", &style);
    }
    html.lit("><p>")
        .add(&crate::markdown::plain_inline(&banner.content))
        .lit("</p>");
    if banner.dismissible {
        html.lit("<button type=\"button\"")
            .attr("aria-label", texts.close)
            .lit(">×</button>");
    }
    html.lit("</div>");
    html
}

/// The colors of the banner, each with black or white text, whichever is readable. A missing color
/// of one mode is that of the other.
fn colors(own: &ModeColors) -> Option<String> {
    let light = own.light.as_deref().or(own.dark.as_deref())?;
    let dark = own.dark.as_deref().unwrap_or(light);
    let (light, on_light) = color_pair(light)?;
    let (dark, on_dark) = color_pair(dark)?;
    Some(format!(
        "--light:{light};--on-light:{on_light};--dark:{dark};--on-dark:{on_dark}"
    ))
}

#[cfg(test)]
mod tests {
    use crate::testing::document;

    fn page(banner: &str) -> String {
        let site = format!(
            "//- /docs.json\n{{\"theme\": \"svc\", \"name\": \"T\", \"colors\": {{\"primary\": \"#112233\"}}, \"navigation\": {{\"pages\": [\"a\"]}}, \"banner\": {banner}}}\n//- /a.mdx\n"
        );
        document(&site, "/a")
    }

    #[test]
    fn a_dismissible_banner_has_a_key_of_its_content() {
        // spec: view.banner accepts
        let closable = page(r#"{"content": "Hi [a](/a)", "dismissible": true}"#);
        let key = |html: &str| {
            let (_, rest) = html.split_once("data-banner=\"").expect("it has a key");
            rest.split('"').next().unwrap_or("").to_owned()
        };
        assert!(closable.contains("<button type=\"button\" aria-label=\"Close\">"));
        assert_eq!(
            key(&closable),
            key(&page(
                r#"{"content": "Hi [a](/a)", "dismissible": true, "type": "warning"}"#
            ))
        );
        assert_ne!(
            key(&closable),
            key(&page(r#"{"content": "Other", "dismissible": true}"#))
        );
        let fixed = page(r#"{"content": "Hi"}"#);
        assert!(!fixed.contains("data-banner") && fixed.contains("data-type=\"info\""));
    }

    #[test]
    fn custom_colors_have_readable_text() {
        let html = page(r##"{"content": "Hi", "color": {"light": "#ffff00"}}"##);
        assert!(
            html.contains("--light:#ffff00;--on-light:#") && html.contains("--dark:#ffff00"),
            "{html}"
        );
    }
}
