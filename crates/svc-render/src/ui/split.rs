//! Two columns: text, and what belongs beside it.

use crate::html::Html;

/// The text with a column that stays in view beside it; below the text on small screens. Where there
/// is a `head` above the text, small screens have the request between both.
pub(crate) fn split(head: &Html, main: &Html, aside: &Html, label: &str) -> Html {
    let mut out = Html::literal("<div class=\"svc-split\">");
    if !head.is_blank() {
        out.lit("<div class=\"svc-split-head\">")
            .add(head)
            .lit("</div>");
    }
    // Styles of real sites limit `#content-area`; they mean the column of the text.
    out.lit("<div class=\"svc-split-main\" id=\"content-area\">")
        .add(main);
    out.lit("</div><aside class=\"svc-split-aside\" id=\"content-side-layout\"")
        .attr("aria-label", label)
        .lit(">")
        .add(aside);
    out.lit("</aside></div>");
    out
}
