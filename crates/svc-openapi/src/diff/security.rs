//! Servers, security schemes and security requirements.

use std::collections::BTreeSet;

use super::{Comparer, Effect};
use crate::{ApiDocument, Operation, SecurityRequirement, Server};

/// Maximum number of alternatives that are compared.
const MAX_ALTERNATIVES: usize = 50;

/// An alternative: its schemes, each with a required scope.
type Alternative = BTreeSet<(String, String)>;

impl<'a> Comparer<'a> {
    pub(super) fn servers(
        &mut self,
        old: &[Server],
        new: &[Server],
        operation: &str,
        pointers: (&str, &str),
    ) {
        let of = if operation.is_empty() {
            String::new()
        } else {
            format!(" of `{operation}`")
        };
        let locations = (
            Some(self.old.locate_pointer(pointers.0)),
            Some(self.new.locate_pointer(pointers.1)),
        );
        for was in old {
            let Some(now) = new.iter().find(|now| now.url == was.url) else {
                let message = format!("the server `{}`{of} was removed", was.url);
                let rule = ("server-removed", Effect::Breaking);
                self.report(rule, operation, message, locations.clone());
                continue;
            };
            for variable in &was.variables {
                let Some(after) = now.variables.iter().find(|one| one.name == variable.name) else {
                    continue;
                };
                let removed = variable
                    .values
                    .iter()
                    .filter(|value| !after.values.contains(value));
                let removed: Vec<&str> = removed.map(String::as_str).collect();
                if !removed.is_empty() && !after.values.is_empty() {
                    let message = format!(
                        "the variable `{}` of the server `{}`{of} can no longer be `{}`",
                        variable.name,
                        was.url,
                        removed.join("`, `")
                    );
                    let rule = ("server-variable", Effect::Breaking);
                    self.report(rule, operation, message, locations.clone());
                }
                if variable.default != after.default {
                    let message = format!(
                        "the variable `{}` of the server `{}`{of} now has the default `{}` instead of `{}`",
                        variable.name, was.url, after.default, variable.default
                    );
                    let rule = ("server-variable", Effect::Unknown);
                    self.report(rule, operation, message, locations.clone());
                }
            }
        }
        for now in new
            .iter()
            .filter(|now| old.iter().all(|was| was.url != now.url))
        {
            let message = format!("the server `{}`{of} was added", now.url);
            let rule = ("server-added", Effect::Compatible);
            self.report(rule, operation, message, locations.clone());
        }
    }

    /// Compares the security schemes that are in both documents.
    pub(super) fn schemes(&mut self) {
        let (old, new) = (self.old.document, self.new.document);
        for (name, was) in &old.security_schemes {
            let Some(now) = new.security_schemes.get(name) else {
                continue;
            };
            if was.kind != now.kind {
                let pointer = format!(
                    "/components/securitySchemes/{}",
                    svc_data::escape_pointer(name)
                );
                let locations = (
                    Some(self.old.locate(&pointer, was.span)),
                    Some(self.new.locate(&pointer, now.span)),
                );
                let message = format!("the security scheme `{name}` has changed");
                self.report(("scheme-changed", Effect::Breaking), "", message, locations);
            }
        }
    }

    /// Compares the security of the documents, which operations inherit.
    pub(super) fn inherited_security(&mut self) {
        let (old, new) = (self.old.document, self.new.document);
        let inherits = |one: &&Operation| one.source_security(self.old.document).is_none();
        let inherited = old.operations.iter().find(inherits);
        let other = inherited.and_then(|one| {
            new.operations.iter().find(|two| {
                two.method == one.method
                    && two.path == one.path
                    && two.source_security(new).is_none()
            })
        });
        if let (Some(old), Some(new)) = (inherited, other) {
            self.security(old, new, "", ("/security", "/security"));
        }
    }

