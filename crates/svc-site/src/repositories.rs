//! GitHub repositories that the pages of a site show.

use std::collections::BTreeSet;
use std::sync::Arc;

use svc_render::{Repositories, repository_slug};
use svc_source::Contents;

use crate::Site;

/// Opening tags of the component, as authors write them.
static TAGS: [&str; 2] = ["<GitHub.Repo", "<Github.Repo"];
/// Maximum number of bytes of a tag that are searched for attributes.
const MAX_ELEMENT_BYTES: usize = 2_000;

impl Site {
    /// The data about repositories that the pages show.
    pub fn known_repositories(&self) -> &Arc<Repositories> {
        &self.options.metadata.repositories
    }

    /// Slugs (`owner/name`) of the repositories in pages and in the header. The sources are only
    /// searched, so that no page has to be rendered; a match in a code example is harmless.
    pub fn repositories(&self) -> BTreeSet<String> {
        let mut slugs = BTreeSet::new();
        for (_, contents) in self.tree.iter() {
            if let Contents::Text(file) = contents {
                in_text(file.text(), &mut slugs);
            }
        }
        let links = self.config.navbar.links.iter();
        let links = links.filter(|link| link.kind.as_deref() == Some("github"));
        slugs.extend(links.filter_map(|link| repository_slug(&link.href)));
        slugs
    }
}

fn in_text(text: &str, slugs: &mut BTreeSet<String>) {
    for tag in TAGS {
        let elements = text.match_indices(tag);
        slugs.extend(
            elements.filter_map(|(at, _)| repository_slug(repo_attribute(text.get(at..)?)?)),
        );
    }
}

/// The value of the attribute `repo` of the element at the start of `text`.
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
    fn repositories_in_page_sources_are_collected() {
        let mut slugs = BTreeSet::new();
        let text = "<GitHub.Repo repo=\"A/one\" />\n<Github.Repo\n  variant='flat'\n  repo={'a/two'}/> <GitHub.Repo repo=\"https://github.com/a/three\"/> <GitHub.Repo repo={x} /> <GitHub.Repo repo=\"nothing\"/> <GitHub.Repo <GitHub.Repo repo='a/é/' ";
        in_text(text, &mut slugs);
        let slugs: Vec<&str> = slugs.iter().map(String::as_str).collect();
        assert_eq!(slugs, ["a/one", "a/three", "a/two"]);
    }
}
