//! The announcement above the header.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use svc_config::{Banner, BannerKind};

use crate::html::Html;
use crate::language::Texts;

pub(super) fn render(banner: Option<&Banner>, texts: &Texts) -> Html {
    let mut html = Html::new();
    let Some(banner) = banner else { return html };
    let mut hasher = DefaultHasher::new();
    banner.content.hash(&mut hasher);
    let kind = match banner.kind {
        BannerKind::Info => "info",
        BannerKind::Warning => "warning",
        BannerKind::Critical => "critical",
    };
    html.lit("<div class=\"svc-banner\" id=\"banner\" role=\"region\"");
    html.attr("aria-label", texts.announcement)
        .attr("data-type", kind)
        .attr("data-key", &format!("{:x}", hasher.finish()))
        .lit("><p>");
    html.add(&crate::markdown::inline(&banner.content))
        .lit("</p>");
    if banner.dismissible {
        html.lit("<button type=\"button\"")
            .attr("aria-label", texts.close)
            .lit(">×</button>");
    }
    html.lit("</div>");
    html
}
