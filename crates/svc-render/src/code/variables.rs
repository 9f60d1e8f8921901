//! The theme `css-variables`: its colors are CSS variables that the site sets.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// Name of the theme.
pub(super) const NAME: &str = "css-variables";

/// Plain text, and the background.
const TEXT: &str = "color-text";
const PAPER: &str = "color-background";

/// Variables of token kinds with their scopes; the first scope determines the fallback color.
const TOKENS: [(&str, &str); 9] = [
    (
        "token-constant",
        "constant support.constant variable.language variable.other.constant \
         entity.other.attribute-name meta.property-name support.type.property-name \
         markup.inline.raw",
    ),
    (
        "token-string",
        "string punctuation.definition.string constant.character.escape \
         constant.other.symbol markup.inserted string.regexp",
    ),
    (
        "token-comment",
        "comment punctuation.definition.comment markup.quote",
    ),
    (
        "token-keyword",
        "keyword storage storage.type storage.modifier keyword.operator markup.deleted \
         entity.name.tag",
    ),
    (
        "token-parameter",
        "variable.parameter variable.parameter.function",
    ),
    (
        "token-function",
        "entity.name.function support.function support.type support.class entity.name.type \
         entity.name.class entity.name.section markup.heading",
    ),
    (
        "token-string-expression",
        "string.template string.interpolated meta.template.expression \
         punctuation.definition.template-expression",
    ),
    ("token-punctuation", "punctuation meta.brace meta.delimiter"),
    (
        "token-link",
        "markup.underline.link string.other.link constant.other.reference.link",
    ),
];

/// Variables of the sixteen terminal colors.
pub(super) const ANSI: &str = "black red green yellow blue magenta cyan white bright-black bright-red \
    bright-green bright-yellow bright-blue bright-magenta bright-cyan bright-white";

/// The theme in the common format, with numbers as placeholders for colors.
pub(super) fn theme() -> Value {
    let number = |at: usize| format!("#{:06x}", at + 1);
    let rules: Vec<Value> = TOKENS
        .iter()
        .enumerate()
        .map(|(at, token)| json!({"scope": scopes(token.1), "settings": {"foreground": number(at + 2)}}))
        .chain([
            json!({"scope": ["markup.bold"], "settings": {"fontStyle": "bold"}}),
            json!({"scope": ["markup.italic"], "settings": {"fontStyle": "italic"}}),
        ])
        .collect();
    json!({
        "name": NAME,
        "colors": {"editor.foreground": number(0), "editor.background": number(1)},
        "tokenColors": rules,
    })
}

fn scopes(list: &str) -> Vec<&str> {
    list.split(' ').collect()
}

/// The CSS value of each number; `fallback` returns the color of a scope, or of plain text for
/// `None`.
pub(super) fn values(
    paper: &str,
    fallback: impl Fn(Option<&str>) -> String,
) -> BTreeMap<u32, String> {
    let names = [TEXT, PAPER].into_iter().map(|name| (name, None));
    let tokens = TOKENS
        .iter()
        .map(|(name, list)| (*name, scopes(list).first().copied()));
    (1_u32..)
        .zip(names.chain(tokens))
        .map(|(number, (name, scope))| {
            let value = match name {
                PAPER => paper.to_owned(),
                _ => fallback(scope),
            };
            (number, variable(name, &value))
        })
        .collect()
}

/// A variable under either of its two names.
pub(super) fn variable(name: &str, value: &str) -> String {
    format!("var(--svc-{name},var(--mint-{name},{value}))")
}
