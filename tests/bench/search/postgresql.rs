//! The manual of PostgreSQL. Its index was written by people who know what readers look for.

use std::fs;
use std::io;

use crate::dom::{Child, Element};
use crate::html;
use crate::set::{Group, Set, corpus, page_paths};
use crate::slices::{Entry, Half, queries};

/// The index. It is not searched, because it contains every query.
const INDEX_PAGE: &str = "bookindex.html";

pub(crate) fn group(half: Half) -> io::Result<Option<Group>> {
    let Some(dir) = corpus("postgresql") else {
        return Ok(None);
    };
    let pages = html::documents(&dir, None, &|path| path == INDEX_PAGE)?;
    let entries = entries(&fs::read_to_string(dir.join(INDEX_PAGE))?);
    let queries = queries(entries, &pages, half);
    Ok(Some(Group {
        name: "postgresql",
        sets: vec![Set::new("postgresql", "en", pages, queries)],
    }))
}

fn entries(html: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let page = Element::parse(html);
    for letter in page.select(&|element| element.has_class("indexdiv")) {
        for list in letter.children_named("dl") {
            add_list(&list, "", &mut entries);
        }
    }
    entries
}

/// Adds the entries of a list; those of an inner list begin with the text of the entry above.
fn add_list(list: &Element, outer: &str, entries: &mut Vec<Entry>) {
    let mut text = String::new();
    for child in list.children() {
        let Child::Element(child) = child else {
            continue;
        };
        match child.name() {
            "dt" => {
                text = format!("{outer} {}", own_text(&child)).trim().to_owned();
                let links = child.select(&|element| element.has_class("indexterm"));
                let targets: Vec<String> = links
                    .iter()
                    .filter_map(|link| link.attribute("href"))
                    .collect();
                if !targets.is_empty() {
                    let paths = page_paths(targets.iter().map(String::as_str));
                    let text = text.clone();
                    entries.push(Entry { text, paths });
                }
            }
            "dd" => {
                for inner in child.children_named("dl") {
                    add_list(&inner, &text, entries);
                }
            }
            _ => {}
        }
    }
}

/// Returns the text of an entry before its links.
fn own_text(entry: &Element) -> String {
    let mut text = String::new();
    for child in entry.children() {
        match child {
            Child::Element(link) if link.name() == "a" => break,
            Child::Element(element) => text.push_str(&element.text()),
            Child::Text(part) => text.push_str(&part),
        }
    }
    let text = text.trim().trim_end_matches(',');
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
