//! `banner`: a message above the header.

use crate::{
    ModeColors,
    decode::{Cx, NodeRef},
    string_enum::string_enum,
};

string_enum! {
    /// `banner.type`: the severity of the banner.
    BannerKind {
        Info = "info",
        Warning = "warning",
        Critical = "critical",
    }
}

/// `banner`: a message above the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Banner {
    /// Inline Markdown: links, bold and italics.
    pub content: String,
    /// Whether the reader can dismiss it.
    pub dismissible: bool,
    /// The severity.
    pub kind: BannerKind,
    /// Colors that override those of `kind`.
    pub color: Option<ModeColors>,
}

impl Banner {
    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["content", "dismissible", "type", "color"])?;
        let content = cx.required(&fields, "content", Cx::non_empty_string);
        let dismissible = cx.bool_or(&fields, "dismissible", false);
        let kind = cx
            .optional(&fields, "type", Cx::string_enum)
            .unwrap_or(BannerKind::Info);
        let color = cx.optional(&fields, "color", ModeColors::decode);
        Some(Self {
            content: content?,
            dismissible,
            kind,
            color,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        BannerKind,
        tests::{errors_of, site_of},
    };

    #[test]
    fn a_banner_has_content_and_is_dismissible() {
        let json = r##""banner":{"content":"x","dismissible":true,"type":"critical","color":{"light":"#fff"}}"##;
        let banner = site_of(json).value.unwrap().banner.unwrap();
        assert!(banner.dismissible);
        assert_eq!(banner.kind, BannerKind::Critical);
        assert_eq!(banner.color.unwrap().light.as_deref(), Some("#ffffff"));
    }

    #[test]
    fn problems_of_the_banner() {
        for (json, expected) in [
            (r#"{"content":""}"#, "/banner/content config-empty"),
            ("{}", "/banner/content config-missing"),
            (
                r#"{"content":"a","type":"danger"}"#,
                "/banner/type config-invalid-value",
            ),
            (
                r##"{"content":"a","color":"#fff"}"##,
                "/banner/color config-type",
            ),
            (
                r#"{"content":"a","dismissible":1}"#,
                "/banner/dismissible config-type",
            ),
        ] {
            assert_eq!(errors_of(&format!("\"banner\":{json}")), [expected]);
        }
    }
}
