//! `logo`: the image in the header.

use crate::{
    background::{Image, ImagePair},
    decode::{Cx, NodeRef},
    keys::{
        ValueKind, key, keys,
        shape::{Object, Shape},
    },
    link::Link,
};

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

keys! {
    struct LogoTarget {
        /// Target of a click.
        href: Option<String> = key::<Link>("href")
            .default("the first page of the language, otherwise the home page"),
    }
}

impl ValueKind for Logo {
    type Value = Self;

    fn shape() -> Shape {
        let mut keys = ImagePair::properties();
        keys.extend(LogoTarget::properties());
        Shape::Any(vec![Image::shape(), Shape::Object(Object::new(keys))])
    }

    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        if at.is_string() {
            let images = Image::decode(cx, at)?;
            cx.check_extensions(at, &images);
            return Some(Self {
                light: images.light,
                dark: images.dark,
                href: None,
            });
        }
        if !at.is_object() {
            cx.type_mismatch(at, "a string or an object");
            return None;
        }
        let fields = cx.object(at, &[ImagePair::NAMES, LogoTarget::NAMES].concat())?;
        let images = ImagePair::read(cx, &fields)?.images()?;
        cx.check_extensions(at, &images);
        Some(Self {
            light: images.light,
            dark: images.dark,
            href: LogoTarget::read(cx, &fields)?.href,
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
