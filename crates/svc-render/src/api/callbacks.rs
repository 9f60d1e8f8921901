//! Callbacks of an operation: requests that the server sends to the client (`callbacks` of
//! OpenAPI).

use svc_openapi::{Callback, Direction};

use super::parts::{described, section};
use super::schema_budget::SchemaBudget;
use super::{endpoint, parameters};
use crate::ctx::Ctx;
use crate::html::Html;

/// Renders one collapsible section per callback, with the same fields as an operation.
pub(super) fn list(cx: &mut Ctx<'_>, sheet: &mut SchemaBudget<'_>, callbacks: &[Callback]) -> Html {
    // Only the list as a whole has an entry in the table of contents.
    let body = cx.outside_toc(|cx| sections(cx, sheet, callbacks));
    section(cx, (cx.texts.callbacks, "callbacks"), None, &body)
}

fn sections(cx: &mut Ctx<'_>, sheet: &mut SchemaBudget<'_>, callbacks: &[Callback]) -> Html {
    let mut out = Html::new();
    for callback in callbacks {
        out.lit("<details class=\"svc-response svc-callback\"><summary>")
            .esc(&callback.name);
        out.lit(" <span class=\"svc-api-note\">")
            .esc(callback.summary.as_deref().unwrap_or(""));
        out.lit("</span></summary><div class=\"svc-response-body\">");
        out.add(&endpoint::plain(&callback.method, &callback.expression));
        out.add(&described(cx, callback.description.as_deref()));
        out.add(&parameters::sections(cx, sheet, &callback.parameters));
        // The client receives this request, so its schemas are read like those of a response.
        sheet.direction = Direction::Response;
        let prefix = format!("callback-{}", callback.name);
        let body = callback.request_body.as_ref();
        out.add(&parameters::body(cx, sheet, body, &prefix));
        let prefix = format!("{prefix}-response");
        out.add(&parameters::responses(
            cx,
            sheet,
            &callback.responses,
            &prefix,
        ));
        out.lit("</div></details>");
    }
    out
}
