//! mdBook with its default theme.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use super::{Peer, Section, arguments, file};

pub(super) const MDBOOK: Peer = Peer {
    name: "mdBook",
    program: "mdbook",
    write,
    build: Some(|project, out| arguments(&[&"build", &project, &"-d", &out])),
    // Its preview rebuilds the entire book after each save.
    preview: None,
    page: |path| (format!("src/{path}.md"), format!("/{path}.html")),
};

fn write(root: &Path, sections: &[Section]) -> io::Result<()> {
    file(
        root,
        "book.toml",
        "[book]\ntitle = \"Docs\"\n\n[output.html.search]\nenable = true\n",
    )?;
    file(root, "src/index.md", "# Docs\n\nThe first page.\n")?;
    let mut summary = "# Summary\n\n[Docs](index.md)\n\n".to_owned();
    for section in sections {
        let head = format!("# {}\n", section.title);
        file(root, &format!("src/{}/index.md", section.dir), &head)?;
        // Writing to a String cannot fail.
        let _ = writeln!(summary, "- [{}]({}/index.md)", section.title, section.dir);
        for page in &section.pages {
            let _ = writeln!(summary, "  - [{}]({}.md)", page.title, page.path);
            let text = format!("# {}\n\n{}", page.title, page.body);
            file(root, &format!("src/{}.md", page.path), &text)?;
        }
    }
    file(root, "src/SUMMARY.md", &summary)
}
