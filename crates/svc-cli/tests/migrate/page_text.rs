//! The words of an old page, and those of the new one.

use std::collections::HashMap;

use super::components;

/// How many words of the old page are on the new page in the same order.
pub(super) struct Comparison {
    pub(super) total: usize,
    pub(super) found: usize,
    /// Some of the words that are missing.
    pub(super) missing: Vec<String>,
}

impl Comparison {
    pub(super) fn share(&self) -> f64 {
        match self.total {
            0 => 1.0,
            total => self.found as f64 / total as f64,
        }
    }
}

pub(super) fn compare(source: &str, is_mdx: bool, html: &str) -> Comparison {
    let old = source_tokens(source, is_mdx);
    let start = html.find("<main").unwrap_or(0);
    let end = html.find("<dialog").unwrap_or(html.len()).max(start);
    let new = tokens(&text_of(&html[start..end]));
    let mut left: HashMap<&str, usize> = HashMap::new();
    for word in &new {
        *left.entry(word).or_default() += 1;
    }
    let mut is_missing = |word: &&String| match left.get_mut(word.as_str()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    let missing = old
        .iter()
        .filter(|word| is_missing(word))
        .take(25)
        .cloned()
        .collect();
    Comparison {
        total: old.len(),
        found: common_len(&old, &new),
        missing,
    }
}

/// The length of the longest common subsequence, with one bit for each old word.
fn common_len(old: &[String], new: &[String]) -> usize {
    let size = old.len().div_ceil(64);
    let mut masks: HashMap<&str, Vec<u64>> = HashMap::new();
    for (index, word) in old.iter().enumerate() {
        masks.entry(word).or_insert_with(|| vec![0; size])[index / 64] |= 1 << (index % 64);
    }
    // A zero is a word that is part of the subsequence.
    let mut row = vec![u64::MAX; size];
    for word in new {
        let Some(mask) = masks.get(word.as_str()) else {
            continue;
        };
        let mut carry = false;
        for (bits, mask) in row.iter_mut().zip(mask) {
            let (sum, first) = bits.overflowing_add(*bits & mask);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first || second;
            *bits = sum | (*bits & !mask);
        }
    }
    let zeros = (0..old.len()).filter(|index| row[index / 64] & (1 << (index % 64)) == 0);
    zeros.count()
}

/// The words that readers of the old page see.
fn source_tokens(source: &str, is_mdx: bool) -> Vec<String> {
    let source = source.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let body = match source
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---"))
    {
        Some((_, body)) => body.split_once('\n').map_or("", |(_, body)| body),
        None => &source,
    };
    let mut options = comrak::Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.footnotes = true;
    options.extension.tasklist = true;
    options.render.r#unsafe = true;
    let mut body = components::without_attributes(&without_indentation(body));
    if is_mdx {
        body = components::without_blocks(&body);
    }
    let html = comrak::markdown_to_html(&without_marks(&body), &options);
    tokens(&text_of(&html))
}

/// A page whose indented containers (`!!!`, `???`, `===`) are not indented, which would be code.
fn without_indentation(body: &str) -> String {
    let mut out = String::new();
    let mut containers: Vec<usize> = Vec::new();
    for line in body.split('\n') {
        let indent = line.len() - line.trim_start().len();
        let is_blank = line.trim().is_empty();
        while !is_blank
            && containers
                .last()
                .is_some_and(|container| indent < *container)
        {
            containers.pop();
        }
        out.push_str(line.get(4 * containers.len()..).unwrap_or_default());
        out.push('\n');
        let marks = ["!!! ", "??? ", "???+ ", "=== \""];
        if marks.iter().any(|mark| line.trim_start().starts_with(mark)) {
            containers.push(indent + 4);
        }
    }
    out
}

/// A page without the marks of its generator, which are not words for readers.
fn without_marks(body: &str) -> String {
    let mut out = String::new();
    let mut fence: Option<(String, bool)> = None;
    // The end of a block without words: the text of a reference is the title of its page.
    let mut skipped: Option<&str> = None;
    let mut in_code = false;
    let mut in_reference = false;
    for line in body.split('\n') {
        let trimmed = line.trim();
        if let Some(end) = skipped {
            skipped = Some(end).filter(|end| !trimmed.contains(end));
            continue;
        }
        // The options of a reference that is generated from code are indented.
        if in_reference && (trimmed.is_empty() || line.starts_with("    ")) {
            continue;
        }
        in_reference = fence.is_none()
            && line
                .strip_prefix("::: ")
                .is_some_and(|name| name.contains(['.', '_']) && !name.contains(' '));
        if in_reference {
            continue;
        }
        if trimmed.starts_with("{% content-ref") {
            skipped = Some("{% endcontent-ref");
            continue;
        }
        // Code of components, in which only text between tags is for readers.
        in_code |= fence.is_none() && line.starts_with("export ");
        if in_code {
            let is_one_line = line.starts_with("export ")
                && (line.trim_end().ends_with(';') || !line.contains(['{', '(', '[']));
            in_code = !is_one_line && !["};", "}"].contains(&line);
            let is_text = trimmed.starts_with(|c: char| c.is_alphabetic());
            let keywords = ["export ", "return", "const ", "import "];
            if is_text && !keywords.iter().any(|word| trimmed.starts_with(word)) {
                out.push_str(&format!("\n{trimmed}\n"));
            }
            continue;
        }
        let marks = trimmed.len() - trimmed.trim_start_matches(['`', '~']).len();
        match &fence {
            Some((open, is_rust)) => {
                let is_end = marks >= open.len() && trimmed[..marks] == *trimmed;
                if is_end {
                    fence = None;
                } else if *is_rust && (trimmed == "#" || trimmed.starts_with("# ")) {
                    // mdBook hides these lines of code.
                    continue;
                } else if trimmed.starts_with("{{#") || trimmed.starts_with('~') {
                    // The second is a hidden line of other languages.
                    continue;
                }
                let line = line.split("[!code").next().unwrap_or(line);
                // Colors of terminals: `\u{1b}[31m`.
                let mut parts = line.split("\u{1b}[");
                out.push_str(parts.next().unwrap_or_default());
                for part in parts {
                    out.push_str(part.split_once('m').map_or(part, |(_, text)| text));
                }
                out.push('\n');
                continue;
            }
            None if marks >= 3 && !trimmed[marks..].contains('`') => {
                let is_rust = trimmed[marks..].starts_with("rust");
                fence = Some((trimmed[..marks].to_owned(), is_rust));
            }
            None => {}
        }
        out.push_str(&line_without_marks(line));
        out.push('\n');
    }
    out
}

fn line_without_marks(line: &str) -> String {
    let trimmed = line.trim();
    let indent = &line[..line.len() - line.trim_start().len()];
    let skipped = [
        "<<<", "import ", "export ", "[[toc]]", "== ", "--8<--", "=== \"", "*[",
    ];
    if skipped.iter().any(|mark| trimmed.starts_with(mark)) {
        return String::new();
    }
    // `::: tip Title`, `!!! note "Title"`, `> [!NOTE]`: the kind is a mark, the title is not.
    for mark in [":::", "!!! ", "??? ", "???+ "] {
        if let Some(rest) = trimmed.strip_prefix(mark) {
            let rest = rest.trim_start_matches(':').trim_start();
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '-');
            let (kind, title) = rest.split_at(end.unwrap_or(rest.len()));
            let title = title.split(['{', '\n']).next().unwrap_or_default();
            let title = if kind == "tabs" { "" } else { title };
            return format!("\n{indent}{}\n", title.trim_matches(['[', ']', ' ', '"']));
        }
    }
    let mut text = without_jsx(&without_hidden_cells(line));
    for (open, close) in [
        ("{%", "%}"),
        ("{{#", "}}"),
        ("> [!", "]"),
        ("{#", "}"),
        ("{ .", "}"),
        ("{:", "}"),
    ] {
        let mut from = 0;
        while let Some(start) = text[from..].find(open).map(|at| at + from) {
            let Some(end) = text[start..].find(close) else {
                break;
            };
            // Marks in code are words.
            if text[..start].matches('`').count() % 2 == 1 {
                from = start + open.len();
                continue;
            }
            let keep = if open == "> [!" { "> " } else { "" };
            text.replace_range(start..start + end + close.len(), keep);
        }
    }
    text
}

