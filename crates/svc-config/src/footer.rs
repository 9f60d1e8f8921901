//! `footer`: links at the end of every page.

use svc_diagnostics::did_you_mean;

use crate::{
    codes::{EMPTY, INVALID_VALUE, URL, VALUE},
    decode::{Cx, NodeRef},
    keys::{
        key,
        kinds::NonEmpty,
        object, patterns,
        shape::{List, Object, Shape, property},
        value_kind,
    },
    text::{shorten, value_list},
    url::is_https,
};

object! {
    /// `footer`: the end of every page.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct Footer {
        /// Profiles of the project: network and URL.
        ///
        /// In the order of the file.
        socials: Vec<(String, String)> = key::<Socials>("socials").or_default()
            .rule("URLs must begin with `https://`."),
        /// Columns of links.
        links: Vec<FooterColumn> = key::<FooterColumns>("links").or_default(),
    }
    definition ("footer", "footer", "")
}

object! {
    /// A column of links: an entry of `footer.links`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct FooterColumn {
        /// Title of the column.
        header: Option<String> = key::<NonEmpty>("header"),
        /// Links of the column.
        items: Vec<FooterItem> = key::<FooterItems>("items").required(),
    }
}

object! {
    /// A link in the footer: an entry of `footer.links[].items`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct FooterItem {
        /// Text.
        label: String = key::<NonEmpty>("label").required(),
        /// Target.
        href: String = key::<FooterLink>("href").required()
            .rule("A path, a fragment, `mailto:` or the `https://` URL of a page."),
    }
}

/// Networks with an icon: the names and their descriptions.
macro_rules! networks {
    ($($name:literal: $about:literal),* $(,)?) => {
        /// Networks with an icon: the allowed keys of `footer.socials`.
        pub const SOCIALS: &[&str] = &[$($name),*];

        const SOCIAL_KEYS: &[(&str, &str)] = &[$(($name, $about)),*];
    };
}

networks! {
    "x": "X.",
    "website": "A home page.",
    "facebook": "Facebook.",
    "youtube": "YouTube.",
    "discord": "Discord.",
    "slack": "Slack.",
    "github": "GitHub.",
    "linkedin": "LinkedIn.",
    "instagram": "Instagram.",
    "hacker-news": "Hacker News.",
    "medium": "Medium.",
    "telegram": "Telegram.",
    "twitter": "Twitter.",
    "x-twitter": "X, with the Twitter logo.",
    "earth-americas": "A home page, with a globe icon.",
    "bluesky": "Bluesky.",
    "threads": "Threads.",
    "reddit": "Reddit.",
    "podcast": "A podcast.",
}

const MAX_COLUMNS: usize = 4;

value_kind!(Socials -> Vec<(String, String)> = social_shape(), socials);
value_kind!(FooterColumns -> Vec<FooterColumn> = Shape::List(Box::new(List {
    item: FooterColumn::shape(),
    min: 1,
    max: Some(MAX_COLUMNS),
    unique: false,
})), |cx, at| {
    let columns = cx.list(at, FooterColumn::decode)?;
    let written = at.items().len();
    if written == 0 || written > MAX_COLUMNS {
        let name = at.name();
        let message = format!("{name} must have one to {MAX_COLUMNS} columns, not {written}");
        cx.report(&VALUE, at, message, format!("write one to {MAX_COLUMNS} columns"));
    }
    Some(columns)
});
value_kind!(FooterItems -> Vec<FooterItem> = Shape::List(Box::new(List {
    item: FooterItem::shape(),
    min: 1,
    max: None,
    unique: false,
})), |cx, at| {
    let items = cx.list(at, FooterItem::decode)?;
    if at.items().len() == 0 {
        let message = format!("{} is empty", at.name());
        cx.report(&EMPTY, at, message, "add a link or remove the column");
    }
    Some(items)
});
value_kind!(FooterLink -> String = Shape::Pattern(&patterns::FOOTER_LINK), |cx, at| {
    let href = cx.link(at)?;
    let fragment = href.starts_with('#') || href.starts_with("mailto:");
    let path = href.starts_with('/') && !href.starts_with("//");
    if fragment || path || (is_https(&href) && !is_download(&href)) {
        return Some(href);
    }
    let message = format!("footer link `{}` is not allowed", shorten(&href));
    let hint = "write a path, a fragment, `mailto:` or the `https://` URL of a page";
    cx.report(&URL, at, message, hint);
    None
});

fn social_shape() -> Shape {
    let key = |(name, about): &(&'static str, &str)| {
        property(name, about, Shape::Pattern(&patterns::PROFILE))
    };
    Shape::Object(Object {
        strict: true,
        ..Object::new(SOCIAL_KEYS.iter().map(key).collect())
    })
}

fn socials(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Vec<(String, String)>> {
    let fields = cx.map(at)?;
    let mut socials = Vec::new();
    for (network, at) in fields.iter() {
        if !SOCIALS.contains(&network) {
            let message = format!("unknown network `{}`", shorten(network));
            let near = did_you_mean(network, SOCIALS.iter().copied());
            let hint = near.map_or_else(
                || format!("write one of {}", value_list(SOCIALS)),
                |name| format!("did you mean `{name}`?"),
            );
            cx.report(&INVALID_VALUE, &at, message, hint);
            if let Some(near) = near {
                cx.fix_key(&fields, network, near);
            }
            continue;
        }
        let Some(url) = cx.non_empty_string(&at) else {
            continue;
        };
        if !is_https(&url) || is_download(&url) {
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
            cx.fix_url(&at, &url);
            continue;
        }
        socials.push((network.to_owned(), url));
    }
    Some(socials)
}

fn is_download(url: &str) -> bool {
    let end = url.to_ascii_lowercase();
    [".svg", ".exe", ".zip"]
        .iter()
        .any(|ending| end.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use crate::tests::{errors_of, site_of};

    #[test]
    fn networks_and_columns_have_the_order_of_the_file() {
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
