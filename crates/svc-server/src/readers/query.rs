//! Parameters of a query or a form.

use std::borrow::Cow;

use url::form_urlencoded;

/// Maximum number of parameters that are read.
const MAX_PARAMETERS: usize = 16;

/// Parameters of a query or a form.
#[derive(Debug, Clone, Default)]
pub(super) struct Query<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl<'a> Query<'a> {
    pub(super) fn parse(text: &'a str) -> Self {
        Self::parse_bytes(text.as_bytes())
    }

    pub(super) fn parse_bytes(text: &'a [u8]) -> Self {
        Self(form_urlencoded::parse(text).take(MAX_PARAMETERS).collect())
    }

    /// The value of a parameter that occurs once. Two values could mean different things to two
    /// programs.
    pub(super) fn get(&self, name: &str) -> Option<Cow<'a, str>> {
        let mut own = self.0.iter().filter(|(own, _)| own == name);
        match (own.next(), own.next()) {
            (Some((_, value)), None) => Some(value.clone()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Query;

    #[test]
    fn a_parameter_that_is_repeated_has_no_value() {
        let query = Query::parse("a=1&b=x+y&a=2");
        assert_eq!(query.get("b").as_deref(), Some("x y"));
        assert_eq!(query.get("a"), None);
        assert_eq!(query.get("c"), None);
    }
}
