//! Files that texts refer to.

use std::collections::HashSet;

use svc_data::percent::decode_lossy;
use svc_source::SourceTree;

use crate::file_types::{can_be_served, extension, has_known_extension};

/// Files that the visible part of a site refers to.
#[derive(Debug, Default)]
pub(crate) struct References(HashSet<String>);

impl References {
    /// Whether a text refers to a file.
    pub(crate) fn contains(&self, path: &str) -> bool {
        self.0.contains(path)
    }

    /// Adds the files that a text refers to: in quotes, in the parentheses of a link or of `url()`,
    /// or after the colon of front matter or of a link definition.
    pub(crate) fn read(&mut self, tree: &SourceTree, path: &str, text: &str) {
        let markdown = matches!(extension(path), "md" | "mdx");
        let mut fence: Option<(char, usize)> = None;
        for line in text.lines() {
            let run = run_of_fence(line.trim_start());
            match (fence, run) {
                (None, Some(open)) if markdown => fence = Some(open),
                (Some((mark, length)), Some((this, run))) if this == mark && run >= length => {
                    fence = None;
                }
                (None, _) => {
                    for destination in link_candidates(line, markdown) {
                        self.0.extend(resolve(tree, path, destination));
                    }
                }
                _ => {}
            }
        }
    }
}

/// The fence character and the length of a code fence (CommonMark, section 4.5).
fn run_of_fence(line: &str) -> Option<(char, usize)> {
    let mark = line
        .chars()
        .next()
        .filter(|mark| matches!(mark, '`' | '~'))?;
    let run = line.chars().take_while(|this| *this == mark).count();
    (run >= 3).then_some((mark, run))
}

/// The substrings of a line that may be the path of a file. Code spans of Markdown are excluded,
/// but a template literal in an expression may be one.
fn link_candidates(line: &str, markdown: bool) -> Vec<&str> {
    let mut candidates = Vec::new();
    let mut before = "";
    for (at, part) in line.split('`').enumerate() {
        let code = markdown && at % 2 == 1 && !before.ends_with('{');
        if at % 2 == 1 && !code {
            candidates.push(strip_query(part));
        }
        if !code {
            candidates.extend(quoted(part));
        }
        before = part;
    }
    if markdown && let Some((_, rest)) = line.split_once(": ") {
        candidates.push(strip_query(rest.trim()));
    }
    candidates
}

fn strip_query(url: &str) -> &str {
    url.split(['#', '?']).next().unwrap_or(url)
}

/// Substrings in quotes and brackets.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    let opens = ['"', '\'', '(', '<'];
    let ends = ['"', '\'', ')', '>', '\\'];
    text.match_indices(opens).filter_map(move |(at, opening)| {
        let rest = text.get(at + opening.len()..)?;
        let end = rest.find(ends).unwrap_or(rest.len());
        let inside = strip_query(rest.get(..end)?);
        // The title of a link follows after a space.
        match opening {
            "(" => inside.split_whitespace().next(),
            _ => Some(inside),
        }
    })
}

/// The file of the repository that `destination` refers to, relative to the root or to the
/// directory of the file `from`.
fn resolve(tree: &SourceTree, from: &str, destination: &str) -> Option<String> {
    if destination.len() > 1024 || !has_known_extension(destination) {
        return None;
    }
    let destination = decode_lossy(destination);
    if destination.contains("://") || destination.starts_with("//") {
        return None;
    }
    let known = |path: String| (can_be_served(&path) && tree.contains(&path)).then_some(path);
    let from_root = || known(tree.mounts().from_root(from, &destination));
    if destination.starts_with('/') {
        return from_root();
    }
    known(tree.mounts().from_dir(from, &destination)).or_else(from_root)
}
