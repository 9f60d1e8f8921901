//! `cargo xtask gallery`: every component in every theme, from the manual pages of the rooms.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use svc_config::Theme;
use svc_site::{ExportOptions, LoadOptions};

use crate::sh;

/// How the command is called.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    out: Option<PathBuf>,
    serve: Option<String>,
}

/// Writes one site per theme and a page that links them; with `--serve` shows one theme.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let options = options(arguments)?;
    let work = sh::root().join("target/gallery");
    let sources = work.join("source");
    let out = options.out.unwrap_or_else(|| work.join("site"));
    for theme in Theme::ALL {
        let name = theme.name();
        let source = sources.join(name);
        write_source(&source, name)?;
        let load = LoadOptions {
            base_path: format!("/{name}"),
            ..LoadOptions::default()
        };
        let told = |error: std::io::Error| format!("{name}: {error}");
        let site = svc_site::load(&source, &load).map_err(told)?.value;
        let folder = out.join(name);
        let report = svc_site::export(&site, &folder, &ExportOptions::default()).map_err(told)?;
        if report.broken > 0 {
            return Err(format!("{name}: {} pages cannot be drawn", report.broken));
        }
        eprintln!("{name}: {} pages, {} files", report.pages, report.files);
    }
    write(&out.join("index.html"), &index())?;
    let theme = options.serve.as_deref();
    let shown = sources.join(theme.unwrap_or(Theme::Svc.name()));
    let shown = shown.to_string_lossy();
    let command = ["run", "-p", "svc-cli", "--", "serve", &*shown];
    if theme.is_some() {
        return sh::run("cargo", &command);
    }
    println!(
        "The gallery is {}, for any web server that gives a folder its `index.html`.",
        out.join("index.html").display()
    );
    println!("One theme alone: cargo {}", command.join(" "));
    Ok(())
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options::default();
    let mut arguments = arguments.iter().peekable();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--out" => {
                let folder = arguments.next().ok_or("`--out` needs a folder")?;
                options.out = Some(folder.into());
            }
            "--serve" => {
                let name = arguments.next_if(|next| !next.starts_with("--"));
                let name = name.map_or(Theme::Svc.name(), String::as_str);
                if Theme::from_name(name).is_none() {
                    return Err(format!("there is no theme `{name}`"));
                }
                options.serve = Some(name.to_owned());
            }
            other => {
                return Err(format!(
                    "`{other}` is not known; use `--out FOLDER` and `--serve [THEME]`"
                ));
            }
        }
    }
    Ok(options)
}

/// The folder of one theme: the same pages everywhere, another `docs.json`.
fn write_source(folder: &Path, theme: &str) -> Result<(), String> {
    let mut pages = Vec::new();
    for component in svc_render::components::ALL {
        let path = format!("components/{}", component.name.replace('_', "-"));
        write(&folder.join(format!("{path}.mdx")), &page(component.docs))?;
        pages.push(path);
    }
    let config = format!("{:#}\n", config(theme, &pages));
    write(&folder.join("docs.json"), &config)?;
    write(&folder.join("index.mdx"), PROSE)?;
    // What the example of the room `snippet` shows.
    write(&folder.join("snippets/greeting.mdx"), "Good morning.\n")?;
    let api = sh::root().join("docs/reference/petshop.yaml");
    fs::copy(&api, folder.join("petshop.yaml"))
        .map_err(|error| format!("{}: {error}", api.display()))?;
    Ok(())
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

/// A manual page as a page of a site, every example followed by what it shows.
fn page(manual: &str) -> String {
    let mut out = String::new();
    // The lines of the example that is open.
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

/// The page that leads to all themes.
fn index() -> String {
    let mut out = String::from(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Gallery</title>\n<style>body{max-width:40rem;margin:4rem auto;padding:0 1rem;font:1.125rem/2 system-ui,sans-serif;color-scheme:light dark}</style>\n<h1>Gallery</h1>\n<ul>\n",
    );
    for theme in Theme::ALL {
        let name = theme.name();
        let _ = writeln!(out, "<li><a href=\"/{name}/\">{name}</a></li>");
    }
    out.push_str("</ul>\n</html>\n");
    out
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    let told = |error: std::io::Error| format!("{}: {error}", file.display());
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(told)?;
    }
    fs::write(file, text).map_err(told)
}

/// Running text with everything that prose has.
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
    fn an_example_stands_as_source_and_live() {
        let manual = "# Card\n\nA box.\n\n````mdx\n<Card />\n````\n\n| A |\n";
        assert_eq!(
            page(manual),
            "---\ntitle: \"Card\"\n---\n\nA box.\n\n````mdx\n<Card />\n````\n\n<Card />\n\n\n| A |\n"
        );
    }

    #[test]
    fn every_room_shows_an_example() {
        for component in svc_render::components::ALL {
            let manual = component.docs;
            assert!(
                page(manual).len() > manual.len() + 20,
                "{} has no example",
                component.name
            );
        }
    }

    #[test]
    fn wrong_arguments_are_named() {
        let words = |words: &[&str]| {
            words
                .iter()
                .map(|word| (*word).to_owned())
                .collect::<Vec<_>>()
        };
        assert!(options(&words(&["--serve", "oak"])).is_err_and(|why| why.contains("`oak`")));
        assert!(options(&words(&["--port"])).is_err_and(|why| why.contains("`--port`")));
        let found = options(&words(&["--serve", "--out", "x"]));
        assert_eq!(found.map(|found| found.serve), Ok(Some("svc".to_owned())));
    }
}
