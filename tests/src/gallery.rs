//! Pages of the gallery: every component, from the manual pages of the components.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use serde_json::{Value, json};

/// Returns the files of a site in one theme: the same pages for every theme, another `docs.json`.
///
/// # Errors
/// Fails if the sample OpenAPI document cannot be read.
pub fn files(theme: &str) -> io::Result<Vec<(String, String)>> {
    let (mut files, mut pages) = (Vec::new(), Vec::new());
    for component in svc_render::components::ALL {
        let path = format!("components/{}", component.name.replace('_', "-"));
        files.push((format!("{path}.mdx"), page(component.docs)));
        pages.push(path);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let api = root.join("../docs/reference/petshop.yaml");
    let rest = [
        ("docs.json", format!("{:#}\n", config(theme, &pages))),
        ("index.mdx", PROSE.to_owned()),
        // Shown by the example of the component `snippet`.
        ("snippets/greeting.mdx", "Good morning.\n".to_owned()),
        ("petshop.yaml", std::fs::read_to_string(api)?),
    ];
    files.extend(rest.map(|(path, text)| (path.to_owned(), text)));
    Ok(files)
}

fn config(theme: &str, components: &[String]) -> Value {
    json!({
        "theme": theme,
        "name": "Gallery",
        "description": format!("Every component in the theme {theme}."),
        "colors": { "primary": "#0f766e", "light": "#2dd4bf" },
        "navbar": {
            "links": [{ "label": "All themes", "href": "https://example.com/themes", "icon": "palette" }],
            "primary": { "type": "button", "label": "Get started", "href": "https://example.com/start" }
        },
        "navigation": { "tabs": [
            { "tab": "Components", "icon": "component", "groups": [
                { "group": "Text", "pages": ["index"] },
                { "group": "Components", "pages": components },
            ] },
            { "tab": "API", "icon": "braces", "groups": [
                { "group": "Petshop", "openapi": "/petshop.yaml" },
            ] },
        ] },
        "icons": { "library": "lucide" },
    })
}

/// Returns a manual page as a page of a site, with every example followed by its rendering.
fn page(manual: &str) -> String {
    let mut out = String::new();
    // Lines of the open example.
    let mut example: Option<String> = None;
    for line in manual.trim().lines() {
        if let Some(title) = line.strip_prefix("# ").filter(|_| out.is_empty()) {
            let _ = write!(out, "---\ntitle: {title:?}\n---\n");
            continue;
        }
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{line}");
        if line == "````mdx" {
            example = Some(String::new());
        } else if line == "````" {
            if let Some(live) = example.take() {
                let _ = write!(out, "\n{live}\n");
            }
        } else if let Some(open) = &mut example {
            open.push_str(line);
            open.push('\n');
        }
    }
    out
}

/// Running text with all elements of prose.
const PROSE: &str = r#"---
title: Running text
description: Everything that a page without components is made of.
icon: file-text
---

A paragraph with **strong**, *emphasised* and ~~deleted~~ words, `code`, a [link](/components/card) and a footnote.[^1]

## Lists

- First entry
- Second entry
  1. A numbered entry inside
  2. Another one
- [x] Done
- [ ] Not done

## Quotation and rule

> A text from somewhere else, long enough that it takes more than one line in a column of usual width, with `code`.

---

## Code

```rust main.rs
/// Greets whoever is there.
fn main() {
    println!("Good morning");
}
```

## Table

| Plan | Pages | Price |
| --- | ---: | :---: |
| Small | 100 | free |
| Large | 10000 | on request |

### A heading of the third level

<Note>Notes, tips and warnings interrupt the text.</Note>

<Columns cols={2}>
  <Card title="Cards" icon="layout-grid" href="/components/card">Lead to other pages.</Card>
  <Card title="Code" icon="code" href="/components/code-block">With colours for both modes.</Card>
</Columns>

#### A heading of the fourth level

The end.

[^1]: The footnote.
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_shown_as_source_and_rendered() {
        let manual = "# Card\n\nA box.\n\n````mdx\n<Card />\n````\n\n| A |\n";
        assert_eq!(
            page(manual),
            "---\ntitle: \"Card\"\n---\n\nA box.\n\n````mdx\n<Card />\n````\n\n<Card />\n\n\n| A |\n"
        );
    }

    #[test]
    fn every_component_has_an_example() {
        for component in svc_render::components::ALL {
            let manual = component.docs;
            assert!(
                page(manual).len() > manual.len() + 20,
                "{} has no example",
                component.name
            );
        }
    }
}
