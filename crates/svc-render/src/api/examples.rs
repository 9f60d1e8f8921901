//! Examples in the side column: a request and the responses.

use serde_json::Value;
use svc_config::ExampleDefaults;
use svc_openapi::request::{self, Inputs, Language, Scope, Token, TokenKind};
use svc_openapi::{
    ApiDocument, CodeSample, Direction, MediaType, NamedExample, Operation, OperationKind,
};

use super::parts::described;
use super::{json, truncate};
use crate::code::FenceMeta;
use crate::ctx::{Ctx, Panel, ParentContext, Reader, RenderContext};
use crate::html::Html;
use crate::markdown::{Code, show};
use crate::ui::{PanelOptions, panels};

/// Renders the side column of an operation.
pub(super) fn aside(cx: &mut Ctx<'_>, document: &ApiDocument, operation: &Operation) -> Html {
    let texts = cx.texts;
    let mut out = Html::new();
    let before = cx.frames.swap(ParentContext::Panels {
        code: true,
        panels: Vec::new(),
    });
    let mut budget = ExampleBudget::default();
    for sample in &operation.code_samples {
        let known = request::language(&sample.lang).map(|language| language.label);
        let title = match &sample.label {
            Some(label) => label,
            None => known.unwrap_or(&sample.lang),
        };
        block(
            cx,
            Some(&sample.lang),
            title,
            truncate::first_lines(&sample.source),
        );
    }
    if operation.kind == OperationKind::Path && !cx.input.options.site.links_only {
        samples(cx, document, operation);
    }
    if let Some(body) = &operation.request_body
        && operation.kind == OperationKind::Webhook
    {
        let shown = bodies(
            cx,
            document,
            (&body.content, Direction::Response),
            &mut budget,
        );
        choice(cx, texts.payload, shown);
    }
    out.add(&finish(cx, texts.request, true));
    out.add(&request_bodies(cx, document, operation, &mut budget));
    cx.frames.swap(ParentContext::Panels {
        code: true,
        panels: Vec::new(),
    });
    for response in &operation.responses {
        let content = (&*response.content, Direction::Response);
        let shown = bodies(cx, document, content, &mut budget);
        choice(cx, &response.status, shown);
    }
    out.add(&finish(cx, texts.response, false));
    cx.frames.swap(before);
    out
}

/// Renders the panels that the parent context has collected.
fn finish(cx: &mut Ctx<'_>, label: &'static str, languages: bool) -> Html {
    let collected = cx.frames.take_panels();
    let options = PanelOptions {
        class: "svc-code-group code-group",
        label,
        code: true,
        // The selected language is synchronized across pages; there are too many languages for
        // tabs.
        sync: languages,
        dropdown: collected.len() > if languages { MAX_TABS } else { MAX_STATUSES },
        ..PanelOptions::default()
    };
    panels(cx, &collected, options)
}

/// Maximum number of languages for tabs; above it, a select box is used.
const MAX_TABS: usize = 4;
/// Maximum number of statuses for tabs; above it, a select box is used.
const MAX_STATUSES: usize = 6;
/// Maximum number of highlighted tokens in all samples of a page. Larger samples are not
/// highlighted, to keep the page small.
const MAX_TOKENS: usize = 1_000;
/// Like [`MAX_TOKENS`], for all body examples.
const MAX_BODY_TOKENS: usize = 800;
/// Maximum size of all body examples of a page in bytes; further examples are shortened.
const MAX_BODY_BYTES: usize = 100_000;
/// Size in bytes that every example may have.
const MIN_BODY_BYTES: usize = 2_000;
/// Maximum number of media types per body with examples.
const MAX_MEDIA_TYPES: usize = 20;
/// Maximum number of examples per body.
const MAX_EXAMPLES: usize = 50;
/// Maximum number of highlighted tokens in one body example.
const MAX_TOKENS_EACH: usize = 300;
/// Maximum size in bytes of the JSON body in samples, which every language repeats.
const MAX_SAMPLE_BYTES: usize = 4_000;
/// Default languages of samples.
const LANGUAGES: [&str; 7] = ["bash", "python", "javascript", "php", "go", "java", "ruby"];

