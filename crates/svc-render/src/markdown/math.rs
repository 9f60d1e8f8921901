//! Formulas in a page.

use svc_diagnostics::{DiagnosticCode, Span, diagnostic_code};

use crate::ctx::Ctx;
use crate::formula::{self, FormulaError};
use crate::html::Html;

/// A formula that is not valid and is shown as source.
pub(crate) static INVALID_FORMULA: DiagnosticCode = diagnostic_code!(
    warning,
    "formula-unreadable",
    "a formula could not be rendered and is shown as source"
);

/// Renders a formula as MathML; as source if it is not valid or formulas are disabled.
pub(crate) fn formula(cx: &mut Ctx<'_>, source: &str, block: bool, span: Span) -> Html {
    cx.out.features.math = true;
    if block {
        cx.out.text.push_line(source);
    } else {
        cx.out.text.push(source);
    }
    let rendered = if cx.input.config.styling.latex == Some(false) {
        None
    } else {
        match formula::mathml(source, block) {
            Ok(html) => Some(html),
            Err(problem) => {
                report(cx, source, span, &problem);
                None
            }
        }
    };
    let mut out = Html::new();
    out.lit(if block {
        "<div class=\"svc-math svc-math-block\" tabindex=\"0\">"
    } else {
        "<span class=\"svc-math\">"
    });
    match rendered {
        Some(html) => {
            out.add(&html);
        }
        None => {
            out.lit("<code class=\"math\">").esc(source).lit("</code>");
        }
    }
    out.lit(if block { "</div>\n" } else { "</span>" });
    let _ = cx.charge(out.len());
    out
}

fn report(cx: &mut Ctx<'_>, source: &str, span: Span, problem: &FormulaError) {
    let message = format!("the formula could not be rendered: {}", problem.reason);
    let problem_span = locate(cx, source, span, problem.offset);
    cx.report(
        &INVALID_FORMULA,
        problem_span,
        message,
        "fix the formula, or write `\\$` for a dollar sign; it is shown as source",
    );
}

/// The span of an error inside the formula if the file contains it literally, otherwise that of the
/// formula.
fn locate(cx: &Ctx<'_>, source: &str, span: Span, at: Option<usize>) -> Span {
    let text = cx.scope.slice(span);
    let start_offset = at.and_then(|at| Some(text.find(source)? + at));
    let Some(start) = start_offset.and_then(|start| u32::try_from(start).ok()) else {
        return span;
    };
    let start = span.start.saturating_add(start).min(span.end);
    Span::new(start, start.saturating_add(1).min(span.end))
}
