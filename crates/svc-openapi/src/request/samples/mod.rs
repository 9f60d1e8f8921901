//! Code samples that send a request, in many languages.

mod highlight;
mod literal;
mod template;

use serde_json::{Map, Value, json};

pub use highlight::{Token, TokenKind};
pub use literal::{LongLiteral, ShortLiteral};

use super::inputs::{ENCODED_PASSWORD, PASSWORD};
use super::json::LITERALS;
use super::style::text_of;
use super::{Content, Request};

/// A programming language: its names, its literals and the template of a request.
#[derive(Debug)]
pub struct Language {
    /// Key in `api.examples.languages`.
    pub name: &'static str,
    /// Display name.
    pub label: &'static str,
    /// Other accepted spellings of the key.
    pub aliases: &'static [&'static str],
    /// Syntax of single-line strings.
    pub short: ShortLiteral,
    /// Syntax of multi-line strings.
    pub long: LongLiteral,
    /// Literals for null, true, false.
    pub literals: [&'static str; 3],
    /// One level of indentation.
    pub indent: &'static str,
    /// Keywords to highlight.
    pub keywords: &'static [&'static str],
    /// Template of the request.
    pub template: &'static str,
}

const SCRIPT: &[&str] = &[
    "const", "new", "await", "import", "from", "true", "false", "null",
];
const BACKTICKS: LongLiteral = LongLiteral::Between {
    open: "`",
    close: "`",
    never: &["`", "\\", "${"],
    end: "",
};

