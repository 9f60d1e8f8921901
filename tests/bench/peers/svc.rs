//! The program of this project.

use std::io;
use std::path::Path;

use serde_json::json;

use super::{Peer, Section, arguments, file, yaml};

pub(super) const SVC: Peer = Peer {
    name: "svc",
    program: "svc",
    write,
    build: Some(|project, out| arguments(&[&"build", &project, &"--out", &out])),
    preview: Some(|project, port| {
        arguments(&[&"dev", &project, &"--no-open", &"--port", &port.to_string()])
    }),
    page: |path| (format!("{path}.mdx"), format!("/{path}")),
};

fn write(root: &Path, sections: &[Section]) -> io::Result<()> {
    let groups: Vec<_> = sections
        .iter()
        .map(|section| {
            let pages: Vec<_> = section.pages.iter().map(|page| &page.path).collect();
            json!({"group": section.title, "pages": pages})
        })
        .collect();
    let config = json!({
        "theme": "svc", "name": "Docs", "colors": {"primary": "#0f766e"},
        "navigation": {"groups": groups}
    });
    file(root, "docs.json", &config.to_string())?;
    for page in sections.iter().flat_map(|section| &section.pages) {
        let text = yaml(page) + &page.body;
        file(root, &format!("{}.mdx", page.path), &text)?;
    }
    Ok(())
}
