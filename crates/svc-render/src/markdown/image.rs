//! Pictures.

use svc_diagnostics::Span;

use super::link;
use crate::ctx::{Ctx, Frame};
use crate::html::Html;

/// A picture that Markdown, an `<img>` tag or a component shows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Picture<'a> {
    /// Address as written.
    pub(crate) src: &'a str,
    /// Description.
    pub(crate) alt: &'a str,
    /// Title.
    pub(crate) title: Option<&'a str>,
    /// Further attributes, ready.
    pub(crate) attributes: Html,
    /// Does not open large on a click.
    pub(crate) no_zoom: bool,
    /// Where it is written.
    pub(crate) span: Span,
}

pub(super) fn markdown(
    cx: &mut Ctx<'_>,
    url: &str,
    title: Option<&str>,
    alt: &str,
    span: Span,
    out: &mut Html,
) {
    let picture = Picture {
        src: url,
        alt,
        title,
        span,
        ..Picture::default()
    };
    out.add(&self::picture(cx, &picture));
}

/// An `<img>`, loaded when it comes into view.
pub(crate) fn picture(cx: &mut Ctx<'_>, picture: &Picture<'_>) -> Html {
    let mut out = Html::new();
    let Some(src) = link::source(cx, picture.src, picture.span) else {
        out.esc(picture.alt);
        return out;
    };
    let in_tile = cx
        .frames
        .iter()
        .rev()
        .take(4)
        .any(|frame| matches!(frame, Frame::Tile));
    cx.words.push_str(picture.alt);
    out.lit("<img")
        .attr("src", &src)
        .attr("alt", picture.alt)
        .attr_if("title", picture.title);
    out.add(&picture.attributes);
    out.lit(" loading=\"lazy\" decoding=\"async\"");
    out.flag("data-svc-zoom", !picture.no_zoom && !in_tile)
        .lit(">");
    out
}
