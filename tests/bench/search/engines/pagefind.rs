//! Pagefind with its default settings, from npm.
//!
//! Its program indexes pages written as HTML; its own JavaScript API is queried in Node. Times of
//! queries include loading the parts of the index that they need, but not the texts of results.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use svc_search::Document;
use tempfile::TempDir;

use super::{Response, SearchIndex};
use crate::figures::MAX_RESULTS;
use crate::set::Set;

const PACKAGE: &str = "pagefind@1.6.0";
const SCRIPT: &str = include_str!("pagefind.mjs");

/// The installed program.
pub(super) struct Pagefind {
    dir: TempDir,
}

/// Pages as HTML.
pub(super) struct PagefindSite<'a> {
    program: PathBuf,
    script: PathBuf,
    language: &'a str,
    dir: TempDir,
}

pub(super) struct PagefindIndex<'a> {
    site: &'a PagefindSite<'a>,
    dir: PathBuf,
}

impl Pagefind {
    /// Installs the program; `None`, with a note on standard error, without npm, its registry or
    /// Node.
    pub(super) fn install() -> io::Result<Option<Self>> {
        let dir = tempfile::tempdir()?;
        fs::write(dir.path().join("package.json"), "{}")?;
        fs::write(dir.path().join("pagefind.mjs"), SCRIPT)?;
        let mut npm = Command::new("npm");
        npm.args([
            "install",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            PACKAGE,
        ]);
        npm.current_dir(dir.path());
        npm.stdout(Stdio::null()).stderr(Stdio::null());
        let is_installed = npm.status().is_ok_and(|status| status.success());
        let mut node = Command::new("node");
        node.arg("--version").stdout(Stdio::null());
        if is_installed && node.status().is_ok_and(|status| status.success()) {
            return Ok(Some(Self { dir }));
        }
        eprintln!("Pagefind: skipped, because npm cannot install it or there is no Node");
        Ok(None)
    }

    /// Writes the pages of a set.
    pub(super) fn write<'a>(&self, set: &'a Set) -> io::Result<PagefindSite<'a>> {
        let dir = tempfile::tempdir()?;
        for (number, page) in set.pages.iter().enumerate() {
            let html = html(page, &set.language);
            fs::write(dir.path().join(format!("{number}.html")), html)?;
        }
        Ok(PagefindSite {
            program: self.dir.path().join("node_modules/.bin/pagefind"),
            script: self.dir.path().join("pagefind.mjs"),
            language: &set.language,
            dir,
        })
    }
}

impl PagefindSite<'_> {
    pub(super) fn index(&self) -> io::Result<PagefindIndex<'_>> {
        let dir = self.dir.path().join("pagefind");
        let mut program = Command::new(&self.program);
        program.arg("--silent").arg("--site").arg(self.dir.path());
        program.arg("--output-path").arg(&dir).stdout(Stdio::null());
        let status = program.status()?;
        if !status.success() {
            return Err(io::Error::other(format!("pagefind: {status}")));
        }
        Ok(PagefindIndex { site: self, dir })
    }
}

impl SearchIndex for PagefindIndex<'_> {
    fn search(&self, queries: &[&str]) -> io::Result<Vec<Response>> {
        let mut node = Command::new("node");
        node.arg("--no-warnings")
            .arg(&self.site.script)
            .arg(&self.dir);
        node.arg(self.site.language).arg(MAX_RESULTS.to_string());
        let mut child = node.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        if let Some(mut input) = child.stdin.take() {
            // The script reads everything before it writes.
            input.write_all(&serde_json::to_vec(queries)?)?;
        }
        let output = child.wait_with_output()?;
        let responses: Vec<(Vec<String>, f64)> = serde_json::from_slice(&output.stdout)?;
        if responses.len() != queries.len() {
            return Err(io::Error::other("pagefind: a response is missing"));
        }
        let responses = responses.iter().map(|(urls, milliseconds)| Response {
            pages: urls.iter().filter_map(|url| page_number(url)).collect(),
            time: Duration::from_secs_f64(milliseconds / 1e3),
        });
        Ok(responses.collect())
    }

    fn bytes(&self) -> u64 {
        bytes(&self.dir).unwrap_or(0)
    }
}

/// Returns the number in a URL like `/12.html`.
fn page_number(url: &str) -> Option<usize> {
    url.strip_prefix('/')?.strip_suffix(".html")?.parse().ok()
}

fn bytes(dir: &Path) -> io::Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        sum += if path.is_dir() {
            bytes(&path)?
        } else {
            fs::metadata(&path)?.len()
        };
    }
    Ok(sum)
}

fn html(page: &Document, language: &str) -> String {
    let title = escape(&page.title);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{language}\"><head><meta charset=\"utf-8\"><title>{title}</title></head><body>\n<h1>{title}</h1>\n"
    );
    paragraph(&page.keywords.join(", "), &mut out);
    for section in page.sections.iter() {
        if let Some(heading) = section.headings.last() {
            let (level, id) = ((section.headings.len() + 1).min(6), escape(&section.id));
            // Writing to a String cannot fail.
            let _ = writeln!(out, "<h{level} id=\"{id}\">{}</h{level}>", escape(heading));
        }
        paragraph(&section.identifiers.join(" "), &mut out);
        for text in section.text.split('\n') {
            paragraph(text, &mut out);
        }
        if !section.code.is_empty() {
            let _ = writeln!(out, "<pre>{}</pre>", escape(&section.code));
        }
    }
    out.push_str("</body></html>\n");
    out
}

fn paragraph(text: &str, out: &mut String) {
    if !text.trim().is_empty() {
        let _ = writeln!(out, "<p>{}</p>", escape(text));
    }
}

fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
