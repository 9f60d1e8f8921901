//! `footer`: links at the end of every page.

use svc_diagnostics::did_you_mean;

use crate::{
    codes::{EMPTY, INVALID_VALUE, URL, VALUE},
    decode::{Cx, NodeRef, shorten, value_list},
    url::is_https,
};

/// A link in the footer: an entry of `footer.links[].items`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FooterItem {
    /// Text of the link.
    pub label: String,
    /// Target of the link.
    pub href: String,
}

/// A column of links: an entry of `footer.links`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FooterColumn {
    /// Title of the column.
    pub header: Option<String>,
    /// Links of the column.
    pub items: Vec<FooterItem>,
}

/// `footer`: the end of every page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Footer {
    /// Pairs of network and URL, in the order of the file.
    pub socials: Vec<(String, String)>,
    /// Columns of links.
    pub links: Vec<FooterColumn>,
}

/// Networks with an icon: the allowed keys of `footer.socials`.
pub const SOCIALS: &[&str] = &[
    "x",
    "website",
    "facebook",
    "youtube",
    "discord",
    "slack",
    "github",
    "linkedin",
    "instagram",
    "hacker-news",
    "medium",
    "telegram",
    "twitter",
    "x-twitter",
    "earth-americas",
    "bluesky",
    "threads",
    "reddit",
    "podcast",
];

const MAX_COLUMNS: usize = 4;

impl Footer {
    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["socials", "links"])?;
        let links = cx.optional(&fields, "links", |cx, at| {
            let columns = cx.list(at, FooterColumn::decode)?;
            let written = at.items().count();
            if written == 0 || written > MAX_COLUMNS {
                let message = format!(
                    "{} must have one to {MAX_COLUMNS} columns, not {written}",
                    at.name()
                );
                cx.report(
                    &VALUE,
                    at,
                    message,
                    format!("write one to {MAX_COLUMNS} columns"),
                );
            }
            Some(columns)
        });
        Some(Self {
            socials: cx.optional(&fields, "socials", socials).unwrap_or_default(),
            links: links.unwrap_or_default(),
        })
    }
}

fn socials(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Vec<(String, String)>> {
    let fields = cx.map(at)?;
    let mut socials = Vec::new();
    for (network, at) in fields.iter() {
        if !SOCIALS.contains(&network) {
            let message = format!("unknown network `{}`", shorten(network));
            let hint = did_you_mean(network, SOCIALS.iter().copied()).map_or_else(
                || format!("write one of {}", value_list(SOCIALS)),
                |name| format!("did you mean `{name}`?"),
            );
            cx.report(&INVALID_VALUE, &at, message, hint);
            continue;
        }
        let Some(url) = cx.non_empty_string(&at) else {
            continue;
        };
        if !is_https(&url) || has_refused_ending(&url) {
            let message = format!(
                "{} is not the URL of a web page: `{}`",
                at.name(),
                shorten(&url)
            );
            cx.report(
                &URL,
                &at,
                message,
                "write the `https://` URL of the profile",
            );
            continue;
        }
        socials.push((network.to_owned(), url));
    }
    Some(socials)
}

fn has_refused_ending(url: &str) -> bool {
    let end = url.to_ascii_lowercase();
    [".svg", ".exe", ".zip"]
        .iter()
        .any(|ending| end.ends_with(ending))
}

impl FooterColumn {
    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["header", "items"])?;
        let header = cx.optional(&fields, "header", Cx::non_empty_string);
        let items = cx.required(&fields, "items", |cx, at| {
            let items = cx.list(at, FooterItem::decode)?;
            if at.items().next().is_none() {
                let message = format!("{} is empty", at.name());
                cx.report(&EMPTY, at, message, "add a link or remove the column");
            }
            Some(items)
        })?;
        Some(Self { header, items })
    }
}

impl FooterItem {
    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["label", "href"])?;
        let label = cx.required(&fields, "label", Cx::non_empty_string);
        let href = cx.required(&fields, "href", |cx, at| {
            let href = cx.link(at)?;
            let fragment = href.starts_with('#') || href.starts_with("mailto:");
            let path = href.starts_with('/') && !href.starts_with("//");
            if fragment || path || (is_https(&href) && !has_refused_ending(&href)) {
                return Some(href);
            }
            let message = format!("footer link `{}` is not allowed", shorten(&href));
            let hint = "write a path, a fragment, `mailto:` or the `https://` URL of a page";
            cx.report(&URL, at, message, hint);
            None
        });
        Some(Self {
            label: label?,
            href: href?,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{errors_of, site_of};

    #[test]
    fn networks_and_columns_keep_their_order() {
        let footer = site_of(
            r#""footer":{"socials":{"x":"https://x.com/a","github":"https://github.com/a"},"links":[{"header":"A","items":[{"label":"a","href":"changelog"}]}]}"#,
        )
        .value
        .unwrap()
        .footer;
        assert_eq!(footer.socials[1].0, "github");
        assert_eq!(footer.links[0].items[0].href, "/changelog");
    }

    #[test]
    fn problems_of_the_footer() {
        let item =
            |href: &str| format!(r#"{{"links":[{{"items":[{{"label":"a","href":"{href}"}}]}}]}}"#);
        let five = format!(
            "{{\"links\":[{}]}}",
            [r#"{"items":[{"label":"a","href":"/x"}]}"#; 5].join(",")
        );
        for (json, expected) in [
            (
                item("http://x.com"),
                "/footer/links/0/items/0/href config-url",
            ),
            (
                item("https://x.com/a.svg"),
                "/footer/links/0/items/0/href config-url",
            ),
            (item("//x.com"), "/footer/links/0/items/0/href config-url"),
            (item(""), "/footer/links/0/items/0/href config-empty"),
            (five, "/footer/links config-value"),
            (r#"{"links":[]}"#.into(), "/footer/links config-value"),
            (
                r#"{"links":[{"items":[]}]}"#.into(),
                "/footer/links/0/items config-empty",
            ),
            (
                r#"{"links":[{"header":"","items":[{"label":"a","href":"/x"}]}]}"#.into(),
                "/footer/links/0/header config-empty",
            ),
            (
                r#"{"links":[{"items":[{"href":"/x"}]}]}"#.into(),
                "/footer/links/0/items/0/label config-missing",
            ),
            (
                r#"{"socials":{"foo":"https://x.com"}}"#.into(),
                "/footer/socials/foo config-invalid-value",
            ),
            (
                r#"{"socials":{"x":"http://x.com"}}"#.into(),
                "/footer/socials/x config-url",
            ),
            (r#"{"socials":[]}"#.into(), "/footer/socials config-type"),
        ] {
            assert_eq!(
                errors_of(&format!("\"footer\":{json}")),
                [expected],
                "{json}"
            );
        }
    }
}
