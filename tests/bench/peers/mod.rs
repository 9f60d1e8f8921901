//! The same Markdown as projects of several programs that are compared.
//!
//! A peer takes part if its program is on the `PATH`. Each has its usual layout, a sidebar with all
//! sections, highlighting and, if supported, its search index.

mod hugo;
mod mdbook;
mod mkdocs;
mod svc;
mod vitepress;
mod zola;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use svc_tests::random::Random;
use svc_tests::tools;

use crate::corpus;

/// Pages in one section.
const SECTION: usize = 50;

/// A program that generates a site from Markdown.
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    /// Name of the executable.
    program: &'static str,
    /// Writes the project with these sections to a directory.
    pub(crate) write: fn(&Path, &[Section]) -> io::Result<()>,
    /// Returns the arguments that build a project (first) to a directory (second).
    pub(crate) build: Option<fn(&Path, &Path) -> Vec<OsString>>,
    /// Returns the arguments that serve a live preview of a project on a port.
    pub(crate) preview: Option<fn(&Path, u16) -> Vec<OsString>>,
    /// Returns the file of a page relative to the project, and the path whose response contains its
    /// text.
    pub(crate) page: fn(&str) -> (String, String),
}

pub(crate) const PEERS: &[&Peer] = &[
    &svc::SVC,
    &hugo::HUGO,
    &zola::ZOLA,
    &mdbook::MDBOOK,
    &mkdocs::MKDOCS,
    &vitepress::VITEPRESS,
];

/// A directory of pages.
pub(crate) struct Section {
    pub(crate) dir: String,
    pub(crate) title: String,
    pub(crate) pages: Vec<Page>,
}

/// A page of plain Markdown.
pub(crate) struct Page {
    /// Path without extension, like `section-3/page-151`.
    pub(crate) path: String,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) body: String,
}

/// Returns `count` pages in sections; the result is deterministic.
pub(crate) fn sections(count: usize) -> Vec<Section> {
    let mut random = Random::new(26);
    (0..count)
        .step_by(SECTION)
        .enumerate()
        .map(|(number, first)| {
            let dir = format!("section-{number}");
            let pages = (first..(first + SECTION).min(count)).map(|page| Page {
                path: format!("{dir}/page-{page}"),
                title: format!("Page {page}"),
                description: corpus::random_text(&mut random, 8),
                body: corpus::plain(&mut random, page),
            });
            Section {
                pages: pages.collect(),
                title: format!("Section {number}"),
                dir,
            }
        })
        .collect()
}

/// Returns the path of a program of the same build; `None` if it was not built.
pub(crate) fn own_program(name: &str) -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    let file = own.parent()?.parent()?.join(name);
    file.is_file().then_some(file)
}

impl Peer {
    /// Returns the path of the program: next to this executable for `svc`, otherwise on the `PATH`.
    pub(crate) fn program(&self) -> Option<PathBuf> {
        match self.program {
            "svc" => own_program("svc"),
            name => tools::program(name),
        }
    }

    /// Returns the command with these arguments, without output.
    pub(crate) fn command(&self, arguments: Vec<OsString>) -> Option<Command> {
        let mut command = Command::new(self.program()?);
        command.args(arguments);
        command.stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Some(command)
    }
}

/// Writes a file and creates its parent directories.
fn file(root: &Path, path: &str, text: &str) -> io::Result<()> {
    let path = root.join(path);
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir)?;
    }
    fs::write(path, text)
}

fn arguments(values: &[&dyn AsRef<std::ffi::OsStr>]) -> Vec<OsString> {
    values
        .iter()
        .map(|value| value.as_ref().to_owned())
        .collect()
}

/// Returns YAML front matter; titles and descriptions need no quotes.
fn yaml(page: &Page) -> String {
    format!(
        "---\ntitle: \"{}\"\ndescription: \"{}\"\n---\n\n",
        page.title, page.description
    )
}

/// Writes the directory `content` in the layout of Hugo and Zola, with the order in the front
/// matter; `fence` and `equals` are those of YAML or TOML.
fn weighted(root: &Path, sections: &[Section], [fence, equals]: [&str; 2]) -> io::Result<()> {
    let head = |fields: &[(&str, String)]| {
        let lines: Vec<String> = fields
            .iter()
            .map(|(name, value)| format!("{name}{equals}{value}\n"))
            .collect();
        format!("{fence}\n{}{fence}\n", lines.concat())
    };
    let quoted = |text: &str| format!("\"{text}\"");
    for (at, section) in sections.iter().enumerate() {
        let mut fields = vec![
            ("title", quoted(&section.title)),
            ("weight", (at + 1).to_string()),
        ];
        if fence == "+++" {
            // Zola does not sort by default.
            fields.push(("sort_by", quoted("weight")));
        }
        let path = format!("content/{}/_index.md", section.dir);
        file(root, &path, &head(&fields))?;
        for (at, page) in section.pages.iter().enumerate() {
            let fields = [
                ("title", quoted(&page.title)),
                ("description", quoted(&page.description)),
                ("weight", (at + 1).to_string()),
            ];
            let text = format!("{}\n{}", head(&fields), page.body);
            file(root, &format!("content/{}.md", page.path), &text)?;
        }
    }
    Ok(())
}
