//! What stands beside the text: a request and the responses.

use serde_json::Value;
use svc_config::ExampleDefaults;
use svc_openapi::request::{self, Inputs, Language, Scope, Token, TokenKind};
use svc_openapi::{ApiDocument, CodeSample, Direction, MediaType, Operation, OperationKind};

use super::{json, short};
use crate::code::FenceMeta;
use crate::ctx::{Ctx, Frame, RenderContext};
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
    let mut left = MAX_ANSWER_TOKENS;
    for sample in &operation.code_samples {
        let known = request::language(&sample.lang).map(|language| language.label);
        let title = match &sample.label {
            Some(label) => label,
            None => known.unwrap_or(&sample.lang),
        };
        block(cx, Some(&sample.lang), title, short::lines(&sample.source));
    }
    if operation.kind == OperationKind::Path {
        samples(cx, document, operation);
    }
    if operation.kind == OperationKind::Webhook
        && let Some(body) = &operation.request_body
    {
        media(cx, document, &body.content, texts.payload, &mut left);
    }
    out.add(&finish(cx, texts.request, true));
    cx.swap_frame(Frame::Panels {
        code: true,
        panels: Vec::new(),
    });
    for response in &operation.responses {
        media(cx, document, &response.content, &response.status, &mut left);
    }
    out.add(&finish(cx, texts.response, false));
    cx.swap_frame(before);
    out
}

/// The panels that the frame has collected.
fn finish(cx: &mut Ctx<'_>, label: &'static str, languages: bool) -> Html {
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
        // The language that a reader chooses holds for all pages; there are too many for tabs.
        sync: languages,
        dropdown: languages && collected.len() > MAX_TABS,
        ..Look::default()
    };
    panels(cx, &collected, look)
}

/// More languages are a list to choose from.
const MAX_TABS: usize = 4;
/// Pieces with a colour in all samples of a page; what is more has none, to keep the page small.
const MAX_TOKENS: usize = 1_000;
/// As [`MAX_TOKENS`], of all examples of responses.
const MAX_ANSWER_TOKENS: usize = 800;
/// Pieces with a colour at the beginning of one of them.
const MAX_TOKENS_EACH: usize = 300;
/// Bytes of JSON that a body in the samples has at most: every language repeats it.
const SAMPLE_BODY: usize = 4_000;
/// Languages that are shown where the site names none.
const LANGUAGES: [&str; 7] = ["bash", "python", "javascript", "php", "go", "java", "ruby"];

/// The languages of the site, in its order.
pub(super) fn languages(cx: &RenderContext<'_>) -> Vec<&'static Language> {
    let named = cx.config.api.examples.languages.as_ref();
    let mut languages: Vec<&'static Language> = Vec::new();
    let named = named.map_or(LANGUAGES.to_vec(), |names| {
        names.iter().map(String::as_str).collect()
    });
    for language in named.into_iter().filter_map(request::language) {
        if !languages.iter().any(|known| known.name == language.name) {
            languages.push(language);
        }
    }
    languages
}

/// The call in the languages of the site, after the samples of the author.
fn samples(cx: &mut Ctx<'_>, document: &ApiDocument, operation: &Operation) {
    let settings = &cx.site.config.api.examples;
    if !settings.autogenerate || cx.own_request {
        return;
    }
    let scope = match settings.defaults {
        ExampleDefaults::All => Scope::All,
        ExampleDefaults::Required => Scope::Required,
    };
    let written = |language: &Language| {
        let same = |sample: &CodeSample| {
            request::language(&sample.lang).is_some_and(|other| other.name == language.name)
        };
        operation.code_samples.iter().any(same)
    };
    let languages = languages(cx.site).into_iter();
    let languages: Vec<&Language> = languages.filter(|language| !written(language)).collect();
    let mut inputs = Inputs::examples(document, operation, scope);
    if let Some((_, value)) = &mut inputs.body {
        short::shorten(value, SAMPLE_BODY);
    }
    let request = request::request(document, operation, &inputs);
    let mut left = MAX_TOKENS;
    for language in languages {
        let tokens = request::sample(language, &request);
        let tokens = all_or_none(tokens, &mut left);
        generated(cx, language.name, language.label, &tokens);
    }
}

/// The colours of a sample, or none when there are more pieces than are `left`.
fn all_or_none(tokens: Vec<Token>, left: &mut usize) -> Vec<Token> {
    if let Some(fewer) = left.checked_sub(tokens.len()) {
        *left = fewer;
        return tokens;
    }
    let text = tokens.into_iter().map(|token| token.text).collect();
    vec![Token {
        kind: TokenKind::Plain,
        text,
    }]
}

/// A block of code that was made from tokens.
fn generated(cx: &mut Ctx<'_>, lang: &str, title: &str, tokens: &[Token]) {
    let code: String = tokens.iter().map(|token| token.text.as_str()).collect();
    let meta = FenceMeta {
        title: Some(title.to_owned()),
        ..FenceMeta::default()
    };
    let code = Code {
        lang: Some(lang),
        code: &code,
        tokens: Some(tokens),
        meta,
        span: svc_diagnostics::Span::default(),
    };
    show(cx, code);
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
            tokens: None,
            meta,
            span: svc_diagnostics::Span::default(),
        },
    )
}

/// A JSON value as a block of its own, beside the text.
pub(super) fn json_block(cx: &mut Ctx<'_>, title: &str, value: &Value) -> Html {
    let before = cx.swap_frame(Frame::Panels {
        code: true,
        panels: Vec::new(),
    });
    let tokens = json::coloured(json::tokens(value), &mut { MAX_TOKENS });
    generated(cx, "json", title, &tokens);
    let out = finish(cx, cx.texts.example, false);
    cx.swap_frame(before);
    out
}

/// The first example of a JSON body, otherwise of whatever there is.
fn media(
    cx: &mut Ctx<'_>,
    document: &ApiDocument,
    content: &[MediaType],
    title: &str,
    left: &mut usize,
) {
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
            block(cx, None, title, short::lines(text));
        }
        value => {
            let mut own = MAX_TOKENS_EACH.min(*left);
            *left -= own;
            let tokens = json::coloured(json::tokens(value), &mut own);
            *left += own;
            generated(cx, "json", title, &tokens);
        }
    }
}
