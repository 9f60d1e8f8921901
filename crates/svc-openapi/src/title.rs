//! Titles of generated pages.

use crate::{Operation, OperationKind};

/// Maximum length in characters of a webhook summary that is used as a title; a longer one is a
/// description.
const MAX_TITLE: usize = 80;

/// A title from a slug: `get-users` becomes `Get users`.
///
/// # Example
///
/// ```
/// assert_eq!(svc_openapi::title_from_slug("api/get-users"), "Get users");
/// ```
pub fn title_from_slug(slug: &str) -> String {
    let last = slug.rsplit('/').next().unwrap_or(slug);
    capitalize(&last.replace(['-', '_'], " "))
}

fn capitalize(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

/// Splits an identifier into words: `ListAPIKeys`, `list_api-keys` and `list.apiKeys` have three.
/// Words in upper case are unchanged, others become lower case.
fn split_identifier(identifier: &str) -> Vec<String> {
    let shouting = !identifier.contains(|c: char| c.is_lowercase());
    let mut tokens = Vec::new();
    for part in identifier.split(|c: char| !c.is_alphanumeric()) {
        let letters: Vec<char> = part.chars().collect();
        let mut start = 0;
        for at in 1..=letters.len() {
            let Some(before) = letters.get(at - 1) else {
                continue;
            };
            let ends = letters.get(at).is_none_or(|now| {
                let next = letters.get(at + 1);
                // `APIKey` is `API key`, but `VPCs` and `IDs` are single words.
                let plural = next == Some(&'s')
                    && letters
                        .get(at + 2)
                        .is_none_or(|after| !after.is_lowercase());
                let begins = next.is_some_and(|next| next.is_lowercase()) && !plural;
                now.is_uppercase() && (!before.is_uppercase() || begins)
            });
            if !ends {
                continue;
            }
            let token: String = letters.get(start..at).unwrap_or_default().iter().collect();
            start = at;
            let capitals = token.chars().filter(|c| c.is_uppercase()).count();
            tokens.push(match capitals >= 2 && !shouting {
                true => token,
                false => token.to_lowercase(),
            });
        }
    }
    tokens
}

/// The words of a path: parameters are left out, except for one at the end, which identifies the
/// operation.
fn split_path(path: &str) -> Vec<String> {
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let mut segments = path.split('/').filter(|part| !part.is_empty()).peekable();
    let mut tokens = Vec::new();
    while let Some(segment) = segments.next() {
        let mut rest = segment;
        while let Some((before, name, after)) = rest.split_once('{').and_then(|(before, rest)| {
            let (name, after) = rest.split_once('}')?;
            Some((before, name, after))
        }) {
            tokens.extend(split_identifier(before));
            if segments.peek().is_none() && after.is_empty() {
                tokens.push("by".to_owned());
                tokens.extend(split_identifier(name));
            }
            rest = after;
        }
        tokens.extend(split_identifier(rest));
    }
    tokens
}

impl Operation {
    /// The title of the page: `title` of the metadata, or else the summary, or else the words of
    /// `operationId`, or else the method and the words of the path. For a webhook it is the slug of
    /// its summary, or its name if the summary is missing or too long for a title.
    ///
    /// Example: [`ApiDocument`](crate::ApiDocument#example).
    pub fn title(&self) -> String {
        let metadata = self.metadata.as_ref().and_then(|node| node.get("title"));
        if let Some(title) = metadata.and_then(svc_data::Node::as_str) {
            return title.to_owned();
        }
        match (&self.summary, self.kind) {
            (Some(summary), OperationKind::Path) => summary.clone(),
            (summary, OperationKind::Webhook) => {
                let short = |text: &&String| text.chars().count() <= MAX_TITLE;
                let name = summary.as_ref().filter(short).unwrap_or(&self.path);
                let title = title_from_slug(&crate::slug::raw_form(name));
                match title.trim().is_empty() {
                    true => "Webhook".to_owned(),
                    false => title,
                }
            }
            (None, OperationKind::Path) => {
                let named = self
                    .operation_id
                    .as_deref()
                    .map(split_identifier)
                    .unwrap_or_default();
                if !named.is_empty() {
                    return capitalize(&named.join(" "));
                }
                let mut title = self.method.clone();
                for token in split_path(&self.path) {
                    title.push(' ');
                    title.push_str(&token);
                }
                capitalize(&title)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::document;

    #[test]
    fn a_title_comes_from_the_last_segment() {
        assert_eq!(title_from_slug("api/get-users"), "Get users");
        assert_eq!(title_from_slug("checkout_created"), "Checkout created");
        assert_eq!(title_from_slug(""), "");
    }

    #[test]
    fn identifiers_are_split_into_tokens() {
        let cases = [
            ("PostCharges", "post charges"),
            ("Marketplace-ListCurrencies", "marketplace list currencies"),
            ("create_message", "create message"),
            ("listAPIKeys", "list API keys"),
            ("getVPCs", "get VPCs"),
            ("users.IDs.list", "users IDs list"),
            ("GET_USERS", "get users"),
            ("oauth2Token", "oauth2 token"),
            ("écrireUnMot", "écrire un mot"),
            ("a", "a"),
            ("--", ""),
        ];
        for (id, text) in cases {
            assert_eq!(split_identifier(id).join(" "), text, "{id}");
        }
    }

    #[test]
    fn operations_without_summary_have_readable_titles() {
        let document = document(
            r#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {
                "/v1/charges": {"post": {"operationId": "PostCharges"}, "get": {"summary": "List"}},
                "/accountProfiles/{id}": {"get": {}},
                "/accountProfiles/{id}/keys": {"get": {}},
                "/": {"get": {"operationId": "--"}}},
              "webhooks": {"branch-protection-rule-created": {"post": {"summary": "This event occurs when there is activity relating to branch protection rules, which is all there is to say"}},
                "order_paid": {"post": {}}, "x": {"post": {"summary": "Order: paid?"}}}}"#,
        );
        let titles: Vec<String> = document.operations.iter().map(Operation::title).collect();
        let own = [
            "List",
            "Post charges",
            "Get account profiles by id",
            "Get account profiles keys",
            "Get",
        ];
        assert_eq!(titles, own);
        let hooks: Vec<String> = document.webhooks.iter().map(Operation::title).collect();
        assert_eq!(
            hooks,
            [
                "Branch protection rule created",
                "Order paid",
                "Order: paid?"
            ]
        );
    }
}
