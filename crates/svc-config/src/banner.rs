//! `banner`: a message above the header.

use crate::{
    ModeColors,
    keys::{key, kinds::NonEmpty, object},
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

object! {
    /// `banner`: a message above the header.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Banner {
        /// Text, with links, bold and italics; components are not supported.
        content: String = key::<NonEmpty>("content").required(),
        /// Whether readers can dismiss it; it appears again when the text changes.
        dismissible: bool = key::<bool>("dismissible").or(|| false),
        /// Severity of the banner.
        kind: BannerKind = key::<BannerKind>("type").or(|| BannerKind::Info),
        /// Colors that override those of the severity.
        color: Option<ModeColors> = key::<ModeColors>("color"),
    }
    definition ("banner", "banner", "")
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
