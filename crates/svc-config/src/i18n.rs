//! `i18n`: sites in several languages.

use crate::keys::{key, object};

object! {
    /// `i18n`: sites in several languages.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct I18n {
        /// Whether readers who open `/` get the start page in the language that they have selected
        /// before, or else in that of their browser.
        detect: bool = key::<bool>("detect").or(|| true)
            .rule("Other URLs are never redirected because of a language."),
        /// Whether a page says that it is older than the page from which it was translated, if
        /// `svc i18n record` has recorded that.
        outdated: bool = key::<bool>("outdated").or(|| true),
    }
    impl Default
}

#[cfg(test)]
mod tests {
    use crate::tests::{errors_of, site_of};

    #[test]
    fn everything_is_on_unless_it_is_turned_off() {
        let i18n = |json: &str| site_of(json).value.unwrap().i18n;
        let all = i18n(r#""i18n":{}"#);
        assert!(all.detect && all.outdated);
        let none = i18n(r#""i18n":{"detect":false,"outdated":false}"#);
        assert!(!none.detect && !none.outdated);
        assert_eq!(
            errors_of(r#""i18n":{"detect":"no"}"#),
            ["/i18n/detect config-type"]
        );
    }
}
