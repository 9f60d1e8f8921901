//! The same rules in JavaScript: the browser converts input values to a request, code and messages
//! without a request to the server.
//!
//! The files are parts of one module, which depends only on the language: it uses neither the
//! document nor globals. Tests compare it with the functions of this module.

use serde_json::{Map, Value, json};

use super::{LANGUAGES, Language, LongLiteral, ShortLiteral};

/// The source of an ES module with these exports:
/// - `request(call, inputs)`: the request of input values; `call` is the object that
///   [`crate::playground_spec`] returns,
/// - `bodyText(content)`: the text of its body,
/// - `sample(language, request)`: the code that sends it, in a language of [`languages`],
/// - `problems(call, row, value)`: the violations of a schema by a value,
/// - `serialize(name, value, style, explode, keep)`: a serialized parameter,
/// - `parseJson`, `parseNumber`, `jsonText`, `jsonPretty`: JSON with integers beyond 2^53 as
///   `bigint`s, which all of these functions accept.
///
/// Example: [module documentation](crate::request#example).
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
///
/// Example: [module documentation](crate::request#example).
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
