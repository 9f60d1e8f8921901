//! Fenced code blocks.

use super::{Rewriter, indent_of};
use crate::codes::MIGRATE_SYNTAX;

/// The fence that opens a code block on a line: its indentation, the fence and the info string.
pub(super) fn opening(text: &str) -> Option<(usize, &str, &str)> {
    let indent = indent_of(text);
    let rest = &text[indent..];
    let mark = rest.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = rest.len() - rest.trim_start_matches(mark).len();
    let info = &rest[length..];
    (length >= 3 && !(mark == '`' && info.contains('`'))).then(|| (indent, &rest[..length], info))
}

/// Returns whether a line closes a code block.
pub(super) fn closes(text: &str, fence: &str) -> bool {
    let text = text.trim();
    let mark = fence.chars().next().unwrap_or('`');
    text.len() >= fence.len() && text.chars().all(|c| c == mark)
}

/// Updates `fence`, the fence of the code block that contains the next line.
pub(crate) fn track(text: &str, fence: &mut Option<String>) {
    match fence {
        Some(open) if closes(text, open) => *fence = None,
        Some(_) => {}
        None => *fence = opening(text).map(|(_, open, _)| open.to_owned()),
    }
}

/// A code block with a fence that is longer than all fences in the code.
pub(crate) fn code_fence(info: &str, code: &str) -> String {
    let mut fence = "```".to_owned();
    while code.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}{info}\n{code}\n{fence}")
}

/// Options of an info string: words, `name=value`, `name="value"` and `{…}`.
fn options(info: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut word = String::new();
    let mut quote: Option<char> = None;
    let mut braces = 0_usize;
    for c in info.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '{') => braces += 1,
            (None, '}') => braces = braces.saturating_sub(1),
            _ => {}
        }
        if c.is_whitespace() && quote.is_none() && braces == 0 {
            if !word.is_empty() {
                out.push(std::mem::take(&mut word));
            }
        } else {
            word.push(c);
        }
    }
    if !word.is_empty() {
        out.push(word);
    }
    out
}

fn unquote(text: &str) -> &str {
    text.trim_matches(['"', '\''])
}

impl Rewriter<'_> {
    /// Rewrites an info string.
    pub(super) fn info_string(&mut self, info: &str) -> String {
        let info = info.trim();
        if self.dialect.python {
            self.python_info(info)
        } else if self.dialect.vue {
            vue_info(info)
        } else {
            self.meta_info(info)
        }
    }

    fn python_info(&mut self, info: &str) -> String {
        // `{.python title="a" hl_lines="1"}` and `{ .python }`
        let inner = info
            .find('{')
            .filter(|_| info.ends_with('}'))
            .map(|at| format!("{} {}", &info[..at], &info[at + 1..info.len() - 1]));
        let (mut language, mut out) = (String::new(), Vec::new());
        for option in options(inner.as_deref().unwrap_or(info)) {
            match option.split_once('=') {
                Some(("title", value)) => out.push(format!("title={}", quoted(unquote(value)))),
                Some(("hl_lines", value)) => {
                    let lines: Vec<&str> = unquote(value).split([' ', ',']).collect();
                    let lines: Vec<&str> =
                        lines.into_iter().filter(|line| !line.is_empty()).collect();
                    out.push(format!("{{{}}}", lines.join(",")));
                }
                Some(("linenums", _)) => out.push("lines".to_owned()),
                Some(_) => {}
                None if option.starts_with('#') => {}
                None => {
                    let name = option.trim_start_matches('.');
                    let is_class = option.starts_with('.');
                    if language.is_empty()
                        && !["annotate", "no-copy", "copy", "select"].contains(&name)
                    {
                        language = name.to_owned();
                    } else if name == "no-copy" {
                        out.push("nocopy".to_owned());
                    } else if !is_class && !name.is_empty() {
                        self.report(
                            &MIGRATE_SYNTAX,
                            format!("the option `{name}` of a code block has no equivalent"),
                            "see the options of code blocks in the guide Code",
                        );
                    }
                }
            }
        }
        if language == "mermaid" {
            out.clear();
        }
        join(&language, &out)
    }

    fn meta_info(&mut self, info: &str) -> String {
        let mut all = options(info).into_iter();
        let mut language = all.next().unwrap_or_default();
        let mut out = Vec::new();
        // Starlight allows `js {1}` and `js title=…`; a first word with `=` is an option.
        if language.contains('=') || language.starts_with('{') {
            out.push(std::mem::take(&mut language));
        }
        for option in all {
            match option.split_once('=') {
                Some(("title", value)) => out.push(format!("title={}", quoted(unquote(value)))),
                Some(("mark", value)) if value.starts_with('{') => out.push(value.to_owned()),
                Some(("ins" | "del" | "mark" | "collapse" | "frame" | "startLineNumber", _)) => {}
                None if option == "showLineNumbers" => out.push("lines".to_owned()),
                None if option == "wrap" || option.starts_with('{') => out.push(option),
                // Docusaurus: `{1}` and `showLineNumbers=5`.
                Some(("showLineNumbers", _)) => out.push("lines".to_owned()),
                None if option == "live" => self.report(
                    &MIGRATE_SYNTAX,
                    "live code is shown as a code block",
                    "write a component in a `.jsx` file for what readers can try",
                ),
                _ => {}
            }
        }
        join(&language, &out)
    }
}

/// `ts:line-numbers=2 {1,3-4} [file.ts]`.
fn vue_info(info: &str) -> String {
    let (rest, title) = match info.find('[') {
        Some(at) if info.ends_with(']') => (&info[..at], Some(&info[at + 1..info.len() - 1])),
        _ => (info, None),
    };
    let end = rest.find(|c: char| c.is_whitespace() || "{:".contains(c));
    let (language, rest) = rest.split_at(end.unwrap_or(rest.len()));
    let language = language.strip_suffix("-vue").unwrap_or(language);
    let mut out = Vec::new();
    if let Some(title) = title {
        // `~icon~` of a plugin.
        let title = title.split('~').next().unwrap_or(title).trim();
        out.push(format!("title={}", quoted(title)));
    }
    if let Some((_, lines)) = rest.split_once('{')
        && let Some((lines, _)) = lines.split_once('}')
    {
        out.push(format!("{{{}}}", lines.trim()));
    }
    if rest.contains(":line-numbers") {
        out.push("lines".to_owned());
    }
    if rest.split_whitespace().any(|word| word == "twoslash") {
        out.push("twoslash".to_owned());
    }
    join(language, &out)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "'"))
}

fn join(language: &str, options: &[String]) -> String {
    let language = match language {
        "" if options.is_empty() => "",
        "" => "text",
        language => language,
    };
    let mut out = language.to_owned();
    for option in options {
        out.push(' ');
        out.push_str(option);
    }
    out
}
