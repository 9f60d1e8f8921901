//! Magic blocks: `[block:callout]`, JSON and `[/block]`.

use serde_json::Value;
use svc_diagnostics::SourceFile;

use crate::markdown::{attribute, code_fence, plain_title};

/// A block as Markdown: lines, and whether each is MDX.
pub(super) type Lines = Vec<(String, bool)>;

/// The lines of a block; `None` if its type is not known or its text is not JSON.
pub(super) fn lines(kind: &str, text: &str) -> Option<Lines> {
    let file = SourceFile::new("block.json", text.to_owned());
    let value = svc_data::parse_json(&file, &svc_data::Limits::default())
        .value
        .to_json();
    if !value.is_object() {
        return None;
    }
    let field = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
    let mut out = Lines::new();
    match kind {
        "callout" => {
            let component = component(field("type"));
            let title = plain_title(field("title"));
            let title = match title.is_empty() {
                true => String::new(),
                false => format!(" title={}", attribute(&title)),
            };
            out.push((format!("<{component}{title}>"), true));
            markdown(field("body"), &mut out);
            out.push((format!("</{component}>"), true));
        }
        "code" => {
            let codes = value.get("codes").and_then(Value::as_array)?;
            let is_group = codes.len() > 1;
            if is_group {
                out.push(("<CodeGroup>".to_owned(), true));
            }
            for code in codes {
                let text = |key: &str| code.get(key).and_then(Value::as_str);
                let language = text("language")
                    .unwrap_or("text")
                    .split('|')
                    .next()
                    .unwrap_or_default();
                let name = text("name").unwrap_or(if is_group { language } else { "" });
                let title = match name {
                    "" => String::new(),
                    name => format!(" title={}", attribute(&name.replace('"', "'"))),
                };
                let block = code_fence(
                    &format!("{language}{title}"),
                    text("code").unwrap_or_default(),
                );
                markdown(&block, &mut out);
            }
            if is_group {
                out.push(("</CodeGroup>".to_owned(), true));
            }
        }
        "image" => {
            for image in value.get("images").and_then(Value::as_array)? {
                let source = match image.get("image") {
                    Some(Value::Array(parts)) => parts.first().and_then(Value::as_str),
                    other => other.and_then(Value::as_str),
                };
                let caption = image
                    .get("caption")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                if let Some(source) = source {
                    markdown(
                        &format!("![{}](<{source}>)", plain_title(caption)),
                        &mut out,
                    );
                    markdown(caption, &mut out);
                }
            }
        }
        "parameters" => table(&value, &mut out)?,
        "api-header" => markdown(&format!("## {}", field("title")), &mut out),
        "embed" => markdown(
            &format!("[{}](<{}>)", field("title"), field("url")),
            &mut out,
        ),
        "html" => markdown(field("html"), &mut out),
        "text" | "textarea" => markdown(field("text"), &mut out),
        _ => return None,
    }
    Some(out)
}

/// The component for a type of callout.
pub(super) fn component(kind: &str) -> &'static str {
    match kind {
        "success" | "okay" => "Check",
        "warning" | "warn" => "Warning",
        "danger" | "error" => "Danger",
        _ => "Info",
    }
}

fn markdown(text: &str, out: &mut Lines) {
    out.push((String::new(), false));
    out.extend(text.split('\n').map(|line| (line.to_owned(), false)));
    out.push((String::new(), false));
}

/// A table whose cells are in `data`: `h-0` is a heading, `1-0` is in the second row.
fn table(value: &Value, out: &mut Lines) -> Option<()> {
    let number = |key: &str| value.get(key).and_then(Value::as_u64);
    let columns = number("cols")?.min(64);
    let rows = number("rows")?.min(10_000);
    let data = value.get("data")?;
    let cell = |row: &str, column: u64| {
        let text = data
            .get(format!("{row}-{column}"))
            .and_then(Value::as_str)
            .unwrap_or_default();
        text.trim().replace('|', "\\|").replace('\n', "<br>")
    };
    let line = |row: &str| {
        let cells: Vec<String> = (0..columns).map(|column| cell(row, column)).collect();
        format!("| {} |", cells.join(" | "))
    };
    out.push((String::new(), false));
    out.push((line("h"), false));
    out.push((
        format!("|{}", " --- |".repeat(usize::try_from(columns).ok()?)),
        false,
    ));
    for row in 0..rows {
        out.push((line(&row.to_string()), false));
    }
    out.push((String::new(), false));
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(kind: &str, json: &str) -> String {
        let lines = lines(kind, json).unwrap().into_iter().map(|line| line.0);
        let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
        lines.join("\n")
    }

    #[test]
    fn blocks_become_markdown() {
        assert_eq!(
            text(
                "callout",
                r#"{"type": "warning", "title": "T", "body": "a\nb"}"#
            ),
            "<Warning title=\"T\">\na\nb\n</Warning>"
        );
        assert_eq!(
            text(
                "code",
                r#"{"codes": [{"code": "a", "language": "js"}, {"code": "b", "language": "curl", "name": "Shell"}]}"#
            ),
            "<CodeGroup>\n```js title=\"js\"\na\n```\n```curl title=\"Shell\"\nb\n```\n</CodeGroup>"
        );
        assert_eq!(
            text(
                "parameters",
                r#"{"data": {"h-0": "A", "h-1": "B", "0-0": "x|y", "0-1": "1\n2"}, "cols": 2, "rows": 1}"#
            ),
            "| A | B |\n| --- | --- |\n| x\\|y | 1<br>2 |"
        );
        assert_eq!(
            text(
                "image",
                r#"{"images": [{"image": ["https://a.b/c.png", "c.png"], "caption": "C"}]}"#
            ),
            "![C](<https://a.b/c.png>)\nC"
        );
        assert_eq!(text("api-header", r#"{"title": "T"}"#), "## T");
        assert_eq!(lines("unknown", "{}"), None);
        assert_eq!(lines("code", "not json"), None);
    }
}
