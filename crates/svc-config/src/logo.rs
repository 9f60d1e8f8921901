//! `logo`: the image in the header.

use crate::decode::{Cx, NodeRef};

/// `logo`: the image in the header. A single path is used for both modes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logo {
    /// Path or URL in light mode.
    pub light: String,
    /// Path or URL in dark mode.
    pub dark: String,
    /// Target of a click; None for the first page of the language.
    pub href: Option<String>,
}

impl Logo {
    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let images = cx.images(at, &["light", "dark", "href"], true)?;
        let href = at.tree.get("href").and_then(|_| {
            let fields = cx.map(at)?;
            cx.optional(&fields, "href", Cx::link)
        });
        Some(Self {
            light: images.light,
            dark: images.dark,
            href,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Logo,
        tests::{errors_of, problems_of, site_of},
    };

    #[test]
    fn one_path_serves_both_modes() {
        let site = site_of(r#""logo":"/logo.svg""#).value.unwrap();
        let path = "/logo.svg".to_owned();
        assert_eq!(
            site.logo,
            Some(Logo {
                light: path.clone(),
                dark: path,
                href: None
            })
        );
    }

    #[test]
    fn both_modes_are_needed_and_links_are_checked() {
        for (json, expected) in [
            (r#""logo":"ab""#, "/logo config-empty"),
            (r#""logo":5"#, "/logo config-type"),
            (r#""logo":{"light":"/a.svg"}"#, "/logo/dark config-missing"),
            (
                r#""logo":{"light":"/a.svg","dark":"/b.svg","href":"a b"}"#,
                "/logo/href config-url",
            ),
        ] {
            assert_eq!(errors_of(json), [expected]);
        }
        assert_eq!(
            problems_of(r#""logo":"/logo""#),
            ["/logo config-image-extension"]
        );
        assert_eq!(
            problems_of(r#""logo":{"light":"/a.svg","drak":"/b.svg","dark":"/b.svg"}"#),
            ["/logo/drak config-unknown-key"]
        );
    }
}
