//! The rules of `docs/contributing/style.mdx` about names that a program can check.

/// Words that must not occur in names of items and files, with their replacements.
static FORBIDDEN: &[(&str, &str)] = &[
    ("again", "retry, rebuild, reload or replay"),
    ("address", "url, path, addr or email"),
    ("addresses", "urls, paths or addrs"),
    ("anew", "retry, rebuild, reload or replay"),
    ("answer", "response"),
    ("answered", "responded"),
    ("answers", "responses"),
    ("ask", "request, fetch or query"),
    ("asked", "requested"),
    ("asking", "request"),
    ("asks", "requests"),
    ("beneath", "the role it has"),
    ("beside", "the role it has"),
    ("bring", "fetch"),
    ("brought", "fetched"),
    ("colour", "color"),
    ("colours", "colors"),
    ("draw", "render"),
    ("drawing", "image or diagram"),
    ("drawings", "images or diagrams"),
    ("drawn", "rendered"),
    ("draws", "renders"),
    ("everybody", "the actor"),
    ("folder", "dir"),
    ("folders", "dirs"),
    ("found", "what it is"),
    ("hosted", "remote"),
    ("keep", "cache, store or retain"),
    ("keeps", "caches, stores or retains"),
    ("kept", "cached, stored or retained"),
    ("largest", "max"),
    ("lately", "recent"),
    ("longest", "max"),
    ("most", "max"),
    ("nobody", "the actor"),
    ("patience", "timeout"),
    ("picture", "image"),
    ("pictures", "images"),
    ("place", "span, location, index or route"),
    ("placed", "located"),
    ("places", "spans, locations or indices"),
    ("question", "request"),
    ("questions", "requests"),
    ("room", "capacity or component"),
    ("rooms", "components"),
    ("said", "logged or reported"),
    ("say", "log, report or format"),
    ("says", "logs or reports"),
    ("somebody", "the actor"),
    ("stand", "is"),
    ("standing", "is"),
    ("stands", "is"),
    ("tell", "log or report"),
    ("telling", "logging"),
    ("tells", "logs or reports"),
    ("told", "logged or reported"),
    ("way", "path or direction"),
    ("ways", "paths or directions"),
    ("whoever", "the actor"),
    ("word", "value, token or message"),
    ("words", "values, tokens or messages"),
];

/// Type and constant names that are not nouns.
static FORBIDDEN_NAMES: &[&str] = &[
    "Around", "At", "Behind", "By", "In", "Left", "Made", "Missed", "Named", "Needed", "No", "Not",
    "Once", "Opened", "Outside", "Own", "Recorded", "Running", "Shown", "Taken", "Waiting",
    "Wanted", "What", "Written", "AROUND", "DEPTH", "HOPS", "MANY", "PROBLEMS", "TRIES", "WHOLE",
];

/// Exceptions with their reasons.
static ALLOWED: &[(&str, &str)] = &[
    (
        "CookieDuration",
        "`std` and the cookie crate both call it `Duration`",
    ),
    ("DEFAULT_KEEP", "the setting is called `keep`"),
    ("FOLDER_PROPS", "the component is called `Tree.Folder`"),
    (
        "Json",
        "`svc_data::Value` is the other kind of value in these files",
    ),
    ("MdxNode", "the node of svc-mdx beside that of an island"),
    (
        "Plain",
        "the variant `None` of an alignment beside that of `Option`",
    ),
    (
        "RelayRejection",
        "a rejected request is a result, not a failure",
    ),
    ("WordMark", "Shiki's notation marks words"),
    ("folder", "the component is called `Tree.Folder`"),
    ("folder_html", "the component is called `Tree.Folder`"),
    ("mark_words", "Shiki's notation marks words"),
    ("MAX_WORDS", "Shiki's notation marks words"),
];

/// Forbidden words that are plain English in a sentence, as the names of tests are.
static IN_SENTENCES: &[&str] = &[
    "again", "folder", "folders", "found", "keep", "keeps", "largest", "longest", "most", "word",
    "words",
];

/// Parts of a function name that make it a sentence.
const MIN_SENTENCE_PARTS: usize = 5;

/// Terms of the field that contain a forbidden word.
static TERMS: &[&str] = &["address_space", "in_place", "keep_alive", "not_found"];

/// Name of a file or of an item in it.
struct Name<'a> {
    text: &'a str,
    kind: &'a str,
    line: usize,
}

/// Reports the names of a file that violate a rule.
pub(super) fn check(shown: &str, text: &str, findings: &mut Vec<String>) {
    let stem = shown.rsplit('/').next().unwrap_or(shown);
    let stem = stem.strip_suffix(".rs").unwrap_or(stem);
    let file = Name {
        text: stem,
        kind: "file",
        line: 1,
    };
    let items = text.lines().enumerate().filter_map(|(index, line)| {
        let (kind, text) = item(line)?;
        let line = index + 1;
        Some(Name { text, kind, line })
    });
    for name in std::iter::once(file).chain(items) {
        if is_allowed(name.text) {
            continue;
        }
        let mut report = |reason: &str| {
            let Name { text, kind, line } = name;
            findings.push(format!("{shown}:{line}: the {kind} `{text}` {reason}"));
        };
        if FORBIDDEN_NAMES.contains(&name.text) {
            report("is not named after what it is");
        }
        let mut lower = parts(name.text).join("_");
        for term in TERMS {
            lower = lower.replace(term, "");
        }
        let is_sentence = name.kind == "fn" && lower.split('_').count() >= MIN_SENTENCE_PARTS;
        for part in lower.split('_') {
            if is_sentence && IN_SENTENCES.contains(&part) {
                continue;
            }
            if let Some((_, instead)) = FORBIDDEN.iter().find(|entry| entry.0 == part) {
                report(&format!("contains `{part}`; use {instead}"));
            }
        }
    }
    imports(shown, text, findings);
    errors(shown, text, findings);
}

