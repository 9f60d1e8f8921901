//! Footnotes: references in the text and the section at the end.

use crate::ctx::Ctx;
use crate::html::Html;

pub(super) fn reference(cx: &mut Ctx<'_>, label: &str, out: &mut Html) {
    if !cx.scope.module.footnotes.contains_key(label) {
        return;
    }
    let key = label.to_owned();
    let times = cx.out.footnotes.entry(key).or_insert(0);
    *times += 1;
    let times = *times;
    let number = cx.out.footnotes.get_index_of(label).unwrap_or(0) + 1;
    let slug = svc_source::heading_id(label);
    out.lit("<sup class=\"svc-footnote-mark\"><a")
        .attr("href", &format!("#fn-{slug}"));
    let id = if times == 1 {
        format!("fnref-{slug}")
    } else {
        format!("fnref-{slug}-{times}")
    };
    out.attr("id", &id)
        .lit(" aria-describedby=\"footnote-label\">")
        .num(number as u64);
    out.lit("</a></sup>");
}

/// Renders the section with all referenced footnotes.
pub(crate) fn footnotes(cx: &mut Ctx<'_>) -> Html {
    let mut out = Html::new();
    if cx.out.footnotes.is_empty() {
        return out;
    }
    let module = cx.scope.module.clone();
    out.lit("<section class=\"footnotes\" data-footnotes><h2 class=\"svc-visually-hidden\" ");
    out.lit("id=\"footnote-label\">")
        .esc(cx.texts.footnotes)
        .lit("</h2><ol>");
    let mut at = 0;
    // Footnotes can reference further footnotes, which are then appended.
    while let Some((label, times)) = cx.out.footnotes.get_index(at).map(|(l, t)| (l.clone(), *t)) {
        at += 1;
        let slug = svc_source::heading_id(&label);
        out.lit("<li").attr("id", &format!("fn-{slug}")).lit(">");
        if let Some(children) = module.footnotes.get(&label) {
            let inner = cx.nodes(children);
            out.add(&inner);
        }
        for time in 1..=times.min(20) {
            let target = if time == 1 {
                format!("#fnref-{slug}")
            } else {
                format!("#fnref-{slug}-{time}")
            };
            out.lit(" <a").attr("href", &target);
            out.lit(" class=\"svc-footnote-back\"")
                .attr("aria-label", cx.texts.back_to_text)
                .lit(">↩</a>");
        }
        out.lit("</li>");
    }
    out.lit("</ol></section>");
    out
}
