//! The same rules in JavaScript, for browsers: what a reader fills in becomes a request, code and
//! messages without asking the server.
//!
//! The files are pieces of one module, which needs nothing but the language: no document, no
//! globals. Tests run it beside the functions of this module and compare.

use serde_json::{Map, Value, json};

use super::{LANGUAGES, Language, LongLiteral, ShortLiteral};

/// One ES module. It exports
/// - `request(call, inputs)`: the request that filled-in values mean; `call` is the object that
///   [`crate::call`] makes,
/// - `bodyText(content)`: the text of its body,
/// - `sample(language, request)`: the code that sends it, in a language of [`languages`],
/// - `problems(call, row, value)`: what a schema has against a value,
/// - `serialize(name, value, style, explode, keep)`: one parameter as text,
/// - `parseJson`, `parseNumber`, `jsonText`, `jsonPretty`: JSON whose whole numbers beyond 2^53 are
///   `bigint`s, which all of these functions take.
pub fn script() -> String {
    [
        include_str!("js/json.js"),
        include_str!("js/style.js"),
        include_str!("js/xml.js"),
        include_str!("js/request.js"),
        include_str!("js/samples.js"),
        include_str!("js/problems.js"),
    ]
    .concat()
}

/// The languages for `sample`, by name, in order.
pub fn languages() -> Value {
    let all = LANGUAGES.iter();
    let all: Map<String, Value> = all
        .map(|language| (language.name.to_owned(), entry(language)))
        .collect();
    all.into()
}

fn entry(language: &Language) -> Value {
    let short = match language.short {
        ShortLiteral::Double => "double",
        ShortLiteral::DoubleDollar => "dollar",
        ShortLiteral::DoubleBraces => "braces",
        ShortLiteral::DoubleOctal => "octal",
        ShortLiteral::Single => "single",
        ShortLiteral::Shell => "shell",
        ShortLiteral::Doubled => "doubled",
    };
    let long = match language.long {
        LongLiteral::Between {
            open,
            close,
            never,
            end,
        } => json!({ "open": open, "close": close, "never": never, "end": end }),
        LongLiteral::Pieces => "pieces".into(),
        LongLiteral::Short => "short".into(),
    };
    json!({
        "label": language.label,
        "short": short,
        "long": long,
        "words": language.literals,
        "indent": language.indent,
        "keywords": language.keywords,
        "template": language.template,
    })
}
