//! Which repositories on GitHub a site shows something of.

use std::collections::BTreeSet;
use std::sync::Arc;

use svc_render::{Repositories, repository_slug};
use svc_source::Contents;

use crate::Site;

/// The names of the element, as authors write them.
static TAGS: [&str; 2] = ["<GitHub.Repo", "<Github.Repo"];
/// Bytes of an element that are looked at.
const MAX_ELEMENT_BYTES: usize = 2_000;

impl Site {
    /// What its pages say of repositories.
    pub fn known_repositories(&self) -> &Arc<Repositories> {
        &self.options.metadata.repositories
    }

    /// The slugs of the repositories that pages and the header name. Texts are only searched, as
    /// nobody should have to draw all pages for it; a name in an example does no harm.
    pub fn repositories(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for (_, contents) in self.tree.iter() {
            if let Contents::Text(file) = contents {
                in_text(file.text(), &mut found);
            }
        }
        let links = self.config.navbar.links.iter();
        let links = links.filter(|link| link.kind.as_deref() == Some("github"));
        found.extend(links.filter_map(|link| repository_slug(&link.href)));
        found
    }
}

fn in_text(text: &str, found: &mut BTreeSet<String>) {
    for tag in TAGS {
        let elements = text.match_indices(tag);
        found.extend(
            elements.filter_map(|(at, _)| repository_slug(repo_attribute(text.get(at..)?)?)),
        );
    }
}

/// The value of the attribute `repo` of the element that the text begins with.
fn repo_attribute(text: &str) -> Option<&str> {
    let end = text.find('>').unwrap_or(text.len()).min(MAX_ELEMENT_BYTES);
    let (_, value) = text.get(..end)?.split_once("repo=")?;
    let value = value.strip_prefix('{').unwrap_or(value).trim_start();
    let quote = value
        .chars()
        .next()
        .filter(|c| matches!(c, '"' | '\'' | '`'))?;
    value.get(1..)?.split(quote).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_found_in_texts() {
        let mut found = BTreeSet::new();
        let text = "<GitHub.Repo repo=\"A/one\" />\n<Github.Repo\n  variant='flat'\n  repo={'a/two'}/> <GitHub.Repo repo=\"https://github.com/a/three\"/> <GitHub.Repo repo={x} /> <GitHub.Repo repo=\"nothing\"/> <GitHub.Repo <GitHub.Repo repo='a/é/' ";
        in_text(text, &mut found);
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        assert_eq!(found, ["a/one", "a/three", "a/two"]);
    }
}
