//! Zola with custom templates that have the sidebar of the section.

use std::io;
use std::path::Path;

use super::{Peer, Section, arguments, file, weighted};

pub(super) const ZOLA: Peer = Peer {
    name: "Zola",
    program: "zola",
    write,
    build: Some(|project, out| {
        arguments(&[
            &"--root",
            &project,
            &"build",
            &"--output-dir",
            &out,
            &"--force",
        ])
    }),
    // Its preview rebuilds the entire site in memory; Hugo's is the fastest of this kind.
    preview: None,
    page: |path| (format!("content/{path}.md"), format!("/{path}/")),
};

const CONFIG: &str = r#"base_url = "http://127.0.0.1:8000"
title = "Docs"
build_search_index = true
[markdown.highlighting]
theme = "github-light"
style = "class"
"#;

const PAGE: &str = r#"<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{ page.title }}</title>
<meta name="description" content="{{ page.description }}"></head><body>
{% set root = get_section(path="_index.md") %}{% set above = page.ancestors | last %}
<nav><ul>{% for name in root.subsections %}{% set section = get_section(path=name, metadata_only=name != above) %}
<li><a href="{{ section.permalink | safe }}">{{ section.title }}</a>{% if name == above %}<ul>
{% for item in section.pages %}<li><a href="{{ item.permalink | safe }}">{{ item.title }}</a></li>{% endfor %}
</ul>{% endif %}</li>{% endfor %}</ul></nav>
<main><h1>{{ page.title }}</h1>{{ page.content | safe }}
{% if page.lower %}<a href="{{ page.lower.permalink | safe }}">{{ page.lower.title }}</a>{% endif %}
{% if page.higher %}<a href="{{ page.higher.permalink | safe }}">{{ page.higher.title }}</a>{% endif %}
</main><aside><ul>{% for entry in page.toc %}<li><a href="{{ entry.permalink | safe }}">{{ entry.title }}</a></li>{% endfor %}</ul></aside>
</body></html>
"#;

const SECTION: &str = r"<!doctype html>
<html><head><title>{{ section.title }}</title></head><body><h1>{{ section.title }}</h1></body></html>
";

fn write(root: &Path, sections: &[Section]) -> io::Result<()> {
    file(root, "config.toml", CONFIG)?;
    file(root, "templates/page.html", PAGE)?;
    file(root, "templates/section.html", SECTION)?;
    file(root, "templates/index.html", SECTION)?;
    let home = "+++\ntitle = \"Docs\"\nsort_by = \"weight\"\n+++\n";
    file(root, "content/_index.md", home)?;
    weighted(root, sections, ["+++", " = "])
}
