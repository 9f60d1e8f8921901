//! What stands beside the text: a request and the responses.

use std::fmt::Write as _;

use serde_json::Value;
use svc_openapi::{ApiDocument, Direction, In, MediaType, Operation, OperationKind, SecurityKind};

use super::schema::value_text;
use crate::code::FenceMeta;
use crate::ctx::{Ctx, Frame};
use crate::html::Html;
use crate::markdown::{Code, show};
use crate::ui::{Look, panels};

/// The right column of an operation.
pub(super) fn aside(cx: &mut Ctx<'_>, document: &ApiDocument, operation: &Operation) -> Html {
    let texts = cx.texts;
    let mut out = Html::new();
    let before = cx.swap_frame(Frame::Panels {
        code: true,
        panels: Vec::new(),
    });
    for sample in &operation.code_samples {
        let title = sample.label.clone().unwrap_or_else(|| sample.lang.clone());
        block(cx, Some(&sample.lang), &title, &sample.source);
    }
    if operation.kind == OperationKind::Path && operation.code_samples.is_empty() {
        let code = curl(document, operation);
        block(cx, Some("bash"), "cURL", &code);
    }
    if operation.kind == OperationKind::Webhook
        && let Some(body) = &operation.request_body
    {
        media(cx, document, &body.content, texts.payload);
    }
    out.add(&finish(cx, texts.request));
    cx.swap_frame(Frame::Panels {
        code: true,
        panels: Vec::new(),
    });
    for response in &operation.responses {
        media(cx, document, &response.content, &response.status);
    }
    out.add(&finish(cx, texts.response));
    cx.swap_frame(before);
    out
}

/// The panels that the frame has collected.
fn finish(cx: &mut Ctx<'_>, label: &'static str) -> Html {
    let Frame::Panels {
        panels: collected, ..
    } = cx.swap_frame(Frame::Plain)
    else {
        return Html::new();
    };
    let look = Look {
        class: "svc-code-group code-group",
        label,
        code: true,
        ..Look::default()
    };
    panels(cx, &collected, look)
}

fn block(cx: &mut Ctx<'_>, lang: Option<&str>, title: &str, code: &str) -> Html {
    let meta = FenceMeta {
        title: Some(title.to_owned()),
        ..FenceMeta::default()
    };
    show(
        cx,
        Code {
            lang,
            code,
            meta,
            span: svc_diagnostics::Span::default(),
        },
    )
}

/// A JSON value as a block of its own.
pub(super) fn json_block(cx: &mut Ctx<'_>, title: &str, value: &Value) -> Html {
    let code = serde_json::to_string_pretty(value).unwrap_or_default();
    block(cx, Some("json"), title, &code)
}

/// The first example of a JSON body, otherwise of whatever there is.
fn media(cx: &mut Ctx<'_>, document: &ApiDocument, content: &[MediaType], title: &str) {
    let media = content
        .iter()
        .find(|media| media.is_json())
        .or(content.first());
    let Some(media) = media else { return };
    let examples = svc_openapi::examples(document, media, Direction::Response);
    let Some(example) = examples.first() else {
        return;
    };
    match &example.value {
        Value::String(text) if !media.is_json() => {
            block(cx, None, title, text);
        }
        value => {
            json_block(cx, title, value);
        }
    }
}

/// The call as a shell command: required parameters, authorization, an example of the body.
fn curl(document: &ApiDocument, operation: &Operation) -> String {
    let server = document
        .servers_of(operation)
        .first()
        .map(svc_openapi::Server::default_url);
    let mut url = server.unwrap_or_default().trim_end_matches('/').to_owned();
    let mut headers: Vec<(String, String)> = Vec::new();
    let mut query: Vec<String> = Vec::new();
    for parameter in operation
        .parameters
        .iter()
        .filter(|parameter| !parameter.ignored)
    {
        let node = parameter
            .schema
            .as_ref()
            .and_then(|place| document.node(place));
        let example = || {
            let value = parameter.example.clone().or_else(|| {
                node.map(|node| svc_openapi::example(document, node, Direction::Request))
            });
            value.as_ref().map(value_text).unwrap_or_default()
        };
        match parameter.location {
            In::Query if parameter.required => {
                query.push(format!(
                    "{}={}",
                    encoded(&parameter.name),
                    encoded(&example())
                ));
            }
            In::Header if parameter.required => headers.push((parameter.name.clone(), example())),
            // The placeholders of the path stay: they are what the reader replaces.
            In::Path | In::Query | In::Header | In::Cookie => {}
        }
    }
    for name in operation.security.first().into_iter().flatten() {
        match document
            .security_schemes
            .get(name)
            .map(|scheme| &scheme.kind)
        {
            Some(SecurityKind::ApiKey {
                name,
                location: In::Query,
            }) => {
                query.push(format!("{}=<api-key>", encoded(name)));
            }
            Some(SecurityKind::ApiKey {
                name,
                location: In::Cookie,
            }) => {
                headers.push(("Cookie".to_owned(), format!("{name}=<api-key>")));
            }
            Some(SecurityKind::ApiKey { name, .. }) => {
                headers.push((name.clone(), "<api-key>".to_owned()));
            }
            Some(SecurityKind::Basic) => {
                headers.push(("Authorization".to_owned(), "Basic <credentials>".to_owned()));
            }
            Some(SecurityKind::MutualTls | SecurityKind::Other(_)) | None => {}
            Some(_) => headers.push(("Authorization".to_owned(), "Bearer <token>".to_owned())),
        }
    }
    url.push_str(&operation.path);
    if !query.is_empty() {
        url.push('?');
        url.push_str(&query.join("&"));
    }
    let mut out = String::from("curl");
    // Writing to a String cannot fail.
    if operation.method != "get" {
        let _ = write!(out, " --request {}", operation.method.to_uppercase());
    }
    let _ = write!(out, " \\\n  --url {}", quoted(&url));
    let media = operation
        .request_body
        .as_ref()
        .and_then(|body| body.content.first());
    if let Some(media) = media {
        headers.push(("Content-Type".to_owned(), media.name.clone()));
    }
    for (name, value) in headers {
        let _ = write!(
            out,
            " \\\n  --header {}",
            quoted(&format!("{name}: {value}"))
        );
    }
    if let Some(media) = media {
        let examples = svc_openapi::examples(document, media, Direction::Request);
        if let Some(example) = examples.first() {
            let text = match &example.value {
                Value::String(text) => text.clone(),
                value => serde_json::to_string_pretty(value).unwrap_or_default(),
            };
            let _ = write!(out, " \\\n  --data {}", quoted(&text));
        }
    }
    out
}

/// A word of the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'[' | b']' => {
                out.push(char::from(byte));
            }
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_shell_cannot_be_left() {
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(encoded("a b&c"), "a%20b%26c");
    }
}
