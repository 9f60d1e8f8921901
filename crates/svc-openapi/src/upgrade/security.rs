//! Security schemes of Swagger 2.0.

use svc_data::Node;

use super::Upgrader;
use super::build::{insert, members, object, string};

impl Upgrader<'_> {
    /// A security scheme.
    pub(super) fn security_scheme(&mut self, scheme: Node) -> Node {
        let span = scheme.span;
        let kind = scheme
            .get("type")
            .and_then(Node::as_str)
            .unwrap_or_default()
            .to_owned();
        match kind.as_str() {
            "basic" => {
                let mut new = object(span, []);
                for (key, member) in members(scheme) {
                    let value = match &*key {
                        "type" => string("http", member.value.span),
                        _ => member.value,
                    };
                    insert(&mut new, &key, value);
                }
                insert(&mut new, "scheme", string("basic", span));
                new
            }
            "oauth2" => self.oauth(scheme),
            _ => scheme,
        }
    }

    fn oauth(&mut self, scheme: Node) -> Node {
        let span = scheme.span;
        let (mut new, mut flow) = (object(span, []), object(span, []));
        let mut name = None;
        for (key, member) in members(scheme) {
            match &*key {
                "flow" => {
                    name = member
                        .value
                        .as_str()
                        .map(|text| (text.to_owned(), member.value.span));
                }
                "authorizationUrl" | "tokenUrl" | "scopes" => insert(&mut flow, &key, member.value),
                _ => insert(&mut new, &key, member.value),
            }
        }
        if flow.get("scopes").is_none() {
            insert(&mut flow, "scopes", object(span, []));
        }
        let (name, at) = name.unwrap_or_else(|| ("implicit".to_owned(), span));
        let name = match name.as_str() {
            "application" => "clientCredentials",
            "accessCode" => "authorizationCode",
            "password" => "password",
            "implicit" => "implicit",
            other => {
                let message = format!("`{other}` is not a flow of OAuth 2");
                self.loss(
                    at,
                    message,
                    "write `implicit`, `password`, `application` or `accessCode`",
                );
                "implicit"
            }
        };
        insert(&mut new, "flows", object(span, [(name, flow)]));
        new
    }
}