/// Whether a name is one of the exceptions.
fn is_allowed(name: &str) -> bool {
    ALLOWED.iter().any(|allowed| allowed.0 == name)
}

/// Kind and name of the item that a line declares.
fn item(line: &str) -> Option<(&str, &str)> {
    let mut tokens = line.split_whitespace().peekable();
    while let Some(token) = tokens.peek() {
        let is_prefix = token.starts_with("pub") || matches!(*token, "async" | "unsafe");
        // `const fn`, but not `const NAME`.
        let is_const_fn = *token == "const" && line.contains("const fn ");
        if !is_prefix && !is_const_fn {
            break;
        }
        tokens.next();
        // `pub(in path)` consists of two tokens.
        if tokens.peek().is_some_and(|next| next.ends_with(')')) {
            tokens.next();
        }
    }
    let kind = tokens.next()?;
    let kinds = [
        "fn", "struct", "enum", "trait", "type", "const", "static", "mod", "union",
    ];
    let kind = kinds.into_iter().find(|known| *known == kind)?;
    let name = tokens.next()?;
    let end = name
        .find(|char: char| !char.is_alphanumeric() && char != '_')
        .unwrap_or(name.len());
    (end > 0).then(|| (kind, &name[..end]))
}

/// Parts of a name in lower case, for `snake_case`, `CamelCase` and `UPPER_CASE`.
fn parts(name: &str) -> Vec<String> {
    let is_camel = name.contains(char::is_lowercase);
    let mut parts = vec![String::new()];
    for char in name.chars() {
        let starts = char == '_' || (is_camel && char.is_uppercase());
        if starts && parts.last().is_some_and(|part| !part.is_empty()) {
            parts.push(String::new());
        }
        if char != '_'
            && let Some(part) = parts.last_mut()
        {
            part.extend(char.to_lowercase());
        }
    }
    parts
}

/// Reports types that are imported under another name.
fn imports(shown: &str, text: &str, findings: &mut Vec<String>) {
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        inside |= trimmed.starts_with("use ") || trimmed.starts_with("pub use ");
        if inside {
            for (before, after) in line.split(" as ").zip(line.split(" as ").skip(1)) {
                let old = before.rsplit([':', '{', ' ', ',']).next().unwrap_or(before);
                let new: String = after
                    .chars()
                    .take_while(|char| char.is_alphanumeric())
                    .collect();
                let is_type = |name: &str| name.starts_with(char::is_uppercase);
                if is_type(old) && is_type(&new) && !is_allowed(&new) {
                    let line = index + 1;
                    findings.push(format!(
                        "{shown}:{line}: `{old}` is imported as `{new}`; rename one of the two that clash"
                    ));
                }
            }
        }
        inside &= !line.contains(';');
    }
}

/// Reports error types whose name does not end in `Error`.
fn errors(shown: &str, text: &str, findings: &mut Vec<String>) {
    let implemented = text.lines().filter_map(|line| {
        let (_, name) = line.split_once("Error for ")?;
        let is_std = line.contains("error::Error for ") || line.contains(" Error for ");
        (is_std && line.starts_with("impl")).then_some(name)
    });
    let derived = text.split("\n#[derive(").skip(1).filter_map(|rest| {
        let (derives, rest) = rest.split_once(")]")?;
        let is_error = derives
            .split(',')
            .any(|name| matches!(name.trim(), "Error" | "thiserror::Error"));
        let line = rest
            .lines()
            .find(|line| line.contains("enum ") || line.contains("struct "))?;
        let (_, name) = line
            .split_once("enum ")
            .or_else(|| line.split_once("struct "))?;
        is_error.then_some(name)
    });
    for name in implemented.chain(derived) {
        let end = name
            .find(|char: char| !char.is_alphanumeric())
            .unwrap_or(name.len());
        let name = &name[..end];
        if !name.ends_with("Error") && !is_allowed(name) {
            findings.push(format!(
                "{shown}: the error `{name}` does not end in `Error`"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(text: &str) -> Vec<String> {
        let mut findings = Vec::new();
        check("crates/x/src/cache.rs", text, &mut findings);
        findings
    }

    #[test]
    fn names_of_the_field_pass() {
        let text = "pub fn render() {}\nuse std::fmt::Write as _;\nstatic NOT_FOUND: u8 = 1;\n\
                    fn a_page_that_was_found_keeps_its_order() {}\n\
                    #[derive(Debug, thiserror::Error)]\n#[error(\"x\")]\npub struct ParseError;\n";
        assert_eq!(findings(text), [""; 0]);
    }

    #[test]
    fn forbidden_names_are_reported_in_all_spellings() {
        for text in [
            "pub(crate) const fn draw_page() {}",
            "    pub(in crate::x) async fn tell() {}",
            "struct KeptPages {",
            "pub type Tell<'a> = u8;",
            "const MOST_BYTES: usize = 1;",
            "mod words;",
            "enum No {",
        ] {
            assert_eq!(findings(text).len(), 1, "{text}");
        }
    }

    #[test]
    fn renamed_imports_and_misnamed_errors_are_reported() {
        assert_eq!(findings("use x::State as Step;").len(), 1);
        assert_eq!(
            findings("use x::{\n    A,\n    State as Step,\n};").len(),
            1
        );
        assert_eq!(findings("impl std::error::Error for Misfit {}").len(), 1);
        let derived = "\n#[derive(Debug, thiserror::Error)]\npub enum Refused {";
        assert_eq!(findings(derived).len(), 1);
    }
}
