//! VitePress with its default theme and its local search.

use std::io;
use std::path::Path;

use serde_json::json;

use super::{Peer, Section, arguments, file, yaml};

pub(super) const VITEPRESS: Peer = Peer {
    name: "VitePress",
    program: "vitepress",
    write,
    build: Some(|project, out| arguments(&[&"build", &project, &"--outDir", &out])),
    preview: Some(|project, port| {
        let port = port.to_string();
        arguments(&[&"dev", &project, &"--port", &port, &"--host", &"127.0.0.1"])
    }),
    // The module with the text of the page: the HTML at the path of the page does not contain it.
    page: |path| (format!("{path}.md"), format!("/{path}.md?import")),
};

fn write(root: &Path, sections: &[Section]) -> io::Result<()> {
    let sidebar: Vec<_> = sections
        .iter()
        .map(|section| {
            let items: Vec<_> = section
                .pages
                .iter()
                .map(|page| json!({"text": page.title, "link": format!("/{}", page.path)}))
                .collect();
            json!({"text": section.title, "items": items})
        })
        .collect();
    let config = json!({"title": "Docs", "themeConfig": {"sidebar": sidebar, "search": {"provider": "local"}}});
    file(
        root,
        ".vitepress/config.mjs",
        &format!("export default {config}\n"),
    )?;
    file(root, "index.md", "# Docs\n")?;
    // The pages that it writes import its packages.
    #[cfg(unix)]
    if let Some(packages) = VITEPRESS.program().as_deref().and_then(packages) {
        std::os::unix::fs::symlink(packages, root.join("node_modules"))?;
    }
    for page in sections.iter().flat_map(|section| &section.pages) {
        let text = format!("{}# {}\n\n{}", yaml(page), page.title, page.body);
        file(root, &format!("{}.md", page.path), &text)?;
    }
    Ok(())
}

/// The folder `node_modules` with a program in its `.bin`.
fn packages(program: &Path) -> Option<&Path> {
    program.parent()?.parent()
}
