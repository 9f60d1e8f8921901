//! Two columns: the text and the side column.

use crate::html::Html;

/// Renders the text with a sticky side column, which is below the text on small screens. If `head`
/// is not empty, the side column is between both on small screens.
pub(crate) fn split(head: &Html, main: &Html, aside: &Html, label: &str) -> Html {
    let mut out = Html::literal("<div class=\"svc-split\">");
    if !head.is_blank() {
        out.lit("<div class=\"svc-split-head\">")
            .add(head)
            .lit("</div>");
    }
    // Style sheets of real sites limit the width of `#content-area`, which is the text column.
    out.lit("<div class=\"svc-split-main\" id=\"content-area\">")
        .add(main);
    out.lit("</div><aside class=\"svc-split-aside\" id=\"content-side-layout\"")
        .attr("aria-label", label)
        .lit(">")
        .add(aside);
    // The style sheet tells by the end of the side column that what comes first in it is complete.
    if !head.is_blank() {
        out.lit("<span hidden></span>");
    }
    out.lit("</aside></div>");
    out
}
