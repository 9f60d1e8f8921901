//! `grep`: lines of the Markdown of pages that match a regular expression.

use regex::{Regex, RegexBuilder};
use serde_json::{Value, json};
use svc_nav::Route;
use svc_site::{Site, estimated_tokens};

use super::{Tool, ToolCall};
use crate::bounded_text::{BoundedText, quoted};
use crate::page_text::page_text;
use crate::visible::{self, PagePath};

/// Maximum number of bytes of a pattern.
const MAX_PATTERN_BYTES: usize = 500;
/// Maximum size in bytes of a compiled pattern, and of the cache of its automaton.
const MAX_COMPILED_BYTES: usize = 1 << 20;
/// Maximum nesting of a pattern.
const MAX_NESTING: u32 = 50;
/// Maximum number of matching lines.
const MAX_LIMIT: usize = 200;
const DEFAULT_LIMIT: usize = 30;
/// Maximum number of lines around a match.
const MAX_CONTEXT: usize = 5;
/// Maximum number of characters of a line.
const MAX_LINE_CHARS: usize = 300;
/// Maximum number of bytes of Markdown that a call searches, because pages may have to be rendered.
const MAX_SEARCHED_BYTES: usize = 2 << 20;

pub(super) static TOOL: Tool = Tool {
    name: "grep",
    title: "Search with a regular expression",
    description: "Lines of the Markdown of pages that match a regular expression (Rust syntax, no look-around), as `address:line: text`. For exact names, options, error messages and code; use `search` for questions.",
    properties,
    required: &["pattern"],
    is_listed: |_| true,
    call,
};

fn properties() -> Value {
    json!({
        "pattern": {"type": "string", "description": "Regular expression, matched against each line."},
        "glob": {"type": "string", "description": "Only pages whose path matches, such as `/api/**`. `*` matches within a segment, `**` any number of segments."},
        "context": {"type": "integer", "minimum": 0, "maximum": MAX_CONTEXT, "default": 0, "description": "Number of lines around each match."},
        "limit": {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT, "description": "Maximum number of matching lines."},
        "ignore_case": {"type": "boolean", "default": false, "description": "Whether upper and lower case are equal."},
        "after": {"type": "string", "description": "Continue with the page after this address, as the last answer says."}
    })
}

/// Why the search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    AllPages,
    Limit,
    Tokens,
    Bytes,
}

fn call(call: &ToolCall<'_>) -> Result<String, String> {
    let site = call.site;
    let pattern = pattern(
        call.arguments.required("pattern")?,
        call.arguments.flag("ignore_case")?,
    )?;
    let glob = call.arguments.text("glob")?.map(glob).transpose()?;
    let context = call.arguments.number("context", 0..=MAX_CONTEXT, 0)?;
    let limit = call
        .arguments
        .number("limit", 1..=MAX_LIMIT, DEFAULT_LIMIT)?;
    let after = call.arguments.text("after")?;
    let pages: Vec<&Route> = visible::listed(site).collect();
    let first = match after {
        None => 0,
        Some(after) => {
            let path = PagePath::parse(site, after).path;
            let at = pages.iter().position(|route| route.path == path);
            1 + at.ok_or_else(|| format!("`after`: no page at `{}`", quoted(after, 200)))?
        }
    };
    let fits = |route: &&&Route| {
        glob.as_ref().is_none_or(|glob| {
            glob.is_match(&visible::href(site, route)) || glob.is_match(&route.path)
        })
    };
    let mut answer = BoundedText::new(call.max_tokens);
    let (mut matches, mut searched, mut bytes) = (0, 0, 0);
    let mut end = End::AllPages;
    // The last page that is completely searched.
    let mut last: Option<&Route> = None;
    let selected: Vec<&&Route> = pages.iter().skip(first).filter(fits).collect();
    for route in &selected {
        if bytes > MAX_SEARCHED_BYTES {
            end = End::Bytes;
            break;
        }
        let text = page_text(site, route);
        bytes += text.len() + 1;
        searched += 1;
        let page = PageLines::new(site, route, &text, context);
        match page.write(&pattern, limit, &mut matches, &mut answer) {
            End::AllPages => last = Some(route),
            other => {
                end = other;
                break;
            }
        }
    }
    let next = last.map(|route| visible::href(site, route));
    let resume = match &next {
        Some(next) => format!("continue with `after` `{next}` or narrow `glob`"),
        None => "narrow `pattern` or `glob`".to_owned(),
    };
    let footer = match end {
        End::AllPages if matches == 0 => {
            return Ok(format!(
                "No lines match in {searched} pages. Check case and escapes, or use `search`."
            ));
        }
        End::AllPages => format!("{matches} lines match in {searched} pages."),
        End::Limit => format!("Stopped at `limit`: raise it, {resume}."),
        End::Tokens => format!("Stopped at `max_tokens`: raise it, {resume}."),
        End::Bytes => format!("{searched} of {} pages searched: {resume}.", selected.len()),
    };
    Ok(answer.finish(&footer))
}