/// A line without tags whose attributes are expressions, which are no HTML.
fn without_jsx(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = tag_end(rest).filter(|end| rest[..*end].contains("={"));
        match length {
            Some(end) => rest = &rest[end..],
            None => {
                out.push('<');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// A table of cards without its head and without links to files, which are not shown.
fn without_hidden_cells(line: &str) -> String {
    if !line.contains("data-view=\"cards\"") {
        return line.to_owned();
    }
    let body = line.split_once("</thead>").map_or(line, |(_, body)| body);
    let cells = body
        .split("<td>")
        .map(|cell| match cell.starts_with("<a href=") {
            true => cell.split_once("</a>").map_or("", |(_, rest)| rest),
            false => cell,
        });
    format!("<table>{}", cells.collect::<Vec<_>>().join("<td>"))
}

/// The text of HTML, with a space for each tag.
fn text_of(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let hidden = [
            ("<script", "</script>"),
            ("<style", "</style>"),
            ("<!--", "-->"),
        ];
        let close = hidden.iter().find(|(open, _)| rest.starts_with(open));
        let end = match close {
            Some((_, close)) => rest.find(close).map(|end| end + close.len()),
            None => tag_end(rest),
        };
        let Some(end) = end else {
            break;
        };
        // Elements inside of a word do not end it.
        let name: String = rest[1..]
            .trim_start_matches('/')
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        if ![
            "span", "a", "em", "strong", "code", "b", "i", "mark", "wbr", "sup", "sub",
        ]
        .contains(&name.as_str())
        {
            out.push(' ');
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    svc_mdx::decode_references(&out)
}

/// The length of a tag, whose attributes can contain `>`.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '>') => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Runs of letters and digits, in lower case.
fn tokens(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[test]
fn words_are_compared_in_order_and_without_marks() {
    let source = "---\ntitle: X\n---\n# A *b*\n\n::: tip Take care\nOne `two` &amp; <b>th</b>ree\n:::\n\n```rust\n# hidden\nshown();\n```\n";
    let html = "<nav>one</nav><main><h1>A <em>b</em></h1><p>Take care</p><p>One <code>two</code> &amp; <b>th</b>ree</p><pre>shown();</pre></main>";
    let found = compare(source, false, html);
    assert_eq!((found.total, found.found), (8, 8), "{:?}", found.missing);
    // More words than bits of a number.
    let long: Vec<String> = (0..200).map(|number| format!("w{number}")).collect();
    let text = long.join(" ");
    assert_eq!(
        compare(&text, false, &format!("<main>x {text} y</main>")).found,
        200
    );
    let turned: Vec<String> = long.iter().rev().cloned().collect();
    assert_eq!(
        compare(&text, false, &format!("<main>{}</main>", turned.join(" "))).found,
        1
    );
    let found = compare("a b c d", false, "<main>a c b d</main>");
    assert_eq!(found.found, 3);
    let found = compare("a b", false, "<main>a</main>");
    assert_eq!((found.found, found.missing), (1, vec!["b".to_owned()]));
}
