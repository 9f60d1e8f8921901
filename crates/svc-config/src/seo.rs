//! `seo`: settings for search engines.

use std::collections::BTreeSet;

use crate::{
    codes::{DUPLICATE, VALUE},
    decode::{Cx, NodeRef},
    keys::{
        key,
        kinds::{ListOf, NonEmpty},
        object, patterns,
        shape::{Map, Shape},
        value_kind,
    },
    link::WebUrl,
    string_enum::string_enum,
    text::shorten,
};

object! {
    /// `seo`: settings for search engines.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct Seo {
        /// Pages that search engines may index: those of the navigation, or all.
        ///
        /// Whether the sitemap also lists pages that are not in the navigation.
        indexing_all: bool = key::<Indexing>("indexing").or(|| Indexing::Navigable)
            .field(|indexing| indexing.map(|indexing| indexing == Indexing::All)),
        /// Meta tags of every page: name and content.
        metatags: Vec<(String, String)> = key::<MetaTags>("metatags").or_default()
            .rule("`seo.paths` and the front matter of a page override them.")
            .example(r#"{ "og:site_name": "Acme" }"#),
        /// Meta tags of folders.
        paths: Vec<SeoPath> = key::<SeoPaths>("paths").or_default()
            .rule("The longest path takes precedence; paths must be unique."),
        /// The publisher, for structured data.
        organization: Option<Organization> = key::<Organization>("organization"),
        /// Whether printed URLs end with a slash.
        ///
        /// None leaves them unchanged.
        trailing_slash: Option<bool> = key::<bool>("trailingSlash")
            .rule("URLs without it work as before."),
        /// What crawlers of AI companies may use the site for.
        ///
        /// Written to `robots.txt`.
        crawlers: Crawlers = key::<Crawlers>("crawlers").or_default()
            .rule("Well-behaved crawlers follow it; it does not block others.")
            .example(r#"{ "training": false }"#),
    }
}

impl Seo {
    /// Whether the whole site is excluded from search engines by its meta tag `robots`.
    pub fn is_noindex(&self) -> bool {
        let mut tags = self.metatags.iter();
        tags.any(|(name, content)| name.eq_ignore_ascii_case("robots") && excludes(content))
    }
}

/// Whether the content of a `robots` meta tag excludes a page from indexes.
pub fn excludes(robots: &str) -> bool {
    let mut rules = robots.split(',').map(str::trim);
    rules.any(|rule| rule.eq_ignore_ascii_case("noindex") || rule.eq_ignore_ascii_case("none"))
}

object! {
    /// `seo.crawlers`: what crawlers of AI companies may use the site for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Crawlers {
        /// Whether the pages may be used for training models.
        training: bool = key::<bool>("training").or(|| true),
        /// Whether the pages may be listed in the search of AI products.
        ///
        /// The signal `search=no` also asks other search engines not to list the site.
        search: bool = key::<bool>("search").or(|| true),
        /// Whether the pages may be read in order to answer a question.
        answers: bool = key::<bool>("answers").or(|| true),
    }
    impl Default
}

object! {
    /// Meta tags of a folder: an entry of `seo.paths`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SeoPath {
        /// Folder without leading and trailing slash.
        path: String = key::<DirPath>("path").required(),
        /// Meta tags of the pages below: name and content.
        metatags: Vec<(String, String)> = key::<MetaTags>("metatags").required(),
    }
}

object! {
    /// `seo.organization`: the publisher, for structured data (schema.org `Organization`).
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct Organization {
        /// Identifier.
        ///
        /// A URL (`@id`).
        id: Option<String> = key::<WebUrl>("id"),
        /// Name.
        name: Option<String> = key::<NonEmpty>("name"),
        /// Legal name.
        legal_name: Option<String> = key::<NonEmpty>("legalName"),
        /// Home page.
        url: Option<String> = key::<WebUrl>("url"),
        /// Logo.
        logo: Option<String> = key::<WebUrl>("logo"),
        /// Other pages about the publisher.
        same_as: Vec<String> = key::<ListOf<WebUrl>>("sameAs").or_default(),
    }
}

string_enum!(private Indexing {
    Navigable = "navigable",
    All = "all",
});

value_kind!(MetaTags -> Vec<(String, String)> = Shape::Map(Box::new(Map {
    names: None,
    value: Shape::NonEmpty,
})), |cx, at| cx.string_map(at, false));
value_kind!(DirPath -> String = Shape::Pattern(&patterns::DIRECTORY), |cx, at| {
    let path = cx.non_empty_string(at)?;
    if is_dir(&path) {
        return Some(path);
    }
    let message = format!("`{}` is not the path of a folder", shorten(&path));
    let hint = "write a folder without leading and trailing slash, `guides/start`";
    cx.report(&VALUE, at, message, hint);
    let plain = path.trim_start_matches("./").trim_matches('/');
    if is_dir(plain) {
        cx.fix_text(at, plain);
    }
    None
});
value_kind!(
    /// Entries with unique paths.
    SeoPaths -> Vec<SeoPath> = ListOf::<SeoPath>::shape(), |cx, at| {
        let mut seen = BTreeSet::new();
        cx.list(at, |cx, at| {
            let unique = check_path(cx, at, &mut seen);
            SeoPath::decode(cx, at).filter(|_| unique)
        })
    }
);

fn is_dir(path: &str) -> bool {
    let stray = |c: char| c.is_whitespace() || matches!(c, '\\' | '?' | '#');
    !path.contains(stray) && !path.split('/').any(|part| matches!(part, "" | "." | ".."))
}

/// Returns whether no earlier entry has the same path; reports the second one.
fn check_path(cx: &mut Cx, at: &NodeRef<'_>, seen: &mut BTreeSet<String>) -> bool {
    let fields = at.fields();
    let Some(at) = fields.and_then(|fields| fields.get("path")) else {
        return true;
    };
    let path = at.tree.as_str().map(str::trim);
    let Some(path) = path.filter(|path| is_dir(path)) else {
        return true;
    };
    let unique = seen.insert(path.to_owned());
    if !unique {
        let message = format!("path `{}` is not unique", shorten(path));
        cx.report(&DUPLICATE, &at, message, "merge the two entries");
    }
    unique
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
    fn crawlers_may_do_everything_that_is_not_excluded() {
        let seo = |json: &str| site_of(&format!("\"seo\":{json}")).value.unwrap().seo;
        let none = seo("{}").crawlers;
        assert!(none.training && none.search && none.answers);
        let crawlers = seo(r#"{"crawlers":{"training":false}}"#).crawlers;
        assert!(!crawlers.training && crawlers.search && crawlers.answers);
        assert_eq!(
            errors_of(r#""seo":{"crawlers":{"search":"no"}}"#),
            ["/seo/crawlers/search config-type"]
        );
    }

    #[test]
    fn a_site_is_excluded_by_its_robots_meta_tag() {
        for (robots, expected) in [
            ("noindex", true),
            ("nofollow, NOINDEX", true),
            ("none", true),
            ("index, follow", false),
            ("max-snippet: -1", false),
        ] {
            let json = format!(r#""seo":{{"metatags":{{"robots":"{robots}"}}}}"#);
            let seo = site_of(&json).value.unwrap().seo;
            assert_eq!(seo.is_noindex(), expected, "{robots}");
        }
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
