//! `markdown`: the Markdown form of pages.

use crate::decode::{Cx, NodeRef};

/// `markdown`: the Markdown form of pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Markdown {
    /// Whether endpoint pages contain their part of the OpenAPI document.
    pub schema: bool,
    /// Instructions for language models, added at the top.
    pub instructions: Vec<String>,
}

impl Default for Markdown {
    fn default() -> Self {
        Self {
            schema: true,
            instructions: Vec::new(),
        }
    }
}

impl Markdown {
    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["schema", "instructions"])?;
        Some(Self {
            schema: cx.bool_or(&fields, "schema", true),
            instructions: cx
                .optional(&fields, "instructions", Cx::string_list)
                .unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{errors_of, site_of};

    #[test]
    fn instructions_are_one_text_or_several() {
        let markdown = |json: &str| site_of(json).value.unwrap().markdown;
        assert_eq!(
            markdown(r#""markdown":{"instructions":"a"}"#).instructions,
            ["a"]
        );
        assert_eq!(
            markdown(r#""markdown":{"instructions":["a","b"]}"#).instructions,
            ["a", "b"]
        );
        assert!(markdown(r#""markdown":{}"#).schema);
        assert_eq!(
            errors_of(r#""markdown":{"instructions":1}"#),
            ["/markdown/instructions config-type"]
        );
    }
}
