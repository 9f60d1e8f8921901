//! Icon links of the site.

use super::View;
use crate::html::Html;

/// Links to the rendered icons, or to the file in `docs.json` if there are none.
pub(super) fn render(view: &View<'_>) -> Html {
    let mut html = Html::new();
    for icon in &view.cx.options.metadata.icons {
        let media = (!icon.media.is_empty()).then_some(icon.media);
        html.lit("<link")
            .attr("rel", icon.rel)
            .attr("href", &view.href(&icon.path))
            .attr("type", icon.kind)
            .attr_if("sizes", icon.sizes)
            .attr_if("media", media)
            .lit(">\n");
    }
    if !html.is_empty() {
        return html;
    }
    let Some(favicon) = &view.config().favicon else {
        return html;
    };
    let (light, dark) = (view.href(&favicon.light), view.href(&favicon.dark));
    if light == dark {
        html.lit("<link rel=\"icon\"")
            .attr("href", &light)
            .lit(">\n");
        return html;
    }
    for (href, media) in [
        (light, "(prefers-color-scheme: light)"),
        (dark, "(prefers-color-scheme: dark)"),
    ] {
        html.lit("<link rel=\"icon\"")
            .attr("href", &href)
            .attr("media", media)
            .lit(">\n");
    }
    html
}
