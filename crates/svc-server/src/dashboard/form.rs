//! Parses forms.

use bytes::Bytes;
use http::{Request, header};
use svc_admin_api::MAX_BODY;

use super::refusal::Refusal;

/// Maximum number of fields.
const MAX_FIELDS: usize = 64;

/// Fields of a form in order.
#[derive(Debug, Default)]
pub(super) struct Form(Vec<(String, String)>);

impl Form {
    /// Parses the body of a request.
    pub(super) fn read(request: &Request<Bytes>) -> Result<Self, Refusal> {
        let body = request.body();
        if body.len() > MAX_BODY {
            return Err(Refusal::TooLarge);
        }
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(Refusal::MediaType);
        }
        Self::parse(body)
    }

    /// Parses the query of a URL.
    pub(super) fn of_query(query: Option<&str>) -> Result<Self, Refusal> {
        Self::parse(query.unwrap_or_default().as_bytes())
    }

    fn parse(text: &[u8]) -> Result<Self, Refusal> {
        let fields = url::form_urlencoded::parse(text).take(MAX_FIELDS + 1);
        // Browsers send line breaks as CRLF.
        let fields = fields.map(|(name, value)| (name.into_owned(), value.replace("\r\n", "\n")));
        let fields: Vec<(String, String)> = fields.collect();
        if fields.len() > MAX_FIELDS {
            return Err(Refusal::Form("the form has too many fields".to_owned()));
        }
        Ok(Self(fields))
    }

    /// First field with a name; empty if it does not exist.
    pub(super) fn text(&self, name: &str) -> &str {
        let mut fields = self.0.iter();
        let field = fields.find(|(known, _)| known == name);
        field.map_or("", |(_, value)| value)
    }

    /// Trimmed value of a field; `None` if it is empty.
    pub(super) fn non_empty(&self, name: &str) -> Option<&str> {
        Some(self.text(name).trim()).filter(|text| !text.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_fields_are_parsed_and_limited() {
        let form = Form::of_query(Some("a=1+2&b=%C3%A4%0D%0Ab&a=3&c=+")).unwrap();
        assert_eq!(form.text("a"), "1 2");
        assert_eq!(form.text("b"), "ä\nb");
        assert_eq!((form.text("d"), form.non_empty("c")), ("", None));
        assert!(Form::of_query(Some(&"a=1&".repeat(65))).is_err());
    }
}
