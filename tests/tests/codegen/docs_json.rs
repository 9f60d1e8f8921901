//! The reference of `docs.json` and its schema, from the tables of `svc-config`.

use std::fmt::Write as _;

use svc_config::{OptionDoc, OptionGroup};

use super::{GENERATED, plain};

/// Returns the schema as a file.
pub(super) fn schema() -> String {
    format!("{:#}\n", svc_config::schema())
}

/// Returns the page with all keys.
pub(super) fn page() -> String {
    let mut out = String::from(
        "---\ntitle: docs.json\ndescription: Every key of docs.json with its type, default and rules.\nicon: file-braces\n---\n\n",
    );
    out.push_str(GENERATED);
    out.push_str(
        "\nFour keys are required: `theme`, `name`, `colors` with `primary`, and `navigation`. \
         `[]` in a name stands for the entries of an array, `*` for names of your own. Unknown keys \
         are warnings, and any value may be `{\"$ref\": \"./part.json\"}`, read from that file. \
         An editor completes and explains the same keys once the file names its schema: see \
         [Completion in editors](/guides/configuration#completion-in-editors).\n",
    );
    let sections = svc_config::option_docs();
    for section in sections.iter().filter(|section| section.top) {
        top(&mut out, section);
    }
    out.push_str(
        "\n## Parts\n\nWhat several keys hold. An element of the navigation holds one kind of \
         elements, in the list of that name, or pages, or a link.\n",
    );
    for section in sections.iter().filter(|section| !section.top) {
        // Writing to a String cannot fail.
        let _ = write!(
            out,
            "\n### {}\n\n{}\n",
            section.title,
            plain(&section.description)
        );
        fields(&mut out, &section.keys);
    }
    out
}

fn top(out: &mut String, section: &OptionGroup) {
    let _ = write!(out, "\n## {}\n", section.title.replace('$', "\\$"));
    let Some((key, rest)) = section.keys.split_first() else {
        return;
    };
    field(out, key, &[]);
    if let Some(example) = example(section) {
        let _ = write!(out, "\n```json docs.json\n{example}\n```\n");
    }
    fields(out, rest);
}

/// Writes keys, with all keys below one of them in its field, where a reader expands them.
fn fields(out: &mut String, mut keys: &[OptionDoc]) {
    while let Some((key, rest)) = keys.split_first() {
        let is_below = |other: &&OptionDoc| {
            let below = other.path.strip_prefix(&key.path);
            below.is_some_and(|below| below.starts_with(['.', '[']))
        };
        let count = rest.iter().take_while(is_below).count();
        let (below, after) = rest.split_at(count);
        field(out, key, below);
        keys = after;
    }
}

/// Returns the example as members of the file, short ones on one line; `None` if there is none.
fn example(section: &OptionGroup) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(&section.example).ok()?;
    let line = format!("\"{}\": {}", section.title, section.example);
    if line.len() <= 72 {
        return Some(line);
    }
    Some(format!("\"{}\": {value:#}", section.title))
}

fn field(out: &mut String, key: &OptionDoc, below: &[OptionDoc]) {
    let _ = write!(
        out,
        "\n<ResponseField name=\"{}\" type=\"{}\"",
        key.path, key.kind
    );
    if key.required {
        out.push_str(" required");
    }
    if !key.deprecated.is_empty() {
        out.push_str(" deprecated");
    }
    let default = serde_json::from_str::<serde_json::Value>(&key.default).ok();
    match &default {
        Some(serde_json::Value::String(value)) => {
            let _ = write!(out, " default=\"{value}\"");
        }
        Some(value) => {
            let _ = write!(out, " default=\"{value}\"");
        }
        None => {}
    }
    let _ = writeln!(out, " post={{[\"since {}\"]}}>", key.since);
    let mut lines = Vec::new();
    if !key.description.is_empty() {
        lines.push(plain(&key.description));
    }
    if !key.values.is_empty() {
        let values: Vec<String> = key
            .values
            .iter()
            .map(|value| format!("`{value}`"))
            .collect();
        lines.push(format!("One of {}.", values.join(", ")));
    }
    if default.is_none() && !key.default.is_empty() {
        lines.push(format!("Default: {}.", plain(&key.default)));
    }
    if !key.rule.is_empty() {
        lines.push(plain(&key.rule));
    }
    if !key.deprecated.is_empty() {
        lines.push(plain(&key.deprecated));
    }
    if let Some(see) = &key.see {
        let id = see.to_lowercase().replace(' ', "-");
        lines.push(format!("See [{see}](#{id})."));
    }
    let _ = writeln!(out, "{}", lines.join(" "));
    if !below.is_empty() {
        let (count, noun) = (below.len(), if below.len() == 1 { "key" } else { "keys" });
        let _ = writeln!(out, "\n<Expandable title=\"{count} {noun}\">");
        for key in below {
            field(out, key, &[]);
        }
        out.push_str("\n</Expandable>\n");
    }
    out.push_str("</ResponseField>\n");
}