/// All languages, in the default order of samples.
pub static LANGUAGES: &[Language] = &[
    Language {
        name: "bash",
        label: "cURL",
        aliases: &["curl", "sh", "shell"],
        short: ShortLiteral::Shell,
        long: LongLiteral::Short,
        literals: LITERALS,
        indent: "  ",
        keywords: &["curl"],
        template: include_str!("bash.txt"),
    },
    Language {
        name: "python",
        label: "Python",
        aliases: &["py"],
        short: ShortLiteral::Double,
        long: LongLiteral::Between {
            open: "\"\"\"",
            close: "\"\"\"",
            never: &["\"\"\"", "\\"],
            end: "\"",
        },
        literals: ["None", "True", "False"],
        indent: "    ",
        keywords: &["import", "None", "True", "False"],
        template: include_str!("python.txt"),
    },
    Language {
        name: "javascript",
        label: "JavaScript",
        aliases: &["js"],
        short: ShortLiteral::Double,
        long: BACKTICKS,
        literals: LITERALS,
        indent: "  ",
        keywords: SCRIPT,
        template: include_str!("javascript.txt"),
    },
    Language {
        name: "php",
        label: "PHP",
        aliases: &[],
        short: ShortLiteral::Single,
        long: LongLiteral::Short,
        literals: LITERALS,
        indent: "    ",
        keywords: &["<", "new", "echo", "true"],
        template: include_str!("php.txt"),
    },
    Language {
        name: "go",
        label: "Go",
        aliases: &["golang"],
        short: ShortLiteral::Double,
        long: LongLiteral::Between {
            open: "`",
            close: "`",
            never: &["`"],
            end: "",
        },
        literals: LITERALS,
        indent: "\t",
        keywords: &["package", "import", "func", "if", "nil", "defer"],
        template: include_str!("go.txt"),
    },
    Language {
        name: "java",
        label: "Java",
        aliases: &[],
        short: ShortLiteral::Double,
        long: LongLiteral::Between {
            open: "\"\"\"\n",
            close: "\"\"\"",
            never: &["\"\"\"", "\\", " \n", "\t\n"],
            end: "\"",
        },
        literals: LITERALS,
        indent: "    ",
        keywords: &[
            "import", "public", "class", "static", "void", "throws", "new", "try", "null",
        ],
        template: include_str!("java.txt"),
    },
    Language {
        name: "typescript",
        label: "TypeScript",
        aliases: &["ts"],
        short: ShortLiteral::Double,
        long: BACKTICKS,
        literals: LITERALS,
        indent: "  ",
        keywords: SCRIPT,
        template: include_str!("typescript.txt"),
    },
    Language {
        name: "node",
        label: "Node.js",
        aliases: &["nodejs", "node.js"],
        short: ShortLiteral::Double,
        long: BACKTICKS,
        literals: LITERALS,
        indent: "  ",
        keywords: SCRIPT,
        template: include_str!("node.txt"),
    },
    Language {
        name: "ruby",
        label: "Ruby",
        aliases: &["rb"],
        short: ShortLiteral::Single,
        long: LongLiteral::Short,
        literals: ["nil", "true", "false"],
        indent: "  ",
        keywords: &["require", "do", "end", "true", "false"],
        template: include_str!("ruby.txt"),
    },
    Language {
        name: "rust",
        label: "Rust",
        aliases: &["rs"],
        short: ShortLiteral::DoubleBraces,
        long: LongLiteral::Between {
            open: "r#\"",
            close: "\"#",
            never: &["\"#"],
            end: "",
        },
        literals: LITERALS,
        indent: "    ",
        keywords: &["use", "fn", "let", "dyn"],
        template: include_str!("rust.txt"),
    },
    Language {
        name: "csharp",
        label: "C#",
        aliases: &["c#", "cs", "dotnet", ".net", "dot-net"],
        short: ShortLiteral::Double,
        long: LongLiteral::Between {
            open: "\"\"\"\n",
            close: "\n\"\"\"",
            never: &["\"\"\""],
            end: "",
        },
        literals: LITERALS,
        indent: "    ",
        keywords: &["using", "var", "new", "await"],
        template: include_str!("csharp.txt"),
    },
    Language {
        name: "kotlin",
        label: "Kotlin",
        aliases: &["kt"],
        short: ShortLiteral::DoubleDollar,
        long: LongLiteral::Between {
            open: "\"\"\"",
            close: "\"\"\"",
            never: &["\"\"\"", "$"],
            end: "\"",
        },
        literals: LITERALS,
        indent: "    ",
        keywords: &["import", "fun", "val", "null"],
        template: include_str!("kotlin.txt"),
    },
    Language {
        name: "swift",
        label: "Swift",
        aliases: &[],
        short: ShortLiteral::DoubleBraces,
        long: LongLiteral::Between {
            open: "#\"\"\"\n",
            close: "\n\"\"\"#",
            never: &["\"\"\"#", "\\#"],
            end: "",
        },
        literals: ["nil", "true", "false"],
        indent: "    ",
        keywords: &["import", "var", "let", "try", "await"],
        template: include_str!("swift.txt"),
    },
    Language {
        name: "powershell",
        label: "PowerShell",
        aliases: &["ps1", "pwsh"],
        short: ShortLiteral::Doubled,
        long: LongLiteral::Short,
        literals: ["$null", "$true", "$false"],
        indent: "    ",
        keywords: &[],
        template: include_str!("powershell.txt"),
    },
    Language {
        name: "dart",
        label: "Dart",
        aliases: &["flutter"],
        short: ShortLiteral::DoubleDollar,
        long: LongLiteral::Between {
            open: "r'''",
            close: "'''",
            never: &["'''"],
            end: "'",
        },
        literals: LITERALS,
        indent: "  ",
        keywords: &["import", "as", "void", "async", "await", "final"],
        template: include_str!("dart.txt"),
    },
    Language {
        name: "c",
        label: "C",
        aliases: &[],
        short: ShortLiteral::DoubleOctal,
        long: LongLiteral::Pieces,
        literals: ["NULL", "true", "false"],
        indent: "  ",
        keywords: &["#include", "int", "void", "if", "return", "struct", "NULL"],
        template: include_str!("c.txt"),
    },
    Language {
        name: "cpp",
        label: "C++",
        aliases: &["c++"],
        short: ShortLiteral::DoubleOctal,
        long: LongLiteral::Pieces,
        literals: ["nullptr", "true", "false"],
        indent: "  ",
        keywords: &[
            "#include",
            "int",
            "if",
            "return",
            "struct",
            "nullptr",
            "static_cast",
        ],
        template: include_str!("cpp.txt"),
    },
];

/// The language with this name or alias, in any case. None if there is none.
///
/// Example: [module documentation](crate::request#example).
pub fn language(name: &str) -> Option<&'static Language> {
    let is = |other: &str| other.eq_ignore_ascii_case(name.trim());
    let mut all = LANGUAGES.iter();
    all.find(|language| is(language.name) || language.aliases.iter().any(|alias| is(alias)))
}

/// The code that sends `request`, as highlighted tokens. The last line has no line break.
///
/// Example: [module documentation](crate::request#example).
pub fn sample(language: &Language, request: &Request) -> Vec<Token> {
    let mut tokens = template::run(language, &values(request));
    if let Some(last) = tokens.last_mut() {
        last.text.truncate(last.text.trim_end().len());
    }
    tokens.retain(|token| !token.text.is_empty());
    tokens
}

