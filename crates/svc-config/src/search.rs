//! `search`: the search of the site.

use crate::{
    codes::VALUE,
    keys::{
        key,
        kinds::{ListOf, NonEmpty, Text},
        object, value_kind,
    },
};

object! {
    /// `search`: the search of the site.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct Search {
        /// Text in the empty search field.
        prompt: Option<String> = key::<Text>("prompt"),
        /// Groups of words or phrases that mean the same.
        ///
        /// A page with one of them is also found by the others.
        synonyms: Vec<Vec<String>> = key::<ListOf<SynonymGroup>>("synonyms").or_default()
            .example(r#"[["SSO", "single sign-on"], ["k8s", "Kubernetes"]]"#),
    }
}

value_kind!(
    /// Words or phrases that mean the same.
    SynonymGroup -> Vec<String> = ListOf::<NonEmpty>::shape(), |cx, at| {
        let members = ListOf::<NonEmpty>::decode(cx, at)?;
        if members.len() < 2 {
            let message = "a group of synonyms must have at least two members";
            cx.report(&VALUE, at, message, "add the words that mean the same, or remove the group");
        }
        Some(members)
    }
);

#[cfg(test)]
mod tests {
    use crate::tests::{errors_of, site_of};

    #[test]
    fn synonyms_are_groups_of_words() {
        let json = r#""search":{"prompt":"p","synonyms":[["SSO","single sign-on"]]}"#;
        let search = site_of(json).value.unwrap().search;
        assert_eq!(search.prompt.as_deref(), Some("p"));
        assert_eq!(search.synonyms, [["SSO", "single sign-on"]]);
        assert_eq!(
            errors_of(r#""search":{"synonyms":["SSO"]}"#),
            ["/search/synonyms/0 config-type"]
        );
        assert_eq!(
            errors_of(r#""search":{"synonyms":[["SSO"]]}"#),
            ["/search/synonyms/0 config-value"]
        );
    }
}
