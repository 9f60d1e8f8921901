//! `markdown`: the Markdown twins of pages.

use crate::decode::{Cx, NodeRef};

/// The Markdown twins of pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Markdown {
    /// Whether endpoint pages carry their part of the API document.
    pub schema: bool,
    /// Lines for machines, added at the top.
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
        let found = |json: &str| site_of(json).value.unwrap().markdown;
        assert_eq!(
            found(r#""markdown":{"instructions":"a"}"#).instructions,
            ["a"]
        );
        assert_eq!(
            found(r#""markdown":{"instructions":["a","b"]}"#).instructions,
            ["a", "b"]
        );
        assert!(found(r#""markdown":{}"#).schema);
        assert_eq!(
            errors_of(r#""markdown":{"instructions":1}"#),
            ["/markdown/instructions config-type"]
        );
    }
}
