//! `Mermaid` and fences of that language: a diagram, drawn on the server.

use svc_diagnostics::{DiagnosticCode, Span};

use super::{Component, Element, Prop, PropKind, Spec, prop};
use crate::article::Children;
use crate::ctx::Ctx;
use crate::diagram::{Diagram, DiagramError};
use crate::html::Html;

/// A diagram that is shown as written.
pub(crate) static INVALID_DIAGRAM: DiagnosticCode = DiagnosticCode::warning(
    "diagram-undrawable",
    "a diagram cannot be rendered and is shown as source",
);
/// A place for the controls that does not exist.
pub(crate) static UNKNOWN_PLACEMENT: DiagnosticCode = DiagnosticCode::warning(
    "diagram-placement",
    "the `placement` of a diagram is unknown",
);

const PROPS: &[Prop] = &[
    prop("chart", PropKind::Text, "The diagram, as in a fence"),
    prop("placement", PropKind::Text, "Corner of the controls"),
    prop("actions", PropKind::Flag, "Controls, always or never"),
];

pub(super) static MERMAID: Component = Component {
    name: "mermaid",
    tags: &[Spec {
        tag: "Mermaid",
        props: PROPS,
        render,
    }],
    css: include_str!("mermaid.css"),
    js: Some(include_str!("mermaid.js")),
    docs: include_str!("mermaid.md"),
};

/// Higher drawings have controls where nothing else is said.
const MIN_CONTROLS_HEIGHT: u32 = 120;
/// Where controls can stand, the usual place first.
const PLACEMENTS: &[&str] = &["bottom-right", "bottom-left", "top-right", "top-left"];

/// What stands beside the source of a diagram.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DiagramOptions<'a> {
    /// Corner of the controls.
    pub(crate) placement: Option<&'a str>,
    /// Whether there are controls.
    pub(crate) actions: Option<bool>,
}

fn render(cx: &mut Ctx<'_>, element: &Element<'_>) -> Html {
    let Some(source) = element.text("chart") else {
        // A fence inside stands for itself.
        return match element.children {
            Children::None => Html::new(),
            children => cx.children(children),
        };
    };
    let placement = element.text("placement");
    let given = element.props.get("actions").is_some();
    let wishes = DiagramOptions {
        placement: placement.as_deref(),
        actions: given.then(|| element.props.flag("actions")),
    };
    diagram(cx, source.trim(), wishes, element.span)
}

/// A diagram; its source where it cannot be drawn.
pub(crate) fn diagram(
    cx: &mut Ctx<'_>,
    source: &str,
    wishes: DiagramOptions<'_>,
    span: Span,
) -> Html {
    cx.features.mermaid = true;
    cx.push_search_text(source);
    let placement = corner(cx, wishes.placement, span);
    let out = match cx.site.diagrams.render(source) {
        Ok(drawing) => figure(cx, &drawing, wishes.actions, placement),
        Err(problem) => {
            report(cx, source, span, &problem);
            let mut out = Html::new();
            out.lit("<figure class=\"svc-diagram mermaid-figure\">");
            out.lit("<pre class=\"mermaid\" tabindex=\"0\">")
                .esc(source);
            out.lit("</pre></figure>\n");
            out
        }
    };
    let _ = cx.charge(out.len());
    out
}

fn corner(cx: &mut Ctx<'_>, wish: Option<&str>, span: Span) -> &'static str {
    let usual = PLACEMENTS.first().copied().unwrap_or_default();
    let Some(wish) = wish else {
        return usual;
    };
    if let Some(place) = PLACEMENTS.iter().find(|place| **place == wish) {
        return place;
    }
    let message = format!("the controls of a diagram cannot stand at `{wish}`");
    let hint = format!("write one of {}", PLACEMENTS.join(", "));
    cx.report(&UNKNOWN_PLACEMENT, span, message, hint);
    usual
}

fn figure(
    cx: &mut Ctx<'_>,
    drawing: &Diagram,
    actions: Option<bool>,
    placement: &'static str,
) -> Html {
    let texts = cx.texts;
    let number = cx.next_group();
    let prefix = format!("svc-diagram-{number}-");
    let words = &drawing.text;
    let mut out = Html::new();
    out.lit("<figure class=\"svc-diagram mermaid-figure\" data-svc-diagram");
    out.attr("data-placement", placement);
    out.flag("data-paper", drawing.paper);
    out.lit("><div class=\"svc-diagram-view mermaid\" tabindex=\"0\" role=\"group\"");
    out.attr("aria-label", texts.diagram);
    out.lit("><svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
    out.attr("viewBox", drawing.view());
    out.attr("width", &drawing.width.to_string());
    out.attr("height", &drawing.height.to_string());
    out.attr("style", &format!("--diagram-width:{}px", drawing.width));
    match (&words.title, &words.description) {
        (None, None) => {
            out.attr("aria-label", texts.diagram).lit(">");
        }
        (title, description) => {
            out.attr("aria-labelledby", &format!("{prefix}title"));
            if description.is_some() {
                out.attr("aria-describedby", &format!("{prefix}desc"));
            }
            out.lit("><title").attr("id", &format!("{prefix}title"));
            out.lit(">")
                .esc(title.as_deref().unwrap_or(texts.diagram))
                .lit("</title>");
            if let Some(description) = description {
                out.lit("<desc").attr("id", &format!("{prefix}desc"));
                out.lit(">").esc(description).lit("</desc>");
            }
        }
    }
    out.add(&drawing.inner(&prefix)).lit("</svg></div>");
    if actions.unwrap_or(drawing.height > MIN_CONTROLS_HEIGHT) {
        out.lit("<div class=\"svc-diagram-bar\" hidden>");
        for (action, name, icon) in [
            ("in", texts.zoom_in, "M8 3v10M3 8h10"),
            ("out", texts.zoom_out, "M3 8h10"),
            ("reset", texts.reset_view, "M3 8a5 5 0 1 0 2-4M5 1v3h3"),
            (
                "full",
                texts.full_screen,
                "M6 2H2v4M10 2h4v4M6 14H2v-4M10 14h4v-4",
            ),
        ] {
            out.lit("<button type=\"button\"");
            out.attr("data-action", action)
                .attr("aria-label", name)
                .attr("title", name);
            out.lit("><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path");
            out.attr("d", icon).lit("/></svg></button>");
        }
        out.lit("</div>");
    }
    out.lit("</figure>\n");
    out
}

fn report(cx: &mut Ctx<'_>, source: &str, span: Span, problem: &DiagramError) {
    let message = format!("this diagram cannot be drawn: {}", problem.reason);
    let place = line_of(cx, source, span, problem.line);
    cx.report(
        &INVALID_DIAGRAM,
        place,
        message,
        "correct it, or split it; it is shown as written",
    );
}

/// The line of the problem in the file, where the diagram stands there as it is.
fn line_of(cx: &Ctx<'_>, source: &str, span: Span, line: Option<u32>) -> Span {
    let written = cx.source.file.slice(span.shifted(cx.source.shift));
    let line = line.and_then(|line| source.lines().nth(line.checked_sub(1)? as usize));
    let found = line
        .filter(|line| !line.trim().is_empty())
        .and_then(|line| {
            let line = line.trim();
            let start = u32::try_from(written.find(line)?).ok()?;
            let length = u32::try_from(line.len()).ok()?;
            let start = span.start.saturating_add(start);
            Some(Span::new(start, start.saturating_add(length)))
        });
    found.unwrap_or(span)
}
