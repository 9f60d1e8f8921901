//! Material for MkDocs with highlighting by Pygments and its search index.

use std::io;
use std::path::Path;

use serde_json::json;

use super::{Peer, Section, arguments, file, yaml};

pub(super) const MKDOCS: Peer = Peer {
    name: "Material for MkDocs",
    program: "mkdocs",
    write,
    build: Some(|project, out| {
        let config = project.join("mkdocs.yml");
        arguments(&[
            &"build",
            &"--quiet",
            &"--config-file",
            &config,
            &"--site-dir",
            &out,
        ])
    }),
    // Its preview builds the whole site again after each change.
    preview: None,
    page: |path| (format!("docs/{path}.md"), format!("/{path}/")),
};

fn write(root: &Path, sections: &[Section]) -> io::Result<()> {
    let pages = sections.iter().map(|section| {
        let pages: Vec<_> = section
            .pages
            .iter()
            .map(|page| json!({ &page.title: format!("{}.md", page.path) }))
            .collect();
        json!({ &section.title: pages })
    });
    let nav: Vec<_> = std::iter::once(json!({"Docs": "index.md"}))
        .chain(pages)
        .collect();
    let config = json!({
        "site_name": "Docs",
        "theme": {"name": "material"},
        "plugins": ["search"],
        "markdown_extensions": ["pymdownx.highlight", "pymdownx.superfences", "tables", "toc"],
        "nav": nav,
    });
    // JSON is YAML.
    file(root, "mkdocs.yml", &config.to_string())?;
    file(root, "docs/index.md", "# Docs\n")?;
    for page in sections.iter().flat_map(|section| &section.pages) {
        let text = format!("{}# {}\n\n{}", yaml(page), page.title, page.body);
        file(root, &format!("docs/{}.md", page.path), &text)?;
    }
    Ok(())
}
