//! Mermaid diagrams with their controls.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use svc_diagnostics::{DiagnosticCode, Span, diagnostic_code};

use crate::ctx::{Ctx, Reader};
use crate::diagram::{Diagram, DiagramError};
use crate::html::Html;

/// A diagram cannot be rendered.
pub(crate) static INVALID_DIAGRAM: DiagnosticCode = diagnostic_code!(
    warning,
    "diagram-undrawable",
    "a diagram cannot be rendered, so its source is shown"
);
/// The placement of the controls is invalid.
pub(crate) static UNKNOWN_PLACEMENT: DiagnosticCode = diagnostic_code!(
    warning,
    "diagram-placement",
    "the placement of a diagram's controls is invalid"
);

/// Diagrams higher than this have controls by default, in pixels.
const MIN_CONTROLS_HEIGHT: u32 = 120;
/// Placements of the controls, the default first.
const PLACEMENTS: &[&str] = &["bottom-right", "bottom-left", "top-right", "top-left"];

/// Options of a diagram.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DiagramOptions<'a> {
    /// Placement of the controls.
    pub(crate) placement: Option<&'a str>,
    /// Whether there are controls; the default depends on the height.
    pub(crate) actions: Option<bool>,
}

/// Renders a diagram, or its source if that fails.
pub(crate) fn diagram(
    cx: &mut Ctx<'_>,
    source: &str,
    options: DiagramOptions<'_>,
    span: Span,
) -> Html {
    cx.out.features.mermaid = true;
    cx.out.text.push_line(source);
    let placement = corner(cx, options.placement, span);
    if cx.input.reader == Reader::Agent || cx.input.options.site.links_only {
        return source_block(source);
    }
    let out = match cx.input.diagrams.render(source) {
        Ok(diagram) if cx.input.reader == Reader::Book => image(cx, &diagram),
        Ok(diagram) => figure(cx, &diagram, options.actions, placement),
        Err(problem) => {
            report(cx, source, span, &problem);
            source_block(source)
        }
    };
    let _ = cx.charge(out.len());
    out
}

fn source_block(source: &str) -> Html {
    let mut out = Html::literal("<figure class=\"svc-diagram mermaid-figure\">");
    out.lit("<pre class=\"mermaid\" tabindex=\"0\">")
        .esc(source);
    out.lit("</pre></figure>\n");
    out
}

/// A diagram as an image, for books.
fn image(cx: &Ctx<'_>, diagram: &Diagram) -> Html {
    let title = diagram.text.title.as_deref().unwrap_or(cx.texts.diagram);
    let mut out = Html::literal("<figure class=\"svc-diagram\"><img");
    let url = format!(
        "data:image/svg+xml;base64,{}",
        BASE64_STANDARD.encode(diagram.svg_file())
    );
    out.attr("src", &url).attr("alt", title);
    out.lit("></figure>\n");
    out
}

fn corner(cx: &mut Ctx<'_>, value: Option<&str>, span: Span) -> &'static str {
    let default = PLACEMENTS.first().copied().unwrap_or_default();
    let Some(value) = value else {
        return default;
    };
    if let Some(placement) = PLACEMENTS.iter().find(|placement| **placement == value) {
        return placement;
    }
    let message = format!("invalid placement `{value}` of the controls of a diagram");
    let hint = format!("use one of {}", PLACEMENTS.join(", "));
    cx.report(&UNKNOWN_PLACEMENT, span, message, hint);
    default
}

fn figure(
    cx: &mut Ctx<'_>,
    diagram: &Diagram,
    actions: Option<bool>,
    placement: &'static str,
) -> Html {
    let texts = cx.texts;
    let number = cx.ids.next_group();
    let prefix = format!("svc-diagram-{number}-");
    let labels = &diagram.text;
    let mut out = Html::new();
    out.lit("<figure class=\"svc-diagram mermaid-figure\" data-svc-diagram");
    out.attr("data-placement", placement);
    out.flag("data-paper", diagram.paper);
    out.lit("><div class=\"svc-diagram-view mermaid\" tabindex=\"0\" role=\"group\"");
    out.attr("aria-label", texts.diagram);
    out.lit("><svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
    out.attr("viewBox", diagram.view());
    out.attr("width", &diagram.width.to_string());
    out.attr("height", &diagram.height.to_string());
    out.attr("style", &format!("--diagram-width:{}px", diagram.width));
    match (&labels.title, &labels.description) {
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
    out.add(&diagram.inner(&prefix)).lit("</svg></div>");
    if actions.unwrap_or(diagram.height > MIN_CONTROLS_HEIGHT) {
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
    let message = format!("the diagram cannot be rendered: {}", problem.reason);
    let location = line_of(cx, source, span, problem.line);
    cx.report(
        &INVALID_DIAGRAM,
        location,
        message,
        "correct or split the diagram; its source is shown instead",
    );
}

/// The span of the line with the error, if the diagram is verbatim in the file.
fn line_of(cx: &Ctx<'_>, source: &str, span: Span, line: Option<u32>) -> Span {
    let text = cx.scope.slice(span);
    let line = line.and_then(|line| source.lines().nth(line.checked_sub(1)? as usize));
    let line_span = line
        .filter(|line| !line.trim().is_empty())
        .and_then(|line| {
            let line = line.trim();
            let start = u32::try_from(text.find(line)?).ok()?;
            let length = u32::try_from(line.len()).ok()?;
            let start = span.start.saturating_add(start);
            Some(Span::new(start, start.saturating_add(length)))
        });
    line_span.unwrap_or(span)
}
