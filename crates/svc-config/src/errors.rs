//! `errors`: the page for addresses that do not exist.

use crate::decode::{Cx, NodeRef};

/// The 404 page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NotFound {
    /// Whether readers are sent to the home page instead.
    pub redirect: bool,
    /// Title.
    pub title: Option<String>,
    /// Text, in MDX.
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
    fn readers_are_redirected_only_where_it_is_written() {
        let found = |json: &str| site_of(json).value.unwrap().not_found;
        assert!(!found(r#""errors":{"404":{}}"#).redirect);
        assert!(found(r#""errors":{"404":{"redirect":true}}"#).redirect);
        assert_eq!(
            found(r#""errors":{"404":{"title":"T"}}"#).title.as_deref(),
            Some("T")
        );
        assert_eq!(errors_of(r#""errors":{}"#), ["/errors/404 config-missing"]);
        assert_eq!(
            errors_of(r#""errors":{"404":[]}"#),
            ["/errors/404 config-type"]
        );
    }
}