/// The lines of a page.
struct PageLines<'a> {
    address: String,
    lines: Vec<&'a str>,
    context: usize,
}

impl<'a> PageLines<'a> {
    fn new(site: &Site, route: &Route, text: &'a str, context: usize) -> Self {
        Self {
            address: visible::href(site, route),
            lines: text.lines().collect(),
            context,
        }
    }

    /// Writes the lines that match and those around them.
    fn write(
        &self,
        pattern: &Regex,
        limit: usize,
        matches: &mut usize,
        answer: &mut BoundedText,
    ) -> End {
        let mut next = 0;
        for (index, line) in self.lines.iter().enumerate() {
            if !pattern.is_match(line) {
                continue;
            }
            if *matches == limit {
                return End::Limit;
            }
            let from = index.saturating_sub(self.context).max(next);
            let to = (index + self.context + 1).min(self.lines.len());
            let mut text = String::new();
            if self.context > 0 && from > next && next > 0 {
                text.push_str("--\n");
            }
            for at in from..to {
                let sign = if at == index { ':' } else { '-' };
                let line = self.lines.get(at).map_or("", |line| line.trim_end());
                let line = around_match(line, pattern);
                text.push_str(&format!("{}{sign}{}{sign} {line}\n", self.address, at + 1));
            }
            if estimated_tokens(&text) > answer.left() || !answer.push(&text) {
                return End::Tokens;
            }
            next = to;
            *matches += 1;
        }
        End::AllPages
    }
}

/// A line, or the part of a long one around its match.
fn around_match(line: &str, pattern: &Regex) -> String {
    if line.chars().nth(MAX_LINE_CHARS).is_none() {
        return line.to_owned();
    }
    let start = pattern.find(line).map_or(0, |found| found.start());
    let start = line.floor_char_boundary(start.saturating_sub(MAX_LINE_CHARS / 3));
    let mark = if start > 0 { "…" } else { "" };
    format!("{mark}{}", quoted(&line[start..], MAX_LINE_CHARS))
}

fn pattern(text: &str, ignore_case: bool) -> Result<Regex, String> {
    if text.len() > MAX_PATTERN_BYTES {
        return Err(format!(
            "`pattern` must be at most {MAX_PATTERN_BYTES} bytes long"
        ));
    }
    let compiled = RegexBuilder::new(text)
        .case_insensitive(ignore_case)
        .size_limit(MAX_COMPILED_BYTES)
        .dfa_size_limit(MAX_COMPILED_BYTES)
        .nest_limit(MAX_NESTING)
        .build();
    compiled.map_err(|error| {
        let reason = error.to_string();
        let reason = reason.lines().last().unwrap_or_default();
        let reason = reason.trim_start_matches("error: ");
        format!(
            "`pattern` is not valid: {}. Escape special characters with a backslash.",
            quoted(reason, 200)
        )
    })
}

