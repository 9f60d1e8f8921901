//! `seo`: settings for search engines.

use std::collections::BTreeSet;

use crate::{
    codes::{DUPLICATE, VALUE},
    decode::{Cx, NodeRef, shorten},
    string_enum::string_enum,
};

/// Meta tags of a folder: an entry of `seo.paths`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeoPath {
    /// Folder without leading and trailing slash.
    pub path: String,
    /// Pairs of name and content.
    pub metatags: Vec<(String, String)>,
}

/// `seo.organization`: the publisher, for structured data (schema.org `Organization`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Organization {
    /// Identifier of the publisher: a URL (`@id`).
    pub id: Option<String>,
    /// Name of the publisher.
    pub name: Option<String>,
    /// Legal name of the publisher.
    pub legal_name: Option<String>,
    /// Home page of the publisher.
    pub url: Option<String>,
    /// URL of the logo.
    pub logo: Option<String>,
    /// Other pages about the publisher (`sameAs`).
    pub same_as: Vec<String>,
}

/// `seo`: settings for search engines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Seo {
    /// Whether the sitemap also lists pages that are not in the navigation.
    pub indexing_all: bool,
    /// Pairs of name and content for every page.
    pub metatags: Vec<(String, String)>,
    /// Meta tags of folders; the longest matching path is used.
    pub paths: Vec<SeoPath>,
    /// The publisher.
    pub organization: Option<Organization>,
    /// Whether printed URLs end with a slash; None leaves them unchanged.
    pub trailing_slash: Option<bool>,
}

string_enum!(private Indexing {
    Navigable = "navigable",
    All = "all",
});

impl Seo {
    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let known = &[
            "indexing",
            "metatags",
            "paths",
            "organization",
            "trailingSlash",
        ];
        let fields = cx.object(at, known)?;
        let indexing: Option<Indexing> = cx.optional(&fields, "indexing", Cx::string_enum);
        let mut seen = BTreeSet::new();
        let paths = cx.optional(&fields, "paths", |cx, at| {
            cx.list(at, |cx, at| SeoPath::decode(cx, at, &mut seen))
        });
        Some(Self {
            indexing_all: indexing == Some(Indexing::All),
            metatags: cx.optional(&fields, "metatags", tags).unwrap_or_default(),
            paths: paths.unwrap_or_default(),
            organization: cx.optional(&fields, "organization", Organization::decode),
            trailing_slash: cx.optional(&fields, "trailingSlash", Cx::boolean),
        })
    }
}

fn tags(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Vec<(String, String)>> {
    cx.string_map(at, false)
}

impl SeoPath {
    fn decode(cx: &mut Cx, at: &NodeRef<'_>, seen: &mut BTreeSet<String>) -> Option<Self> {
        let fields = cx.object(at, &["path", "metatags"])?;
        let path = cx.required(&fields, "path", |cx, at| {
            let path = cx.non_empty_string(at)?;
            let stray = |c: char| c.is_whitespace() || matches!(c, '\\' | '?' | '#');
            if path.contains(stray) || path.split('/').any(|part| matches!(part, "" | "." | "..")) {
                let message = format!("`{}` is not the path of a folder", shorten(&path));
                let hint = "write a folder without leading and trailing slash, `guides/start`";
                cx.report(&VALUE, at, message, hint);
                return None;
            }
            if !seen.insert(path.clone()) {
                let message = format!("path `{}` is not unique", shorten(&path));
                cx.report(&DUPLICATE, at, message, "merge the two entries");
                return None;
            }
            Some(path)
        });
        let metatags = cx.required(&fields, "metatags", tags);
        Some(Self {
            path: path?,
            metatags: metatags?,
        })
    }
}

impl Organization {
    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["id", "name", "legalName", "url", "logo", "sameAs"])?;
        Some(Self {
            id: cx.optional(&fields, "id", Cx::web_url),
            name: cx.optional(&fields, "name", Cx::non_empty_string),
            legal_name: cx.optional(&fields, "legalName", Cx::non_empty_string),
            url: cx.optional(&fields, "url", Cx::web_url),
            logo: cx.optional(&fields, "logo", Cx::web_url),
            same_as: cx
                .optional(&fields, "sameAs", |cx, at| cx.list(at, Cx::web_url))
                .unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{errors_of, site_of};

    #[test]
    fn meta_tags_paths_and_the_publisher_are_read() {
        let json = r#""seo":{"indexing":"all","metatags":{"og:image":"x"},"paths":[{"path":"a/b","metatags":{"robots":"none"}}],"organization":{"name":"N","sameAs":["https://x.com"]},"trailingSlash":true}"#;
        let seo = site_of(json).value.unwrap().seo;
        assert!(seo.indexing_all);
        assert_eq!(seo.metatags, [("og:image".to_owned(), "x".to_owned())]);
        assert_eq!(seo.paths[0].path, "a/b");
        assert_eq!(seo.organization.unwrap().same_as, ["https://x.com"]);
        assert_eq!(seo.trailing_slash, Some(true));
    }

    #[test]
    fn problems_of_search_settings() {
        for (json, expected) in [
            (
                r#"{"indexing":"none"}"#,
                "/seo/indexing config-invalid-value",
            ),
            (r#"{"metatags":{"a":""}}"#, "/seo/metatags/a config-empty"),
            (
                r#"{"metatags":{"a/b":1}}"#,
                "/seo/metatags/a~1b config-type",
            ),
            (
                r#"{"paths":[{"path":"/a","metatags":{}}]}"#,
                "/seo/paths/0/path config-value",
            ),
            (
                r#"{"paths":[{"path":"a","metatags":{}},{"path":"a","metatags":{}}]}"#,
                "/seo/paths/1/path config-duplicate",
            ),
            (
                r#"{"paths":[{"path":"a"}]}"#,
                "/seo/paths/0/metatags config-missing",
            ),
            (
                r#"{"organization":{"url":"x"}}"#,
                "/seo/organization/url config-url",
            ),
        ] {
            assert_eq!(errors_of(&format!("\"seo\":{json}")), [expected]);
        }
    }
}