/// The languages of samples (`api.examples.languages`), in the order of the configuration.
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

/// Renders the author's samples, then generated samples in the languages of the site.
fn samples(cx: &mut Ctx<'_>, document: &ApiDocument, operation: &Operation) {
    let settings = &cx.input.config.api.examples;
    if !settings.autogenerate || cx.out.has_request_example {
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
    let languages = languages(cx.input).into_iter();
    // One sample is enough for agents: they know the other languages.
    let max = match (cx.input.reader, operation.code_samples.is_empty()) {
        (Reader::Human, _) => usize::MAX,
        (_, true) => 1,
        (_, false) => 0,
    };
    let languages = languages.filter(|language| !written(language));
    let languages: Vec<&Language> = languages.take(max).collect();
    let mut inputs = Inputs::examples(document, operation, scope);
    if let Some((_, value)) = &mut inputs.body {
        truncate::shorten(value, MAX_SAMPLE_BYTES);
    }
    let request = request::request(document, operation, &inputs);
    let mut left = MAX_TOKENS;
    for language in languages {
        let tokens = request::sample(language, &request);
        let tokens = all_or_none(tokens, &mut left);
        generated(cx, language.name, Some(language.label), &tokens);
    }
}

/// Returns the highlighted tokens of a sample; empty if there are more than `left`.
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

/// Renders a code block of generated tokens.
fn generated(cx: &mut Ctx<'_>, lang: &str, title: Option<&str>, tokens: &[Token]) -> Html {
    let code: String = tokens.iter().map(|token| token.text.as_str()).collect();
    let meta = FenceMeta {
        title: title.map(str::to_owned),
        // The title of a body is the one of its group. Long blocks are collapsed on small screens.
        expandable: Some(title.is_some()),
        ..FenceMeta::default()
    };
    let code = Code {
        lang: Some(lang),
        code: &code,
        tokens: Some(tokens),
        meta,
        span: svc_diagnostics::Span::default(),
    };
    show(cx, code)
}

fn block(cx: &mut Ctx<'_>, lang: Option<&str>, title: &str, code: &str) -> Html {
    let meta = FenceMeta {
        title: Some(title.to_owned()),
        expandable: Some(true),
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

/// Renders a JSON value as a code block for the side column.
pub(super) fn json_block(cx: &mut Ctx<'_>, title: &str, value: &Value) -> Html {
    let before = cx.frames.swap(ParentContext::Panels {
        code: true,
        panels: Vec::new(),
    });
    let tokens = json::limit_colors(json::tokens(value), &mut { MAX_TOKENS });
    generated(cx, "json", Some(title), &tokens);
    let out = finish(cx, cx.texts.example, false);
    cx.frames.swap(before);
    out
}

/// Remaining budget for body examples.
struct ExampleBudget {
    tokens: usize,
    bytes: usize,
}

impl Default for ExampleBudget {
    fn default() -> Self {
        Self {
            tokens: MAX_BODY_TOKENS,
            bytes: MAX_BODY_BYTES,
        }
    }
}

/// Renders the examples of all media types, JSON first. Generated examples are included only if
/// they differ.
fn bodies(
    cx: &mut Ctx<'_>,
    document: &ApiDocument,
    (content, direction): (&[MediaType], Direction),
    budget: &mut ExampleBudget,
) -> Vec<Panel> {
    let mut media_types: Vec<&MediaType> = content.iter().take(MAX_MEDIA_TYPES).collect();
    media_types.sort_by_key(|media| !media.is_json());
    let mut all: Vec<(&MediaType, NamedExample)> = Vec::new();
    for media in media_types {
        let examples = match cx.input.options.site.links_only {
            true => svc_openapi::written_examples(document, &media.source),
            false => svc_openapi::examples(document, media, direction),
        };
        for example in examples {
            let known = all.iter().any(|(_, known)| known.value == example.value);
            if !(known && example.generated) && all.len() < MAX_EXAMPLES {
                all.push((media, example));
            }
        }
    }
    let first = all.first().map(|(media, _)| &media.name);
    let several = all.iter().any(|(media, _)| Some(&media.name) != first);
    let before = cx.frames.swap(ParentContext::Plain);
    let mut shown = Vec::with_capacity(all.len());
    for (at, (media, example)) in all.iter().enumerate() {
        let mut names: Vec<&str> = Vec::new();
        names.extend(several.then_some(media.name.as_str()));
        let own = example.summary.as_deref().unwrap_or(&example.name).trim();
        names.extend(Some(own).filter(|own| !own.is_empty()));
        let number = format!("{} {}", cx.texts.example, at + 1);
        let mut body = Html::new();
        if let Some(summary) = example.summary.as_deref().filter(|_| all.len() == 1) {
            cx.out.text.push_line(summary);
            body.lit("<p>").esc(summary).lit("</p>");
        }
        body.add(&described(cx, example.description.as_deref()));
        if !body.is_empty() {
            let mut note = Html::literal("<div class=\"svc-code-note\">");
            note.add(&body).lit("</div>");
            body = note;
        }
        body.add(&body_block(cx, media, &example.value, budget));
        shown.push(Panel {
            title: if names.is_empty() {
                number
            } else {
                names.join(" · ")
            },
            language: "JSON".to_owned(),
            body,
            ..Panel::default()
        });
    }
    cx.frames.swap(before);
    shown
}

/// Renders an example as a code block, shortened if it exceeds the budget.
fn body_block(
    cx: &mut Ctx<'_>,
    media: &MediaType,
    value: &Value,
    budget: &mut ExampleBudget,
) -> Html {
    let left = budget.bytes.max(MIN_BODY_BYTES);
    if let Value::String(text) = value
        && !media.is_json()
    {
        let text = if text.len() <= left {
            text
        } else {
            truncate::first_lines(text)
        };
        budget.bytes = budget.bytes.saturating_sub(text.len());
        let token = Token {
            kind: TokenKind::Plain,
            text: text.to_owned(),
        };
        return generated(cx, "text", None, &[token]);
    }
    let length = |tokens: &[Token]| tokens.iter().map(|token| token.text.len()).sum::<usize>();
    let mut tokens = json::tokens(value);
    let mut max = left;
    while length(&tokens) > left && max > 100 {
        // The formatted text also has white space, so it can be longer than the estimate.
        max /= 2;
        let mut shorter = value.clone();
        truncate::cut(&mut shorter, max);
        tokens = json::tokens(&shorter);
    }
    budget.bytes = budget.bytes.saturating_sub(length(&tokens));
    let mut own = MAX_TOKENS_EACH.min(budget.tokens);
    budget.tokens -= own;
    let tokens = json::limit_colors(tokens, &mut own);
    budget.tokens += own;
    generated(cx, "json", None, &tokens)
}

/// Adds the examples of one status to the surrounding group: directly, or as a select box.
fn choice(cx: &mut Ctx<'_>, title: &str, mut shown: Vec<Panel>) {
    let panel = if shown.len() < 2 {
        let Some(only) = shown.pop() else { return };
        only
    } else {
        let options = PanelOptions {
            class: "svc-code-choice",
            label: cx.texts.examples,
            code: true,
            dropdown: true,
            ..PanelOptions::default()
        };
        let body = panels(cx, &shown, options);
        Panel {
            language: "JSON".to_owned(),
            body,
            ..Panel::default()
        }
    };
    cx.out.text.push_line(title);
    if let Some(ParentContext::Panels { panels, .. }) = cx.frames.current() {
        panels.push(Panel {
            title: title.to_owned(),
            ..panel
        });
    }
}

/// Renders the request bodies if there are several or the samples show only a part.
fn request_bodies(
    cx: &mut Ctx<'_>,
    document: &ApiDocument,
    operation: &Operation,
    budget: &mut ExampleBudget,
) -> Html {
    let is_made = cx.input.config.api.examples.autogenerate && !cx.out.has_request_example;
    let body = operation.request_body.as_ref();
    let Some(body) = body.filter(|_| is_made && operation.kind == OperationKind::Path) else {
        return Html::new();
    };
    let before = cx.frames.swap(ParentContext::Panels {
        code: true,
        panels: Vec::new(),
    });
    let content = (&*body.content, Direction::Request);
    let shown = bodies(cx, document, content, budget);
    let is_long = |panel: &Panel| panel.body.to_text().len() > MAX_SAMPLE_BYTES;
    let mut out = Html::new();
    if shown.len() > 1 || shown.iter().any(is_long) {
        choice(cx, cx.texts.body, shown);
        out = finish(cx, cx.texts.body, false);
    }
    cx.frames.swap(before);
    out
}

#[cfg(test)]
mod tests {
    use crate::testing::site;

    const SPEC: &str = r##"//- /pets.json
{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.test"}],
 "paths": {"/pets": {"post": {"summary": "Add",
   "requestBody": {"content": {
     "application/json": {"schema": {"type": "object", "properties": {"name": {"type": "string"}}}, "examples": {"small": {"summary": "A small pet", "description": "It *is* small", "value": {"name": "Mouse"}}, "large": {"value": {"name": "Elephant"}}}},
     "multipart/form-data": {"schema": {"type": "object", "properties": {"photo": {"type": "string", "format": "binary"}}}},
     "application/octet-stream": {}}},
   "responses": {"200": {"description": "ok", "content": {"application/json": {"examples": {"one": {"value": ITEMS}, "two": {"value": [2]}}}, "text/csv": {"example": "a,b"}}},
     "404": {"description": "There is no such pet.", "content": {"application/json": {"example": {"gone": true}}}}, "204": {"description": "Nothing"}}}}}}
//- /docs.json
{"theme": "svc", "name": "T", "colors": {"primary": "#112233"}, "navigation": {"openapi": "pets.json"}}
"##;

    #[test]
    fn all_media_types_and_named_examples_are_selectable() {
        let html = site(&SPEC.replace("ITEMS", "[1]"), "/api-reference/add").html;
        for expected in [
            ">application/json</label>",
            ">multipart/form-data</label>",
            "id=\"body-multipart-form-data-photo\"",
            ">application/octet-stream</label>",
            "<span class=\"svc-field-type\">file</span>",
            "application/json · A small pet</label>",
            "It <em>is</em> small",
            "application/json · large</label>",
            "Elephant",
            "application/json · two</label>",
            "text/csv</label>",
            "a,b",
            "<span class=\"svc-response-text\">There is no such pet.</span>",
        ] {
            assert!(html.contains(expected), "{expected} in {html}");
        }
    }

    /// The code of the example that contains a text.
    fn code(html: &str, holds: &str) -> String {
        let blocks = html.split("<pre").map(|block| block.split("</pre>").next());
        let text = |block: &str| {
            let block = block.split_once('>').map_or("", |(_, code)| code);
            crate::html::Html::trusted(block.to_owned()).to_text()
        };
        let mut all = blocks.flatten().map(text);
        all.find(|text| text.contains(holds)).unwrap_or_default()
    }

    #[test]
    fn examples_are_complete_and_shortened_ones_are_valid_json() {
        let items = |count: usize| {
            let items: Vec<_> = (0..count)
                .map(|at| serde_json::json!({"id": format!("item-{at}"), "more": {"deep": {"x": at}}}))
                .collect();
            serde_json::Value::from(items)
        };
        for count in [600, 1_200] {
            let value = items(count);
            let html = site(
                &SPEC.replace("ITEMS", &value.to_string()),
                "/api-reference/add",
            )
            .html;
            let text = code(&html, "item-0");
            let shown: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
            assert_eq!(shown == value, count == 600, "{}", text.len());
            assert!(!shown.as_array().expect("a list").is_empty());
        }
    }
}
