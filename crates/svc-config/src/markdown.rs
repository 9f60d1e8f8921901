//! `markdown`: the Markdown form of pages.

use crate::keys::{key, kinds::Texts, object};

object! {
    /// `markdown`: the Markdown form of pages.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Markdown {
        /// Whether the Markdown of endpoint pages contains their part of the OpenAPI document.
        schema: bool = key::<bool>("schema").or(|| true),
        /// Instructions for language models, added to the Markdown of pages and to `llms.txt`.
        instructions: Vec<String> = key::<Texts>("instructions").or_default(),
    }
    impl Default
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