/// The values that templates can use.
fn values(request: &Request) -> Map<String, Value> {
    let header = |(name, value): &(String, String)| {
        let basic = value.strip_prefix("Basic ") == Some(ENCODED_PASSWORD);
        json!({"name": name, "value": value, "line": format!("{name}: {value}"), "user": basic.then_some(PASSWORD)})
    };
    let headers: Vec<Value> = request.headers.iter().map(header).collect();
    let is_type = |(name, _): &&(String, String)| name.eq_ignore_ascii_case("content-type");
    let content_type = request.headers.iter().find(is_type);
    let others = request.headers.iter().filter(|header| !is_type(header));
    let plain_headers: Vec<Value> = others.map(header).collect();
    let mut values = Map::new();
    let mut set = |name: &str, value: Value| {
        values.insert(name.to_owned(), value);
    };
    let has_body = !matches!(request.content, Content::Empty);
    let needs_body = matches!(request.method.as_str(), "POST" | "PUT" | "PATCH");
    set("method", json!(request.method));
    set("head", json!(request.method == "HEAD"));
    set("url", json!(request.url));
    set("headers", json!(headers));
    set("plain_headers", json!(plain_headers));
    set("content_type", json!(content_type.map(|(_, value)| value)));
    set("body", json!(has_body));
    set("empty_body", json!(!has_body && needs_body));
    set("sends", json!(has_body || needs_body));
    match &request.content {
        Content::Empty => {}
        Content::Json(value) => {
            let text = request.content.text();
            // Values other than objects and arrays have no better form than their text.
            let compound = value.is_object() || value.is_array();
            set(
                if compound { "json" } else { "text" },
                if compound { value.clone() } else { json!(text) },
            );
            // In languages whose numbers are floats, larger integers are only exact in a string.
            if compound && are_floats(value) {
                set("floats", value.clone());
            } else {
                set("source", json!(text));
            }
            set("plain", json!(text));
            set("payload", json!(text));
        }
        Content::Text(text) => {
            set("text", json!(text));
            set("source", json!(text));
            set("plain", json!(text));
            set("payload", json!(text));
        }
        Content::Form(pairs) => {
            let text = request.content.text();
            let items: Vec<Value> = pairs.iter().map(|pair| json!({"item": pair})).collect();
            set("pairs", json!(items));
            set("text", json!(text));
            set("source", json!(text));
            set("payload", json!(text));
        }
        Content::File(name) => {
            set("file", json!(name));
            set("files", json!(true));
            set("at_file", json!(format!("@{name}")));
        }
        Content::Multipart(parts) => {
            set("files", json!(parts.iter().any(|part| part.file)));
            set(
                "typed",
                json!(parts.iter().any(|part| part.content_type.is_some())),
            );
            // A field of an HTML form has no type; some clients write none.
            let is_typed = |part: &super::Part| !part.file && part.content_type.is_some();
            set("typed_text", json!(parts.iter().any(is_typed)));
            let parts: Vec<Value> = parts.iter().map(part).collect();
            set("parts", json!(parts));
        }
    }
    values
}

/// Whether a float represents every integer of a value: none exceeds 2^53.
fn are_floats(value: &Value) -> bool {
    const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;
    match value {
        Value::Number(number) => match number.as_i64() {
            Some(number) => number.unsigned_abs() <= MAX_SAFE_INTEGER,
            None => number.is_f64(),
        },
        Value::Array(items) => items.iter().all(are_floats),
        Value::Object(members) => members.values().all(are_floats),
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}

fn part(part: &super::Part) -> Value {
    let quoted = |text: &str| text.replace('\\', r"\\").replace('"', "\\\"");
    let kind = part.content_type.as_deref();
    let name = &part.name;
    let file_name = if part.file {
        format!("; filename=\"{}\"", quoted(&part.value))
    } else {
        String::new()
    };
    let disposition = format!("form-data; name=\"{}\"{file_name}", quoted(name));
    let head = kind.map_or(String::new(), |kind| format!("Content-Type: {kind}\r\n"));
    let suffix = kind.map_or(String::new(), |kind| format!(";type={kind}"));
    let form = if part.file {
        format!("{name}=@{}{suffix}", part.value)
    } else {
        format!("{name}=\"{}\"{suffix}", quoted(&part.value))
    };
    // All names are set, so that none is looked up outside of the part.
    json!({
        "name": name,
        "value": part.value,
        "file": part.file.then_some(&part.value),
        "type": kind,
        "simple": kind.is_none().then(|| format!("{name}={}", part.value)),
        "form": form,
        "disposition": &disposition,
        "part_head": format!("Content-Disposition: {disposition}\r\n{head}\r\n"),
    })
}
