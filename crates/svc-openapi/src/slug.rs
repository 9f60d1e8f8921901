//! Names of generated pages: addresses, titles, groups.

use crate::{ApiDocument, Operation, OperationKind};

/// Group of operations without a tag.
pub const UNTAGGED_GROUP: &str = "API Reference";

/// Tags inside each other at most.
const TAG_LEVELS: usize = 8;

/// The form of a text in an address: spaces and `{parameters}` become hyphens, a hyphen at either
/// end and the characters `{ } ( ) , . ' /` go, pairs of hyphens become one, letters lower case.
pub fn file_name_form(text: &str) -> String {
    let mut form = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((_, after)) = after.split_once('}') else {
            break;
        };
        form.push_str(before);
        form.push('-');
        rest = after;
    }
    form.push_str(rest);
    let form = form.replace(' ', "-");
    let form = form.strip_prefix('-').unwrap_or(&form);
    let form = form.strip_suffix('-').unwrap_or(form);
    let form: String = form
        .chars()
        .filter(|c| !"{}(),.'/\n".contains(*c))
        .collect();
    form.replace("--", "-").to_lowercase()
}

/// The last segment of the address of an operation's page, before collisions are settled.
pub fn operation_slug(operation: &Operation) -> String {
    match (&operation.summary, operation.kind) {
        (Some(summary), _) => file_name_form(summary),
        (None, OperationKind::Webhook) => file_name_form(&operation.path),
        (None, OperationKind::Path) => {
            format!("{}-{}", operation.method, file_name_form(&operation.path))
        }
    }
}

/// A title from an address: `get-users` is `Get users`.
pub fn title_from_slug(slug: &str) -> String {
    let last = slug
        .rsplit('/')
        .next()
        .unwrap_or(slug)
        .replace(['-', '_'], " ");
    let mut chars = last.chars();
    chars
        .next()
        .map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

impl ApiDocument {
    /// The tag that places an operation: the first one. Since 3.2 the first of kind `nav`, else the
    /// first declared one without kind, else the first that is not declared.
    pub fn tag_of<'a>(&self, operation: &'a Operation) -> Option<&'a str> {
        let first = operation.tags.first().map(String::as_str);
        if self.version.starts_with("3.0") || self.version.starts_with("3.1") {
            return first;
        }
        let tags = || {
            operation
                .tags
                .iter()
                .map(|name| (name.as_str(), self.tag(name)))
        };
        let nav = tags().find(|(_, tag)| tag.is_some_and(|tag| tag.kind.as_deref() == Some("nav")));
        let plain = || tags().find(|(_, tag)| tag.is_some_and(|tag| tag.kind.is_none()));
        let undeclared = || tags().find(|(_, tag)| tag.is_none());
        nav.or_else(plain)
            .or_else(undeclared)
            .map(|(name, _)| name)
            .or(first)
    }

    /// The name of the navigation group of an operation.
    pub fn group_of<'a>(&'a self, operation: &'a Operation) -> &'a str {
        let Some(name) = self.tag_of(operation) else {
            return UNTAGGED_GROUP;
        };
        self.label_of(name)
    }

    /// What navigation shows for a tag.
    pub fn label_of<'a>(&'a self, name: &'a str) -> &'a str {
        self.tag(name)
            .and_then(|tag| tag.group.as_deref())
            .unwrap_or(name)
    }

    /// The tags that an operation's tag stands below (`parent`, 3.2), the outermost first, and the
    /// tag itself at the end. A circle of parents ends where it began.
    pub fn tag_chain<'a>(&'a self, name: &'a str) -> Vec<&'a str> {
        let mut chain = vec![name];
        let mut now = name;
        while let Some(parent) = self.tag(now).and_then(|tag| tag.parent.as_deref()) {
            if chain.len() >= TAG_LEVELS || chain.contains(&parent) {
                break;
            }
            chain.push(parent);
            now = parent;
        }
        chain.reverse();
        chain
    }

    /// The address of an operation's page without leading slash, before collisions are settled.
    /// `directory` is the folder of the section; `api-reference` is usual.
    pub fn page_slug(&self, operation: &Operation, directory: &str) -> String {
        if let Some(href) = &operation.href {
            return href.trim_start_matches('/').to_owned();
        }
        let leaf = operation_slug(operation);
        let folder = self
            .tag_of(operation)
            .map(file_name_form)
            .unwrap_or_default();
        let parts = [directory.trim_matches('/'), &folder, &leaf];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("/").to_lowercase()
    }
}

impl Operation {
    /// The title of its page: `title` of its metadata, else its summary, else from its address;
    /// for a webhook always from the address.
    pub fn title(&self) -> String {
        let metadata = self.metadata.as_ref().and_then(|node| node.get("title"));
        if let Some(title) = metadata.and_then(svc_data::Node::as_str) {
            return title.to_owned();
        }
        match &self.summary {
            Some(summary) if self.kind == OperationKind::Path => summary.clone(),
            _ => title_from_slug(&operation_slug(self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_take_the_form_of_addresses() {
        let cases = [
            ("Get user (by ID)", "get-user-by-id"),
            ("/users/{id}", "users"),
            ("/users/{id}/posts", "users-posts"),
            ("/v1/a.b/{x}", "v1ab"),
            ("Create & delete", "create-&-delete"),
            ("Foo - Bar", "foo--bar"),
            ("{open", "open"),
            ("", ""),
        ];
        for (text, form) in cases {
            assert_eq!(file_name_form(text), form, "{text}");
        }
    }

    #[test]
    fn a_title_comes_from_the_last_segment() {
        assert_eq!(title_from_slug("api/get-users"), "Get users");
        assert_eq!(title_from_slug("checkout_created"), "Checkout created");
        assert_eq!(title_from_slug(""), "");
    }
}