    /// Compares the security of two operations of which at least one overrides it.
    pub(super) fn own_security(&mut self, old: &Operation, new: &Operation, name: &str) {
        let written = (
            old.source_security(self.old.document).is_some(),
            new.source_security(self.new.document).is_some(),
        );
        if old.kind == crate::OperationKind::Webhook || written == (false, false) {
            return;
        }
        let pointer = |operation: &Operation, own: bool| match own {
            true => format!("{}/security", operation.source.pointer()),
            false => "/security".to_owned(),
        };
        let pointers = (pointer(old, written.0), pointer(new, written.1));
        self.security(old, new, name, (&pointers.0, &pointers.1));
    }

    fn security(&mut self, old: &Operation, new: &Operation, name: &str, pointers: (&str, &str)) {
        let before = alternatives(self.old.document, &old.security, &old.scopes, None);
        let after = alternatives(
            self.new.document,
            &new.security,
            &new.scopes,
            Some(self.old.document),
        );
        let subject = if name.is_empty() {
            "all operations without `security` of their own".to_owned()
        } else {
            format!("`{name}`")
        };
        let locations = (
            Some(self.old.locate_pointer(pointers.0)),
            Some(self.new.locate_pointer(pointers.1)),
        );
        for was in &before {
            if after.iter().any(|now| now.is_subset(was)) {
                continue;
            }
            let message = if was.is_empty() {
                format!("{subject} can no longer be called without authentication")
            } else if let Some(now) = after
                .iter()
                .find(|now| schemes(now).is_subset(&schemes(was)))
            {
                let more = now.difference(was).map(|(_, scope)| scope.as_str());
                let more: Vec<&str> = more.filter(|scope| !scope.is_empty()).collect();
                format!("{subject} now needs the scopes `{}`", more.join("`, `"))
            } else {
                format!("{subject} can no longer be called with {} alone", list(was))
            };
            self.report(
                ("security-narrowed", Effect::Breaking),
                name,
                message,
                locations.clone(),
            );
        }
        for now in &after {
            if before.iter().any(|was| now.is_superset(was)) {
                continue;
            }
            let message = if now.is_empty() {
                format!("{subject} can now be called without authentication")
            } else {
                format!("{subject} can now be called with {}", list(now))
            };
            self.report(
                ("security-widened", Effect::Compatible),
                name,
                message,
                locations.clone(),
            );
        }
    }
}

/// The alternatives, with each scheme under the name of an equal one in the older document.
fn alternatives(
    document: &ApiDocument,
    security: &[Vec<String>],
    scopes: &[SecurityRequirement],
    older: Option<&ApiDocument>,
) -> Vec<Alternative> {
    let renamed = |name: &str| {
        let older = older.filter(|older| !older.security_schemes.contains_key(name))?;
        let scheme = document.security_schemes.get(name)?;
        let mut like = older.security_schemes.iter();
        let removed = |name: &String| !document.security_schemes.contains_key(name);
        like.find(|(name, other)| other.kind == scheme.kind && removed(name))
            .map(|(name, _)| name.clone())
    };
    if security.is_empty() {
        return vec![Alternative::new()];
    }
    let mut distinct = Vec::new();
    for (at, names) in security.iter().take(MAX_ALTERNATIVES).enumerate() {
        let mut alternative = Alternative::new();
        for name in names {
            let shown = renamed(name).unwrap_or_else(|| name.clone());
            alternative.insert((shown.clone(), String::new()));
            let own = scopes
                .iter()
                .filter(|item| item.alternative == at && item.scheme == *name);
            for scope in own.flat_map(|item| &item.scopes) {
                alternative.insert((shown.clone(), scope.clone()));
            }
        }
        if !distinct.contains(&alternative) {
            distinct.push(alternative);
        }
    }
    distinct
}

fn schemes(alternative: &Alternative) -> BTreeSet<&str> {
    alternative.iter().map(|(name, _)| name.as_str()).collect()
}

fn list(alternative: &Alternative) -> String {
    let names: Vec<String> = schemes(alternative)
        .iter()
        .map(|name| format!("`{name}`"))
        .collect();
    names.join(" and ")
}

impl Operation {
    /// The `security` of the operation object itself.
    fn source_security<'d>(&self, document: &'d ApiDocument) -> Option<&'d svc_data::Node> {
        let own = document.node(&self.source)?.get("security")?;
        (!own.is_null()).then_some(own)
    }
}