/// A glob as a regular expression.
fn glob(text: &str) -> Result<Regex, String> {
    if text.len() > MAX_PATTERN_BYTES {
        return Err(format!(
            "`glob` must be at most {MAX_PATTERN_BYTES} bytes long"
        ));
    }
    let mut out = String::from("^");
    if !text.starts_with(['/', '*']) {
        out.push('/');
    }
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (length, part) = match c {
            '*' if rest.starts_with("**/") => (3, "(?:.*/)?".to_owned()),
            '*' if rest.starts_with("**") => (2, ".*".to_owned()),
            '*' => (1, "[^/]*".to_owned()),
            '?' => (1, "[^/]".to_owned()),
            c => (c.len_utf8(), regex::escape(c.encode_utf8(&mut [0; 4]))),
        };
        out.push_str(&part);
        rest = &rest[length..];
    }
    out.push('$');
    let compiled = RegexBuilder::new(&out)
        .size_limit(MAX_COMPILED_BYTES)
        .build();
    compiled.map_err(|_| "`glob` is too complex".to_owned())
}

#[cfg(test)]
mod tests {
    use svc_site::estimated_tokens;

    use super::*;
    use crate::test_site::{self, call, error};

    #[test]
    fn lines_are_found_with_their_context() {
        let site = test_site::guides();
        let text = call(&site, "grep", r#"{"pattern": "limit --b\\w+ \\d"}"#);
        let line = text.lines().next().unwrap();
        assert!(
            line.starts_with("/guides/limits:") && line.ends_with(": limit --burst 5"),
            "{text}"
        );
        let text = call(
            &site,
            "grep",
            r#"{"pattern": "LIMIT --BURST", "ignore_case": true, "context": 1}"#,
        );
        assert!(
            text.contains("- ```bash\n") && text.contains("- ```\n"),
            "{text}"
        );
        let text = call(
            &site,
            "grep",
            r#"{"pattern": "^Words", "glob": "/guides/*"}"#,
        );
        assert!(text.starts_with("No lines match in 2 pages."), "{text}");
        let text = call(&site, "grep", r#"{"pattern": "hidden words"}"#);
        assert!(text.starts_with("No lines match"), "{text}");
        let text = error(&site, "grep", r#"{"pattern": "(a"}"#);
        assert_eq!(
            text,
            "`pattern` is not valid: unclosed group. Escape special characters with a backslash."
        );
    }

    #[test]
    fn expensive_patterns_are_refused() {
        let site = test_site::guides();
        for pattern in [
            "\\\\w{1000}{100}",
            "(((((a{50}){50}){50}){50}){50})",
            &"(".repeat(400),
        ] {
            let text = error(&site, "grep", &format!(r#"{{"pattern": "{pattern}"}}"#));
            assert!(text.starts_with("`pattern` is not valid: "), "{text}");
        }
    }

    #[test]
    fn a_long_result_is_continued() {
        let site = test_site::large();
        let (mut after, mut seen) = (String::new(), 0);
        loop {
            let arguments = format!(
                r#"{{"pattern": "common", "limit": 200, "max_tokens": 1000, "after": "{after}"}}"#
            );
            let text = call(&site, "grep", &arguments);
            assert!(estimated_tokens(&text) <= 1_000);
            let lines: Vec<&str> = text.lines().collect();
            let Some((_, rest)) = text.rsplit_once("`after` `") else {
                seen += lines
                    .iter()
                    .filter(|line| line.starts_with("/page-"))
                    .count();
                break;
            };
            after = rest.split('`').next().unwrap().to_owned();
            // Lines of the page that is not complete come again.
            let end = lines
                .iter()
                .rposition(|line| line.starts_with(&format!("{after}:")));
            seen += end.map_or(0, |end| end + 1);
        }
        assert_eq!(seen, 300);
    }

    #[test]
    fn globs_match_paths() {
        let is = |text: &str, path: &str| glob(text).unwrap().is_match(path);
        assert!(is("/api/**", "/api/a/b") && is("api/*", "/api/a") && !is("/api/*", "/api/a/b"));
        assert!(is("**/limits", "/guides/limits") && is("**/limits", "/limits"));
        assert!(is("/a?c.d", "/abc.d") && !is("/a?c.d", "/abcxd"));
    }
}
