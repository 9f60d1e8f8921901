//! Callbacks: requests that the other side makes, between the request body and the responses.

use svc_openapi::{ApiDocument, Budget, Callback, Direction};

use super::{described, endpoint, parameters, section};
use crate::ctx::Ctx;
use crate::html::Html;

/// One folded part per callback, with the same fields as the operation.
pub(super) fn list(
    cx: &mut Ctx<'_>,
    document: &ApiDocument,
    callbacks: &[Callback],
    budget: &mut Budget,
) -> Html {
    let mut out = Html::new();
    for callback in callbacks {
        out.lit("<details class=\"svc-response svc-callback\"><summary>")
            .esc(&callback.name);
        out.lit("<span class=\"svc-api-note\">")
            .esc(callback.summary.as_deref().unwrap_or(""));
        out.lit("</span></summary><div class=\"svc-response-body\">");
        out.add(&endpoint::plain(&callback.method, &callback.expression));
        out.add(&described(cx, callback.description.as_deref()));
        out.add(&parameters::sections(
            cx,
            document,
            &callback.parameters,
            budget,
        ));
        let body = callback.request_body.as_ref();
        out.add(&parameters::body(
            cx,
            document,
            body,
            Direction::Response,
            budget,
        ));
        out.add(&parameters::responses(
            cx,
            document,
            &callback.responses,
            budget,
        ));
        out.lit("</div></details>");
    }
    section(cx.texts.callbacks, None, &out)
}
