//! `errors`: the page for paths that do not exist.

use crate::keys::{key, kinds::Text, object, single_key};

object! {
    /// `errors.404`: the page for paths that do not exist.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct NotFound {
        /// Whether readers are redirected to the home page instead.
        redirect: bool = key::<bool>("redirect").or(|| false),
        /// Title of the page.
        title: Option<String> = key::<Text>("title"),
        /// Text of the page, in MDX.
        description: Option<String> = key::<Text>("description"),
    }
}

single_key!(pub(crate) Errors -> NotFound {
    /// The page.
    = key::<NotFound>("404").required()
});

#[cfg(test)]
mod tests {
    use crate::tests::{errors_of, site_of};

    #[test]
    fn redirects_to_the_home_page_are_opt_in() {
        let page = |json: &str| site_of(json).value.unwrap().not_found;
        assert!(!page(r#""errors":{"404":{}}"#).redirect);
        assert!(page(r#""errors":{"404":{"redirect":true}}"#).redirect);
        assert_eq!(
            page(r#""errors":{"404":{"title":"T"}}"#).title.as_deref(),
            Some("T")
        );
        assert_eq!(errors_of(r#""errors":{}"#), ["/errors/404 config-missing"]);
        assert_eq!(
            errors_of(r#""errors":{"404":[]}"#),
            ["/errors/404 config-type"]
        );
    }
}
