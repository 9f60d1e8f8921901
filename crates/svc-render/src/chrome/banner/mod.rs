//! The announcement above the header.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use svc_config::{Banner, BannerKind};

use crate::html::Html;

pub(super) fn render(banner: Option<&Banner>) -> Html {
    let mut html = Html::new();
    let Some(banner) = banner else { return html };
    let mut hasher = DefaultHasher::new();
    banner.content.hash(&mut hasher);
    let kind = match banner.kind {
        BannerKind::Info => "info",
        BannerKind::Warning => "warning",
        BannerKind::Critical => "critical",
    };
    html.lit("<div class=\"svc-banner\" id=\"banner\" role=\"region\" aria-label=\"Announcement\"");
    html.attr("data-type", kind)
        .attr("data-key", &format!("{:x}", hasher.finish()))
        .lit("><p>");
    html.add(&crate::markdown::inline(&banner.content))
        .lit("</p>");
    if banner.dismissible {
        html.lit("<button type=\"button\" aria-label=\"Close\">×</button>");
    }
    html.lit("</div>");
    html
}
