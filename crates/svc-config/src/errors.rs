//! `errors`: the page for paths that do not exist.

use crate::decode::{Cx, NodeRef};

/// `errors.404`: the page for paths that do not exist.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NotFound {
    /// Whether the reader is redirected to the home page instead.
    pub redirect: bool,
    /// Title of the page.
    pub title: Option<String>,
    /// Text of the page, in MDX.
    pub description: Option<String>,
}

impl NotFound {
    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["404"])?;
        cx.required(&fields, "404", |cx, at| {
            let fields = cx.object(at, &["redirect", "title", "description"])?;
            Some(Self {
                redirect: cx.bool_or(&fields, "redirect", false),
                title: cx.optional(&fields, "title", Cx::string),
                description: cx.optional(&fields, "description", Cx::string),
            })
        })
    }
}

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
