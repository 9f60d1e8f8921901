//! Two columns: text, and what belongs beside it.

use crate::html::Html;

/// The text with a column that stays in view beside it; below the text on small screens.
pub(crate) fn split(main: &Html, aside: &Html, label: &str) -> Html {
    let mut out = Html::new();
    // Styles of real sites limit `#content-area`; they mean the column of the text.
    out.lit("<div class=\"svc-split\">")
        .lit("<div class=\"svc-split-main\" id=\"content-area\">")
        .add(main);
    out.lit("</div><aside class=\"svc-split-aside\" id=\"content-side-layout\"")
        .attr("aria-label", label)
        .lit(">")
        .add(aside);
    out.lit("</aside></div>");
    out
}
