//! The manual of Python. Most entries of its index are names of functions, classes and methods.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use crate::dom::{Child, Element};
use crate::html;
use crate::set::{Group, Set, corpus};
use crate::slices::{Entry, Half, queries};

/// Pages that list others.
const LISTS: &[&str] = &["contents.html", "py-modindex.html", "search.html"];
/// What an entry has in addition to names. The order matters.
const DESCRIPTIONS: &[&str] = &[
    "()",
    " (built-in function)",
    "(",
    ")",
    "in module ",
    " method",
    " attribute",
];

pub(crate) fn group(half: Half) -> io::Result<Option<Group>> {
    let Some(dir) = corpus("python") else {
        return Ok(None);
    };
    let is_skipped =
        |path: &str| path.starts_with("genindex") || path.starts_with('_') || LISTS.contains(&path);
    let pages = html::documents(&dir, Some("body"), &is_skipped)?;
    let queries = queries(entries(&dir)?, &pages, half);
    Ok(Some(Group {
        name: "python",
        sets: vec![Set::new("python", "en", pages, queries)],
    }))
}

/// Pages by the text of an entry.
type Entries = BTreeMap<String, BTreeSet<String>>;

fn entries(dir: &Path) -> io::Result<Vec<Entry>> {
    let mut entries = Entries::new();
    for file in html::files(dir, "html")? {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        // `genindex-all.html` repeats the pages of the letters, and adds nothing.
        if name.starts_with("genindex-") {
            let page = Element::parse(&fs::read_to_string(&file)?);
            for table in page.select(&|element| element.has_class("genindextable")) {
                for cell in table.select(&|element| element.name() == "td") {
                    add_lists(&cell, "", &mut entries);
                }
            }
        }
    }
    let entries = entries.into_iter();
    Ok(entries.map(|(text, paths)| Entry { text, paths }).collect())
}

fn add_lists(element: &Element, outer: &str, entries: &mut Entries) {
    for list in element.children_named("ul") {
        for item in list.children_named("li") {
            add_item(&item, outer, entries);
        }
    }
}

/// Adds an item such as `abs()` or, below `close()`, `(socket.socket method)`.
fn add_item(item: &Element, outer: &str, entries: &mut Entries) {
    let mut name = String::new();
    let mut paths = BTreeSet::new();
    for child in item.children() {
        match child {
            Child::Text(text) if name.is_empty() => text.trim().clone_into(&mut name),
            Child::Element(link) if link.name() == "a" => {
                let text = link.text();
                // Further links of an item are `[1]`, `[2]` and so on.
                if !text.starts_with('[') {
                    name = text;
                }
                let target = link.attribute("href").unwrap_or_default();
                paths.extend(target.split('#').next().map(str::to_owned));
            }
            _ => {}
        }
    }
    add_lists(item, if name.is_empty() { outer } else { &name }, entries);
    if !paths.is_empty() {
        let text = query_text(&name, outer);
        entries.entry(text).or_default().extend(paths);
    }
}

/// Returns what a reader types who looks for an entry. Inner entries continue the name of the outer
/// one, whose own description is not part of it: `link() (CCompiler method)` has `(in module os)`.
fn query_text(name: &str, outer: &str) -> String {
    let outer = outer.split(" (").next().unwrap_or(outer);
    let mut text = format!("{outer} {name}");
    for description in DESCRIPTIONS {
        text = text.replace(description, "");
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
